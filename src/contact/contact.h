/* What the contact room works with: runs of particles and the contacts between them. */
#ifndef SUPPLE_CONTACT_CONTACT_H
#define SUPPLE_CONTACT_CONTACT_H

#include "base/column.h"
#include "supple/types.h"

/* The particles of one body as contact sees them. Rows are relative to the anchor. Runs share no
 * row. */
typedef struct supi_run {
    int32_t first, count;  /* rows */
    double anchor[3];      /* m, world */
    float low[3], high[3]; /* box of the rows as they are when contacts are looked for */
    float reach;           /* largest contact radius of the run; 0: meets colliders only */
    float spacing; /* m, above 0: mean spacing of its particles, the unit of the depenetration
                      speeds */
    float
        speed; /* m/s, largest of the rows or a bound: how far beyond the surface colliders look */
    float friction_static, friction_kinetic, restitution;
    const sup_vec3* outward; /* rest normals of its rows, where it has an outside; else NULL */
    const sup_quat* turns;   /* rotations that bring them to the present */
    const int32_t* turn_of;  /* which of them is a row's; NULL: the first for all */
} supi_run;

/* How two things act on each other where they meet. */
typedef struct supi_surface {
    float friction_static, friction_kinetic, restitution;
    float depart; /* m/s at which an overlap may open by itself */
    float shift;  /* m/s at which what is left of it opens without becoming speed */
    float slack;  /* m: particles that were closer before the substep had met already */
    float creep;  /* m/s: slower slip than this is still held by static friction */
} supi_surface;

/* One particle against another or against a collider. The normal points to particle a. */
typedef struct supi_contact {
    int32_t a;       /* row */
    int32_t b;       /* row, or index of the touch */
    float normal[3]; /* frozen at detection for pairs, renewed in every sweep for colliders */
    float distance;  /* m, what is kept along the normal: sum of radii, or the thickness */
    float depth;     /* m, at detection; negative: apart */
    float approach;  /* m/s, relative normal speed before any correction of this substep */
    float push;      /* m, sum of the normal corrections that became speed */
    float drag[3];   /* m, sum of the friction corrections */
} supi_contact;

#endif
