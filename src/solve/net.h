/* Making a net of springs: their sides in slices of eight rows. */
#ifndef SUPPLE_SOLVE_NET_H
#define SUPPLE_SOLVE_NET_H

#include "base/arena.h"
#include "solve/spring.h"

/* Springs between rows, a < b. */
typedef struct supi_net_source {
    int32_t row_count; /* with padding */
    int32_t spring_count;
    const sup_spring* springs;
    const float* inverse_mass; /* by row: springs between two rows of 0 do nothing */
    const sup_vec3* rest;      /* by row, m */
    supi_spring_groups groups;
} supi_net_source;

/* What a net is written to. */
typedef struct supi_net_rooms {
    int32_t* used;           /* scratch by row (row_count) */
    int32_t* columns;        /* (row_count / 8 + 1) */
    int32_t* straight;       /* (row_count / 8); NULL: columns are not to be straight */
    int32_t *other, *spring; /* these by side, 8 for each column */
    float *length, *stiffness, *damping;
} supi_net_rooms;

/* Room for the sides of so many columns. False: no memory. */
bool supi_net_push(supi_arena* arena, int32_t column_count, supi_net_rooms* rooms);

/* First the columns, for which `used` and `columns` are needed; how many there are, or -1: too
   many. */
int32_t supi_net_cut(const supi_net_source* source, const supi_net_rooms* rooms);
/* Then the sides. Each row has its own in the order of springs, but for those in straight columns,
   which come first. */
supi_spring_net supi_net_fill(const supi_net_source* source, const supi_net_rooms* rooms);

/* The net of a net in which springs inside of a block of supi_spring_block rows have
   one side only. Its arrays go to `arena`. False: no memory. */
bool supi_net_once(const supi_spring_net* net, supi_arena* arena, supi_arena* scratch,
                   supi_spring_net* out);

#endif
