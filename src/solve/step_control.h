/* How long an explicit step may be: by the largest frequency of the springs (Gershgorin; power
   iteration) and by its error (step doubling). Pure functions on slices. */
#ifndef SUPPLE_SOLVE_STEP_CONTROL_H
#define SUPPLE_SOLVE_STEP_CONTROL_H

#include "solve/explicit.h"
#include "solve/spring.h"

/* The shortest step of a span is 1/2^10 of it. */
enum { SUPI_STEP_LEVELS = 10 };

/* What has to survive from one span to the next, with the `mode`, a row array: the direction of the
   power iteration, of length 1 over all rows and 0 in rows of inverse mass 0. All zeros to begin
   with; belongs into hash and snapshot. */
typedef struct supi_step_state {
    double last;   /* s: supi_moving */
    int32_t level; /* steps are span / 2^level, 0 .. SUPI_STEP_LEVELS */
    int32_t good;  /* steps in a row that might have been longer, 0 .. 8 */
} supi_step_state;

/* What a piece of rows found out; for the inside. */
typedef struct supi_step_part {
    double square;
    float most[4];
} supi_step_part;

/* What pulls besides the springs, at most. */
typedef struct supi_step_others {
    double stiffness; /* 1/s^2: by mass */
    double damping;   /* 1/s: the same */
} supi_step_others;

/* What rules the steps of a body. */
typedef struct supi_step_rules {
    const supi_spring_net* net;
    double error; /* m, above 0: largest error of a place in a step */
    supi_step_others others;
    sup_row* scratch;      /* SUPI_STEP_SCRATCH times row_count, besides that of the motion */
    supi_step_part* parts; /* supi_piece_count(row_count) */
} supi_step_rules;

enum { SUPI_STEP_SCRATCH = 5 };

typedef struct supi_step_report {
    int32_t steps;    /* that count */
    int32_t rejected; /* tried in vain */
    int32_t forced;   /* of those that count: bad even when shortest, with velocities cut */
    double frequency; /* rad/s: estimate of the largest one, on the safe side */
    double stable;    /* s: longest stable step; infinite without springs */
} supi_step_report;

/* What the springs are at the places x. */
typedef struct supi_step_survey {
    double gershgorin; /* rad/s: no frequency is above it */
    double power;      /* rad/s: what a power iteration finds, below the largest but close to it;
                          the bound where the mode is all zeros */
    double delay;      /* s: largest damping / stiffness of a spring */
    double dashpots;   /* 1/s: largest rate of springs that have damping only */
    double shortest;   /* m: rest length of the shortest spring that has one; infinite: none */
} supi_step_survey;

/* rad/s: no frequency of the springs is above it, as in a survey, which needs more room. Rows that
   are tied weigh nothing and do not count. */
double supi_step_bound(const supi_spring_net* net, const sup_row* x);

/* Fills `mode` with something random and lets 20 power iterations find the fastest one. `scratch`:
   one row array. */
supi_step_survey supi_step_begin(supi_tasks* tasks, const supi_spring_net* net, const sup_row* x,
                                 sup_row* mode, sup_row* scratch, supi_step_part* parts);

/* The same with one iteration of the mode as it is. */
supi_step_survey supi_step_look(supi_tasks* tasks, const supi_spring_net* net, const sup_row* x,
                                sup_row* mode, sup_row* scratch, supi_step_part* parts);

/* Fills in frequency and longest stable step. Explicit Euler and the midpoint rule, which no step
   keeps from growing without damping, get the limit of symplectic Euler: the error does the rest.
 */
void supi_step_limit(const supi_step_survey* survey, sup_integrator integrator,
                     supi_step_others others, supi_step_report* report);

/* Moves the rows through the span of the motion, in as many steps as it takes. */
supi_step_report supi_step_span(const supi_motion* motion, const supi_step_rules* rules,
                                supi_step_state* state, sup_row* mode, sup_row* x, sup_row* v);

#endif
