/* How two ellipsoids meet in a substep, eight pairs at a time.

   Whether they overlap is seen at its end, but the normal and the arms are those of its start:
   impulses then act along the line for which they were found, and angular momentum is kept. */
#ifndef SUPPLE_CONTACT_ENCOUNTER_H
#define SUPPLE_CONTACT_ENCOUNTER_H

#include "contact/ellipsoid.h"

/* Of Newton's method: from unknown normals, and from those of the end. */
enum { SUPI_ENCOUNTER_ROUNDS = 6, SUPI_ENCOUNTER_KNOWN_ROUNDS = 4 };

typedef struct supi_encounter {
    sup_vec3 normal;       /* unit, from b to a */
    float depth;           /* m, along it at the end; below 0: apart */
    float old;             /* m, at least 0: how deep they were at the start */
    sup_vec3 arm_a, arm_b; /* m, from each centre to where they touch */
} supi_encounter;

/* What `end`, loaded with b first and separated, has seen in a lane; `share` is that of a: inverse
   mass over the sum of both. */
supi_encounter supi_encounter_seen(const supi_ellipsoid_pairs* end, int32_t lane, float share);

/* Up to eight pairs that overlap at the end of the substep. */
typedef struct supi_encounters {
    int32_t count;
    supi_ellipsoid a[8], b[8];               /* at the end of the substep */
    supi_ellipsoid a_before[8], b_before[8]; /* at its start */
    float share[8];
    supi_encounter out[8]; /* in: as seen at the end */
} supi_encounters;

/* Looks where they came from. */
void supi_encounters_start(supi_encounters* e, const supi_ellipsoid_kernels* kernels);

/* m, how deep two ellipsoids overlap along n, which points from b to a. */
float supi_encounter_depth(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 n);

#endif
