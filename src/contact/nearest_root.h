/* The nearest place of an ellipse or ellipsoid to a point, in the frame of its axes. */
#ifndef SUPPLE_CONTACT_NEAREST_ROOT_H
#define SUPPLE_CONTACT_NEAREST_ROOT_H

#include <stdbool.h>

/* Share of the largest radius that every radius has at least. */
#define SUPI_ELLIPSOID_FLAT 1e-3f

/* Radii of at least that share of the largest. False: all are 0, as then `out` is. */
bool supi_ellipsoid_floor(const float radii[3], float out[3]);

/* Of `count` (2 or 3) radii, all above 0, and the point z: the nearest place y, the unit normal n
   that points outward there, and the signed distance of z, negative inside. Of several nearest ones
   in the middle that along the smallest radius, on its positive side. */
float supi_nearest_root(int count, const float* radii, const float* z, float* y, float* n);

#endif
