/* Rotation extraction, eight matrices at a time: Newton on the quaternion with a Cayley update,
   from a warm start. For kernel files only. Each lane stops by its own data, so its result does not
   depend on its neighbours. */
#ifndef SUPPLE_GEOM_ROTATION_LANES_H
#define SUPPLE_GEOM_ROTATION_LANES_H

#include "base/simd.h"
#include "geom/rotation.h"

enum {
    ROTATION_STEPS_LEAST = 2, /* the second step takes the error of the first to rounding */
    ROTATION_STEPS_MOST = 6   /* lanes that need more start cold */
};

/* Matrix of a unit quaternion (x, y, z, w), row-major. */
F8_INLINE void lanes_quaternion_matrix(const supi_f8 q[4], supi_f8 r[9]) {
    supi_f8 one = f8_set(1.0f), two = f8_set(2.0f);
    supi_f8 x2 = f8_mul(two, q[0]), y2 = f8_mul(two, q[1]), z2 = f8_mul(two, q[2]);
    supi_f8 xx = f8_mul(x2, q[0]), yy = f8_mul(y2, q[1]), zz = f8_mul(z2, q[2]);
    supi_f8 xy = f8_mul(x2, q[1]), xz = f8_mul(x2, q[2]), yz = f8_mul(y2, q[2]);
    supi_f8 wx = f8_mul(x2, q[3]), wy = f8_mul(y2, q[3]), wz = f8_mul(z2, q[3]);
    r[0] = f8_sub(one, f8_add(yy, zz));
    r[1] = f8_sub(xy, wz);
    r[2] = f8_add(xz, wy);
    r[3] = f8_add(xy, wz);
    r[4] = f8_sub(one, f8_add(xx, zz));
    r[5] = f8_sub(yz, wx);
    r[6] = f8_sub(xz, wy);
    r[7] = f8_add(yz, wx);
    r[8] = f8_sub(one, f8_add(xx, yy));
}

/* Unit quaternion along a (x) b. */
F8_INLINE void lanes_quaternion_product(const supi_f8 a[4], const supi_f8 b[4], supi_f8 out[4]) {
    supi_f8 x = f8_add(f8_madd(a[3], b[0], f8_mul(a[0], b[3])),
                       f8_sub(f8_mul(a[1], b[2]), f8_mul(a[2], b[1])));
    supi_f8 y = f8_add(f8_madd(a[3], b[1], f8_mul(a[1], b[3])),
                       f8_sub(f8_mul(a[2], b[0]), f8_mul(a[0], b[2])));
    supi_f8 z = f8_add(f8_madd(a[3], b[2], f8_mul(a[2], b[3])),
                       f8_sub(f8_mul(a[0], b[1]), f8_mul(a[1], b[0])));
    supi_f8 w = f8_sub(f8_sub(f8_mul(a[3], b[3]), f8_mul(a[0], b[0])),
                       f8_madd(a[1], b[1], f8_mul(a[2], b[2])));
    supi_f8 squared = f8_add(f8_madd(x, x, f8_mul(y, y)), f8_madd(z, z, f8_mul(w, w)));
    supi_f8 scale = f8_div(f8_set(1.0f), f8_sqrt(squared));
    out[0] = f8_mul(x, scale);
    out[1] = f8_mul(y, scale);
    out[2] = f8_mul(z, scale);
    out[3] = f8_mul(w, scale);
}

/* One Newton step w (body frame) at rotation r; *certain: where the Hessian was positive definite.
 */
F8_INLINE void rotation_newton_step(const supi_f8 b[9], const supi_f8 r[9], supi_f8 norm,
                                    supi_f8 w[3], supi_m8* certain) {
    supi_f8 zero = f8_set(0.0f), half = f8_set(0.5f), tiny = f8_set(1e-30f);
    supi_f8 c[9]; /* R^T B */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] =
                f8_madd(r[i], b[j], f8_madd(r[3 + i], b[3 + j], f8_mul(r[6 + i], b[6 + j])));
        }
    }
    supi_f8 g0 = f8_sub(c[7], c[5]), g1 = f8_sub(c[2], c[6]), g2 = f8_sub(c[3], c[1]);
    supi_f8 trace = f8_add(f8_add(c[0], c[4]), c[8]);
    supi_f8 bound =
        f8_madd(f8_set(1e-4f), norm, tiny); /* bounds the twist noise of rank-1 matrices */
    supi_f8 base = f8_add(trace, bound);
    supi_f8 h00 = f8_sub(base, c[0]), h11 = f8_sub(base, c[4]), h22 = f8_sub(base, c[8]);
    supi_f8 minus = f8_set(-0.5f);
    supi_f8 h01 = f8_mul(minus, f8_add(c[1], c[3])), h02 = f8_mul(minus, f8_add(c[2], c[6])),
            h12 = f8_mul(minus, f8_add(c[5], c[7]));
    supi_f8 a00 = f8_sub(f8_mul(h11, h22), f8_mul(h12, h12));
    supi_f8 a01 = f8_sub(f8_mul(h02, h12), f8_mul(h01, h22));
    supi_f8 a02 = f8_sub(f8_mul(h01, h12), f8_mul(h02, h11));
    supi_f8 a11 = f8_sub(f8_mul(h00, h22), f8_mul(h02, h02));
    supi_f8 a12 = f8_sub(f8_mul(h01, h02), f8_mul(h00, h12));
    supi_f8 a22 = f8_sub(f8_mul(h00, h11), f8_mul(h01, h01));
    supi_f8 det = f8_madd(h00, a00, f8_madd(h01, a01, f8_mul(h02, a02)));
    supi_f8 least = f8_mul(f8_set(1e-10f), f8_mul(norm, f8_mul(norm, norm)));
    *certain = m8_and(f8_less(zero, h00), m8_and(f8_less(zero, a22), f8_less(least, det)));
    supi_f8 scale = f8_div(f8_set(1.0f), f8_select(*certain, det, f8_set(1.0f)));
    supi_f8 careful = f8_div(f8_set(1.0f), f8_add(f8_madd(half, norm, tiny), f8_abs(trace)));
    w[0] = f8_select(*certain, f8_mul(f8_madd(a00, g0, f8_madd(a01, g1, f8_mul(a02, g2))), scale),
                     f8_mul(g0, careful));
    w[1] = f8_select(*certain, f8_mul(f8_madd(a01, g0, f8_madd(a11, g1, f8_mul(a12, g2))), scale),
                     f8_mul(g1, careful));
    w[2] = f8_select(*certain, f8_mul(f8_madd(a02, g0, f8_madd(a12, g1, f8_mul(a22, g2))), scale),
                     f8_mul(g2, careful));
}

