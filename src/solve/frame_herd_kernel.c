/* Oriented particles, eight bodies of one net at a time: each lane is a body. Nothing is gathered,
   no lane is idle, and what the net says is one number for all. Each lane does what the kernels for
   one body do, in the same order. */
#include "solve/frame_phases.h"

/* ---- Lanes in the room ---- */

F8_INLINE lanes3 take3(const supi_herd3* from) {
    lanes3 a = {f8_load(from->x), f8_load(from->y), f8_load(from->z)};
    return a;
}
F8_INLINE lanes4 take4(const supi_herd4* from) {
    lanes4 a = {f8_load(from->x), f8_load(from->y), f8_load(from->z), f8_load(from->w)};
    return a;
}
F8_INLINE lanes3 take_place(const supi_herd4* from) {
    lanes3 a = {f8_load(from->x), f8_load(from->y), f8_load(from->z)};
    return a;
}
F8_INLINE void put3(supi_herd3* to, lanes3 a) {
    f8_store(to->x, a.x);
    f8_store(to->y, a.y);
    f8_store(to->z, a.z);
}
F8_INLINE void put4(supi_herd4* to, lanes4 a) {
    f8_store(to->x, a.x);
    f8_store(to->y, a.y);
    f8_store(to->z, a.z);
    f8_store(to->w, a.w);
}
F8_INLINE void put_place(supi_herd4* to, lanes3 a) {
    f8_store(to->x, a.x);
    f8_store(to->y, a.y);
    f8_store(to->z, a.z);
}
F8_INLINE lanes3 offset_of(const supi_herd_member* m) {
    lanes3 a = {f8_set(m->x), f8_set(m->y), f8_set(m->z)};
    return a;
}

/* One row of each body, from or to where these have it. */
F8_INLINE lanes4 collect(sup_row* const of[8], int32_t row) {
    supi_rows8 rows;
    for (int k = 0; k < 4; k++) rows.r[k] = pair_load(of[2 * k] + row, of[2 * k + 1] + row);
    return lanes4_of(rows);
}
F8_INLINE void deal(sup_row* const of[8], int32_t row, lanes4 a) {
    supi_rows8 rows = lanes4_rows(a);
    for (int k = 0; k < 4; k++) pair_store(of[2 * k] + row, of[2 * k + 1] + row, rows.r[k]);
}

typedef struct herd_rows {
    sup_row *x[8], *v[8], *q[8], *w[8];
} herd_rows;

F8_INLINE herd_rows rows_of_herd(const supi_frame_rows bodies[8]) {
    herd_rows of;
    for (int j = 0; j < 8; j++) {
        of.x[j] = bodies[j].x;
        of.v[j] = bodies[j].v;
        of.q[j] = bodies[j].q;
        of.w[j] = bodies[j].w;
    }
    return of;
}

/* ---- Phases ---- */

static void begin(const supi_frame_herd* herd, const supi_frame_drive* drive,
                  const supi_frame_rows bodies[8], const supi_herd_room* room) {
    const supi_f8 back = f8_set(-drive->h);
    const herd_rows of = rows_of_herd(bodies);
    for (int32_t i = 0; i < herd->row_count; i++) {
        const supi_herd_row* rest = herd->rows + i;
        lanes4 q = collect(of.q, i);
        lanes3 w = lanes3_of(collect(of.w, i));
        supi_f8 r[9], inertia[6], moment[6];
        lanes_set6(rest->inertia, inertia);
        lanes_set6(rest->moment, moment);
        lanes4_matrix(q, r);
        for (int k = 0; k < 3; k++) {
            put3(room->moment + 3 * i + k, moment_row(r, moment, f8_set(rest->weight), k));
        }
        put3(room->spin + i, spin_before(r, inertia, w, back));
        put4(room->x + i, collect(of.x, i));
        put3(room->v + i, lanes3_of(collect(of.v, i)));
        put4(room->q + i, q);
        put3(room->w + i, w);
        put3(room->cx + i, lanes3_zero());
        put3(room->cw + i, lanes3_zero());
    }
}

