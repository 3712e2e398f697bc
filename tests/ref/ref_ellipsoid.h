/* Ellipsoids in double, by trying many directions: the slow twin of contact/ellipsoid. */
#ifndef SUPPLE_TESTS_REF_ELLIPSOID_H
#define SUPPLE_TESTS_REF_ELLIPSOID_H

#include <stdint.h>

typedef struct ref_ellipsoid {
    double centre[3];
    double axes[3][3]; /* unit, along the radii */
    double radii[3];
} ref_ellipsoid;

/* Something convex: the hull of corners and one ellipsoid (or NULL), `radius` thick. */
typedef struct ref_solid {
    const double (*corners)[3];
    int32_t count;
    const ref_ellipsoid* ellipsoid;
    double radius;
} ref_solid;

double ref_ellipsoid_reach(const ref_ellipsoid* e, const double n[3]);

/* The largest separation of the ellipsoid from the solid over all directions; `n` (from the solid
   to the ellipsoid) may be NULL. */
double ref_ellipsoid_separation(const ref_ellipsoid* e, const ref_solid* solid, double n[3]);

/* How far e stays within a tube of `radius` around the way from a to b. */
double ref_ellipsoid_inside(const ref_ellipsoid* e, const double a[3], const double b[3],
                            double radius);

#endif
