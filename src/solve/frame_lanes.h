/* Rotations of eight rows at a time. For kernel files only. */
#ifndef SUPPLE_SOLVE_FRAME_LANES_H
#define SUPPLE_SOLVE_FRAME_LANES_H

#include "geom/rotation_lanes.h"
#include "solve/frame_kernels.h"
#include "solve/member_lanes.h"

typedef struct lanes4 {
    supi_f8 x, y, z, w;
} lanes4;

F8_INLINE lanes3 lanes3_zero(void) {
    lanes3 a = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    return a;
}
F8_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b) {
    lanes3 c = {f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
    return c;
}
F8_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b) {
    lanes3 c = {f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
    return c;
}
F8_INLINE lanes3 lanes3_scale(supi_f8 s, lanes3 a) {
    lanes3 c = {f8_mul(s, a.x), f8_mul(s, a.y), f8_mul(s, a.z)};
    return c;
}
/* s a + b */
F8_INLINE lanes3 lanes3_madd(supi_f8 s, lanes3 a, lanes3 b) {
    lanes3 c = {f8_madd(s, a.x, b.x), f8_madd(s, a.y, b.y), f8_madd(s, a.z, b.z)};
    return c;
}
F8_INLINE supi_f8 lanes3_dot(lanes3 a, lanes3 b) {
    return f8_madd(a.x, b.x, f8_madd(a.y, b.y, f8_mul(a.z, b.z)));
}
F8_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    lanes3 c = {f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y)),
                f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z)),
                f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))};
    return c;
}
F8_INLINE lanes3 lanes3_select(supi_m8 m, lanes3 yes, lanes3 no) {
    lanes3 c = {f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z)};
    return c;
}

/* ---- Rows ---- */

F8_INLINE lanes4 lanes4_of(supi_rows8 rows) {
    lanes4 a;
    rows8_to_lanes(rows, &a.x, &a.y, &a.z, &a.w);
    return a;
}
F8_INLINE lanes4 lanes4_load(const sup_row* rows) { return lanes4_of(rows8_load(rows)); }
F8_INLINE lanes4 lanes4_gather(const sup_row* rows, const int32_t* at) {
    return lanes4_of(rows8_gather(rows, at));
}
F8_INLINE supi_rows8 lanes4_rows(lanes4 a) { return rows8_from_lanes(a.x, a.y, a.z, a.w); }
F8_INLINE void lanes4_store(sup_row* rows, lanes4 a) { rows8_store(rows, lanes4_rows(a)); }
F8_INLINE lanes3 lanes3_of(lanes4 a) {
    lanes3 b = {a.x, a.y, a.z};
    return b;
}
F8_INLINE lanes4 lanes4_with(lanes3 a, supi_f8 w) {
    lanes4 b = {a.x, a.y, a.z, w};
    return b;
}
F8_INLINE lanes4 lanes4_select(supi_m8 m, lanes4 yes, lanes4 no) {
    lanes4 c = {f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z),
                f8_select(m, yes.w, no.w)};
    return c;
}
/* Adds to eight rows in order, or at eight places. */
F8_INLINE void rows8_add(sup_row* p, supi_rows8 a) {
    supi_rows8 b = rows8_load(p);
    for (int k = 0; k < 4; k++) b.r[k] = f8_add(b.r[k], a.r[k]);
    rows8_store(p, b);
}
F8_INLINE void rows8_add_at(sup_row* p, const int32_t* at, supi_rows8 a) {
    supi_rows8 b = rows8_gather(p, at);
    for (int k = 0; k < 4; k++) b.r[k] = f8_add(b.r[k], a.r[k]);
    rows8_scatter(p, at, b);
}

/* ---- Rotations ---- */

