/* Shape matching of rigid clusters (Mueller, Heidelberger, Teschner, Gross: Meshless Deformations
   Based on Shape Matching, 2005), with split masses for overlapping clusters and momentum-exact
   damping. Pure functions on slices. */
#ifndef SUPPLE_SOLVE_CLUSTER_H
#define SUPPLE_SOLVE_CLUSTER_H

#include "supple/types.h"

/* How the positions that are matched come about, and whether the deformation velocity is damped. */
typedef enum supi_cluster_kind {
    SUPI_CLUSTER_PLAIN,    /* scheme S: match x */
    SUPI_CLUSTER_DAMPED,   /* scheme D: match x, pull v to the cluster's rigid motion */
    SUPI_CLUSTER_PREDICTED /* scheme P: match x + h v* */
} supi_cluster_kind;

/* Place in a column of the membership i: each eight lies in the lane order of base/simd.h. */
static inline int32_t supi_lane_order(int32_t i) { return (i & ~7) | (i & 7) >> 1 | (i & 1) << 2; }

/* Rest data of memberships in cluster order, each cluster padded to a multiple of 8 with zero
 * weight. */
typedef struct supi_members {
    const float *qx, *qy, *qz; /* m, rest offset from the cluster's centre, in lane order */
    const float*
        w; /* kg, matching weight: mass / number of clusters of the particle, in lane order */
    const int32_t* index; /* row of the particle in its body; NULL: member i is row i */
} supi_members;

/* Sums over members, relative to a reference point: what matching needs to know about them. */
enum {
    SUPI_SUM_OFFSET = 0,    /* sum w d, d = x - xref (3) */
    SUPI_SUM_APQ = 3,       /* sum d (w q)^T, row-major (9) */
    SUPI_SUM_MOMENTUM = 12, /* sum w v (3), and the rest: for damping only */
    SUPI_SUM_SPIN = 15,     /* sum w d x v (3) */
    SUPI_SUM_SPREAD = 18,   /* sum w d d^T: xx yy zz xy yz zx (6) */
    SUPI_SUM_COUNT = 24
};

/* What is the same for all particles of a body in a substep. */
typedef struct supi_pull {
    float h;               /* s */
    float k;               /* 1/s: alpha / h */
    float delta;           /* share of the deformation velocity that goes per substep */
    float acceleration[3]; /* h * gravity, m/s */
} supi_pull;

/* Where a cluster wants its members: goal(q) = xref + rotation q + shift. */
typedef struct supi_goal {
    float rotation[9];
    float shift[3];    /* m */
    float xref[3];     /* m, the reference point the sums were taken about */
    float offset[3];   /* m, centre - xref */
    float velocity[3]; /* m/s of the centre */
    float spin[3];     /* rad/s */
} supi_goal;

/* Constants of a cluster. */
typedef struct supi_cluster {
    int32_t begin, end;  /* memberships, end - begin is a multiple of 8 */
    int32_t count;       /* without padding */
    float weight;        /* kg, sum of w */
    float residue[3];    /* m, weighted mean of the rounded q: about 1e-8 of the size */
    float inertia_floor; /* kg m^2: below this trace of the inertia the cluster does not spin */
    float spread;        /* kg m^2, sum w |q|^2 */
} supi_cluster;

/* Box around rows, and whether all of them are finite and in range. */
typedef struct supi_extent {
    float low[3], high[3];
    bool sane;
} supi_extent;

/* Coordinates relative to a body's anchor beyond this are taken for a blow-up, m. */
#define SUPI_RANGE 1e8f

/* Up to eight clusters side by side, one per lane. */
typedef struct supi_match8 {
    float sums[SUPI_SUM_COUNT][8];
    float weight[8], residue[3][8], inertia_floor[8];
    float rotation[4][8]; /* quaternion: warm start in, result out */
    float h;
    bool damped;
    float matrix[9][8], shift[3][8], offset[3][8], velocity[3][8], spin[3][8]; /* out */
} supi_match8;

#endif
