/* Steps of the repair of a triangle soup; see repair.c for their order. */
#ifndef SUPPLE_GEOM_REPAIR_H
#define SUPPLE_GEOM_REPAIR_H

#include "base/arena.h"
#include "supple/mesh.h"

typedef struct supi_repair {
    supi_arena arena; /* of all that the steps need on the way */
    sup_mesh mesh;    /* triangles: side s of triangle t runs from corner 3 t + s to the next */
    int32_t* mates;   /* the side across each one, -1 on a boundary, LEFT where nobody can tell */
    double* areas;    /* m^2, by triangle: of the whole part that it belongs to */
    sup_repair_report report;
} supi_repair;

enum { SUPI_REPAIR_BOUNDARY = -1, SUPI_REPAIR_LEFT = -2 };

static inline int32_t supi_repair_next(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }

/* Turns triangles round until neighbours agree, and parts until they face outwards, or into
   cavities. False when memory is short, as below. */
bool supi_repair_orient(supi_repair* repair);
/* Finds mates. Where several surfaces meet in an edge, those with solid between them are mates. */
bool supi_repair_pair(supi_repair* repair);
/* Gives each fan of triangles around a point a point of its own. */
bool supi_repair_split(supi_repair* repair);
/* Closes small flat holes by fans around their middles, but not the rims of sheets. */
bool supi_repair_fill(supi_repair* repair);

#endif
