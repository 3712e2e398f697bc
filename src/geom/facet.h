/* One triangle as searches see it: its nearest point with the part it lies on, and where a way
   crosses it. */
#ifndef SUPPLE_GEOM_FACET_H
#define SUPPLE_GEOM_FACET_H

#include "supple/types.h"

/* Parts of a triangle: corner k is k, the side from corner k to the next SUPI_FACET_SIDE + k. */
enum { SUPI_FACET_SIDE = 3, SUPI_FACET_FACE = 6 };

typedef struct supi_facet_point {
    double weights[3]; /* of the corners, sum 1 */
    double place[3];
    double square; /* of the distance */
    int32_t part;
} supi_facet_point;

/* The nearest point of a triangle that has an area. */
void supi_facet_nearest(const sup_vec3 corners[3], const double x[3], supi_facet_point* out);

/* Whether from + t (to - from) crosses the triangle, 0 <= t <= 1, from either side. A way through
   a side or corner is lost to none of the triangles around it: two triangles get the same number
   for a common side, but for its sign. One in the triangle's plane does not cross it. */
bool supi_facet_cross(const sup_vec3 corners[3], const double from[3], const double to[3],
                      double* t, double weights[3]);

/* What is done with each triangle that a search comes across. */
typedef void supi_facet_visit(void* context, const sup_vec3 corners[3]);

/* The normal, twice the area long; false for a triangle without area, as far as rounding tells. */
bool supi_facet_normal(const sup_vec3 corners[3], double out[3]);

#endif
