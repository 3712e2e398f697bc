/* Pairs of small runs: all rows of two runs whose boxes meet, eight at a time. Where these have few
   rows that costs less than cells. */
#ifndef SUPPLE_CONTACT_BESIDE_H
#define SUPPLE_CONTACT_BESIDE_H

#include "contact/grid.h"

/* Are all runs small enough? */
bool supi_beside_fits(const supi_run* runs, int32_t run_count);

/* Fills pairs, groups and couples of the grid as supi_grid_find does. */
sup_result supi_beside_find(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_near_kernels* kernels, const supi_run* runs,
                            int32_t run_count, const supi_exemptions* exemptions, const sup_row* x,
                            const sup_row* v, float margin);

#endif
