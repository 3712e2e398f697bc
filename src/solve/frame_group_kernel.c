/* Groups of oriented particles, eight at a time: each lane is a group, then each lane is a row with
   all its groups. */
#include "solve/frame_phases.h"
#include "supple/frame.h"

/* Sums over the members of eight groups. */
typedef struct sums8 {
    supi_rows8 moment[3]; /* as rows, which become lanes once */
    lanes3 first, a[3];   /* of places, about where the centre ought to be */
} sums8;

F8_INLINE void add_column(const supi_frame_column* column, bool full, supi_rows8 origin,
                          lanes3 lead, const supi_frame_rows* rows, sums8* s) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_rows8 at = rows8_gather(rows->x, column->at), there = at;
    if (!full) {
        supi_f8 is = f8_select(f8_less(zero, f8_load(column->share)), one, zero);
        there = rows8_from_lanes(is, is, is, zero);
    }
    for (int k = 0; k < 4; k++) {
        const sup_row* even = rows->moment + 3 * (size_t)column->at[2 * k];
        const sup_row* odd = rows->moment + 3 * (size_t)column->at[2 * k + 1];
        for (int j = 0; j < 3; j++) {
            supi_f8 pair = pair_load(even + j, odd + j);
            if (!full) pair = f8_mul(there.r[k], pair);
            s->moment[j].r[k] = f8_add(s->moment[j].r[k], pair);
        }
        at.r[k] = f8_sub(at.r[k], origin.r[k]);
    }
    lanes3 rest = {f8_load(column->x), f8_load(column->y), f8_load(column->z)};
    lanes3 from = lanes3_add(lanes3_of(lanes4_of(at)), lead);
    add_place(from, f8_load(column->mu), rest, &s->first, s->a);
}

/* start: where the search for the rotation begins. Not inlined, so that its loops are there once.
 */
static __attribute__((noinline)) void match_batch(const supi_frame_batch* batch,
                                                  const supi_frame_column* columns,
                                                  const supi_frame_rows* rows, const lanes4* start,
                                                  matched8* out) {
    lanes4 q = *start;
    const supi_f8 zero = f8_set(0.0f);
    const supi_rows8 none = {{zero, zero, zero, zero}};
    supi_rows8 origin = rows8_gather(rows->x, batch->centre);
    sums8 s = {{none, none, none}, lanes3_zero(), {lanes3_zero(), lanes3_zero(), lanes3_zero()}};
    /* The first member is the middle one. Its offset, as it is turned now, leads to where the
       centre ought to be: about that the sums are small, and rounding does not push the body. */
    const supi_frame_column* own = columns + batch->begin;
    lanes3 offset = {f8_load(own->x), f8_load(own->y), f8_load(own->z)};
    lanes3 lead = lanes3_turn_by(q, offset);
    for (int32_t i = batch->begin; i < batch->full; i++) {
        add_column(columns + i, true, origin, lead, rows, &s);
    }
    for (int32_t i = batch->full; i < batch->end; i++) {
        add_column(columns + i, false, origin, lead, rows, &s);
    }
    supi_f8 b[9];
    for (int k = 0; k < 3; k++) {
        lanes3 row = lanes3_add(s.a[k], lanes3_of(lanes4_of(s.moment[k])));
        b[3 * k] = row.x;
        b[3 * k + 1] = row.y;
        b[3 * k + 2] = row.z;
    }
    lanes3 residue = {f8_load(batch->residue[0]), f8_load(batch->residue[1]),
                      f8_load(batch->residue[2])};
    match_sums(b, s.first, q, lead, f8_load(batch->inverse_weight), residue, out);
}

