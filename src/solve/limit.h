/* Strain limits of springs (Provot 1995): their ends are drawn together, or apart, until no spring
   is longer or shorter than it may be. Pure functions on slices.

   Sweeps are those of Gauss and Seidel, so that each spring finds what the ones before it have
   left. Which come at the same time, in lanes and by workers, is settled once, by an order of the
   springs in which those never share a row: so a sweep has one result. */
#ifndef SUPPLE_SOLVE_LIMIT_H
#define SUPPLE_SOLVE_LIMIT_H

#include "base/arena.h"
#include "base/tasks.h"
#include "solve/kernels.h"
#include "solve/ties.h"

/* The order of the springs of a body that a limit may hold: structural ones, then those of shear.
   Of either come first those inside of a block of SUPI_LIMIT_ROWS rows, block by block, then those
   between blocks. Within a block they go in bands away from what is pinned, and in a band, as
   between blocks, by colour: springs of one colour share no row.

   Groups follow each other in parts; parts of one phase touch no row of another part of it. */
typedef struct supi_limit_order {
    int32_t group_count, part_count, band_count;
    int32_t struct_phases, phase_count; /* structural ones come first */
    const supi_limit8* groups;
    const int32_t* parts;  /* by part: its first group (part_count + 1) */
    const int32_t* phases; /* by phase: its first part (phase_count + 1) */
} supi_limit_order;

enum {
    SUPI_LIMIT_ROWS = 1024, /* of a block: as many as the fastest cache holds */
    SUPI_LIMIT_PART = 512   /* groups of a part of what lies between blocks, at most */
};

/* Orders the springs of a net; springs are those of the net, by number, rows in place of ids, and w
   are inverse masses by row. Arrays go to `arena`. False: no memory. */
bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out);

/* Springs that change have room for every order that they can have. */
typedef struct supi_limit_sizes {
    int32_t row_count, spring_count;
    int32_t side_count; /* springs at a row that a limit may hold */
    int32_t band_count; /* what is farther away from pins is in the last one */
} supi_limit_sizes;
typedef struct supi_limit_rooms {
    int32_t band_most, part_most;
    supi_limit8* groups;
    int32_t *parts, *phases;
    /* Scratch. */
    int32_t* distance; /* by row, in springs from the nearest pin */
    int32_t* queue;
    int32_t *band, *colour; /* by place in the order */
    uint64_t* taken;        /* by row: which of 64 colours its springs have */
    int32_t* taken_in;      /* in this band */
    int32_t* ids;           /* springs in order, twice the room */
    uint64_t* keys;         /* the same */
} supi_limit_rooms;
/* False: no memory. */
bool supi_limit_rooms_push(supi_arena* arena, const supi_limit_sizes* most, supi_limit_rooms* out);
/* The order of the springs as they are, in these rooms. */
void supi_limit_order_fill(const supi_spring_net* net, const sup_spring* springs, const float* w,
                           const supi_limit_rooms* rooms, supi_limit_order* out);

typedef struct supi_limit {
    const supi_kernels* kernels;
    supi_tasks* tasks; /* NULL: the caller alone */
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
    float* met;       /* scratch too (part_count of the order) */
} supi_limit;

typedef struct supi_limit_report {
    int32_t sweeps;
    double excess; /* strain beyond the limit that is left, the largest */
} supi_limit_report;

/* Mends x, by weights of inverse mass, and v with it. */
supi_limit_report supi_limit_run(const supi_limit* limit, sup_row* x, sup_row* v);

#endif
