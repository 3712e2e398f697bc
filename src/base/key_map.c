#include "base/key_map.h"

#include <string.h>

enum { FIRST_BITS = 10, MOST_BITS = 31 };

static size_t size_of(const supi_key_map* map) { return map->slots ? (size_t)1 << map->bits : 0; }

void supi_key_map_free(supi_key_map* map, const sup_allocator* allocator) {
    supi_memory_free(allocator, map->slots, size_of(map), sizeof *map->slots);
    *map = (supi_key_map){0};
}

bool supi_key_map_clear(supi_key_map* map, const sup_allocator* allocator) {
    map->count = 0;
    if (map->slots) {
        memset(map->slots, 0, size_of(map) * sizeof *map->slots);
        return true;
    }
    map->bits = FIRST_BITS;
    map->slots = supi_memory_new(allocator, (size_t)1 << map->bits, sizeof *map->slots);
    return map->slots != NULL;
}

static void put(supi_key_map* map, uint64_t key, int32_t value) {
    *supi_key_map_slot(map, key) = (supi_key_slot){key + 1, value};
    map->count++;
}

/* At most half full, so that a search soon ends. */
bool supi_key_map_add(supi_key_map* map, const sup_allocator* allocator, uint64_t key,
                      int32_t value) {
    if (2 * ((int64_t)map->count + 1) > (int64_t)1 << map->bits) {
        if (map->bits == MOST_BITS) return false;
        supi_key_map larger = {.bits = map->bits + 1};
        larger.slots = supi_memory_new(allocator, (size_t)1 << larger.bits, sizeof *larger.slots);
        if (!larger.slots) return false;
        for (size_t i = 0; i < size_of(map); i++) {
            const supi_key_slot* slot = map->slots + i;
            if (slot->key != 0) put(&larger, slot->key - 1, slot->value);
        }
        supi_key_map_free(map, allocator);
        *map = larger;
    }
    put(map, key, value);
    return true;
}
