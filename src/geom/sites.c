#include "geom/sites.h"

#include "geom/morton.h"

bool supi_sites_build(supi_arena* arena, int32_t count, const sup_vec3* points, supi_sites* out) {
    out->order = supi_arena_push(arena, (size_t)count, sizeof *out->order);
    sup_vec3* sorted = supi_arena_push(arena, (size_t)count, sizeof *sorted);
    if (!out->order || !sorted) return false;
    if (!supi_morton_order(arena->allocator, count, &points->x, 3, out->order)) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = points[out->order[i]];
    return supi_point_tree_build(arena, count, sorted, &out->tree);
}

int32_t supi_sites_nearest(const supi_sites* sites, const double x[3], int32_t* guess,
                           double* square) {
    *guess = supi_point_tree_nearest_from(&sites->tree, x, *guess, square);
    return sites->order[*guess];
}

int32_t supi_sites_within(const supi_sites* sites, const double x[3], double limit, int32_t* out) {
    int32_t count = supi_point_tree_within(&sites->tree, x, limit, out);
    for (int32_t i = 0; i < count; i++) out[i] = sites->order[out[i]];
    return count;
}
