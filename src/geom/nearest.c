#include "geom/nearest.h"

#include "geom/sites.h"
#include "geom/vector.h"

#include <math.h>

bool supi_nearest_mean(const sup_allocator* allocator, int32_t count, const sup_vec3* points,
                       double* mean) {
    *mean = 0.0;
    if (count < 2) return true;
    supi_arena scratch;
    supi_sites sites;
    supi_arena_init(&scratch, allocator);
    bool built = supi_sites_build(&scratch, count, points, &sites);
    double sum = 0.0;
    for (int32_t i = 0; built && i < count; i++) {
        double x[3], square;
        supi_vector_from(sites.tree.points + i, x);
        supi_point_tree_nearest(&sites.tree, x, i, &square);
        sum += sqrt(square);
    }
    supi_arena_free(&scratch);
    *mean = sum / count;
    return built;
}
