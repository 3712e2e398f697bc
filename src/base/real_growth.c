/* Functions of growth in double: exp, expm1, log, pow, cbrt. */
#include "base/real.h"
#include "base/real_bits.h"
#include "base/real_pair.h"

/* ln 2: its first 40 bits, whose product with any exponent is exact, and the rest */
#define LN2_HIGH 0x1.62e42fefa2000p-1
#define LN2_LOW 0x1.9ef35793c7673p-41
#define ONE_OVER_LN2 0x1.71547652b82fep+0

/* exp(x) = 2^power (1 + head + tail), |head| below about 0.42, |tail| below about 0.01. */
typedef struct exp_parts {
    int power;
    double head, tail;
} exp_parts;

/* For |x| < 1000. */
static exp_parts exp_split(supi_pair x) {
    double power = x.high * ONE_OVER_LN2;
    exp_parts e = {.power = (int)(power < 0 ? power - 0.5 : power + 0.5)};
    supi_pair r = supi_pair_sum(x.high - e.power * LN2_HIGH, x.low - e.power * LN2_LOW);
    double h = r.high;

    double s = 1.0 / 87178291200; /* Taylor series of (exp(h) - 1 - h - h^2/2) / h^3 */
    s = s * h + 1.0 / 6227020800;
    s = s * h + 1.0 / 479001600;
    s = s * h + 1.0 / 39916800;
    s = s * h + 1.0 / 3628800;
    s = s * h + 1.0 / 362880;
    s = s * h + 1.0 / 40320;
    s = s * h + 1.0 / 5040;
    s = s * h + 1.0 / 720;
    s = s * h + 1.0 / 120;
    s = s * h + 1.0 / 24;
    s = s * h + 1.0 / 6;
    supi_pair square = supi_pair_product(h, h);
    supi_pair start = supi_pair_quick_sum(h, 0.5 * square.high);
    e.head = start.high;
    e.tail = start.low + (0.5 * square.low + (r.low + h * (r.low + square.high * s)));
    return e;
}

static double exp_of_pair(supi_pair x) {
    if (x.high > 710) return supi_real_infinity();
    if (x.high < -746) return 0;
    exp_parts e = exp_split(x);
    supi_pair one = supi_pair_quick_sum(1, e.head);
    return supi_real_scale(one.high + (one.low + e.tail), e.power);
}

double supi_exp(double x) {
    if (x != x) return supi_real_nan();
    return exp_of_pair((supi_pair){x, 0});
}

double supi_expm1(double x) {
    if (x != x) return supi_real_nan();
    if (supi_real_abs(x) < 0x1p-54) return x; /* keeps -0 */
    if (x > 60) return supi_exp(x);
    if (x < -40) return -1;
    exp_parts e = exp_split((supi_pair){x, 0});
    double scale = supi_real_power2(e.power);
    supi_pair one = supi_pair_quick_sum(1, e.head);
    supi_pair less = supi_pair_sum(one.high * scale, -1);
    return less.high + (less.low + (one.low + e.tail) * scale);
}

/* For finite x > 0: x = 2^power m with m between sqrt(1/2) and sqrt(2), and s = (m - 1) / (m + 1).
   Then log(x) = power ln 2 + 2 (s + s^3/3 + s^5/5 + s^7 tail). */
typedef struct log_parts {
    int power;
    supi_pair s;
    double tail;
} log_parts;

static log_parts log_split(double x) {
    log_parts l;
    double m = supi_real_take_apart(x, &l.power);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        l.power++;
    }
    l.s = supi_pair_divide((supi_pair){m - 1, 0}, supi_pair_sum(m, 1));
    double z = l.s.high * l.s.high;
    double t = 1.0 / 27;
    t = t * z + 1.0 / 25;
    t = t * z + 1.0 / 23;
    t = t * z + 1.0 / 21;
    t = t * z + 1.0 / 19;
    t = t * z + 1.0 / 17;
    t = t * z + 1.0 / 15;
    t = t * z + 1.0 / 13;
    t = t * z + 1.0 / 11;
    t = t * z + 1.0 / 9;
    l.tail = t * z + 1.0 / 7;
    return l;
}

