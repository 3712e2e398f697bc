/* Even triangles: a closed surface with new points of its own, about equally far apart. */
#ifndef SUPPLE_GEOM_REMESH_H
#define SUPPLE_GEOM_REMESH_H

#include "supple/types.h"

typedef struct supi_remesh_def {
    double length; /* m, of edges where the surface is flat, above 0; longer ones are not divided */
    double finest; /* m, of edges where it is bent most; at most length */
    double angle;  /* rad; where normals turn by more along an edge, it counts as bent */
    int32_t rounds; /* of flipping and relaxing, about 4 */
    /* Moves a place, where the surface has this unit normal, onto the true surface; NULL: points
       stay in the planes of their neighbours. */
    void (*project)(void* data, const double normal[3], double place[3]);
    void* data;
} supi_remesh_def;

/* Replaces a closed triangle mesh whose edges have two triangles each: drops points until edges are
   long enough, flips edges and moves points until triangles are even. Components, holes through
   them and orientation stay as they are, and no triangle turns over. Nothing changed when memory is
   short. */
sup_result supi_remesh(sup_mesh* mesh, const supi_remesh_def* def, sup_error* error);

#endif
