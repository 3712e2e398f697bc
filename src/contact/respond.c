/* Position corrections for contacts, one after the other on the depth that is left (Gauss-Seidel).

   Only the part of a correction that stops the approach, or opens an overlap slowly, becomes speed;
   the rest moves the particles and leaves their speed alone. Letting all of it become speed would
   turn old overlap into energy.

   Friction follows Coulomb's law over the whole substep: the sum of a contact's friction
   corrections is bound by the sum of its normal ones, so that the number of sweeps does not change
   how much a surface can hold. */
#include "contact/respond.h"

#include "contact/cast.h"

#include <math.h>

/* Share of a pair's depth that one sweep takes. Several pairs share a particle: 1 would push it too
 * far. */
#define PAIR_SHARE 0.5f

typedef struct vec {
    float x, y, z;
} vec;

static vec scaled(vec a, float s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static vec row_vec(const sup_row* row) { return (vec){row->x, row->y, row->z}; }
static vec array_vec(const float a[3]) { return (vec){a[0], a[1], a[2]}; }

static void add(sup_row* row, vec a) {
    row->x += a.x;
    row->y += a.y;
    row->z += a.z;
}

/* Adds to the place and, as the same move within h, to the velocity. */
static void move(sup_row* x, sup_row* v, vec a, float per_h) {
    add(x, a);
    add(v, scaled(a, per_h));
}

/* Divides a correction into the part that becomes speed and the part that only moves. `un` is the
   normal part of the relative move of this substep. */
static void split(const supi_surface* surface, float correction, float un, float h, float* speed,
                  float* shift) {
    float room = surface->depart * h - un;
    if (room < 0) room = 0;
    *speed = correction < room ? correction : room;
    float rest = correction - *speed, bound = surface->shift * h;
    *shift = rest < bound ? rest : bound;
}

/* The friction correction that answers the tangential move `ut`: a full stop if the sum stays below
   the static limit, else the limit itself as long as the particle only creeps, for some contacts of
   a body that holds are always beyond their share; and where it slides, as much as sliding gives.
 */
static vec rub(const supi_surface* surface, supi_contact* contact, vec ut, float h) {
    vec before = array_vec(contact->drag), sum = minus(before, ut);
    float length = sqrtf(dot(sum, sum)), limit = surface->friction_static * contact->push;
    if (length > limit) {
        if (length - limit > surface->creep * h) limit = surface->friction_kinetic * contact->push;
        sum = scaled(sum, limit / length);
    }
    contact->drag[0] = sum.x;
    contact->drag[1] = sum.y;
    contact->drag[2] = sum.z;
    return minus(sum, before);
}

static vec tangent(vec u, vec n) { return minus(u, scaled(n, dot(u, n))); }

/* What a pairing's sides weigh: nothing moves a side that is held. */
static void side_weights(const supi_pairing* pairing, const sup_row* xa, const sup_row* xb,
                         float* wa, float* wb) {
    *wa = pairing->hold_a ? 0 : xa->w;
    *wb = pairing->hold_b ? 0 : xb->w;
}

void supi_respond_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                          supi_contact* contacts, sup_row* x, sup_row* v, float h) {
    const vec offset = array_vec(pairing->offset);
    const float per_h = 1 / h;
    for (int32_t i = 0; i < pairing->count; i++) {
        supi_contact* c = &contacts[i];
        const supi_surface* surface = &surfaces[c->surface];
        sup_row *xa = &x[c->a], *xb = &x[c->b], *va = &v[c->a], *vb = &v[c->b];
        float wa, wb;
        side_weights(pairing, xa, xb, &wa, &wb);
        float w = wa + wb;
        if (!(w > 0)) continue;
        wa /= w;
        wb /= w;
        vec n = array_vec(c->normal);
        float depth = c->distance - dot(n, minus(minus(row_vec(xa), row_vec(xb)), offset));
        if (depth > 0) {
            float un = h * dot(n, minus(row_vec(va), row_vec(vb))), speed, shift;
            split(surface, PAIR_SHARE * depth, un, h, &speed, &shift);
            move(xa, va, scaled(n, wa * speed), per_h);
            move(xb, vb, scaled(n, -(wb * speed)), per_h);
            add(xa, scaled(n, wa * shift));
            add(xb, scaled(n, -(wb * shift)));
            c->push += speed;
        }
        if (surface->friction_static > 0 && c->push > 0) {
            vec ut = tangent(scaled(minus(row_vec(va), row_vec(vb)), h), n);
            vec d = rub(surface, c, ut, h);
            move(xa, va, scaled(d, wa), per_h);
            move(xb, vb, scaled(d, -wb), per_h);
        }
    }
}

