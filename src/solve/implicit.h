/* One substep of springs by implicit Euler (Baraff and Witkin 1998): v1 = v + h M^-1 f(x1, v1),
   x1 = x + h v1. Linearised, it is A dv = b with A = M (1 + h q) - h D - h^2 K and b = h (f - q M v
   + h K v), which conjugate gradients solve with the blocks of the diagonal for a preconditioner.

   Constraints cost nothing in the loop: velocities that are prescribed are set before, and the
   preconditioner has no part along what is held, so that no search direction has one either. */
#ifndef SUPPLE_SOLVE_IMPLICIT_H
#define SUPPLE_SOLVE_IMPLICIT_H

#include "base/tasks.h"
#include "solve/kernels.h"
#include "solve/levels.h"
#include "solve/slide.h"
#include "solve/ties.h"

/* Other terms of A beside those of springs, such as volumes: symmetric and not negative, h^2 times
   their stiffness. They are linear about x during the whole substep. */
typedef struct supi_implicit_terms {
    void* context;
    void (*diagonal)(void* context, supi_spring_rows8* rows); /* adds blocks of the diagonal */
    /* y += scale (terms) p; returns p . (terms) p. */
    double (*apply)(void* context, float scale, const sup_row* p, sup_row* y);
} supi_implicit_terms;

#define SUPI_TIED 1e30f

typedef struct supi_implicit {
    const supi_kernels* kernels;
    supi_tasks* tasks; /* NULL: the caller alone */
    const supi_spring_net* net;
    const sup_row* force; /* N, on every row beside those of springs and drag */
    supi_slide* slides;   /* by row (slide_count) */
    int32_t slide_count;
    int32_t locked; /* sum of sup_axis: no row moves along these; velocities have nothing there */
    const supi_implicit_terms* terms; /* (term_count) */
    int32_t term_count;
    int32_t tie_count;
    const supi_tie* ties; /* rows that have no equation of their own: what pulls at them pulls at
                             their ends. Their inverse mass is SUPI_TIED: they weigh nothing */
    float h, drag;        /* s, 1/s */
    bool free;            /* nothing holds it: no pin, slide or term of A */
    bool watched;         /* fails where it makes energy, unless there are slides or terms: they
                             may have done so */
    bool levels;          /* the preconditioner sees groups of rows too: fewer iterations */
    double tolerance;     /* of the residual */
    int32_t iterations, newton; /* at most, each at least 1 */
} supi_implicit;

typedef struct supi_implicit_report {
    int32_t iterations; /* of all solves */
    int32_t newton;     /* solves */
    int32_t negative;   /* times that a direction of negative curvature ended one */
    double residual;    /* of the last solve, relative to that of dv = 0 */
    bool failed;        /* nothing has moved: try a shorter substep */
} supi_implicit_report;

/* What a substep works in. */
typedef struct supi_implicit_scratch {
    sup_row *b, *r, *p, *g, *x, *v, *z; /* (row_count, and 8 more) */
    supi_spring_lanes8* steps;          /* (row_count / 8) */
    supi_spring_tangent8* tangents;     /* (column_count) */
    supi_spring_rows8* rows;            /* (row_count / 8) */
    supi_levels levels;
    double* parts; /* (one for each piece of the rows) */
} supi_implicit_scratch;

/* Slices that a worker takes at a time, and how often. */
enum { SUPI_IMPLICIT_PIECE = 128 };
static inline int32_t supi_implicit_pieces(const supi_spring_net* net) {
    return (net->row_count / 8 + SUPI_IMPLICIT_PIECE - 1) / SUPI_IMPLICIT_PIECE;
}

/* Bytes of scratch memory for a net; it is cut up by _place and wants SUPI_ALIGNMENT. */
size_t supi_implicit_scratch_size(const supi_spring_net* net);
supi_implicit_scratch supi_implicit_scratch_place(const supi_spring_net* net, void* memory);

/* Moves x and v by h. Rows without inverse mass keep their velocity. `dv` is the change of velocity
   of the last substep, or 0, where the search starts, and becomes that of this one, or anything
   where this one fails. */
supi_implicit_report supi_implicit_step(const supi_implicit* step,
                                        const supi_implicit_scratch* scratch, sup_row* x,
                                        sup_row* v, sup_row* dv);

/* A of a substep of h from x and v on, with slack springs as if they pulled, for answers: */
void supi_implicit_linearise(const supi_implicit* step, const supi_implicit_scratch* scratch,
                             sup_row* x, sup_row* v);
/* How all velocities change when a row gets 1 N s along an axis (0..2): a column of the inverse of
   A, as the last call has left it, with the slides of then. The search starts from `dv`; g of the
   scratch gets A dv: of pinned rows what it takes to hold them, N s. False: there is none. */
bool supi_implicit_answer(const supi_implicit* step, const supi_implicit_scratch* scratch,
                          sup_row* x, int32_t row, int axis, sup_row* dv);

#endif
