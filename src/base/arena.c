#include "base/arena.h"

#include "base/memory.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED 1
#endif
#endif
#ifdef POISONED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { CHUNK_BYTES = 64 * 1024, RED_ZONE = SUPI_ALIGNMENT };

/* Heads a chunk; the blocks follow at the next aligned address. */
typedef struct supi_arena_chunk {
    struct supi_arena_chunk* next;
    size_t size; /* bytes behind the head */
} supi_arena_chunk;

static uint8_t* bytes_of(supi_arena_chunk* chunk) { return (uint8_t*)chunk + SUPI_ALIGNMENT; }

void supi_arena_init(supi_arena* arena, const sup_allocator* allocator) {
    arena->allocator = allocator;
    arena->chunks = NULL;
    arena->used = 0;
}

void* supi_arena_push(supi_arena* arena, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2) / size) return NULL;
    size_t wanted = count * size;
    size_t taken = ((wanted + SUPI_ALIGNMENT - 1) & ~(size_t)(SUPI_ALIGNMENT - 1)) + RED_ZONE;
    if (!arena->chunks || arena->chunks->size - arena->used < taken) {
        size_t bytes = taken > CHUNK_BYTES ? taken : CHUNK_BYTES;
        supi_arena_chunk* chunk = supi_memory_new(arena->allocator, 1, SUPI_ALIGNMENT + bytes);
        if (!chunk) return NULL;
        chunk->next = arena->chunks;
        chunk->size = bytes;
        arena->chunks = chunk;
        arena->used = 0;
        ASAN_POISON_MEMORY_REGION(bytes_of(chunk), bytes);
    }
    uint8_t* block = bytes_of(arena->chunks) + arena->used;
    arena->used += taken;
    ASAN_UNPOISON_MEMORY_REGION(block, wanted);
    return block;
}

static void drop_chunk(supi_arena* arena) {
    supi_arena_chunk* chunk = arena->chunks;
    arena->chunks = chunk->next;
    ASAN_UNPOISON_MEMORY_REGION(bytes_of(chunk), chunk->size);
    supi_memory_free(arena->allocator, chunk, 1, SUPI_ALIGNMENT + chunk->size);
}

void supi_arena_clear(supi_arena* arena) {
    if (!arena->chunks) return;
    bool one = !arena->chunks->next;
    while (arena->chunks->next) drop_chunk(arena);
    supi_arena_chunk* chunk = arena->chunks;
    size_t dirty = one ? arena->used : chunk->size;
    ASAN_UNPOISON_MEMORY_REGION(bytes_of(chunk), chunk->size);
    memset(bytes_of(chunk), 0, dirty);
    ASAN_POISON_MEMORY_REGION(bytes_of(chunk), chunk->size);
    arena->used = 0;
}

void supi_arena_free(supi_arena* arena) {
    while (arena->chunks) drop_chunk(arena);
    arena->used = 0;
}
