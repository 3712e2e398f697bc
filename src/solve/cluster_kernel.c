/* The two streaming passes of shape matching: sums over members, and moving them towards their
   goals. Rows go through the transposing loader; goals are made in lanes and turned back to rows,
   so that integration needs no transpose. */
#include "solve/kernels.h"
#include "solve/member_lanes.h"

extern const supi_kernels SUPI_KERNEL(supi_kernels);
extern const supi_spring_kernels SUPI_KERNEL(supi_spring_kernels);
extern const supi_frame_kernels SUPI_KERNEL(supi_frame_kernels);
void SUPI_KERNEL(supi_match)(supi_match8* batch);
void SUPI_KERNEL(supi_rotate)(float b[9][8], float q[4][8], int32_t iterations[8]);
void SUPI_KERNEL(supi_window_slide)(const supi_window* window, const supi_cell_line* line);
void SUPI_KERNEL(supi_bend_add)(const supi_members* members, int32_t begin, int32_t end,
                                const bend_chunk* chunk, supi_f8 sums[3 * SUPI_BEND_TERMS]);
void SUPI_KERNEL(supi_bend_end)(const supi_bend* bend, const float offset[3],
                                const supi_f8 sums[3 * SUPI_BEND_TERMS],
                                float out[3 * SUPI_BEND_TERMS]);

/* Running sums: the twelve of every match, twelve more for damping, and those for bending. */
typedef struct sum_lanes {
    supi_f8 s[SUPI_SUM_COUNT];
} sum_lanes;

F8_INLINE void sums_begin(sum_lanes* sums) {
    for (int k = 0; k < SUPI_SUM_COUNT; k++) sums->s[k] = f8_set(0.0f);
}

/* Adds eight members at d, moving with u (read only when damped). Keeps their w d at place `at` of
   the chunk. */
F8_INLINE void sums_take(sum_lanes* sums, const supi_members* m, int32_t i, lanes3 d, lanes3 u,
                         supi_cluster_kind kind, bend_chunk* chunk, bool keeps, int32_t at) {
    supi_f8* s = sums->s;
    supi_f8 w = f8_load(m->w + i);
    supi_f8 q[3] = {f8_load(m->qx + i), f8_load(m->qy + i), f8_load(m->qz + i)};
    lanes3 wd = {f8_mul(w, d.x), f8_mul(w, d.y), f8_mul(w, d.z)};
    const supi_f8 rows[3] = {wd.x, wd.y, wd.z};
    for (int k = 0; k < 3; k++) {
        if (keeps) f8_store(chunk->wd[k] + at, rows[k]);
        s[k] = f8_add(rows[k], s[k]);
    }
    for (int k = 0; k < 9; k++) s[3 + k] = f8_madd(rows[k / 3], q[k % 3], s[3 + k]);
    if (kind != SUPI_CLUSTER_DAMPED) return;
    s[12] = f8_madd(w, u.x, s[12]);
    s[13] = f8_madd(w, u.y, s[13]);
    s[14] = f8_madd(w, u.z, s[14]);
    s[15] = f8_add(s[15], f8_sub(f8_mul(wd.y, u.z), f8_mul(wd.z, u.y)));
    s[16] = f8_add(s[16], f8_sub(f8_mul(wd.z, u.x), f8_mul(wd.x, u.z)));
    s[17] = f8_add(s[17], f8_sub(f8_mul(wd.x, u.y), f8_mul(wd.y, u.x)));
    s[18] = f8_madd(wd.x, d.x, s[18]);
    s[19] = f8_madd(wd.y, d.y, s[19]);
    s[20] = f8_madd(wd.z, d.z, s[20]);
    s[21] = f8_madd(wd.x, d.y, s[21]);
    s[22] = f8_madd(wd.y, d.z, s[22]);
    s[23] = f8_madd(wd.z, d.x, s[23]);
}

