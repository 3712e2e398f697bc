#include "base/key_map.h"

#include <string.h>

enum { FIRST_BITS = 10, MOST_BITS = 31 };

void supi_key_map_free(supi_key_map* map, const sup_allocator* allocator) {
    size_t size = map->bits > 0 ? (size_t)1 << map->bits : 0;
    supi_memory_free(allocator, map->keys, size, sizeof *map->keys);
    supi_memory_free(allocator, map->values, size, sizeof *map->values);
    *map = (supi_key_map){0};
}

/* An empty one, all zero when memory is short. */
static supi_key_map make(const sup_allocator* allocator, int32_t bits) {
    size_t size = (size_t)1 << bits;
    supi_key_map map = {supi_memory_new(allocator, size, sizeof *map.keys),
                        supi_memory_new(allocator, size, sizeof *map.values), bits, 0};
    if (!map.keys || !map.values) supi_key_map_free(&map, allocator);
    return map;
}

bool supi_key_map_clear(supi_key_map* map, const sup_allocator* allocator) {
    if (map->bits == 0) *map = make(allocator, FIRST_BITS);
    if (map->bits == 0) return false;
    memset(map->keys, 0, ((size_t)1 << map->bits) * sizeof *map->keys);
    map->count = 0;
    return true;
}

static void put(supi_key_map* map, uint64_t key, int32_t value) {
    size_t slot = supi_key_map_slot(map, key);
    map->keys[slot] = key + 1;
    map->values[slot] = value;
    map->count++;
}

/* At most half full, so that a search soon ends. */
bool supi_key_map_add(supi_key_map* map, const sup_allocator* allocator, uint64_t key,
                      int32_t value) {
    if (2 * ((int64_t)map->count + 1) > (int64_t)1 << map->bits) {
        if (map->bits == MOST_BITS) return false;
        supi_key_map larger = make(allocator, map->bits + 1);
        if (larger.bits == 0) return false;
        for (size_t slot = 0; slot < (size_t)1 << map->bits; slot++) {
            if (map->keys[slot] != 0) put(&larger, map->keys[slot] - 1, map->values[slot]);
        }
        supi_key_map_free(map, allocator);
        *map = larger;
    }
    put(map, key, value);
    return true;
}