/* power ln 2 + 2 half */
static supi_pair log_join(int power, supi_pair half) {
    supi_pair whole = supi_pair_sum(power * LN2_HIGH, power * LN2_LOW);
    return supi_pair_add(whole, (supi_pair){2 * half.high, 2 * half.low});
}

/* log(x) for finite x > 0, good to about 2^-68 of itself, as pow needs it. */
static supi_pair log_to_pair(double x) {
    log_parts l = log_split(x);
    const supi_pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    const supi_pair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
    supi_pair square = supi_pair_multiply(l.s, l.s);
    supi_pair series = supi_pair_add(fifth, (supi_pair){square.high * l.tail, 0});
    series = supi_pair_add(third, supi_pair_multiply(square, series));
    series = supi_pair_multiply(square, series);
    return log_join(l.power, supi_pair_add(l.s, supi_pair_multiply(l.s, series)));
}

double supi_log(double x) {
    if (x == 0) return -supi_real_infinity();
    if (!(x > 0)) return supi_real_nan();
    if (x > DBL_MAX) return x;
    log_parts l = log_split(x);
    double s = l.s.high, z = s * s;
    double series = s * z * (1.0 / 3 + z * (1.0 / 5 + z * l.tail));
    return log_join(l.power, supi_pair_quick_sum(s, l.s.low + series)).high;
}

typedef enum parity { FRACTION, EVEN, ODD } parity;

static parity parity_of(double y) {
    double size = supi_real_abs(y);
    if (size >= 0x1p53) return EVEN; /* infinity too */
    int64_t whole = (int64_t)size;
    if ((double)whole != size) return FRACTION;
    return (whole & 1) != 0 ? ODD : EVEN;
}

/* size^y for size >= 0, y not 0, neither NaN. */
static double power_of_size(double size, double y) {
    if (size == 1) return 1;
    if (size == 0 || size > DBL_MAX) return (size == 0) == (y < 0) ? supi_real_infinity() : 0;
    /* |log| is at least 2^-54, so beyond 2^64 every y overflows or vanishes alike */
    y = y > 0x1p64 ? 0x1p64 : y < -0x1p64 ? -0x1p64 : y;
    supi_pair log = log_to_pair(size);
    supi_pair exponent = supi_pair_product(log.high, y);
    return exp_of_pair(supi_pair_quick_sum(exponent.high, exponent.low + log.low * y));
}

double supi_pow(double x, double y) {
    if (y == 0 || x == 1) return 1; /* even of NaN */
    if (x != x || y != y) return supi_real_nan();
    double size = supi_real_abs(x);
    bool negative = supi_real_is_negative(x);
    parity p = parity_of(y);
    if (negative && p == FRACTION && size > 0 && size <= DBL_MAX) return supi_real_nan();
    double power = power_of_size(size, y);
    return negative && p == ODD ? -power : power;
}

double supi_cbrt(double x) {
    if (x != x) return supi_real_nan();
    double size = supi_real_abs(x);
    if (size == 0 || size > DBL_MAX) return x;
    int exponent;
    double m = supi_real_take_apart(size, &exponent);
    int third = (exponent + 1200) / 3 - 400; /* rounds down for negative exponents as well */
    m *= supi_real_power2(exponent - 3 * third);

    /* a cubic within 0.6 % for 1 <= m < 8, then Halley's step twice: each cubes the error */
    double t = 0.68168381 + m * (0.36452828 + m * (-0.043310161 + m * 0.0023132238));
    double cube = t * t * t;
    t = t - t * (cube - m) / (2 * cube + m);
    t = supi_pair_split(t).high; /* 26 bits, so that the square is exact */
    supi_pair exact = supi_pair_product(t * t, t);
    t = t - t * ((exact.high - m) + exact.low) / (2 * exact.high + m);

    t *= supi_real_power2(third);
    return supi_real_is_negative(x) ? -t : t;
}
