/* A surface seen from inside: normals of its points, and what lies opposite of them. */
#ifndef SUPPLE_BLUEPRINT_INWARD_H
#define SUPPLE_BLUEPRINT_INWARD_H

#include "geom/bvh.h"

typedef struct supi_inward {
    const sup_allocator* allocator;
    int32_t point_count, triangle_count;
    const sup_vec3* points;
    const int32_t* triangles; /* point ids (3 * triangle_count) */
    double (*normals)[3];     /* of unit length; zero where there is none (point_count) */
    double mean_edge;         /* m, an edge of two triangles counts twice */
    double far;               /* m, longer than any way inside */
    supi_bvh tree;
} supi_inward;

/* How many triangles polygons have; `out` (NULL: none) gets the fans about their first corners. */
int32_t supi_inward_cut(const sup_mesh* mesh, int32_t* out);

/* Points and triangles must live as long. False when memory is short. */
bool supi_inward_build(const sup_allocator* allocator, int32_t point_count, const sup_vec3* points,
                       int32_t triangle_count, const int32_t* triangles, supi_inward* out);
void supi_inward_free(supi_inward* inward);

/* What is met first against the normal of a point, the triangles around it aside. */
bool supi_inward_cast(const supi_inward* inward, int32_t point, int32_t* triangle, double* distance,
                      double weights[3]);

#endif
