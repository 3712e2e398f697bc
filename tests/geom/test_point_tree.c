/* The tree of points finds what looking at all of them finds. */
#include "geom/meshes.h"
#include "geom/point_tree.h"

enum { POINTS_MOST = 700, PLACES = 200 };

static int32_t slow_nearest(const supi_point_tree* tree, const double x[3], double* square) {
    int32_t nearest = 0;
    *square = INFINITY;
    for (int32_t i = 0; i < tree->count; i++) {
        double d = supi_point_square(tree->points + i, x);
        if (!(d < *square)) continue;
        *square = d;
        nearest = i;
    }
    return nearest;
}

/* Even numbers of points lie on a lattice, so that many are equally near. */
static void check_cloud(int32_t count, uint64_t* seed) {
    sup_vec3 points[POINTS_MOST];
    int32_t found[POINTS_MOST];
    double unit = count % 2 == 0 ? 0.25 : 1e-7;
    for (int32_t i = 0; i < count; i++) {
        points[i].x = (float)(floor(random_number(seed) / unit) * unit);
        points[i].y = (float)(floor(random_number(seed) / unit) * unit);
        points[i].z = (float)(floor(random_number(seed) / unit) * unit);
    }
    supi_arena arena;
    supi_point_tree tree;
    supi_arena_init(&arena, sup_allocator_default());
    assert_true(supi_point_tree_build(&arena, count, points, &tree));
    for (int place = 0; place < PLACES; place++) {
        double far = place % 4 == 0 ? 50.0 : 1.5, x[3], square, least;
        for (int k = 0; k < 3; k++) x[k] = floor(random_number(seed) / unit) * unit * far;
        assert_int_equal(supi_point_tree_nearest(&tree, x, -1, &square),
                         slow_nearest(&tree, x, &least));
        assert_true(square == least);
        double limit = least + 0.5 * (1.0 + random_number(seed));
        int32_t seen = 0, near = supi_point_tree_within(&tree, x, limit, found);
        for (int32_t i = 0; i < count; i++) {
            if (!(supi_point_square(points + i, x) <= limit)) continue;
            assert_true(seen < near);
            assert_int_equal(found[seen++], i);
        }
        assert_int_equal(seen, near);
    }
    supi_arena_free(&arena);
}

static void test_same_as_looking_at_all(void** state) {
    (void)state;
    static const int32_t counts[] = {1, 2, 7, 8, 9, 16, 17, 64, 65, 129, 500, POINTS_MOST - 1};
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_cloud(counts[i], &seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_looking_at_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