/* Adds a correction that becomes speed, and remembers it. */
static void give(supi_touch_contact* contact, sup_row* x, sup_row* v, vec a, float per_h) {
    move(x, v, a, per_h);
    vec gain = scaled(a, per_h);
    contact->gain[0] += gain.x;
    contact->gain[1] += gain.y;
    contact->gain[2] += gain.z;
}

static void set_normal(supi_contact* c, vec n) {
    c->normal[0] = n.x;
    c->normal[1] = n.y;
    c->normal[2] = n.z;
}

static sup_vec3 place_of(const sup_row* x) { return (sup_vec3){x->x, x->y, x->z}; }
static vec vector_of(sup_vec3 a) { return (vec){a.x, a.y, a.z}; }

/* Does the particle go so far in this substep that its end alone does not tell where it came in? */
static bool is_fast(const supi_touch* touch, const supi_touch_contact* contact, const sup_row* x) {
    vec way = minus(row_vec(x), array_vec(contact->start));
    return sqrtf(dot(way, way)) + touch->travel > touch->shape.safe;
}

/* Stops a fast particle where it met the shape. All of that becomes speed: it was outside before.
 */
static void stop_fast(const supi_touch* touch, supi_touch_contact* contact, sup_row* x, sup_row* v,
                      float per_h) {
    sup_vec3 from = {contact->start[0], contact->start[1], contact->start[2]};
    supi_cast cast;
    bool met = supi_cast_particle(&touch->shape, from, place_of(x), contact->common.distance,
                                  contact->side, &cast);
    contact->side = cast.side; /* it may have gone around the border of a sheet */
    if (!met) return;
    vec n = vector_of(cast.normal), back = minus(vector_of(cast.place), row_vec(x));
    supi_contact* c = &contact->common;
    float closing = dot(n, minus(row_vec(v), vector_of(cast.velocity)));
    if (closing < c->approach) c->approach = closing;
    float push = dot(n, back);
    if (push > 0) c->push += push;
    set_normal(c, n);
    give(contact, x, v, back, per_h);
}

/* Friction may have drawn a fast particle along one side and in behind another. */
static void lift(const supi_touch* touch, const supi_touch_contact* contact, sup_row* x) {
    supi_probe probe;
    supi_shape_probe(&touch->shape, place_of(x), contact->side, &probe);
    float missing = contact->common.distance - probe.distance;
    if (missing > 0) add(x, scaled(vector_of(probe.normal), missing));
}

/* Distances change no faster than places: a particle that was found further outside than it has
   come in all since cannot touch. Not worth asking for planes. */
static bool out_of_reach(const supi_touch* touch, const supi_touch_contact* contact,
                         const sup_row* x) {
    float outside = -contact->common.depth - touch->travel;
    if (touch->shape.kind == SUP_COLLIDER_PLANE || !(outside > 0)) return false;
    vec way = minus(row_vec(x), array_vec(contact->start));
    vec since = minus(row_vec(x), array_vec(contact->found));
    return contact->common.push == 0 && outside > sqrtf(dot(way, way)) + sqrtf(dot(since, since));
}

