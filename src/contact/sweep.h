/* Finds the boxes that meet, among many. */
#ifndef SUPPLE_CONTACT_SWEEP_H
#define SUPPLE_CONTACT_SWEEP_H

#include "contact/contact.h"

typedef struct supi_box {
    double low[3], high[3]; /* finite, low <= high */
    int32_t id;             /* >= 0 and different for each */
} supi_box;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_sweep {
    uint64_t*
        couples; /* ids of boxes that meet, the lower << 32 | the higher; ascending, each once */
    int32_t couple_count;

    supi_column boxes, keys, ids, starts, members, couple_store;
} supi_sweep;

/* Room for `capacity` boxes, to be filled before the run. NULL when memory is short. */
supi_box* supi_sweep_boxes(supi_sweep* sweep, const sup_allocator* allocator, int32_t capacity);

/* Looks at the first `count` boxes; touching counts as meeting. False when memory is short: no
 * couples then. */
bool supi_sweep_run(supi_sweep* sweep, const sup_allocator* allocator, int32_t count);

void supi_sweep_free(supi_sweep* sweep, const sup_allocator* allocator);

#endif
