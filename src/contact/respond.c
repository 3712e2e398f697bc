/* Position corrections for contacts, one after the other on the depth that is left (Gauss-Seidel).

   Only the part of a correction that stops the approach, or opens an overlap slowly, becomes speed;
   the rest moves the particles and leaves their speed alone. Letting all of it become speed would
   turn old overlap into energy.

   Friction follows Coulomb's law over the whole substep: the sum of a contact's friction
   corrections is bound by the sum of its normal ones, so that the number of sweeps does not change
   how much a surface can hold. */
#include "contact/respond.h"

#include "contact/fast.h"
#include "contact/rub.h"

#include <math.h>

/* Share of a pair's depth that one sweep takes. Several pairs share a particle: 1 would push it too
 * far. */
#define PAIR_SHARE 0.5f

/* What a pairing's sides weigh: nothing moves a side that is held. */
static void side_weights(const supi_pairing* pairing, const sup_row* xa, const sup_row* xb,
                         float* wa, float* wb) {
    *wa = pairing->hold_a ? 0 : xa->w;
    *wb = pairing->hold_b ? 0 : xb->w;
}

void supi_respond_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                          supi_contact* contacts, sup_row* x, sup_row* v, float h) {
    const sup_vec3 offset = supi_vec3_from(pairing->offset);
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
        sup_vec3 n = supi_vec3_from(c->normal);
        float depth =
            c->distance - supi_vec3_dot(n, supi_vec3_minus(supi_vec3_minus(supi_vec3_of_row(xa),
                                                                           supi_vec3_of_row(xb)),
                                                           offset));
        if (depth > 0) {
            float un = h * supi_vec3_dot(
                               n, supi_vec3_minus(supi_vec3_of_row(va), supi_vec3_of_row(vb))),
                  speed, shift;
            supi_rub_split(surface, PAIR_SHARE * depth, un, h, &speed, &shift);
            supi_rub_move(xa, va, supi_vec3_scaled(n, wa * speed), per_h);
            supi_rub_move(xb, vb, supi_vec3_scaled(n, -(wb * speed)), per_h);
            supi_rub_add(xa, supi_vec3_scaled(n, wa * shift));
            supi_rub_add(xb, supi_vec3_scaled(n, -(wb * shift)));
            c->push += speed;
        }
        if (surface->friction_static > 0 && c->push > 0) {
            sup_vec3 ut = supi_rub_tangent(
                supi_vec3_scaled(supi_vec3_minus(supi_vec3_of_row(va), supi_vec3_of_row(vb)), h),
                n);
            sup_vec3 d = supi_rub(surface, c, ut, surface->creep * h);
            supi_rub_move(xa, va, supi_vec3_scaled(d, wa), per_h);
            supi_rub_move(xb, vb, supi_vec3_scaled(d, -wb), per_h);
        }
    }
}

/* Distances change no faster than places: a particle that was found further outside than it has
   come in all since cannot touch. Not worth asking for planes. */
static bool out_of_reach(const supi_touch* touch, const supi_touch_contact* contact,
                         const sup_row* x) {
    float outside = -contact->common.depth - touch->travel;
    if (touch->shape.kind == SUP_COLLIDER_PLANE || !(outside > 0)) return false;
    sup_vec3 way = supi_vec3_minus(supi_vec3_of_row(x), supi_vec3_from(contact->start));
    sup_vec3 since = supi_vec3_minus(supi_vec3_of_row(x), supi_vec3_from(contact->found));
    return contact->common.push == 0 &&
           outside > sqrtf(supi_vec3_dot(way, way)) + sqrtf(supi_vec3_dot(since, since));
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
        bool fast = supi_fast_is(touch, contact, xa);
        if (fast) supi_fast_stop(touch, contact, xa, va, per_h);
        supi_probe probe;
        supi_shape_probe(&touch->shape, supi_vec3_of_row(xa), contact->side, &probe);
        sup_vec3 n = probe.normal, u = supi_vec3_minus(supi_vec3_of_row(va), probe.velocity);
        if (probe.distance < c->distance) {
            float speed, shift;
            supi_rub_split(surface, c->distance - probe.distance, h * supi_vec3_dot(n, u), h,
                           &speed, &shift);
            supi_rub_give(contact, xa, va, supi_vec3_scaled(n, speed), per_h);
            supi_rub_add(xa, supi_vec3_scaled(n, shift));
            c->push += speed;
            supi_rub_set_normal(c, n);
        }
        if (c->push > 0) {
            u = supi_vec3_minus(supi_vec3_of_row(va), probe.velocity);
            sup_vec3 d = supi_rub(surface, c, supi_rub_tangent(supi_vec3_scaled(u, h), n),
                                  surface->creep * h);
            supi_rub_give(contact, xa, va, d, per_h);
        }
        if (fast) supi_fast_lift(touch, contact, xa);
    }
}

void supi_respond_bounce_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                                 supi_contact* contacts, const sup_row* x, sup_row* v, float h,
                                 float slow) {
    for (int32_t i = 0; i < pairing->count; i++) {
        supi_contact* c = &contacts[i];
        const supi_surface* surface = &surfaces[c->surface];
        if (!(surface->restitution > 0 || surface->stops)) continue;
        sup_row *va = &v[c->a], *vb = &v[c->b];
        float wa, wb;
        side_weights(pairing, &x[c->a], &x[c->b], &wa, &wb);
        float w = wa + wb;
        sup_vec3 n = supi_vec3_from(c->normal);
        float vn = supi_vec3_dot(n, supi_vec3_minus(supi_vec3_of_row(va), supi_vec3_of_row(vb)));
        float missing = supi_rub_missing(surface, c, vn, slow);
        if (!(missing > 0) || !(w > 0)) continue;
        supi_rub_add(va, supi_vec3_scaled(n, wa / w * missing));
        supi_rub_add(vb, supi_vec3_scaled(n, -(wb / w * missing)));
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
        if (!(surface->restitution > 0 || surface->stops) || !(c->push > 0)) continue;
        supi_probe probe;
        supi_shape_probe(&touches[c->b].shape, supi_vec3_of_row(&x[c->a]), contact->side, &probe);
        sup_vec3 n = supi_vec3_from(c->normal);
        float vn = supi_vec3_dot(n, supi_vec3_minus(supi_vec3_of_row(&v[c->a]), probe.velocity));
        sup_vec3 more = supi_vec3_scaled(n, supi_rub_missing(surface, c, vn, slow));
        supi_rub_add(&v[c->a], more);
        c->push += h * supi_vec3_dot(n, more);
        for (int k = 0; k < 3; k++) contact->gain[k] += k == 0 ? more.x : k == 1 ? more.y : more.z;
    }
}
