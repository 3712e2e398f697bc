/* Heights against a search through all their triangles; places beside the grid; what is refused. */
#include "contact/surfaces.h"

#include "allocators.h"
#include "contact/heights.h"
#include "ref/ref_trimesh.h"

#include <float.h>
#include <string.h>

static uint64_t seed = 9;

/* A grid and its triangles. */
typedef struct land {
    supi_heights* heights;
    int32_t count[2];
    double step[2];
    float* values;
    sup_vec3* points;
    int32_t* triangles;
    int32_t triangle_count;
    double low[2], high[2]; /* of x and z */
} land;

static land make_land(int32_t nx, int32_t nz, double step_x, double step_z, double rough) {
    land l = {.count = {nx, nz}, .step = {step_x, step_z}};
    l.values = malloc((size_t)(nx * nz) * sizeof *l.values);
    l.points = malloc((size_t)(nx * nz) * sizeof *l.points);
    l.triangles = malloc((size_t)(6 * nx * nz) * sizeof *l.triangles);
    for (int axis = 0; axis < 2; axis++) {
        l.high[axis] = 0.5 * (l.count[axis] - 1) * l.step[axis];
        l.low[axis] = -l.high[axis];
    }
    for (int32_t k = 0; k < nz; k++) {
        for (int32_t i = 0; i < nx; i++) {
            int32_t id = k * nx + i;
            l.values[id] = (float)(0.4 * sin(0.7 * i) * cos(0.5 * k) + rough * ref_random(&seed));
            l.points[id] = (sup_vec3){(float)(l.low[0] + i * step_x), l.values[id],
                                      (float)(l.low[1] + k * step_z)};
            if (i + 1 == nx || k + 1 == nz) continue;
            const int32_t cell[6] = {id, id + nx + 1, id + 1, id, id + nx, id + nx + 1};
            memcpy(l.triangles + 3 * l.triangle_count, cell, sizeof cell);
            l.triangle_count += 2;
        }
    }
    assert_int_equal(
        supi_heights_create(sup_allocator_default(), l.count, l.step, l.values, &l.heights, NULL),
        SUP_OK);
    return l;
}

static void free_land(land* l) {
    supi_heights_free(l->heights);
    free(l->values);
    free(l->points);
    free(l->triangles);
}

