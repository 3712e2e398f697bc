/* Stable sort of (key, id) pairs. */
#ifndef SUPPLE_GEOM_SORT_H
#define SUPPLE_GEOM_SORT_H

#include <stdint.h>
#include <string.h>

/* Sorts `count` pairs by ascending key; pairs of equal keys keep their order. The scratch arrays
   have room for `count` items and hold nothing of use afterwards. Time is linear: one pass for each
   byte in which the keys differ. */
void supi_sort_keys(int32_t count, uint64_t* keys, int32_t* ids, uint64_t* scratch_keys,
                    int32_t* scratch_ids);

/* Bits of a number that sort as it does. */
static inline uint64_t supi_sort_key(double x) {
    uint64_t bits;
    x += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

#endif
