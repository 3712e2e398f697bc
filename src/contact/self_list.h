/* Pairs of a run that meets itself. Who may come near whom is found with room to spare and kept
   until somebody has moved too far against the others, however the whole has moved and turned
   (Verlet 1967); which of these are near is seen anew each time. So the answer never depends on
   when the lists were made. */
#ifndef SUPPLE_CONTACT_SELF_LIST_H
#define SUPPLE_CONTACT_SELF_LIST_H

#include "contact/grid.h"

typedef struct supi_self_list {
    supi_pair* near; /* a < b, sorted; those nearer than scale times the sum of their radii */
    float* scales;   /* of each: below 1 where the two are closer at rest */
    int32_t near_count;

    int32_t kept_count;
    int32_t first, count; /* rows that it was made for */
    uint32_t version;
    bool made, stale;
    supi_column kept, kept_scales, places, turns, near_store, scale_store;
} supi_self_list;

/* All zero is an empty one. */
typedef struct supi_self_lists {
    supi_self_list* lists; /* by run (run_count); of runs that do not meet themselves empty */
    int32_t run_count;
    int32_t made; /* how many the last call had to make anew */

    supi_grid grid;
    supi_column store;
} supi_self_lists;

/* Fills in the near pairs of all runs. SUP_NO_MEMORY: they are no good. */
sup_result supi_self_lists_find(supi_self_lists* lists, const sup_allocator* allocator,
                                supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                                const sup_row* x, const sup_row* v);

/* Everything is to be made anew: rows have moved or gone. */
void supi_self_lists_forget(supi_self_lists* lists);
void supi_self_lists_free(supi_self_lists* lists, const sup_allocator* allocator);

#endif
