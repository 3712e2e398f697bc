/* Three doubles as a vector: the few operations that geometry needs. */
#ifndef SUPPLE_GEOM_VECTOR_H
#define SUPPLE_GEOM_VECTOR_H

#include "supple/types.h"

#include <math.h>

static inline void supi_vector_from(const sup_vec3* point, double out[3]) {
    out[0] = (double)point->x;
    out[1] = (double)point->y;
    out[2] = (double)point->z;
}

static inline void supi_vector_of_row(const sup_row* row, double out[3]) {
    out[0] = (double)row->x;
    out[1] = (double)row->y;
    out[2] = (double)row->z;
}

/* Rounds once, so all that leads to a stored point is computed in double. */
static inline sup_vec3 supi_vector_round(double x, double y, double z) {
    return (sup_vec3){(float)x, (float)y, (float)z};
}

static inline void supi_vector_subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline double supi_vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double supi_vector_length(const double a[3]) { return sqrt(supi_vector_dot(a, a)); }

static inline void supi_vector_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
