/* What is worth knowing of the clusters and springs of a blueprint before bodies are made from it.
 */
#ifndef SUPPLE_DIAGNOSE_H
#define SUPPLE_DIAGNOSE_H

#include "supple/blueprint.h"
#include "supple/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sup_diagnosis_kind {
    SUP_DIAGNOSIS_FEW_PARTICLES, /* clusters of fewer particles than the mode wants: 4 rigid, 6
                                    linear, 12 quadratic; value: that number */
    SUP_DIAGNOSIS_FLAT,          /* clusters whose particles lie in a plane */
    SUP_DIAGNOSIS_LINE,          /* ... on a line */
    SUP_DIAGNOSIS_POINT,         /* ... in one place, or of one particle */
    SUP_DIAGNOSIS_HINGES,        /* parts that share a line of particles */
    SUP_DIAGNOSIS_BALL_JOINTS,   /* parts that share one particle */
    SUP_DIAGNOSIS_LOOSE_PIECES,  /* pieces that share no particle; count: of the pieces. In bodies
                                    with springs: parts that nothing joins; particle: one of the
                                    second part */
    SUP_DIAGNOSIS_MASS_RATIO,  /* clusters with masses more than 1e4 apart; value: largest ratio */
    SUP_DIAGNOSIS_MEMBERSHIPS, /* clusters per particle, where not 3 to 8; value: the mean */
    SUP_DIAGNOSIS_SINGLES,     /* particles in one of several clusters only, if more than 30 % */
    SUP_DIAGNOSIS_SUBSETS,     /* clusters inside others */
    SUP_DIAGNOSIS_ISOLATED     /* particles of no spring in a body of springs alone */
} sup_diagnosis_kind;
#define SUP_DIAGNOSIS_KINDS 12

/* One kind of finding. Clusters are numbered in the order of the definition's lists, those without
   particles or mass left out; particles by id. */
typedef struct sup_diagnosis {
    sup_diagnosis_kind kind;
    int32_t count;      /* of the clusters, particles, joints or pieces it is about */
    int32_t cluster[2]; /* an example; -1: none. Hinges and ball joints, subsets: two of them */
    int32_t particle;   /* of the example; -1: none */
    double value;       /* see the kind; else 0 */
    char text[320];     /* what it is, where, what comes of it and what to do */
} sup_diagnosis;

/* Fills `list` (room for SUP_DIAGNOSIS_KINDS) with at most one finding of each kind, in the order
   of kinds, for bodies of this mode. Bodies of springs alone have findings about springs only.
   Nothing of this is an error: it fails only for want of memory or for a mode that is none. */
SUP_API sup_result sup_blueprint_diagnose(const sup_blueprint* blueprint, sup_match_mode mode,
                                          sup_diagnosis* list, int32_t* count, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
