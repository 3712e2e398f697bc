/* Damped springs between rows of a body (Provot 1995; Baraff and Witkin 1998; Teschner et al.
   2004). Pure functions on slices.

   Every row has a side of each of its springs, and works out what the spring does to it alone: a
   spring is computed twice, but nobody writes where another writes, and the sum over a row's
   springs has one order, whatever the number of workers. Both sides get the same bits but for
   the sign: differences of floats are exact opposites.

   Forces go faster over a second net, whose springs have one side inside of a block of rows, as one
   worker has all of them: there what pulls one end pulls the other as well. */
#ifndef SUPPLE_SOLVE_SPRING_H
#define SUPPLE_SOLVE_SPRING_H

#include "supple/spring.h"

/* Rows in groups of eight that lie together in space, eight such groups one after the other as
   well, and so on. */
typedef struct supi_spring_groups {
    const int32_t* of;      /* by row: its group (row_count); NULL, as is: those of each slice */
    const int32_t* members; /* of eight groups in turn their first ones, their second ones, ..;
                               where a group has no more, row_count (64 for each eight groups) */
} supi_spring_groups;

/* The sides of springs in slices of eight rows. A slice has as many columns as the row of it with
   the most springs; column c is the sides 8 c .. 8 c + 7, one for each row of the slice. Rows with
   fewer springs have padding: springs of no length, stiffness or damping, to themselves but where
   other rows are named. Floats of a column are in lane order (supi_lane_order), indices in row
   order. */
typedef struct supi_spring_net {
    int32_t row_count; /* of the body, with padding: 8 times the number of slices */
    int32_t spring_count;
    int32_t column_count;
    float mean_length;       /* m */
    float longest;           /* m, of all springs at rest; used where they are plain */
    bool plain;              /* none only pulls, or has no length: less to do */
    const int32_t* columns;  /* by slice: its first column (row_count / 8 + 1) */
    const int32_t* straight; /* NULL, or by slice: the end of its columns, the first ones, whose
                                other ends are eight rows one after the other, padding included */
    const int32_t* mutual;  /* NULL, or by slice: the end of its columns, the first ones, of springs
                               that have no other side: what they do to their other ends, which are
                               eight rows, is done from here. Their padding has other rows, too */
    const int32_t* other;   /* by side: row at the other end; padding: see above */
    const int32_t* spring;  /* by side: number of the spring; padding: -1 */
    const float* length;    /* by side, m at rest; the sign bit is set where it only pulls */
    const float* stiffness; /* by side, N/m */
    const float* damping;   /* by side, N s/m */
    const sup_vec3* rest;   /* by row, m: the direction of springs that have shrunk to nothing */
    supi_spring_groups groups;          /* for levels of a preconditioner */
    const struct supi_spring_net* once; /* NULL, or the net that has such springs: for forces */
} supi_spring_net;

/* Rows of a block, within which springs may have one side: a worker takes whole ones for forces.
   The fewer blocks, the fewer springs that have to have two; of large bodies there are still eight
   or more. */
static inline int32_t supi_spring_block(int32_t row_count) {
    int32_t rows = 4096;
    while (row_count / rows >= 16) rows *= 2;
    return rows;
}

/* Lengths below this share of the larger of a spring's length and the mean have no direction of
   their own. */
#define SUPI_SPRING_TINY 1e-6f

/* The tangent of eight sides, in lane order: what A of an implicit step has of them. To the row of
   the side it does -(u (u . (p_j - p_i)) + beta (p_j - p_i)), where u is the direction of the
   spring times the root of alpha = h^2 (k - B) + h c, beta = h^2 B and B = k max(0, 1 - L/l): what
   compressed springs lack in stiffness across is left out, so that A is positive definite. */
typedef struct supi_spring_tangent8 {
    float ux[8], uy[8], uz[8], beta[8];
} supi_spring_tangent8;

/* Eight rows of A, in lane order: the mass with drag m (1 + h q), 0 where the row is pinned, and
   the block of the diagonal (xx yy zz yz zx xy), later its inverse, 0 where it is pinned. */
typedef struct supi_spring_rows8 {
    float mass[8], block[6][8];
} supi_spring_rows8;

/* Eight rows in lane order. */
typedef struct supi_spring_lanes8 {
    float x[8], y[8], z[8];
} supi_spring_lanes8;

enum { SUPI_SPRING_LEVELS = 10 }; /* of groups of rows, at most: 8, 64, ... rows */

