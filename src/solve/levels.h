/* A coarser view of the rows for a preconditioner (Bramble, Pasciak and Xu 1990): groups of eight
   rows in a row, eight such groups, and so on. Rows are sorted by place, so a group is a patch of
   the body. What a residual sums up to in a group moves the whole of it, at once and on every
   level: pushes go far in one iteration. */
#ifndef SUPPLE_SOLVE_LEVELS_H
#define SUPPLE_SOLVE_LEVELS_H

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
} supi_levels;

/* The levels over so many rows, without their arrays. */
supi_levels supi_levels_of(int32_t row_count);

/* Makes them for a system; blocks of `rows` do not matter. */
void supi_levels_build(const supi_spring_kernels* kernels, const supi_spring_net* net,
                       const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                       const supi_levels* levels);

/* The eights begin .. end-1 of a level, from its r: returns r . steps, and sums r up for the next
   level. */
double supi_levels_descend(const supi_spring_kernels* kernels, const supi_levels* levels,
                           int32_t level, int32_t begin, int32_t end);

/* When the first level is done: the others, and the steps from the last down to the first. */
double supi_levels_finish(const supi_spring_kernels* kernels, const supi_levels* levels);

#endif
