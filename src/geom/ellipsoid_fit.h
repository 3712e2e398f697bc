/* An ellipsoid from the points around a place: principal axes, and the box along them. */
#ifndef SUPPLE_GEOM_ELLIPSOID_FIT_H
#define SUPPLE_GEOM_ELLIPSOID_FIT_H

#include "geom/cloud.h"

typedef struct supi_ellipsoid_rules {
    double reach;  /* m, points further away are not looked at */
    double sphere; /* m, radius where there are too few points */
    double least;  /* m, of any radius */
    double aspect; /* largest over smallest radius, at most */
} supi_ellipsoid_rules;

typedef struct supi_ellipsoid_fit {
    bool sphere; /* too few points, or all in one place: centre and axes are as given */
    double
        centre[3];   /* m, of the box; the given place where it would be over half the reach away */
    double axes[9];  /* row k is the k-th axis, longest variance first; a rotation */
    double radii[3]; /* m, along them */
    double mean[3];  /* m, weighted middle of the points */
    double normal[3]; /* weighted mean of their normals: the shorter, the more they differ */
    double nearest;   /* m, distance of the nearest point; the reach where there is none */
} supi_ellipsoid_fit;

/* `ids` (count) names points of the cloud; those beyond the reach are left out. `like` (a rotation
   by rows, or NULL) is what the axes resemble where they are not unique. */
void supi_ellipsoid_fit_points(const supi_ellipsoid_rules* rules, const supi_cloud* cloud,
                               int32_t count, const int32_t* ids, const double place[3],
                               const double* like, supi_ellipsoid_fit* out);

/* Makes radii that were found for `place` smaller, down to a quarter, until the ellipsoid about
   `centre` leaves the points outside: a box along its axes may have corners far beyond the sides.
 */
void supi_ellipsoid_fit_shrink(const supi_ellipsoid_rules* rules, const supi_cloud* cloud,
                               int32_t count, const int32_t* ids, const double place[3],
                               const double centre[3], supi_ellipsoid_fit* fit);

#endif
