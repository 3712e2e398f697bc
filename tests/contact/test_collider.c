/* Signed distances: gradient, special places, poses far from the origin, and the conservative
 * tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/collider.h"

#include <math.h>

#define POINTS 10000

static uint64_t random_state = 1;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static const double origin[3] = {0, 0, 0};
static const sup_collider_kind kinds[3] = {SUP_COLLIDER_PLANE, SUP_COLLIDER_SPHERE,
                                           SUP_COLLIDER_BOX};

static sup_collider_def random_collider(sup_collider_kind kind) {
    sup_collider_def def = {.size = sizeof def, .kind = kind, .radius = uniform(0.3, 1)};
    double square = 0;
    for (int k = 0; k < 4; k++) {
        def.rotation[k] = uniform(-1, 1);
        square += def.rotation[k] * def.rotation[k];
    }
    for (int k = 0; k < 4; k++) def.rotation[k] /= sqrt(square);
    for (int k = 0; k < 3; k++) {
        def.position[k] = uniform(-1, 1);
        def.half_size[k] = uniform(0.2, 0.8);
    }
    return def;
}

static supi_shape place(const sup_collider_def* def, const double anchor[3]) {
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(def, &solid);
    supi_shape_place(&solid, anchor, &shape);
    return shape;
}

static sup_vec3 moved(sup_vec3 x, int axis, float by) {
    float c[3] = {x.x, x.y, x.z};
    c[axis] += by;
    return (sup_vec3){c[0], c[1], c[2]};
}

static float dot(sup_vec3 a, sup_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* The gradient jumps at the medial axis, and bends where the surface has an edge: there the normals
 * close by are not alike. */
static bool normals_agree(const supi_shape* shape, sup_vec3 x, float step, sup_vec3 n) {
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            sup_vec3 near;
            supi_shape_distance(shape, moved(x, k, (float)side * step), &near);
            if (dot(near, n) < 0.999998f) return false;
        }
    }
    return true;
}

static void gradient_is_the_normal(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        int tested = 0, tries = 0;
        while (tested < POINTS && tries++ < 3 * POINTS) {
            sup_collider_def def = random_collider(kinds[kind]);
            supi_shape shape = place(&def, origin);
            sup_vec3 x = {(float)uniform(-2, 2), (float)uniform(-2, 2), (float)uniform(-2, 2)};
            sup_vec3 n, ignored;
            supi_shape_distance(&shape, x, &n);
            const float step = 1e-3f;
            if (!normals_agree(&shape, x, step, n)) continue;
            float gradient[3];
            for (int k = 0; k < 3; k++) {
                float up = supi_shape_distance(&shape, moved(x, k, step), &ignored);
                float down = supi_shape_distance(&shape, moved(x, k, -step), &ignored);
                gradient[k] = (up - down) / (2 * step);
            }
            assert_float_equal(gradient[0], n.x, 1e-3);
            assert_float_equal(gradient[1], n.y, 1e-3);
            assert_float_equal(gradient[2], n.z, 1e-3);
            assert_float_equal(dot(n, n), 1, 1e-5);
            tested++;
        }
        assert_int_equal(tested, POINTS);
    }
}

static void distances_of_upright_shapes(void** state) {
    (void)state;
    sup_collider_def def = {.rotation = {0, 0, 0, 1}, .radius = 0.5, .half_size = {1, 2, 3}};
    sup_vec3 n;
    def.kind = SUP_COLLIDER_PLANE;
    def.position[1] = 0.25;
    supi_shape shape = place(&def, origin);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){7, 1, 3}, &n), 0.75, 1e-6);
    def.kind = SUP_COLLIDER_SPHERE;
    shape = place(&def, origin);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){2, 0.25f, 0}, &n), 1.5, 1e-6);
    def.kind = SUP_COLLIDER_BOX;
    def.position[1] = 0;
    shape = place(&def, origin);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){4, 6, 0}, &n), 5, 1e-6);
    assert_float_equal(n.x, 0.6, 1e-6);
    assert_float_equal(n.y, 0.8, 1e-6);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){-0.9f, 0, 0}, &n), -0.1, 1e-6);
    assert_float_equal(n.x, -1, 0);
}

