/* A map from keys to numbers, by open addressing. All zero is an empty one. */
#ifndef SUPPLE_BASE_KEY_MAP_H
#define SUPPLE_BASE_KEY_MAP_H

#include "base/memory.h"

typedef struct supi_key_slot {
    uint64_t key; /* and 1; 0: free */
    int32_t value;
} supi_key_slot;

typedef struct supi_key_map {
    supi_key_slot* slots; /* (1 << bits) */
    int32_t bits, count;
} supi_key_map;

/* Forgets all keys; memory is kept. False when memory is short. */
bool supi_key_map_clear(supi_key_map* map, const sup_allocator* allocator);
void supi_key_map_free(supi_key_map* map, const sup_allocator* allocator);
/* A new key, below 2^64 - 1, in a map that has been cleared once. False when memory is short: then
   nothing has changed. */
bool supi_key_map_add(supi_key_map* map, const sup_allocator* allocator, uint64_t key,
                      int32_t value);

/* The slot of a key, or the free one where it belongs. */
static inline supi_key_slot* supi_key_map_slot(const supi_key_map* map, uint64_t key) {
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t slot = (size_t)((key * 0x9E3779B97F4A7C15u) >> (64 - map->bits));
    while (map->slots[slot].key != 0 && map->slots[slot].key != key + 1) slot = (slot + 1) & mask;
    return map->slots + slot;
}

/* The value of a key, or -1. */
static inline int32_t supi_key_map_find(const supi_key_map* map, uint64_t key) {
    const supi_key_slot* slot = supi_key_map_slot(map, key);
    return slot->key != 0 ? slot->value : -1;
}

#endif
