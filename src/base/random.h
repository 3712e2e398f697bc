/* Chance that is the same everywhere for a seed: PCG32 (O'Neill 2014). */
#ifndef SUPPLE_BASE_RANDOM_H
#define SUPPLE_BASE_RANDOM_H

#include <stdint.h>

typedef struct supi_random {
    uint64_t state;
} supi_random;

static inline uint32_t supi_random_next(supi_random* random) {
    uint64_t old = random->state;
    random->state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t mixed = (uint32_t)((old >> 18 ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

static inline supi_random supi_random_begin(uint32_t seed) {
    supi_random random = {0};
    supi_random_next(&random);
    random.state += seed;
    supi_random_next(&random);
    return random;
}

/* From 0, below 1. */
static inline double supi_random_unit(supi_random* random) {
    return (double)supi_random_next(random) * 0x1p-32;
}

/* From 0 to count - 1, count above 0. */
static inline int32_t supi_random_index(supi_random* random, int32_t count) {
    return (int32_t)((uint64_t)supi_random_next(random) * (uint64_t)count >> 32);
}

#endif
