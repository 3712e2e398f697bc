/* Contacts of particles that turn, one after the other on the depth that is left. Each is pushed
   with the turn that belongs to it, then rubbed; a turn is no straight way, so what is left of the
   depth then goes by a move alone. */
#include "contact/respond_turning.h"

#include "contact/encounter.h"
#include "contact/fast.h"
#include "contact/kin.h"
#include "contact/rub.h"

static float larger(float a, float b) { return a > b ? a : b; }

/* What slows a contact between two, of which b may be a collider (NULL). */
static supi_slowing slowing_of(const supi_kin* a, const supi_kin* b) {
    const supi_slowing none = {0};
    const supi_slowing* one = a->oriented ? &a->oriented->slowing : &none;
    const supi_slowing* two = b && b->oriented ? &b->oriented->slowing : &none;
    return (supi_slowing){.rolling = larger(one->rolling, two->rolling),
                          .drags = one->drags || two->drags,
                          .drag = larger(one->drag, two->drag),
                          .turn_drag = larger(one->turn_drag, two->turn_drag)};
}

/* Is there anything to do after the sweeps? */
static bool leaves(const supi_surface* surface, const supi_contact* c, const supi_slowing* s) {
    bool slows = s->drags || s->rolling > 0;
    return c->push > 0 && (surface->restitution > 0 || c->opened > 0 || slows);
}

/* Rolling is slowed by the load: over the mass, that is what the push has done to the side. */
static void roll_side(const supi_side* side, sup_vec3 n, float push, float rolling) {
    float radius = sqrtf(supi_vec3_dot(side->arm, side->arm));
    if (side->rolls && radius > 0) {
        supi_turning_roll(side, n, rolling * side->share * push / radius);
    }
}

/* Once in a substep, after all pushes. */
static void slow_down(const supi_turning* t, const supi_contact* c, const supi_slowing* s,
                      float h) {
    if (s->drags) supi_turning_drag(t, s->drag, s->turn_drag);
    if (!(s->rolling > 0)) return;
    roll_side(&t->a, t->normal, c->push / h, s->rolling);
    roll_side(&t->b, t->normal, c->push / h, s->rolling);
}

/* ---- Pairs ---- */

static void turning_of(const supi_pairing* p, const supi_contact* c, const supi_grasp* grasp,
                       sup_row* x, sup_row* v, float wa, float wb, supi_turning* t) {
    supi_kin_side(&p->a, c->a, x, v, wa, wa + wb, grasp->arm_a, &t->a);
    supi_kin_side(&p->b, c->b, x, v, wb, wa + wb, grasp->arm_b, &t->b);
    t->normal = supi_vec3_from(c->normal);
    /* A piece that went as a whole would not part from itself. */
    if (supi_kin_hang_together(p, c)) t->a.shift = t->b.shift = NULL;
}

float supi_respond_turning_depth(const supi_pairing* p, const supi_contact* c,
                                 const supi_grasp* grasp, const sup_row* x, const sup_row* v) {
    if (!supi_kin_turns(&p->a, c->a) && !supi_kin_turns(&p->b, c->b)) {
        sup_vec3 apart = supi_vec3_minus(supi_vec3_of_row(&x[c->a]), supi_vec3_of_row(&x[c->b]));
        apart = supi_vec3_minus(apart, supi_vec3_from(p->offset));
        return c->distance - supi_vec3_dot(supi_vec3_from(c->normal), apart);
    }
    supi_ellipsoid a = supi_kin_shape(&p->a, c->a, x, v, grasp->scale);
    supi_ellipsoid b = supi_kin_shape(&p->b, c->b, x, v, grasp->scale);
    b.centre = supi_vec3_along(b.centre, 1, supi_vec3_from(p->offset));
    return supi_encounter_depth(&a, &b, supi_vec3_from(c->normal));
}

/* What pushes a side; nothing moves one that is held. */
static void side_weights(const supi_pairing* p, const supi_contact* c, const sup_row* x, float* wa,
                         float* wb) {
    *wa = p->hold_a ? 0 : x[c->a].w;
    *wb = p->hold_b ? 0 : x[c->b].w;
}

