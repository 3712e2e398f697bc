/* Meshes as values, their edges and what inspection says about them. */
#include "geom/meshes.h"

#include <string.h>

#include "geom/morton.h"
#include "geom/sort.h"

/* --- create, transform --- */

static const sup_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

static void expect_refusal(int32_t points, const sup_vec3* p, int32_t polygons,
                           const int32_t* starts, const int32_t* corners, const char* text) {
    sup_mesh mesh = {.point_count = 77};
    sup_error error;
    assert_int_equal(sup_mesh_create(NULL, points, p, polygons, starts, corners, &mesh, &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(error.code, SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, text));
    assert_int_equal(mesh.point_count, 77);
    assert_int_equal(sup_mesh_create(NULL, points, p, polygons, starts, corners, &mesh, NULL),
                     SUP_BAD_ARGUMENT);
}

static void test_create(void** state) {
    (void)state;
    const int32_t starts[2] = {0, 4}, corners[6] = {0, 1, 2, 3, 0, 1};
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, 4, square, 1, starts, corners, &mesh, NULL), SUP_OK);
    assert_int_equal(mesh.corner_count, 4);
    assert_int_equal(mesh.starts[1], 4);
    assert_int_equal(mesh.corners[3], 3);
    sup_mesh_free(&mesh);
    assert_null(mesh.points);
    sup_mesh_free(&mesh);

    assert_int_equal(sup_mesh_create(NULL, 4, square, 2, NULL, corners, &mesh, NULL), SUP_OK);
    assert_int_equal(mesh.corner_count, 6);
    assert_int_equal(mesh.starts[2], 6);
    sup_mesh_free(&mesh);

    assert_int_equal(sup_mesh_create(NULL, 0, NULL, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    sup_mesh_report report = inspect(&mesh);
    assert_false(report.closed);
    assert_int_equal(report.component_count, 0);
    sup_mesh_free(&mesh);
}

static void test_create_refuses(void** state) {
    (void)state;
    const int32_t corners[4] = {0, 1, 2, 3}, far[3] = {0, 4, 1}, below[3] = {0, -1, 1};
    const int32_t thin[3] = {0, 2, 4}, late[2] = {1, 4}, back[3] = {0, 5, 4};
    const sup_vec3 odd[3] = {{0, 0, 0}, {0, NAN, 0}, {1, 0, INFINITY}};
    expect_refusal(4, square, 1, NULL, far, "corner 1 names point 4, but there are 4 points");
    expect_refusal(4, square, 1, NULL, below, "corner 1 names point -1");
    expect_refusal(4, square, 2, thin, corners, "polygon 0 has 2 corners");
    expect_refusal(4, square, 1, late, corners, "start at corner 0");
    expect_refusal(4, square, 2, back, corners, "polygon 1 has -1 corners");
    expect_refusal(3, odd, 1, NULL, corners, "point 1 is not finite");
    expect_refusal(-1, square, 1, NULL, corners, "-1 points");
    expect_refusal(4, square, -1, NULL, corners, "-1 polygons");
    expect_refusal(4, square, INT32_MAX / 2, NULL, corners, "polygons");
    expect_refusal(4, NULL, 1, NULL, corners, "missing");
    expect_refusal(4, square, 1, NULL, NULL, "missing");
}

static void test_hand_made_mesh_is_checked(void** state) {
    (void)state;
    sup_mesh mesh = make_box(1, 1, 1, 1), welded;
    sup_adjacency adjacency;
    sup_mesh_report report;
    sup_error error;
    mesh.corners[5] = 8;
    assert_int_equal(sup_mesh_inspect(NULL, &mesh, &report, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "corner 5 names point 8"));
    assert_int_equal(sup_mesh_adjacency(NULL, &mesh, &adjacency, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_mesh_weld(NULL, &mesh, 0.0, &welded, NULL, &error), SUP_BAD_ARGUMENT);
    sup_mesh_free(&mesh);
}

static void test_transform(void** state) {
    (void)state;
    sup_mesh mesh = make_box(1, 1, 1, 2);
    const double scale[3] = {1, 2, 3}, offset[3] = {10, 20, 30};
    const double quarter_about_z[4] = {0, 0, sqrt(0.5), sqrt(0.5)};
    sup_mesh_transform(&mesh, scale, quarter_about_z, offset);
    sup_mesh_report report = inspect(&mesh);
    const double low[3] = {9, 19.5, 28.5}, high[3] = {11, 20.5, 31.5};
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(report.low[k] - low[k]) < 1e-5);
        assert_true(fabs(report.high[k] - high[k]) < 1e-5);
    }
    assert_true(fabs(report.volume - 6.0) < 1e-4);
    /* Corner (0.5, 1, 1.5) of the stretched box turns to (-1, 0.5, 1.5). */
    const double none[4] = {0, 0, 0, 1}, mirror[3] = {-1, 1, 1}, zero[3] = {0, 0, 0};
    sup_mesh_transform(&mesh, mirror, none, zero);
    report = inspect(&mesh);
    assert_true(report.closed);
    assert_true(fabs(report.volume - 6.0) < 1e-4);
    assert_true(report.high[0] < 0.0);
    const double inversion[3] = {-1, -1, -1};
    sup_mesh_transform(&mesh, inversion, none, zero);
    assert_true(fabs(inspect(&mesh).volume - 6.0) < 1e-4);
    sup_mesh_free(&mesh);

    sup_vec3 p[3] = {{1, 2, 3}, {0, 0, 0}, {0, 1, 0}};
    const int32_t corners[3] = {0, 1, 2};
    assert_int_equal(sup_mesh_create(NULL, 3, p, 1, NULL, corners, &mesh, NULL), SUP_OK);
    const double unit[3] = {1, 1, 1};
    sup_mesh_transform(&mesh, unit, quarter_about_z, zero);
    assert_true(fabs((double)mesh.points[0].x + 2) < 1e-6);
    assert_true(fabs((double)mesh.points[0].y - 1) < 1e-6);
    assert_true(fabs((double)mesh.points[0].z - 3) < 1e-6);
    sup_mesh_free(&mesh);
}

