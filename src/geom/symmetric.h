/* Symmetric matrices of three rows, xx yy zz yz zx xy, in double: for inertias, which are few. */
#ifndef SUPPLE_GEOM_SYMMETRIC_H
#define SUPPLE_GEOM_SYMMETRIC_H

#include "geom/vector.h"

static inline void supi_symmetric_apply(const double m[6], const double a[3], double out[3]) {
    double x = m[0] * a[0] + m[5] * a[1] + m[4] * a[2];
    double y = m[5] * a[0] + m[1] * a[1] + m[3] * a[2];
    double z = m[4] * a[0] + m[3] * a[1] + m[2] * a[2];
    out[0] = x, out[1] = y, out[2] = z;
}

/* R m R^T */
static inline void supi_symmetric_turned(const double r[9], const double m[6], double out[6]) {
    double a[3][3];
    for (int k = 0; k < 3; k++) supi_symmetric_apply(m, r + 3 * k, a[k]);
    for (int k = 0; k < 3; k++) out[k] = supi_vector_dot(r + 3 * k, a[k]);
    out[3] = supi_vector_dot(r + 3, a[2]);
    out[4] = supi_vector_dot(r + 6, a[0]);
    out[5] = supi_vector_dot(r, a[1]);
}

/* Adds what a mass at p has of an inertia. */
static inline void supi_symmetric_add_mass(double mass, const double p[3], double inertia[6]) {
    double square = supi_vector_dot(p, p);
    for (int k = 0; k < 3; k++) inertia[k] += mass * (square - p[k] * p[k]);
    inertia[3] -= mass * p[1] * p[2];
    inertia[4] -= mass * p[2] * p[0];
    inertia[5] -= mass * p[0] * p[1];
}

/* The determinant. */
static inline double supi_symmetric_volume(const double m[6]) {
    return m[0] * (m[1] * m[2] - m[3] * m[3]) + m[5] * (m[3] * m[4] - m[2] * m[5]) +
           m[4] * (m[5] * m[3] - m[1] * m[4]);
}

/* Of few points, or of points on one line, nothing resists some turn: then 1e-5 of the trace is
   added. */
static inline void supi_symmetric_regular(double m[6]) {
    double trace = m[0] + m[1] + m[2];
    if (supi_symmetric_volume(m) >= 1e-5 * trace * trace * trace) return;
    for (int k = 0; k < 3; k++) m[k] += 1e-5 * trace;
}

/* Inverse of a positive definite matrix; 0 where it has none. */
static inline void supi_symmetric_invert(const double m[6], double out[6]) {
    double a[6] = {m[1] * m[2] - m[3] * m[3], m[0] * m[2] - m[4] * m[4], m[0] * m[1] - m[5] * m[5],
                   m[4] * m[5] - m[0] * m[3], m[5] * m[3] - m[1] * m[4], m[3] * m[4] - m[2] * m[5]};
    double det = m[0] * a[0] + m[5] * a[5] + m[4] * a[4], trace = m[0] + m[1] + m[2];
    double scale = det > 1e-20 * trace * trace * trace ? 1.0 / det : 0.0;
    for (int k = 0; k < 6; k++) out[k] = scale * a[k];
}

#endif
