#include "blueprint/tets.h"

#include "base/error.h"
#include "blueprint/tears.h"
#include "geom/tet.h"

#include <string.h>

sup_tets supi_tets_view(const sup_blueprint* b) {
    const supi_tet_mesh* solid = &b->solid;
    return (sup_tets){.point_count = b->info.particle_count,
                      .tet_count = solid->tet_count,
                      .triangle_count = solid->triangle_count,
                      .points = b->rest,
                      .tets = solid->tets,
                      .triangles = solid->triangles};
}

bool supi_tets_sound(const sup_blueprint* b) {
    for (int32_t i = 0; i < b->solid.tet_count; i++) {
        if (!(supi_tet_volume(b->rest, b->solid.tets + 4 * (size_t)i) > 0.0)) return false;
    }
    return true;
}

double supi_tets_volume(const sup_blueprint* b) {
    double sum = 0.0;
    for (int32_t i = 0; i < b->solid.tet_count; i++) {
        sum += supi_tet_volume(b->rest, b->solid.tets + 4 * (size_t)i);
    }
    return sum;
}

/* ---- What follows ---- */

static bool find_outside(supi_tet_mesh* solid, supi_arena* arena, supi_arena* scratch) {
    size_t sides = 4 * (size_t)solid->tet_count;
    int32_t* mates = supi_arena_push(scratch, sides, sizeof *mates);
    if (!mates || !supi_tet_mates(scratch, solid->tet_count, solid->tets, mates)) return false;
    solid->triangle_count = 0;
    for (size_t s = 0; s < sides; s++) solid->triangle_count += mates[s] < 0;
    size_t count = (size_t)solid->triangle_count;
    solid->triangles = supi_arena_push(arena, 3 * count, sizeof *solid->triangles);
    solid->owners = supi_arena_push(arena, count, sizeof *solid->owners);
    if (!solid->triangles || !solid->owners) return false;
    int32_t *corner = solid->triangles, *owner = solid->owners;
    for (size_t s = 0; s < sides; s++) {
        if (mates[s] >= 0) continue;
        *owner++ = (int32_t)(s / 4);
        for (int k = 0; k < 3; k++) {
            *corner++ = solid->tets[s / 4 * 4 + (size_t)supi_tet_sides[s % 4][k]];
        }
    }
    return true;
}

/* A copy that lives as long as the blueprint. */
static int32_t* keep(supi_arena* arena, const int32_t* items, size_t count) {
    int32_t* copy = supi_arena_push(arena, count, sizeof *copy);
    if (copy && count > 0) memcpy(copy, items, count * sizeof *copy);
    return copy;
}

static bool find_edges(sup_blueprint* b) {
    const sup_tets view = supi_tets_view(b);
    supi_tet_mesh* solid = &b->solid;
    sup_adjacency a;
    if (supi_tet_adjacency(b->arena.allocator, &view, &a, NULL) != SUP_OK) return false;
    size_t ends = 2 * (size_t)a.edge_count;
    solid->edge_count = a.edge_count;
    solid->edges = keep(&b->arena, a.edges, ends);
    solid->starts = keep(&b->arena, a.starts, (size_t)b->info.particle_count + 1);
    solid->neighbours = keep(&b->arena, a.neighbours, ends);
    sup_adjacency_free(&a);
    return solid->edges && solid->starts && solid->neighbours;
}

/* Springs that were baked may lie in tetrahedra that are inside out, surfaces that tear have none
   that stay, and what has no weight would push with infinite mass. */
static bool find_form(sup_blueprint* b) {
    const sup_tets view = supi_tets_view(b);
    const sup_adjacency edges = {.edge_count = b->solid.edge_count,
                                 .edges = b->solid.edges,
                                 .starts = b->solid.starts,
                                 .neighbours = b->solid.neighbours};
    b->form = (supi_tet_form){0}; /* not that of the blueprint it was copied from */
    if (b->can_tear || b->weightless_count > 0 || !supi_tets_sound(b)) return true;
    return supi_tet_form_make(&b->arena, &view, &edges, &b->form);
}

bool supi_tets_derive(sup_blueprint* b, supi_arena* scratch) {
    if (b->solid.tet_count == 0) return true;
    return find_outside(&b->solid, &b->arena, scratch) && find_edges(b) && find_form(b);
}

/* ---- What is given ---- */

sup_result supi_tets_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                           sup_error* error) {
    if (def->tet_count == 0) return SUP_OK;
    if (def->tet_count > INT32_MAX / 16) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there are too many tetrahedra");
    }
    supi_tet_mesh* solid = &b->solid;
    solid->tets = supi_arena_push(&b->arena, 4 * (size_t)def->tet_count, sizeof *solid->tets);
    if (!solid->tets) return supi_error_memory(error);
    solid->tet_count = b->info.tet_count = def->tet_count;
    for (int32_t i = 0; i < def->tet_count; i++) {
        for (int32_t k = 4 * i; k < 4 * i + 4; k++) {
            int32_t id = def->tets[k];
            if (id < 0 || id >= supi_tears_rows(b)) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "tetrahedron %d names particle %d, there are %d", (int)i,
                                      (int)id, (int)supi_tears_rows(b));
            }
            solid->tets[k] = b->row_of[id];
        }
        if (supi_tet_volume(b->rest, solid->tets + 4 * (size_t)i) > 0.0) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "tetrahedron %d is flat or inside out",
                              (int)i);
    }
    return supi_tets_derive(b, scratch) ? SUP_OK : supi_error_memory(error);
}
