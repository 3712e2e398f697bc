/* Oriented particles, eight rows at a time: prediction, velocities, and what all rows of a body do
   together. */
#include "solve/frame_lanes.h"

extern const supi_frame_kernels SUPI_KERNEL(supi_frame_kernels);

static void predict(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                    const supi_frame_rows* from, const supi_frame_rows* to) {
    const supi_f8 h = f8_set(drive->h), zero = f8_set(0.0f);
    const lanes3 gain = {f8_set(drive->gain[0]), f8_set(drive->gain[1]), f8_set(drive->gain[2])};
    for (int32_t i = 0; i < count; i++) {
        lanes4 x = lanes4_load(from->x + 8 * i), v = lanes4_load(from->v + 8 * i);
        supi_m8 moves = lanes_free(x.w, f8_load(rest[i].follows));
        lanes3 speed = lanes3_of(v), faster = lanes3_madd(f8_set(drive->keep_v), speed, gain);
        speed = lanes3_select(f8_less(zero, x.w), faster, speed);
        lanes3 place = lanes3_madd(h, speed, lanes3_of(x));
        lanes4_store(to->v + 8 * i, lanes4_with(speed, v.w));
        lanes4_store(to->x + 8 * i, lanes4_with(lanes3_select(moves, place, lanes3_of(x)), x.w));
    }
}

static void spin(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                 const supi_frame_rows* from, const supi_frame_rows* to) {
    const supi_f8 h = f8_set(drive->h), zero = f8_set(0.0f);
    for (int32_t i = 0; i < count; i++) {
        lanes4 q = lanes4_load(from->q + 8 * i), w = lanes4_load(from->w + 8 * i);
        supi_f8 inverse_mass = lanes4_load(from->x + 8 * i).w;
        supi_m8 moves = lanes_free(inverse_mass, f8_load(rest[i].follows));
        lanes3 speed = lanes3_of(w), slower = lanes3_scale(f8_set(drive->keep_w), speed);
        speed = lanes3_select(f8_less(zero, inverse_mass), slower, speed);
        lanes4 turned = lanes4_turned(q, lanes3_scale(h, speed));
        lanes4_store(to->w + 8 * i, lanes4_with(speed, w.w));
        lanes4_store(to->q + 8 * i, lanes4_select(moves, turned, q));
    }
}

/* Spin at the start of the substep: what it is at q, turned back by h w. */
static void begin(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                  const supi_frame_rows* rows) {
    const supi_f8 back = f8_set(-drive->h), zero = f8_set(0.0f);
    const supi_rows8 none = {{zero, zero, zero, zero}};
    for (int32_t i = 0; i < count; i++) {
        lanes3 w = lanes3_of(lanes4_load(rows->w + 8 * i));
        supi_f8 r[9];
        lanes4_matrix(lanes4_load(rows->q + 8 * i), r);
        lanes3 l = lanes3_turned_symmetric(r, rest[i].inertia, w);
        l = lanes3_turn_by(lanes4_exp(lanes3_scale(back, w)), l);
        lanes4_store(rows->spin + 8 * i, lanes4_with(l, zero));
        rows8_store(rows->cx + 8 * i, none);
        rows8_store(rows->cw + 8 * i, none);
    }
}

static void moments(const supi_frame_rows8* rest, int32_t count, int32_t mode,
                    const supi_frame_rows* rows) {
    for (int32_t i = 0; i < count; i++) {
        supi_f8 r[9];
        lanes4_matrix(lanes4_load(rows->q + 8 * i), r);
        supi_f8 weight = f8_load(rest[i].weight[mode]);
        for (int k = 0; k < 3; k++) {
            lanes3 row = {r[3 * k], r[3 * k + 1], r[3 * k + 2]};
            lanes3 a = lanes3_scale(weight, lanes3_symmetric(rest[i].moment, row));
            supi_rows8 out = lanes4_rows(lanes4_with(a, f8_set(0.0f)));
            sup_row* to = rows->moment + 24 * i + k;
            for (int j = 0; j < 4; j++) pair_store(to + 6 * j, to + 6 * j + 3, out.r[j]);
        }
    }
}

static void shift(int32_t count, const supi_frame_rows* rows) {
    for (int32_t i = 0; i < count; i++) rows8_add(rows->x + 8 * i, rows8_load(rows->cx + 8 * i));
}

static void turn(const supi_frame_rows8* rest, int32_t count, bool turns,
                 const supi_frame_rows* rows, sup_row* moments_of) {
    const supi_f8 zero = f8_set(0.0f);
    const supi_rows8 none = {{zero, zero, zero, zero}};
    for (int32_t i = 0; i < count; i++) {
        lanes3 a = lanes3_of(lanes4_load(moments_of + 8 * i));
        lanes4 q = lanes4_load(rows->q + 8 * i);
        supi_m8 heavy = f8_less(zero, lanes4_load(rows->x + 8 * i).w);
        if (!turns) {
            supi_f8 r[9];
            lanes4_matrix(q, r);
            a = lanes3_turned_symmetric(r, rest[i].inverse, a);
        }
        a = lanes3_select(heavy, a, lanes3_zero());
        rows8_add(rows->cw + 8 * i, lanes4_rows(lanes4_with(a, zero)));
        lanes4_store(rows->q + 8 * i, lanes4_select(heavy, lanes4_turned(q, a), q));
        rows8_store(moments_of + 8 * i, none);
    }
}

