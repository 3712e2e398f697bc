#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The least that is asked for, so that no block is NULL for want of bytes. */
static bool byte_count(size_t count, size_t size, size_t* bytes) {
    if (size != 0 && count > (SIZE_MAX - SUPI_ALIGNMENT) / size) return false;
    size_t product = count * size;
    *bytes = product == 0 ? SUPI_ALIGNMENT
                          : (product + SUPI_ALIGNMENT - 1) & ~(size_t)(SUPI_ALIGNMENT - 1);
    return true;
}

void* supi_memory_take(const sup_allocator* allocator, size_t count, size_t size) {
    size_t bytes;
    if (!byte_count(count, size, &bytes)) return NULL;
    return allocator->allocate(allocator->user, bytes, SUPI_ALIGNMENT);
}

void* supi_memory_new(const sup_allocator* allocator, size_t count, size_t size) {
    void* block = supi_memory_take(allocator, count, size);
    size_t bytes;
    if (block && byte_count(count, size, &bytes)) memset(block, 0, bytes);
    return block;
}

void supi_memory_free(const sup_allocator* allocator, void* block, size_t count, size_t size) {
    size_t bytes;
    if (block && byte_count(count, size, &bytes)) {
        allocator->release(allocator->user, block, bytes);
    }
}

bool supi_memory_grow(const sup_allocator* allocator, void** block, int32_t* capacity, int32_t need,
                      size_t size) {
    if (need < 0) return false;
    if (need <= *capacity && *block) return true;
    int32_t doubled = *capacity > INT32_MAX / 2 ? INT32_MAX : 2 * *capacity;
    int32_t wanted = need > doubled ? need : doubled;
    if (wanted < 8) wanted = 8;
    void* larger = supi_memory_new(allocator, (size_t)wanted, size);
    if (!larger) return false;
    if (*block) memcpy(larger, *block, (size_t)*capacity * size);
    supi_memory_free(allocator, *block, (size_t)*capacity, size);
    *block = larger;
    *capacity = wanted;
    return true;
}

static void* default_allocate(void* user, size_t size, size_t alignment) {
    (void)user;
    return aligned_alloc(alignment, size);
}

static void default_release(void* user, void* pointer, size_t size) {
    (void)user;
    (void)size;
    free(pointer);
}

const sup_allocator* sup_allocator_default(void) {
    static const sup_allocator table = {NULL, default_allocate, default_release};
    return &table;
}
