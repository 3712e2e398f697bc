/* A blueprint with another rest shape: all that was given stays, all that follows from places is
   found anew. Rows stay in their old order. */
#include "base/error.h"
#include "base/memory.h"
#include "blueprint/arrays.h"
#include "blueprint/groups.h"
#include "blueprint/hang.h"
#include "blueprint/particles.h"
#include "blueprint/rim.h"
#include "blueprint/springs.h"
#include "blueprint/tears.h"
#include "blueprint/tets.h"
#include "geom/mesh.h"

#include <stddef.h>
#include <string.h>

/* Replaces an array by a copy in the arena; what is not there stays so. False: no memory. */
static bool copy_array(supi_arena* arena, const supi_blueprint_array* array) {
    const void* from;
    memcpy(&from, array->pointer, sizeof from);
    if (!from) return true;
    void* to = supi_arena_push(arena, (size_t)array->count, array->size);
    if (!to) return false;
    memcpy(to, from, (size_t)array->count * array->size);
    memcpy(array->pointer, &to, sizeof to);
    return true;
}

/* Everything of `old` in arrays of its own, but for what follows from the rest shape. */
static bool copy_arrays(const sup_blueprint* old, sup_blueprint* b) {
    const size_t own = offsetof(sup_blueprint, info); /* before it lie arena and references */
    memcpy((char*)b + own, (const char*)old + own, sizeof *b - own);
    supi_blueprint_array arrays[SUPI_BLUEPRINT_ARRAYS];
    supi_blueprint_arrays(b, arrays);
    for (int i = 0; i < SUPI_BLUEPRINT_ARRAYS; i++) {
        if (!copy_array(&b->arena, &arrays[i])) return false;
    }
    return true;
}

/* Volume, density, normals and depths of a closed surface in its new shape. */
static sup_result reshape_surface(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    size_t count = (size_t)b->info.vertex_count;
    if (!supi_tets_derive(b, scratch)) return supi_error_memory(error);
    if (b->info.skin == SUP_SKIN_TETS) return supi_hang_renew(b, scratch, error);
    if (!b->outward) return SUP_OK;
    bool skinned = b->skin.count > 0;
    const sup_vec3* drawn = skinned ? b->skin.rest : b->rest;
    sup_vec3* points = supi_arena_push(scratch, count, sizeof *points);
    if (!points) return supi_error_memory(error);
    for (size_t i = 0; i < count; i++) points[i] = drawn[b->vertex_rows[i]];
    const sup_mesh mesh = {.point_count = b->info.vertex_count,
                           .polygon_count = b->info.polygon_count,
                           .corner_count = b->info.corner_count,
                           .points = points,
                           .starts = b->starts,
                           .corners = b->corners};
    if (b->info.volume > 0.0) {
        double volume = supi_mesh_volume(&mesh, b->info.centre);
        if (!(volume > 0.0)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "the body is turned inside out");
        }
        b->info.volume = volume;
        b->info.density = b->info.mass / volume;
    }
    bool done = skinned ? supi_rim_renew(b, &mesh, scratch)
                        : supi_particles_outward(b, &mesh, b->vertex_rows, scratch);
    return done ? SUP_OK : supi_error_memory(error);
}

static sup_result reshape_clusters(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    size_t most = (size_t)b->info.particle_count;
    int32_t* rows = supi_arena_push(scratch, most, sizeof *rows);
    double* weights = supi_arena_push(scratch, most, sizeof *weights);
    if (!rows || !weights) return supi_error_memory(error);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        const supi_cluster* cluster = b->clusters + c;
        for (int32_t i = 0; i < cluster->count; i++) {
            rows[i] = b->members.index ? b->members.index[cluster->begin + i] : i;
            weights[i] = (double)b->members.w[cluster->begin + supi_lane_order(i)];
        }
        supi_rest_centre(b, c, rows, weights);
    }
    return supi_shapes_build(b) ? SUP_OK : supi_error_memory(error);
}

static sup_result reshape(sup_blueprint* b, const sup_vec3* places, const sup_vec3* skin,
                          supi_arena* scratch, sup_error* error) {
    memcpy(b->rest, places, (size_t)b->info.particle_count * sizeof *places);
    if (b->skin.count > 0) memcpy(b->skin.rest, skin, (size_t)b->skin.count * sizeof *skin);
    sup_result result = supi_particles_measure(b, error);
    if (result == SUP_OK) result = reshape_surface(b, scratch, error);
    if (result == SUP_OK) result = reshape_clusters(b, scratch, error);
    if (result == SUP_OK && !(supi_springs_reshape(b, scratch) && supi_tears_build(b, scratch))) {
        result = supi_error_memory(error);
    }
    if (result == SUP_OK) result = supi_blueprint_bind(b, error);
    if (result == SUP_OK) b->hash = supi_blueprint_hash(b);
    return result;
}

sup_result supi_blueprint_reshape(const sup_blueprint* old, const sup_vec3* places,
                                  const sup_vec3* skin, sup_blueprint** out, sup_error* error) {
    const sup_allocator* allocator = old->arena.allocator;
    sup_blueprint* b = supi_memory_new(allocator, 1, sizeof *b);
    if (!b) return supi_error_memory(error);
    supi_arena scratch;
    supi_arena_init(&b->arena, allocator);
    supi_arena_init(&scratch, allocator);
    atomic_init(&b->references, 1);
    sup_result result =
        copy_arrays(old, b) ? reshape(b, places, skin, &scratch, error) : supi_error_memory(error);
    supi_arena_free(&scratch);
    if (result == SUP_OK)
        *out = b;
    else
        sup_blueprint_release(b);
    return result;
}
