/* Pairs of one run that meets itself, where its rows fill their box well: every cell of the box has
   a number, and its rows are sorted by it. The same pairs as by the grid, in less time. */
#ifndef SUPPLE_CONTACT_CROWD_H
#define SUPPLE_CONTACT_CROWD_H

#include "base/column.h"
#include "base/tasks.h"
#include "contact/near.h"

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_crowd {
    supi_pair* pairs; /* sorted by a, b; each once */
    int32_t pair_count;
    supi_column cells, starts, order, places, columns, found, firsts, mates, pair_store;
} supi_crowd;

/* Is the box of the run small enough for that? */
bool supi_crowd_fits(const supi_run* run, float margin);

/* Fills in the pairs with |xa - xb| < ra + rb + margin, without those that the run spares, in
   floats as they are. SUP_NO_MEMORY leaves none. */
sup_result supi_crowd_find(supi_crowd* crowd, const sup_allocator* allocator, supi_tasks* tasks,
                           const supi_near_kernels* kernels, const supi_run* run, const sup_row* x,
                           const sup_row* v, float margin);

void supi_crowd_free(supi_crowd* crowd, const sup_allocator* allocator);

#endif
