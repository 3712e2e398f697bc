/* Shapes: closed, manifold, outward, of the right size. */
#include "geom/meshes.h"

#include <string.h>

static void check_solid(const sup_mesh* mesh, int32_t euler, double volume, double area,
                        double tolerance) {
    sup_mesh_report report = inspect(mesh);
    assert_true(report.closed);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(report.fan_point_count, 0);
    assert_int_equal(report.unused_point_count, 0);
    assert_int_equal(mesh->point_count - report.edge_count + mesh->polygon_count, euler);
    /* Positive: outward. */
    assert_true(fabs(report.volume - volume) <= tolerance * volume);
    assert_true(fabs(report.area - area) <= tolerance * area);
    /* No two points are one: welding exact duplicates changes nothing. */
    sup_mesh welded;
    assert_int_equal(sup_mesh_weld(NULL, mesh, 0.0, &welded, NULL, NULL), SUP_OK);
    assert_int_equal(welded.point_count, mesh->point_count);
    sup_mesh_free(&welded);
    for (int k = 0; k < 3; k++) assert_true(report.low[k] == -report.high[k]);
}

static void test_box(void** state) {
    (void)state;
    const double size[3] = {1, 2.5, 4};
    const int32_t segments[4][3] = {{1, 1, 1}, {2, 3, 5}, {7, 1, 2}, {1, 4, 1}};
    for (int i = 0; i < 4; i++) {
        const int32_t* n = segments[i];
        sup_mesh mesh;
        assert_int_equal(sup_mesh_box(NULL, size, n, &mesh, NULL), SUP_OK);
        check_solid(&mesh, 2, 10.0, 2.0 * (2.5 + 10.0 + 4.0), 1e-6);
        int32_t inner = (n[0] - 1) * (n[1] - 1) * (n[2] - 1);
        assert_int_equal(mesh.point_count, (n[0] + 1) * (n[1] + 1) * (n[2] + 1) - inner);
        assert_int_equal(mesh.corner_count, 4 * mesh.polygon_count);
        sup_mesh_report report = inspect(&mesh);
        for (int k = 0; k < 3; k++) assert_true(report.high[k] == 0.5 * size[k]);
        sup_mesh_free(&mesh);
    }
}

static void test_icosphere(void** state) {
    (void)state;
    const double radius = 2.7;
    double last_error = 1.0;
    for (int32_t n = 0; n <= 5; n++) {
        sup_mesh mesh = make_icosphere(radius, n);
        assert_int_equal(mesh.point_count, 10 * (1 << 2 * n) + 2);
        assert_int_equal(mesh.polygon_count, 20 * (1 << 2 * n));
        double volume = 4.0 / 3.0 * PI * radius * radius * radius;
        double error = 1.0 - inspect(&mesh).volume / volume;
        assert_true(error > 0.0 && error < 0.4);
        if (n > 1) assert_true(error < 0.3 * last_error);
        last_error = error;
        check_solid(&mesh, 2, volume, 4.0 * PI * radius * radius, error + 1e-6);
        for (int32_t i = 0; i < mesh.point_count; i++) {
            double x = (double)mesh.points[i].x, y = (double)mesh.points[i].y;
            double z = (double)mesh.points[i].z;
            assert_true(fabs(sqrt(x * x + y * y + z * z) - radius) < 1.2e-7 * radius);
        }
        sup_mesh_free(&mesh);
    }
    assert_true(last_error < 2e-3);
}

static void test_torus(void** state) {
    (void)state;
    double volume = 2.0 * PI * PI * 3.0, area = 4.0 * PI * PI * 3.0;
    double last_error = 1.0;
    for (int32_t n = 8; n <= 128; n *= 2) {
        sup_mesh mesh = make_torus(3, 1, 2 * n, n);
        double error = 1.0 - inspect(&mesh).volume / volume;
        assert_true(error > 0.0);
        if (n > 8) assert_true(error < 0.3 * last_error);
        last_error = error;
        check_solid(&mesh, 0, volume, area, error + 1e-6);
        sup_mesh_free(&mesh);
    }
    assert_true(last_error < 1e-3);
    sup_mesh least;
    assert_int_equal(sup_mesh_torus(NULL, 3, 1, 3, 3, &least, NULL), SUP_OK);
    assert_int_equal(least.point_count, 9);
    assert_true(inspect(&least).closed);
    assert_true(inspect(&least).volume > 0.0);
    sup_mesh_free(&least);
}

static void test_capsule(void** state) {
    (void)state;
    double r = 0.5, length = 2, volume = PI * r * r * length + 4.0 / 3.0 * PI * r * r * r;
    double area = 2.0 * PI * r * length + 4.0 * PI * r * r, last_error = 1.0;
    for (int32_t n = 8; n <= 128; n *= 2) {
        sup_mesh mesh = make_capsule(r, length, n);
        double error = 1.0 - inspect(&mesh).volume / volume;
        assert_true(error > 0.0);
        if (n > 8) assert_true(error < 0.3 * last_error);
        last_error = error;
        check_solid(&mesh, 2, volume, area, error + 1e-6);
        assert_true(inspect(&mesh).high[1] == 1.5);
        sup_mesh_free(&mesh);
    }
    assert_true(last_error < 1e-3);
    sup_mesh least;
    assert_int_equal(sup_mesh_capsule(NULL, 1, 1, 3, 1, 1, &least, NULL), SUP_OK);
    assert_int_equal(least.point_count, 8);
    assert_int_equal(least.polygon_count, 9);
    assert_true(inspect(&least).closed);
    assert_true(inspect(&least).volume > 0.0);
    sup_mesh_free(&least);
}