static void special_places_have_a_normal(void** state) {
    (void)state;
    sup_collider_def def = {.rotation = {0, 0, 0, 1}, .radius = 0.5, .half_size = {1, 1, 1}};
    sup_vec3 n;
    def.kind = SUP_COLLIDER_SPHERE;
    supi_shape shape = place(&def, origin);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){0, 0, 0}, &n), -0.5, 0);
    assert_true(n.x == 0 && n.y == 1 && n.z == 0);
    def.kind = SUP_COLLIDER_BOX;
    shape = place(&def, origin);
    assert_float_equal(supi_shape_distance(&shape, (sup_vec3){0, 0, 0}, &n), -1, 0);
    assert_true(n.x == 1 && n.y == 0 && n.z == 0);
    const sup_vec3 corner = {-1, 1, 1};
    assert_float_equal(supi_shape_distance(&shape, corner, &n), 0, 0);
    assert_true(n.x == -1 && n.y == 0 && n.z == 0);
    /* at and just off a corner, on every scale */
    for (float off = 1; off > 0; off *= 0.25f) {
        float d = supi_shape_distance(&shape, (sup_vec3){off, off, off}, &n);
        assert_true(isfinite(d));
        assert_float_equal(dot(n, n), 1, 1e-5);
        d = supi_shape_distance(&shape, (sup_vec3){1 + off, 1 + off, 1 - off}, &n);
        assert_true(isfinite(d));
        assert_float_equal(dot(n, n), 1, 1e-5);
    }
}

/* Everything moved ten thousand kilometres away by a sum that is exact: the same bits. */
static void far_away_is_the_same(void** state) {
    (void)state;
    const double anchor[3] = {0x1p23, -0x1p24, 0x1p23};
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < 100; i++) {
            sup_collider_def def = random_collider(kinds[kind]);
            for (int k = 0; k < 3; k++) def.position[k] = floor(def.position[k] * 256) / 256;
            supi_shape here = place(&def, origin);
            for (int k = 0; k < 3; k++) def.position[k] += anchor[k];
            supi_shape there = place(&def, anchor);
            assert_memory_equal(&here, &there, sizeof here);
        }
    }
}

static void near_never_misses(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        int far = 0;
        for (int i = 0; i < 3000; i++) {
            sup_collider_def def = random_collider(kinds[kind]);
            supi_shape shape = place(&def, origin);
            float low[3], high[3], margin = (float)uniform(0, 0.3);
            for (int k = 0; k < 3; k++) {
                low[k] = (float)uniform(-3, 3);
                high[k] = low[k] + (float)uniform(0, 1);
            }
            bool near = supi_shape_near(&shape, low, high, margin);
            far += !near;
            for (int j = 0; j < 20 && !near; j++) {
                sup_vec3 n, x = {(float)uniform(low[0], high[0]), (float)uniform(low[1], high[1]),
                                 (float)uniform(low[2], high[2])};
                assert_true(supi_shape_distance(&shape, x, &n) >= margin - 1e-5f);
            }
        }
        assert_true(far > 500); /* and it does say no */
    }
}

static void mask_is_the_distance_test(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < 200; i++) {
            sup_collider_def def = random_collider(kinds[kind]);
            supi_shape shape = place(&def, origin);
            sup_row rows[64];
            int32_t count = 1 + i % 64;
            float limit = (float)uniform(0, 0.2);
            for (int k = 0; k < 64; k++) {
                rows[k] = (sup_row){(float)uniform(-2, 2), (float)uniform(-2, 2),
                                    (float)uniform(-2, 2), k % 5 ? 1.0f : 0.0f};
            }
            uint64_t mask = supi_shape_mask(&shape, rows, count, limit);
            for (int k = 0; k < 64; k++) {
                sup_vec3 n;
                float d =
                    supi_shape_distance(&shape, (sup_vec3){rows[k].x, rows[k].y, rows[k].z}, &n);
                bool bit = mask >> k & 1;
                if (fabsf(d - limit) < 1e-6f) continue;
                assert_int_equal(bit, k < count && rows[k].w > 0 && d < limit);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_the_normal),
        cmocka_unit_test(distances_of_upright_shapes),
        cmocka_unit_test(special_places_have_a_normal),
        cmocka_unit_test(far_away_is_the_same),
        cmocka_unit_test(near_never_misses),
        cmocka_unit_test(mask_is_the_distance_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
