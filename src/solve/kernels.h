/* The table of kernels: one copy per instruction set, all with the same results. */
#ifndef SUPPLE_SOLVE_KERNELS_H
#define SUPPLE_SOLVE_KERNELS_H

#include "solve/cluster.h"
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
    /* Springs, slices begin .. end-1 of a net; rows and tangents are those of the whole body. Adds
       to f (N, w is left alone) what the springs do; `sums` (NULL: not wanted) are set. */
    void (*spring_forces)(const supi_spring_net* net, int32_t begin, int32_t end, const sup_row* x,
                          const sup_row* v, sup_row* f, supi_spring_sums* sums);
    /* The same linearised for an implicit step: A as tangents and rows with their blocks, and f,
       which holds the other forces (N), becomes h (f - q m v + lead K v). Pinned rows get 0. */
    void (*spring_linearise)(const supi_spring_net* net, int32_t begin, int32_t end,
                             const supi_spring_step* step, const sup_row* x, const sup_row* v,
                             sup_row* f, supi_spring_tangent8* tangents, supi_spring_rows8* rows);
    /* Blocks become their inverses. */
    void (*spring_invert)(supi_spring_rows8* rows, int32_t begin, int32_t end);
    /* y = A p; returns p . y. Not for constraints: y of a pinned row is anything. */
    double (*spring_apply)(const supi_spring_net* net, int32_t begin, int32_t end,
                           const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                           const sup_row* p, sup_row* y);
    /* Conjugate gradients: r -= a g, y = blocks r; returns r . y. */
    double (*spring_descend)(const supi_spring_rows8* rows, int32_t begin, int32_t end, float a,
                             const sup_row* g, sup_row* r, sup_row* y);
    /* And after it: dv += a p, p = y + b p. */
    void (*spring_turn)(int32_t begin, int32_t end, float a, float b, const sup_row* y, sup_row* p,
                        sup_row* dv);
} supi_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where this build or processor has
 * none. */
const supi_kernels* supi_kernels_find(sup_simd simd);

#endif
