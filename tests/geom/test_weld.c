/* Welding: soup becomes a surface again, and the maps tell how. */
#include "geom/meshes.h"

static void check_maps(const sup_mesh* mesh, const sup_mesh* welded, const sup_weld_map* map) {
    assert_int_equal(map->original_count, mesh->point_count);
    assert_int_equal(map->welded_count, welded->point_count);
    int32_t met = 0;
    for (int32_t i = 0; i < map->original_count; i++) {
        int32_t w = map->to_welded[i];
        assert_true(w >= 0 && w < map->welded_count);
        /* The first point met of each new one is its original, and new ones appear in order. */
        if (w == met) assert_int_equal(map->to_original[met++], i);
        assert_true(w < met);
    }
    assert_int_equal(met, map->welded_count);
    for (int32_t w = 0; w < map->welded_count; w++) {
        const sup_vec3 *a = &welded->points[w], *b = &mesh->points[map->to_original[w]];
        assert_true(a->x == b->x && a->y == b->y && a->z == b->z);
        assert_int_equal(map->to_welded[map->to_original[w]], w);
    }
}

static void test_soup(void** state) {
    (void)state;
    sup_mesh meshes[4] = {make_icosphere(1, 3), make_box(1, 2, 3, 4), make_torus(1, 0.3, 20, 10),
                          make_capsule(1, 1, 12)};
    const double tolerances[3] = {-1.0, 0.0, 1e-5};
    for (int i = 0; i < 4; i++) {
        sup_mesh soup = make_soup(&meshes[i]);
        sup_mesh_report before = inspect(&meshes[i]);
        assert_int_equal(inspect(&soup).component_count, soup.polygon_count);
        for (int t = 0; t < 3; t++) {
            sup_mesh welded;
            sup_weld_map map;
            assert_int_equal(sup_mesh_weld(NULL, &soup, tolerances[t], &welded, &map, NULL),
                             SUP_OK);
            check_maps(&soup, &welded, &map);
            sup_mesh_report after = inspect(&welded);
            assert_int_equal(welded.point_count, meshes[i].point_count);
            assert_int_equal(welded.polygon_count, meshes[i].polygon_count);
            assert_int_equal(after.edge_count, before.edge_count);
            assert_true(after.closed);
            assert_true(fabs(after.volume - before.volume) < 1e-9);
            sup_mesh_free(&welded);
            sup_weld_map_free(&map);
        }
        sup_mesh_free(&soup);
        sup_mesh_free(&meshes[i]);
    }
}

static void test_tolerance(void** state) {
    (void)state;
    /* On a line: 1 joins 0; 2 is in reach of 1 but not of the kept 0; 3 equals 0 but for the sign
     * of 0. */
    const sup_vec3 points[6] = {{0, 0, 0},     {0.75f, 0, 0}, {1.5f, 0, 0},
                                {-0.0f, 0, 0}, {5, 0, 0},     {5, 1, 0}};
    const int32_t corners[6] = {0, 4, 5, 1, 4, 5};
    sup_mesh mesh, welded;
    sup_weld_map map;
    assert_int_equal(sup_mesh_create(NULL, 6, points, 2, NULL, corners, &mesh, NULL), SUP_OK);

    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.75, &welded, &map, NULL), SUP_OK);
    const int32_t at_075[6] = {0, 0, 1, 0, 2, 3};
    assert_memory_equal(map.to_welded, at_075, sizeof at_075);
    check_maps(&mesh, &welded, &map);
    sup_mesh_free(&welded);
    sup_weld_map_free(&map);

    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.7, &welded, &map, NULL), SUP_OK);
    const int32_t at_07[6] = {0, 1, 2, 0, 3, 4};
    assert_memory_equal(map.to_welded, at_07, sizeof at_07);
    sup_mesh_free(&welded);
    sup_weld_map_free(&map);

    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.0, &welded, &map, NULL), SUP_OK);
    assert_memory_equal(map.to_welded, at_07, sizeof at_07);
    sup_mesh_free(&welded);
    sup_weld_map_free(&map);

    /* All in one: no polygon is left. */
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 100.0, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 1);
    assert_int_equal(welded.polygon_count, 0);
    sup_mesh_free(&welded);

    sup_error error;
    assert_int_equal(sup_mesh_weld(NULL, &mesh, NAN, &welded, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, INFINITY, &welded, NULL, NULL), SUP_BAD_ARGUMENT);
    sup_mesh_free(&mesh);
}

