/* The surface where a field has a value, as closed triangles: marching tetrahedra on a grid whose
   cubes are all cut into the same six (Kuhn's). No case is ambiguous, so every edge has exactly two
   triangles, that run against each other. */
#ifndef SUPPLE_GEOM_ISOSURFACE_H
#define SUPPLE_GEOM_ISOSURFACE_H

#include "supple/types.h"

/* A place must have the same value whenever it is asked for. */
typedef struct supi_iso_field {
    const void* data;
    /* Above the wanted value inside, below it or equal outside. */
    double (*value)(const void* data, const double place[3]);
    /* True only if no surface comes into the ball; NULL: nobody knows, and the whole grid is
       walked. */
    bool (*empty)(const void* data, const double middle[3], double radius);
    /* Data with the same values for all places in the ball, perhaps found faster; `level` is 0 or
       1, and what is given stays until the next call of its level. Level 1 is given what level 0
       gave. NULL: the data itself. */
    const void* (*focus)(void* scratch, int32_t level, const void* data, const double middle[3],
                         double radius);
    void* scratch;
} supi_iso_field;

typedef struct supi_iso_grid {
    double low[3], high[3]; /* m; the inside must end before it */
    double spacing; /* m, above 0, at most 2^20 cells each way; the last cell may stick out */
    double iso;     /* the value that the surface has */
    /* The field changes by no more than this for each m; then sheets that slip through the grid are
       looked for between its points, and refused. 0: not looked for. */
    double steepness;
} supi_iso_grid;

/* Triangles with outward faces; points within a cell are those of the field but for a small error
   of second order, and no triangle is degenerate. Takes room for the surface, not for the volume. A
   field that is nowhere above iso gives a mesh without polygons. Refused: a bad grid, an inside
   that reaches the end of the grid, a grid too coarse for the field. */
sup_result supi_isosurface_mesh(const sup_allocator* allocator, const supi_iso_field* field,
                                const supi_iso_grid* grid, sup_mesh* out, sup_error* error);

#endif
