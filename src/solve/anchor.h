/* Rows that are drawn to their places in the rest shape, each by a spring and a damper of its own,
   in proportion to its mass. Pure functions on slices.

   Anchors in a frame that goes with the body must not move it as a whole: what their forces add up
   to, and how they would turn it, is taken off again as that of a rigid body. */
#ifndef SUPPLE_SOLVE_ANCHOR_H
#define SUPPLE_SOLVE_ANCHOR_H

#include "supple/spring.h"

/* Mass and motion of rows, about a point: summed by piece, added up in order. */
typedef struct supi_anchor_sums {
    double mass;        /* kg */
    double place[3];    /* kg m */
    double momentum[3]; /* kg m/s */
    double spin[3];     /* kg m^2/s */
    double spread[6];   /* kg m^2: of r r^T, xx yy zz yz zx xy */
    double push[3];     /* N: of the forces of anchors */
    double turn[3];     /* N m: the same */
} supi_anchor_sums;

/* A body as a rigid one: where it is, and how it moves. */
typedef struct supi_anchor_whole {
    double mass, centre[3], velocity[3], rate[3]; /* kg, m, m/s, rad/s */
    double spin[3];                               /* kg m^2/s, about the centre */
    double flight[9];                             /* inverse of the inertia, 1/(kg m^2) */
} supi_anchor_whole;

typedef struct supi_anchor_job {
    int32_t count;                   /* rows that are particles */
    const sup_vec3* rest;            /* m, by row */
    const uint8_t* held;             /* by row: 1 where there is an anchor; NULL: everywhere */
    const float* mass;               /* as above */
    const double *middle, *to;       /* m: the point of the rest shape that anchors about `to` */
    const double* turn;              /* rotation of the frame, row by row (9) */
    const supi_anchor_whole* moving; /* how the frame moves; NULL: it is fixed */
    double stiffness, damping;       /* 1/s^2 and 1/s: by mass */
} supi_anchor_job;

/* Sums of mass and motion of the free rows begin .. end-1 about a point. `mass`: kg by row, 0 for
   those that do not count, as others have their mass already; NULL: all do. */
void supi_anchor_look(const double about[3], const float* mass, int32_t begin, int32_t end,
                      const sup_row* x, const sup_row* v, supi_anchor_sums* sums);
void supi_anchor_sum(const supi_anchor_sums* part, supi_anchor_sums* total);
supi_anchor_whole supi_anchor_whole_of(const double about[3], const supi_anchor_sums* sums);

/* Forces of anchors on rows begin .. end-1; their sums about the centre of `moving` if that is
   given. */
void supi_anchor_pull(const supi_anchor_job* job, int32_t begin, int32_t end, const sup_row* x,
                      const sup_row* v, sup_row* forces, supi_anchor_sums* sums);
/* Takes off what moves the body as a whole. */
void supi_anchor_release(const supi_anchor_whole* whole, const supi_anchor_sums* sums,
                         const float* mass, int32_t begin, int32_t end, const sup_row* x,
                         sup_row* forces);

/* An implicit substep h holds the velocity of each row at the end back by `resist` times its mass.
   So that it holds back only what deforms the body, rows are led by the velocity that the body as a
   whole will have then: from the sums of all other forces about its centre (_weigh, into push and
   turn), its gain (_speed_up, 1/s of drag taken off), to forces of `rate` = resist / h (_lead). */
void supi_anchor_weigh(const supi_anchor_whole* whole, int32_t begin, int32_t end, const sup_row* x,
                       const sup_row* forces, supi_anchor_sums* sums);
void supi_anchor_speed_up(const supi_anchor_sums* sums, double h, double drag,
                          supi_anchor_whole* whole);
void supi_anchor_lead(const supi_anchor_whole* whole, const uint8_t* held, double rate,
                      int32_t begin, int32_t end, const sup_row* x, sup_row* forces);
/* Where not all rows are held, that holds back a little of the whole body too: rows get the momenta
   of `wanted`, the body as it should be, in place of those of `now`, for the h that is over. */
void supi_anchor_mend(const supi_anchor_whole* now, const supi_anchor_whole* wanted, double h,
                      int32_t begin, int32_t end, sup_row* x, sup_row* v);

#endif
