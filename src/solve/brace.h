/* Strain limits within an implicit substep: springs near the limit are braced, that is, made much
   stiffer. So one solve carries through the whole body what sweeps of a limit would carry one
   spring at a time, and what the next solve would undo. */
#ifndef SUPPLE_SOLVE_BRACE_H
#define SUPPLE_SOLVE_BRACE_H

#include "solve/implicit.h"

/* A spring that is braced. */
typedef struct supi_brace {
    int32_t a, b; /* rows */
    float u[3];   /* direction from a to b, times h and the root of its stiffness */
    float across; /* kg: h^2 times its stiffness across */
} supi_brace;

typedef struct supi_braces {
    int32_t count;
    supi_brace* items;
} supi_braces;

/* Which springs are braced. */
typedef struct supi_brace_rules {
    const sup_spring* springs; /* rows in place of ids */
    int32_t spring_count;
    double h;               /* s */
    double longer, shorter; /* the limit: strain; 0: any */
    sup_limit_kinds kinds;
} supi_brace_rules;

/* Braces the springs that would come near the limit in h. Adds the forces of the braces (N) to f;
   there is room for one of each spring. */
void supi_brace_find(const supi_brace_rules* rules, const sup_row* x, const sup_row* v, sup_row* f,
                     supi_braces* braces);
/* N: how hard the brace of a spring of this length pulls; 0 where it is none. */
double supi_brace_pull(const supi_brace_rules* rules, const sup_spring* spring, double length);
/* What they are to the solver. */
supi_implicit_terms supi_brace_terms(supi_braces* braces);

#endif
