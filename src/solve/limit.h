/* Strain limits of springs (Provot 1995): their ends are drawn together, or apart, until no spring
   is longer or shorter than it may be. Pure functions on slices.

   Sweeps are those of Gauss and Seidel: each spring finds what the ones before it have left, away
   from what is pinned. That order is half of what a sweep is worth: by colours, which more could do
   at once, as many sweeps leave ten times the stretch. So a sweep is the work of one. All of them
   go away from the pins; to and fro, as Provot did, leaves nearly twice the stretch. */
#ifndef SUPPLE_SOLVE_LIMIT_H
#define SUPPLE_SOLVE_LIMIT_H

#include "base/arena.h"
#include "base/tasks.h"
#include "solve/kernels.h"
#include "solve/ties.h"

/* The order of the springs of a body that a limit may hold: structural ones, then those of shear.
   Groups have springs that share no row; and so do two that are done together. */
typedef struct supi_limit_order {
    int32_t struct_count, group_count; /* even numbers; structural ones come first */
    const supi_limit8* groups;
} supi_limit_order;

/* Orders the springs of a net; springs are those of the net, by number, rows in place of ids, and w
   are inverse masses by row. Arrays go to `arena`. False: no memory. */
bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out);

/* Springs that change have room for every order that they can have. */
typedef struct supi_limit_rooms {
    supi_limit8* groups;
    /* Scratch. */
    int32_t* distance; /* by row, in springs from the nearest pin */
    int32_t* queue;
    int32_t* level; /* by row: of the next spring that it may have */
    int32_t* ids;   /* springs in order, twice the room */
    uint64_t* keys; /* the same */
} supi_limit_rooms;
/* False: no memory. */
bool supi_limit_rooms_push(supi_arena* arena, int32_t row_count, int32_t spring_count,
                           supi_limit_rooms* out);
/* The order of the springs as they are, in these rooms. */
void supi_limit_order_fill(const supi_spring_net* net, const sup_spring* springs, const float* w,
                           const supi_limit_rooms* rooms, supi_limit_order* out);

typedef struct supi_limit {
    const supi_kernels* kernels;
    supi_tasks* tasks; /* for velocities; NULL: the caller alone */
    const supi_limit_order* order;
    int32_t row_count;
    int32_t tie_count;
    const supi_tie* ties; /* rows that stay the mean of their ends: whatever moves them moves these
                             instead */
    sup_row* tied;        /* scratch (tie_count) */
    double h;             /* s: what velocities change by is change of place / h */
    double longer, shorter; /* strain; 0: any */
    sup_limit_kinds kinds;
    int32_t sweeps;   /* at most */
    sup_row* scratch; /* (row_count) */
} supi_limit;

typedef struct supi_limit_report {
    int32_t sweeps;
    double excess; /* strain beyond the limit that is left, the largest */
} supi_limit_report;

/* Mends x, by weights of inverse mass, and v with it. */
supi_limit_report supi_limit_run(const supi_limit* limit, sup_row* x, sup_row* v);
/* The largest strain beyond the limit, of springs as they are. */
double supi_limit_excess(const supi_limit* limit, const sup_row* x);

#endif
