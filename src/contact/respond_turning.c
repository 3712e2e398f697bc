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

/* Two that move and that nothing turns, as most do: what supi_turning_push and supi_turning_rub
   come to for them, with the same bits. */
typedef struct plain {
    sup_vec3 xa, xb, va, vb, normal;
    float share_a, share_b, ease;
    float h, per_h;
} plain;

static sup_vec3 moved(sup_vec3 at, float s, sup_vec3 by) { return supi_vec3_along(at, s, by); }

static void move_plain(plain* t, sup_vec3 c) {
    sup_vec3 back = supi_vec3_scaled(c, -1);
    t->xa = moved(t->xa, t->share_a, c);
    t->xb = moved(t->xb, t->share_b, back);
}

static void speed_plain(plain* t, sup_vec3 c) {
    sup_vec3 back = supi_vec3_scaled(c, -1);
    t->va = moved(t->va, t->share_a * t->per_h, c);
    t->vb = moved(t->vb, t->share_b * t->per_h, back);
}

/* Returns what moves them without becoming speed. */
static sup_vec3 push_plain(plain* t, const supi_surface* surface, supi_contact* c, float depth,
                           float old) {
    float un = t->h * supi_vec3_dot(t->normal, supi_vec3_minus(t->va, t->vb)), speed, shift;
    supi_rub_split(surface, depth, un, t->h, &speed, &shift);
    float rest = depth - speed, fresh = depth - old;
    if (shift < fresh - speed) shift = fresh - speed;
    if (shift > rest) shift = rest;
    if (speed > 0) {
        sup_vec3 pushed = supi_vec3_scaled(t->normal, speed / t->ease);
        move_plain(t, pushed);
        speed_plain(t, pushed);
    }
    c->push += speed / t->ease;
    float stop = un < 0 ? -un : 0;
    if (speed > stop) c->opened += (speed - stop) / t->ease;
    if (!(shift > 0)) return (sup_vec3){0, 0, 0};
    sup_vec3 by = supi_vec3_scaled(t->normal, shift / t->ease);
    move_plain(t, by);
    return by;
}

static void rub_plain(plain* t, const supi_surface* surface, supi_contact* c) {
    if (!(c->push > 0)) return;
    sup_vec3 across = supi_rub_tangent(supi_vec3_minus(t->va, t->vb), t->normal);
    float speed = sqrtf(supi_vec3_dot(across, across));
    if (!(speed > 1e-20f)) return;
    sup_vec3 along = supi_vec3_scaled(across, 1 / speed);
    sup_vec3 wanted = supi_vec3_scaled(along, t->h * speed / t->ease);
    sup_vec3 given = supi_rub(surface, c, wanted, surface->creep * t->h / t->ease);
    move_plain(t, given);
    speed_plain(t, given);
}

static void put_row(sup_row* row, sup_vec3 a) {
    row->x = a.x;
    row->y = a.y;
    row->z = a.z;
}

/* Others have to follow what was moved without speed. */
static void note_plain(const supi_kin* kin, int32_t row, float share, sup_vec3 by) {
    const supi_oriented* o = kin->oriented;
    int32_t local = row - kin->first;
    if (!o || !o->piece || o->piece[local] < 0) return;
    put_row(&o->shift[local], moved(supi_vec3_of_row(&o->shift[local]), share, by));
}

static void respond_plain(const supi_pairing* p, const supi_surface* surface, supi_contact* c,
                          float old, bool rubs, sup_row* x, sup_row* v, float h) {
    float wa = x[c->a].w, wb = x[c->b].w;
    plain t = {.xa = supi_vec3_of_row(&x[c->a]),
               .xb = supi_vec3_of_row(&x[c->b]),
               .normal = supi_vec3_from(c->normal)};
    sup_vec3 apart = supi_vec3_minus(supi_vec3_minus(t.xa, t.xb), supi_vec3_from(p->offset));
    float depth = c->distance - supi_vec3_dot(t.normal, apart);
    if (!(depth > 0) && !(c->push > 0)) return;
    t.va = supi_vec3_of_row(&v[c->a]);
    t.vb = supi_vec3_of_row(&v[c->b]);
    t.share_a = wa / (wa + wb);
    t.share_b = wb / (wa + wb);
    t.ease = t.share_a + t.share_b;
    t.h = h;
    t.per_h = 1 / h;
    if (depth > 0) {
        sup_vec3 by = push_plain(&t, surface, c, depth, old);
        if (supi_turning_is_deep(surface, old) && !supi_kin_hang_together(p, c)) {
            note_plain(&p->a, c->a, t.share_a, by);
            note_plain(&p->b, c->b, -t.share_b, by);
        }
    }
    if (rubs) rub_plain(&t, surface, c);
    put_row(&x[c->a], t.xa);
    put_row(&x[c->b], t.xb);
    put_row(&v[c->a], t.va);
    put_row(&v[c->b], t.vb);
}

