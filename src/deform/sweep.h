/* One pass of propagation over one generation: eight children at a time, one per lane, and their
   parents one after the other. One copy per instruction set, all with the same results. */
#ifndef SUPPLE_DEFORM_SWEEP_H
#define SUPPLE_DEFORM_SWEEP_H

#include "supple/world.h"

/* Rows of a generation stand in batches of eight. A column is one parent for each of a batch, as
   its number in the generation above; weights and lengths of columns are in lane order. */
typedef struct supi_sweep {
    const int32_t* columns; /* the first column of each batch, and the end */
    const int32_t* parents; /* (8 * columns); who has no more names a row that does not move */
    const float* weights;   /* transfers of edges; NULL: all as in `along` and `across` */
    const float* rests;     /* lengths that edges want, m; NULL: those they have */
    const sup_row *places_above,
        *moved_above;        /* the generation above: before the pass; its motion */
    sup_row* rows;           /* (x, y, z, 1/((1 + mass) parents)), by batch */
    sup_row *places, *moved; /* what `places_above` is for the next generation */
    float along, across;     /* transfer (1 - transverse), transfer transverse; with weights without
                                the transfer */
    float fade;              /* factor of all motion, 1: none */
    float tiny;              /* m; two points that are nearer are in one place */
    double unit;             /* sums are whole multiples of it; 0: plain sums */
} supi_sweep;

typedef struct supi_sweep_kernels {
    sup_simd simd;
    /* Batches begin .. end-1; those of the generation begin at `first`. Whether any of them moved.
     */
    bool (*pass)(const supi_sweep* sweep, int32_t first, int32_t begin, int32_t end);
} supi_sweep_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where this build or processor has
   none. */
const supi_sweep_kernels* supi_sweep_kernels_find(sup_simd simd);

#endif
