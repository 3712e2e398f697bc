#include "contact/fill_turning.h"

#include "contact/encounter.h"
#include "contact/kin.h"
#include "contact/rub.h"

/* Cosine between two outward normals above which surfaces look the same way. */
#define FACING_LIMIT 0.5f

/* ---- Pairs ---- */

/* Up to eight pairs that may overlap at the end of the substep. */
typedef struct ends {
    supi_ellipsoid_rows rows; /* b first */
    int32_t count;
} ends;

/* Up to eight that do. */
typedef struct starts {
    supi_encounters e;
    supi_pair pairs[8];
    float scales[8];
    int flat; /* bits of those of which one is flat */
} starts;

/* Pairs on their way to become contacts. */
typedef struct filling {
    const supi_fill* fill;
    const supi_fill_source* source;
    const supi_pairing* pairing;
    supi_contact* contacts;
    supi_grasp* grasps;
    int32_t kept;
    bool deep;
    ends ends;
    starts starts;
} filling;

/* Others leave a piece of a surface on its outer side, whatever side they are on. False: both are
   such and look the same way. */
static bool leave_outwards(const supi_pairing* p, const supi_pair* c, supi_encounters* e,
                           int32_t lane) {
    sup_vec3 out_a, out_b, d = supi_vec3_minus(e->a[lane].centre, e->b[lane].centre);
    bool flat_a = supi_kin_outward(&p->a, c->a, &out_a);
    bool flat_b = supi_kin_outward(&p->b, c->b, &out_b);
    if (!flat_a && !flat_b) return true;
    if (flat_a && flat_b && supi_vec3_dot(out_a, out_b) > FACING_LIMIT) return false;
    sup_vec3 n = flat_a ? supi_vec3_scaled(out_a, -1) : out_b;
    if (flat_a && flat_b) n = supi_vec3_along(n, 1, out_b);
    float length = sqrtf(supi_vec3_dot(n, n));
    if (!(length > 1e-3f)) return true;
    n = supi_vec3_scaled(n, 1 / length);
    /* what lies wholly beside it is apart anyway */
    sup_vec3 aside = supi_rub_tangent(d, n);
    float width = sqrtf(supi_vec3_dot(aside, aside));
    if (width > 0) {
        sup_vec3 t = supi_vec3_scaled(aside, 1 / width);
        if (!(supi_encounter_depth(&e->a[lane], &e->b[lane], t) > 0)) return true;
    }
    supi_encounter* out = &e->out[lane];
    float old = supi_encounter_depth(&e->a_before[lane], &e->b_before[lane], n);
    sup_vec3 back = supi_vec3_scaled(n, -1);
    *out = (supi_encounter){
        .normal = n,
        .depth = supi_encounter_depth(&e->a[lane], &e->b[lane], n),
        .old = old > 0 ? old : 0,
        .arm_a = supi_vec3_minus(supi_ellipsoid_foremost(&e->a[lane], back), e->a[lane].centre),
        .arm_b = supi_vec3_minus(supi_ellipsoid_foremost(&e->b[lane], n), e->b[lane].centre)};
    return true;
}

