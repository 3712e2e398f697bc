/* Soft substance: particles that repel each other when they are close and hold together when they
   are not, with friction between those that pass. Spec 5, section 6, after the seed's equations 3
   and 4.

   With s = r0 / r the force of b on a is k / r (s^8 - s^4) along the line from b to a: nothing at
   r0, there of the stiffness 4 k / r0^2. It ends at 2.5 r0, from four fifths of that on smoothly;
   nearer than 0.8 r0 it goes on along its tangent, so that no force is too large for a step. */
#ifndef SUPPLE_SOLVE_BLOB_H
#define SUPPLE_SOLVE_BLOB_H

#include "supple/world.h"

#define SUPI_BLOB_REACH 2.5     /* in r0: where the force ends */
#define SUPI_BLOB_FADE 2.0      /* in r0: where it begins to end */
#define SUPI_BLOB_CORE 0.8      /* in r0: where it becomes straight */
#define SUPI_BLOB_STEP 0.05     /* longest step in r0 sqrt(m / k) */
#define SUPI_BLOB_INNER_MOST 64 /* steps of a substep */

typedef struct supi_blob_law {
    float spacing;  /* m, r0 */
    float energy;   /* J, k: eight times what it takes to part two */
    float friction; /* kg/m of two that touch; less with the square of the distance to 2.5 r0 */
    float lightest; /* kg, of all particles: bounds friction */
    bool central;   /* friction acts along the line of two only, and so keeps angular momentum */
    float h;        /* s */
    float gain[3];  /* m/s of velocity that gravity gives in a step */
    float keep;     /* share of its velocity that each keeps in a step */
} supi_blob_law;

/* Particles in any order, each with a list of those near it. */
typedef struct supi_blob_rows {
    const sup_row* x;       /* m, 1/kg; behind the last one that is far from all */
    const sup_row* v;       /* m/s; 1 / how many are near it */
    const int32_t* near;    /* lists, filled up to a multiple of 8 with who is far away */
    const int32_t* lengths; /* of them, without these */
    int32_t stride;         /* from list to list */
    const int32_t* ids;     /* say which way two go that are in one place */
} supi_blob_rows;

/* Where the one that is far from all stands: its square is still finite. */
#define SUPI_BLOB_FAR 1e18f

typedef struct supi_blob_kernels {
    sup_simd simd;
    /* One step of rows begin .. end-1 by symplectic Euler. What is written is read by none. */
    void (*step)(const supi_blob_law* law, const supi_blob_rows* rows, int32_t begin, int32_t end,
                 sup_row* x, sup_row* v);
} supi_blob_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_blob_kernels* supi_blob_kernels_find(sup_simd simd);

/* How many equal steps a substep of h takes, at most SUPI_BLOB_INNER_MOST; `energy` becomes what
   these can carry. Returns how many it would need as a multiple of that. */
double supi_blob_plan(double h, double spacing, double lightest, double* energy, int32_t* steps);

#endif