void SUPI_KERNEL(supi_frame_match)(const supi_frame_batch* batches, int32_t count,
                                   const supi_frame_column* columns, const supi_frame_drive* drive,
                                   const float* s, const supi_frame_rows* rows, sup_row* turn,
                                   sup_row* origin, sup_row* centre) {
    for (int32_t i = 0; i < count; i++) {
        lanes4 q = lanes4_load(turn + 8 * i);
        q = ahead(q, lanes3_of(lanes4_gather(rows->w, batches[i].centre)), drive->h);
        matched8 m;
        match_batch(batches + i, columns, rows, &q, &m);
        lanes4_store(turn + 8 * i, m.turn);
        rows8_store(origin + 8 * i, rows8_gather(rows->x, batches[i].centre));
        lanes4_store(centre + 8 * i, lanes4_with(m.centre, f8_set(0.0f)));
        /* one by one: eight small stores that one load waits for take longer */
        for (int j = 0; j < 8; j++) centre[8 * i + j].w = s[batches[i].group[j]];
    }
}

void SUPI_KERNEL(supi_frame_blend)(const supi_frame_blend* blends, int32_t count,
                                   const supi_frame_column* columns, const sup_row* turn,
                                   const sup_row* origin, const sup_row* centre,
                                   const supi_frame_rows* rows) {
    const supi_f8 zero = f8_set(0.0f);
    for (int32_t i = 0; i < count; i++) {
        const supi_frame_blend* blend = blends + i;
        lanes4 x = lanes4_gather(rows->x, blend->row), q = lanes4_gather(rows->q, blend->row);
        supi_f8 follows = f8_load(blend->follows), plain = f8_load(blend->plain);
        supi_m8 moves = lanes_free(x.w, follows);
        lanes3 place = lanes3_zero();
        wanted8 wanted = wanted_none();
        for (int32_t k = blend->begin; k < blend->end; k++) {
            const supi_frame_column* column = columns + k;
            lanes4 c = lanes4_gather(centre, column->at), r = lanes4_gather(turn, column->at);
            lanes3 offset = {f8_load(column->x), f8_load(column->y), f8_load(column->z)};
            supi_f8 share = f8_load(column->share);
            lanes4 middle = lanes4_gather(origin, column->at);
            lanes3 away = way_to_goal(lanes3_of(x), lanes3_of(middle), lanes3_of(c), r, offset);
            place = lanes3_madd(f8_mul(share, f8_max(c.w, follows)), away, place);
            want_turn(&wanted, q, r, f8_mul(share, f8_max(c.w, plain)));
        }
        place = lanes3_select(moves, place, lanes3_zero());
        lanes3 arc = lanes3_select(moves, turn_wanted(&wanted, q), lanes3_zero());
        supi_rows8 change = lanes4_rows(lanes4_with(place, zero));
        rows8_add_at(rows->x, blend->row, change);
        rows8_add_at(rows->cx, blend->row, change);
        rows8_add_at(rows->cw, blend->row, lanes4_rows(lanes4_with(arc, zero)));
        lanes4 turned = lanes4_select(moves, lanes4_turned(q, arc), q);
        rows8_scatter(rows->q, blend->row, lanes4_rows(turned));
    }
}

/* ---- One group after the other ---- */

F8_INLINE supi_f8 shares_of(const supi_frame_batch* batch, const float* s) {
    float shares[8];
    for (int j = 0; j < 8; j++) shares[supi_lane_order(j)] = s[batch->group[j]];
    return f8_load(shares);
}

/* One row of each lane; its rest data are gathered, as rows come in any order. */
F8_INLINE void gather_flags(const supi_frame_rows8* rest, const int32_t* row, supi_f8* follows,
                            supi_f8* plain) {
    float a[8], b[8];
    for (int j = 0; j < 8; j++) {
        const supi_frame_rows8* eight = rest + row[j] / 8;
        int32_t lane = supi_lane_order(row[j] & 7), to = supi_lane_order(j);
        a[to] = eight->follows[lane];
        b[to] = eight->plain[lane];
    }
    *follows = f8_load(a);
    *plain = f8_load(b);
}

