/* Shape matching of clusters (Mueller, Heidelberger, Teschner, Gross: Meshless Deformations Based
   on Shape Matching, 2005): rigid, linear and quadratic goals, with split masses for overlapping
   clusters, momentum-exact damping, and a centred basis for quadratic goals, without which they
   push the body. Pure functions on slices. */
#ifndef SUPPLE_SOLVE_CLUSTER_H
#define SUPPLE_SOLVE_CLUSTER_H

#include "supple/body.h"

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

/* Quadratic terms of the rest offset, in units of the cluster's size and about their mean: b(q) =
   (x^2, y^2, z^2, x y, y z, z x) with (x, y, z) = scale q, minus `mean`. */
enum { SUPI_BEND_TERMS = 6 };

/* The quadratic part of a cluster's rest data. */
typedef struct supi_bend {
    float scale;                    /* 1/m */
    float mean[SUPI_BEND_TERMS];    /* weighted mean of the terms */
    float residue[SUPI_BEND_TERMS]; /* what rounding left of the mean */
    float inverse[45]; /* of sum w (scale q, b)(scale q, b)^T, rows of the upper triangle, 1/kg */
} supi_bend;

/* Memberships begin .. end-1 of one cluster. */
typedef struct supi_span {
    const supi_members* members;
    int32_t begin, end;
    const supi_bend* bend; /* NULL unless the goals are quadratic */
} supi_span;

/* Sums over members, relative to a reference point: what matching needs to know about them. */
enum {
    SUPI_SUM_OFFSET = 0,    /* sum w d, d = x - xref (3) */
    SUPI_SUM_APQ = 3,       /* sum d (w q)^T, row-major (9) */
    SUPI_SUM_MOMENTUM = 12, /* sum w v (3), and the rest: for damping only */
    SUPI_SUM_SPIN = 15,     /* sum w d x v (3) */
    SUPI_SUM_SPREAD = 18,   /* sum w d d^T: xx yy zz xy yz zx (6) */
    SUPI_SUM_BEND = 24,     /* sum w d b^T, row-major (18): for quadratic goals only */
    SUPI_SUM_COUNT = 42
};

/* What is the same for all particles of a body in a substep. */
typedef struct supi_pull {
    float h;               /* s */
    float k;               /* 1/s: alpha / h */
    float delta;           /* share of the deformation velocity that goes per substep */
    float beta;            /* share of the linear or quadratic goal */
    float acceleration[3]; /* h * gravity, m/s */
} supi_pull;

/* Where a cluster wants its members: goal(q) = xref + matrix q + bend b(q) + shift. */
typedef struct supi_goal {
    float matrix[9];
    float bend[18];    /* m; quadratic goals only */
    float shift[3];    /* m */
    float xref[3];     /* m, the reference point the sums were taken about */
    float offset[3];   /* m, centre - xref */
    float velocity[3]; /* m/s of the centre; of a lattice: less that of its reference */
    float spin[3];     /* rad/s */
} supi_goal;

/* Where one member is wanted. `bend`: NULL unless the goal is quadratic. */
static inline void supi_goal_at(const supi_goal* goal, const supi_bend* bend, const float q[3],
                                float out[3]) {
    for (int k = 0; k < 3; k++) {
        const float* m = goal->matrix + 3 * k;
        out[k] = goal->xref[k] + (m[0] * q[0] + m[1] * q[1] + m[2] * q[2] + goal->shift[k]);
    }
    if (!bend) return;
    float x = bend->scale * q[0], y = bend->scale * q[1], z = bend->scale * q[2];
    const float terms[SUPI_BEND_TERMS] = {x * x, y * y, z * z, x * y, y * z, z * x};
    for (int k = 0; k < 3 * SUPI_BEND_TERMS; k++) {
        int t = k % SUPI_BEND_TERMS;
        out[k / SUPI_BEND_TERMS] += goal->bend[k] * (terms[t] - bend->mean[t]);
    }
}

/* Constants of a cluster. */
typedef struct supi_cluster {
    int32_t begin, end;  /* memberships, end - begin is a multiple of 8 */
    int32_t count;       /* without padding */
    float weight;        /* kg, sum of w */
    float residue[3];    /* m, weighted mean of the rounded q: about 1e-8 of the size */
    float inertia_floor; /* kg m^2: below this trace of the inertia the cluster does not spin */
    float spread;        /* kg m^2, sum w |q|^2 */
    float inverse[6];    /* 1/(kg m^2), pseudo-inverse of sum w q q^T: xx yy zz xy yz zx */
    float null[6];       /* projector on the directions in which the cluster has no extent */
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
    sup_match_mode mode;
    bool plastic; /* their rest shapes have been stretched */
    /* Read where `plastic`: the stretch of the rest offsets, symmetric, and its inverse. */
    float stretch[6][8], unstretch[6][8];
    /* Read for linear, quadratic and plastic goals. */
    float inverse[6][8], null[6][8];
    /* Read for linear and quadratic goals. */
    float beta[8];   /* share of the linear or quadratic goal */
    float volume[8]; /* above 0: it keeps its volume */
    /* Read for quadratic goals. */
    float bend_scale[8], bend_residue[SUPI_BEND_TERMS][8], bend_inverse[45][8];
    float matrix[9][8], shift[3][8], offset[3][8], velocity[3][8], spin[3][8]; /* out */
    float bend[18][8];    /* out, for quadratic goals */
    float strained[9][8]; /* out, where `plastic`: the best linear map of the stretched offsets */
} supi_match8;

#endif