/* ---- Momenta ---- */

/* Adds R m R^T, xx yy zz yz zx xy. */
F8_INLINE void add_turned(const supi_f8 r[9], const float m[6][8], supi_f8 sums[6]) {
    lanes3 row[3] = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}};
    lanes3 a[3];
    for (int k = 0; k < 3; k++) a[k] = lanes3_symmetric(m, row[k]);
    for (int k = 0; k < 3; k++) sums[k] = f8_add(sums[k], lanes3_dot(row[k], a[k]));
    sums[3] = f8_add(sums[3], lanes3_dot(row[1], a[2]));
    sums[4] = f8_add(sums[4], lanes3_dot(row[2], a[0]));
    sums[5] = f8_add(sums[5], lanes3_dot(row[0], a[1]));
}

F8_INLINE void add3(supi_f8* sums, lanes3 a) {
    sums[0] = f8_add(sums[0], a.x);
    sums[1] = f8_add(sums[1], a.y);
    sums[2] = f8_add(sums[2], a.z);
}

F8_INLINE void add_row_sums(const supi_frame_rows8* rest, int32_t i, supi_f8 h, supi_f8 per_h,
                            lanes3 reference, const supi_frame_rows* rows, supi_f8* s) {
    lanes3 c = lanes3_of(lanes4_load(rows->cx + 8 * i));
    lanes3 d = lanes3_sub(lanes3_of(lanes4_load(rows->x + 8 * i)), reference);
    lanes3 v = lanes3_of(lanes4_load(rows->v + 8 * i));
    lanes3 w = lanes3_of(lanes4_load(rows->w + 8 * i));
    lanes3 cw = lanes3_of(lanes4_load(rows->cw + 8 * i));
    lanes3 before = lanes3_of(lanes4_load(rows->spin + 8 * i));
    supi_f8 mass = f8_load(rest->mass), r[9];
    lanes3 start = lanes3_sub(lanes3_sub(d, c), lanes3_scale(h, v));
    lanes3 mc = lanes3_scale(mass, c), md = lanes3_scale(mass, d);
    s[SUPI_FRAME_SUM_MASS] = f8_add(s[SUPI_FRAME_SUM_MASS], mass);
    add3(s + SUPI_FRAME_SUM_SHIFT, mc);
    add3(s + SUPI_FRAME_SUM_PLACE, md);
    add3(s + SUPI_FRAME_SUM_SPIN, lanes3_scale(per_h, lanes3_cross(start, mc)));
    add3(s + SUPI_FRAME_SUM_START, lanes3_scale(mass, start));
    supi_f8* spread = s + SUPI_FRAME_SUM_SPREAD;
    spread[0] = f8_madd(md.x, d.x, spread[0]);
    spread[1] = f8_madd(md.y, d.y, spread[1]);
    spread[2] = f8_madd(md.z, d.z, spread[2]);
    spread[3] = f8_madd(md.y, d.z, spread[3]);
    spread[4] = f8_madd(md.z, d.x, spread[4]);
    spread[5] = f8_madd(md.x, d.y, spread[5]);
    lanes4_matrix(lanes4_load(rows->q + 8 * i), r);
    lanes3 now = lanes3_turned_symmetric(r, rest->inertia, lanes3_madd(per_h, cw, w));
    add3(s + SUPI_FRAME_SUM_TURN, lanes3_sub(now, before));
    add_turned(r, rest->inertia, s + SUPI_FRAME_SUM_INERTIA);
}

static void sums(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                 const supi_frame_rows* rows, const float reference[3],
                 float out[SUPI_FRAME_SUM_COUNT]) {
    supi_f8 s[SUPI_FRAME_SUM_COUNT];
    for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) s[k] = f8_set(0.0f);
    lanes3 about = {f8_set(reference[0]), f8_set(reference[1]), f8_set(reference[2])};
    for (int32_t i = 0; i < count; i++) {
        add_row_sums(rest + i, i, f8_set(drive->h), f8_set(drive->per_h), about, rows, s);
    }
    sum_all(s, SUPI_FRAME_SUM_COUNT, out);
}

