#include "contact/fast.h"

#include "contact/cast.h"
#include "contact/rub.h"

void supi_fast_stop(const supi_touch* touch, supi_touch_contact* contact, sup_row* x, sup_row* v,
                    float per_h) {
    sup_vec3 from = {contact->start[0], contact->start[1], contact->start[2]};
    supi_cast cast;
    /* What may go into the collider slowly stops at it when it is fast. */
    float keep = contact->common.distance > 0 ? contact->common.distance : 0;
    bool met =
        supi_cast_particle(&touch->shape, from, supi_vec3_of_row(x), keep, contact->side, &cast);
    contact->side = cast.side; /* it may have gone around the border of a sheet */
    if (!met) return;
    sup_vec3 n = cast.normal, back = supi_vec3_minus(cast.place, supi_vec3_of_row(x));
    supi_contact* c = &contact->common;
    float closing = supi_vec3_dot(n, supi_vec3_minus(supi_vec3_of_row(v), cast.velocity));
    if (closing < c->approach) c->approach = closing;
    float push = supi_vec3_dot(n, back);
    if (push > 0) c->push += push;
    supi_rub_set_normal(c, n);
    supi_rub_give(contact, x, v, back, per_h);
}

void supi_fast_lift(const supi_touch* touch, const supi_touch_contact* contact, sup_row* x) {
    supi_probe probe;
    supi_shape_probe(&touch->shape, supi_vec3_of_row(x), contact->side, &probe);
    float missing = contact->common.distance - probe.distance;
    if (missing > 0) supi_rub_add(x, supi_vec3_scaled(probe.normal, missing));
}