/* Moments of the middle rows after they have turned. */
F8_INLINE void renew_moments(const supi_frame_rows8* rest, const int32_t* row, lanes4 q,
                             sup_row* moment) {
    float m[6][8];
    for (int j = 0; j < 8; j++) {
        const supi_frame_rows8* eight = rest + row[j] / 8;
        int32_t lane = supi_lane_order(row[j] & 7), to = supi_lane_order(j);
        float weight = eight->weight[SUP_FRAME_CLASSIC][lane];
        for (int k = 0; k < 6; k++) m[k][to] = weight * eight->moment[k][lane];
    }
    supi_f8 r[9], moments[6];
    lanes_load6(m, moments);
    lanes4_matrix(q, r);
    for (int k = 0; k < 3; k++) {
        lanes3 along = {r[3 * k], r[3 * k + 1], r[3 * k + 2]};
        lanes4 a = lanes4_with(lanes3_symmetric(moments, along), f8_set(0.0f));
        supi_rows8 out = lanes4_rows(a);
        for (int j = 0; j < 4; j++) {
            pair_store(moment + 3 * (size_t)row[2 * j] + k, moment + 3 * (size_t)row[2 * j + 1] + k,
                       out.r[j]);
        }
    }
}

/* Moves one member of each group. */
F8_INLINE void pull_column(const supi_frame_column* column, const matched8* m, lanes3 middle,
                           supi_f8 s, const supi_frame_rows* rows) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    lanes4 x = lanes4_gather(rows->x, column->at);
    lanes3 offset = {f8_load(column->x), f8_load(column->y), f8_load(column->z)};
    supi_f8 weightless = f8_select(f8_less(zero, f8_load(column->mu)), zero, one);
    supi_m8 moves = lanes_free(x.w, weightless);
    lanes3 away = way_to_goal(lanes3_of(x), middle, m->centre, m->turn, offset);
    away = lanes3_scale(f8_mul(s, f8_load(column->share)), away);
    supi_rows8 change = lanes4_rows(lanes4_with(lanes3_select(moves, away, lanes3_zero()), zero));
    rows8_add_at(rows->x, column->at, change);
    rows8_add_at(rows->cx, column->at, change);
}

void SUPI_KERNEL(supi_frame_classic)(const supi_frame_batch* batch,
                                     const supi_frame_column* columns,
                                     const supi_frame_drive* drive, const float* s,
                                     float turn_share, const supi_frame_rows8* rest,
                                     const supi_frame_rows* rows, sup_row* turn) {
    supi_f8 share = shares_of(batch, s), follows, plain, zero = f8_set(0.0f);
    lanes4 start = lanes4_gather(turn, batch->group);
    start = ahead(start, lanes3_of(lanes4_gather(rows->w, batch->centre)), drive->h);
    matched8 m;
    match_batch(batch, columns, rows, &start, &m);
    rows8_scatter(turn, batch->group, lanes4_rows(m.turn));
    lanes4 q = lanes4_gather(rows->q, batch->centre);
    lanes4 middle = lanes4_gather(rows->x, batch->centre);
    gather_flags(rest, batch->centre, &follows, &plain);
    supi_m8 live = m8_and(lanes_free(middle.w, follows), f8_less(zero, share));
    for (int32_t i = batch->begin; i < batch->end; i++) {
        pull_column(columns + i, &m, lanes3_of(middle), share, rows);
    }
    lanes3 arc = lanes3_scale(f8_max(f8_set(turn_share), plain), lanes4_between(q, m.turn));
    arc = lanes3_select(live, arc, lanes3_zero());
    rows8_add_at(rows->cw, batch->centre, lanes4_rows(lanes4_with(arc, zero)));
    q = lanes4_select(live, lanes4_turned(q, arc), q);
    rows8_scatter(rows->q, batch->centre, lanes4_rows(q));
    renew_moments(rest, batch->centre, q, rows->moment);
}