/* See supi_turning_bounce. Returns what it adds to the velocity of a side of share 1; `taken`: what
   of the opening of old overlap was taken back. */
static sup_vec3 bounce_plain(plain* t, const supi_surface* surface, supi_contact* c, float slow,
                             float* taken) {
    sup_vec3 n = t->normal;
    float parting = supi_vec3_dot(n, supi_vec3_minus(t->va, t->vb));
    float missing = supi_rub_missing(surface, c, parting, slow);
    *taken = 0;
    t->per_h = 1; /* of what follows all is speed */
    if (!(surface->restitution > 0) || !(missing > 0)) {
        float most = c->opened / t->h, came = (c->push - c->opened) / t->h;
        parting = parting / t->ease - came;
        parting = parting < most ? parting : most;
        if (!(parting > 0)) return (sup_vec3){0, 0, 0};
        sup_vec3 back = supi_vec3_scaled(n, -parting);
        speed_plain(t, back);
        c->push -= t->h * parting;
        *taken = parting;
        return back;
    }
    float blow = missing / t->ease, limit = surface->friction_kinetic * blow;
    sup_vec3 sum = supi_vec3_scaled(n, blow);
    speed_plain(t, sum);
    c->push += t->h * blow;
    sup_vec3 across = supi_rub_tangent(supi_vec3_minus(t->va, t->vb), n);
    float speed = sqrtf(supi_vec3_dot(across, across));
    if (!(limit > 0) || !(speed > 1e-20f)) return sum;
    sup_vec3 along = supi_vec3_scaled(across, 1 / speed);
    float stop = speed / t->ease;
    sup_vec3 drag = supi_vec3_scaled(along, -(stop < limit ? stop : limit));
    speed_plain(t, drag);
    c->drag[0] += t->h * drag.x;
    c->drag[1] += t->h * drag.y;
    c->drag[2] += t->h * drag.z;
    return supi_vec3_along(sum, 1, drag);
}

static void bounce_plain_pair(const supi_pairing* p, const supi_surface* surface, supi_contact* c,
                              sup_row* x, sup_row* v, float h, float slow) {
    float wa = x[c->a].w, wb = x[c->b].w, taken;
    plain t = {.va = supi_vec3_of_row(&v[c->a]),
               .vb = supi_vec3_of_row(&v[c->b]),
               .normal = supi_vec3_from(c->normal),
               .share_a = wa / (wa + wb),
               .share_b = wb / (wa + wb),
               .h = h};
    t.ease = t.share_a + t.share_b;
    bounce_plain(&t, surface, c, slow, &taken);
    if (taken > 0 && supi_turning_is_deep(surface, c->depth) && !supi_kin_hang_together(p, c)) {
        sup_vec3 by = supi_vec3_scaled(supi_vec3_scaled(t.normal, -taken), -h);
        note_plain(&p->a, c->a, t.share_a, by);
        note_plain(&p->b, c->b, -t.share_b, by);
    }
    put_row(&v[c->a], t.va);
    put_row(&v[c->b], t.vb);
}

static bool is_plain(const supi_pairing* p, const supi_contact* c, float wa, float wb) {
    return wa > 0 && wb > 0 && !supi_kin_turns(&p->a, c->a) && !supi_kin_turns(&p->b, c->b);
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
        if (is_plain(p, c, wa, wb)) {
            respond_plain(p, surface, c, grasps[i].old, !slowing.drags, x, v, h);
            continue;
        }
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
        if (!slowing.drags && is_plain(p, c, wa, wb)) { /* what does not turn does not roll */
            bounce_plain_pair(p, surface, c, x, v, h, slow);
            continue;
        }
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

/* One that nothing turns, on a plane at rest. */
static bool rests_plain(const supi_touch* touch, int32_t row, const sup_row* x) {
    return touch->shape.kind == SUP_COLLIDER_PLANE && !touch->shape.moves && x[row].w > 0 &&
           !supi_kin_turns(&touch->kin, row);
}

static void bounce_plain_touch(const supi_touch* touch, const supi_surface* surface,
                               supi_touch_contact* contact, sup_row* v, float h, float slow) {
    supi_contact* c = &contact->common;
    float taken;
    plain t = {.va = supi_vec3_of_row(&v[c->a]),
               .normal = supi_vec3_from(c->normal),
               .share_a = 1,
               .ease = 1,
               .h = h};
    supi_rub_remember(contact, bounce_plain(&t, surface, c, slow, &taken));
    if (taken > 0 && supi_turning_is_deep(surface, c->depth)) {
        sup_vec3 by = supi_vec3_scaled(supi_vec3_scaled(t.normal, -taken), -h);
        note_plain(&touch->kin, c->a, 1, by);
    }
    put_row(&v[c->a], t.va);
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
        if (!slowing.drags && rests_plain(touch, c->a, x)) {
            bounce_plain_touch(touch, surface, &contacts[i], v, h, slow);
            continue;
        }
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
