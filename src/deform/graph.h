/* Who is beside whom: the edges of a mesh by point, in an order that is good for the cache. */
#ifndef SUPPLE_DEFORM_GRAPH_H
#define SUPPLE_DEFORM_GRAPH_H

#include "base/arena.h"
#include "supple/mesh.h"

/* Points have their id in the mesh and a row, their place in memory. Neighbours of a row stand in
   the order of their ids, so that sums over them do not depend on rows. */
typedef struct supi_graph {
    int32_t point_count, edge_count;
    int32_t* row_of;     /* by id (point_count) */
    int32_t* id_of;      /* by row (point_count) */
    int32_t* starts;     /* by row (point_count + 1) */
    int32_t* neighbours; /* rows (2 * edge_count) */
    int32_t* eights;     /* by row: its neighbours again where they are at most 8, filled up with
                            itself; else the first is -1 (8 * point_count) */
    int32_t* edge_of;    /* the edge beside each neighbour (2 * edge_count) */
    int32_t* edges;      /* pairs of ids, lower first, sorted (2 * edge_count) */
} supi_graph;

/* All arrays are the arena's. `keep_order`: rows are ids. */
sup_result supi_graph_build(supi_arena* arena, const sup_mesh* mesh, bool keep_order,
                            supi_graph* out, sup_error* error);

#endif
