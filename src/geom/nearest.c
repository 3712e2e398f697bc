#include "geom/nearest.h"

#include "geom/morton.h"
#include "geom/point_tree.h"
#include "geom/vector.h"

#include <math.h>

/* The points in Morton order, and a tree over them. */
static bool build(supi_arena* scratch, int32_t count, const sup_vec3* points,
                  supi_point_tree* out) {
    int32_t* order = supi_arena_push(scratch, (size_t)count, sizeof *order);
    sup_vec3* sorted = supi_arena_push(scratch, (size_t)count, sizeof *sorted);
    if (!order || !sorted) return false;
    if (!supi_morton_order(scratch->allocator, count, &points->x, 3, order)) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = points[order[i]];
    return supi_point_tree_build(scratch, count, sorted, out);
}

bool supi_nearest_mean(const sup_allocator* allocator, int32_t count, const sup_vec3* points,
                       double* mean) {
    *mean = 0.0;
    if (count < 2) return true;
    supi_arena scratch;
    supi_point_tree tree;
    supi_arena_init(&scratch, allocator);
    bool built = build(&scratch, count, points, &tree);
    double sum = 0.0;
    for (int32_t i = 0; built && i < count; i++) {
        double x[3], square;
        supi_vector_from(tree.points + i, x);
        supi_point_tree_nearest(&tree, x, i, &square);
        sum += sqrt(square);
    }
    supi_arena_free(&scratch);
    *mean = sum / count;
    return built;
}
