/* The body-centred cubic lattice: corners and middles of cubic cells, and the tetrahedra between
   them, 12 for each cell. A node is named by its place in half cells: three even numbers for a
   corner, three odd ones for a middle. */
#ifndef SUPPLE_GEOM_BCC_H
#define SUPPLE_GEOM_BCC_H

#include "supple/base.h"

/* Each node has 14 neighbours: a cell away along the axes, and half a cell along all three. Those
   below SUPI_BCC_WAYS / 2 come later in the order of nodes, and each is the reverse of the one
   SUPI_BCC_WAYS / 2 further on. */
enum { SUPI_BCC_WAYS = 14, SUPI_BCC_OWN = SUPI_BCC_WAYS / 2, SUPI_BCC_LONG = 3 };

/* Where way w leads, in half cells; the first SUPI_BCC_LONG of either half are a cell long, the
   others sqrt(3)/2 of one. */
void supi_bcc_way(int32_t w, int32_t out[3]);
/* The way from one node to a neighbour. */
int32_t supi_bcc_way_between(const int32_t from[3], const int32_t to[3]);

/* Tetrahedron i (0..3) around the side that cell `at` shares with the next one along the axis: the
   middles of both and two corners of the side. */
void supi_bcc_tet(const int32_t at[3], int32_t axis, int32_t i, int32_t nodes[4][3]);

/* A box of cells whose nodes have numbers: layer by layer along z, then y, then x. Some numbers at
   the ends of odd layers are nobody's. */
typedef struct supi_bcc {
    int32_t cells[3];
    double cell;      /* m */
    double origin[3]; /* m, of node 0 0 0 */
} supi_bcc;

int64_t supi_bcc_node_count(const supi_bcc* bcc);
static inline int32_t supi_bcc_node(const supi_bcc* bcc, const int32_t node[3]) {
    return (node[2] * (bcc->cells[1] + 1) + (node[1] >> 1)) * (bcc->cells[0] + 1) + (node[0] >> 1);
}
/* False: the number is nobody's. */
bool supi_bcc_name(const supi_bcc* bcc, int32_t id, int32_t node[3]);
bool supi_bcc_has(const supi_bcc* bcc, const int32_t node[3]);
static inline void supi_bcc_place(const supi_bcc* bcc, const int32_t node[3], double place[3]) {
    for (int k = 0; k < 3; k++) place[k] = bcc->origin[k] + 0.5 * bcc->cell * (double)node[k];
}

#endif