void supi_respond_turning_pairing(const supi_pairing* p, const supi_surface* surfaces,
                                  supi_contact* contacts, const supi_grasp* grasps, sup_row* x,
                                  sup_row* v, float h) {
    const supi_slowing slowing = slowing_of(&p->a, &p->b);
    for (int32_t i = 0; i < p->count; i++) {
        supi_contact* c = &contacts[i];
        const supi_surface* surface = &surfaces[c->surface];
        float wa, wb;
        side_weights(p, c, x, &wa, &wb);
        if (!(wa + wb > 0) || c->distance < 0) continue;
        float depth = supi_respond_turning_depth(p, c, &grasps[i], x, v);
        if (!(depth > 0) && !(c->push > 0)) continue;
        supi_turning t;
        turning_of(p, c, &grasps[i], x, v, wa, wb, &t);
        if (depth > 0) supi_turning_push(&t, surface, c, depth, grasps[i].old, true, h);
        if (!slowing.drags) supi_turning_rub(&t, surface, c, h);
        if (!t.a.q && !t.b.q) continue;
        depth = supi_respond_turning_depth(p, c, &grasps[i], x, v);
        if (depth > 0) supi_turning_push(&t, surface, c, depth, grasps[i].old, false, h);
    }
}

void supi_respond_turning_bounce_pairing(const supi_pairing* p, const supi_surface* surfaces,
                                         supi_contact* contacts, const supi_grasp* grasps,
                                         sup_row* x, sup_row* v, float h, float slow) {
    const supi_slowing slowing = slowing_of(&p->a, &p->b);
    for (int32_t i = 0; i < p->count; i++) {
        supi_contact* c = &contacts[i];
        const supi_surface* surface = &surfaces[c->surface];
        float wa, wb;
        side_weights(p, c, x, &wa, &wb);
        if (!leaves(surface, c, &slowing) || !(wa + wb > 0)) continue;
        supi_turning t;
        turning_of(p, c, &grasps[i], x, v, wa, wb, &t);
        supi_turning_bounce(&t, surface, c, slow, h);
        slow_down(&t, c, &slowing, h);
    }
}

/* ---- Colliders ---- */

/* A row, a touch, and what lies between them now. */
typedef struct meeting {
    supi_gap gap;
    sup_vec3 centre;
    sup_row still, surface_v; /* the collider as a side */
} meeting;

/* Nothing but the way along the normal changes between a plane and what does not turn. */
static supi_gap known_gap(const supi_touch_contact* contact, const supi_grasp* grasp, sup_vec3 at) {
    const supi_contact* c = &contact->common;
    sup_vec3 n = supi_vec3_from(c->normal);
    sup_vec3 way = supi_vec3_minus(at, supi_vec3_from(contact->found));
    return (supi_gap){c->distance - c->depth + supi_vec3_dot(n, way), n,
                      supi_vec3_along(at, 1, grasp->arm_a)};
}

static void measure(const supi_touch* touch, const supi_touch_contact* contact,
                    const supi_grasp* grasp, const sup_row* x, const sup_row* v, meeting* m) {
    const supi_contact* c = &contact->common;
    sup_vec3 velocity;
    m->centre = supi_vec3_of_row(&x[c->a]);
    if (touch->shape.kind == SUP_COLLIDER_PLANE && !supi_kin_turns(&touch->kin, c->a)) {
        m->gap = known_gap(contact, grasp, m->centre);
        velocity = supi_ellipsoid_velocity(&touch->shape, m->gap.place);
    } else {
        supi_ellipsoid e = supi_kin_shape(&touch->kin, c->a, x, v, 1);
        m->gap = supi_ellipsoid_probe(&touch->shape, &e, contact->side, c->distance, &velocity);
    }
    m->still = (sup_row){0, 0, 0, 0};
    m->surface_v = (sup_row){velocity.x, velocity.y, velocity.z, 0};
}

static void against_collider(const supi_touch* touch, int32_t row, meeting* m, sup_row* x,
                             sup_row* v, supi_turning* t) {
    sup_vec3 arm = supi_vec3_minus(m->gap.place, m->centre);
    supi_kin_side(&touch->kin, row, x, v, x[row].w, x[row].w, arm, &t->a);
    t->b = (supi_side){.x = &m->still, .v = &m->surface_v};
    t->normal = m->gap.normal;
}

/* Distances change no faster than the surface moves: by moves and, at most as far as the shape
   reaches, by turns. What was found further outside than it has come in all since cannot touch. */
