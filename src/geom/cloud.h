/* A surface as points with areas: its vertices, and more on triangles that are large. */
#ifndef SUPPLE_GEOM_CLOUD_H
#define SUPPLE_GEOM_CLOUD_H

#include "base/arena.h"
#include "supple/types.h"

typedef struct supi_cloud {
    int32_t count;
    sup_vec3* points;
    double* areas;        /* m^2, above 0; they add up to that of the surface (count) */
    double (*normals)[3]; /* outward, each as long as its area at most (count) */
} supi_cloud;

/* Points no further apart than `step` m along triangles, but for meshes where these would be more
   than two million. Vertices without area are left out. False when memory is short. */
bool supi_cloud_sample(supi_arena* arena, int32_t point_count, const sup_vec3* points,
                       int32_t triangle_count, const int32_t* triangles, double step,
                       supi_cloud* out);

#endif