static const int32_t sizes[][2] = {{2, 2}, {3, 2}, {2, 9}, {7, 12}, {17, 17}, {18, 33}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static land some_land(int which) {
    return make_land(sizes[which][0], sizes[which][1], 0.25, 0.4, which % 2 ? 0.05 : 0.3);
}

static sup_vec3 place_over(const land* l, double above) {
    return (sup_vec3){(float)uniform(&seed, l->low[0], l->high[0]),
                      (float)uniform(&seed, -above, above),
                      (float)uniform(&seed, l->low[1], l->high[1])};
}

/* Below: a straight way up meets the surface. */
static bool is_below(const land* l, const double x[3]) {
    double margin, sky[3] = {x[0], 1e3, x[2]};
    return ref_trimesh_cross(l->points, l->triangles, l->triangle_count, x, sky, &margin) <= 1;
}

static void nearest_is_the_nearest_of_all(void** state) {
    (void)state;
    for (int which = 0; which < SIZES; which++) {
        land l = some_land(which);
        int below = 0;
        for (int32_t i = 0; i < ref_repeats(2000, 20000); i++) {
            sup_vec3 n, x = place_over(&l, i % 3 ? 0.6 : 3);
            double at[3] = {(double)x.x, (double)x.y, (double)x.z};
            float distance;
            assert_true(supi_heights_nearest(l.heights, x, FLT_MAX, &distance, &n));
            double expected = ref_trimesh_distance(l.points, l.triangles, l.triangle_count, at);
            assert_float_equal(fabsf(distance), expected, 1e-6);
            float square = n.x * n.x + n.y * n.y + n.z * n.z;
            assert_float_equal(square, 1, 1e-5);
            double foot[3] = {at[0] - (double)(distance * n.x), at[1] - (double)(distance * n.y),
                              at[2] - (double)(distance * n.z)};
            assert_true(ref_trimesh_distance(l.points, l.triangles, l.triangle_count, foot) < 1e-5);
            if (expected > 1e-5) assert_int_equal(distance < 0, is_below(&l, at));
            below += distance < 0;
            /* the limit counts above only */
            bool found =
                supi_heights_nearest(l.heights, x, (float)expected * 0.999f, &distance, &n);
            assert_int_equal(found, distance < 0);
            assert_true(
                supi_heights_nearest(l.heights, x, (float)expected * 1.001f, &distance, &n));
        }
        assert_true(below > 100);
        free_land(&l);
    }
}

static void crossing_is_the_first_of_all(void** state) {
    (void)state;
    for (int which = 0; which < SIZES; which++) {
        land l = some_land(which);
        int crossed = 0;
        for (int32_t i = 0; i < ref_repeats(3000, 30000); i++) {
            sup_vec3 n, from = place_over(&l, 1.5), to = place_over(&l, 1.5);
            if (i % 5 == 0) to.x *= 3, to.z *= 3; /* out over the edge */
            double margin, a[3] = {(double)from.x, (double)from.y, (double)from.z};
            double b[3] = {(double)to.x, (double)to.y, (double)to.z};
            double t = ref_trimesh_cross(l.points, l.triangles, l.triangle_count, a, b, &margin);
            if (margin < 1e-9) continue;
            float got;
            bool found = supi_heights_cross(l.heights, from, to, &got, &n);
            assert_int_equal(found, t <= 1);
            if (!found) continue;
            assert_float_equal(got, t, 1e-5);
            assert_true(n.y > 0);
            crossed++;
        }
        assert_true(crossed > 500);
        free_land(&l);
    }
}

/* Straight down onto every point, line and diagonal of the grid, up to its very border. */
static void no_way_slips_through(void** state) {
    (void)state;
    land l = some_land(4);
    for (int32_t k = 0; k < 4 * (l.count[1] - 1) + 1; k++) {
        for (int32_t i = 0; i < 4 * (l.count[0] - 1) + 1; i++) {
            float x = (float)(l.low[0] + 0.25 * i * l.step[0]);
            float z = (float)(l.low[1] + 0.25 * k * l.step[1]), t, distance;
            sup_vec3 n;
            assert_true(
                supi_heights_cross(l.heights, (sup_vec3){x, 2, z}, (sup_vec3){x, -2, z}, &t, &n));
            assert_true(supi_heights_nearest(l.heights, (sup_vec3){x, 2 - 4 * t, z}, FLT_MAX,
                                             &distance, &n));
            assert_true(fabsf(distance) < 1e-6f);
            assert_float_equal(sqrtf(n.x * n.x + n.y * n.y + n.z * n.z), 1, 1e-5);
        }
    }
    free_land(&l);
}

static void beside_the_grid_is_nothing(void** state) {
    (void)state;
    land l = some_land(3);
    float distance, low[3], high[3];
    sup_vec3 n;
    supi_heights_bounds(l.heights, low, high);
    assert_float_equal(low[0], l.low[0], 1e-6);
    assert_float_equal(high[2], l.high[1], 1e-6);
    float least = FLT_MAX, most = -FLT_MAX;
    for (int32_t i = 0; i < l.count[0] * l.count[1]; i++) {
        least = fminf(least, l.values[i]);
        most = fmaxf(most, l.values[i]);
    }
    assert_true(low[1] == least && high[1] == most);
    const float off = 1e-4f;
    assert_true(supi_heights_nearest(l.heights, (sup_vec3){low[0], -1, 0}, 9, &distance, &n));
    assert_true(supi_heights_nearest(l.heights, (sup_vec3){0, -1, high[2]}, 9, &distance, &n));
    assert_false(
        supi_heights_nearest(l.heights, (sup_vec3){low[0] - off, -1, 0}, 9, &distance, &n));
    assert_false(
        supi_heights_nearest(l.heights, (sup_vec3){0, -1, high[2] + off}, 9, &distance, &n));
    assert_false(supi_heights_nearest(l.heights, (sup_vec3){1e30f, 0, 0}, 9, &distance, &n));
    int32_t count[2];
    double step[2];
    const float* values;
    supi_heights_get(l.heights, count, step, &values);
    assert_memory_equal(count, l.count, sizeof count);
    assert_memory_equal(step, l.step, sizeof step);
    assert_memory_equal(values, l.values, (size_t)(count[0] * count[1]) * sizeof *values);
    free_land(&l);
}

static void expect_refused(const int32_t count[2], const double step[2], const float* values,
                           const char* words) {
    supi_heights* made = NULL;
    sup_error error = {0};
    assert_int_equal(
        supi_heights_create(sup_allocator_default(), count, step, values, &made, &error),
        SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, words));
    assert_null(made);
}

static void bad_heights_are_refused(void** state) {
    (void)state;
    float values[6] = {0, 0, 0, 0, 0, NAN};
    const double step[2] = {1, 1}, none[2] = {1, 0}, odd[2] = {NAN, 1}, far[2] = {1, 1e9};
    expect_refused((const int32_t[2]){3, 2}, step, values, "height 2 along x, 1 along z");
    values[5] = 0;
    expect_refused((const int32_t[2]){1, 6}, step, values, "along x, not 1");
    expect_refused((const int32_t[2]){2, 32769}, step, values, "along z, not 32769");
    expect_refused((const int32_t[2]){3, 2}, none, values, "step of heights along z");
    expect_refused((const int32_t[2]){3, 2}, odd, values, "step of heights along x");
    expect_refused((const int32_t[2]){3, 2}, far, values, "step of heights along z");
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    for (long long n = 1; n <= 4; n++) {
        supi_heights* made = NULL;
        test_allocator_arm(&counter, n, false);
        sup_result result =
            supi_heights_create(allocator, (const int32_t[2]){3, 2}, step, values, &made, NULL);
        assert_int_equal(result, n < 4 ? SUP_NO_MEMORY : SUP_OK);
        supi_heights_free(made);
        assert_int_equal(counter.blocks, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_the_nearest_of_all),
        cmocka_unit_test(crossing_is_the_first_of_all),
        cmocka_unit_test(no_way_slips_through),
        cmocka_unit_test(beside_the_grid_is_nothing),
        cmocka_unit_test(bad_heights_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