F8_INLINE lanes4 lanes4_conjugate(lanes4 q) {
    supi_f8 zero = f8_set(0.0f);
    lanes4 c = {f8_sub(zero, q.x), f8_sub(zero, q.y), f8_sub(zero, q.z), q.w};
    return c;
}
/* Of unit quaternions: along a b, unit. */
F8_INLINE lanes4 lanes4_product(lanes4 a, lanes4 b) {
    supi_f8 p[4] = {a.x, a.y, a.z, a.w}, q[4] = {b.x, b.y, b.z, b.w}, r[4];
    lanes_quaternion_product(p, q, r);
    lanes4 c = {r[0], r[1], r[2], r[3]};
    return c;
}
F8_INLINE void lanes4_matrix(lanes4 q, supi_f8 r[9]) {
    supi_f8 p[4] = {q.x, q.y, q.z, q.w};
    lanes_quaternion_matrix(p, r);
}
F8_INLINE lanes3 lanes3_turn(const supi_f8 r[9], lanes3 a) {
    lanes3 row[3] = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}};
    lanes3 c = {lanes3_dot(row[0], a), lanes3_dot(row[1], a), lanes3_dot(row[2], a)};
    return c;
}
F8_INLINE lanes3 lanes3_turn_back(const supi_f8 r[9], lanes3 a) {
    lanes3 row[3] = {{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}};
    lanes3 c = {lanes3_dot(row[0], a), lanes3_dot(row[1], a), lanes3_dot(row[2], a)};
    return c;
}
/* By a unit quaternion. */
F8_INLINE lanes3 lanes3_turn_by(lanes4 q, lanes3 a) {
    lanes3 u = lanes3_of(q), t = lanes3_cross(u, a);
    t = lanes3_add(t, t);
    return lanes3_add(lanes3_madd(q.w, t, a), lanes3_cross(u, t));
}
/* Symmetric matrix xx yy zz yz zx xy times a vector. */
F8_INLINE lanes3 lanes3_symmetric(const supi_f8 m[6], lanes3 a) {
    lanes3 row[3] = {{m[0], m[5], m[4]}, {m[5], m[1], m[3]}, {m[4], m[3], m[2]}};
    lanes3 c = {lanes3_dot(row[0], a), lanes3_dot(row[1], a), lanes3_dot(row[2], a)};
    return c;
}
/* R m R^T a */
F8_INLINE lanes3 lanes3_turned_symmetric(const supi_f8 r[9], const supi_f8 m[6], lanes3 a) {
    return lanes3_turn(r, lanes3_symmetric(m, lanes3_turn_back(r, a)));
}

/* The turn by the vector a (rad, at most pi; longer ones are cut to it). sin and cos of the half
   angle by their series, within 1e-7. */
F8_INLINE lanes4 lanes4_exp(lanes3 a) {
    supi_f8 most = f8_set(9.8696044f), one = f8_set(1.0f);
    supi_f8 square = lanes3_dot(a, a);
    supi_m8 far = f8_less(most, square);
    if (m8_bits(far)) {
        supi_f8 cut = f8_sqrt(f8_div(most, f8_select(far, square, most)));
        a = lanes3_select(far, lanes3_scale(cut, a), a);
        square = f8_select(far, most, square);
    }
    supi_f8 t = f8_mul(f8_set(0.25f), square); /* of half the angle */
    supi_f8 s = f8_madd(t, f8_set(-2.5052108e-8f), f8_set(2.7557319e-6f));
    s = f8_madd(t, s, f8_set(-1.9841270e-4f));
    s = f8_madd(t, s, f8_set(8.3333333e-3f));
    s = f8_madd(t, s, f8_set(-1.6666667e-1f));
    s = f8_madd(t, s, one);
    supi_f8 c = f8_madd(t, f8_set(2.0876757e-9f), f8_set(-2.7557319e-7f));
    c = f8_madd(t, c, f8_set(2.4801587e-5f));
    c = f8_madd(t, c, f8_set(-1.3888889e-3f));
    c = f8_madd(t, c, f8_set(4.1666667e-2f));
    c = f8_madd(t, c, f8_set(-0.5f));
    c = f8_madd(t, c, one);
    return lanes4_with(lanes3_scale(f8_mul(f8_set(0.5f), s), a), c);
}
/* exp(a) q */
F8_INLINE lanes4 lanes4_turned(lanes4 q, lanes3 a) { return lanes4_product(lanes4_exp(a), q); }

