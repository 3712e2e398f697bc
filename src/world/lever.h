/* A rigid body felt at one of its particles: a pull there moves and turns the whole cluster, as a
   single particle could neither bear nor pass on a load within a substep. */
#ifndef SUPPLE_WORLD_LEVER_H
#define SUPPLE_WORLD_LEVER_H

#include "world/world.h"

typedef struct supi_lever {
    const supi_body* body;
    int32_t cluster;           /* that moves */
    double inverse_mass;       /* 1/kg */
    double inverse_inertia[9]; /* 1/(kg m^2), about its centre of mass */
    double centre[3];          /* m, relative to the anchor */
    double arm[3];             /* m, from there to the particle */
} supi_lever;

/* False: the body is not one that goes all the way to its rest shape in a substep, or has pins; its
 * particles are moved one by one. */
bool supi_lever_make(const sup_world* world, const supi_body* body, int32_t row, supi_lever* out);
/* 1/kg: how far the particle gives way along a unit vector. */
double supi_lever_weight(const supi_lever* lever, const double along[3]);
/* The same as a matrix, which is added to `sum`. */
void supi_lever_weights(const supi_lever* lever, double sum[9]);
/* m x = b for a symmetric matrix that is positive, but for rounding. */
void supi_lever_solve(const double m[9], const double b[3], double x[3]);
/* The share of a pull that turns the cluster by so little that turning is still a straight move. */
double supi_lever_bears(const supi_lever* lever, const double pull[3]);
/* Moves the cluster by the multiplier `pull` (m kg) at the particle, and gives it the speed of
 * that. */
void supi_lever_move(const sup_world* world, const supi_lever* lever, const double pull[3],
                     double h);

#endif
