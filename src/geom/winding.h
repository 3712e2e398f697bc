/* Winding numbers of many triangles at once: far ones are seen together. */
#ifndef SUPPLE_GEOM_WINDING_H
#define SUPPLE_GEOM_WINDING_H

#include "geom/bvh.h"

/* Half the solid angle of a triangle whose corners lie at a, b, c from the point. A triangle seen
   from its own plane adds nothing, so a point on a face gets 1/2. */
double supi_winding_half_angle(const double a[3], const double b[3], const double c[3]);

/* The triangles of half a node, as seen from afar. */
typedef struct supi_winding_half {
    double centre[3], normal[3]; /* m, mean by area; m^2, sum of normals as long as areas */
    double area;                 /* m^2 */
    double reach2;               /* m^2, of the distance from which they look like one */
} supi_winding_half;

/* Fills two halves for each node of the tree. */
void supi_winding_summarise(const supi_bvh* tree, supi_winding_half* halves);

/* The winding number, within a few hundredths. */
double supi_winding_number(const supi_bvh* tree, const supi_winding_half* halves,
                           const double x[3]);

#endif
