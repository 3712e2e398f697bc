/* Maps of eight points at a time: a ball that pushes aside, and the mean over landmarks. One copy
   per instruction set, all with the same results. Points are columns of x, y and z. */
#ifndef SUPPLE_DEFORM_MAPS_H
#define SUPPLE_DEFORM_MAPS_H

#include "supple/world.h"

/* Landmarks as columns. */
typedef struct supi_marks {
    int32_t count;
    const float *from[3], *left[3]; /* where they are; what they hand on */
} supi_marks;

typedef struct supi_map_kernels {
    sup_simd simd;
    /* How far points at `at` from the middle of a ball go outwards, 0 < radius; none of them may be
       in its middle. */
    void (*push)(const float at[3][8], float radius, float by[3][8]);
    /* The mean of `left`, weighed by the fourth power of distances, and the square of the least of
       these. Where that is 0, the mean is nothing to go by. */
    void (*blend)(const supi_marks* marks, const float at[3][8], float mean[3][8],
                  float nearest[8]);
} supi_map_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_map_kernels* supi_map_kernels_find(sup_simd simd);

#endif
