/* Oriented particles, eight rows at a time: prediction, velocities, and what all rows of a body do
   together. */
#include "solve/frame_phases.h"

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

static void begin(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                  const supi_frame_rows* rows) {
    const supi_f8 back = f8_set(-drive->h), zero = f8_set(0.0f);
    const supi_rows8 none = {{zero, zero, zero, zero}};
    for (int32_t i = 0; i < count; i++) {
        lanes3 w = lanes3_of(lanes4_load(rows->w + 8 * i));
        supi_f8 r[9], inertia[6];
        lanes_load6(rest[i].inertia, inertia);
        lanes4_matrix(lanes4_load(rows->q + 8 * i), r);
        lanes3 l = spin_before(r, inertia, w, back);
        lanes4_store(rows->spin + 8 * i, lanes4_with(l, zero));
        rows8_store(rows->cx + 8 * i, none);
        rows8_store(rows->cw + 8 * i, none);
    }
}

static void moments(const supi_frame_rows8* rest, int32_t count, int32_t mode,
                    const supi_frame_rows* rows) {
    for (int32_t i = 0; i < count; i++) {
        supi_f8 r[9], moment[6];
        lanes_load6(rest[i].moment, moment);
        lanes4_matrix(lanes4_load(rows->q + 8 * i), r);
        supi_f8 weight = f8_load(rest[i].weight[mode]);
        for (int k = 0; k < 3; k++) {
            lanes3 a = moment_row(r, moment, weight, k);
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
            supi_f8 r[9], inverse[6];
            lanes_load6(rest[i].inverse, inverse);
            lanes4_matrix(q, r);
            a = lanes3_turned_symmetric(r, inverse, a);
        }
        a = lanes3_select(heavy, a, lanes3_zero());
        rows8_add(rows->cw + 8 * i, lanes4_rows(lanes4_with(a, zero)));
        lanes4_store(rows->q + 8 * i, lanes4_select(heavy, lanes4_turned(q, a), q));
        rows8_store(moments_of + 8 * i, none);
    }
}

/* ---- Momenta ---- */

static void sums(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                 const supi_frame_rows* rows, const float reference[3],
                 float out[SUPI_FRAME_SUM_COUNT]) {
    supi_f8 s[SUPI_FRAME_SUM_COUNT];
    for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) s[k] = f8_set(0.0f);
    lanes3 about = {f8_set(reference[0]), f8_set(reference[1]), f8_set(reference[2])};
    for (int32_t i = 0; i < count; i++) {
        row_lanes row = {.x = lanes3_of(lanes4_load(rows->x + 8 * i)),
                         .v = lanes3_of(lanes4_load(rows->v + 8 * i)),
                         .w = lanes3_of(lanes4_load(rows->w + 8 * i)),
                         .cx = lanes3_of(lanes4_load(rows->cx + 8 * i)),
                         .cw = lanes3_of(lanes4_load(rows->cw + 8 * i)),
                         .spin = lanes3_of(lanes4_load(rows->spin + 8 * i)),
                         .q = lanes4_load(rows->q + 8 * i),
                         .mass = f8_load(rest[i].mass)};
        lanes_load6(rest[i].inertia, row.inertia);
        add_row_sums(&row, drive, about, s);
    }
    sum_all(s, SUPI_FRAME_SUM_COUNT, out);
}

static void carry(const supi_frame_rows8* rest, int32_t count, const float u[3], const float o[3],
                  const float middle[3], const supi_frame_rows* rows) {
    carry_lanes all = {.way = {f8_set(u[0]), f8_set(u[1]), f8_set(u[2])},
                       .arc = {f8_set(o[0]), f8_set(o[1]), f8_set(o[2])},
                       .about = {f8_set(middle[0]), f8_set(middle[1]), f8_set(middle[2])}};
    all.by = lanes4_exp(all.arc);
    for (int32_t i = 0; i < count; i++) {
        lanes4 x = lanes4_load(rows->x + 8 * i), q = lanes4_load(rows->q + 8 * i);
        supi_m8 moves = lanes_free(x.w, f8_load(rest[i].follows));
        lanes3 c = lanes3_select(moves, carried_by(&all, lanes3_of(x)), lanes3_zero());
        lanes3 t = lanes3_select(moves, all.arc, lanes3_zero());
        supi_rows8 change = lanes4_rows(lanes4_with(c, f8_set(0.0f)));
        rows8_add(rows->x + 8 * i, change);
        rows8_add(rows->cx + 8 * i, change);
        rows8_add(rows->cw + 8 * i, lanes4_rows(lanes4_with(t, f8_set(0.0f))));
        lanes4_store(rows->q + 8 * i, lanes4_select(moves, lanes4_product(all.by, q), q));
    }
}

/* ---- Velocities ---- */

static void finish(const supi_frame_rows8* rest, int32_t count, const supi_frame_drive* drive,
                   const supi_frame_rows* rows) {
    for (int32_t i = 0; i < count; i++) {
        lanes4 v = lanes4_load(rows->v + 8 * i), w = lanes4_load(rows->w + 8 * i);
        lanes3 cx = lanes3_of(lanes4_load(rows->cx + 8 * i));
        lanes3 cw = lanes3_of(lanes4_load(rows->cw + 8 * i));
        supi_f8 inverse_mass = lanes4_load(rows->x + 8 * i).w;
        supi_m8 moves = lanes_free(inverse_mass, f8_load(rest[i].follows));
        lanes3 speed = speed_after(drive, lanes3_of(v), cx);
        lanes3 rate = rate_after(drive, lanes3_of(w), cw, f8_load(rest[i].plain));
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
    SUPI_KERNEL(supi_frame_herd_match),
    SUPI_KERNEL(supi_frame_herd_finish),
};
