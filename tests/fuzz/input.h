/* An input as a stream of small numbers, for targets that read it as a script. Past its end
   everything is 0. */
#ifndef SUPPLE_TESTS_FUZZ_INPUT_H
#define SUPPLE_TESTS_FUZZ_INPUT_H

#include "fuzz/fuzz.h"

typedef struct fuzz_input {
    const uint8_t* at;
    size_t left;
} fuzz_input;

/* A little-endian number of `width` bytes, 1..8. */
static inline uint64_t fuzz_take(fuzz_input* input, size_t width) {
    uint64_t value = 0;
    size_t count = width < input->left ? width : input->left;
    for (size_t i = 0; i < count; i++) value |= (uint64_t)input->at[i] << (8 * i);
    input->at += count;
    input->left -= count;
    return value;
}

/* 0 .. count - 1. */
static inline int32_t fuzz_pick(fuzz_input* input, int32_t count) {
    return (int32_t)(fuzz_take(input, count <= 256 ? 1 : 2) % (uint64_t)count);
}

#endif
