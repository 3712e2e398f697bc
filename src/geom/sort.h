/* Stable sort of (key, id) pairs. */
#ifndef SUPPLE_GEOM_SORT_H
#define SUPPLE_GEOM_SORT_H

#include <stdint.h>

/* Sorts `count` pairs by ascending key; pairs of equal keys keep their order. The scratch arrays
   have room for `count` items and hold nothing of use afterwards. Time is linear: one pass for each
   byte in which the keys differ. */
void supi_sort_keys(int32_t count, uint64_t* keys, int32_t* ids, uint64_t* scratch_keys,
                    int32_t* scratch_ids);

#endif
