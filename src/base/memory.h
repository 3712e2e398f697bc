/* The one gate for memory: checked products, zeroed and 64-byte aligned blocks. */
#ifndef SUPPLE_BASE_MEMORY_H
#define SUPPLE_BASE_MEMORY_H

#include "supple/base.h"

/* One cache line, and enough for every vector type. */
#define SUPI_ALIGNMENT 64

/* count * size zeroed bytes; NULL when the product overflows or the allocator refuses.
   A block of no bytes is a valid pointer too. */
void* supi_memory_new(const sup_allocator* allocator, size_t count, size_t size);

/* The same, but the bytes are anything: for large blocks that are written whole at once. */
void* supi_memory_take(const sup_allocator* allocator, size_t count, size_t size);

/* Gives back what supi_memory_new gave for the same count and size. NULL is fine. */
void supi_memory_free(const sup_allocator* allocator, void* block, size_t count, size_t size);

/* Makes room for `need` items of `size` bytes in a growing array: keeps the first `*capacity`
   items, at least doubles. False (nothing changed) when memory is short or `need` is negative. */
bool supi_memory_grow(const sup_allocator* allocator, void** block, int32_t* capacity, int32_t need,
                      size_t size);

/* Has the cache bring a block that is needed soon; it may be any. */
static inline void supi_memory_send_for(const void* block, size_t size) {
    for (size_t at = 0; at < size; at += SUPI_ALIGNMENT) {
        __builtin_prefetch((const char*)block + at);
    }
}

#endif
