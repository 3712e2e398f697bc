/* Eight clusters at a time: centre, rigid motion and rotation from their sums. */
#include "geom/rotation_lanes.h"
#include "solve/cluster.h"

void SUPI_KERNEL(supi_match)(supi_match8* batch);
void SUPI_KERNEL(supi_rotate)(float b[9][8], float q[4][8], int32_t iterations[8]);

F8_INLINE void load_lanes(int count, float from[][8], supi_f8* to) {
    for (int i = 0; i < count; i++) to[i] = f8_load(from[i]);
}
F8_INLINE void store_lanes(int count, const supi_f8* from, float to[][8]) {
    for (int i = 0; i < count; i++) f8_store(to[i], from[i]);
}
F8_INLINE void cross(const supi_f8 a[3], const supi_f8 b[3], supi_f8 out[3]) {
    out[0] = f8_sub(f8_mul(a[1], b[2]), f8_mul(a[2], b[1]));
    out[1] = f8_sub(f8_mul(a[2], b[0]), f8_mul(a[0], b[2]));
    out[2] = f8_sub(f8_mul(a[0], b[1]), f8_mul(a[1], b[0]));
}

/* Solves inertia * spin = momentum by LDL^T: an adjugate would be wrong by percents for thin
   clusters in float, and feeds back. `i` is xx yy zz xy yz zx. */
F8_INLINE void solve_inertia(const supi_f8 i[6], const supi_f8 momentum[3], supi_f8 spin[3]) {
    supi_f8 d0 = i[0];
    supi_f8 l10 = f8_div(i[3], d0), l20 = f8_div(i[5], d0);
    supi_f8 d1 = f8_sub(i[1], f8_mul(l10, i[3]));
    supi_f8 m21 = f8_sub(i[4], f8_mul(l20, i[3]));
    supi_f8 l21 = f8_div(m21, d1);
    supi_f8 d2 = f8_sub(f8_sub(i[2], f8_mul(l20, i[5])), f8_mul(l21, m21));
    supi_f8 y0 = momentum[0];
    supi_f8 y1 = f8_sub(momentum[1], f8_mul(l10, y0));
    supi_f8 y2 = f8_sub(f8_sub(momentum[2], f8_mul(l20, y0)), f8_mul(l21, y1));
    spin[2] = f8_div(y2, d2);
    spin[1] = f8_sub(f8_div(y1, d1), f8_mul(l21, spin[2]));
    spin[0] = f8_sub(f8_sub(f8_div(y0, d0), f8_mul(l10, spin[1])), f8_mul(l20, spin[2]));
}

