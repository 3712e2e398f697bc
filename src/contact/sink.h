/* Particles that lie above the drawn surface, as in a cage: how far a collider lets them in. */
#ifndef SUPPLE_CONTACT_SINK_H
#define SUPPLE_CONTACT_SINK_H

#include "contact/collider.h"
#include "contact/vec3.h"

/* `depth` (m, below 0) of a particle, as far as it faces the collider, whose normal is `normal`:
   what lies beside the surface, and not between it and the collider, does not go in. Nor does
   anything into a sheet that has two sides: it would come out on the wrong one. `outward`: away
   from the surface, as the body has turned. */
static inline float supi_sink(const supi_shape* shape, float depth, sup_vec3 outward,
                              sup_vec3 normal) {
    float facing = -supi_vec3_dot(outward, normal);
    return facing > 0 && !supi_shape_two_sided(shape) ? facing * depth : 0;
}

#endif