/* Lanes that Newton did not settle: each alone, in double. */
F8_INLINE void rotation_cold_lanes(int lanes, const supi_f8 b[9], supi_f8 q[4]) {
    float bs[9][8], qs[4][8];
    for (int i = 0; i < 9; i++) f8_store(bs[i], b[i]);
    for (int i = 0; i < 4; i++) f8_store(qs[i], q[i]);
    for (int lane = 0; lane < 8; lane++) {
        if (!(lanes >> lane & 1)) continue;
        float one[9], turn[4];
        for (int i = 0; i < 9; i++) one[i] = bs[i][lane];
        for (int i = 0; i < 4; i++) turn[i] = qs[i][lane];
        supi_rotation_cold(one, turn);
        for (int i = 0; i < 4; i++) qs[i][lane] = turn[i];
    }
    for (int i = 0; i < 4; i++) q[i] = f8_load(qs[i]);
}

/* Turns q to the rotation part of b. Lanes with b = 0 (largest entry below 1e-37) or not finite
 * keep their q. */
F8_INLINE void rotation_extract(const supi_f8 matrix[9], supi_f8 q[4], int32_t iterations[8]) {
    supi_f8 zero = f8_set(0.0f);
    supi_f8 largest = f8_abs(matrix[0]);
    for (int i = 1; i < 9; i++) largest = f8_max(f8_abs(matrix[i]), largest);
    /* The sum finds NaN and infinity wherever they stand; the largest alone would lose a NaN. */
    supi_f8 sum = f8_abs(matrix[0]);
    for (int i = 1; i < 9; i++) sum = f8_add(sum, f8_abs(matrix[i]));
    supi_m8 live = m8_and(f8_less(f8_set(1e-37f), largest), f8_less(sum, f8_set(3e38f)));
    supi_f8 scale = f8_div(f8_set(1.0f), f8_select(live, largest, f8_set(1.0f)));
    supi_f8 b[9], squared = zero;
    for (int i = 0; i < 9; i++) {
        b[i] = f8_select(live, f8_mul(matrix[i], scale), zero);
        squared = f8_madd(b[i], b[i], squared);
    }
    supi_f8 norm = f8_sqrt(squared);

    supi_m8 moving = live;
    for (int step = 0; step < ROTATION_STEPS_MOST && m8_bits(moving) != 0; step++) {
        supi_f8 r[9], w[3], next[4];
        supi_m8 certain;
        lanes_quaternion_matrix(q, r);
        rotation_newton_step(b, r, norm, w, &certain);
        supi_f8 angle2 = f8_madd(w[0], w[0], f8_madd(w[1], w[1], f8_mul(w[2], w[2])));
        /* No step beyond 2 rad. */
        supi_f8 half = f8_set(0.5f);
        supi_m8 wild = f8_less(f8_set(4.0f), angle2);
        if (m8_bits(wild)) {
            half = f8_select(
                wild, f8_div(f8_set(1.0f), f8_sqrt(f8_select(wild, angle2, f8_set(4.0f)))), half);
        }
        supi_f8 turn[4] = {f8_mul(w[0], half), f8_mul(w[1], half), f8_mul(w[2], half),
                           f8_set(1.0f)};
        lanes_quaternion_product(q, turn, next);
        for (int i = 0; i < 4; i++) q[i] = f8_select(moving, next[i], q[i]);
        if (iterations) {
            int bits = m8_bits(moving);
            for (int lane = 0; lane < 8; lane++) iterations[lane] += bits >> lane & 1;
        }
        if (step + 1 >= ROTATION_STEPS_LEAST) {
            supi_m8 done = m8_and(certain, f8_less(angle2, f8_set(1e-6f)));
            moving = f8_select(done, zero, moving);
        }
    }
    /* Not settled: a saddle was near, or the Hessian too flat for a step to be trusted. */
    int cold = m8_bits(moving);
    if (cold) rotation_cold_lanes(cold, b, q);
}

#endif
