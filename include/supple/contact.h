/* Contacts: who meets whom, where and how hard. */
#ifndef SUPPLE_CONTACT_H
#define SUPPLE_CONTACT_H

#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that happened between a body and another, or a collider, in the last step. */
typedef struct sup_meeting {
    sup_body body, other;                    /* other: null for colliders */
    sup_collider collider;                   /* null for bodies */
    bool sensor;                             /* only inside, no contact */
    int32_t contact_count;                   /* of the last substep */
    double normal_impulse, friction_impulse; /* N s, sums of the lengths over all substeps */
    double impulse[3];                       /* N s on `body`, the vector sum */
    double moment[3];                        /* N m s on `body`, about the world's origin */
    double deepest;                          /* m, largest depth found */
} sup_meeting;

/* By body, then bodies before colliders, then by other; valid until the world changes. A sleeping
   body keeps the meetings that it fell asleep with, and goes on to push its colliders. When one
   side of a meeting is destroyed, the meeting goes with the next step, and no event tells. A body
   that touches itself has contacts, but no meeting. */
SUP_API const sup_meeting* sup_world_meetings(const sup_world* world, int32_t* count);

/* One particle against another or a collider, in the last substep; of thin bodies (meets_itself of
   springs) a point and a triangle, or two edges, by the particles of theirs that are nearest. */
typedef struct sup_contact {
    sup_body body, other; /* the same where a body touches itself */
    sup_collider collider;
    int32_t particle, other_particle; /* ids; -1: a collider. Of a tetrahedron or a side the corner
                                         with the largest part, of an edge its lower end */
    double point[3];                  /* m, world: between the two surfaces */
    float normal[3];                  /* unit, towards `body` */
    float depth;                      /* m, at detection; negative: apart */
    float normal_impulse;             /* N s, along the normal */
    float friction_impulse[3];        /* N s, on `body` */
} sup_contact;

/* Writes at most `capacity` contacts that pushed or overlapped, in the order of the meetings,
   then those of bodies of tetrahedra with each other; returns how many there are. Those of sensors
   and of bodies that sleep are not looked for, and an edit of the world makes it forget all. */
SUP_API int32_t sup_world_contacts(const sup_world* world, sup_contact* out, int32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
