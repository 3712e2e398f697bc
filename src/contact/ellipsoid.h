/* Ellipsoids against what they may meet: how far apart, in which direction, and where they touch.

   The separation from something convex is the largest n.d - h(n) over all directions n, where h is
   how far the two reach along it (support functions): positive it is the distance, negative the
   depth. Whatever n is tried, the value is never too large, so nothing is called apart that is
   not. */
#ifndef SUPPLE_CONTACT_ELLIPSOID_H
#define SUPPLE_CONTACT_ELLIPSOID_H

#include "contact/collider.h"
#include "contact/contact.h"

typedef struct supi_ellipsoid {
    sup_vec3 centre;  /* m */
    float axes[3][3]; /* unit, along the radii */
    float radii[3];   /* m, at least 0; all 0: a point */
} supi_ellipsoid;

/* `turn` from rest to the present, `rest` that of its axes at rest. */
supi_ellipsoid supi_ellipsoid_at(sup_vec3 centre, sup_quat turn, sup_quat rest,
                                 const float radii[3]);

/* What lies between something and an ellipsoid. */
typedef struct supi_gap {
    float distance;  /* m, below 0: how deep */
    sup_vec3 normal; /* unit, towards the ellipsoid */
    sup_vec3 place;  /* m, of the ellipsoid's surface: the furthest against the normal */
} supi_gap;

/* m, how far it reaches from its centre along the unit vector n. */
float supi_ellipsoid_reach(const supi_ellipsoid* e, sup_vec3 n);
/* The place of its surface that lies furthest along n. */
sup_vec3 supi_ellipsoid_foremost(const supi_ellipsoid* e, sup_vec3 n);

/* The plane with n.x = offset, solid below. Exact, also for discs and points. */
supi_gap supi_ellipsoid_plane(const supi_ellipsoid* e, sup_vec3 n, float offset);
/* A sphere; a point is one of radius 0. */
supi_gap supi_ellipsoid_sphere(const supi_ellipsoid* e, sup_vec3 centre, float radius);
/* All within `radius` of the way from a to b. */
supi_gap supi_ellipsoid_capsule(const supi_ellipsoid* e, sup_vec3 a, sup_vec3 b, float radius);
/* A triangle, both sides of it; without area: its sides. */
supi_gap supi_ellipsoid_triangle(const supi_ellipsoid* e, const sup_vec3 corners[3]);
/* The same as a part of a larger surface, seen from the side on which the centre is: what is over
   it leaves it upwards, however close its sides are. */
supi_gap supi_ellipsoid_facet(const supi_ellipsoid* e, const sup_vec3 corners[3]);
/* A box with unit axes. */
supi_gap supi_ellipsoid_box(const supi_ellipsoid* e, sup_vec3 centre, const float axes[3][3],
                            const float half[3]);

/* The ellipsoid is to stay inside of a sphere or capsule: what is left of the room. */
supi_gap supi_ellipsoid_inside(const supi_ellipsoid* e, sup_vec3 a, sup_vec3 b, float radius);

/* Any collider, as supi_shape_probe sees it: `side` says which side of an open mesh is outside.
   `velocity` gets that of the surface where they touch. Meshes and heights triangle by triangle;
   where the ellipsoid's centre is in what is solid, as planes at the nearest place. Distances of
   more than `margin` (m) from these are told as that. */
supi_gap supi_ellipsoid_probe(const supi_shape* shape, const supi_ellipsoid* e, float side,
                              float margin, sup_vec3* velocity);
/* m/s of a collider's surface at a place that touches it. */
sup_vec3 supi_ellipsoid_velocity(const supi_shape* shape, sup_vec3 place);

/* ---- Eight pairs at a time ---- */

/* One pair in each lane. Radii below a thousandth of the largest count as that. */
typedef struct supi_ellipsoid_pairs {
    /* in */
    float offset[3][8];     /* m, centre of the second - centre of the first */
    float a[9][8], b[9][8]; /* component c of axis k times its radius is 3 k + c */
    float margin;           /* m: pairs that are apart by more along their centres are left
                               at that */
    int32_t rounds;         /* of Newton's method: 4 from known normals, 6 from unknown */
    /* in and out */
    float normal[3][8]; /* unit, from the first to the second; in: where to start, 0: not
                           known */
    /* out */
    float separation[8]; /* m, below 0: how deep */
    float reach_a[3][8]; /* m, from each centre to the foremost place against the other */
    float reach_b[3][8];
    int32_t taken[8]; /* rounds that the lane needed */
} supi_ellipsoid_pairs;

/* Puts both into a lane. */
void supi_ellipsoid_load(supi_ellipsoid_pairs* pairs, int32_t lane, const supi_ellipsoid* a,
                         const supi_ellipsoid* b);

/* Eight pairs of rows, which may be of any runs: the first of each pair, then the second. All eight
   are looked at. */
typedef struct supi_ellipsoid_rows {
    const sup_row *x, *v;
    const supi_oriented* oriented[2][8]; /* NULL: spheres of their contact radius */
    int32_t first[2][8];                 /* rows of the runs */
    int32_t row[2][8];
    float offset[3][8]; /* m, added to the places of the first */
    float scale[8];     /* of both shapes */
} supi_ellipsoid_rows;

/* Copies a lane from others of the same rows. */
void supi_ellipsoid_rows_take(supi_ellipsoid_rows* rows, int32_t lane,
                              const supi_ellipsoid_rows* others, int32_t from);

/* Eight rows of a run and the plane n.x = offset, which rests and is solid below. */
typedef struct supi_ellipsoid_touches {
    const sup_row *x, *v;
    const supi_oriented* oriented;
    int32_t first;  /* row of the run */
    int32_t row[8]; /* all eight are looked at */
    float normal[3], offset;
    float h; /* s since the start of the substep */
    /* out, of each */
    float distance[8]; /* m, below 0: how deep */
    float before[8];   /* m, that at the start */
    float arm[3][8];   /* m, from its centre to the place that lies furthest against the normal */
} supi_ellipsoid_touches;

typedef struct supi_encounters supi_encounters; /* contact/encounter.h */
typedef struct supi_press supi_press;           /* contact/press.h */

typedef struct supi_ellipsoid_kernels {
    /* Fills what is out. Each lane's result depends on that lane alone. */
    void (*separate)(supi_ellipsoid_pairs* pairs);
    /* Puts the present shapes of rows into all lanes. */
    void (*place)(const supi_ellipsoid_rows* rows, supi_ellipsoid_pairs* pairs);
    /* Looks where those that overlap came from. */
    void (*encounter)(supi_encounters* e);
    /* Fills what is out, with the bits of supi_ellipsoid_plane. */
    void (*touch)(supi_ellipsoid_touches* touches);
    /* Answers contacts with a plane. */
    void (*press)(const supi_press* press);
} supi_ellipsoid_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_ellipsoid_kernels* supi_ellipsoid_kernels_find(sup_simd simd);

#endif
