/* The table of kernels: one copy per instruction set, all with the same results. */
#ifndef SUPPLE_SOLVE_KERNELS_H
#define SUPPLE_SOLVE_KERNELS_H

#include "solve/cluster.h"
#include "solve/frame_kernels.h"
#include "solve/lattice.h"
#include "solve/spring.h"
#include "supple/supple.h"

typedef struct supi_kernels {
    sup_simd simd;
    /* Sums over a span; those for damping only with SUPI_CLUSTER_DAMPED, those for bending only
     * where it bends. x and v are the first rows of the body. */
    void (*moments)(const supi_span* span, const sup_row* x, const sup_row* v,
                    const supi_pull* pull, supi_cluster_kind kind, const float xref[3],
                    float sums[SUPI_SUM_COUNT]);
    /* Centre, rotation and rigid motion of eight clusters from their sums. */
    void (*match)(supi_match8* batch);
    /* Rotation parts of eight row-major matrices from warm starts; *iterations counts Newton steps
     * per lane. */
    void (*rotate)(float b[9][8], float q[4][8], int32_t iterations[8]);
    /* One cluster that owns its rows: from (x, v) to the end of the substep (x_out, v_out; may be
       the same rows). Unless `sums` is NULL or the kind is SUPI_CLUSTER_PREDICTED, they become what
       `moments` would find next about `next`. */
    void (*move)(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                 supi_cluster_kind kind, const sup_row* x, const sup_row* v, sup_row* x_out,
                 sup_row* v_out, supi_extent* box, const float next[3], float* sums);
    /* Overlapping clusters: the velocity change that each membership asks for, one row each in
     * `asked`. */
    void (*ask)(const supi_span* span, const supi_goal* goal, const supi_pull* pull,
                supi_cluster_kind kind, const sup_row* x, const sup_row* v, sup_row* asked);
    /* Tests rows begin .. end-1: finite and in range, and their box. */
    void (*inspect)(const sup_row* x, int32_t begin, int32_t end, supi_extent* box);
    /* Slides a window along a line of a lattice, in place. */
    void (*window)(const supi_window* window, const supi_cell_line* line);
    const supi_spring_kernels* springs;
    const supi_frame_kernels* frames;
} supi_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where this build or processor has
 * none. */
const supi_kernels* supi_kernels_find(sup_simd simd);

#endif