/* `bend`: NULL unless the goals are quadratic. */
F8_INLINE void sums_end(const sum_lanes* sums, supi_cluster_kind kind, const supi_bend* bend,
                        float out[SUPI_SUM_COUNT]) {
    sum_all(sums->s, kind == SUPI_CLUSTER_DAMPED ? SUPI_SUM_BEND : SUPI_SUM_MOMENTUM, out);
    if (!bend) return;
    SUPI_KERNEL(supi_bend_end)
    (bend, out + SUPI_SUM_OFFSET, sums->s + SUPI_SUM_BEND, out + SUPI_SUM_BEND);
}

F8_INLINE void sums_loop(sum_lanes* sums, const supi_members* m, int32_t begin, int32_t end,
                         const sup_row* x, const sup_row* v, const supi_pull* pull,
                         supi_cluster_kind kind, bool indexed, const float xref[3],
                         bend_chunk* chunk, bool keeps) {
    supi_f8 h = row_of_same(pull->h), a = row_of_three(pull->acceleration);
    sum_lanes local;
    for (int k = 0; k < SUPI_SUM_BEND; k++) local.s[k] = sums->s[k];
    for (int32_t i = begin; i < end; i += 8) {
        lanes3 d = relative(lanes_of(matched_rows(m, i, x, v, h, a, kind, indexed)), xref);
        lanes3 u = d;
        if (kind == SUPI_CLUSTER_DAMPED) u = lanes_of(rows_of(m, i, v, indexed));
        sums_take(&local, m, i, d, u, kind, chunk, keeps, i - begin);
    }
    for (int k = 0; k < SUPI_SUM_BEND; k++) sums->s[k] = local.s[k];
}

#if defined(SUPI_SIMD_WASM)
/* One loop, with a look at kind and flag for every eight members: the module has to be sent. */
#define FOR_EACH(call, flag) call(kind, flag);
#else
/* One specialised loop per kind and flag. */
#define FOR_EACH_KIND(call, flag)                                                                  \
    switch (kind) {                                                                                \
    case SUPI_CLUSTER_PLAIN: call(SUPI_CLUSTER_PLAIN, flag); break;                                \
    case SUPI_CLUSTER_DAMPED: call(SUPI_CLUSTER_DAMPED, flag); break;                              \
    case SUPI_CLUSTER_PREDICTED: call(SUPI_CLUSTER_PREDICTED, flag); break;                        \
    }
#define FOR_EACH(call, flag)                                                                       \
    if (flag) {                                                                                    \
        FOR_EACH_KIND(call, true)                                                                  \
    } else {                                                                                       \
        FOR_EACH_KIND(call, false)                                                                 \
    }
#endif

/* Adds the memberships begin .. end-1, and leaves w d in the chunk unless it is NULL. Not
   inlined, so that its loops are there once. */
static __attribute__((noinline)) void sums_add(sum_lanes* sums, const supi_members* members,
                                               int32_t begin, int32_t end, const sup_row* x,
                                               const sup_row* v, const supi_pull* pull,
                                               supi_cluster_kind kind, const float xref[3],
                                               bend_chunk* chunk) {
#define SUM(k, is_indexed)                                                                         \
    sums_loop(sums, members, begin, end, x, v, pull, k, is_indexed, xref, NULL, false)
#define SUM_AND_KEEP(k, is_indexed)                                                                \
    sums_loop(sums, members, begin, end, x, v, pull, k, is_indexed, xref, chunk, true)
    bool indexed = members->index != NULL;
    if (chunk) {
        FOR_EACH(SUM_AND_KEEP, indexed)
    } else {
        FOR_EACH(SUM, indexed)
    }
#undef SUM_AND_KEEP
#undef SUM
}

