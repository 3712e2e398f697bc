/* Spheres of two bodies that go straight on in a substep: where they touch first. */
#ifndef SUPPLE_CONTACT_SWEPT_H
#define SUPPLE_CONTACT_SWEPT_H

#include "contact/contact.h"

/* A body that goes on as it is. */
typedef struct supi_swept_side {
    const sup_row* x; /* m from the anchor, at the end */
    const sup_row* v; /* of which w is the radius, m; 0: meets nobody */
    int32_t count;
    double anchor[3]; /* m */
    double way[3];    /* m, in the substep */
} supi_swept_side;

typedef struct supi_swept_touch {
    double t;         /* 0..1: when */
    double normal[3]; /* unit, towards side 0: the mean of those that touch then or soon after */
    double place[3];  /* m, world */
} supi_swept_touch;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_swept {
    uint8_t* hit[2]; /* by row: does it touch the other within the substep? */
    supi_column spots[2], keys, ids, hits[2];
} supi_swept;

/* Room for sides of so many rows. False when memory is short. */
bool supi_swept_reserve(supi_swept* swept, const sup_allocator* allocator, int32_t count);

/* After room was made for them. `soon`: m of the way. False: they do not touch, or are so deep in
   each other from the start that it is not for spheres to say. */
bool supi_swept_find(supi_swept* swept, const supi_swept_side sides[2], double soon,
                     supi_swept_touch* out);
void supi_swept_free(supi_swept* swept, const sup_allocator* allocator);

#endif
