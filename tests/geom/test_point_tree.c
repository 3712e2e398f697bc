/* The tree of points finds what looking at all of them finds. */
#include "geom/meshes.h"
#include "geom/point_tree.h"
#include "geom/union_find.h"

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

/* ---- What hangs together ---- */

static int by_x(const void* a, const void* b) {
    float x = ((const sup_vec3*)a)->x, y = ((const sup_vec3*)b)->x;
    return (x > y) - (x < y);
}

/* Some of the points lie in a heap; `reach` goes from none joined to all. */
static int32_t check_joined(int32_t count, double unit, double reach, uint64_t* seed) {
    sup_vec3 points[POINTS_MOST];
    int32_t slow[POINTS_MOST], fast[POINTS_MOST], parts = 0;
    for (int32_t i = 0; i < count; i++) {
        double size = i % 3 == 0 ? 0.1 : 1.0;
        points[i].x = (float)(size * floor(random_number(seed) / unit) * unit);
        points[i].y = (float)(size * floor(random_number(seed) / unit) * unit);
        points[i].z = (float)(size * floor(random_number(seed) / unit) * unit);
        slow[i] = fast[i] = i;
    }
    qsort(points, (size_t)count, sizeof *points, by_x); /* neighbours are near, more or less */
    for (int32_t i = 0; i < count; i++) {
        const double x[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
        for (int32_t j = 0; j < i; j++) {
            if (supi_point_square(points + j, x) < reach * reach) supi_union_join(slow, i, j);
        }
    }
    supi_arena arena;
    supi_point_tree tree;
    supi_arena_init(&arena, sup_allocator_default());
    assert_true(supi_point_tree_build(&arena, count, points, &tree));
    supi_point_tree_join(&tree, reach * reach, fast);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(supi_union_root(fast, i), supi_union_root(slow, i));
        parts += slow[i] == i;
    }
    supi_arena_free(&arena);
    return parts;
}

static void test_joined_as_by_all_pairs(void** state) {
    (void)state;
    static const int32_t counts[] = {1, 2, 8, 9, 17, 64, 130, 333, POINTS_MOST - 1};
    uint64_t seed = 9;
    int32_t whole = 0, single = 0, other = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (double reach = 1e-4; reach < 8.0; reach *= 1.3) {
            int32_t parts = check_joined(counts[i], i % 2 ? 0.25 : 1e-7, reach, &seed);
            whole += parts == 1;
            single += parts == counts[i];
            other += parts > 1 && parts < counts[i];
        }
    }
    assert_true(whole > 20 && single > 20 && other > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_looking_at_all),
                                       cmocka_unit_test(test_joined_as_by_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
