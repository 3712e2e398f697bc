/* Pairs of a run that meets itself. Who may come near whom is found with room to spare and kept
   until somebody has moved too far against the others, however the whole has moved and turned
   (Verlet 1967); which of these are near is seen anew each time. So the answer never depends on
   when the lists were made. */
#ifndef SUPPLE_CONTACT_SELF_LIST_H
#define SUPPLE_CONTACT_SELF_LIST_H

#include "contact/close_list.h"
#include "contact/grid.h"

typedef struct supi_self_list {
    supi_candidate* near; /* a < b, sorted; those nearer than they reach. Scales are below 1 where
                             the two are closer at rest */
    int32_t near_count;
    bool sifted; /* those that are apart are left out, as far as outlines show it */

    int32_t kept_count;
    int32_t first, count; /* rows that it was made for */
    uint32_t version;
    int32_t age; /* calls since it was made */
    bool made, stale;
    int32_t known; /* how many candidates of the list before have scales that still hold */
    supi_column kept, kept_before, blocks, boxes, near_store;
    supi_close_list close; /* of small runs with shapes of their own, in place of the list kept */
} supi_self_list;

/* All zero is an empty one. */
typedef struct supi_self_lists {
    supi_self_list* lists; /* by run (run_count); of runs that do not meet themselves empty */
    int32_t run_count;
    const supi_near_kernels* kernels; /* NULL: the best that the processor has */
    int32_t made;                     /* how many the last call had to make anew */

    supi_grid grid;
    supi_column store;
} supi_self_lists;

/* Fills in the near pairs of all runs. SUP_NO_MEMORY: they are no good. */
sup_result supi_self_lists_find(supi_self_lists* lists, const sup_allocator* allocator,
                                supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                                const sup_row* x, const sup_row* v);

/* Scales of all pairs of a run with shapes of at most SUPI_NEAR_SPAN rows, a < b: every
   supi_close_stride those of the next row a; 0: never meet. NULL for v: all rows have a radius. */
void supi_self_scales(const supi_run* run, const sup_row* v, float* scales);

/* Everything is to be made anew: rows have moved or gone. */
void supi_self_lists_forget(supi_self_lists* lists);
void supi_self_lists_free(supi_self_lists* lists, const sup_allocator* allocator);

#endif
