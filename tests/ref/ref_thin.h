/* Slow twins of thin contact, in double: closest points, and crossings of a whole mesh. */
#ifndef SUPPLE_TESTS_REF_THIN_H
#define SUPPLE_TESTS_REF_THIN_H

#include <stdint.h>

/* Distance of a point from a triangle, after Ericson (2005, 5.1.5): region by region. */
double ref_thin_point_triangle(const double p[3], const double a[3], const double b[3],
                               const double c[3]);
/* Distance of two segments, by the smallest of the square over both clamped parameters. */
double ref_thin_edge_edge(const double a[3], const double b[3], const double c[3],
                          const double d[3]);

/* Does the edge p q pass through the triangle? By the parameters of the line and the plane. */
int ref_thin_passes(const double p[3], const double q[3], const double a[3], const double b[3],
                    const double c[3]);

/* How many edges pass through triangles that they have no point in common with. Places are three
   doubles each. Goes over a list sorted along x. */
int32_t ref_thin_crossings(const double* places, const int32_t* edges, int32_t edge_count,
                           const int32_t* triangles, int32_t triangle_count);

#endif
