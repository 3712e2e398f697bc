/* Weights for matching: the mass of a particle shared among its clusters. Pinned particles weigh a
   multiple of the mean of those that they are held together with, and light ones are raised, which
   costs the momentum that they are too heavy for. */
#ifndef SUPPLE_BLUEPRINT_WEIGH_H
#define SUPPLE_BLUEPRINT_WEIGH_H

#include "blueprint/blueprint.h"

/* Masses of a cluster that differ by more lose the light particles in sums of floats: these count
 * as if they weighed as much as this allows. */
#define SUPI_MASS_RATIO 1e4

/* Some particles, of which those count that are free and have mass; kg. */
typedef struct supi_company {
    double sum, heaviest, lightest;
    int32_t count;
} supi_company;

/* `share`: the mass of the row by the number of its clusters. */
static inline void supi_company_join(supi_company* c, const sup_blueprint* b, int32_t row,
                                     double share) {
    if (!(b->inverse_mass[row] > 0.0f)) return;
    c->sum += share;
    c->heaviest = share > c->heaviest ? share : c->heaviest;
    c->lightest = c->count > 0 && c->lightest < share ? c->lightest : share;
    c->count++;
}

/* `otherwise`: where none counts. */
static inline double supi_company_mean(const supi_company* c, double otherwise) {
    return c->count > 0 ? c->sum / c->count : otherwise;
}

/* The weight of a free particle that is held together with one as heavy as this. */
static inline double supi_weigh_raise(double share, double heaviest) {
    double least = heaviest / SUPI_MASS_RATIO;
    return share > least ? share : least;
}

#endif
