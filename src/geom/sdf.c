#include "geom/sdf.h"

#include "base/memory.h"

#include <math.h>

bool supi_sdf_build(const sup_allocator* allocator, const sup_mesh* triangles, supi_sdf* out) {
    supi_sdf sdf;
    if (!supi_bvh_build(allocator, triangles->points, triangles->corners, triangles->polygon_count,
                        &sdf.tree)) {
        return false;
    }
    sdf.halves = supi_memory_new(allocator, 2 * (size_t)sdf.tree.node_count, sizeof *sdf.halves);
    if (!sdf.halves) {
        supi_bvh_free(&sdf.tree);
        return false;
    }
    supi_winding_summarise(&sdf.tree, sdf.halves);
    *out = sdf;
    return true;
}

void supi_sdf_free(supi_sdf* sdf) {
    supi_memory_free(sdf->tree.allocator, sdf->halves, 2 * (size_t)sdf->tree.node_count,
                     sizeof *sdf->halves);
    supi_bvh_free(&sdf->tree);
}

bool supi_sdf_inside(const supi_sdf* sdf, const double x[3]) {
    return supi_winding_number(&sdf->tree, sdf->halves, x) > 0.5;
}

double supi_sdf_distance(const supi_sdf* sdf, const double x[3], double limit) {
    int32_t triangle;
    supi_facet_point nearest;
    if (!supi_bvh_nearest_to(&sdf->tree, x, limit, &triangle, &nearest)) return limit;
    return sqrt(nearest.square);
}
