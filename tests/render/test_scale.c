/* Scales of colours: their top, its ticks, and how little of a picture the bar takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/scale.h"

#include <math.h>
#include <string.h>

static void test_round(void** state) {
    (void)state;
    const double given[] = {1, 1.01, 1.3, 2.2, 3, 3.3, 5, 6.1, 9, 0.0013, 4000, 0, -1};
    const double wanted[] = {1, 1.2, 1.6, 2.4, 3.2, 4, 6, 8, 10, 0.0016, 4000, 1e-9, 1e-9};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        double got = scale_round(given[i]);
        assert_true(fabs(got - wanted[i]) <= 1e-12 * wanted[i]);
        assert_true(got >= given[i]);
    }
}

/* Few large values, as a splinter that flies off, do not stretch the scale. */
static void test_top(void** state) {
    (void)state;
    scale_tally tally = {0};
    assert_true(scale_top(&tally) == 0);
    for (int i = 0; i < 990; i++) scale_count(&tally, 1.0f);
    for (int i = 0; i < 10; i++) scale_count(&tally, 100.0f);
    assert_true(scale_top(&tally) >= 1 && scale_top(&tally) <= 1.0625);
    scale_count(&tally, 100.0f);
    assert_true(scale_top(&tally) >= 100 && scale_top(&tally) <= 106.25);
}

static void test_top_of_all_sizes(void** state) {
    (void)state;
    for (double value = 1e-9; value < 1e9; value *= 1.37) {
        scale_tally tally = {0};
        scale_count(&tally, (float)value);
        assert_true(scale_top(&tally) >= (double)(float)value);
        assert_true(scale_top(&tally) <= 1.0626 * value);
    }
    scale_tally still = {0};
    scale_count(&still, 0.0f);
    assert_true(scale_top(&still) < 1e-9);
    /* what has no place of its own is counted at the ends */
    const float odd[] = {1e-30f, 1e30f, INFINITY};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        scale_tally one = {0};
        scale_count(&one, odd[i]);
        assert_int_equal(one.count, 1);
        assert_true(isfinite(scale_top(&one)) && scale_top(&one) > 0);
    }
}

static void test_colour(void** state) {
    (void)state;
    sup_vec3 low = scale_colour(0), high = scale_colour(1), more = scale_colour(7);
    assert_true(low.x > 0.9f && low.y > 0.9f && high.x < 0.05f);
    assert_memory_equal(&high, &more, sizeof high);
    float last = 2;
    for (int i = 0; i <= 20; i++) { /* brightness falls evenly */
        sup_vec3 c = scale_colour((float)i / 20);
        float bright = 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
        assert_true(bright < last);
        last = bright;
    }
}

/* Pixels that the bar changes in a grey picture. */
static int32_t changed_pixels(int32_t width, int32_t height, double top) {
    picture p;
    assert_true(picture_create(&p, width, height));
    size_t size = 3 * (size_t)width * (size_t)height;
    memset(p.rgb, 140, size);
    scale_draw(&p, top, "m/s");
    int32_t changed = 0;
    for (size_t i = 0; i < size; i += 3) {
        changed += p.rgb[i] != 140 || p.rgb[i + 1] != 140 || p.rgb[i + 2] != 140;
    }
    picture_free(&p);
    return changed;
}

static void test_bar(void** state) {
    (void)state;
    const double tops[] = {1, 3.2, 0.0016, 8000, 1.2e6};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        int32_t small = changed_pixels(320, 180, tops[i]);
        assert_true(small > 1000 && small < 320 * 180 / 16);
        int32_t large = changed_pixels(1920, 1080, tops[i]);
        assert_true(large > 9000 && large < 1920 * 1080 / 32);
    }
    assert_true(changed_pixels(150, 90, 1) > 0);
    assert_int_equal(changed_pixels(149, 90, 1), 0);
    assert_int_equal(changed_pixels(150, 89, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_top_of_all_sizes),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