/* Adds a contact. What had met before the substep does not bounce. */
static void keep(filling* f, int32_t lane) {
    const supi_fill* fill = f->fill;
    const supi_pairing* p = f->pairing;
    const supi_encounters* e = &f->starts.e;
    const supi_pair* pair = &f->starts.pairs[lane];
    const supi_encounter* met = &e->out[lane];
    int32_t region_a = supi_run_region(f->source->run_a, pair->a);
    int32_t region_b = supi_run_region(f->source->run_b, pair->b);
    int32_t to = f->kept++; /* both are written in place */
    supi_contact* c = &f->contacts[to];
    *c = (supi_contact){.a = pair->a,
                        .b = pair->b,
                        .surface = p->surface + region_a * f->source->run_b->grip_count + region_b,
                        .depth = met->depth};
    const supi_surface* surface = &fill->surfaces[c->surface];
    supi_rub_set_normal(c, met->normal);
    c->distance = met->depth +
                  supi_vec3_dot(supi_vec3_minus(e->a[lane].centre, e->b[lane].centre), met->normal);
    float before = supi_encounter_depth(&e->a_before[lane], &e->b_before[lane], met->normal);
    sup_vec3 u = supi_vec3_minus(supi_kin_speed(&p->a, pair->a, fill->v, met->arm_a),
                                 supi_kin_speed(&p->b, pair->b, fill->v, met->arm_b));
    float speed = supi_vec3_dot(met->normal, u);
    if (!(before > -surface->slack)) c->approach = speed;
    f->deep |=
        !supi_kin_hang_together(p, c) && supi_turning_may_shift(surface, met->depth, met->old);
    f->grasps[to] = (supi_grasp){.old = met->old,
                                 .scale = f->starts.scales[lane],
                                 .speed = speed,
                                 .arm_a = met->arm_a,
                                 .arm_b = met->arm_b};
}

static void flush_starts(filling* f) {
    starts* b = &f->starts;
    if (b->e.count == 0) return;
    supi_encounters_start(&b->e, f->fill->kernels);
    for (int32_t i = 0; i < b->e.count; i++) {
        bool flat = b->flat >> i & 1;
        if (flat && !leave_outwards(f->pairing, &b->pairs[i], &b->e, i)) continue;
        if (b->e.out[i].depth > 0) keep(f, i);
    }
    b->e.count = b->flat = 0;
}

/* A pair that overlaps, or of which one is flat. */
static void send_on(filling* f, const supi_ellipsoid_pairs* end, int32_t from, bool flat) {
    const supi_fill* fill = f->fill;
    const supi_pairing* p = f->pairing;
    const sup_row *x = fill->x, *v = fill->v;
    supi_pair pair = {f->ends.rows.row[1][from], f->ends.rows.row[0][from]};
    float scale = f->ends.rows.scale[from];
    float wa = p->hold_a ? 0 : x[pair.a].w, wb = p->hold_b ? 0 : x[pair.b].w;
    supi_encounters* e = &f->starts.e;
    int32_t lane = e->count++;
    f->starts.pairs[lane] = pair;
    f->starts.scales[lane] = scale;
    f->starts.flat |= (int)flat << lane;
    e->share[lane] = wa + wb > 0 ? wa / (wa + wb) : 0.5f;
    e->out[lane] = supi_encounter_seen(end, from, e->share[lane]);
    e->a[lane] = supi_kin_shape(&p->a, pair.a, x, v, scale);
    e->a_before[lane] = supi_kin_before(&p->a, pair.a, x, v, scale, fill->h);
    e->b[lane] = supi_kin_shape(&p->b, pair.b, x, v, scale);
    e->b_before[lane] = supi_kin_before(&p->b, pair.b, x, v, scale, fill->h);
    supi_ellipsoid* of_b[2] = {&e->b[lane], &e->b_before[lane]};
    for (int k = 0; k < 2; k++) {
        of_b[k]->centre = supi_vec3_along(of_b[k]->centre, 1, supi_vec3_from(p->offset));
    }
    if (e->count == 8) flush_starts(f);
}

static bool is_flat(const supi_kin* kin, int32_t row) {
    const supi_oriented* o = kin->oriented;
    return o && o->flags && (o->flags[row - kin->first] & SUPI_FLAT);
}

/* All that overlap go on to where they came from. */
static void flush_ends(filling* f) {
    supi_ellipsoid_rows* rows = &f->ends.rows;
    const supi_pairing* p = f->pairing;
    int32_t count = f->ends.count;
    if (count == 0) return;
    for (int32_t i = count; i < 8; i++) {
        rows->row[0][i] = rows->row[0][0];
        rows->row[1][i] = rows->row[1][0];
        rows->scale[i] = rows->scale[0];
    }
    supi_ellipsoid_pairs end = {.rounds = SUPI_ENCOUNTER_ROUNDS};
    f->fill->kernels->place(rows, &end);
    f->fill->kernels->separate(&end);
    for (int32_t i = 0; i < count; i++) {
        bool flat = is_flat(&p->a, rows->row[1][i]) || is_flat(&p->b, rows->row[0][i]);
        if (flat || end.separation[i] < 0) send_on(f, &end, i, flat);
    }
    f->ends.count = 0;
}

