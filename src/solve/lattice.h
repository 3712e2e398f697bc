/* Shape matching on a cubic lattice, with a cluster of (2 reach + 1)^3 nodes around every node
   (Rivers and James: FastLSM, 2007). Sums over such boxes are three passes of sums along lines, one
   per axis. Moments are taken about each cluster's own node as the passes go: sums of x q^T about
   one point of the body would lose the clusters of a long body in rounding. */
#ifndef SUPPLE_SOLVE_LATTICE_H
#define SUPPLE_SOLVE_LATTICE_H

#include "solve/cluster.h"

enum { SUPI_REACH_MOST = 4 };

/* A cell of the grid has up to eight rows of four floats. On the way to the clusters they are sums
   over nodes (d = x - xref, u = v - vref), on the way back sums over clusters, which ask. An empty
   cell is 0. */
enum {
    SUPI_CELL_OFFSET = 0,   /* w d, w */
    SUPI_CELL_MOMENT = 1,   /* the same times the cells from the cluster's node, for x, y and z */
    SUPI_CELL_MOMENTUM = 4, /* w u, and the rest: for damping only */
    SUPI_CELL_SPIN = 5,     /* w d x u */
    SUPI_CELL_SQUARES = 6,  /* w d d: xx yy zz */
    SUPI_CELL_PRODUCTS = 7, /* w d d: xy yz zx */

    SUPI_CELL_GOAL = 0,   /* a (goal of the node - xref), a: how much the cluster counts */
    SUPI_CELL_MATRIX = 1, /* a spacing times the columns of the goal matrix */
    SUPI_CELL_DRIFT = 4,  /* b (rigid velocity at xref - vref), b; from here for damping only */
    SUPI_CELL_TURN = 5,   /* b spin */

    SUPI_CELL_SUM_ROWS = 8,
    SUPI_CELL_ASK_ROWS = 6,
    SUPI_CELL_PLAIN_ROWS = 4 /* of both, without damping */
};

typedef struct supi_cell {
    sup_row rows[SUPI_CELL_SUM_ROWS];
} supi_cell;

/* The grid is cut into blocks of this many cells along each axis, and the rows of a cell refer to a
   row of its block, xref and vref: about one point of the whole body, the spin of a thin cluster
   would drown in rounding. Whole windows for those that are summed by windows. */
enum { SUPI_LATTICE_BLOCK_MOST = 18 };
static inline int32_t supi_lattice_block(int32_t reach) {
    static const int32_t cells[SUPI_REACH_MOST + 1] = {0, 8, 10, 14, SUPI_LATTICE_BLOCK_MOST};
    return cells[reach];
}

/* What happens along a line of cells: each becomes the sum of the 2 reach + 1 around it; the first
   moment of row `source` about the cell, in cells and times `sign`, is added to row `target`
   (0 .. 3). */
typedef struct supi_window {
    int32_t reach;
    int32_t rows; /* per cell that are summed */
    int32_t source, target;
    float sign;
    const sup_row *x, *v; /* of the body */
} supi_window;

/* `count` cells, `stride` rows from each to the next. The rows of block k refer to row
   about[k * about_stride] of the body. */
typedef struct supi_cell_line {
    sup_row* first;
    ptrdiff_t stride;
    int32_t count;
    const int32_t* about;
    ptrdiff_t about_stride;
} supi_cell_line;

#endif