/* The rigid motion that carries the linear and angular momentum of the members. */
F8_INLINE void rigid_motion(supi_match8* batch, supi_f8 weight, supi_f8 inverse,
                            const supi_f8 offset[3], supi_f8 velocity[3], supi_f8 spin[3]) {
    supi_f8 momentum[3], angular[3], spread[6], carried[3];
    load_lanes(3, batch->sums + SUPI_SUM_MOMENTUM, momentum);
    load_lanes(3, batch->sums + SUPI_SUM_SPIN, angular);
    load_lanes(6, batch->sums + SUPI_SUM_SPREAD, spread);
    for (int k = 0; k < 3; k++) velocity[k] = f8_mul(momentum[k], inverse);

    /* From the reference point to the centre. */
    cross(offset, velocity, carried);
    for (int k = 0; k < 3; k++) {
        angular[k] = f8_sub(angular[k], f8_mul(weight, carried[k]));
        supi_f8 square = f8_mul(offset[k], offset[k]);
        supi_f8 product = f8_mul(offset[k], offset[(k + 1) % 3]);
        spread[k] = f8_sub(spread[k], f8_mul(weight, square));
        spread[3 + k] = f8_sub(spread[3 + k], f8_mul(weight, product));
    }
    supi_f8 zero = f8_set(0.0f);
    supi_f8 sum = f8_add(f8_add(spread[0], spread[1]), spread[2]);
    supi_f8 inertia[6];
    for (int k = 0; k < 3; k++) {
        inertia[k] = f8_sub(sum, spread[k]);
        inertia[3 + k] = f8_sub(zero, spread[3 + k]);
    }
    supi_f8 trace = f8_add(f8_add(inertia[0], inertia[1]), inertia[2]);
    supi_m8 spins = f8_less(f8_load(batch->inertia_floor), trace);

    /* Thickness in units of the trace: the cube of a small body's inertia would underflow. */
    supi_f8 unit = f8_div(f8_set(1.0f), f8_select(spins, trace, f8_set(1.0f)));
    supi_f8 n[6];
    for (int k = 0; k < 6; k++) n[k] = f8_mul(inertia[k], unit);
    supi_f8 m0 = f8_sub(f8_mul(n[1], n[2]), f8_mul(n[4], n[4]));
    supi_f8 m1 = f8_sub(f8_mul(n[4], n[5]), f8_mul(n[3], n[2]));
    supi_f8 m2 = f8_sub(f8_mul(n[3], n[4]), f8_mul(n[1], n[5]));
    supi_f8 det = f8_madd(n[0], m0, f8_madd(n[3], m1, f8_mul(n[5], m2)));

    /* Clusters on a line cannot tell a spin about it: a small shift decides for none. The others
       stay unshifted, or every step would cost a little angular momentum. */
    supi_f8 small = f8_set(1e-5f);
    supi_f8 shift = f8_select(f8_less(det, small), f8_mul(small, trace), zero);
    for (int k = 0; k < 3; k++) {
        inertia[k] = f8_select(spins, f8_add(inertia[k], shift), f8_set(1.0f));
        inertia[3 + k] = f8_select(spins, inertia[3 + k], zero);
    }
    solve_inertia(inertia, angular, spin);
    for (int k = 0; k < 3; k++) spin[k] = f8_select(spins, spin[k], zero);
}

void SUPI_KERNEL(supi_match)(supi_match8* batch) {
    supi_f8 weight = f8_load(batch->weight), inverse = f8_div(f8_set(1.0f), weight);
    supi_f8 offset[3], apq[9], q[4], residue[3], r[9];
    load_lanes(3, batch->sums + SUPI_SUM_OFFSET, offset);
    load_lanes(9, batch->sums + SUPI_SUM_APQ, apq);
    load_lanes(4, batch->rotation, q);
    load_lanes(3, batch->residue, residue);
    for (int k = 0; k < 3; k++) offset[k] = f8_mul(offset[k], inverse);

    if (batch->damped) {
        supi_f8 velocity[3], spin[3], ahead[4];
        rigid_motion(batch, weight, inverse, offset, velocity, spin);
        store_lanes(3, velocity, batch->velocity);
        store_lanes(3, spin, batch->spin);
        /* Turn the warm start ahead by the spin: a rotation that lags brakes the body. */
        supi_f8 half = f8_set(0.5f * batch->h);
        supi_f8 turn[4] = {f8_mul(half, spin[0]), f8_mul(half, spin[1]), f8_mul(half, spin[2]),
                           f8_set(1.0f)};
        lanes_quaternion_product(turn, q, ahead);
        for (int k = 0; k < 4; k++) q[k] = ahead[k];
    }
    rotation_extract(apq, q, NULL);
    lanes_quaternion_matrix(q, r);
    store_lanes(4, q, batch->rotation);
    store_lanes(9, r, batch->matrix);
    store_lanes(3, offset, batch->offset);
    for (int k = 0; k < 3; k++) {
        supi_f8 turned =
            f8_madd(r[3 * k], residue[0],
                    f8_madd(r[3 * k + 1], residue[1], f8_mul(r[3 * k + 2], residue[2])));
        f8_store(batch->shift[k], f8_sub(offset[k], turned));
    }
}

void SUPI_KERNEL(supi_rotate)(float b[9][8], float q[4][8], int32_t iterations[8]) {
    supi_f8 matrix[9], turn[4];
    load_lanes(9, b, matrix);
    load_lanes(4, q, turn);
    for (int lane = 0; lane < 8; lane++) iterations[lane] = 0;
    rotation_extract(matrix, turn, iterations);
    store_lanes(4, turn, q);
}
