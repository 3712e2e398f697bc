/* Rotations by quaternions (x, y, z, w). */
#ifndef SUPPLE_GEOM_QUATERNION_H
#define SUPPLE_GEOM_QUATERNION_H

#include "supple/types.h"

/* Row-major matrix of a quaternion of any length but 0. */
static inline void supi_quaternion_matrix(const double q[4], double m[9]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    m[0] = 1 - s * (y * y + z * z);
    m[1] = s * (x * y - w * z);
    m[2] = s * (x * z + w * y);
    m[3] = s * (x * y + w * z);
    m[4] = 1 - s * (x * x + z * z);
    m[5] = s * (y * z - w * x);
    m[6] = s * (x * z - w * y);
    m[7] = s * (y * z + w * x);
    m[8] = 1 - s * (x * x + y * y);
}

/* a b: turns by b, then by a. */
static inline void supi_quaternion_product(const double a[4], const double b[4], double out[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

/* p turned by a unit quaternion. */
static inline sup_vec3 supi_quaternion_turn(const sup_quat* q, sup_vec3 p) {
    sup_vec3 t = {2 * (q->y * p.z - q->z * p.y), 2 * (q->z * p.x - q->x * p.z),
                  2 * (q->x * p.y - q->y * p.x)};
    return (sup_vec3){p.x + q->w * t.x + (q->y * t.z - q->z * t.y),
                      p.y + q->w * t.y + (q->z * t.x - q->x * t.z),
                      p.z + q->w * t.z + (q->x * t.y - q->y * t.x)};
}

/* A quaternion of any length but 0, made unit. */
void supi_quaternion_unit(const double q[4], double out[4]);

/* The rotation at `share` (0..1) of the shorter way between two quaternions of any length but 0, at
   even speed; unit. */
void supi_quaternion_between(const double from[4], const double to[4], double share, double out[4]);

#endif
