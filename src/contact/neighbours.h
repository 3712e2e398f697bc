/* Who is near whom among many points of one body, as a list for each. Points stand in the order of
   their cells, so that those which are near in space are near in memory. */
#ifndef SUPPLE_CONTACT_NEIGHBOURS_H
#define SUPPLE_CONTACT_NEIGHBOURS_H

#include "base/tasks.h"
#include "contact/cell_list.h"
#include "supple/supple.h"

/* Points in columns, with seven more to read after the last. */
typedef struct supi_neighbour_columns {
    const float *x, *y, *z;    /* m */
    const float *vx, *vy, *vz; /* m/s */
    float reach;               /* m */
    float ahead, least, most;  /* see supi_neighbour_search */
} supi_neighbour_columns;

/* Points first .. end-1, which stand one after the other. */
typedef struct supi_neighbour_run {
    int32_t first, end;
} supi_neighbour_run;

typedef struct supi_neighbour_kernels {
    sup_simd simd;
    /* Of the points of some runs those other than `own` that are near it, or may come near, in
       order; how many there are. Up to seven more are written. */
    int32_t (*sift)(const supi_neighbour_columns* columns, int32_t own,
                    const supi_neighbour_run* runs, int32_t run_count, int32_t* out);
} supi_neighbour_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_neighbour_kernels* supi_neighbour_kernels_find(sup_simd simd);

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_neighbours {
    int32_t count;    /* of points */
    int32_t stride;   /* from one list to the next, a multiple of 8 */
    int32_t* rows;    /* by place in the order of cells: its row (count) */
    int32_t* near;    /* lists of places, filled up to a multiple of 8 with `count` */
    int32_t* lengths; /* of the lists, without what fills them up (count) */

    supi_cell_list cells;
    supi_column row_store, near_store, length_store, entry_store, found, column_stores[6];
} supi_neighbours;

typedef struct supi_neighbour_search {
    const sup_row *x, *v; /* of the points (count) */
    int32_t count;
    float reach; /* m, above 0 */
    float ahead; /* s for which the lists should hold */
    float least; /* m by which two may be further apart, beside what their speeds say */
    float most;  /* m, two that are faster get no more */
} supi_neighbour_search;

/* Lists of all that are nearer than `reach`, or may be in the time ahead by the speed at which two
   pass each other. False when memory is short. `tasks` may be NULL. */
bool supi_neighbours_find(supi_neighbours* lists, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_neighbour_kernels* kernels,
                          const supi_neighbour_search* search);
/* Whether all points, now at x, have gone on as they moved when the lists were made, `time` s ago,
   each to within `most` m beside what all have in common. */
bool supi_neighbours_hold(const supi_neighbours* lists, const sup_row* x, float time, float most);
void supi_neighbours_free(supi_neighbours* lists, const sup_allocator* allocator);

#endif
