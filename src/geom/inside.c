#include "geom/inside.h"

#include "geom/vector.h"

#define MOST_CROSSINGS 1000

/* +1 where the way leaves through a triangle, -1 where it enters. */
static int32_t sense(const supi_solid_surface* surface, int32_t triangle, const double way[3]) {
    const int32_t* ids = surface->triangles + 3 * (size_t)triangle;
    double a[3], ab[3], ac[3], normal[3];
    supi_vector_from(&surface->points[ids[0]], a);
    supi_vector_from(&surface->points[ids[1]], ab);
    supi_vector_from(&surface->points[ids[2]], ac);
    supi_vector_subtract(ab, a, ab);
    supi_vector_subtract(ac, a, ac);
    supi_vector_cross(ab, ac, normal);
    return supi_vector_dot(normal, way) > 0.0 ? 1 : -1;
}

/* Winding number by the crossings of one line. */
static int32_t count_along(const supi_solid_surface* surface, sup_vec3 place, const double way[3]) {
    double from[3], total = 0.0;
    supi_vector_from(&place, from);
    sup_vec3 end = supi_vector_round(from[0] + way[0], from[1] + way[1], from[2] + way[2]);
    int32_t sum = 0;
    for (int32_t n = 0; n < MOST_CROSSINGS && total < 1.0; n++) {
        sup_vec3 start = supi_vector_round(from[0] + total * way[0], from[1] + total * way[1],
                                           from[2] + total * way[2]);
        int32_t triangle;
        double t, weights[3];
        if (!supi_bvh_cross(surface->tree, start, end, &triangle, &t, weights)) break;
        sum += sense(surface, triangle, way);
        total += t * (1.0 - total) + 1e-6; /* a little beyond what was met */
    }
    return sum;
}

bool supi_inside(const supi_solid_surface* surface, sup_vec3 place) {
    static const double ways[3][3] = {
        {0.8017, 0.4211, 0.4243}, {-0.3511, 0.9013, -0.2539}, {0.1307, -0.4621, 0.8771}};
    float low[3], high[3];
    supi_bvh_bounds(surface->tree, low, high);
    double size = 0.0;
    for (int k = 0; k < 3; k++) size += (double)high[k] - (double)low[k];
    int32_t votes = 0;
    for (int i = 0; i < 3; i++) {
        double way[3];
        for (int k = 0; k < 3; k++) way[k] = 1.5 * size * ways[i][k];
        votes += count_along(surface, place, way) > 0;
    }
    return votes >= 2;
}
