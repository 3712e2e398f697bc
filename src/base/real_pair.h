/* Pairs of doubles: a value kept as the unevaluated sum high + low, with about 106 bits
   (Dekker 1971). */
#ifndef SUPPLE_BASE_REAL_PAIR_H
#define SUPPLE_BASE_REAL_PAIR_H

typedef struct supi_pair {
    double high, low; /* |low| is at most about half an ulp of high */
} supi_pair;

/* a + b exactly, for |a| >= |b| or a = 0. */
static inline supi_pair supi_pair_quick_sum(double a, double b) {
    double sum = a + b;
    return (supi_pair){sum, b - (sum - a)};
}

/* a + b exactly. */
static inline supi_pair supi_pair_sum(double a, double b) {
    double sum = a + b;
    double part = sum - a;
    return (supi_pair){sum, (a - (sum - part)) + (b - part)};
}

/* x as two halves of 26 bits, so that products of halves are exact. |x| < 2^996. */
static inline supi_pair supi_pair_split(double x) {
    double t = 134217729.0 * x; /* 2^27 + 1 */
    double high = t - (t - x);
    return (supi_pair){high, x - high};
}

/* a * b exactly, away from overflow and underflow. */
static inline supi_pair supi_pair_product(double a, double b) {
    double product = a * b;
    supi_pair s = supi_pair_split(a), t = supi_pair_split(b);
    double rest = s.high * t.high - product;
    rest = rest + s.high * t.low;
    rest = rest + s.low * t.high;
    rest = rest + s.low * t.low;
    return (supi_pair){product, rest};
}

/* The error is below 2^-104 of the larger operand. */
static inline supi_pair supi_pair_add(supi_pair a, supi_pair b) {
    supi_pair sum = supi_pair_sum(a.high, b.high);
    return supi_pair_quick_sum(sum.high, sum.low + (a.low + b.low));
}

static inline supi_pair supi_pair_negate(supi_pair a) { return (supi_pair){-a.high, -a.low}; }

static inline supi_pair supi_pair_multiply(supi_pair a, supi_pair b) {
    supi_pair p = supi_pair_product(a.high, b.high);
    return supi_pair_quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline supi_pair supi_pair_divide(supi_pair a, supi_pair b) {
    double quotient = a.high / b.high;
    supi_pair back = supi_pair_product(quotient, b.high);
    double rest = (a.high - back.high) - back.low; /* the first difference is exact */
    rest = rest + (a.low - quotient * b.low);
    return supi_pair_quick_sum(quotient, rest / b.high);
}

#endif
