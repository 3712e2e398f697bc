/* What a contact does to particles that turn: impulses act where the two touch, not at their
   centres. All that moves or turns a particle for good within a substep also becomes its speed: a
   correction c adds c to x and c / h to v, and a turn by a adds a / h to w. */
#ifndef SUPPLE_CONTACT_TURNING_H
#define SUPPLE_CONTACT_TURNING_H

#include "contact/contact.h"

/* The inverse inertia of a particle at rest, seen after its turn q. */
supi_moments supi_moments_turned(const supi_moments* rest, sup_quat q);

/* One side of a contact. Obstacles are sides with no share: their v is that of the surface. */
typedef struct supi_side {
    sup_row *x, *v;
    sup_quat* q;       /* NULL: nothing turns it */
    sup_row* w;        /* rad/s; NULL: it does not turn at all */
    float share;       /* inverse mass, over the sum of both sides'; 0: immovable */
    supi_moments ease; /* inverse inertia in the world, over the same sum; 0: does not turn */
    sup_vec3 arm;      /* m, from its centre to where they touch */
    bool tips, rolls;  /* pushes, friction turn it */
    sup_row* shift;    /* m, sum of what moved it and became no speed, where others have to follow;
                          NULL: it goes alone */
} supi_side;

/* Two sides; the normal points to a. */
typedef struct supi_turning {
    supi_side a, b;
    sup_vec3 normal;
} supi_turning;

/* What lies less deep only touches: a body at rest is not lifted for it. */
static inline bool supi_turning_is_deep(const supi_surface* surface, float depth) {
    return depth > 2 * surface->slack;
}
/* May answering it move rows without speed? By its depth as found and before the substep. */
static inline bool supi_turning_may_shift(const supi_surface* surface, float depth, float old) {
    return supi_turning_is_deep(surface, depth) || supi_turning_is_deep(surface, old);
}

/* How much the places where they touch part along the unit vector n by an impulse of 1, which would
   part the centres of particles that do not turn by 1. */
float supi_turning_ease(const supi_turning* t, sup_vec3 n, bool push);

/* Pushes the sides apart so that `depth` (m, above 0) is gone, as far as one linear step tells. Of
   that, what stops the approach or opens slowly becomes speed; the rest only moves, and what is
   `old` (m, depth before the substep) only so fast. `tips`: as a turn too, at most 0.5 rad; the
   caller measures again and pushes the rest without. Returns the correction that became speed and
   adds its length to contact->push. */
sup_vec3 supi_turning_push(const supi_turning* t, const supi_surface* surface,
                           supi_contact* contact, float depth, float old, bool tips, float h);

/* Coulomb friction after the pushes of a substep, against contact->push. Returns the correction. */
sup_vec3 supi_turning_rub(const supi_turning* t, const supi_surface* surface, supi_contact* contact,
                          float h);

/* After the last sweep: the speed that is missing to leave at restitution times the approach, with
   the friction that belongs to it; or, where old overlap was opened, less speed. Returns what it
   adds to the velocity of a side of share 1. */
sup_vec3 supi_turning_bounce(const supi_turning* t, const supi_surface* surface,
                             supi_contact* contact, float slow, float h);

/* The friction of the 2011 paper, set right: shares (0..1) of the tangential speed and of the slip
   that are gone afterwards. No cone, and angular momentum is not kept. */
void supi_turning_drag(const supi_turning* t, float linear, float turning);

/* Takes up to `most` (rad/s) off the part of w that rolls. */
void supi_turning_roll(const supi_side* side, sup_vec3 n, float most);

#endif