static void mend(const supi_herd_link* link, const supi_frame_drive* drive, const sup_vec3* place,
                 const supi_herd_room* room) {
    lanes4 xa = take4(room->x + link->a), xb = take4(room->x + link->b);
    lanes3 ca = take3(room->cx + link->a), cb = take3(room->cx + link->b);
    lanes3 between = lanes3_sub(ca, cb), moved = lanes3_zero();
    lanes3 d = lanes3_add(lanes3_sub(lanes3_of(xa), lanes3_of(xb)), between);
    link_lanes l = {f8_set(link->length), f8_set(link->compliance), f8_set(link->damping),
                    f8_set(link->on), link->compliance > 0.0f && link->damping > 0.0f};
    supi_f8 far;
    supi_m8 tiny;
    lanes3 n = link_direction(d, l.length, &far, &tiny);
    if (m8_bits(tiny)) {
        float at[3];
        rest_direction(place + link->a, place + link->b, at);
        lanes3 rest = {f8_set(at[0]), f8_set(at[1]), f8_set(at[2])};
        n = lanes3_select(tiny, lanes3_turn_by(take4(room->q + link->a), rest), n);
    }
    if (l.damped) {
        lanes3 speed = lanes3_sub(take3(room->v + link->a), take3(room->v + link->b));
        moved = lanes3_madd(f8_set(drive->h), speed, between);
    }
    n = link_pull(&l, drive, n, far, xa.w, xb.w, moved);
    put3(room->cx + link->a, lanes3_add(ca, lanes3_scale(xa.w, n)));
    put3(room->cx + link->b, lanes3_sub(cb, lanes3_scale(xb.w, n)));
}

static void match(const supi_frame_herd* herd, int32_t index, const supi_frame_drive* drive,
                  sup_row* const turns[8], const supi_herd_room* room) {
    const supi_herd_group* group = herd->groups + index;
    const supi_herd_member* members = herd->members;
    lanes4 q = ahead(collect(turns, index), take3(room->w + group->centre), drive->h);
    lanes3 origin = take_place(room->x + group->centre);
    lanes3 lead = lanes3_turn_by(q, offset_of(members + group->begin));
    lanes3 moment[3] = {lanes3_zero(), lanes3_zero(), lanes3_zero()};
    for (int32_t i = group->begin; i < group->end; i++) {
        const supi_herd3* own = room->moment + 3 * members[i].at;
        for (int k = 0; k < 3; k++) moment[k] = lanes3_add(moment[k], take3(own + k));
    }
    lanes3 first = lanes3_zero(), a[3] = {first, first, first};
    for (int32_t i = group->begin; i < group->end; i++) {
        lanes3 from = lanes3_sub(take_place(room->x + members[i].at), origin);
        from = lanes3_add(from, lead);
        add_place(from, f8_set(members[i].weight), offset_of(members + i), &first, a);
    }
    supi_f8 b[9];
    for (int k = 0; k < 3; k++) {
        lanes3 row = lanes3_add(a[k], moment[k]);
        b[3 * k] = row.x;
        b[3 * k + 1] = row.y;
        b[3 * k + 2] = row.z;
    }
    lanes3 residue = {f8_set(group->residue[0]), f8_set(group->residue[1]),
                      f8_set(group->residue[2])};
    matched8 m;
    match_sums(b, first, q, lead, f8_set(group->inverse_weight), residue, &m);
    deal(turns, index, m.turn);
    put4(room->turn + index, m.turn);
    put3(room->origin + index, origin);
    put3(room->centre + index, m.centre);
}

static float larger(float a, float b) { return a > b ? a : b; }

static void blend(const supi_frame_herd* herd, const supi_herd_blend* to, const float* s,
                  const supi_herd_room* room) {
    lanes4 x = take4(room->x + to->row), q = take4(room->q + to->row);
    supi_m8 moves = lanes_free(x.w, f8_set(to->follows));
    lanes3 place = lanes3_zero();
    wanted8 wanted = wanted_none();
    for (int32_t i = to->begin; i < to->end; i++) {
        const supi_herd_member* share = herd->shares + i;
        int32_t group = share->at;
        lanes4 r = take4(room->turn + group);
        lanes3 away = way_to_goal(lanes3_of(x), take3(room->origin + group),
                                  take3(room->centre + group), r, offset_of(share));
        place = lanes3_madd(f8_set(share->weight * larger(s[group], to->follows)), away, place);
        want_turn(&wanted, q, r, f8_set(share->weight * larger(s[group], to->plain)));
    }
    place = lanes3_select(moves, place, lanes3_zero());
    lanes3 arc = lanes3_select(moves, turn_wanted(&wanted, q), lanes3_zero());
    put_place(room->x + to->row, lanes3_add(lanes3_of(x), place));
    put3(room->cx + to->row, lanes3_add(take3(room->cx + to->row), place));
    put3(room->cw + to->row, lanes3_add(take3(room->cw + to->row), arc));
    put4(room->q + to->row, lanes4_select(moves, lanes4_turned(q, arc), q));
}

/* As eight lanes of rows and the tree that adds them up would do it: rows a multiple of eight
   apart, then neighbours, then the first and third of these, the second and fourth. */