static void moments(const supi_span* span, const sup_row* x, const sup_row* v,
                    const supi_pull* pull, supi_cluster_kind kind, const float xref[3],
                    float out[SUPI_SUM_COUNT]) {
    sum_lanes sums;
    bend_chunk chunk;
    sums_begin(&sums);
    int32_t length = span->bend ? CHUNK : span->end - span->begin;
    for (int32_t i = span->begin; i < span->end; i += length) {
        int32_t stop = length < span->end - i ? i + length : span->end;
        sums_add(&sums, span->members, i, stop, x, v, pull, kind, xref, span->bend ? &chunk : NULL);
        if (!span->bend) continue;
        SUPI_KERNEL(supi_bend_add)(span->members, i, stop, &chunk, sums.s + SUPI_SUM_BEND);
    }
    sums_end(&sums, kind, span->bend, out);
}

/* Constants of a goal and its pull, spread over lanes and rows. */
typedef struct goal_lanes {
    supi_f8 r[9], shift[3];
    supi_f8 q[3 * SUPI_BEND_TERMS]; /* factors of the products of two coordinates, 1/m */
    supi_f8 spin[3], drift[3];      /* delta * spin; delta * (velocity - spin x offset) */
    supi_f8 k;                      /* in lanes */
    supi_f8 k_row, delta_row,
        xref; /* rows with a fourth entry of 0, which lets inverse mass and radius pass untouched */
} goal_lanes;

F8_INLINE goal_lanes spread_goal(const supi_goal* goal, const supi_bend* bend,
                                 const supi_pull* pull, supi_cluster_kind kind, bool bends) {
    goal_lanes g;
    float shift[3] = {goal->shift[0], goal->shift[1], goal->shift[2]};
    for (int k = 0; bends && k < 3 * SUPI_BEND_TERMS; k++) {
        g.q[k] = f8_set(bend->scale * bend->scale * goal->bend[k]);
        shift[k / SUPI_BEND_TERMS] -= goal->bend[k] * bend->mean[k % SUPI_BEND_TERMS];
    }
    g.k = f8_set(pull->k);
    g.k_row = row_of_same(pull->k);
    g.delta_row = row_of_same(pull->delta);
    g.xref = row_of_three(goal->xref);
    for (int k = 0; k < 9; k++) g.r[k] = f8_set(goal->matrix[k]);
    for (int k = 0; k < 3; k++) g.shift[k] = f8_set(shift[k]);
    for (int k = 0; k < 3; k++) {
        if (kind != SUPI_CLUSTER_DAMPED) {
            g.spin[k] = g.drift[k] = f8_set(0.0f);
            continue;
        }
        int j = (k + 1) % 3, l = (k + 2) % 3;
        float carried = goal->spin[j] * goal->offset[l] - goal->spin[l] * goal->offset[j];
        g.spin[k] = f8_set(pull->delta * goal->spin[k]);
        g.drift[k] = f8_set(pull->delta * (goal->velocity[k] - carried));
    }
    return g;
}

/* matrix q + bend b(q) + shift for eight members. */
F8_INLINE lanes3 goals_of(const supi_members* m, int32_t i, const goal_lanes* g, bool bends) {
    supi_f8 qx = f8_load(m->qx + i), qy = f8_load(m->qy + i), qz = f8_load(m->qz + i);
    supi_f8 to[3];
    for (int k = 0; k < 3; k++) {
        supi_f8 x = g->r[3 * k], y = g->r[3 * k + 1], z = g->r[3 * k + 2];
        if (bends) {
            const supi_f8* b = g->q + SUPI_BEND_TERMS * k;
            x = f8_madd(b[0], qx, f8_madd(b[3], qy, x));
            y = f8_madd(b[1], qy, f8_madd(b[4], qz, y));
            z = f8_madd(b[2], qz, f8_madd(b[5], qx, z));
        }
        to[k] = f8_madd(x, qx, f8_madd(y, qy, f8_madd(z, qz, g->shift[k])));
    }
    lanes3 goal = {to[0], to[1], to[2]};
    return goal;
}

