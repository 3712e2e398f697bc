/* Which sides of polygons are the same edge. */
#ifndef SUPPLE_GEOM_TOPOLOGY_H
#define SUPPLE_GEOM_TOPOLOGY_H

#include "supple/mesh.h"

/* Corner c has the side from its point to the point of next[c]. Edge e is the sides
   sides[starts[e]] .. sides[starts[e+1]-1], ascending; edges are sorted by (lower point, higher
   point). A side of no length (both ends one point) belongs to no edge. */
typedef struct supi_edges {
    const sup_allocator* allocator;
    int32_t corner_count, edge_count;
    int32_t* next;   /* (corner_count) */
    int32_t* sides;  /* corner ids (corner_count, used up to starts[edge_count]) */
    int32_t* starts; /* (corner_count + 1, used up to edge_count) */
} supi_edges;

/* False (nothing changed) when memory is short. Reads only starts and corners of the mesh. */
bool supi_topology_edges(const sup_allocator* allocator, const sup_mesh* mesh, supi_edges* out);
void supi_topology_free(supi_edges* edges);

#endif
