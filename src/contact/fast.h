/* Particles that go so far in a substep that its end alone does not tell where they came in. */
#ifndef SUPPLE_CONTACT_FAST_H
#define SUPPLE_CONTACT_FAST_H

#include "contact/respond.h"
#include "contact/vec3.h"

#include <math.h>

/* Does this one, seen from the shape? */
static inline bool supi_fast_is(const supi_touch* touch, const supi_touch_contact* contact,
                                const sup_row* x) {
    sup_vec3 way = supi_vec3_minus(supi_vec3_of_row(x), supi_vec3_from(contact->start));
    return sqrtf(supi_vec3_dot(way, way)) + touch->travel > touch->shape.safe;
}

/* Stops it where it met the shape. All of that becomes speed: it was outside before. */
void supi_fast_stop(const supi_touch* touch, supi_touch_contact* contact, sup_row* x, sup_row* v,
                    float per_h);

/* Friction may have drawn it along one side and in behind another. */
void supi_fast_lift(const supi_touch* touch, const supi_touch_contact* contact, sup_row* x);

#endif