/* 4 atan(t), t from 0 to 1, over t (1 + w): within 2e-7. */
F8_INLINE supi_f8 lanes_log_factor(supi_f8 squared, supi_f8 w) {
    supi_f8 one = f8_set(1.0f), scale = f8_div(one, f8_add(one, w));
    supi_f8 t = f8_mul(squared, f8_mul(scale, scale)); /* tan^2 of a quarter of the angle */
    supi_f8 p = f8_madd(t, f8_set(0.0028662257f), f8_set(-0.0161657367f));
    p = f8_madd(t, p, f8_set(0.0429096138f));
    p = f8_madd(t, p, f8_set(-0.0752896400f));
    p = f8_madd(t, p, f8_set(0.1065626393f));
    p = f8_madd(t, p, f8_set(-0.1420889944f));
    p = f8_madd(t, p, f8_set(0.1999355085f));
    p = f8_madd(t, p, f8_set(-0.3333314528f));
    p = f8_madd(t, p, one);
    return f8_mul(f8_mul(f8_set(4.0f), scale), p);
}
/* a / sin(a / 2) by u = 1 - cos(a / 2), a from 0 to pi: within 3e-7. */
F8_INLINE supi_f8 lanes_arc_factor(supi_f8 u) {
    supi_f8 p = f8_madd(u, f8_set(0.0254465844f), f8_set(-0.0485120378f));
    p = f8_madd(u, p, f8_set(0.0643852502f));
    p = f8_madd(u, p, f8_set(-0.0047472203f));
    p = f8_madd(u, p, f8_set(0.0583313927f));
    p = f8_madd(u, p, f8_set(0.1133075133f));
    p = f8_madd(u, p, f8_set(0.2667141557f));
    p = f8_madd(u, p, f8_set(0.6666662693f));
    return f8_madd(u, p, f8_set(2.0f));
}
/* The turn from `from` to `to` as a vector, the shorter way, at most pi. */
F8_INLINE lanes3 lanes4_between(lanes4 from, lanes4 to) {
    lanes3 u = lanes3_of(to), v = lanes3_of(from);
    lanes3 d =
        lanes3_sub(lanes3_sub(lanes3_scale(from.w, u), lanes3_scale(to.w, v)), lanes3_cross(u, v));
    supi_f8 w = f8_madd(to.w, from.w, lanes3_dot(u, v)), zero = f8_set(0.0f);
    supi_f8 factor = lanes_log_factor(lanes3_dot(d, d), f8_abs(w));
    return lanes3_scale(f8_select(f8_less(w, zero), f8_sub(zero, factor), factor), d);
}

/* Rows that constraints move: those that are not pinned. */
F8_INLINE supi_m8 lanes_free(supi_f8 inverse_mass, supi_f8 follows) {
    return f8_less(f8_set(0.0f), f8_add(inverse_mass, follows));
}

/* What the files of these kernels have of each other. */
void SUPI_KERNEL(supi_frame_links)(const supi_frame_link8* links, int32_t count,
                                   const supi_frame_drive* drive, const sup_vec3* place,
                                   const supi_frame_rows* rows);
void SUPI_KERNEL(supi_frame_twist)(const supi_frame_twist8* twists, int32_t count,
                                   const supi_frame_drive* drive, const supi_frame_rows8* rest,
                                   float slerp, const supi_frame_rows* rows, sup_row* moments);
void SUPI_KERNEL(supi_frame_match)(const supi_frame_batch* batches, int32_t count,
                                   const supi_frame_column* columns, const supi_frame_drive* drive,
                                   const float* s, const supi_frame_rows* rows, sup_row* turn,
                                   sup_row* origin, sup_row* centre);
void SUPI_KERNEL(supi_frame_blend)(const supi_frame_blend* blends, int32_t count,
                                   const supi_frame_column* columns, const sup_row* turn,
                                   const sup_row* origin, const sup_row* centre,
                                   const supi_frame_rows* rows);
void SUPI_KERNEL(supi_frame_classic)(const supi_frame_batch* batch,
                                     const supi_frame_column* columns,
                                     const supi_frame_drive* drive, const float* s,
                                     float turn_share, const supi_frame_rows8* rest,
                                     const supi_frame_rows* rows, sup_row* turn);
void SUPI_KERNEL(supi_frame_herd_match)(const supi_frame_herd* herd, const supi_frame_drive* drive,
                                        const float* s, const supi_frame_rows bodies[8],
                                        sup_row* const turns[8], const supi_herd_room* room,
                                        float reference[3][8], float sums[SUPI_FRAME_SUM_COUNT][8]);
void SUPI_KERNEL(supi_frame_herd_finish)(const supi_frame_herd* herd, const supi_frame_drive* drive,
                                         const supi_herd_carry* carry, const supi_herd_room* room,
                                         const supi_frame_rows bodies[8]);

#endif
