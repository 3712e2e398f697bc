/* Numbers from and to text: against strtod, halfway cases, round trips, and fewest digits. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"

static uint64_t next_random(uint64_t* state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int sample_count(void) { return getenv("SUPPLE_LONG") ? 1000000 : 100000; }

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Parses all of `text` from a buffer without a terminator, so that reading too far is caught. */
static double parse_all(const char* text) {
    size_t size = strlen(text), used = 0;
    char* exact = malloc(size);
    memcpy(exact, text, size);
    double value = NAN;
    supi_number_status status = supi_number_parse(exact, size, &value, &used);
    free(exact);
    if (status != SUPI_NUMBER_OK || used != size) fail_msg("\"%s\" is not taken as a number", text);
    return value;
}

static void check_like_strtod(const char* text) {
    double expected = strtod(text, NULL), value = 7;
    size_t used = 99;
    supi_number_status status = supi_number_parse(text, strlen(text), &value, &used);
    if (isinf(expected)) {
        assert_int_equal(status, SUPI_NUMBER_OVERFLOW);
        assert_true(value == 7 && used == 99);
    } else if (status != SUPI_NUMBER_OK || bits_of(value) != bits_of(expected)) {
        fail_msg("\"%s\" gives %a, not %a", text, value, expected);
    } else {
        assert_int_equal(used, strlen(text));
    }
}

static void test_parse_random_texts(void** unused) {
    (void)unused;
    uint64_t state = 1;
    char text[1200];
    for (int n = sample_count(); n > 0; n--) {
        char* out = text;
        if (next_random(&state) % 2 == 0) *out++ = next_random(&state) % 2 == 0 ? '-' : '+';
        /* mostly short, some longer than all digits that are kept */
        int longest = n % 50 == 0 ? 1000 : 25;
        int digits = 1 + (int)(next_random(&state) % (uint64_t)longest);
        int point = (int)(next_random(&state) % (uint64_t)(2 * digits));
        for (int i = 0; i < digits; i++) {
            if (i == point) *out++ = '.';
            *out++ = (char)('0' + next_random(&state) % 10);
        }
        if (next_random(&state) % 2 == 0)
            out += sprintf(out, "e%d", (int)(next_random(&state) % 700) - 350);
        *out = '\0';
        check_like_strtod(text);
    }
}

/* The exact middle between two neighbours, just below it, and just above it. */
static void test_parse_halfway(void** unused) {
    (void)unused;
    uint64_t state = 2;
    char text[1400];
    for (int n = sample_count() / 20; n > 0; n--) {
        uint64_t bits = next_random(&state) & 0x7fffffffffffffffu;
        if (n % 4 == 0) bits &= 0x001fffffffffffffu; /* denormals and their neighbours */
        double low = double_of(bits), high = double_of(bits + 1);
        if (!(high <= DBL_MAX)) continue;
        long double middle = ((long double)low + high) / 2;
        int length = sprintf(text, "%.780Le", middle);
        check_like_strtod(text);
        char* mark = strchr(text, 'e');
        size_t tail = (size_t)(text + length - mark) + 1;
        char* last = mark;
        while (last[-1] == '0') last--;
        last[-1]--; /* just below */
        check_like_strtod(text);
        last[-1]++;
        memmove(mark + 100, mark, tail); /* just above, beyond the digits that are kept */
        memset(mark, '0', 100);
        mark[99] = '1';
        check_like_strtod(text);
        assert_true(parse_all(text) == high);
    }
}

