/* Rotations in float: unit quaternions (x, y, z, w) and the vectors, rad, that turn them. */
#ifndef SUPPLE_GEOM_TURN_H
#define SUPPLE_GEOM_TURN_H

#include "base/real.h"
#include "supple/types.h"

#include <math.h>

/* a b: turns by b, then by a. */
static inline sup_quat supi_turn_product(sup_quat a, sup_quat b) {
    return (sup_quat){a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y),
                      a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
                      a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x),
                      a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}

/* The turn about `angle` by its length. Series are exact to the last place up to a quarter turn;
   none is too small to count. */
static inline sup_quat supi_turn_exp(sup_vec3 angle) {
    float s = angle.x * angle.x + angle.y * angle.y + angle.z * angle.z, sine, cosine;
    if (s < 2.5f) {
        sine = 0.5f - s * (1.0f / 48 - s * (1.0f / 3840 - s * (1.0f / 645120)));
        cosine = 1 - s * (1.0f / 8 - s * (1.0f / 384 - s * (1.0f / 46080 - s * (1.0f / 10321920))));
    } else {
        float length = sqrtf(s);
        sine = supi_sinf(0.5f * length) / length;
        cosine = supi_cosf(0.5f * length);
    }
    return (sup_quat){sine * angle.x, sine * angle.y, sine * angle.z, cosine};
}

static inline sup_quat supi_turn_unit(sup_quat q) {
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (sup_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* q turned by `angle`, about axes that do not turn; unit again. */
static inline sup_quat supi_turn_by(sup_quat q, sup_vec3 angle) {
    return supi_turn_unit(supi_turn_product(supi_turn_exp(angle), q));
}

/* Where the axes x, y and z go. */
static inline void supi_turn_axes(sup_quat q, float axes[3][3]) {
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    axes[0][0] = 1 - 2 * (yy + zz);
    axes[0][1] = 2 * (q.x * q.y + q.w * q.z);
    axes[0][2] = 2 * (q.x * q.z - q.w * q.y);
    axes[1][0] = 2 * (q.x * q.y - q.w * q.z);
    axes[1][1] = 1 - 2 * (xx + zz);
    axes[1][2] = 2 * (q.y * q.z + q.w * q.x);
    axes[2][0] = 2 * (q.x * q.z + q.w * q.y);
    axes[2][1] = 2 * (q.y * q.z - q.w * q.x);
    axes[2][2] = 1 - 2 * (xx + yy);
}

#endif