/* --- adjacency --- */

static void check_adjacency(const sup_mesh* mesh) {
    int32_t n = mesh->point_count;
    bool* linked = calloc((size_t)n * (size_t)n, sizeof *linked);
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        int32_t first = mesh->starts[k], size = mesh->starts[k + 1] - first;
        for (int32_t i = 0; i < size; i++) {
            int32_t a = mesh->corners[first + i], b = mesh->corners[first + (i + 1) % size];
            if (a != b) linked[a * n + b] = linked[b * n + a] = true;
        }
    }
    sup_adjacency adjacency;
    assert_int_equal(sup_mesh_adjacency(NULL, mesh, &adjacency, NULL), SUP_OK);
    assert_int_equal(adjacency.point_count, n);
    int32_t edge = 0, entry = 0;
    for (int32_t a = 0; a < n; a++) {
        assert_int_equal(adjacency.starts[a], entry);
        for (int32_t b = 0; b < n; b++) {
            if (!linked[a * n + b]) continue;
            assert_int_equal(adjacency.neighbours[entry++], b);
            if (b < a) continue;
            assert_int_equal(adjacency.edges[2 * edge], a);
            assert_int_equal(adjacency.edges[2 * edge + 1], b);
            edge++;
        }
    }
    assert_int_equal(adjacency.edge_count, edge);
    assert_int_equal(adjacency.starts[n], entry);
    assert_int_equal(inspect(mesh).edge_count, edge);
    sup_adjacency_free(&adjacency);
    free(linked);
}

static void test_adjacency(void** state) {
    (void)state;
    sup_mesh meshes[4] = {make_icosphere(1, 2), make_box(1, 2, 3, 3), make_torus(1, 0.3, 7, 5),
                          make_capsule(1, 1, 8)};
    for (int i = 0; i < 4; i++) {
        check_adjacency(&meshes[i]);
        sup_mesh_free(&meshes[i]);
    }
    /* Random triangles, some with repeated corners. */
    uint64_t seed = 5;
    sup_vec3 points[40];
    int32_t corners[180];
    memset(points, 0, sizeof points);
    for (int c = 0; c < 180; c++) corners[c] = (int32_t)(20.0 + 19.9 * random_number(&seed));
    corners[4] = corners[3];
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, 40, points, 60, NULL, corners, &mesh, NULL), SUP_OK);
    check_adjacency(&mesh);
    sup_mesh_free(&mesh);
}

/* --- inspection --- */

static sup_mesh triangles(int32_t point_count, int32_t count, const int32_t* corners) {
    sup_vec3 points[16];
    for (int i = 0; i < 16; i++) {
        points[i] = (sup_vec3){(float)(i % 2), (float)(i / 2 % 2), (float)(i / 4)};
    }
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, point_count, points, count, NULL, corners, &mesh, NULL),
                     SUP_OK);
    return mesh;
}

