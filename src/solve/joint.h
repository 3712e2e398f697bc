/* Rigid parts as bodies: matched each for itself, then brought together at their joints. A graph of
   parts without loops is solved exactly in one go from its leaves to its root and back; one with
   loops by passes over its joints. */
#ifndef SUPPLE_SOLVE_JOINT_H
#define SUPPLE_SOLVE_JOINT_H

#include "solve/frame.h"

/* A part in a substep. */
typedef struct supi_part_body {
    double c[3];                   /* m */
    double q[4], r[9];             /* rotation, and as a matrix */
    double mass, inverse_mass;     /* kg, 1/kg; both 0: all of it is weightless */
    double inertia[6], inverse[6]; /* kg m^2, in the world, and its inverse */
    /* Of trees: its mass matrix with all that hangs on it, by Cholesky (lower triangle by rows),
       what that pulls with, and how it moves. */
    double held[21], force[6], move[6];
    double apparent[6], gap[3]; /* of the joint to its root: mass that it shows there, and how far
                                   it is from where it ought to be */
} supi_part_body;

/* Matches parts that are rigid, keeps their momenta, brings joints together, and sets rows. */
void supi_joint_solve(const supi_frame_net* net, const supi_frame_rest* rest,
                      const supi_frame_pull* pull, const supi_kernels* kernels,
                      const supi_frame_rows* rows, const supi_frame_room* room,
                      sup_quat* part_turn);

/* The first half of it, for parts alone: centre, rotation, mass and inertia of all that are rigid,
   or of all. */
void supi_joint_match(const supi_frame_net* net, const supi_frame_rest* rest,
                      const supi_frame_drive* drive, const supi_kernels* kernels,
                      const supi_frame_rows* rows, bool all, supi_part_body* parts,
                      sup_quat* part_turn);

#endif
