/* Distances to nearest neighbours, beside those of every pair. */
#include "geom/nearest.h"

#include "allocators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "ref/ref_random.h"

enum { MOST = 3000 };
static sup_vec3 points[MOST];

static double slow_mean(int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        double best = (double)INFINITY;
        for (int32_t j = 0; j < count; j++) {
            double x = (double)points[i].x - (double)points[j].x;
            double y = (double)points[i].y - (double)points[j].y;
            double z = (double)points[i].z - (double)points[j].z;
            double square = x * x + y * y + z * z;
            if (j != i && square < best) best = square;
        }
        sum += sqrt(best);
    }
    return sum / count;
}

static void check(int32_t count) {
    double mean = -1;
    assert_true(supi_nearest_mean(sup_allocator_default(), count, points, &mean));
    double wanted = slow_mean(count);
    assert_true(fabs(mean - wanted) <= 1e-12 * wanted);
}

static float even(uint64_t* random) { return (float)ref_random(random); }

static void few_points(void** state) {
    (void)state;
    double mean = -1;
    assert_true(supi_nearest_mean(sup_allocator_default(), 0, points, &mean));
    assert_true(mean == 0.0);
    points[0] = (sup_vec3){1, 2, 3};
    assert_true(supi_nearest_mean(sup_allocator_default(), 1, points, &mean));
    assert_true(mean == 0.0);
    points[1] = (sup_vec3){1, 2, 5};
    assert_true(supi_nearest_mean(sup_allocator_default(), 2, points, &mean));
    assert_true(mean == 2.0);
    points[2] = (sup_vec3){1, 2, 5};
    assert_true(supi_nearest_mean(sup_allocator_default(), 3, points, &mean));
    assert_true(fabs(mean - 2.0 / 3) < 1e-15);
}

/* Even, in clumps of very different size, flat, on a line, all at one place but one. */
static void every_kind_of_cloud(void** state) {
    (void)state;
    uint64_t random = 11;
    for (int32_t kind = 0; kind < 5; kind++) {
        for (int32_t count = 2; count <= MOST; count = count * 3 + 1) {
            for (int32_t i = 0; i < count; i++) {
                float scale = kind == 1 ? (i % 3 == 0 ? 1e-6f : i % 3 == 1 ? 1e-2f : 1e3f) : 1.0f;
                float x = scale * even(&random), y = scale * even(&random),
                      z = scale * even(&random);
                if (kind >= 2) z = 7;
                if (kind >= 3) y = -1e-30f;
                if (kind == 4) x = i == 0 ? 1.0f : 2.0f;
                points[i] = (sup_vec3){x, y, z};
            }
            check(count);
        }
    }
}

static void memory_may_fail(void** state) {
    (void)state;
    test_allocator memory;
    const sup_allocator* allocator = test_allocator_init(&memory);
    double mean;
    for (long long i = 1;; i++) {
        test_allocator_arm(&memory, i, true);
        bool done = supi_nearest_mean(allocator, 100, points, &mean);
        assert_int_equal(memory.blocks, 0);
        if (done) break;
        assert_true(i < 20);
    }
    assert_true(atomic_load(&memory.refused) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_points),
        cmocka_unit_test(every_kind_of_cloud),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