/* Random points against the definition, done the slow way. */
static void test_against_brute_force(void** state) {
    (void)state;
    enum { COUNT = 1500 };
    static sup_vec3 points[COUNT];
    const double tolerances[4] = {1e-3, 0.03, 0.2, 0.9};
    uint64_t seed = 21;
    for (int i = 0; i < COUNT; i++) {
        points[i].x = (float)random_number(&seed);
        points[i].y = (float)random_number(&seed);
        points[i].z = (float)random_number(&seed) * 0.1f;
        if (i % 7 == 3) points[i] = points[i / 2];
    }
    sup_mesh mesh, welded;
    assert_int_equal(sup_mesh_create(NULL, COUNT, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    for (int t = 0; t < 4; t++) {
        sup_weld_map map;
        assert_int_equal(sup_mesh_weld(NULL, &mesh, tolerances[t], &welded, &map, NULL), SUP_OK);
        check_maps(&mesh, &welded, &map);
        static int32_t kept[COUNT];
        int32_t kept_count = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            int32_t k = 0;
            for (; k < kept_count; k++) {
                double x = (double)points[i].x - (double)points[kept[k]].x;
                double y = (double)points[i].y - (double)points[kept[k]].y;
                double z = (double)points[i].z - (double)points[kept[k]].z;
                if (sqrt(x * x + y * y + z * z) <= tolerances[t]) break;
            }
            if (k == kept_count) kept[kept_count++] = i;
            assert_int_equal(map.to_welded[i], k);
        }
        assert_int_equal(kept_count, welded.point_count);
        sup_mesh_free(&welded);
        sup_weld_map_free(&map);
    }
    sup_mesh_free(&mesh);
}

static void test_polygons(void** state) {
    (void)state;
    const sup_vec3 points[7] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    /* 0, 4 and 6 are one point, 1 and 5 another. */
    const int32_t starts[6] = {0, 4, 8, 13, 16, 20};
    const int32_t corners[20] = {0, 1, 2, 4,    /* loses its last corner */
                                 0, 1, 4, 5,    /* two points: dropped */
                                 0, 4, 1, 2, 6, /* loses two */
                                 4, 5, 6,       /* dropped */
                                 0, 2, 4, 3};   /* a spike, but three points: stays */
    sup_mesh mesh, welded;
    assert_int_equal(sup_mesh_create(NULL, 7, points, 5, starts, corners, &mesh, NULL), SUP_OK);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.0, &welded, NULL, NULL), SUP_OK);
    const int32_t new_starts[4] = {0, 3, 6, 10}, new_corners[10] = {0, 1, 2, 0, 1, 2, 0, 2, 0, 3};
    assert_int_equal(welded.polygon_count, 3);
    assert_int_equal(welded.point_count, 4);
    assert_memory_equal(welded.starts, new_starts, sizeof new_starts);
    assert_memory_equal(welded.corners, new_corners, sizeof new_corners);
    sup_mesh_free(&mesh);
    sup_mesh_free(&welded);
}

static void test_extremes(void** state) {
    (void)state;
    /* A far point makes the box huge against the tolerance; one lone point has no box. */
    const sup_vec3 points[5] = {
        {3e38f, 0, 0}, {1e-30f, 0, 0}, {2e-30f, 0, 0}, {1e-30f, 0, 0}, {-3e38f, 0, 0}};
    sup_mesh mesh, welded;
    assert_int_equal(sup_mesh_create(NULL, 5, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.0, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 4);
    sup_mesh_free(&welded);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 5e-31, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 4);
    sup_mesh_free(&welded);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, -1.0, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 3);
    sup_mesh_free(&welded);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 1e300, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 1);
    sup_mesh_free(&welded);
    sup_mesh_free(&mesh);

    assert_int_equal(sup_mesh_create(NULL, 1, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, -1.0, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, 1);
    sup_mesh_free(&welded);
    sup_mesh_free(&mesh);
}

static sup_result attempt_weld(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh = make_icosphere(1, 1), soup = make_soup(&mesh), welded;
    sup_weld_map map;
    sup_result result = sup_mesh_weld(allocator, &soup, -1.0, &welded, &map, error);
    if (result == SUP_OK) {
        sup_mesh_free(&welded);
        sup_weld_map_free(&map);
    }
    sup_mesh_free(&mesh);
    sup_mesh_free(&soup);
    return result;
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_weld);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soup),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
