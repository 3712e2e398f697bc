/* A map from keys to numbers, by open addressing. All zero is an empty one. */
#ifndef SUPPLE_BASE_KEY_MAP_H
#define SUPPLE_BASE_KEY_MAP_H

#include "base/memory.h"

typedef struct supi_key_map {
    uint64_t* keys; /* (1 << bits) key + 1; 0: free */
    int32_t* values;
    int32_t bits, count;
} supi_key_map;

/* Forgets all keys; memory is kept. False when memory is short. */
bool supi_key_map_clear(supi_key_map* map, const sup_allocator* allocator);
void supi_key_map_free(supi_key_map* map, const sup_allocator* allocator);
/* A new key, below 2^64 - 1, in a map that has been cleared once. False when memory is short: then
   nothing has changed. */
bool supi_key_map_add(supi_key_map* map, const sup_allocator* allocator, uint64_t key,
                      int32_t value);

static inline size_t supi_key_map_slot(const supi_key_map* map, uint64_t key) {
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t slot = (size_t)((key * 0x9E3779B97F4A7C15u) >> (64 - map->bits));
    while (map->keys[slot] != 0 && map->keys[slot] != key + 1) slot = (slot + 1) & mask;
    return slot;
}

/* The value of a key, or -1. */
static inline int32_t supi_key_map_find(const supi_key_map* map, uint64_t key) {
    size_t slot = supi_key_map_slot(map, key);
    return map->keys[slot] != 0 ? map->values[slot] : -1;
}

#endif
