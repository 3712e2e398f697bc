/* What a substep does to oriented particles, eight at a time: rows, links and groups of one body,
   or of eight bodies side by side. For kernel files only. */
#ifndef SUPPLE_SOLVE_FRAME_PHASES_H
#define SUPPLE_SOLVE_FRAME_PHASES_H

#include "solve/frame_lanes.h"

F8_INLINE void lanes_load6(const float m[6][8], supi_f8 out[6]) {
    for (int k = 0; k < 6; k++) out[k] = f8_load(m[k]);
}
F8_INLINE void lanes_set6(const float m[6], supi_f8 out[6]) {
    for (int k = 0; k < 6; k++) out[k] = f8_set(m[k]);
}

/* ---- Before constraints ---- */

/* Spin at the start of the substep: what it is at the present turn r, turned back by h w. */
F8_INLINE lanes3 spin_before(const supi_f8 r[9], const supi_f8 inertia[6], lanes3 w, supi_f8 back) {
    lanes3 l = lanes3_turned_symmetric(r, inertia, w);
    return lanes3_turn_by(lanes4_exp(lanes3_scale(back, w)), l);
}

/* Row k of the weighted moment of a row. */
F8_INLINE lanes3 moment_row(const supi_f8 r[9], const supi_f8 moment[6], supi_f8 weight, int k) {
    lanes3 row = {r[3 * k], r[3 * k + 1], r[3 * k + 2]};
    return lanes3_scale(weight, lanes3_symmetric(moment, row));
}

/* ---- Links ---- */

typedef struct link_lanes {
    supi_f8 length, compliance, damping, on;
    bool damped;
} link_lanes;

/* Direction of a link at rest; along x where its ends are in one place. */
F8_INLINE void rest_direction(const sup_vec3* a, const sup_vec3* b, float n[3]) {
    float d[3] = {a->x - b->x, a->y - b->y, a->z - b->z};
    float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    bool known = square > 1e-30f;
    float scale = known ? 1.0f / sqrtf(square) : 0.0f;
    n[0] = known ? d[0] * scale : 1.0f;
    n[1] = d[1] * scale;
    n[2] = d[2] * scale;
}

/* Of links whose first ends are d from the others. Those that are `tiny` have none. */
F8_INLINE lanes3 link_direction(lanes3 d, supi_f8 length, supi_f8* far, supi_m8* tiny) {
    const supi_f8 one = f8_set(1.0f);
    *far = f8_sqrt(lanes3_dot(d, d));
    *tiny = f8_less(*far, f8_madd(f8_set(1e-6f), length, f8_set(1e-30f)));
    return lanes3_scale(f8_div(one, f8_select(*tiny, one, *far)), d);
}

/* What links do to their ends, times the inverse masses wa and wb of these: + a, - b. `moved`: by
   how much a has moved against b in the substep, read only where one is damped. */
F8_INLINE lanes3 link_pull(const link_lanes* link, const supi_frame_drive* drive, lanes3 n,
                           supi_f8 far, supi_f8 wa, supi_f8 wb, lanes3 moved) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_f8 soft = f8_mul(link->compliance, f8_set(drive->per_h * drive->per_h));
    supi_f8 weight = f8_add(wa, wb), wanted = f8_sub(link->length, far);
    supi_f8 under = f8_add(weight, soft);
    if (link->damped) {
        supi_f8 gamma = f8_mul(f8_mul(link->compliance, link->damping), f8_set(drive->per_h));
        wanted = f8_sub(wanted, f8_mul(gamma, lanes3_dot(n, moved)));
        under = f8_madd(gamma, weight, under);
    }
    supi_m8 held = f8_less(zero, weight);
    supi_f8 pull = f8_select(held, f8_div(wanted, f8_select(held, under, one)), zero);
    return lanes3_scale(f8_mul(pull, link->on), n);
}

/* ---- Groups ---- */

/* What a match finds. */
typedef struct matched8 {
    lanes3 centre; /* from the row in the middle: rounding then costs no momentum */
    lanes4 turn;
} matched8;

