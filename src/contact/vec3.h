/* Three floats as a vector. */
#ifndef SUPPLE_CONTACT_VEC3_H
#define SUPPLE_CONTACT_VEC3_H

#include "supple/types.h"

static inline sup_vec3 supi_vec3_from(const float a[3]) { return (sup_vec3){a[0], a[1], a[2]}; }

static inline sup_vec3 supi_vec3_of_row(const sup_row* row) {
    return (sup_vec3){row->x, row->y, row->z};
}

static inline sup_vec3 supi_vec3_minus(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + s b */
static inline sup_vec3 supi_vec3_along(sup_vec3 a, float s, sup_vec3 b) {
    return (sup_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline sup_vec3 supi_vec3_scaled(sup_vec3 a, float s) {
    return (sup_vec3){a.x * s, a.y * s, a.z * s};
}

static inline float supi_vec3_dot(sup_vec3 a, sup_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sup_vec3 supi_vec3_cross(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
