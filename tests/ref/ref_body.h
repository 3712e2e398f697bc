/* Slow twin of one body of rigid clusters, in double or float: plain loops, two passes, no lanes.
   With the switches for what the engine must not do, it also plays the wrong variants that tests
   compare against. */
#ifndef SUPPLE_REF_BODY_H
#define SUPPLE_REF_BODY_H

#include "supple/supple.h"

typedef enum ref_scheme { REF_S, REF_D, REF_P } ref_scheme;

/* How a particle obeys several clusters. */
typedef enum ref_combination {
    REF_AVERAGE,     /* mean, masses split among the clusters */
    REF_SUM,         /* sum, full masses: the 2005 paper */
    REF_AVERAGE_FULL /* mean, full masses */
} ref_combination;

/* One step; start from ref_rules_default. */
typedef struct ref_rules {
    ref_scheme scheme;
    double h, alpha, delta;
    double gravity[3];
    int iterations;   /* Newton steps of the rotation, always this many */
    double epsilon;   /* shift of its Hessian as a share of the norm */
    bool no_predict;  /* wrong: the warm start is not turned ahead */
    bool damp_forced; /* wrong: damps the velocity after gravity instead of before */
    bool cramer;      /* wrong in float: the spin of thin clusters by Cramer's rule */
    bool no_shift;    /* wrong: their inertia is not kept from being singular */
} ref_rules;

typedef struct ref_body {
    bool single; /* every operation is rounded to float */
    ref_combination combination;
    int32_t count, cluster_count;
    double (*x)[3], (*v)[3]; /* state; where `single`, values of floats */
    double (*rotation)[4];   /* by cluster (x, y, z, w): warm start */
    bool* pinned;
    double* mass;
    int32_t* cluster_counts; /* by particle: how many clusters hold it */
    int32_t *starts, *members;
    double (*q)[3]; /* by membership: rest offset from the cluster's centre */
    double* w;      /* by membership: matching weight */
    double (*want)[3];
} ref_body;

ref_rules ref_rules_default(void);

/* From the points, masses, clusters and pins of a blueprint (layout WHOLE or EXPLICIT), at rest.
 * Aborts without memory. */
ref_body* ref_body_create(const sup_blueprint_def* def, ref_combination combination, bool single);
void ref_body_free(ref_body* body);
void ref_body_step(ref_body* body, const ref_rules* rules);

/* Largest distance of the places x from the best rigid pose of the rest points; never a mirrored
 * one. */
double ref_fit_distance(int32_t count, const sup_vec3* rest, const double* mass,
                        const double (*x)[3]);

#endif
