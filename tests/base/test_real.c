/* Elementary functions: bounds of their errors, special values, the same bits everywhere. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/real.h"

/* The bounds that real.h states for all functions; those in double stand next to each. */
#define DENORMAL_BOUND 0.8L
#define FLOAT_BOUND 0.501L

static uint64_t next_random(uint64_t* state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(next_random(state) >> 11) * 0x1p-53);
}

/* Any finite double: all exponents are alike. */
static double random_finite(uint64_t* state) {
    for (;;) {
        uint64_t bits = next_random(state);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) return x;
    }
}

static int sample_count(void) { return getenv("SUPPLE_LONG") ? 1000000 : 100000; }

/* Error of `got` in ulps of a type with `digits` mantissa bits and smallest exponent `lowest`. */
static long double ulps(long double got, long double exact, int digits, int lowest,
                        long double largest) {
    if (isinf(got) && fabsl(exact) > largest && (got < 0) == (exact < 0)) return 0;
    if (got == exact) return 0;
    int exponent;
    frexpl(exact, &exponent);
    int last = exponent - digits < lowest ? lowest : exponent - digits;
    return fabsl(got - exact) / ldexpl(1, last);
}

typedef struct worst {
    long double normal, denormal, single; /* errors of double, its denormals, and float */
    double at[2];                         /* where `normal` is */
} worst;

static void record(worst* w, double got, long double exact, double x, double y) {
    long double error = ulps(got, exact, 53, -1074, DBL_MAX);
    if (fabsl(exact) < DBL_MIN) {
        if (!(error <= w->denormal)) w->denormal = error;
    } else if (!(error <= w->normal)) {
        w->normal = error;
        w->at[0] = x;
        w->at[1] = y;
    }
}

static void record_float(worst* w, float got, long double exact) {
    long double error = ulps(got, exact, 24, -149, FLT_MAX);
    if (!(error <= w->single)) w->single = error;
}

static void report(const char* name, const worst* w, long double bound) {
    printf("  %-6s double %.4Lf  denormal %.4Lf  float %.6Lf ulp, worst at %a %a\n", name,
           w->normal, w->denormal, w->single, w->at[0], w->at[1]);
    assert_true(w->normal <= bound);
    assert_true(w->denormal <= DENORMAL_BOUND);
    assert_true(w->single <= FLOAT_BOUND);
}

typedef struct unary {
    const char* name;
    double (*own)(double);
    float (*own_float)(float);
    long double (*exact)(long double);
    double low, high; /* where all arguments are valid and results finite, or just beyond */
    long double bound;
} unary;

static const unary unaries[] = {
    {"sin", supi_sin, supi_sinf, sinl, -DBL_MAX, DBL_MAX, 0.85L},
    {"cos", supi_cos, supi_cosf, cosl, -DBL_MAX, DBL_MAX, 0.85L},
    {"exp", supi_exp, supi_expf, expl, -750, 710, 0.55L},
    {"expm1", supi_expm1, supi_expm1f, expm1l, -750, 710, 0.8L},
    {"log", supi_log, supi_logf, logl, 0x1p-1074, DBL_MAX, 0.55L},
    {"acos", supi_acos, supi_acosf, acosl, -1, 1, 0.52L},
    {"cbrt", supi_cbrt, supi_cbrtf, cbrtl, -DBL_MAX, DBL_MAX, 0.51L},
};

#define UNARY_COUNT ((int)(sizeof unaries / sizeof unaries[0]))

/* An argument from one of several spreads, so that no region is missed. */
static double random_argument(const unary* u, uint64_t* state) {
    static const double spans[] = {1, 4, 100, 1e6};
    for (;;) {
        uint64_t choice = next_random(state) % 8;
        double x;
        if (choice < 4) {
            x = random_between(state, -spans[choice], spans[choice]);
        } else if (choice == 4) { /* next to a multiple of pi/2, where sin or cos vanish */
            x = floor(random_between(state, -1e6, 1e6)) * 1.5707963267948966;
        } else if (choice == 5) { /* next to 1, where log and acos vanish */
            x = 1 + ldexp(random_between(state, -1, 1), -(int)(next_random(state) % 54));
        } else if (choice == 6) {
            x = ldexp(random_between(state, -1, 1), (int)(next_random(state) % 64) - 54);
        } else {
            x = random_finite(state);
        }
        if (x >= u->low && x <= u->high) return x;
    }
}

static void test_bounds_of_one_argument(void** unused) {
    (void)unused;
    for (int i = 0; i < UNARY_COUNT; i++) {
        const unary* u = &unaries[i];
        uint64_t state = 1;
        worst w = {0};
        for (int n = sample_count(); n > 0; n--) {
            double x = random_argument(u, &state);
            record(&w, u->own(x), u->exact(x), x, 0);
            float f = (float)x;
            if (isfinite(f) && f >= (float)u->low && f <= (float)u->high && (f != 0 || u->low <= 0))
                record_float(&w, u->own_float(f), u->exact(f));
        }
        report(u->name, &w, u->bound);
    }
}

