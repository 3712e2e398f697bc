/* Lloyd's step (1982) over spots: see spray.h. */
#include "base/arena.h"
#include "geom/sites.h"
#include "geom/spray.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

/* Middle and weight of what is nearest to each place. */
static void gather(const supi_relax* relax, const supi_sites* sites, double* sums) {
    int32_t guess = 0;
    for (int32_t i = 0; i < relax->spot_count; i++) {
        double x[3], square, weight = relax->areas ? relax->areas[i] : 1.0;
        supi_vector_from(&relax->spots[i], x);
        if (sup_brush_share(relax->brush, x) < 0.5) continue;
        double* sum = sums + 4 * (size_t)supi_sites_nearest(sites, x, &guess, &square);
        for (int k = 0; k < 3; k++) sum[k] += weight * x[k];
        sum[3] += weight;
    }
}

/* Where a place may go. */
static bool settle(const supi_relax* relax, sup_vec3 from, const double sum[4], sup_vec3* to) {
    if (!(sum[3] > 0.0)) return false;
    int32_t triangle;
    double t, weights[3];
    *to = supi_vector_round(sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]);
    if (!relax->on_surface) return !supi_bvh_cross(relax->tree, from, *to, &triangle, &t, weights);
    supi_facet_point nearest;
    if (!supi_bvh_nearest(relax->tree, *to, FLT_MAX, &triangle, &nearest)) return false;
    *to = supi_vector_round(nearest.place[0], nearest.place[1], nearest.place[2]);
    return true;
}

bool supi_spray_relax(const supi_relax* relax, const sup_allocator* allocator, int32_t fixed,
                      int32_t count, sup_vec3* places) {
    supi_arena scratch;
    supi_sites sites;
    supi_arena_init(&scratch, allocator);
    double* sums = supi_arena_push(&scratch, (size_t)count, 4 * sizeof *sums);
    bool built = sums && supi_sites_build(&scratch, count, places, &sites);
    if (built) gather(relax, &sites, sums);
    for (int32_t i = fixed; built && i < count; i++) {
        sup_vec3 to;
        if (settle(relax, places[i], sums + 4 * (size_t)i, &to)) places[i] = to;
    }
    supi_arena_free(&scratch);
    return built;
}