static void test_parse_known(void** unused) {
    (void)unused;
    static const char* const texts[] = {
        "0",
        "-0",
        "+0.0e-999999999999999999999999",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088e-324",
        "2.47032822920623272089e-324",
        "1e-400",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e999",
        "-1e309",
        "1e99999999999999999999999999",
        "1e-99999999999999999999999999",
        "9007199254740993",
        "9007199254740992999999999999999999999",
        "9007199254740993.00000000000000000000000000000001",
        "9007199254740991e22",
        "0.1",
        "1e22",
        "1e23",
        "8.41e21",
        "6929495644600919.5",
        "3.14159265358979323846264338327950288",
        "0000000000000000000000000000000000000001.5000000000000000000000000000000000000000",
        ".5",
        "-.5e1",
        "1.",
        "1.e3",
        "1E5",
        "1e+5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_like_strtod(texts[i]);
}

static void test_parse_many_zeros(void** unused) {
    (void)unused;
    enum { ZEROS = 5000 };
    char text[ZEROS + 20] = "0.";
    memset(text + 2, '0', ZEROS);
    strcpy(text + 2 + ZEROS, "1e5001");
    assert_true(parse_all(text) == 1);
    text[0] = '1';
    memset(text + 1, '0', ZEROS);
    strcpy(text + 1 + ZEROS, "e-5000");
    assert_true(parse_all(text) == 1);
}

static void check_prefix(const char* text, double expected, size_t length) {
    double value = NAN;
    size_t used = 99;
    assert_int_equal(supi_number_parse(text, strlen(text), &value, &used), SUPI_NUMBER_OK);
    assert_true(value == expected);
    assert_int_equal(used, length);
}

static void test_parse_takes_the_longest_number(void** unused) {
    (void)unused;
    check_prefix("0x10", 0, 1);
    check_prefix("1e", 1, 1);
    check_prefix("1e+", 1, 1);
    check_prefix("1e-x", 1, 1);
    check_prefix("1.5.5", 1.5, 3);
    check_prefix("2/3", 2, 1);
    check_prefix("1,5", 1, 1);
    check_prefix("-7 8", -7, 2);
    check_prefix("1..2", 1, 2);
    double value;
    size_t used;
    assert_int_equal(supi_number_parse("12345", 2, &value, &used),
                     SUPI_NUMBER_OK); /* size counts */
    assert_true(value == 12 && used == 2);
    assert_int_equal(supi_number_parse("1e55", 3, &value, &used), SUPI_NUMBER_OK);
    assert_true(value == 1e5 && used == 3);
}

static void test_parse_refuses(void** unused) {
    (void)unused;
    static const char* const texts[] = {"",    "+",   "-",   "e5",  ".",    "-.",  ".e5", " 1",
                                        "inf", "nan", "--1", "+-1", "null", "-e5", "x"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 7;
        size_t used = 99;
        assert_int_equal(supi_number_parse(texts[i], strlen(texts[i]), &value, &used),
                         SUPI_NUMBER_MALFORMED);
        assert_true(value == 7 && used == 99);
    }
}

static void test_parse_integer(void** unused) {
    (void)unused;
    static const struct {
        const char* text;
        int64_t value;
        size_t used; /* 0: refused */
    } cases[] = {
        {"0", 0, 1},
        {"-0", 0, 2},
        {"+17", 17, 3},
        {"0042", 42, 4},
        {"9223372036854775807", INT64_MAX, 19},
        {"-9223372036854775808", INT64_MIN, 20},
        {"-9223372036854775807", -INT64_MAX, 20},
        {"00000000000000000000000000001", 1, 29},
        {"12.5", 12, 2},
        {"3/4", 3, 1},
        {"9223372036854775808", 0, 0},
        {"-9223372036854775809", 0, 0},
        {"99999999999999999999", 0, 0},
        {"", 0, 0},
        {"-", 0, 0},
        {"+", 0, 0},
        {" 1", 0, 0},
        {"x", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 7;
        size_t used = 99;
        bool ok = supi_number_parse_integer(cases[i].text, strlen(cases[i].text), &value, &used);
        assert_true(ok == (cases[i].used > 0));
        assert_true(value == (ok ? cases[i].value : 7));
        assert_true(used == (ok ? cases[i].used : 99));
    }
}

static int digit_count(const char* text) { /* without zeros at either end */
    int count = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '.' || *text == '-') continue;
        if (*text == '0') {
            zeros++;
        } else {
            count += 1 + (count > 0 ? zeros : 0);
            zeros = 0;
        }
    }
    return count;
}

/* Fewest digits and nearest: what printf needs at least, and the same digits at that precision. */
static void check_shortest(double x, const char* text, bool single) {
    char other[40];
    int precision = 0;
    double back;
    do {
        sprintf(other, "%.*e", precision++, x);
        back = strtod(other, NULL);
    } while (single ? (float)back != (float)x : back != x);
    int own = digit_count(text), least = digit_count(other);
    if (own > least) fail_msg("%s has more digits than %s", text, other);
    double mine = strtod(text, NULL);
    if (own == least && strtod(other, NULL) != mine) {
        /* printf may have taken a tie or, at a power of two, its nearest may not read back */
        long double error = fabsl(strtold(text, NULL) - x),
                    theirs = fabsl(strtold(other, NULL) - x);
        if (error > theirs * 1.000001L) fail_msg("%s is farther than %s", text, other);
    }
}

