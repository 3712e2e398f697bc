/* Functions of the circle in double: sin, cos, atan2, acos. */
#include "base/real.h"

#include <math.h>

#include "base/real_bits.h"
#include "base/real_pair.h"

static const supi_pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const supi_pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

#define QUARTER_PI 0x1.921fb54442d18p-1

/* pi/2 in four parts. The first three have 33 bits, so that their products with whole numbers up
   to 2^20 are exact. */
#define HALF_PI_1 0x1.921fb54400000p+0
#define HALF_PI_2 0x1.0b4611a600000p-34
#define HALF_PI_3 0x1.3198a2e000000p-69
#define HALF_PI_4 0x1.b839a252049c1p-104
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

/* Takes the nearest multiple of pi/2 off |x| <= 2^20; *quarter is how many, modulo 4
   (Cody, Waite 1980). */
static supi_pair reduce_medium(double x, int* quarter) {
    double turns = x * TWO_OVER_PI;
    int n = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    *quarter = n & 3;
    supi_pair left = supi_pair_sum(x - n * HALF_PI_1, -n * HALF_PI_2);
    supi_pair rest = supi_pair_sum(left.high, -n * HALF_PI_3);
    return supi_pair_quick_sum(rest.high, rest.low + left.low - n * HALF_PI_4);
}

