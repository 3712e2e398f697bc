/* An array that grows and keeps its memory from call to call; all zero is empty. */
#ifndef SUPPLE_BASE_COLUMN_H
#define SUPPLE_BASE_COLUMN_H

#include "base/memory.h"

typedef struct supi_column {
    void* items;
    int32_t capacity;
    size_t size; /* bytes of an item */
} supi_column;

/* Room for `need` items of `size` bytes; what was there is kept. NULL when memory is short. */
static inline void* supi_column_reserve(supi_column* column, const sup_allocator* allocator,
                                        int32_t need, size_t size) {
    if (!supi_memory_grow(allocator, &column->items, &column->capacity, need, size)) return NULL;
    column->size = size;
    return column->items;
}

static inline void supi_column_free(supi_column* column, const sup_allocator* allocator) {
    supi_memory_free(allocator, column->items, (size_t)column->capacity, column->size);
    *column = (supi_column){0};
}

#endif