/* A warm start that lags brakes: it is turned by what the middle is about to turn. */
F8_INLINE lanes4 ahead(lanes4 q, lanes3 spin, float h) {
    lanes4 by = lanes4_with(lanes3_scale(f8_set(0.5f * h), spin), f8_set(1.0f));
    return lanes4_product(by, q);
}

/* Sums of a group: the place of a member that is `from` where the centre ought to be. */
F8_INLINE void add_place(lanes3 from, supi_f8 mu, lanes3 rest, lanes3* first, lanes3 a[3]) {
    lanes3 d = lanes3_scale(mu, from);
    *first = lanes3_add(*first, d);
    a[0] = lanes3_madd(d.x, rest, a[0]);
    a[1] = lanes3_madd(d.y, rest, a[1]);
    a[2] = lanes3_madd(d.z, rest, a[2]);
}

/* From the sums of groups to their match; `q` is where the search begins, `lead` as in add_place.
 */
F8_INLINE void match_sums(const supi_f8 b[9], lanes3 first, lanes4 q, lanes3 lead,
                          supi_f8 inverse_weight, lanes3 residue, matched8* out) {
    supi_f8 turn[4] = {q.x, q.y, q.z, q.w};
    rotation_extract(b, turn, NULL);
    lanes4 found = {turn[0], turn[1], turn[2], turn[3]};
    lanes3 mean = lanes3_scale(inverse_weight, first);
    mean = lanes3_sub(mean, lanes3_turn_by(found, residue));
    out->centre = lanes3_sub(mean, lead);
    out->turn = found;
}

/* From where a row is to where a group wants it. */
F8_INLINE lanes3 way_to_goal(lanes3 x, lanes3 middle, lanes3 centre, lanes4 turn, lanes3 offset) {
    lanes3 away = lanes3_sub(middle, x);
    return lanes3_add(lanes3_add(away, centre), lanes3_turn_by(turn, offset));
}

/* Turns that groups want of a row: their sum, each with the sign that is nearer to it. */
typedef struct wanted8 {
    lanes4 sum;
    supi_f8 weight;
} wanted8;

F8_INLINE wanted8 wanted_none(void) {
    supi_f8 zero = f8_set(0.0f);
    wanted8 none = {{zero, zero, zero, zero}, zero};
    return none;
}

F8_INLINE void want_turn(wanted8* wanted, lanes4 q, lanes4 r, supi_f8 weight) {
    supi_f8 near = f8_madd(q.w, r.w, lanes3_dot(lanes3_of(q), lanes3_of(r)));
    supi_f8 signed_weight = f8_flip(weight, near);
    lanes3 sum = lanes3_madd(signed_weight, lanes3_of(r), lanes3_of(wanted->sum));
    wanted->sum = lanes4_with(sum, f8_madd(signed_weight, r.w, wanted->sum.w));
    wanted->weight = f8_add(wanted->weight, weight);
}

/* The mean of the turns from q to those wanted, as a vector. A turn by a has sin(a / 2) in its
   quaternion, so a sum of these is that of the vectors but for a factor, which is taken at the mean
   cosine: exact where groups want the same, and to the third order of how far they differ. One
   factor for all saves most of what a row costs. */
F8_INLINE lanes3 turn_wanted(const wanted8* wanted, lanes4 q) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    lanes3 u = lanes3_of(wanted->sum), v = lanes3_of(q);
    lanes3 d = lanes3_sub(lanes3_sub(lanes3_scale(q.w, u), lanes3_scale(wanted->sum.w, v)),
                          lanes3_cross(u, v));
    supi_f8 cosine = f8_madd(wanted->sum.w, q.w, lanes3_dot(u, v));
    supi_m8 some = f8_less(zero, wanted->weight);
    supi_f8 mean = f8_div(f8_select(some, cosine, one), f8_select(some, wanted->weight, one));
    return lanes3_scale(lanes_arc_factor(f8_sub(one, mean)), d);
}

