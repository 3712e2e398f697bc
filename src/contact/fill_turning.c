#include "contact/fill_turning.h"

#include "contact/encounter.h"
#include "contact/kin.h"
#include "contact/rub.h"

/* Cosine between two outward normals above which surfaces look the same way. */
#define FACING_LIMIT 0.5f

/* ---- Pairs ---- */

/* Up to eight pairs, b first, which may be of several sources. */
typedef struct eight {
    const supi_fill_source* of[8];
    int32_t count;
} eight;

/* Pairs on their way to become contacts: those that may overlap at the end of the substep, then
   those that do. */
typedef struct filling {
    const supi_fill* fill;
    eight ends, starts;
    supi_ellipsoid_rows rows;
    supi_encounters e;
} filling;

static bool is_flat(const supi_kin* kin, int32_t row) {
    const supi_oriented* o = kin->oriented;
    return o && o->flags && (o->flags[row - kin->first] & SUPI_FLAT);
}

/* Others leave a piece of a surface on its outer side, whatever side they are on. False: both are
   such and look the same way. */
static bool leave_outwards(const supi_fill* fill, const supi_pairing* p, supi_pair c, float scale,
                           supi_encounter* out) {
    sup_vec3 out_a, out_b;
    bool flat_a = supi_kin_outward(&p->a, c.a, &out_a);
    bool flat_b = supi_kin_outward(&p->b, c.b, &out_b);
    if (!flat_a && !flat_b) return true;
    if (flat_a && flat_b && supi_vec3_dot(out_a, out_b) > FACING_LIMIT) return false;
    sup_vec3 n = flat_a ? supi_vec3_scaled(out_a, -1) : out_b, off = supi_vec3_from(p->offset);
    if (flat_a && flat_b) n = supi_vec3_along(n, 1, out_b);
    float length = sqrtf(supi_vec3_dot(n, n));
    if (!(length > 1e-3f)) return true;
    n = supi_vec3_scaled(n, 1 / length);
    supi_ellipsoid a = supi_kin_shape(&p->a, c.a, fill->x, fill->v, scale);
    supi_ellipsoid b = supi_kin_shape(&p->b, c.b, fill->x, fill->v, scale);
    b.centre = supi_vec3_along(b.centre, 1, off);
    /* what lies wholly beside it is apart anyway */
    sup_vec3 aside = supi_rub_tangent(supi_vec3_minus(a.centre, b.centre), n);
    float width = sqrtf(supi_vec3_dot(aside, aside));
    if (width > 0) {
        sup_vec3 t = supi_vec3_scaled(aside, 1 / width);
        if (!(supi_encounter_depth(&a, &b, t) > 0)) return true;
    }
    sup_vec3 back = supi_vec3_scaled(n, -1);
    out->normal = n;
    out->depth = supi_encounter_depth(&a, &b, n);
    out->arm_a = supi_vec3_minus(supi_ellipsoid_foremost(&a, back), a.centre);
    out->arm_b = supi_vec3_minus(supi_ellipsoid_foremost(&b, n), b.centre);
    a = supi_kin_before(&p->a, c.a, fill->x, fill->v, scale, fill->h);
    b = supi_kin_before(&p->b, c.b, fill->x, fill->v, scale, fill->h);
    b.centre = supi_vec3_along(b.centre, 1, off);
    out->before = supi_encounter_depth(&a, &b, n);
    out->old = out->before > 0 ? out->before : 0;
    return true;
}

/* Adds a contact. What had met before the substep does not bounce. */
static void keep(const supi_fill* fill, const supi_fill_source* source, supi_pair pair, float scale,
                 const supi_encounter* met) {
    supi_pairing* p = source->pairing;
    int32_t region_a = supi_run_region(source->run_a, pair.a);
    int32_t region_b = supi_run_region(source->run_b, pair.b);
    int32_t to = p->count++; /* both are written in place */
    supi_contact* c = &source->contacts[to];
    *c = (supi_contact){.a = pair.a,
                        .b = pair.b,
                        .surface = p->surface + region_a * source->run_b->grip_count + region_b,
                        .depth = met->depth};
    const supi_surface* surface = &fill->surfaces[c->surface];
    supi_rub_set_normal(c, met->normal);
    sup_vec3 of_b =
        supi_vec3_along(supi_vec3_of_row(&fill->x[pair.b]), 1, supi_vec3_from(p->offset));
    sup_vec3 apart = supi_vec3_minus(supi_vec3_of_row(&fill->x[pair.a]), of_b);
    c->distance = met->depth + supi_vec3_dot(apart, met->normal);
    sup_vec3 u = supi_vec3_minus(supi_kin_speed(&p->a, pair.a, fill->v, met->arm_a),
                                 supi_kin_speed(&p->b, pair.b, fill->v, met->arm_b));
    float speed = supi_vec3_dot(met->normal, u);
    if (!(met->before > -surface->slack)) c->approach = speed;
    p->deep |=
        !supi_kin_hang_together(p, c) && supi_turning_may_shift(surface, met->depth, met->old);
    source->grasps[to] = (supi_grasp){
        .old = met->old, .scale = scale, .speed = speed, .arm_a = met->arm_a, .arm_b = met->arm_b};
}

