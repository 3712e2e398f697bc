/* How far a place is from a surface, and on which side. */
#ifndef SUPPLE_GEOM_SDF_H
#define SUPPLE_GEOM_SDF_H

#include "geom/winding.h"
#include "supple/mesh.h"

typedef struct supi_sdf {
    supi_bvh tree;
    supi_winding_half* halves; /* two of each node */
} supi_sdf;

/* Of a mesh of triangles, at least one. False when memory is short. */
bool supi_sdf_build(const sup_allocator* allocator, const sup_mesh* triangles, supi_sdf* out);
void supi_sdf_free(supi_sdf* sdf);

/* Is the winding number above 1/2? On the surface either may be. */
bool supi_sdf_inside(const supi_sdf* sdf, const double x[3]);
/* m, at most `limit`. */
double supi_sdf_distance(const supi_sdf* sdf, const double x[3], double limit);

#endif