static void offer(filling* f, const supi_candidate* c) {
    int32_t lane = f->ends.count++;
    f->ends.rows.row[0][lane] = c->pair.b;
    f->ends.rows.row[1][lane] = c->pair.a;
    f->ends.rows.scale[lane] = c->scale;
    if (f->ends.count == 8) flush_ends(f);
}

/* Most pairs of spheres are no pairs of ellipsoids. */
void supi_fill_pairs(const supi_fill* fill, const supi_fill_source* source, supi_pairing* pairing,
                     supi_contact* contacts, supi_grasp* grasps) {
    filling f;
    f.fill = fill;
    f.source = source;
    f.pairing = pairing;
    f.contacts = contacts;
    f.grasps = grasps;
    f.deep = false;
    f.kept = f.ends.count = f.starts.e.count = f.starts.flat = 0;
    f.ends.rows = (supi_ellipsoid_rows){
        .x = fill->x,
        .v = fill->v,
        .oriented = {pairing->b.oriented, pairing->a.oriented},
        .first = {pairing->b.first, pairing->a.first},
        .offset = {{pairing->offset[0], pairing->offset[1], pairing->offset[2]}, {0, 0, 0}}};
    for (int32_t i = 0; i < pairing->count; i += 64) {
        int32_t count = pairing->count - i < 64 ? pairing->count - i : 64;
        uint64_t near = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
        if (!source->sifted) {
            near = fill->near->meet(&source->sides, source->pairs + i, count, fill->x);
        }
        for (; near; near &= near - 1) offer(&f, &source->pairs[i + __builtin_ctzll(near)]);
    }
    flush_ends(&f);
    flush_starts(&f);
    pairing->count = f.kept;
    pairing->deep = f.deep;
}

/* ---- Colliders ---- */

void supi_fill_touch(const supi_fill* fill, const supi_touch* touch, supi_touch_contact* contact,
                     supi_grasp* grasp) {
    supi_contact* c = &contact->common;
    sup_vec3 u, ignored;
    supi_ellipsoid e = supi_kin_shape(&touch->kin, c->a, fill->x, fill->v, 1);
    float watched = touch->limit - touch->kin.oriented->reach;
    supi_gap gap = supi_ellipsoid_probe(&touch->shape, &e, contact->side,
                                        watched > c->distance ? watched : c->distance, &u);
    sup_vec3 arm = supi_vec3_minus(gap.place, e.centre);
    sup_vec3 speed = supi_kin_speed(&touch->kin, c->a, fill->v, arm);
    supi_rub_set_normal(c, gap.normal);
    c->depth = c->distance - gap.distance;
    *grasp = (supi_grasp){
        .scale = 1, .arm_a = arm, .found = touch->kin.oriented->turn[c->a - touch->kin.first]};
    float before = c->depth;
    if (c->depth > 0) {
        e = supi_kin_before(&touch->kin, c->a, fill->x, fill->v, 1, fill->h);
        e.centre = supi_shape_carry(&touch->shape, e.centre);
        gap = supi_ellipsoid_probe(&touch->shape, &e, contact->side, c->distance, &ignored);
        before = c->distance - gap.distance;
        grasp->old = before > 0 ? before : 0;
    }
    bool had_met = before > -fill->surfaces[c->surface].slack;
    grasp->speed = supi_vec3_dot(supi_vec3_from(c->normal), supi_vec3_minus(speed, u));
    c->approach = had_met ? 0 : grasp->speed;
}