/* k (goal - d) + delta (rigid velocity at d), as rows. */
F8_INLINE supi_rows8 damped_rows(lanes3 goal, lanes3 d, const goal_lanes* g) {
    supi_f8 x = f8_add(g->drift[0], f8_sub(f8_mul(g->spin[1], d.z), f8_mul(g->spin[2], d.y)));
    supi_f8 y = f8_add(g->drift[1], f8_sub(f8_mul(g->spin[2], d.x), f8_mul(g->spin[0], d.z)));
    supi_f8 z = f8_add(g->drift[2], f8_sub(f8_mul(g->spin[0], d.y), f8_mul(g->spin[1], d.x)));
    return rows8_from_lanes(f8_madd(g->k, f8_sub(goal.x, d.x), x),
                            f8_madd(g->k, f8_sub(goal.y, d.y), y),
                            f8_madd(g->k, f8_sub(goal.z, d.z), z), f8_set(0.0f));
}

/* Velocity change that a cluster asks of eight members: k (goal - x) + delta (v_rigid - v). */
F8_INLINE supi_rows8 wish(lanes3 goal, const goal_lanes* g, supi_rows8 at, supi_rows8 speed,
                          supi_cluster_kind kind) {
    supi_rows8 d, out;
    for (int j = 0; j < 4; j++) d.r[j] = f8_sub(at.r[j], g->xref);
    if (kind == SUPI_CLUSTER_DAMPED) {
        out = damped_rows(goal, lanes_of(d), g);
        for (int j = 0; j < 4; j++) out.r[j] = f8_sub(out.r[j], f8_mul(g->delta_row, speed.r[j]));
    } else {
        out = rows8_from_lanes(goal.x, goal.y, goal.z, f8_set(0.0f));
        for (int j = 0; j < 4; j++) out.r[j] = f8_mul(g->k_row, f8_sub(out.r[j], d.r[j]));
    }
    return out;
}

/* Running box of rows. Minima and maxima lose a NaN, their sum keeps it. */
typedef struct box_rows {
    supi_f8 low, high, sum;
} box_rows;

F8_INLINE box_rows box_begin(void) {
    box_rows box = {f8_set(3e38f), f8_set(-3e38f), f8_set(0.0f)};
    return box;
}
F8_INLINE void box_take(box_rows* box, supi_f8 row) {
    box->low = f8_min(row, box->low);
    box->high = f8_max(row, box->high);
    box->sum = f8_add(row, box->sum);
}
F8_INLINE void box_end(const box_rows* rows, supi_extent* out) {
    float low[8], high[8];
    f8_store(low, rows->low);
    f8_store(high, rows->high);
    out->sane = m8_bits(f8_less(f8_abs(rows->sum), f8_set(3e38f))) == 0xff;
    for (int k = 0; k < 3; k++) {
        out->low[k] = low[k] < low[k + 4] ? low[k] : low[k + 4];
        out->high[k] = high[k] > high[k + 4] ? high[k] : high[k + 4];
        out->sane = out->sane && out->low[k] > -SUPI_RANGE && out->high[k] < SUPI_RANGE;
    }
}

/* Moves eight members, which are rows in order. */
F8_INLINE void move_eight(const supi_members* m, int32_t i, const goal_lanes* g, supi_f8 h,
                          supi_f8 a, supi_cluster_kind kind, bool bends, const sup_row* x,
                          const sup_row* v, sup_row* x_out, sup_row* v_out, box_rows* box) {
    supi_rows8 at = rows8_load(x + i), speed = rows8_load(v + i), matched = at;
    if (kind == SUPI_CLUSTER_PREDICTED) {
        for (int j = 0; j < 4; j++) matched.r[j] = f8_madd(h, f8_add(speed.r[j], a), at.r[j]);
    }
    lanes3 goals = goals_of(m, i, g, bends);
    supi_rows8 change = wish(goals, g, matched, speed, kind);
    for (int j = 0; j < 4; j++) {
        speed.r[j] = f8_add(speed.r[j], f8_add(a, change.r[j]));
        at.r[j] = f8_madd(h, speed.r[j], at.r[j]);
        box_take(box, at.r[j]);
    }
    rows8_store(v_out + i, speed);
    rows8_store(x_out + i, at);
}