/* Doubles that come nearest to a multiple of pi/2, by continued fractions, and the largest. */
static void test_sin_at_its_hardest(void** unused) {
    (void)unused;
    static const double hard[] = {0x1.6c6cbc45dc8dep+5, 0x1.b951f1572eba5p+23,
                                  0x1.6ac5b262ca1ffp+849, 0x1.6ac5b262ca1ffp+850,
                                  0x1.fffffffffffffp+1023};
    worst w = {0};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        record(&w, supi_sin(hard[i]), sinl(hard[i]), hard[i], 0);
        record(&w, supi_cos(hard[i]), cosl(hard[i]), hard[i], 0);
        assert_true(supi_sin(-hard[i]) == -supi_sin(hard[i]));
        assert_true(supi_cos(-hard[i]) == supi_cos(hard[i]));
    }
    report("hard", &w, 0.85L);
}

static void test_bounds_of_pow(void** unused) {
    (void)unused;
    uint64_t state = 2;
    worst w = {0};
    for (int n = sample_count(); n > 0; n--) {
        double x, y;
        switch (next_random(&state) % 4) {
        case 0: /* all sizes of x, all sizes of results */
            x = fabs(random_finite(&state));
            y = random_between(&state, -745, 745) / log(x);
            break;
        case 1: /* next to 1, large exponents */
            x = 1 + ldexp(random_between(&state, -1, 1), -(int)(next_random(&state) % 50) - 2);
            y = random_between(&state, -745, 745) / log(x);
            break;
        case 2: /* negative base, whole exponent */
            x = random_between(&state, -20, 0);
            y = floor(random_between(&state, -200, 200));
            break;
        default: /* daily use */
            x = random_between(&state, 0, 10);
            y = random_between(&state, -10, 10);
        }
        if (!isfinite(y) || x == 0) continue;
        record(&w, supi_pow(x, y), powl(x, y), x, y);
        float fx = (float)x, fy = (float)y;
        if (isfinite(fx) && fx != 0 && isfinite(fy))
            record_float(&w, supi_powf(fx, fy), powl(fx, fy));
    }
    report("pow", &w, 0.55L);
}