static void check_text(const char* text, int length) {
    assert_int_equal(length, strlen(text));
    assert_true(length < 32);
}

/* Random bit patterns, and decimals as people write them. */
static double random_double(uint64_t* state, int n) {
    double x = double_of(next_random(state));
    if (n % 3 == 0) x = (double)(int64_t)(next_random(state) % 2000001 - 1000000) / 1e4;
    if (n % 30 == 1) x = double_of(next_random(state) & 0x800fffffffffffffu); /* denormal */
    if (n % 30 == 2) x = double_of(next_random(state) & 0xfff0000000000000u); /* power of two */
    return x;
}

static void test_write_double(void** unused) {
    (void)unused;
    uint64_t state = 3;
    char text[32];
    for (int n = sample_count(); n > 0; n--) {
        double x = random_double(&state, n);
        int length = supi_number_write(x, text);
        check_text(text, length);
        if (!isfinite(x)) {
            assert_string_equal(text, "null");
            continue;
        }
        if (bits_of(parse_all(text)) != bits_of(x))
            fail_msg("%a does not read back from %s", x, text);
        assert_true(bits_of(strtod(text, NULL)) == bits_of(x));
        if (n % 10 < 3) check_shortest(x, text, false);
    }
}

static void test_write_float(void** unused) {
    (void)unused;
    uint64_t state = 4;
    char text[32];
    for (int n = sample_count(); n > 0; n--) {
        float x = float_of((uint32_t)next_random(&state));
        if (n % 3 == 0) x = (float)random_double(&state, n);
        if (n % 30 == 1) x = float_of((uint32_t)next_random(&state) & 0x807fffffu);
        if (n % 30 == 2) x = float_of((uint32_t)next_random(&state) & 0xff800000u);
        if (n % 30 == 4) x = (float)(next_random(&state) >> 20); /* large whole numbers */
        int length = supi_number_write_float(x, text);
        check_text(text, length);
        if (!isfinite(x)) {
            assert_string_equal(text, "null");
            continue;
        }
        float back = (float)parse_all(text);
        if (back != x || signbit(back) != signbit(x))
            fail_msg("%a does not read back from %s", (double)x, text);
        assert_true(strtof(text, NULL) == x);
        if (n % 10 < 3) check_shortest(x, text, true);
    }
}

static void test_write_known(void** unused) {
    (void)unused;
    static const struct {
        double value;
        const char* text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {100, "100"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e21, "1e21"},
        {1e23, "1e23"},
        {-1.25e-7, "-1.25e-7"},
        {0.000001, "0.000001"},
        {5e-324, "5e-324"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {9007199254740993.0, "9007199254740992"},
        {NAN, "null"},
        {-INFINITY, "null"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_text(text, supi_number_write(cases[i].value, text));
        assert_string_equal(text, cases[i].text);
    }
    static const struct {
        float value;
        const char* text;
    } floats[] = {
        {0.1F, "0.1"},
        {-0.0F, "-0"},
        {16777216.0F, "16777216"},
        {FLT_MAX, "3.4028235e38"},
        {0x1p-149F, "1e-45"},
        {FLT_MIN, "1.1754944e-38"},
        {123456792.0F, "123456790"},
        {1.0F / 3, "0.33333334"},
        {1e10F, "10000000000"},
    };
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        check_text(text, supi_number_write_float(floats[i].value, text));
        assert_string_equal(text, floats[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_random_texts),
#if LDBL_MANT_DIG >= 64
        cmocka_unit_test(test_parse_halfway),
#endif
        cmocka_unit_test(test_parse_known),
        cmocka_unit_test(test_parse_many_zeros),
        cmocka_unit_test(test_parse_takes_the_longest_number),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_parse_integer),
        cmocka_unit_test(test_write_double),
        cmocka_unit_test(test_write_float),
        cmocka_unit_test(test_write_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
