/* Eight vectors and rotations at a time, with the bits that contact/vec3.h and geom/turn.h give. */
#ifndef SUPPLE_GEOM_VEC8_H
#define SUPPLE_GEOM_VEC8_H

#include "base/simd.h"

typedef struct vec8 {
    supi_f8 x, y, z;
} vec8;

typedef struct quat8 {
    supi_f8 x, y, z, w;
} quat8;

F8_INLINE supi_f8 dot8(vec8 a, vec8 b) {
    return f8_add(f8_add(f8_mul(a.x, b.x), f8_mul(a.y, b.y)), f8_mul(a.z, b.z));
}

F8_INLINE vec8 plus8(vec8 a, vec8 b) {
    return (vec8){f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
}

F8_INLINE vec8 minus8(vec8 a, vec8 b) {
    return (vec8){f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
}

F8_INLINE vec8 scaled8(vec8 a, supi_f8 s) {
    return (vec8){f8_mul(a.x, s), f8_mul(a.y, s), f8_mul(a.z, s)};
}

/* a + s b */
F8_INLINE vec8 along8(vec8 a, supi_f8 s, vec8 b) {
    return (vec8){f8_madd(s, b.x, a.x), f8_madd(s, b.y, a.y), f8_madd(s, b.z, a.z)};
}

F8_INLINE vec8 set8(const float from[3]) {
    return (vec8){f8_set(from[0]), f8_set(from[1]), f8_set(from[2])};
}

F8_INLINE vec8 load8(const float from[3][8]) {
    return (vec8){f8_load(from[0]), f8_load(from[1]), f8_load(from[2])};
}

F8_INLINE void store8(float to[3][8], vec8 a) {
    f8_store(to[0], a.x);
    f8_store(to[1], a.y);
    f8_store(to[2], a.z);
}

/* The rows at eight places as columns, in the order of the places. */
F8_INLINE quat8 gather8(const sup_row* base, const int32_t at[8]) {
    supi_rows8 rows;
    quat8 q;
    for (int k = 0; k < 4; k++) rows.r[k] = pair_load(base + at[k], base + at[k + 4]);
    rows8_to_lanes(rows, &q.x, &q.y, &q.z, &q.w);
    return q;
}

F8_INLINE vec8 vector8(quat8 row) { return (vec8){row.x, row.y, row.z}; }

/* a b: turns by b, then by a. */
F8_INLINE quat8 product8(quat8 a, quat8 b) {
    return (quat8){f8_add(f8_add(f8_mul(a.w, b.x), f8_mul(a.x, b.w)),
                          f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y))),
                   f8_add(f8_add(f8_mul(a.w, b.y), f8_mul(a.y, b.w)),
                          f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z))),
                   f8_add(f8_add(f8_mul(a.w, b.z), f8_mul(a.z, b.w)),
                          f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))),
                   f8_sub(f8_mul(a.w, b.w), dot8(vector8(a), vector8(b)))};
}

/* Where the axes x, y and z go. */
F8_INLINE void axes8(quat8 q, vec8 axes[3]) {
    supi_f8 one = f8_set(1.0f), two = f8_set(2.0f);
    supi_f8 xx = f8_mul(q.x, q.x), yy = f8_mul(q.y, q.y), zz = f8_mul(q.z, q.z);
    supi_f8 xy = f8_mul(q.x, q.y), xz = f8_mul(q.x, q.z), yz = f8_mul(q.y, q.z);
    supi_f8 wx = f8_mul(q.w, q.x), wy = f8_mul(q.w, q.y), wz = f8_mul(q.w, q.z);
    axes[0] = (vec8){f8_sub(one, f8_mul(two, f8_add(yy, zz))), f8_mul(two, f8_add(xy, wz)),
                     f8_mul(two, f8_sub(xz, wy))};
    axes[1] = (vec8){f8_mul(two, f8_sub(xy, wz)), f8_sub(one, f8_mul(two, f8_add(xx, zz))),
                     f8_mul(two, f8_add(yz, wx))};
    axes[2] = (vec8){f8_mul(two, f8_add(xz, wy)), f8_mul(two, f8_sub(yz, wx)),
                     f8_sub(one, f8_mul(two, f8_add(xx, yy)))};
}

#endif
