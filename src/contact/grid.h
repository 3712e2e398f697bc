/* Finds the pairs of particles that are closer than their contact radii allow: of different runs,
   or of one run that meets itself. */
#ifndef SUPPLE_CONTACT_GRID_H
#define SUPPLE_CONTACT_GRID_H

#include "base/tasks.h"
#include "contact/crowd.h"
#include "contact/near.h"
#include "contact/sweep.h"

/* The pairs between two runs: pairs first .. first + count - 1. */
typedef struct supi_pair_group {
    int32_t run_a, run_b; /* run_a <= run_b */
    int32_t first, count;
} supi_pair_group;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_grid {
    supi_pair* pairs; /* sorted by run_a, run_b, a, b; each once */
    supi_pair_group* groups;
    int32_t pair_count, group_count;
    int32_t skipped; /* particles so far out that their cell has no number; they meet nobody */

    const supi_near_kernels* kernels; /* NULL: the best ones here; all find the same */
    supi_sweep sweep;
    supi_crowd crowd; /* of one run, and all its pairs */
    supi_pair_group own_group;
    supi_column masks; /* of small runs (beside.h) */
    supi_column couple_firsts, windows, window_firsts, unions;
    supi_column blocks, entries, buckets, items, cells, order, found, tally, pair_store,
        group_store, places;
} supi_grid;

/* Fills pairs and groups with |xa - xb| < ra + rb + margin, measured in the frame of the lower run:
   xb + (float)(anchor of b - anchor of a). Radii are v[].w; 0 takes no part. `exemptions` may be
   NULL: none. SUP_NO_MEMORY leaves
   no pairs. */
sup_result supi_grid_find(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_run* runs, int32_t run_count,
                          const supi_exemptions* exemptions, const sup_row* x, const sup_row* v,
                          float margin);

/* Its first step: the couples of runs whose boxes meet, in grid->sweep. False: no memory. */
bool supi_grid_find_couples(supi_grid* grid, const sup_allocator* allocator, const supi_run* runs,
                            int32_t run_count, const supi_exemptions* exemptions, float margin);

/* The same for the pairs of one run that meets itself, without those that it spares. */
sup_result supi_grid_find_self(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                               const supi_run* run, const sup_row* x, const sup_row* v,
                               float margin);

void supi_grid_free(supi_grid* grid, const sup_allocator* allocator);

#endif
