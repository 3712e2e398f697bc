/* What a contact does to its particles: push apart, rub, bounce. */
#ifndef SUPPLE_CONTACT_RESPOND_H
#define SUPPLE_CONTACT_RESPOND_H

#include "contact/collider.h"
#include "contact/contact.h"

/* Who the particles of a side are. */
typedef struct supi_kin {
    const supi_oriented* oriented; /* NULL: spheres of their contact radius */
    int32_t first;                 /* row of the run */
} supi_kin;

/* All contacts between two runs, or of one that meets itself. */
typedef struct supi_pairing {
    int32_t run_a, run_b; /* run_a <= run_b */
    int32_t first, count; /* its contacts */
    float offset[3];      /* m, anchor of b - anchor of a */
    bool hold_a, hold_b;  /* immovable, whatever its particles' masses */
    int32_t surface;      /* first of its surfaces: region of a * regions of b + region of b */
    int32_t grasp;        /* first of its grasps; -1: spheres that do not turn */
    bool deep;            /* of particles that turn: a contact may move a row without speed */
    int32_t source; /* first of its pairs among those of other runs; a run with itself has a list */
    supi_kin a, b;
} supi_pairing;

/* A run near a collider. */
typedef struct supi_touch {
    int32_t run, collider;
    float thickness; /* m, distance kept from the shape */
    float limit;     /* m, particles closer than this become contacts */
    float travel;    /* m, how far the shape may move near the run in the substep */
    bool sensor;     /* pushes nobody */
    int32_t surface; /* first of its surfaces, by region of the run */
    supi_kin kin;
    supi_shape shape;
} supi_touch;

/* All of these expect rows with x = start of substep + h v: a correction that becomes speed is
   added to x and, divided by h, to v. Impulses of a pair cancel; particles of no inverse mass stay
   where they are. */

/* One sweep over the contacts of a pairing. */
void supi_respond_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                          supi_contact* contacts, sup_row* x, sup_row* v, float h);

/* One sweep over `count` contacts with colliders; contact.b is an index into touches. Particles
   that are fast for the shape are first stopped where they met it on their way. */
void supi_respond_touches(const supi_touch* touches, const supi_surface* surfaces,
                          supi_touch_contact* contacts, int32_t count, sup_row* x, sup_row* v,
                          float h);

/* Restitution, after the last sweep: contacts that pushed and whose approach was below -slow leave
   at that speed times restitution. */
void supi_respond_bounce_pairing(const supi_pairing* pairing, const supi_surface* surfaces,
                                 supi_contact* contacts, const sup_row* x, sup_row* v, float h,
                                 float slow);
void supi_respond_bounce_touches(const supi_touch* touches, const supi_surface* surfaces,
                                 supi_touch_contact* contacts, int32_t count, const sup_row* x,
                                 sup_row* v, float h, float slow);

#endif
