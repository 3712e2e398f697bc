/* Continuous collision detection: the first touch of a particle on its way through a substep.

   Planes, spheres, boxes and capsules by conservative advancement against tangent planes; meshes
   and heights by casting the way against their triangles. Inverted convex shapes need no cast: what
   is allowed is convex, and whatever ends outside is pushed back in the right direction. */
#ifndef SUPPLE_CONTACT_CAST_H
#define SUPPLE_CONTACT_CAST_H

#include "contact/collider.h"

typedef struct supi_cast {
    sup_vec3 place; /* m: where the particle ends instead: touching, with the tangential rest of its
                       way gone */
    sup_vec3 normal;   /* unit, of the first touch, at the end of the substep */
    sup_vec3 velocity; /* m/s of the surface there */
    int32_t iterations;
    float side; /* of an open mesh on which the particle ends, also where the way is free: it may
                   have gone round the border. 1 for all others */
} supi_cast;

/* The particle goes from `from` (at the start of the substep) to `to` (at its end), both in the
   frame of the shape's anchor; the way is taken relative to the moving shape. `distance` (m) is
   kept from the surface; what began closer keeps what it had. True: it met the surface on the way,
   and the result is filled. False: the way is free, or it began inside; only out->side is filled.
   `side`: where it was at the start. */
bool supi_cast_particle(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float distance,
                        float side, supi_cast* out);

#endif