static void flush_starts(filling* f) {
    const supi_ellipsoid_rows* rows = &f->e.rows;
    int32_t count = f->starts.count;
    if (count == 0) return;
    f->fill->kernels->encounter(&f->e);
    for (int32_t i = 0; i < count; i++) {
        const supi_fill_source* source = f->starts.of[i];
        supi_encounter* met = &f->e.out[i];
        supi_pair pair = {rows->row[1][i], rows->row[0][i]};
        if (!leave_outwards(f->fill, source->pairing, pair, rows->scale[i], met)) continue;
        if (met->depth > 0) keep(f->fill, source, pair, rows->scale[i], met);
    }
    f->starts.count = 0;
}

/* All that overlap, or of which one is flat, go on to where they came from. */
static void flush_ends(filling* f) {
    const supi_ellipsoid_rows* rows = &f->rows;
    const sup_row* x = f->fill->x;
    int32_t count = f->ends.count;
    if (count == 0) return;
    supi_ellipsoid_pairs end = {.rounds = SUPI_ENCOUNTER_ROUNDS};
    f->fill->kernels->place(rows, &end);
    f->fill->kernels->separate(&end);
    for (int32_t i = 0; i < count; i++) {
        const supi_pairing* p = f->ends.of[i]->pairing;
        int32_t a = rows->row[1][i], b = rows->row[0][i];
        if (!(end.separation[i] < 0) && !is_flat(&p->a, a) && !is_flat(&p->b, b)) continue;
        float wa = p->hold_a ? 0 : x[a].w, wb = p->hold_b ? 0 : x[b].w;
        int32_t lane = f->starts.count++;
        f->starts.of[lane] = f->ends.of[i];
        supi_encounters_take(&f->e, lane, rows, &end, i, wa + wb > 0 ? wa / (wa + wb) : 0.5f);
        if (f->starts.count == 8) flush_starts(f);
    }
    f->ends.count = 0;
}

static void offer(filling* f, const supi_fill_source* source, const supi_candidate* c) {
    const supi_pairing* p = source->pairing;
    const supi_kin* of[2] = {&p->b, &p->a};
    const int32_t pair[2] = {c->pair.b, c->pair.a};
    int32_t lane = f->ends.count++;
    f->ends.of[lane] = source;
    for (int side = 0; side < 2; side++) {
        f->rows.oriented[side][lane] = of[side]->oriented;
        f->rows.first[side][lane] = of[side]->first;
        f->rows.row[side][lane] = pair[side];
    }
    for (int k = 0; k < 3; k++) f->rows.offset[k][lane] = p->offset[k];
    f->rows.scale[lane] = c->scale;
    if (f->ends.count == 8) flush_ends(f);
}

/* Lanes that nobody has come to yet are like this one. */
static void begin(filling* f, const supi_fill* fill, const supi_fill_source* source,
                  const supi_candidate* first) {
    static const supi_ellipsoid_pairs none = {0};
    f->fill = fill;
    f->ends.count = f->starts.count = 0;
    f->rows.x = f->e.rows.x = fill->x;
    f->rows.v = f->e.rows.v = fill->v;
    f->e.h = fill->h;
    offer(f, source, first);
    f->ends.count = 0;
    for (int32_t i = 0; i < 8; i++) {
        if (i > 0) supi_ellipsoid_rows_take(&f->rows, i, &f->rows, 0);
        supi_encounters_take(&f->e, i, &f->rows, &none, i, 0.5f);
    }
}

/* Most pairs of spheres are no pairs of ellipsoids. Those of all sources share lanes, as small
   bodies have one or two each. */
