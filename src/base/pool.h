/* Slots with ages: handles that can be found out when what they name is gone. Slot 0 is never used,
 * age 0 never valid. */
#ifndef SUPPLE_BASE_POOL_H
#define SUPPLE_BASE_POOL_H

#include "base/column.h"

typedef struct supi_pool_slot {
    uint32_t age;  /* even: free, odd: taken */
    int32_t value; /* what the slot names, or the next free slot */
} supi_pool_slot;

typedef struct supi_pool {
    supi_column column;
    supi_pool_slot* slots; /* its items */
    int32_t count;         /* includes slot 0 */
    int32_t free;          /* first free slot, 0: none */
} supi_pool;

/* Takes a slot for `value`; false (nothing changed) when memory is short. */
bool supi_pool_take(supi_pool* pool, const sup_allocator* allocator, int32_t value, uint32_t* slot,
                    uint32_t* age);
void supi_pool_drop(supi_pool* pool, uint32_t slot);
/* The value of a living slot of that age, or -1. */
int32_t supi_pool_find(const supi_pool* pool, uint32_t slot, uint32_t age);
void supi_pool_free(supi_pool* pool, const sup_allocator* allocator);

#endif
