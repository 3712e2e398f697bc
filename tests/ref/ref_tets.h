/* Slow twin of contact between bodies of tetrahedra, in double: every point against every
   tetrahedron, every edge against every triangle. With switches for what the engine must not do. */
#ifndef SUPPLE_REF_TETS_H
#define SUPPLE_REF_TETS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ref_tets {
    int32_t point_count, tet_count, triangle_count;
    double (*x)[3];
    const int32_t *tets, *triangles; /* outward */
} ref_tets;

/* Weights of p by the corners; false for a tetrahedron without volume (1e-9 of the cube of its
   longest edge). */
bool ref_tets_weights(const double corners[4][3], const double p[3], double weights[4]);

/* The largest gap between two tetrahedra over all separating axes, m; negative where they overlap.
 */
double ref_tets_gap(const double a[4][3], const double b[4][3]);

/* What the twin does otherwise. */
typedef struct ref_depth_rules {
    bool equal_facing;  /* wrong: sides that do not look at the point count as much (c_i = 1) */
    bool plain_normals; /* wrong: normals of points instead of those of corners */
} ref_depth_rules;

typedef struct ref_depth {
    bool inside;
    double depth, normal[3];
} ref_depth;

/* Depths of the points of p in q, by point; for pairs with a border. `edge`: mean edge of p at
   rest. */
void ref_tets_depths(const ref_tets* p, const ref_tets* q, double edge,
                     const ref_depth_rules* rules, ref_depth* out);

/* How deep points of one of two parts are in tetrahedra of the other, m: the most that any has to
   go along `way` (part 1) or against it (part 2) to the next triangle of the other part. `parts`,
   by point: 1 or 2, or 0: neither. Only what has all its corners in a part is of it. */
double ref_tets_overlap(const ref_tets* m, const int8_t* parts, const double way[3]);

#endif