void supi_respond_touches(const supi_touch* touches, const supi_surface* surfaces,
                          supi_touch_contact* contacts, int32_t count, sup_row* x, sup_row* v,
                          float h) {
    const float per_h = 1 / h;
    for (int32_t i = 0; i < count; i++) {
        supi_touch_contact* contact = &contacts[i];
        supi_contact* c = &contact->common;
        const supi_touch* touch = &touches[c->b];
        const supi_surface* surface = &surfaces[c->surface];
        if (touch->sensor) continue;
        sup_row *xa = &x[c->a], *va = &v[c->a];
        if (out_of_reach(touch, contact, xa)) continue;
        bool fast = is_fast(touch, contact, xa);
        if (fast) stop_fast(touch, contact, xa, va, per_h);
        supi_probe probe;
        supi_shape_probe(&touch->shape, place_of(xa), contact->side, &probe);
        vec n = vector_of(probe.normal), u = minus(row_vec(va), vector_of(probe.velocity));
        if (probe.distance < c->distance) {
            float speed, shift;
            split(surface, c->distance - probe.distance, h * dot(n, u), h, &speed, &shift);
            give(contact, xa, va, scaled(n, speed), per_h);
            add(xa, scaled(n, shift));
            c->push += speed;
            set_normal(c, n);
        }
        if (c->push > 0) {
            u = minus(row_vec(va), vector_of(probe.velocity));
            vec d = rub(surface, c, tangent(scaled(u, h), n), h);
            give(contact, xa, va, d, per_h);
        }
        if (fast) lift(touch, contact, xa);
    }
}

/* Change of the normal speed `vn` that makes up for the bounce, or 0. */
static float missing_speed(const supi_surface* surface, const supi_contact* c, float vn,
                           float slow) {
    if (!(c->push > 0) || !(c->approach < -slow)) return 0;
    float missing = -surface->restitution * c->approach - vn;
    return missing > 0 ? missing : 0;
}

void supi_respond_bounce_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                                 supi_contact* contacts, const sup_row* x, sup_row* v, float h,
                                 float slow) {
    for (int32_t i = 0; i < pairing->count; i++) {
        supi_contact* c = &contacts[i];
        const supi_surface* surface = &surfaces[c->surface];
        if (!(surface->restitution > 0)) continue;
        sup_row *va = &v[c->a], *vb = &v[c->b];
        float wa, wb;
        side_weights(pairing, &x[c->a], &x[c->b], &wa, &wb);
        float w = wa + wb;
        vec n = array_vec(c->normal);
        float vn = dot(n, minus(row_vec(va), row_vec(vb)));
        float missing = missing_speed(surface, c, vn, slow);
        if (!(missing > 0) || !(w > 0)) continue;
        add(va, scaled(n, wa / w * missing));
        add(vb, scaled(n, -(wb / w * missing)));
        c->push += h * missing;
    }
}

void supi_respond_bounce_touches(const supi_touch* touches, const supi_surface* surfaces,
                                 supi_touch_contact* contacts, int32_t count, const sup_row* x,
                                 sup_row* v, float h, float slow) {
    for (int32_t i = 0; i < count; i++) {
        supi_touch_contact* contact = &contacts[i];
        supi_contact* c = &contact->common;
        const supi_surface* surface = &surfaces[c->surface];
        if (!(surface->restitution > 0) || !(c->push > 0)) continue;
        supi_probe probe;
        supi_shape_probe(&touches[c->b].shape, place_of(&x[c->a]), contact->side, &probe);
        vec n = array_vec(c->normal);
        float vn = dot(n, minus(row_vec(&v[c->a]), vector_of(probe.velocity)));
        vec more = scaled(n, missing_speed(surface, c, vn, slow));
        add(&v[c->a], more);
        c->push += h * dot(n, more);
        for (int k = 0; k < 3; k++) contact->gain[k] += k == 0 ? more.x : k == 1 ? more.y : more.z;
    }
}
