/* Points that are asked, by their own numbers, which of them is nearest to a place. */
#ifndef SUPPLE_GEOM_SITES_H
#define SUPPLE_GEOM_SITES_H

#include "geom/point_tree.h"

typedef struct supi_sites {
    supi_point_tree tree; /* over the points along the Morton curve */
    int32_t* order;       /* the number of each of those */
} supi_sites;

/* At least one point, all finite. False when memory is short. */
bool supi_sites_build(supi_arena* arena, int32_t count, const sup_vec3* points, supi_sites* out);
/* The site nearest to x; *square: of its distance. *guess (0 at first) is a note for the next one,
   who had better ask for a place nearby. */
int32_t supi_sites_nearest(const supi_sites* sites, const double x[3], int32_t* guess,
                           double* square);
/* The points whose squared distance from x is at most `limit`, in any order that is always the
   same; returns how many. `out` has room for all. */
int32_t supi_sites_within(const supi_sites* sites, const double x[3], double limit, int32_t* out);

#endif
