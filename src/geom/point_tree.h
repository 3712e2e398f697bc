/* A tree of boxes over points: the nearest one, those near a place, and what hangs together,
   without looking at all. */
#ifndef SUPPLE_GEOM_POINT_TREE_H
#define SUPPLE_GEOM_POINT_TREE_H

#include "base/arena.h"
#include "supple/types.h"

typedef struct supi_point_box {
    float low[3], high[3];
} supi_point_box;

enum { SUPI_POINT_LEVELS = 32 };

/* Points are taken in the order in which they come: in Morton order the boxes are small. */
typedef struct supi_point_tree {
    const sup_vec3* points;
    int32_t count;
    int32_t level_count;
    supi_point_box* levels[SUPI_POINT_LEVELS]; /* of leaves first; box i is that of 2 i and 2 i + 1
                                                  of the level before */
    int32_t box_counts[SUPI_POINT_LEVELS];
} supi_point_tree;

/* At least one point, all finite, kept by the caller as long as the tree. False when memory is
   short. */
bool supi_point_tree_build(supi_arena* arena, int32_t count, const sup_vec3* points,
                           supi_point_tree* out);

/* The point nearest to x but for point `except` (-1: none is left out), the lowest of equally near
   ones; *square: of its distance. */
int32_t supi_point_tree_nearest(const supi_point_tree* tree, const double x[3], int32_t except,
                                double* square);

/* The same, all points looked at, by one who guesses: the nearer the guess, the sooner. */
int32_t supi_point_tree_nearest_from(const supi_point_tree* tree, const double x[3], int32_t guess,
                                     double* square);

/* The points whose squared distance from x is at most `limit`, in their order; returns how many.
   `out` has room for all points of the tree. */
int32_t supi_point_tree_within(const supi_point_tree* tree, const double x[3], double limit,
                               int32_t* out);

/* Joins in `parent` (see geom/union_find.h) every two points whose squared distance is below
   `limit`. Those of small boxes are joined at once, so that many near ones take no longer. */
void supi_point_tree_join(const supi_point_tree* tree, double limit, int32_t* parent);

/* Squared distance of a point from x. */
double supi_point_square(const sup_vec3* point, const double x[3]);

#endif
