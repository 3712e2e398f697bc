/* Pairs of different runs. As those of one run (self_list.h) they are found with room to spare and
   kept until somebody has gone too far; which of them are near is seen anew each time. So the
   answer never depends on when they were found. */
#ifndef SUPPLE_CONTACT_PAIR_LIST_H
#define SUPPLE_CONTACT_PAIR_LIST_H

#include "contact/grid.h"

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_pair_lists {
    supi_candidate* near;    /* of each group sorted by a, b; each once */
    supi_pair_group* groups; /* sorted by run_a, run_b; none is empty */
    int32_t pair_count, group_count;
    const supi_near_kernels* kernels; /* NULL: the best that the processor has */
    bool anew;                        /* the last call had to look for everything */

    bool made;
    int32_t run_count, kept_count; /* of groups */
    int32_t age;                   /* calls since it was made */
    float room;                    /* m that every row may go */
    float drift;                   /* m, how far one went at most */
    supi_grid grid;
    supi_column kept, kept_groups, near_store, group_store;
    supi_column homes, rows, drifts, exempt;
    int32_t exempt_count;
} supi_pair_lists;

/* Fills in groups and their near pairs: |xa - xb| < ra + rb, as supi_grid_find has it.
   SUP_NO_MEMORY leaves none. */
sup_result supi_pair_lists_find(supi_pair_lists* lists, const sup_allocator* allocator,
                                supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                                const supi_exemptions* exemptions, const sup_row* x,
                                const sup_row* v);

/* Everything is to be found anew: rows have moved or gone. */
void supi_pair_lists_forget(supi_pair_lists* lists);
void supi_pair_lists_free(supi_pair_lists* lists, const sup_allocator* allocator);

#endif