static bool out_of_reach(const supi_touch* touch, const supi_touch_contact* contact,
                         const supi_grasp* grasp, const sup_row* x) {
    const supi_contact* c = &contact->common;
    const supi_oriented* o = touch->kin.oriented;
    float outside = -c->depth - touch->travel;
    if (c->push > 0 || !(outside > 0)) return false;
    sup_vec3 at = supi_vec3_of_row(&x[c->a]);
    sup_vec3 since = supi_vec3_minus(at, supi_vec3_from(contact->found));
    sup_vec3 way = supi_vec3_minus(at, supi_vec3_from(contact->start));
    sup_quat q = o->turn[c->a - touch->kin.first], f = grasp->found;
    float same = q.x * f.x + q.y * f.y + q.z * f.z + q.w * f.w, turned = 1 - same * same;
    /* a chord of the surface is at most 2 r sin(angle / 2) long */
    float chord = turned > 0 ? 2 * o->reach * sqrtf(turned) : 0;
    return outside > sqrtf(supi_vec3_dot(way, way)) + sqrtf(supi_vec3_dot(since, since)) + chord;
}

static void respond_touch(const supi_touch* touch, const supi_surface* surface,
                          supi_touch_contact* contact, const supi_grasp* grasp, sup_row* x,
                          sup_row* v, float h) {
    supi_contact* c = &contact->common;
    float old = grasp->old;
    bool fast = supi_fast_is(touch, contact, &x[c->a]);
    if (fast) supi_fast_stop(touch, contact, &x[c->a], &v[c->a], 1 / h);
    meeting m;
    measure(touch, contact, grasp, x, v, &m);
    float depth = c->distance - m.gap.distance;
    if (depth > 0 || c->push > 0) {
        supi_turning t;
        against_collider(touch, c->a, &m, x, v, &t);
        if (depth > 0) {
            supi_rub_remember(
                contact,
                supi_vec3_scaled(supi_turning_push(&t, surface, c, depth, old, true, h), 1 / h));
            supi_rub_set_normal(c, t.normal);
        }
        if (!slowing_of(&touch->kin, NULL).drags) {
            supi_rub_remember(contact,
                              supi_vec3_scaled(supi_turning_rub(&t, surface, c, h), 1 / h));
        }
        measure(touch, contact, grasp, x, v, &m);
        depth = c->distance - m.gap.distance;
        if (depth > 0) {
            against_collider(touch, c->a, &m, x, v, &t);
            supi_rub_remember(
                contact,
                supi_vec3_scaled(supi_turning_push(&t, surface, c, depth, old, false, h), 1 / h));
        }
    }
    if (fast) supi_fast_lift(touch, contact, &x[c->a]);
}

void supi_respond_turning_touches(const supi_touch* touches, const supi_surface* surfaces,
                                  supi_touch_contact* contacts, const supi_grasp* grasps,
                                  int32_t count, sup_row* x, sup_row* v, float h) {
    for (int32_t i = 0; i < count; i++) {
        const supi_contact* c = &contacts[i].common;
        const supi_touch* touch = &touches[c->b];
        if (touch->sensor || out_of_reach(touch, &contacts[i], &grasps[i], x)) continue;
        respond_touch(touch, &surfaces[c->surface], &contacts[i], &grasps[i], x, v, h);
    }
}

void supi_respond_turning_bounce_touches(const supi_touch* touches, const supi_surface* surfaces,
                                         supi_touch_contact* contacts, const supi_grasp* grasps,
                                         int32_t count, sup_row* x, sup_row* v, float h,
                                         float slow) {
    for (int32_t i = 0; i < count; i++) {
        supi_contact* c = &contacts[i].common;
        const supi_surface* surface = &surfaces[c->surface];
        const supi_touch* touch = &touches[c->b];
        const supi_slowing slowing = slowing_of(&touch->kin, NULL);
        if (!leaves(surface, c, &slowing)) continue;
        meeting m;
        measure(touch, &contacts[i], &grasps[i], x, v, &m);
        m.gap.normal = supi_vec3_from(c->normal);
        supi_turning t;
        against_collider(touch, c->a, &m, x, v, &t);
        supi_rub_remember(&contacts[i], supi_turning_bounce(&t, surface, c, slow, h));
        sup_vec3 before = supi_vec3_of_row(&v[c->a]);
        slow_down(&t, c, &slowing, h);
        supi_rub_remember(&contacts[i], supi_vec3_minus(supi_vec3_of_row(&v[c->a]), before));
    }
}
