/* Axes of charts: round ticks, labels without noise, places of values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/axis.h"

#include <string.h>

/* Labels with a blank between them, and each tick's value. */
static void check(const axis* a, int32_t exponent, const char* labels, const double* values) {
    char all[400] = "";
    for (int32_t i = 0; i < a->tick_count; i++) {
        strcat(strcat(all, i ? " " : ""), a->ticks[i].label);
        assert_true(a->ticks[i].value == values[i]);
    }
    assert_string_equal(all, labels);
    assert_int_equal(a->exponent, exponent);
}

static void test_linear(void** state) {
    (void)state;
    axis a = axis_linear(0, 7.3, 5, true);
    check(&a, 0, "0 2 4 6 8", (const double[]){0, 2, 4, 6, 8});
    assert_true(a.low == 0 && a.high == 8);
    /* the ends stay where whole steps are not asked for; decimals are exact */
    a = axis_linear(0.05, 0.72, 4, false);
    check(&a, 0, "0.2 0.4 0.6", (const double[]){0.2, 0.4, 0.6});
    assert_true(a.low == 0.05 && a.high == 0.72);
    a = axis_linear(-0.3, 0.3, 6, true);
    check(&a, 0, "−0.3 −0.2 −0.1 0 0.1 0.2 0.3",
          (const double[]){-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3});
}

static void test_large_and_small(void** state) {
    (void)state;
    axis a = axis_linear(0, 123456, 3, true);
    check(&a, 3, "0 50 100 150", (const double[]){0, 50000, 100000, 150000});
    a = axis_linear(0, 2e-5, 4, true);
    check(&a, -6, "0 5 10 15 20", (const double[]){0, 5e-6, 1e-5, 1.5e-5, 2e-5});
    a = axis_linear(-1e100, 1e100, 2, true);
    check(&a, 99, "−10 0 10", (const double[]){-1e100, 0, 1e100});
}

static void test_no_width(void** state) {
    (void)state;
    axis a = axis_linear(0, 0, 5, true);
    assert_true(a.low == 0 && a.high == 1);
    a = axis_linear(5, 5, 5, true);
    assert_true(a.low < 5 && a.high > 5);
    a = axis_linear(-5, -5, 5, true);
    assert_true(a.low < -5 && a.high > -5);
}

static void test_log(void** state) {
    (void)state;
    axis a = axis_log(0.02, 3, 5);
    assert_true(a.low == 0.01 && a.high == 10);
    check(&a, 0, "0.01 0.1 1 10", (const double[]){0.01, 0.1, 1, 10});
    a = axis_log(2, 50, 5);
    check(&a, 0, "1 2 5 10 20 50 100", (const double[]){1, 2, 5, 10, 20, 50, 100});
    a = axis_log(1e-8, 1e8, 4);
    check(&a, 0, "10⁻⁸ 10⁻⁴ 10⁰ 10⁴ 10⁸", (const double[]){1e-8, 1e-4, 1, 1e4, 1e8});
}

static void test_share(void** state) {
    (void)state;
    axis a = axis_linear(0, 8, 4, true), b = axis_log(1, 100, 2);
    assert_true(axis_share(&a, 0) == 0 && axis_share(&a, 2) == 0.25 && axis_share(&a, 8) == 1);
    assert_true(axis_share(&b, 1) == 0 && axis_share(&b, 10) == 0.5 && axis_share(&b, 100) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),   cmocka_unit_test(test_large_and_small),
        cmocka_unit_test(test_no_width), cmocka_unit_test(test_log),
        cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
