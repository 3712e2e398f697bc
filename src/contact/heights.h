/* A grid of heights as a collider: solid below, two triangles a cell, cut from its lowest x and z
   to its highest. Its frame: x and z centred on the grid, y up. Beside the grid there is nothing.
 */
#ifndef SUPPLE_CONTACT_HEIGHTS_H
#define SUPPLE_CONTACT_HEIGHTS_H

#include "geom/facet.h"
#include "supple/types.h"

typedef struct supi_heights supi_heights;

/* Copies `heights` (count[0] * count[1], x fastest); count 2..32768 each, step above 0 and at most
   1e6 m, heights finite. */
sup_result supi_heights_create(const sup_allocator* allocator, const int32_t count[2],
                               const double step[2], const float* heights, supi_heights** out,
                               sup_error* error);
void supi_heights_free(supi_heights* heights);
void supi_heights_bounds(const supi_heights* heights, float low[3], float high[3]);
/* What create was given. */
void supi_heights_get(const supi_heights* heights, int32_t count[2], double step[2],
                      const float** values);

/* Signed distance and its direction, if it is below `limit`; false: further away, or beside the
 * grid. */
bool supi_heights_nearest(const supi_heights* heights, sup_vec3 x, float limit, float* distance,
                          sup_vec3* normal);
/* The first crossing of from + t (to - from), 0 <= t <= 1, with its upward normal. */
bool supi_heights_cross(const supi_heights* heights, sup_vec3 from, sup_vec3 to, float* t,
                        sup_vec3* normal);

/* Visits the triangles of the cells that the box low..high is over or under, row by row; none where
   it is all above them. */
void supi_heights_visit(const supi_heights* heights, const float low[3], const float high[3],
                        supi_facet_visit* visit, void* context);

#endif