static void carry(const supi_frame_rows8* rest, int32_t count, const float u[3], const float o[3],
                  const float middle[3], const supi_frame_rows* rows) {
    const lanes3 way = {f8_set(u[0]), f8_set(u[1]), f8_set(u[2])};
    const lanes3 arc = {f8_set(o[0]), f8_set(o[1]), f8_set(o[2])};
    const lanes3 about = {f8_set(middle[0]), f8_set(middle[1]), f8_set(middle[2])};
    const lanes4 by = lanes4_exp(arc);
    for (int32_t i = 0; i < count; i++) {
        lanes4 x = lanes4_load(rows->x + 8 * i), q = lanes4_load(rows->q + 8 * i);
        supi_m8 moves = lanes_free(x.w, f8_load(rest[i].follows));
        lanes3 p = lanes3_sub(lanes3_of(x), about);
        lanes3 c = lanes3_select(moves, lanes3_add(way, lanes3_cross(arc, p)), lanes3_zero());
        lanes3 t = lanes3_select(moves, arc, lanes3_zero());
        supi_rows8 change = lanes4_rows(lanes4_with(c, f8_set(0.0f)));
        rows8_add(rows->x + 8 * i, change);
        rows8_add(rows->cx + 8 * i, change);
        rows8_add(rows->cw + 8 * i, lanes4_rows(lanes4_with(t, f8_set(0.0f))));
        lanes4_store(rows->q + 8 * i, lanes4_select(moves, lanes4_product(by, q), q));
    }
}

/* ---- Velocities ---- */

F8_INLINE lanes3 no_faster(lanes3 a, float most) {
    supi_f8 square = lanes3_dot(a, a), limit = f8_set(most * most);
    supi_m8 wild = f8_less(limit, square);
    if (!m8_bits(wild)) return a;
    supi_f8 cut = f8_sqrt(f8_div(limit, f8_select(wild, square, limit)));
    return lanes3_select(wild, lanes3_scale(cut, a), a);
}

static void finish(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                   const supi_frame_rows* rows) {
    const supi_f8 per_h = f8_set(drive->per_h), half = f8_set(0.5f);
    for (int32_t i = 0; i < count; i++) {
        lanes4 v = lanes4_load(rows->v + 8 * i), w = lanes4_load(rows->w + 8 * i);
        lanes3 cx = lanes3_of(lanes4_load(rows->cx + 8 * i));
        lanes3 cw = lanes3_of(lanes4_load(rows->cw + 8 * i));
        supi_f8 inverse_mass = lanes4_load(rows->x + 8 * i).w;
        supi_m8 moves = lanes_free(inverse_mass, f8_load(rest[i].follows));
        lanes3 speed = no_faster(lanes3_madd(per_h, cx, lanes3_of(v)), drive->fastest);
        lanes3 rate = no_faster(lanes3_madd(per_h, cw, lanes3_of(w)), drive->widest);
        rate = lanes3_select(f8_less(half, f8_load(rest[i].plain)), lanes3_zero(), rate);
        speed = lanes3_select(moves, speed, lanes3_of(v));
        rate = lanes3_select(moves, rate, lanes3_of(w));
        lanes4_store(rows->v + 8 * i, lanes4_with(speed, v.w));
        lanes4_store(rows->w + 8 * i, lanes4_with(rate, w.w));
    }
}

/* ---- Checks ---- */

static bool are_turns(const sup_row* q, int32_t count) {
    const supi_f8 least = f8_set(0.9f), most = f8_set(1.1f);
    int good = 0xff;
    for (int32_t i = 0; i < count; i += 8) {
        sup_row last[8]; /* where they are fewer than eight, the first of them again */
        const sup_row* eight = q + i;
        if (count - i < 8) {
            for (int32_t k = 0; k < 8; k++) last[k] = eight[k < count - i ? k : 0];
            eight = last;
        }
        lanes4 a = lanes4_load(eight);
        supi_f8 square = f8_add(lanes3_dot(lanes3_of(a), lanes3_of(a)), f8_mul(a.w, a.w));
        good &= m8_bits(m8_and(f8_less(least, square), f8_less(square, most)));
    }
    return good == 0xff;
}

static bool are_finite(const sup_row* w, int32_t count) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_f8 sum = zero; /* 0 times what is not finite is no number, and stays so */
    for (int32_t i = 0; i < count; i++) {
        lanes3 rate = lanes3_of(lanes4_load(w + 8 * i));
        sum = f8_add(sum, f8_mul(zero, f8_add(f8_add(rate.x, rate.y), rate.z)));
    }
    return m8_bits(f8_less(sum, one)) == 0xff;
}

const supi_frame_kernels SUPI_KERNEL(supi_frame_kernels) = {
    predict,
    spin,
    begin,
    moments,
    shift,
    SUPI_KERNEL(supi_frame_match),
    SUPI_KERNEL(supi_frame_blend),
    SUPI_KERNEL(supi_frame_classic),
    SUPI_KERNEL(supi_frame_links),
    SUPI_KERNEL(supi_frame_twist),
    turn,
    sums,
    carry,
    finish,
    are_turns,
    are_finite,
};
