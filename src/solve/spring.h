/* Damped springs between rows of a body (Provot 1995; Baraff and Witkin 1998; Teschner et al.
   2004). Pure functions on slices.

   Every row has a side of each of its springs, and works out what the spring does to it alone: a
   spring is computed twice, but nobody writes where another writes, and the sum over a row's
   springs has one order, whatever the number of workers. Both sides get the same bits but for
   the sign: differences of floats are exact opposites. */
#ifndef SUPPLE_SOLVE_SPRING_H
#define SUPPLE_SOLVE_SPRING_H

#include "supple/spring.h"

/* The sides of springs in slices of eight rows. A slice has as many columns as the row of it with
   the most springs; column c is the sides 8 c .. 8 c + 7, one for each row of the slice. Rows with
   fewer springs have padding: springs of no stiffness to themselves. Floats of a column are in lane
   order (supi_lane_order), indices in row order. */
typedef struct supi_spring_net {
    int32_t row_count; /* of the body, with padding: 8 times the number of slices */
    int32_t spring_count;
    int32_t column_count;
    float mean_length;      /* m */
    const int32_t* columns; /* by slice: its first column (row_count / 8 + 1) */
    const int32_t* other;   /* by side: row at the other end; padding: the row itself */
    const int32_t* spring;  /* by side: number of the spring; padding: -1 */
    const float* length;    /* by side, m at rest; the sign bit is set where it only pulls */
    const float* stiffness; /* by side, N/m */
    const float* damping;   /* by side, N s/m */
    const sup_vec3* rest;   /* by row, m: the direction of springs that have shrunk to nothing */
} supi_spring_net;

/* Lengths below this share of the larger of a spring's length and the mean have no direction of
   their own. */
#define SUPI_SPRING_TINY 1e-6f

#endif
