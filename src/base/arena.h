/* Memory that is given back all at once: many arrays, one owner. Under AddressSanitizer the gaps
 * between blocks are poisoned. */
#ifndef SUPPLE_BASE_ARENA_H
#define SUPPLE_BASE_ARENA_H

#include "supple/base.h"

typedef struct supi_arena {
    const sup_allocator* allocator;
    struct supi_arena_chunk* chunks; /* newest first */
    size_t used;                     /* bytes of the newest chunk */
} supi_arena;

void supi_arena_init(supi_arena* arena, const sup_allocator* allocator);
/* count * size zeroed bytes, 64-byte aligned, until supi_arena_free; NULL when memory is short. */
void* supi_arena_push(supi_arena* arena, size_t count, size_t size);
/* Takes all blocks back and keeps room for the next ones, which are zeroed as well. */
void supi_arena_clear(supi_arena* arena);
void supi_arena_free(supi_arena* arena);

#endif
