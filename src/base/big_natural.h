/* Natural numbers on the stack, just large enough for exact conversion between decimal and binary:
   780 digits, scaled for division, take less than 2700 bits. */
#ifndef SUPPLE_BASE_BIG_NATURAL_H
#define SUPPLE_BASE_BIG_NATURAL_H

#include <stdint.h>

#define SUPI_BIG_LIMBS 96

typedef struct supi_big {
    int count;                     /* limbs in use; the last of them is not 0 */
    uint32_t limb[SUPI_BIG_LIMBS]; /* least significant first */
} supi_big;

void supi_big_set(supi_big* a, uint64_t value);

/* a = a factor + term */
void supi_big_multiply_add(supi_big* a, uint32_t factor, uint32_t term);

/* a = a 5^n */
void supi_big_multiply_power5(supi_big* a, int n);

/* a = a 2^n */
void supi_big_shift(supi_big* a, int n);

/* -1, 0 or 1 as a is below, equal to or above b. */
int supi_big_compare(const supi_big* a, const supi_big* b);

/* The same for a + b against c. */
int supi_big_compare_sum(const supi_big* a, const supi_big* b, const supi_big* c);

/* How many bits a has, 0 for 0. */
int supi_big_bits(const supi_big* a);

/* a = a mod b; returns a / b, which must be below 2^32. The last limb of b must have its top bit
   set. */
uint32_t supi_big_divide(supi_big* a, const supi_big* b);

#endif