/* ---- Momenta ---- */

/* Rows with all that constraints have done to them. */
typedef struct row_lanes {
    lanes3 x, v, w, cx, cw;
    lanes3 spin; /* at the start */
    lanes4 q;
    supi_f8 mass, inertia[6];
} row_lanes;

/* Adds R m R^T, xx yy zz yz zx xy. */
F8_INLINE void add_turned(const supi_f8 r[9], const supi_f8 m[6], supi_f8 sums[6]) {
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

F8_INLINE void add_row_sums(const row_lanes* row, const supi_frame_drive* drive, lanes3 reference,
                            supi_f8* s) {
    const supi_f8 h = f8_set(drive->h), per_h = f8_set(drive->per_h);
    lanes3 d = lanes3_sub(row->x, reference);
    lanes3 start = lanes3_sub(lanes3_sub(d, row->cx), lanes3_scale(h, row->v));
    lanes3 mc = lanes3_scale(row->mass, row->cx), md = lanes3_scale(row->mass, d);
    s[SUPI_FRAME_SUM_MASS] = f8_add(s[SUPI_FRAME_SUM_MASS], row->mass);
    add3(s + SUPI_FRAME_SUM_SHIFT, mc);
    add3(s + SUPI_FRAME_SUM_PLACE, md);
    add3(s + SUPI_FRAME_SUM_SPIN, lanes3_scale(per_h, lanes3_cross(start, mc)));
    add3(s + SUPI_FRAME_SUM_START, lanes3_scale(row->mass, start));
    supi_f8 *spread = s + SUPI_FRAME_SUM_SPREAD, r[9];
    spread[0] = f8_madd(md.x, d.x, spread[0]);
    spread[1] = f8_madd(md.y, d.y, spread[1]);
    spread[2] = f8_madd(md.z, d.z, spread[2]);
    spread[3] = f8_madd(md.y, d.z, spread[3]);
    spread[4] = f8_madd(md.z, d.x, spread[4]);
    spread[5] = f8_madd(md.x, d.y, spread[5]);
    lanes4_matrix(row->q, r);
    lanes3 rate = lanes3_madd(per_h, row->cw, row->w);
    lanes3 now = lanes3_turned_symmetric(r, row->inertia, rate);
    add3(s + SUPI_FRAME_SUM_TURN, lanes3_sub(now, row->spin));
    add_turned(r, row->inertia, s + SUPI_FRAME_SUM_INERTIA);
}

/* How a body is carried as a whole. */
typedef struct carry_lanes {
    lanes3 way, arc, about;
    lanes4 by; /* exp(arc) */
} carry_lanes;

F8_INLINE lanes3 carried_by(const carry_lanes* c, lanes3 x) {
    lanes3 p = lanes3_sub(x, c->about);
    return lanes3_add(c->way, lanes3_cross(c->arc, p));
}

/* ---- Velocities ---- */

F8_INLINE lanes3 no_faster(lanes3 a, float most) {
    supi_f8 square = lanes3_dot(a, a), limit = f8_set(most * most);
    supi_m8 wild = f8_less(limit, square);
    if (!m8_bits(wild)) return a;
    supi_f8 cut = f8_sqrt(f8_div(limit, f8_select(wild, square, limit)));
    return lanes3_select(wild, lanes3_scale(cut, a), a);
}

F8_INLINE lanes3 speed_after(const supi_frame_drive* drive, lanes3 v, lanes3 cx) {
    return no_faster(lanes3_madd(f8_set(drive->per_h), cx, v), drive->fastest);
}

F8_INLINE lanes3 rate_after(const supi_frame_drive* drive, lanes3 w, lanes3 cw, supi_f8 plain) {
    lanes3 rate = no_faster(lanes3_madd(f8_set(drive->per_h), cw, w), drive->widest);
    return lanes3_select(f8_less(f8_set(0.5f), plain), lanes3_zero(), rate);
}

#endif
