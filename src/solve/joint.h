/* Rigid parts as bodies: matched each for itself, then brought together at their joints. A graph of
   parts without loops is solved exactly in one go from its leaves to its root and back; one with
   loops by passes over its joints. */
#ifndef SUPPLE_SOLVE_JOINT_H
#define SUPPLE_SOLVE_JOINT_H

#include "solve/frame.h"

/* What moves v and turns w of a part cost, with all that hangs on it:
   v.A v / 2 + v.B w + w.C w / 2 - f.v - g.w */
typedef struct supi_part_form {
    double a[6], b[3][3], c[6]; /* B by columns: what answers to a turn about each axis */
    double f[3], g[3];
} supi_part_form;

/* A part in a substep. */
typedef struct supi_part_body {
    double c[3];                   /* m */
    double q[4], r[9];             /* rotation, and as a matrix */
    double mass, inverse_mass;     /* kg, 1/kg; both 0: all of it is weightless */
    double inertia[6], inverse[6]; /* kg m^2, in the world, and its inverse */
    /* Of trees: */
    supi_part_form form;     /* once folded, of moves of the joint to its root */
    double ease[6];          /* inverse of C of it */
    double arm[3], gap[3];   /* m: to that joint, and how far it is from where it ought to be */
    double move[3], turn[3]; /* m, rad: how the part goes there */
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
