/* Three floats as a vector: what drawing computes with. */
#ifndef SUPPLE_TOOL_RENDER_VEC_H
#define SUPPLE_TOOL_RENDER_VEC_H

#include "supple/types.h"

#include <math.h>

static inline sup_vec3 vec_add(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sup_vec3 vec_subtract(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sup_vec3 vec_scale(sup_vec3 a, float s) {
    return (sup_vec3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline sup_vec3 vec_along(sup_vec3 a, sup_vec3 b, float s) {
    return (sup_vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

/* By components: colours. */
static inline sup_vec3 vec_multiply(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline sup_vec3 vec_mix(sup_vec3 a, sup_vec3 b, float share) {
    return vec_along(a, vec_subtract(b, a), share);
}

static inline float vec_dot(sup_vec3 a, sup_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline sup_vec3 vec_cross(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec_length(sup_vec3 a) { return sqrtf(vec_dot(a, a)); }

/* A vector of no length becomes `otherwise`. */
static inline sup_vec3 vec_unit_or(sup_vec3 a, sup_vec3 otherwise) {
    float length = vec_length(a);
    return length > 0.0f ? vec_scale(a, 1.0f / length) : otherwise;
}

static inline sup_vec3 vec_unit(sup_vec3 a) { return vec_unit_or(a, (sup_vec3){0, 1, 0}); }

/* Two unit vectors across a unit vector (Duff et al. 2017). */
static inline void vec_frame(sup_vec3 n, sup_vec3* across, sup_vec3* other) {
    float sign = n.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *across = (sup_vec3){1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *other = (sup_vec3){b, sign + n.y * n.y * a, -n.y};
}

static inline float clamp01(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

#endif
