/* Lasting deformation of clusters (Mueller et al. 2005, section 4.5, with logarithmic strain, exact
   volume and limit, and slow flow under small loads). A cluster that has flowed matches the rest
   offsets S q instead of q, with a symmetric S of volume 1. Pure functions, in double. */
#ifndef SUPPLE_SOLVE_PLASTIC_H
#define SUPPLE_SOLVE_PLASTIC_H

#include "supple/body.h"

/* The numbers of a sup_plasticity, for all who check, read or write them: name, least, most,
   default. */
#define SUPI_PLASTIC_NUMBERS(NUMBER)                                                               \
    NUMBER(yield, 0, 1e9, 0.1)                                                                     \
    NUMBER(creep, 0, 1e3, 10)                                                                      \
    NUMBER(limit, 0, 4, 0.5)                                                                       \
    NUMBER(flow_time, 0, 1e6, 0)                                                                   \
    NUMBER(flow_power, 1, 5, 1)                                                                    \
    NUMBER(flow_strain, 1e-6, 1, 0.01)                                                             \
    NUMBER(flow_least, 1e-6, 1, 1e-4)
#define SUPI_PLASTIC_DEFAULT(name, least, most, usual) .name = usual,

/* Lasting state of one cluster. Symmetric matrices are xx yy zz xy yz zx. */
typedef struct supi_plastic {
    double stretch[6];  /* S */
    double gathered[6]; /* logarithmic strain that S has still to take over */
    double since;       /* s for which there is some */
    bool stuck;         /* S is at its limit: it did not take over the last that was gathered */
    bool flows;         /* of the last substep: it changes, so the body cannot rest */
    float rounded[6], inverse[6]; /* of S, for matching; they follow from it */
} supi_plastic;

/* What a substep needs to know of a plasticity. */
typedef struct supi_flow {
    sup_plastic_rule rule;
    double h;           /* s */
    double yield, fast; /* beyond this strain this share of it goes per substep */
    double least, slow; /* beyond this strain -h / flow_time is the exponent of what stays, 0: none,
                           times (strain / reference)^power */
    double reference, power;
    double limit;
    double moments[6]; /* of the rest offsets q, in a unit of their own */
} supi_flow;

/* S = 1. */
void supi_plastic_reset(supi_plastic* state);
/* After S was set: what follows from it. */
void supi_plastic_derive(supi_plastic* state);
/* The logarithm of S, and the state that comes of one; means of logarithms keep the volume. */
void supi_plastic_log(const supi_plastic* state, double log[6]);
void supi_plastic_from_log(const double log[6], supi_plastic* state);
/* Is S a stretch that a cluster can have? */
bool supi_plastic_sane(const supi_plastic* state);
/* `inverse`: of the moments of the rest offsets, and `null`: where these have none. */
supi_flow supi_plastic_flow(const sup_plasticity* plasticity, double h, const float inverse[6],
                            const float null[6]);
/* One substep of a cluster whose members are fitted best by the linear map `strained` (row-major)
   of their offsets S q. True: S has changed, and rotations r that were found with the old one are
   best continued as r turn, a quaternion. */
bool supi_plastic_update(const supi_flow* flow, const float strained[9], supi_plastic* state,
                         double turn[4]);

#endif