static void test_inspect_open(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 3, 4, 3, 4, &mesh, NULL), SUP_OK);
    sup_mesh_report report = inspect(&mesh);
    assert_int_equal(report.edge_count, 3 * 5 + 4 * 4);
    assert_int_equal(report.boundary_edge_count, 14);
    assert_int_equal(report.tangled_edge_count, 0);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(report.fan_point_count, 0);
    assert_false(report.closed);
    assert_true(report.volume == 0.0);
    assert_true(fabs(report.area - 12.0) < 1e-6);
    assert_true(fabs(report.mean_edge - 1.0) < 1e-6);
    sup_mesh_free(&mesh);
}

static void test_inspect_tangles(void** state) {
    (void)state;
    /* Three triangles on one edge. */
    const int32_t book[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    sup_mesh mesh = triangles(6, 3, book);
    sup_mesh_report report = inspect(&mesh);
    assert_int_equal(report.edge_count, 7);
    assert_int_equal(report.tangled_edge_count, 1);
    assert_int_equal(report.boundary_edge_count, 6);
    assert_int_equal(report.unused_point_count, 1);
    assert_int_equal(report.fan_point_count, 0);
    sup_mesh_free(&mesh);
    /* Two triangles that run the same way along their edge. */
    const int32_t flipped[6] = {0, 1, 2, 0, 1, 3};
    mesh = triangles(4, 2, flipped);
    assert_int_equal(inspect(&mesh).tangled_edge_count, 1);
    sup_mesh_free(&mesh);
    /* Two tetrahedra that share point 3. */
    const int32_t touching[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                  4, 6, 5, 4, 5, 3, 5, 6, 3, 6, 4, 3};
    mesh = triangles(7, 8, touching);
    report = inspect(&mesh);
    assert_true(report.closed);
    assert_int_equal(report.fan_point_count, 1);
    assert_int_equal(report.component_count, 1);
    sup_mesh_free(&mesh);
}

static void test_inspect_parts(void** state) {
    (void)state;
    sup_mesh a = make_icosphere(1, 1), b = make_box(4, 4, 4, 2);
    sup_mesh both = make_union(&b, &a, true);
    sup_mesh_report report = inspect(&both), inner = inspect(&a);
    assert_true(report.closed);
    assert_int_equal(report.component_count, 2);
    assert_true(fabs(report.volume - (64.0 - inner.volume)) < 1e-9);
    sup_mesh_free(&a);
    sup_mesh_free(&b);
    sup_mesh_free(&both);
}

static void test_volume_far_away(void** state) {
    (void)state;
    sup_mesh mesh = make_box(1, 1, 1, 4);
    const double scale[3] = {1, 1, 1}, none[4] = {0, 0, 0, 1}, offset[3] = {8192, -8192, 8192};
    sup_mesh_transform(&mesh, scale, none, offset);
    assert_true(fabs(inspect(&mesh).volume - 1.0) < 1e-12);
    sup_mesh_free(&mesh);
}

/* --- memory --- */

static sup_result attempt_create(const sup_allocator* allocator, sup_error* error) {
    const int32_t corners[3] = {0, 1, 2};
    sup_mesh mesh;
    sup_result result = sup_mesh_create(allocator, 4, square, 1, NULL, corners, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static sup_result attempt_adjacency(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh = make_icosphere(1, 1);
    sup_adjacency adjacency;
    sup_result result = sup_mesh_adjacency(allocator, &mesh, &adjacency, error);
    if (result == SUP_OK) sup_adjacency_free(&adjacency);
    sup_mesh_free(&mesh);
    return result;
}

static sup_result attempt_inspect(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh = make_icosphere(1, 1);
    sup_mesh_report report;
    sup_result result = sup_mesh_inspect(allocator, &mesh, &report, error);
    sup_mesh_free(&mesh);
    return result;
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_create);
    refuse_each_allocation(attempt_adjacency);
    refuse_each_allocation(attempt_inspect);
}

/* --- sorting --- */

static void check_sort(int32_t count, uint64_t mask) {
    size_t size = (size_t)count;
    uint64_t *keys = malloc(size * sizeof *keys), *old = malloc(size * sizeof *old);
    uint64_t* scratch_keys = malloc(size * sizeof *scratch_keys);
    int32_t *ids = malloc(size * sizeof *ids), *scratch_ids = malloc(size * sizeof *scratch_ids);
    uint64_t seed = 11;
    for (int32_t i = 0; i < count; i++) {
        random_number(&seed);
        keys[i] = old[i] = (seed ^ seed << 23) & mask;
        ids[i] = i;
    }
    supi_sort_keys(count, keys, ids, scratch_keys, scratch_ids);
    for (int32_t i = 0; i < count; i++) {
        assert_true(keys[i] == old[ids[i]]);
        if (i == 0) continue;
        assert_true(keys[i - 1] <= keys[i]);
        /* Stable, and so also a permutation. */
        if (keys[i - 1] == keys[i]) assert_true(ids[i - 1] < ids[i]);
    }
    free(keys);
    free(old);
    free(scratch_keys);
    free(ids);
    free(scratch_ids);
}

static void test_sort(void** state) {
    (void)state;
    const int32_t counts[5] = {1, 2, 3, 257, 5000};
    const uint64_t masks[6] = {UINT64_MAX, 0, 0xf, 0xff0000000000000f, 0xffff00, 1ull << 63};
    supi_sort_keys(0, NULL, NULL, NULL, NULL);
    for (int c = 0; c < 5; c++) {
        for (int m = 0; m < 6; m++) check_sort(counts[c], masks[m]);
    }
}

static void test_morton_code(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        uint32_t at[3];
        for (int k = 0; k < 3; k++) {
            random_number(&seed);
            at[k] = (uint32_t)(seed >> 40) & 0x1fffff;
        }
        uint64_t code = 0;
        for (int bit = 0; bit < 21; bit++) {
            for (int k = 0; k < 3; k++) code |= (uint64_t)(at[k] >> bit & 1) << (3 * bit + k);
        }
        assert_true(supi_morton_code(at[0], at[1], at[2]) == code);
    }
    assert_true(supi_morton_code(0x1fffff, 0x1fffff, 0x1fffff) == INT64_MAX);
}

static double path_length(int32_t count, const float* rows, const int32_t* order) {
    double sum = 0.0;
    for (int32_t i = 1; i < count; i++) {
        double square_sum = 0.0;
        for (int k = 0; k < 3; k++) {
            double d = (double)(rows[4 * order[i] + k] - rows[4 * order[i - 1] + k]);
            square_sum += d * d;
        }
        sum += sqrt(square_sum);
    }
    return sum;
}

static void test_morton_order(void** state) {
    (void)state;
    enum { COUNT = 4096 };
    static float rows[4 * COUNT];
    static int32_t order[COUNT], unsorted[COUNT];
    static bool met[COUNT];
    uint64_t seed = 9;
    for (int i = 0; i < 4 * COUNT; i++) rows[i] = (float)random_number(&seed);
    for (int i = 0; i < COUNT; i++) unsorted[i] = i;
    assert_true(supi_morton_order(sup_allocator_default(), COUNT, rows, 4, order));
    for (int i = 0; i < COUNT; i++) {
        assert_true(order[i] >= 0 && order[i] < COUNT && !met[order[i]]);
        met[order[i]] = true;
    }
    /* Mean step near the mean distance of neighbours (2 / 16), not of strangers (1.3). */
    assert_true(path_length(COUNT, rows, unsorted) / COUNT > 1.2);
    assert_true(path_length(COUNT, rows, order) / COUNT < 0.25);

    /* Equal points keep their order; none is fine. */
    const float same[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    assert_true(supi_morton_order(sup_allocator_default(), 4, same, 3, order));
    for (int i = 0; i < 4; i++) assert_int_equal(order[i], i);
    assert_true(supi_morton_order(sup_allocator_default(), 0, same, 3, order));
}

static sup_result attempt_morton(const sup_allocator* allocator, sup_error* error) {
    const float points[6] = {0, 0, 0, 1, 1, 1};
    int32_t order[2];
    if (supi_morton_order(allocator, 2, points, 3, order)) return SUP_OK;
    error->code = SUP_NO_MEMORY;
    return SUP_NO_MEMORY;
}

static void test_morton_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_morton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_create_refuses),
        cmocka_unit_test(test_hand_made_mesh_is_checked),
        cmocka_unit_test(test_transform),
        cmocka_unit_test(test_adjacency),
        cmocka_unit_test(test_inspect_open),
        cmocka_unit_test(test_inspect_tangles),
        cmocka_unit_test(test_inspect_parts),
        cmocka_unit_test(test_volume_far_away),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_morton_code),
        cmocka_unit_test(test_morton_order),
        cmocka_unit_test(test_morton_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
