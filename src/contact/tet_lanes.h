/* Kernels over eight tetrahedra at a time, that sort out who cannot meet. */
#ifndef SUPPLE_CONTACT_TET_LANES_H
#define SUPPLE_CONTACT_TET_LANES_H

#include "supple/supple.h"

typedef struct supi_tet_boxes {
    float low[3][8], high[3][8];
} supi_tet_boxes;

/* Where boxes are looked at. */
typedef struct supi_tet_window {
    float shift[3];        /* m, added to places */
    float slack;           /* m, how much boxes grow, beside a share of their size */
    float low[3], high[3]; /* boxes that do not meet this one are of no interest */
} supi_tet_window;

/* Eight points and the tetrahedra they may be in. */
typedef struct supi_tet_probes {
    int32_t corners[4][8];
    float at[3][8]; /* m, from the first corner */
} supi_tet_probes;

typedef struct supi_tet_kernels {
    /* Boxes of `count` (1..8) tetrahedra; bit k where box k meets the window. */
    int (*boxes)(const sup_row* x, const int32_t* tets, int32_t count,
                 const supi_tet_window* window, supi_tet_boxes* out);
    /* Bit k clear: point k is outside of its tetrahedron, whatever rounding did. */
    int (*maybe)(const sup_row* x, const supi_tet_probes* probes);
} supi_tet_kernels;

/* The copy for an instruction set; NULL where this build or processor has none. */
const supi_tet_kernels* supi_tet_kernels_find(sup_simd simd);

#endif