/* The implicit step that springs are linearised for. */
typedef struct supi_spring_step {
    float h, drag; /* s, 1/s */
    float lead;    /* s: how far ahead of x forces are wanted, h or 0 */
    bool taut;     /* springs that are slack count as if they pulled: they may in a moment */
} supi_spring_step;

/* What else the forces of springs may tell. */
typedef struct supi_spring_sums {
    double energy;  /* J, a spring counts half for each of its ends */
    double loss;    /* W, what damping takes */
    float stiffest; /* 1/s^2, of the rows: bounds the square of the largest frequency */
} supi_spring_sums;

/* Eight springs that share no row, for a strain limit. Where they are fewer, the last one is there
   again: it does the same twice. */
typedef struct supi_limit8 {
    int32_t a[8], b[8]; /* rows */
    float length[8];    /* m at rest, above 0, in lane order; negative where it only pulls */
} supi_limit8;

/* How long and how short springs may be, as shares of their length. */
typedef struct supi_limit_bounds {
    float longest, shortest;
} supi_limit_bounds;

/* Kernels on slices begin .. end-1 of a net; rows and tangents are those of the whole body. */
typedef struct supi_spring_kernels {
    /* Adds to f (N, w is left alone) what the springs do; `sums` (NULL: not wanted) are set. Where
       they are not, begin and end are those of blocks. */
    void (*forces)(const supi_spring_net* net, int32_t begin, int32_t end, const sup_row* x,
                   const sup_row* v, sup_row* f, supi_spring_sums* sums);
    /* The same linearised for an implicit step: A as tangents and rows with their blocks, and f,
       which holds the other forces (N), becomes h (f - q m v + lead K v). Pinned rows get 0. */
    void (*linearise)(const supi_spring_net* net, int32_t begin, int32_t end,
                      const supi_spring_step* step, const sup_row* x, const sup_row* v, sup_row* f,
                      supi_spring_tangent8* tangents, supi_spring_rows8* rows);
    /* Blocks become their inverses. */
    void (*invert)(supi_spring_rows8* rows, int32_t begin, int32_t end);
    /* y = A p; returns p . y. Not for constraints: y of a pinned row is anything. */
    double (*apply)(const supi_spring_net* net, int32_t begin, int32_t end,
                    const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                    const sup_row* p, sup_row* y);
    /* Groups of 8, 64, ... rows as rows of A: adds their masses, and as blocks what they have but
       for the springs inside them. `of` is the group of eight of each row. Pinned rows are in no
       group. */
    void (*group)(const supi_spring_net* net, const int32_t* of,
                  const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                  supi_spring_rows8* const* groups, int32_t level_count);
    /* Conjugate gradients: r -= a g, steps = blocks r; returns r . steps. `hold`: r of pinned rows
       becomes 0. `sums` (NULL: not wanted) get the sum of r over each eight rows. */
    double (*descend)(const supi_spring_rows8* rows, int32_t begin, int32_t end, float a,
                      const sup_row* g, sup_row* r, supi_spring_lanes8* steps, bool hold,
                      sup_row* sums);
    /* The sums of r over the members of the eights begin .. end-1 of groups. */
    void (*collect)(const int32_t* members, int32_t begin, int32_t end, const sup_row* r,
                    sup_row* sums);
    /* Groups go where those go that they are part of (NULL: none): steps of the eights 0 .. count-1
       become those of both, and are written as rows too (NULL: not wanted). */
    void (*spread)(int32_t count, supi_spring_lanes8* steps, const supi_spring_lanes8* above,
                   sup_row* out);
    /* And after all that: dv += a p, p = steps + b p. Rows that are not pinned also take the steps
       of their group, `of` by row (`groups` NULL: there are none). */
    void (*turn)(const supi_spring_rows8* rows, int32_t begin, int32_t end, float a, float b,
                 const supi_spring_lanes8* steps, const int32_t* of, const sup_row* groups,
                 sup_row* p, sup_row* dv);
    /* A sweep of a strain limit over `count` groups, an even number: one after the other, two at a
       time, which share no row either. Returns the largest change of a length that it found
       wanting, as a share of the bound, or less than it where it is large. */
    float (*limit)(const supi_limit8* groups, int32_t count, const supi_limit_bounds* bounds,
                   sup_row* x);
    /* The largest strain beyond the bounds, of springs as they are. */
    float (*excess)(const supi_limit8* groups, int32_t count, const supi_limit_bounds* bounds,
                    const sup_row* x);
} supi_spring_kernels;

#endif
