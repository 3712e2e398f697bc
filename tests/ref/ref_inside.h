/* How deep bodies of tetrahedra are in each other, without any rule of the engine: of every point
   that the surface of another body goes round, the distance to the nearest place of it. In double.
 */
#ifndef SUPPLE_REF_INSIDE_H
#define SUPPLE_REF_INSIDE_H

#include "ref/ref_tets.h"

typedef struct ref_inside {
    int32_t count, deep; /* points in other bodies; those of them that are `limit` deep, or more */
    double deepest;      /* m */
    int32_t body, point, other; /* of the deepest */
} ref_inside;

/* Of all bodies, in a frame that they share. */
ref_inside ref_inside_find(const ref_tets* bodies, int32_t body_count, double limit);

#endif