void supi_fill_pairs(const supi_fill* fill, const supi_fill_source* sources, int32_t source_count) {
    filling f;
    bool begun = false;
    for (int32_t k = 0; k < source_count; k++) {
        const supi_fill_source* source = &sources[k];
        int32_t pairs = source->pairing->count;
        source->pairing->count = 0;
        source->pairing->deep = false;
        for (int32_t i = 0; i < pairs; i += 64) {
            int32_t count = pairs - i < 64 ? pairs - i : 64;
            uint64_t near = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
            if (!source->sifted) {
                near = fill->near->meet(&source->sides, source->pairs + i, count, fill->x);
            }
            if (near && !begun) begin(&f, fill, source, &source->pairs[i]);
            begun |= near != 0;
            for (; near; near &= near - 1) {
                offer(&f, source, &source->pairs[i + __builtin_ctzll(near)]);
            }
        }
    }
    if (!begun) return;
    flush_ends(&f);
    flush_starts(&f);
}

/* ---- Colliders ---- */

/* As found at the end of the substep. */
static void set_touch(const supi_touch* touch, sup_vec3 normal, float distance, sup_vec3 arm,
                      supi_touch_contact* contact, supi_grasp* grasp) {
    supi_contact* c = &contact->common;
    supi_rub_set_normal(c, normal);
    c->depth = c->distance - distance;
    *grasp = (supi_grasp){
        .scale = 1, .arm_a = arm, .found = touch->kin.oriented->turn[c->a - touch->kin.first]};
}

/* `before`: depth at its start; `u`: velocity of the surface. What had met then does not bounce. */
static void set_speed(const supi_fill* fill, const supi_touch* touch, float before, sup_vec3 u,
                      supi_contact* c, supi_grasp* grasp) {
    sup_vec3 speed = supi_kin_speed(&touch->kin, c->a, fill->v, grasp->arm_a);
    bool had_met = before > -fill->surfaces[c->surface].slack;
    if (c->depth > 0) grasp->old = before > 0 ? before : 0;
    grasp->speed = supi_vec3_dot(supi_vec3_from(c->normal), supi_vec3_minus(speed, u));
    c->approach = had_met ? 0 : grasp->speed;
}

void supi_fill_touch(const supi_fill* fill, const supi_touch* touch, supi_touch_contact* contact,
                     supi_grasp* grasp) {
    supi_contact* c = &contact->common;
    sup_vec3 u, ignored;
    supi_ellipsoid e = supi_kin_shape(&touch->kin, c->a, fill->x, fill->v, 1);
    float watched = touch->limit - touch->kin.oriented->reach;
    supi_gap gap = supi_ellipsoid_probe(&touch->shape, &e, contact->side,
                                        watched > c->distance ? watched : c->distance, &u);
    set_touch(touch, gap.normal, gap.distance, supi_vec3_minus(gap.place, e.centre), contact,
              grasp);
    float before = c->depth;
    if (c->depth > 0) {
        e = supi_kin_before(&touch->kin, c->a, fill->x, fill->v, 1, fill->h);
        e.centre = supi_shape_carry(&touch->shape, e.centre);
        gap = supi_ellipsoid_probe(&touch->shape, &e, contact->side, c->distance, &ignored);
        before = c->distance - gap.distance;
    }
    set_speed(fill, touch, before, u, c, grasp);
}

void supi_fill_plane_touches(const supi_fill* fill, const supi_touch* touch,
                             supi_touch_contact** contacts, supi_grasp** grasps, int32_t count) {
    const supi_shape* s = &touch->shape;
    sup_vec3 normal = supi_vec3_scaled(supi_vec3_from(s->axes[1]), s->inverted ? -1 : 1);
    supi_ellipsoid_touches found = {.x = fill->x,
                                    .v = fill->v,
                                    .oriented = touch->kin.oriented,
                                    .first = touch->kin.first,
                                    .normal = {normal.x, normal.y, normal.z},
                                    .offset = s->inverted ? -s->offset : s->offset,
                                    .h = fill->h};
    for (int32_t i = 0; i < count; i += 8) {
        int32_t some = count - i < 8 ? count - i : 8;
        for (int k = 0; k < 8; k++) {
            found.row[k] = contacts[i + (k < some ? k : some - 1)]->common.a;
        }
        fill->kernels->touch(&found);
        for (int k = 0; k < some; k++) {
            supi_contact* c = &contacts[i + k]->common;
            sup_vec3 arm = {found.arm[0][k], found.arm[1][k], found.arm[2][k]};
            set_touch(touch, normal, found.distance[k], arm, contacts[i + k], grasps[i + k]);
            float before = c->depth > 0 ? c->distance - found.before[k] : c->depth;
            set_speed(fill, touch, before, (sup_vec3){0, 0, 0}, c, grasps[i + k]);
        }
    }
}
