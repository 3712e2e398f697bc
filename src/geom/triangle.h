/* One triangle in double: how far it is, and what it touches. */
#ifndef SUPPLE_GEOM_TRIANGLE_H
#define SUPPLE_GEOM_TRIANGLE_H

#include "supple/types.h"

typedef struct supi_triangle {
    double corner[3][3];
    double low[3], high[3]; /* its box */
    double normal[3];       /* not of unit length: twice the area; zero for a triangle of no area */
} supi_triangle;

supi_triangle supi_triangle_from(const sup_vec3* a, const sup_vec3* b, const sup_vec3* c);

/* Squared distance of a point from the triangle, also from one that has no area. */
double supi_triangle_distance2(const supi_triangle* triangle, const double p[3]);

/* Whether the triangle and the box from centre - half to centre + half have a point in common. In
   doubt (a triangle of no area) true. */
bool supi_triangle_touches_box(const supi_triangle* triangle, const double centre[3],
                               const double half[3]);

#endif
