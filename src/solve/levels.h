/* A coarser view of the rows for a preconditioner (Bramble, Pasciak and Xu 1990): groups of eight
   rows that lie together, eight such groups, and so on. What a residual sums up to in a group moves
   the whole of it, at once and on every level: pushes go far in one iteration. */
#ifndef SUPPLE_SOLVE_LEVELS_H
#define SUPPLE_SOLVE_LEVELS_H

#include "base/arena.h"
#include "solve/spring.h"

typedef struct supi_spring_level {
    int32_t count;             /* of its groups, in eights */
    supi_spring_rows8* rows;   /* groups as rows: inverses of their blocks */
    sup_row* r;                /* sums of residuals */
    supi_spring_lanes8* steps; /* where the groups are to go, with those that they are part of */
} supi_spring_level;

/* From groups of eight rows up to the level that fits in eight groups. */
typedef struct supi_levels {
    int32_t count;
    supi_spring_level level[SUPI_SPRING_LEVELS];
    sup_row* steps;            /* of the groups of eight rows, by group */
    supi_spring_groups groups; /* of the net, or those of its slices in these: */
    int32_t *of, *members;
} supi_levels;

/* The levels over so many rows, without their arrays. */
supi_levels supi_levels_of(int32_t row_count);

/* Makes them for a system; blocks of `rows` do not matter. Residuals are 0 after the last row. */
void supi_levels_build(const supi_spring_kernels* kernels, const supi_spring_net* net,
                       const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                       supi_levels* levels);

/* The eights begin .. end-1 of the first level, from the residuals of rows, 0 where these are
   pinned: returns r . steps. */
double supi_levels_begin(const supi_spring_kernels* kernels, const supi_levels* levels,
                         const sup_row* r, int32_t begin, int32_t end);

/* When the first level is done: the others, and the steps from the last down to the first. */
double supi_levels_finish(const supi_spring_kernels* kernels, const supi_levels* levels);

/* Groups of the first `count` rows that lie together at rest; the others come after them as they
   are. `of` has room for row_count, `members` for 64 for each 64 rows or part of it. False: no
   memory. */
bool supi_levels_order(int32_t count, int32_t row_count, const sup_vec3* rest, supi_arena* scratch,
                       int32_t* of, int32_t* members);

#endif