static void sums(const supi_frame_herd* herd, const supi_frame_drive* drive,
                 const supi_herd_room* room, float reference[3][8],
                 float out[SUPI_FRAME_SUM_COUNT][8]) {
    supi_f8 s[8][SUPI_FRAME_SUM_COUNT];
    lanes3 about = take_place(room->x);
    for (int j = 0; j < 8; j++) {
        for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) s[j][k] = f8_set(0.0f);
        for (int32_t i = j; i < herd->row_count; i += 8) {
            row_lanes row = {.x = take_place(room->x + i),
                             .v = take3(room->v + i),
                             .w = take3(room->w + i),
                             .cx = take3(room->cx + i),
                             .cw = take3(room->cw + i),
                             .spin = take3(room->spin + i),
                             .q = take4(room->q + i),
                             .mass = f8_set(herd->rows[i].mass)};
            lanes_set6(herd->rows[i].inertia, row.inertia);
            add_row_sums(&row, drive, about, s[j]);
        }
    }
    for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) {
        supi_f8 pair[4];
        for (int j = 0; j < 4; j++) pair[j] = f8_add(s[2 * j][k], s[2 * j + 1][k]);
        f8_store(out[k], f8_add(f8_add(pair[0], pair[2]), f8_add(pair[1], pair[3])));
    }
    f8_store(reference[0], about.x);
    f8_store(reference[1], about.y);
    f8_store(reference[2], about.z);
}

void SUPI_KERNEL(supi_frame_herd_match)(const supi_frame_herd* herd, const supi_frame_drive* drive,
                                        const float* s, const supi_frame_rows bodies[8],
                                        sup_row* const turns[8], const supi_herd_room* room,
                                        float reference[3][8],
                                        float totals[SUPI_FRAME_SUM_COUNT][8]) {
    begin(herd, drive, bodies, room);
    for (int32_t i = 0; i < herd->link_count; i++) {
        mend(herd->links + i, drive, herd->place, room);
    }
    for (int32_t i = 0; i < herd->row_count && herd->link_count > 0; i++) {
        put_place(room->x + i, lanes3_add(take_place(room->x + i), take3(room->cx + i)));
    }
    for (int32_t i = 0; i < herd->group_count; i++) match(herd, i, drive, turns, room);
    for (int32_t i = 0; i < herd->blend_count; i++) blend(herd, herd->blends + i, s, room);
    if (totals) sums(herd, drive, room, reference, totals);
}

F8_INLINE lanes3 lanes3_load(const float a[3][8]) {
    lanes3 c = {f8_load(a[0]), f8_load(a[1]), f8_load(a[2])};
    return c;
}

void SUPI_KERNEL(supi_frame_herd_finish)(const supi_frame_herd* herd, const supi_frame_drive* drive,
                                         const supi_herd_carry* carry, const supi_herd_room* room,
                                         const supi_frame_rows bodies[8]) {
    const herd_rows of = rows_of_herd(bodies);
    carry_lanes all = {lanes3_zero(), lanes3_zero(), lanes3_zero(), lanes4_exp(lanes3_zero())};
    if (carry) {
        all.way = lanes3_load(carry->u);
        all.arc = lanes3_load(carry->o);
        all.about = lanes3_load(carry->middle);
        all.by = lanes4_exp(all.arc);
    }
    for (int32_t i = 0; i < herd->row_count; i++) {
        const supi_herd_row* rest = herd->rows + i;
        lanes4 x = take4(room->x + i), q = take4(room->q + i);
        lanes4 v = collect(of.v, i), w = collect(of.w, i);
        lanes3 place = lanes3_of(x), cx = take3(room->cx + i), cw = take3(room->cw + i);
        supi_m8 moves = lanes_free(x.w, f8_set(rest->follows));
        if (carry) {
            lanes3 c = lanes3_select(moves, carried_by(&all, place), lanes3_zero());
            place = lanes3_add(place, c);
            cx = lanes3_add(cx, c);
            cw = lanes3_add(cw, lanes3_select(moves, all.arc, lanes3_zero()));
            q = lanes4_select(moves, lanes4_product(all.by, q), q);
        }
        lanes3 speed = speed_after(drive, lanes3_of(v), cx);
        lanes3 rate = rate_after(drive, lanes3_of(w), cw, f8_set(rest->plain));
        speed = lanes3_select(moves, speed, lanes3_of(v));
        rate = lanes3_select(moves, rate, lanes3_of(w));
        deal(of.x, i, lanes4_with(place, x.w));
        deal(of.v, i, lanes4_with(speed, v.w));
        deal(of.q, i, q);
        deal(of.w, i, lanes4_with(rate, w.w));
    }
}
