/* A tree of boxes over triangles: the nearest one and the first one on a way without looking at
   all. */
#ifndef SUPPLE_GEOM_BVH_H
#define SUPPLE_GEOM_BVH_H

#include "geom/facet.h"

/* A triangle in the order of the tree, with its own copies of the corners. */
typedef struct supi_bvh_slot {
    sup_vec3 corners[3];
    int32_t id; /* of the triangle; ~id where it has no area and takes no part */
} supi_bvh_slot;

/* One cache line: the boxes of both halves and where these are. */
typedef struct supi_bvh_node {
    float low[2][3], high[2][3];
    int32_t first[2]; /* a leaf's first slot, else the node of the half */
    int32_t count[2]; /* slots of a leaf; 0: a node; -1: nothing there */
} supi_bvh_node;

typedef struct supi_bvh {
    const sup_allocator* allocator;
    int32_t triangle_count, node_count;
    supi_bvh_slot* slots;
    supi_bvh_node* nodes; /* before the nodes of their halves; the first is the root */
} supi_bvh;

/* Halves the triangles by the middles of their boxes along the longest axis, over and over; equal
   ones stay in order. `triangles`: 3 point ids each, at least one triangle, finite points. False
   when memory is short. */
bool supi_bvh_build(const sup_allocator* allocator, const sup_vec3* points,
                    const int32_t* triangles, int32_t triangle_count, supi_bvh* out);
void supi_bvh_free(supi_bvh* tree);

/* The same halves around points that have moved. */
void supi_bvh_refit(supi_bvh* tree, const sup_vec3* points, const int32_t* triangles);

/* The box of all triangles. */
void supi_bvh_bounds(const supi_bvh* tree, float low[3], float high[3]);

/* The triangle nearest to x, if one is closer than `limit` (m); of equally near ones the lowest.
   Neither halves nor order of the tree show in the answer. */
bool supi_bvh_nearest(const supi_bvh* tree, sup_vec3 x, float limit, int32_t* triangle,
                      supi_facet_point* out);

/* The same from a place in double within the range of float. */
bool supi_bvh_nearest_to(const supi_bvh* tree, const double x[3], double limit, int32_t* triangle,
                         supi_facet_point* out);

/* The first triangle that from + t (to - from) crosses, 0 <= t <= 1; of equal ones the lowest. */
bool supi_bvh_cross(const supi_bvh* tree, sup_vec3 from, sup_vec3 to, int32_t* triangle, double* t,
                    double weights[3]);

/* All triangles that from + t (to - from) crosses, in the order of the tree: where (t), and +1 for
   those that are left through their fronts, -1 for the others. Returns how many there are, of which
   the first `most` are told of. */
int32_t supi_bvh_cross_all(const supi_bvh* tree, const double from[3], const double to[3],
                           int32_t most, double* t, int32_t* senses);

/* Visits the triangles whose boxes may touch the box low..high, in the order of the tree. */
void supi_bvh_visit(const supi_bvh* tree, const float low[3], const float high[3],
                    supi_facet_visit* visit, void* context);

#endif
