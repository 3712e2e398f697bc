/* Normals of the points of a surface: means of the polygons around them, by their areas. */
#ifndef SUPPLE_GEOM_VERTEX_NORMALS_H
#define SUPPLE_GEOM_VERTEX_NORMALS_H

#include "supple/types.h"

/* Polygons of drawn vertices, each of which is one of `count` points; several may be the same. */
typedef struct supi_drawn_surface {
    int32_t polygon_count;
    const int32_t *starts, *corners; /* as those of a mesh */
    const int32_t* point_of;         /* by vertex */
    int32_t count;
} supi_drawn_surface;

/* Unit, by point; fourth entry 0. All 0 where polygons are none, or have no area together. */
void supi_vertex_normals(const supi_drawn_surface* surface, const sup_row* places, sup_row* out);

#endif
