/* Repeatable random numbers for tests. */
#ifndef SUPPLE_TESTS_REF_RANDOM_H
#define SUPPLE_TESTS_REF_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

/* From -1 to 1. */
static inline double ref_random(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* From 0 to count - 1. */
static inline int32_t ref_random_index(uint64_t* state, int32_t count) {
    int32_t index = (int32_t)((0.5 + 0.5 * ref_random(state)) * count);
    return index < count ? index : count - 1;
}

/* The numbers 0 to count - 1 in another order. */
static inline void ref_shuffle(uint64_t* state, int32_t count, int32_t* out) {
    for (int32_t i = 0; i < count; i++) out[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t k = ref_random_index(state, i + 1), kept = out[i];
        out[i] = out[k];
        out[k] = kept;
    }
}

/* How often to repeat: as often as is wanted at night, or less by day. */
static inline int32_t ref_repeats(int32_t by_day, int32_t at_night) {
    return getenv("SUPPLE_LONG") ? at_night : by_day;
}

#endif
