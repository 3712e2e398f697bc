#include "contact/fill_turning.h"

#include "contact/encounter.h"
#include "contact/kin.h"
#include "contact/rub.h"

/* Cosine between two outward normals above which surfaces look the same way. */
#define FACING_LIMIT 0.5f

/* ---- Pairs ---- */

/* Up to eight pairs on their way to become contacts. */
typedef struct batch {
    const supi_fill* fill;
    const supi_fill_source* source;
    supi_pairing* pairing;
    supi_contact* contacts;
    supi_grasp* grasps;
    int32_t kept;
    supi_pair pairs[8];
    float scales[8];
    int flat; /* bits of those that the line of their centres says nothing about */
    supi_encounters e;
} batch;

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
static void keep(batch* b, int32_t lane) {
    const supi_fill* fill = b->fill;
    const supi_pairing* p = b->pairing;
    const supi_pair* pair = &b->pairs[lane];
    const supi_encounter* met = &b->e.out[lane];
    const supi_ellipsoid *end_a = &b->e.a[lane], *end_b = &b->e.b[lane];
    int32_t region_a = supi_run_region(b->source->run_a, pair->a);
    int32_t region_b = supi_run_region(b->source->run_b, pair->b);
    supi_contact c = {.a = pair->a,
                      .b = pair->b,
                      .surface = p->surface + region_a * b->source->run_b->grip_count + region_b,
                      .depth = met->depth};
    supi_rub_set_normal(&c, met->normal);
    c.distance =
        met->depth + supi_vec3_dot(supi_vec3_minus(end_a->centre, end_b->centre), met->normal);
    float before = supi_encounter_depth(&b->e.a_before[lane], &b->e.b_before[lane], met->normal);
    sup_vec3 u = supi_vec3_minus(supi_kin_speed(&p->a, c.a, fill->v, met->arm_a),
                                 supi_kin_speed(&p->b, c.b, fill->v, met->arm_b));
    float speed = supi_vec3_dot(met->normal, u);
    if (!(before > -fill->surfaces[c.surface].slack)) c.approach = speed;
    b->contacts[b->kept] = c;
    b->grasps[b->kept++] = (supi_grasp){.old = met->old,
                                        .scale = b->scales[lane],
                                        .speed = speed,
                                        .arm_a = met->arm_a,
                                        .arm_b = met->arm_b};
}

static void flush(batch* b) {
    if (b->e.count == 0) return;
    const supi_fill* fill = b->fill;
    const supi_pairing* p = b->pairing;
    int overlap = supi_encounters_end(&b->e, fill->kernels) | b->flat;
    for (int32_t i = 0; i < b->e.count; i++) {
        if (!(overlap >> i & 1)) continue;
        const supi_pair* pair = &b->pairs[i];
        supi_ellipsoid* from_b = &b->e.b_before[i];
        b->e.a_before[i] = supi_kin_before(&p->a, pair->a, fill->x, fill->v, b->scales[i], fill->h);
        *from_b = supi_kin_before(&p->b, pair->b, fill->x, fill->v, b->scales[i], fill->h);
        from_b->centre = supi_vec3_along(from_b->centre, 1, supi_vec3_from(p->offset));
    }
    if (overlap) supi_encounters_start(&b->e, fill->kernels, overlap);
    for (int32_t i = 0; i < b->e.count; i++) {
        if (!(overlap >> i & 1)) continue;
        if ((b->flat >> i & 1) && !leave_outwards(p, &b->pairs[i], &b->e, i)) continue;
        if (b->e.out[i].depth > 0) keep(b, i);
    }
    b->e.count = 0;
    b->flat = 0;
}

static bool is_flat(const supi_kin* kin, int32_t row) {
    const supi_oriented* o = kin->oriented;
    return o && o->flags && (o->flags[row - kin->first] & SUPI_FLAT);
}

/* The present shape; plain ones are made on the spot. */
static const supi_ellipsoid* shape_of(const supi_kin* kin, const supi_ellipsoid* shapes,
                                      int32_t row, const supi_fill* fill, supi_ellipsoid* spot) {
    if (shapes) return &shapes[row - kin->first];
    *spot = supi_kin_shape(kin, row, fill->x, fill->v, 1);
    return spot;
}

static supi_ellipsoid shrunk(const supi_ellipsoid* e, float scale) {
    supi_ellipsoid small = *e;
    for (int k = 0; k < 3; k++) small.radii[k] *= scale;
    return small;
}

/* Most pairs of spheres are no pairs of ellipsoids: those are left out one by one, the others go on
   together. */
static void offer(batch* b, const supi_pair* pair, float scale) {
    const supi_pairing* p = b->pairing;
    supi_ellipsoid spot_a, spot_b;
    const supi_ellipsoid* now_a = shape_of(&p->a, b->source->shapes_a, pair->a, b->fill, &spot_a);
    const supi_ellipsoid* now_b = shape_of(&p->b, b->source->shapes_b, pair->b, b->fill, &spot_b);
    sup_vec3 from = supi_vec3_along(now_b->centre, 1, supi_vec3_from(p->offset));
    bool flat = is_flat(&p->a, pair->a) || is_flat(&p->b, pair->b);
    if (!flat && supi_encounter_apart(now_a, now_b, supi_vec3_minus(now_a->centre, from), scale)) {
        return;
    }
    const sup_row* x = b->fill->x;
    float wa = p->hold_a ? 0 : x[pair->a].w, wb = p->hold_b ? 0 : x[pair->b].w;
    int32_t lane = b->e.count++;
    b->pairs[lane] = *pair;
    b->scales[lane] = scale;
    b->e.share[lane] = wa + wb > 0 ? wa / (wa + wb) : 0.5f;
    b->e.a[lane] = shrunk(now_a, scale);
    b->e.b[lane] = shrunk(now_b, scale);
    b->e.b[lane].centre = from;
    if (flat) b->flat |= 1 << lane;
    if (b->e.count == 8) flush(b);
}

void supi_fill_shapes(const supi_fill* fill, const supi_run* run, supi_ellipsoid* out) {
    supi_kin kin = {run->oriented, run->first};
    for (int32_t i = 0; i < run->count; i++) {
        out[i] = supi_kin_shape(&kin, run->first + i, fill->x, fill->v, 1);
    }
}

void supi_fill_pairs(const supi_fill* fill, const supi_fill_source* source, supi_pairing* pairing,
                     supi_contact* contacts, supi_grasp* grasps) {
    batch b;
    b.fill = fill;
    b.source = source;
    b.pairing = pairing;
    b.contacts = contacts;
    b.grasps = grasps;
    b.kept = b.flat = b.e.count = 0;
    for (int32_t i = 0; i < pairing->count; i++) {
        offer(&b, &source->pairs[i], source->scales ? source->scales[i] : 1);
    }
    flush(&b);
    pairing->count = b.kept;
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
