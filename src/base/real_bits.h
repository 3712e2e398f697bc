/* The parts of a double: sign, exponent and mantissa, taken apart and put together exactly. */
#ifndef SUPPLE_BASE_REAL_BITS_H
#define SUPPLE_BASE_REAL_BITS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

#define SUPI_SIGN_BIT 0x8000000000000000u
#define SUPI_MANTISSA_MASK 0x000fffffffffffffu
#define SUPI_INFINITY_BITS 0x7ff0000000000000u
#define SUPI_NAN_BITS 0x7ff8000000000000u

static inline uint64_t supi_real_to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double supi_real_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool supi_real_is_negative(double x) {
    return (supi_real_to_bits(x) & SUPI_SIGN_BIT) != 0; /* true for -0 as well */
}

static inline double supi_real_abs(double x) {
    return supi_real_from_bits(supi_real_to_bits(x) & ~SUPI_SIGN_BIT);
}

static inline bool supi_real_is_infinite(double x) {
    return (supi_real_to_bits(x) & ~SUPI_SIGN_BIT) == SUPI_INFINITY_BITS;
}

static inline double supi_real_infinity(void) { return supi_real_from_bits(SUPI_INFINITY_BITS); }

/* The one NaN that this house makes: processors disagree on the sign and payload of theirs. */
static inline double supi_real_nan(void) { return supi_real_from_bits(SUPI_NAN_BITS); }

/* 2^k for -1022 <= k <= 1023. */
static inline double supi_real_power2(int k) {
    return supi_real_from_bits((uint64_t)(k + 1023) << 52);
}

/* x 2^k for |k| <= 2044. Rounded at most once when x is near 1, since of two steps of half the way
   only the second can leave the normal range; exact when the result is normal. */
static inline double supi_real_scale(double x, int k) {
    int half = k / 2;
    return x * supi_real_power2(half) * supi_real_power2(k - half);
}

/* Takes a finite x > 0 apart: x = result 2^exponent with 1 <= result < 2. */
static inline double supi_real_take_apart(double x, int* exponent) {
    int shift = 0;
    if (x < DBL_MIN) {
        x *= supi_real_power2(54); /* denormals become normal */
        shift = -54;
    }
    uint64_t bits = supi_real_to_bits(x);
    *exponent = (int)(bits >> 52) - 1023 + shift;
    return supi_real_from_bits((bits & SUPI_MANTISSA_MASK) | (uint64_t)1023 << 52);
}

#endif
