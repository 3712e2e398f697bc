/* Triangles asked one by one, in double: what searches through trees must find. */
#ifndef SUPPLE_TESTS_REF_TRIMESH_H
#define SUPPLE_TESTS_REF_TRIMESH_H

#include "supple/types.h"

/* Distance of x from the nearest of `count` triangles (3 point ids each). */
double ref_trimesh_distance(const sup_vec3* points, const int32_t* triangles, int32_t count,
                            const double x[3]);

/* Distance from the nearest side that belongs to one triangle only; infinite without a border. */
double ref_trimesh_border(const sup_vec3* points, const int32_t* triangles, int32_t count,
                          const double x[3]);

/* How often the surface winds around x: 1 inside, 0 outside of a closed one. */
double ref_trimesh_winding(const sup_vec3* points, const int32_t* triangles, int32_t count,
                           const double x[3]);

/* The lowest t in 0..1 at which from + t (to - from) crosses a triangle; 2: none. `margin`: how far
   the way stays, in barycentric weights and in t, from being a crossing more or less. */
double ref_trimesh_cross(const sup_vec3* points, const int32_t* triangles, int32_t count,
                         const double from[3], const double to[3], double* margin);

#endif
