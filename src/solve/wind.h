/* Wind on triangles and ellipsoids: air of a density that moves past a surface pushes it across and
   drags it along. Pure functions on slices. */
#ifndef SUPPLE_SOLVE_WIND_H
#define SUPPLE_SOLVE_WIND_H

#include "solve/patches.h"
#include "supple/world.h"

/* The velocity of wind at a place, m, and a time, s; smooth in both. */
void supi_wind_at(const sup_wind* wind, double time, const double place[3], double velocity[3]);

/* Wind on the triangles of a body for one substep of h. */
typedef struct supi_wind_job {
    const sup_wind* wind;
    double time;
    const double* origin; /* m: the rows are relative to it */
    double across, along; /* coefficients */
    double h;             /* s */
    const supi_patches* faces;
    const float* masses; /* kg by face, its shares of its corners: their speed must not change by
                            more than half of what they are slower than the wind */
} supi_wind_job;

/* Adds to `push` (N, by face) what the wind does to the faces begin .. end-1. */
void supi_wind_push(const supi_wind_job* job, int32_t begin, int32_t end, const sup_row* x,
                    const sup_row* v, sup_row* push);

/* Ellipsoids, by row. */
typedef struct supi_wind_balls {
    int32_t count;
    const sup_quat *axes, *turn; /* of their axes at rest, and from there to the present */
    const sup_row* radii;        /* m, along the axes */
    const float* mass;           /* kg; who has none is not pushed */
} supi_wind_balls;

/* What the wind does to ellipsoids in a substep of job->h, as to plates across each of their axes:
   x and v are where it would lead without. `faces` and `masses` of the job are not read. */
void supi_wind_carry(const supi_wind_job* job, const supi_wind_balls* balls, sup_row* x,
                     sup_row* v);

#endif
