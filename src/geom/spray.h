/* Places at random, none too near to another: Poisson disks by throwing darts. */
#ifndef SUPPLE_GEOM_SPRAY_H
#define SUPPLE_GEOM_SPRAY_H

#include "base/random.h"
#include "geom/bvh.h"
#include "geom/cells.h"
#include "geom/cloud.h"
#include "supple/fit.h"

/* Where darts land. */
typedef struct supi_spray_board {
    int32_t spot_count;
    const sup_vec3* spots; /* each is tried at the end, so that no gap is left */
    const supi_bvh* tree;  /* of the surface */
    double jitter;         /* m: inside, darts land so far from a spot along each axis, on its side
                              of the surface. 0: on the triangles */
    int32_t triangle_count;
    const sup_vec3* points;
    const int32_t* triangles;
    const double* sums; /* area up to and with each triangle (triangle_count) */
} supi_spray_board;

typedef struct supi_spray {
    const supi_cells* old; /* places that are there already; at most `gap` may be asked of them */
    double gap, spacing;   /* m, from those and between new ones */
    int32_t failures;      /* darts that may miss for each that hits */
    int32_t most;          /* enough: no more places than this */
    sup_brush brush;
    supi_random random;
    supi_cells found; /* the new places, as floats; supi_spray_free gives them back */
} supi_spray;

/* Throws until the failures are used up, then tries every spot. False when memory is short. */
bool supi_spray_throw(supi_spray* spray, const sup_allocator* allocator,
                      const supi_spray_board* board);

/* Each of the places from `fixed` on goes to the middle of the spots that are nearest to it, or as
   near to that as the surface lets it: `tree` of those who stay on their side of it, `on_surface`
   of those who stay on it. `areas` weighs the spots, NULL: all alike. */
typedef struct supi_relax {
    int32_t spot_count;
    const sup_vec3* spots;
    const double* areas;
    const supi_bvh* tree;
    bool on_surface;
    const sup_brush* brush; /* spots that it does not take count for nobody */
} supi_relax;
bool supi_spray_relax(const supi_relax* relax, const sup_allocator* allocator, int32_t fixed,
                      int32_t count, sup_vec3* places);

#endif
