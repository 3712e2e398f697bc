/* Radix sort from the lowest byte up. Bytes that all keys share cost no pass. */
#include "geom/sort.h"

#include <string.h>

#define BYTES 8
#define VALUES 256

static int32_t byte_of(uint64_t key, int which) { return (int32_t)(key >> (8 * which) & 0xff); }

void supi_sort_keys(int32_t count, uint64_t* keys, int32_t* ids, uint64_t* scratch_keys,
                    int32_t* scratch_ids) {
    if (count < 2) return;
    int32_t counts[BYTES][VALUES] = {{0}};
    for (int32_t i = 0; i < count; i++) {
        for (int b = 0; b < BYTES; b++) counts[b][byte_of(keys[i], b)]++;
    }
    uint64_t *from_keys = keys, *to_keys = scratch_keys;
    int32_t *from_ids = ids, *to_ids = scratch_ids;
    for (int b = 0; b < BYTES; b++) {
        if (counts[b][byte_of(keys[0], b)] == count) continue;
        int32_t place[VALUES], next = 0;
        for (int v = 0; v < VALUES; v++) {
            place[v] = next;
            next += counts[b][v];
        }
        for (int32_t i = 0; i < count; i++) {
            int32_t to = place[byte_of(from_keys[i], b)]++;
            to_keys[to] = from_keys[i];
            to_ids[to] = from_ids[i];
        }
        uint64_t* swap_keys = from_keys;
        int32_t* swap_ids = from_ids;
        from_keys = to_keys, to_keys = swap_keys;
        from_ids = to_ids, to_ids = swap_ids;
    }
    if (from_keys != keys) {
        memcpy(keys, from_keys, (size_t)count * sizeof *keys);
        memcpy(ids, from_ids, (size_t)count * sizeof *ids);
    }
}