F8_INLINE void move_rows(const supi_span* span, int32_t begin, int32_t end, const supi_goal* goal,
                         const supi_pull* pull, supi_cluster_kind kind, bool bends,
                         const sup_row* x, const sup_row* v, sup_row* x_out, sup_row* v_out,
                         box_rows* box) {
    const supi_members m = *span->members; /* a copy, which no store into rows can change */
    goal_lanes g = spread_goal(goal, span->bend, pull, kind, bends);
    supi_f8 h = row_of_same(pull->h), a = row_of_three(pull->acceleration);
    box_rows seen = *box;
    for (int32_t i = begin; i < end; i += 8) {
        move_eight(&m, i, &g, h, a, kind, bends, x, v, x_out, v_out, &seen);
    }
    *box = seen;
}

/* Moves the memberships begin .. end-1. Not inlined, so that its loops are there once. */
static __attribute__((noinline)) void move_span(const supi_span* span, int32_t begin, int32_t end,
                                                const supi_goal* goal, const supi_pull* pull,
                                                supi_cluster_kind kind, const sup_row* x,
                                                const sup_row* v, sup_row* x_out, sup_row* v_out,
                                                box_rows* box) {
#define MOVE(k, bends) move_rows(span, begin, end, goal, pull, k, bends, x, v, x_out, v_out, box)
    bool bends = span->bend != NULL;
    FOR_EACH(MOVE, bends)
#undef MOVE
}

enum {
#if defined(SUPI_SIMD_WASM)
    LONG_SPAN = INT32_MAX, /* none: one more loop to send */
#else
    LONG_SPAN = 2 * CHUNK, /* members from which on one loop is the faster way */
#endif
    LAG = 32,  /* members between the move and the sums of one loop: neither waits for the other */
    AHEAD = 96 /* members between the move and the rows that are sent for */
};

/* Moves a long span of a plain cluster without bends, and takes the sums in the same loop: they
   fill the time that the rows of a large body take to come. */
static void move_and_sum(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                         const sup_row* x, const sup_row* v, sup_row* x_out, sup_row* v_out,
                         box_rows* box, const float next[3], sum_lanes* sums) {
    const supi_cluster_kind kind = SUPI_CLUSTER_PLAIN;
    const supi_members m = *span->members; /* a copy, which no store into rows can change */
    goal_lanes g = spread_goal(goal, NULL, pull, kind, false);
    supi_f8 h = row_of_same(pull->h), a = row_of_three(pull->acceleration);
    int32_t ahead = span->begin + LAG, behind = span->end - LAG;
    move_span(span, span->begin, ahead, goal, pull, kind, x, v, x_out, v_out, box);
    box_rows seen = *box;
    sum_lanes local;
    for (int k = 0; k < SUPI_SUM_MOMENTUM; k++) local.s[k] = sums->s[k];
    for (int32_t i = span->begin; i < behind; i += 8) {
        lanes3 d = relative(lanes_of(rows8_load(x_out + i)), next);
        sums_take(&local, &m, i, d, d, kind, NULL, false, 0);
        rows8_send_for(x_out + i + LAG + AHEAD);
        rows8_send_for(v_out + i + LAG + AHEAD);
        move_eight(&m, i + LAG, &g, h, a, kind, false, x, v, x_out, v_out, &seen);
    }
    for (int k = 0; k < SUPI_SUM_MOMENTUM; k++) sums->s[k] = local.s[k];
    *box = seen;
    sums_add(sums, span->members, behind, span->end, x_out, v_out, pull, kind, next, NULL);
}

