/* Inside or outside of a closed surface, by what a line from a place to the far crosses. */
#ifndef SUPPLE_GEOM_INSIDE_H
#define SUPPLE_GEOM_INSIDE_H

#include "geom/bvh.h"

/* A surface of triangles that face outwards, with its tree. */
typedef struct supi_solid_surface {
    const sup_vec3* points;
    const int32_t* triangles;
    const supi_bvh* tree;
} supi_solid_surface;

/* Is the winding number above 1/2? Two of three lines decide, so that an edge or a fault that one
   of them meets does not. */
bool supi_inside(const supi_solid_surface* surface, sup_vec3 place);

#endif