/* The bits of 2/pi behind 64 zeros. */
static const uint32_t two_over_pi[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

#define WORDS 6

/* |x| 2/pi modulo 4 as a fixed-point number of 2 + 190 bits, most significant word first, for
   |x| >= 2^20. However large x is, few bits of 2/pi matter: those before them add multiples of 4,
   those behind add less than 2^-137, while no double comes nearer than 2^-62 to a multiple of pi/2
   (Payne, Hanek 1983). */
static void count_quarter_turns(double x, uint32_t turns[WORDS]) {
    uint64_t bits = supi_real_to_bits(x) & ~SUPI_SIGN_BIT;
    uint64_t mantissa = (bits & SUPI_MANTISSA_MASK) | (SUPI_MANTISSA_MASK + 1);
    int exponent = (int)(bits >> 52) - 1075;
    int start = 64 + exponent - 2; /* there a bit times the last of the mantissa weighs 2 */
    const uint32_t* source = two_over_pi + start / 32;
    int shift = 32 - start % 32;

    uint32_t window[WORDS];
    for (int i = 0; i < WORDS; i++) {
        uint64_t both = (uint64_t)source[i] << 32 | source[i + 1];
        window[i] = (uint32_t)(both >> shift);
        turns[i] = 0;
    }
    uint64_t half[2] = {mantissa & 0xffffffffu, mantissa >> 32};
    for (int h = 0; h < 2; h++) {
        uint64_t carry = 0;
        for (int i = WORDS - 1 - h; i >= 0; i--) {
            carry += turns[i] + window[i + h] * half[h];
            turns[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* The same as reduce_medium for |x| >= 2^20. */
static supi_pair reduce_large(double x, int* quarter) {
    uint32_t turns[WORDS];
    count_quarter_turns(x, turns);
    int whole = (int)(turns[0] >> 30);
    bool over_half = (turns[0] >> 29 & 1) != 0; /* then count from the next quarter back */
    uint32_t flip = over_half ? 0xffffffffu : 0;

    supi_pair left = {0, 0};
    double weight = 0x1p-30;
    for (int i = 0; i < WORDS; i++) {
        uint32_t word = (turns[i] ^ flip) & (i == 0 ? 0x3fffffffu : 0xffffffffu);
        supi_pair sum = supi_pair_quick_sum(left.high, word * weight);
        left = (supi_pair){sum.high, left.low + sum.low};
        weight *= 0x1p-32;
    }
    left = supi_pair_multiply(left, half_pi);
    bool negative = supi_real_is_negative(x);
    *quarter = (negative ? 4 - whole - over_half : whole + over_half) & 3;
    return negative != over_half ? supi_pair_negate(left) : left;
}

/* sin(x) for |x| <= pi/4, from its Taylor series. */
static double sin_kernel(supi_pair x) {
    double h = x.high, z = h * h;
    if (z < 0x1p-54) return h; /* keeps -0 */
    double s = 1.0 / 355687428096000;
    s = s * z - 1.0 / 1307674368000;
    s = s * z + 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    return h + (h * z * s + x.low * (1 - 0.5 * z));
}

/* cos(x) for |x| <= pi/4, from its Taylor series. */
static double cos_kernel(supi_pair x) {
    supi_pair square = supi_pair_product(x.high, x.high);
    double z = square.high;
    double c = 1.0 / 20922789888000;
    c = c * z - 1.0 / 87178291200;
    c = c * z + 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    supi_pair head = supi_pair_quick_sum(1, -0.5 * z);
    return head.high + (head.low + (z * z * c - 0.5 * square.low - x.high * x.low));
}

/* sin of x + shift quarter turns. */
static double sin_shifted(double x, int shift) {
    double size = supi_real_abs(x);
    if (!(size <= DBL_MAX)) return supi_real_nan();
    supi_pair left = {x, 0};
    int quarter = 0;
    if (size > 0x1p20)
        left = reduce_large(x, &quarter);
    else if (size > QUARTER_PI)
        left = reduce_medium(x, &quarter);
    quarter += shift;
    double s = (quarter & 1) != 0 ? cos_kernel(left) : sin_kernel(left);
    return (quarter & 2) != 0 ? -s : s;
}

double supi_sin(double x) { return sin_shifted(x, 0); }

double supi_cos(double x) { return sin_shifted(x, 1); }

/* atan(i / 8) */
static const supi_pair atan_eighths[9] = {{0, 0},
                                          {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                          {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                          {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                          {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                          {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                          {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                          {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                          {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/* atan(y / x) for 0 <= y <= x, x about 1: the nearest eighth c is taken off by
   atan(y / x) = atan(c) + atan((y - c x) / (x + c y)), a Taylor series does the rest. */
static supi_pair atan_kernel(supi_pair y, supi_pair x) {
    int eighth = (int)(8 * (y.high / x.high) + 0.5);
    supi_pair c = {eighth / 8.0, 0};
    supi_pair t = supi_pair_divide(supi_pair_add(y, supi_pair_negate(supi_pair_multiply(c, x))),
                                   supi_pair_add(x, supi_pair_multiply(c, y)));
    double z = t.high * t.high;
    double s = 1.0 / 13;
    s = s * z - 1.0 / 11;
    s = s * z + 1.0 / 9;
    s = s * z - 1.0 / 7;
    s = s * z + 1.0 / 5;
    s = s * z - 1.0 / 3;
    t = supi_pair_quick_sum(t.high, t.low + t.high * z * s);
    return supi_pair_add(atan_eighths[eighth], t);
}

/* The angle in [0, pi] of the point (+-x, y) for x, y >= 0, the larger of them about 1. */
static double upper_angle(supi_pair y, supi_pair x, bool left) {
    bool steep = y.high > x.high;
    supi_pair angle = steep ? atan_kernel(x, y) : atan_kernel(y, x);
    if (steep) angle = supi_pair_add(half_pi, left ? angle : supi_pair_negate(angle));
    if (!steep && left) angle = supi_pair_add(pi, supi_pair_negate(angle));
    return angle.high;
}

double supi_atan2(double y, double x) {
    if (x != x || y != y) return supi_real_nan();
    double a = supi_real_abs(x), b = supi_real_abs(y);
    double large = a < b ? b : a, small = a < b ? a : b;

    if (supi_real_is_infinite(large)) { /* only the direction matters */
        a = supi_real_is_infinite(a) ? 1 : 0;
        b = supi_real_is_infinite(b) ? 1 : 0;
    } else if (small < large * 0x1p-60) { /* next to an axis */
        if (b < a && !supi_real_is_negative(x)) return y / x;
        a = a < b ? 0 : 1;
        b = 1 - a;
    } else if (large > 0) { /* bring them near 1 */
        int exponent;
        supi_real_take_apart(large, &exponent);
        a = supi_real_scale(a, -exponent);
        b = supi_real_scale(b, -exponent);
    } else { /* the origin, where only signs are left */
        a = 1;
    }
    double angle = upper_angle((supi_pair){b, 0}, (supi_pair){a, 0}, supi_real_is_negative(x));
    return supi_real_is_negative(y) ? -angle : angle;
}

double supi_acos(double x) {
    if (!(supi_real_abs(x) <= 1)) return supi_real_nan();
    supi_pair square = supi_pair_product(x, x);
    supi_pair rest = supi_pair_add((supi_pair){1, 0}, supi_pair_negate(square));

    /* y = sqrt(1 - x^2) with one Newton step, then the angle of (x, y) */
    supi_pair y = {sqrt(rest.high), 0};
    if (y.high > 0) {
        supi_pair back = supi_pair_product(y.high, y.high);
        double error = (rest.high - back.high) - back.low + rest.low;
        y = supi_pair_quick_sum(y.high, error / (2 * y.high));
    }
    return upper_angle(y, (supi_pair){supi_real_abs(x), 0}, supi_real_is_negative(x));
}
