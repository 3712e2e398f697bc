/* A blueprint with another rest shape: all that was given stays, all that follows from places is
   found anew. Rows stay in their old order. */
#include "base/error.h"
#include "base/memory.h"
#include "blueprint/groups.h"
#include "blueprint/particles.h"
#include "blueprint/springs.h"
#include "geom/vector.h"

#include <stddef.h>
#include <string.h>

/* An array that is added has to be copied below; then put the size right. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(sup_blueprint) == 624, "copy the new array of a blueprint");
#endif

/* Replaces *array by a copy in the arena; what is not there stays so. False: no memory. */
static bool copy_array(supi_arena* arena, void* array, int64_t count, size_t size) {
    const void* from;
    memcpy(&from, array, sizeof from);
    if (!from) return true;
    void* to = supi_arena_push(arena, (size_t)count, size);
    if (!to) return false;
    memcpy(to, from, (size_t)count * size);
    memcpy(array, &to, sizeof to);
    return true;
}

/* Everything of `old` in arrays of its own, but for what follows from the rest shape. */
static bool copy_arrays(const sup_blueprint* old, sup_blueprint* b) {
    const size_t own = offsetof(sup_blueprint, info); /* before it lie arena and references */
    memcpy((char*)b + own, (const char*)old + own, sizeof *b - own);
    const sup_blueprint_info* info = &b->info;
    int64_t rows = info->particle_count, members = b->member_count;
    const struct {
        void* array;
        int64_t count;
        size_t size;
    } arrays[] = {
        {&b->row_of, rows, sizeof *b->row_of},
        {&b->id_of, rows, sizeof *b->id_of},
        {&b->rest, rows, sizeof *b->rest},
        {&b->mass, rows, sizeof *b->mass},
        {&b->inverse_mass, rows, sizeof *b->inverse_mass},
        {&b->radius, rows, sizeof *b->radius},
        {&b->depth, rows, sizeof *b->depth},
        {&b->outward, rows, sizeof *b->outward},
        {&b->skin.rest, b->skin.count, sizeof *b->skin.rest},
        {&b->clusters, b->cluster_count, sizeof *b->clusters},
        {&b->centres, 3 * (int64_t)b->cluster_count, sizeof *b->centres},
        {&b->members.qx, members, sizeof *b->members.qx},
        {&b->members.qy, members, sizeof *b->members.qy},
        {&b->members.qz, members, sizeof *b->members.qz},
        {&b->members.w, members, sizeof *b->members.w},
        {&b->members.index, members, sizeof *b->members.index},
        {&b->blocks, b->block_count, sizeof *b->blocks},
        {&b->ask_starts, rows + 1, sizeof *b->ask_starts},
        {&b->asks, info->membership_count, sizeof *b->asks},
        {&b->leader, rows, sizeof *b->leader},
        {&b->share, rows, sizeof *b->share},
        {&b->springs, b->spring_count, sizeof *b->springs},
        {&b->pins, b->pin_count, sizeof *b->pins},
        {&b->weightless, b->weightless_count, sizeof *b->weightless},
        {&b->region, rows, sizeof *b->region},
        {&b->vertex_rows, info->vertex_count, sizeof *b->vertex_rows},
        {&b->starts, (int64_t)info->polygon_count + 1, sizeof *b->starts},
        {&b->corners, info->corner_count, sizeof *b->corners},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!copy_array(&b->arena, arrays[i].array, arrays[i].count, arrays[i].size)) return false;
    }
    return true;
}

/* Fans from the centre of the body to every polygon. */
static double volume_of(const sup_blueprint* b, const sup_mesh* mesh) {
    double volume = 0.0;
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        const int32_t* corner = mesh->corners + mesh->starts[p];
        int32_t corners = mesh->starts[p + 1] - mesh->starts[p];
        for (int32_t i = 1; i + 1 < corners; i++) {
            const int32_t ends[3] = {corner[0], corner[i], corner[i + 1]};
            double at[3][3], normal[3];
            for (int k = 0; k < 3; k++) {
                supi_vector_from(mesh->points + ends[k], at[k]);
                supi_vector_subtract(at[k], b->info.centre, at[k]);
            }
            supi_vector_cross(at[1], at[2], normal);
            volume += supi_vector_dot(at[0], normal) / 6.0;
        }
    }
    return volume;
}

/* Volume, density and normals of a closed surface in its new shape. */
static sup_result reshape_surface(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    size_t count = (size_t)b->info.vertex_count;
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
        double volume = volume_of(b, &mesh);
        if (!(volume > 0.0)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "the body is turned inside out");
        }
        b->info.volume = volume;
        b->info.density = b->info.mass / volume;
    }
    /* Under a skin the particles at the rim keep their directions. */
    return skinned || supi_particles_outward(b, &mesh, b->vertex_rows, scratch)
               ? SUP_OK
               : supi_error_memory(error);
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
    if (result == SUP_OK && !supi_springs_reshape(b, scratch)) result = supi_error_memory(error);
    if (result == SUP_OK && !supi_blueprint_bind(b)) result = supi_error_memory(error);
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
