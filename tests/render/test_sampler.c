/* Points of the sampler: evenly spread for every seed, and as even on a disc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/sampler.h"

#include <math.h>
#include <stdlib.h>

/* Every box of the area 1/count, of whatever shape, holds exactly one point. */
static void check_net(const point_sampler* sampler, uint32_t seed, int32_t bits) {
    int32_t count = 1 << bits;
    for (int32_t wide = 0; wide <= bits; wide++) {
        bool met[64] = {false};
        for (int32_t i = 0; i < count; i++) {
            float u, v;
            sampler_point(sampler, seed, i, &u, &v);
            assert_true(u >= 0.0f && u < 1.0f && v >= 0.0f && v < 1.0f);
            int32_t column = (int32_t)(u * (float)(1 << wide));
            int32_t row = (int32_t)(v * (float)(1 << (bits - wide)));
            int32_t box = (row << wide) + column;
            assert_false(met[box]);
            met[box] = true;
        }
    }
}

static void test_net(void** state) {
    (void)state;
    for (int32_t bits = 0; bits <= 6; bits++) {
        point_sampler sampler;
        assert_true(sampler_create(&sampler, 1 << bits));
        assert_int_equal(sampler.count, 1 << bits);
        for (uint32_t seed = 0; seed < 50; seed++) check_net(&sampler, seed * 2654435761u, bits);
        sampler_free(&sampler);
    }
}

/* Other numbers of samples take the first of the next power of two; seeds differ. */
static void test_sizes(void** state) {
    (void)state;
    point_sampler sampler;
    assert_true(sampler_create(&sampler, 9));
    assert_int_equal(sampler.count, 16);
    float u[2], v[2];
    sampler_point(&sampler, 1, 0, &u[0], &v[0]);
    sampler_point(&sampler, 2, 0, &u[1], &v[1]);
    assert_true(u[0] != u[1] && v[0] != v[1]);
    sampler_free(&sampler);
}

static void test_reverse(void** state) {
    (void)state;
    assert_int_equal(sampler_reverse(1), 0x80000000u);
    assert_int_equal(sampler_reverse(0x0000f00du), 0xb00f0000u);
    assert_int_equal(sampler_reverse(sampler_reverse(0x12345678u)), 0x12345678u);
}

/* The square's border becomes the circle, and rings of equal area get equally many points. */
static void test_disc(void** state) {
    (void)state;
    float x, y;
    sampler_disc(0.5f, 0.5f, &x, &y);
    assert_true(x == 0 && y == 0);
    for (int i = 0; i <= 64; i++) {
        sampler_disc((float)i / 64, i % 2 ? 0.0f : 1.0f, &x, &y);
        assert_true(fabs(sqrt((double)x * (double)x + (double)y * (double)y) - 1) < 1e-4);
    }
    int rings[4] = {0};
    for (int i = 0; i < 256; i++) {
        for (int k = 0; k < 256; k++) {
            sampler_disc(((float)i + 0.5f) / 256, ((float)k + 0.5f) / 256, &x, &y);
            rings[(int)(3.9999f * (x * x + y * y))]++;
        }
    }
    for (int i = 0; i < 4; i++) assert_true(abs(rings[i] - 16384) < 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_reverse),
        cmocka_unit_test(test_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
