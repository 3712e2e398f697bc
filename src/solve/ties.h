/* Rows that are the mean of two others and have no motion of their own, such as points of a fine
   cell on the edge of a coarse one. */
#ifndef SUPPLE_SOLVE_TIES_H
#define SUPPLE_SOLVE_TIES_H

#include "supple/types.h"

/* Ends may be tied themselves, by a tie that comes before. */
typedef struct supi_tie {
    int32_t row, a, b;
} supi_tie;

/* Places or velocities: the tied get the mean of their ends. */
void supi_ties_spread(const supi_tie* ties, int32_t count, sup_row* rows);
/* Forces: the ends get half each of what pulls at the tied, to which nothing is left. */
void supi_ties_collect(const supi_tie* ties, int32_t count, sup_row* rows);

/* After it, forces that move the tied as the mean of their ends, by the inverse masses of x, which
   the tied have here too: whatever integrates the rows keeps them there. */
void supi_ties_carry(const supi_tie* ties, int32_t count, const sup_row* x, sup_row* f);

#endif