static void test_bounds_of_atan2(void** unused) {
    (void)unused;
    uint64_t state = 3;
    worst w = {0};
    for (int n = sample_count(); n > 0; n--) {
        double x, y;
        switch (next_random(&state) % 3) {
        case 0:
            x = random_finite(&state);
            y = random_finite(&state);
            break;
        case 1: /* within a few orders of each other, also among denormals */
            x = random_finite(&state);
            y = x * ldexp(random_between(&state, -1, 1), (int)(next_random(&state) % 160) - 80);
            break;
        default: x = random_between(&state, -1, 1); y = random_between(&state, -1, 1);
        }
        if (!isfinite(y) || (x == 0 && y == 0)) continue;
        record(&w, supi_atan2(y, x), atan2l(y, x), y, x);
        float fx = (float)x, fy = (float)y;
        if (isfinite(fx) && isfinite(fy)) record_float(&w, supi_atan2f(fy, fx), atan2l(fy, fx));
    }
    report("atan2", &w, 0.52L);
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

#define CHECK(own, expected)                                                                       \
    do {                                                                                           \
        double own_ = (own), expected_ = (expected);                                               \
        if (!same(own_, expected_)) fail_msg("%s gives %a, not %a", #own, own_, expected_);        \
    } while (0)

static void test_special_values(void** unused) {
    (void)unused;
    for (int i = 0; i < UNARY_COUNT; i++) assert_true(isnan(unaries[i].own(NAN)));
    CHECK(supi_sin(0.0), 0.0);
    CHECK(supi_sin(-0.0), -0.0);
    CHECK(supi_sin(0x1p-1074), 0x1p-1074);
    CHECK(supi_sin(INFINITY), NAN);
    CHECK(supi_cos(-INFINITY), NAN);
    CHECK(supi_cos(-0.0), 1);
    CHECK(supi_exp(INFINITY), INFINITY);
    CHECK(supi_exp(-INFINITY), 0);
    CHECK(supi_exp(-0.0), 1);
    CHECK(supi_exp(709.782712893384), 0x1.fffffffffff2ap+1023);
    CHECK(supi_exp(709.7827128933841), INFINITY);
    CHECK(supi_exp(-745.1332191019411), 0x1p-1074);
    CHECK(supi_exp(-745.1332191019412), 0);
    CHECK(supi_expm1(-0.0), -0.0);
    CHECK(supi_expm1(0x1p-1074), 0x1p-1074);
    CHECK(supi_expm1(INFINITY), INFINITY);
    CHECK(supi_expm1(-INFINITY), -1);
    CHECK(supi_log(0.0), -INFINITY);
    CHECK(supi_log(-0.0), -INFINITY);
    CHECK(supi_log(1), 0.0);
    CHECK(supi_log(-1), NAN);
    CHECK(supi_log(INFINITY), INFINITY);
    CHECK(supi_log(-INFINITY), NAN);
    CHECK(supi_acos(1), 0.0);
    CHECK(supi_acos(-1), 0x1.921fb54442d18p+1);
    CHECK(supi_acos(-0.0), 0x1.921fb54442d18p+0);
    CHECK(supi_acos(1.0000000000000002), NAN);
    CHECK(supi_acos(-INFINITY), NAN);
    CHECK(supi_cbrt(-0.0), -0.0);
    CHECK(supi_cbrt(-INFINITY), -INFINITY);
    for (int i = -300; i <= 300; i++) CHECK(supi_cbrt((double)i * i * i), i);
    CHECK(supi_cbrt(0x1p-1074), 0x1p-358);
}

/* All pairs of interesting arguments agree with the system's pow and atan2. */
static void test_special_pairs(void** unused) {
    (void)unused;
    static const double values[] = {0.0,        0x1p-1074, 1e-300,  0.3,      0.5,  1,
                                    1.5,        2,         3,       4,        1e15, 1e16 + 2,
                                    0x1p53 - 1, 1e300,     DBL_MAX, INFINITY, NAN};
    int count = (int)(sizeof values / sizeof values[0]);
    for (int i = 0; i < 2 * count; i++) {
        for (int j = 0; j < 2 * count; j++) {
            double x = i < count ? values[i] : -values[i - count];
            double y = j < count ? values[j] : -values[j - count];
            double own = supi_pow(x, y), system = pow(x, y);
            if (!same(own, system) && fabs(own - system) > fabs(system) * 0x1p-52)
                fail_msg("pow(%a, %a) gives %a, not %a", x, y, own, system);
            assert_int_equal(signbit(own) != 0 && !isnan(own),
                             signbit(system) != 0 && !isnan(system));
            own = supi_atan2(x, y), system = atan2(x, y);
            if (!same(own, system) && fabs(own - system) > fabs(system) * 0x1p-52)
                fail_msg("atan2(%a, %a) gives %a, not %a", x, y, own, system);
        }
    }
}

static void test_float_range(void** unused) {
    (void)unused;
    CHECK(supi_expf(89), INFINITY);
    CHECK(supi_expf(-104), 0);
    CHECK(supi_powf(-2, 127), -0x1p127);
    CHECK(supi_powf(-2, 129), -INFINITY);
    CHECK(supi_powf(2, -149), 0x1p-149);
    CHECK(supi_sinf(-0.0F), -0.0);
    CHECK(supi_cbrtf(27), 3);
    CHECK(supi_acosf(2), NAN);
}

static uint64_t hash_double(uint64_t hash, double value) { /* FNV-1a */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) hash = (hash ^ (bits >> 8 * i & 255)) * 0x100000001b3u;
    return hash;
}

/* One hash for all compilers, options and machines. Arguments come from integers, not from libm. */
static void test_same_bits_everywhere(void** unused) {
    (void)unused;
    uint64_t hash = 0xcbf29ce484222325u, state = 4;
    for (int n = 0; n < 20000; n++) {
        double x = random_between(&state, -30, 30), y = random_between(&state, -4, 4);
        double any = random_finite(&state);
        for (int i = 0; i < UNARY_COUNT; i++) {
            hash = hash_double(hash, unaries[i].own(x));
            hash = hash_double(hash, unaries[i].own(y));
            hash = hash_double(hash, unaries[i].own(any));
            hash = hash_double(hash, unaries[i].own_float((float)y));
        }
        hash = hash_double(hash, supi_pow(x, y));
        hash = hash_double(hash, supi_pow(any, y));
        hash = hash_double(hash, supi_powf((float)x, (float)y));
        hash = hash_double(hash, supi_atan2(x, y));
        hash = hash_double(hash, supi_atan2f((float)y, (float)x));
    }
    printf("  hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x2edb1c8b03ca5640u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if LDBL_MANT_DIG >= 64
        cmocka_unit_test(test_bounds_of_one_argument),
        cmocka_unit_test(test_sin_at_its_hardest),
        cmocka_unit_test(test_bounds_of_pow),
        cmocka_unit_test(test_bounds_of_atan2),
#endif
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_special_pairs),
        cmocka_unit_test(test_float_range),
        cmocka_unit_test(test_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
