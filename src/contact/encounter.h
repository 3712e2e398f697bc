/* How two ellipsoids meet in a substep, eight pairs at a time.

   Whether they overlap is seen at its end, but the normal and the arms are those of its start:
   impulses then act along the line for which they were found, and angular momentum is kept. */
#ifndef SUPPLE_CONTACT_ENCOUNTER_H
#define SUPPLE_CONTACT_ENCOUNTER_H

#include "contact/ellipsoid.h"

typedef struct supi_encounter {
    sup_vec3 normal;       /* unit, from b to a */
    float depth;           /* m, along it at the end; below 0: apart */
    float old;             /* m, at least 0: how deep they were at the start */
    sup_vec3 arm_a, arm_b; /* m, from each centre to where they touch */
} supi_encounter;

/* Up to eight pairs. */
typedef struct supi_encounters {
    int32_t count;
    supi_ellipsoid a[8], b[8];               /* at the end of the substep */
    supi_ellipsoid a_before[8], b_before[8]; /* at its start: for those that overlap */
    float share[8];                          /* of a: inverse mass over the sum of both */
    supi_encounter out[8];
} supi_encounters;

/* Looks at the end of the substep; bits of those that overlap there, whose starts are then to be
   filled in. */
int supi_encounters_end(supi_encounters* e, const supi_ellipsoid_kernels* kernels);
/* Looks where those came from. */
void supi_encounters_start(supi_encounters* e, const supi_ellipsoid_kernels* kernels, int overlap);

/* Are two ellipsoids, both scaled, apart as seen along the line d of their centres? Quick, and
   never wrong where it says so. */
bool supi_encounter_apart(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 d,
                          float scale);

/* m, how deep two ellipsoids overlap along n, which points from b to a. */
float supi_encounter_depth(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 n);

#endif
