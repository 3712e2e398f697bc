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
    float before;          /* m, depth along the normal at the start */
    sup_vec3 arm_a, arm_b; /* m, from each centre to where they touch */
} supi_encounter;

/* Eight pairs, b first. */
struct supi_encounters {
    supi_ellipsoid_rows rows;
    float h;        /* s since the start: rows have come from there by h v and h w */
    float share[8]; /* of a: inverse mass over the sum of both */
    /* what was seen at the end, as of supi_ellipsoid_pairs */
    float offset[3][8], normal[3][8], separation[8], reach_a[3][8], reach_b[3][8];
    supi_encounter out[8];
};

/* Makes a lane of one of those that overlap at the end. */
void supi_encounters_take(supi_encounters* e, int32_t lane, const supi_ellipsoid_rows* rows,
                          const supi_ellipsoid_pairs* end, int32_t from, float share);

/* m, how deep two ellipsoids overlap along n, which points from b to a. */
float supi_encounter_depth(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 n);

#endif
