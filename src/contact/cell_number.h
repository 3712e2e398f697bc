/* Numbers of grid cells, and where cells without a place of their own are looked for. */
#ifndef SUPPLE_CONTACT_CELL_NUMBER_H
#define SUPPLE_CONTACT_CELL_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Cell numbers stay below. */
#define SUPI_CELL_RANGE 0x1p30

/* After Teschner et al. 2003, with three primes; theirs were two and 41 * 471943. */
static inline uint32_t supi_cell_hash(const int32_t at[3]) {
    return (uint32_t)at[0] * 73856093u ^ (uint32_t)at[1] * 19349669u ^ (uint32_t)at[2] * 83492791u;
}

/* The whole number not above q, without a call; false where q is out of range or no number. */
static inline bool supi_cell_floor(float q, int32_t* out) {
    if (!(fabsf(q) < (float)SUPI_CELL_RANGE)) return false;
    int32_t whole = (int32_t)q;
    *out = whole - (q < (float)whole);
    return true;
}

#endif
