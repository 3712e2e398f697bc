/* Rotations of single rows, in double: for parts and bodies, which are few. */
#ifndef SUPPLE_SOLVE_TURNS_H
#define SUPPLE_SOLVE_TURNS_H

#include "base/real.h"
#include "geom/quaternion.h"
#include "geom/symmetric.h"
#include "geom/vector.h"

static inline void supi_turns_from(const sup_quat* q, double out[4]) {
    out[0] = (double)q->x, out[1] = (double)q->y, out[2] = (double)q->z, out[3] = (double)q->w;
}

static inline void supi_turns_unit(double q[4]) {
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (int k = 0; k < 4; k++) q[k] *= scale;
    if (!(square > 0.0)) q[3] = 1.0;
}

static inline sup_quat supi_turns_round(const double q[4]) {
    return (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/* The turns of a substep are mostly below this, rad: there short series are as good as the
   functions, to the last digits of a double. */
#define SUPI_TURNS_SMALL 0.1

/* The quaternion of the turn by the vector a (rad). */
static inline void supi_turns_by(const double a[3], double by[4]) {
    double square = supi_vector_dot(a, a), t = 0.25 * square, s;
    if (square < SUPI_TURNS_SMALL * SUPI_TURNS_SMALL) {
        s = 0.5 - t * (1.0 / 12 - t * (1.0 / 240 - t * (1.0 / 10080 - t * (1.0 / 725760))));
        by[3] = 1.0 - t * (1.0 / 2 - t * (1.0 / 24 - t * (1.0 / 720 - t * (1.0 / 40320))));
    } else {
        double angle = sqrt(square);
        s = supi_sin(0.5 * angle) / angle;
        by[3] = supi_cos(0.5 * angle);
    }
    for (int k = 0; k < 3; k++) by[k] = s * a[k];
}

/* q turned by the vector a (rad). */
static inline void supi_turns_add(const double a[3], double q[4]) {
    double by[4];
    supi_turns_by(a, by);
    supi_quaternion_product(by, q, q);
    supi_turns_unit(q);
}

/* The vector b turned by the vector a (rad). */
static inline void supi_turns_vector(const double a[3], double b[3]) {
    double by[4], once[3], twice[3];
    supi_turns_by(a, by);
    supi_vector_cross(by, b, once);
    supi_vector_cross(by, once, twice);
    for (int k = 0; k < 3; k++) b[k] += 2.0 * (by[3] * once[k] + twice[k]);
}

/* The turn from one unit quaternion to another as a vector, the shorter way. */
static inline void supi_turns_between(const double from[4], const double to[4], double out[3]) {
    double back[4] = {-from[0], -from[1], -from[2], from[3]}, d[4];
    supi_quaternion_product(to, back, d);
    double sign = d[3] < 0.0 ? -1.0 : 1.0, t = supi_vector_dot(d, d), s;
    if (t < 0.25 * SUPI_TURNS_SMALL * SUPI_TURNS_SMALL) { /* 2 asin(n) / n, t = n^2 */
        s = 2.0 +
            t * (1.0 / 3 + t * (3.0 / 20 + t * (5.0 / 56 + t * (35.0 / 576 + t * (63.0 / 1408)))));
    } else {
        double n = sqrt(t);
        s = 2.0 * supi_atan2(n, sign * d[3]) / n;
    }
    for (int k = 0; k < 3; k++) out[k] = sign * s * d[k];
}

static inline void supi_turns_apply(const double r[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = supi_vector_dot(r + 3 * k, a);
}

static inline void supi_turns_apply_back(const double r[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = r[k] * a[0] + r[3 + k] * a[1] + r[6 + k] * a[2];
}

#endif
