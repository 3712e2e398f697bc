/* How far points are from their nearest neighbours. */
#ifndef SUPPLE_GEOM_NEAREST_H
#define SUPPLE_GEOM_NEAREST_H

#include "supple/types.h"

/* The mean over all points of the distance to the nearest other one; 0 for fewer than two. Points
   are finite. False when memory is short. */
bool supi_nearest_mean(const sup_allocator* allocator, int32_t count, const sup_vec3* points,
                       double* mean);

#endif