/* Moves a span, and takes the sums a chunk at a time, while its rows are at hand. */
static void move_chunks(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                        supi_cluster_kind kind, const sup_row* x, const sup_row* v, sup_row* x_out,
                        sup_row* v_out, box_rows* box, const float next[3], sum_lanes* sums) {
    int32_t length = span->bend ? CHUNK : 2 * CHUNK;
    bend_chunk chunk;
    bend_chunk* bends = span->bend ? &chunk : NULL;
    for (int32_t i = span->begin; i < span->end; i += length) {
        int32_t stop = length < span->end - i ? i + length : span->end;
        move_span(span, i, stop, goal, pull, kind, x, v, x_out, v_out, box);
        sums_add(sums, span->members, i, stop, x_out, v_out, pull, kind, next, bends);
        if (!bends) continue;
        SUPI_KERNEL(supi_bend_add)(span->members, i, stop, bends, sums->s + SUPI_SUM_BEND);
    }
}

/* The sums over the new rows about the centre `next` are those that `moments` would take. */
static void move(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                 supi_cluster_kind kind, const sup_row* x, const sup_row* v, sup_row* x_out,
                 sup_row* v_out, supi_extent* out, const float next[3], float* sums) {
    box_rows box = box_begin();
    sum_lanes carried;
    if (!sums || kind == SUPI_CLUSTER_PREDICTED) {
        move_span(span, span->begin, span->end, goal, pull, kind, x, v, x_out, v_out, &box);
        box_end(&box, out);
        return;
    }
    sums_begin(&carried);
    if (kind == SUPI_CLUSTER_PLAIN && !span->bend && span->end - span->begin > LONG_SPAN) {
        move_and_sum(span, goal, pull, x, v, x_out, v_out, &box, next, &carried);
    } else {
        move_chunks(span, goal, pull, kind, x, v, x_out, v_out, &box, next, &carried);
    }
    box_end(&box, out);
    sums_end(&carried, kind, span->bend, sums);
}

F8_INLINE void ask_rows(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                        supi_cluster_kind kind, bool bends, const sup_row* x, const sup_row* v,
                        sup_row* asked) {
    const supi_members m = *span->members; /* a copy, which no store into rows can change */
    goal_lanes g = spread_goal(goal, span->bend, pull, kind, bends);
    supi_f8 h = row_of_same(pull->h), a = row_of_three(pull->acceleration);
    for (int32_t i = span->begin; i < span->end; i += 8) {
        supi_rows8 at = matched_rows(&m, i, x, v, h, a, kind, true);
        supi_rows8 speed = at;
        if (kind == SUPI_CLUSTER_DAMPED) speed = rows8_gather(v, m.index + i);
        lanes3 goals = goals_of(&m, i, &g, bends);
        rows8_store(asked + i, wish(goals, &g, at, speed, kind));
    }
}

static void ask(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                supi_cluster_kind kind, const sup_row* x, const sup_row* v, sup_row* asked) {
#define ASK(k, bends) ask_rows(span, goal, pull, k, bends, x, v, asked)
    bool bends = span->bend != NULL;
    FOR_EACH(ASK, bends)
#undef ASK
}

static void inspect(const sup_row* x, int32_t begin, int32_t end, supi_extent* out) {
    box_rows box = box_begin();
    int32_t i = begin;
    for (; i + 2 <= end; i += 2) box_take(&box, f8_load(&x[i].x));
    if (i < end) box_take(&box, pair_load(x + i, x + i));
    box_end(&box, out);
}

const supi_kernels SUPI_KERNEL(supi_kernels) = {
    SUPI_SIMD_SET,
    moments,
    SUPI_KERNEL(supi_match),
    SUPI_KERNEL(supi_rotate),
    move,
    ask,
    inspect,
    SUPI_KERNEL(supi_window_slide),
    &SUPI_KERNEL(supi_spring_kernels),
    &SUPI_KERNEL(supi_frame_kernels),
};