static void test_grid(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 2, 6, 4, 3, &mesh, NULL), SUP_OK);
    assert_int_equal(mesh.point_count, 20);
    assert_int_equal(mesh.polygon_count, 12);
    sup_mesh_report report = inspect(&mesh);
    assert_true(report.low[0] == -1.0 && report.high[0] == 1.0);
    assert_true(report.low[1] == 0.0 && report.high[1] == 0.0);
    assert_true(report.low[2] == -3.0 && report.high[2] == 3.0);
    assert_int_equal(report.tangled_edge_count, 0);
    assert_true(fabs(report.area - 12.0) < 1e-6);
    /* Normals up: seen from high above the sheet is a hemisphere that turns its back. */
    const double above[3] = {0, 1e-4, 0}, below[3] = {0, -1e-4, 0};
    assert_true(fabs(sup_mesh_winding(&mesh, above) + 0.5) < 1e-3);
    assert_true(fabs(sup_mesh_winding(&mesh, below) - 0.5) < 1e-3);
    sup_mesh_free(&mesh);
}

#define EXPECT_REFUSAL(call, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, SUP_BAD_ARGUMENT);                                                  \
        assert_non_null(strstr(error.text, words));                                                \
    } while (0)

static void test_refusals(void** state) {
    (void)state;
    sup_mesh m;
    sup_error error;
    const double size[3] = {1, 0, 1}, huge[3] = {1, 2e6, 1}, unit[3] = {1, 1, 1};
    const int32_t n[3] = {1, 1, 1}, none[3] = {1, 0, 1}, many[3] = {1, 1025, 1};
    EXPECT_REFUSAL(sup_mesh_box(NULL, size, n, &m, &error), "the size of a box");
    EXPECT_REFUSAL(sup_mesh_box(NULL, huge, n, &m, &error), "1e6 m");
    EXPECT_REFUSAL(sup_mesh_box(NULL, unit, none, &m, &error), "from 1 to 1024, not 0");
    EXPECT_REFUSAL(sup_mesh_box(NULL, unit, many, &m, &error), "not 1025");
    EXPECT_REFUSAL(sup_mesh_icosphere(NULL, NAN, 1, &m, &error), "radius of an icosphere");
    EXPECT_REFUSAL(sup_mesh_icosphere(NULL, -1, 1, &m, &error), "radius of an icosphere");
    EXPECT_REFUSAL(sup_mesh_icosphere(NULL, 1, 9, &m, &error), "from 0 to 8, not 9");
    EXPECT_REFUSAL(sup_mesh_icosphere(NULL, 1, -1, &m, &error), "not -1");
    EXPECT_REFUSAL(sup_mesh_torus(NULL, 1, 1, 8, 8, &m, &error), "thinner");
    EXPECT_REFUSAL(sup_mesh_torus(NULL, 1, 0, 8, 8, &m, &error), "the tube of a torus");
    EXPECT_REFUSAL(sup_mesh_torus(NULL, INFINITY, 1, 8, 8, &m, &error), "radius of a torus");
    EXPECT_REFUSAL(sup_mesh_torus(NULL, 2, 1, 2, 8, &m, &error), "around a torus");
    EXPECT_REFUSAL(sup_mesh_torus(NULL, 2, 1, 8, 4097, &m, &error), "of the tube");
    EXPECT_REFUSAL(sup_mesh_capsule(NULL, 0, 1, 8, 2, 1, &m, &error), "radius of a capsule");
    EXPECT_REFUSAL(sup_mesh_capsule(NULL, 1, 0, 8, 2, 1, &m, &error), "length of a capsule");
    EXPECT_REFUSAL(sup_mesh_capsule(NULL, 1, 1, 2, 2, 1, &m, &error), "segments of a capsule");
    EXPECT_REFUSAL(sup_mesh_capsule(NULL, 1, 1, 8, 0, 1, &m, &error), "rings of a capsule");
    EXPECT_REFUSAL(sup_mesh_capsule(NULL, 1, 1, 8, 2, 0, &m, &error), "rows of a capsule");
    EXPECT_REFUSAL(sup_mesh_grid(NULL, 0, 1, 1, 1, &m, &error), "size of a grid");
    EXPECT_REFUSAL(sup_mesh_grid(NULL, 1, 1, 1, 0, &m, &error), "segments of a grid");
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 1, 0, &m, NULL), SUP_BAD_ARGUMENT);
}

/* --- memory --- */

static sup_result free_if_made(sup_result result, sup_mesh* mesh) {
    if (result == SUP_OK) sup_mesh_free(mesh);
    return result;
}

static sup_result attempt_box(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh;
    const double size[3] = {1, 1, 1};
    const int32_t n[3] = {2, 2, 2};
    return free_if_made(sup_mesh_box(allocator, size, n, &mesh, error), &mesh);
}

static sup_result attempt_icosphere(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh;
    return free_if_made(sup_mesh_icosphere(allocator, 1, 3, &mesh, error), &mesh);
}

static sup_result attempt_torus(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh;
    return free_if_made(sup_mesh_torus(allocator, 2, 1, 5, 5, &mesh, error), &mesh);
}

static sup_result attempt_capsule(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh;
    return free_if_made(sup_mesh_capsule(allocator, 2, 1, 5, 5, 1, &mesh, error), &mesh);
}

static sup_result attempt_grid(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh;
    return free_if_made(sup_mesh_grid(allocator, 2, 1, 5, 5, &mesh, error), &mesh);
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_box);
    refuse_each_allocation(attempt_icosphere);
    refuse_each_allocation(attempt_torus);
    refuse_each_allocation(attempt_capsule);
    refuse_each_allocation(attempt_grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),    cmocka_unit_test(test_icosphere),
        cmocka_unit_test(test_torus),  cmocka_unit_test(test_capsule),
        cmocka_unit_test(test_grid),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
