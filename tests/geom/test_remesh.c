/* Remeshing: even triangles, the same surface, the same topology. */
#include "geom/remesh.h"

#include <string.h>

#include "geom/isosurface.h"
#include "geom/meshes.h"
#include "geom/vector.h"

static double torus_distance(const double p[3]) {
    double out = sqrt(p[0] * p[0] + p[2] * p[2]) - 0.7;
    return sqrt(out * out + p[1] * p[1]) - 0.2;
}

static double torus_depth(const void* data, const double p[3]) {
    (void)data;
    return -torus_distance(p);
}

static void project(void* data, const double normal[3], double place[3]) {
    (void)data;
    for (int step = 0; step < 3; step++) {
        double value = torus_distance(place);
        for (int k = 0; k < 3; k++) place[k] -= value * normal[k];
    }
}

static sup_result make(const sup_allocator* allocator, double spacing, sup_mesh* out,
                       sup_error* error) {
    supi_iso_field field = {.value = torus_depth};
    supi_iso_grid grid = {{-1, -1, -1}, {1, 1, 1}, spacing, 0, 0};
    return supi_isosurface_mesh(allocator, &field, &grid, out, error);
}

/* The smallest angle of all triangles, degrees. */
static double smallest_angle(const sup_mesh* mesh) {
    double least = 180;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        int32_t first = c - c % 3;
        double p[3][3], ab[3], ac[3];
        for (int i = 0; i < 3; i++) {
            supi_vector_from(mesh->points + mesh->corners[first + (c + i) % 3], p[i]);
        }
        supi_vector_subtract(p[1], p[0], ab);
        supi_vector_subtract(p[2], p[0], ac);
        double cosine = supi_vector_dot(ab, ac) / (supi_vector_length(ab) * supi_vector_length(ac));
        double angle = acos(cosine) * 180 / PI;
        least = angle < least ? angle : least;
    }
    return least;
}

static void triangles_become_even(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(make(NULL, 0.04, &mesh, NULL), SUP_OK);
    double volume = inspect(&mesh).volume;
    int32_t before = mesh.point_count;
    assert_true(smallest_angle(&mesh) < 5);
    supi_remesh_def def = {
        .length = 0.06, .finest = 0.06, .angle = 0.4, .rounds = 5, .project = project};
    assert_int_equal(supi_remesh(&mesh, &def, NULL), SUP_OK);
    sup_mesh_report report = inspect(&mesh);
    assert_true(report.closed);
    assert_int_equal(report.fan_point_count, 0);
    assert_int_equal(mesh.point_count - report.edge_count + mesh.polygon_count, 0);
    assert_true(mesh.point_count < before / 3);
    assert_true(smallest_angle(&mesh) > 22);
    assert_true(report.mean_edge > 0.8 * def.length && report.mean_edge < 1.25 * def.length);
    assert_true(fabs(report.volume / volume - 1) < 0.02);
    for (int32_t i = 0; i < mesh.point_count; i++) {
        double p[3];
        supi_vector_from(mesh.points + i, p);
        assert_true(fabs(torus_distance(p)) < 1e-4);
    }
    sup_mesh_free(&mesh);
}

/* Where the surface is bent, edges are shorter: here everywhere, down to the finest. */
static void bent_places_are_finer(void** state) {
    (void)state;
    int32_t counts[2];
    for (int i = 0; i < 2; i++) {
        sup_mesh mesh;
        assert_int_equal(make(NULL, 0.02, &mesh, NULL), SUP_OK);
        supi_remesh_def def = {.length = 0.12,
                               .finest = i == 0 ? 0.12 : 0.04,
                               .angle = 0.2,
                               .rounds = 5,
                               .project = project};
        assert_int_equal(supi_remesh(&mesh, &def, NULL), SUP_OK);
        assert_true(inspect(&mesh).closed);
        counts[i] = mesh.point_count;
        sup_mesh_free(&mesh);
    }
    assert_true(counts[1] > 3 * counts[0]);
}

/* A refusal leaves the mesh as it was. */
static void failures_change_nothing(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_mesh mesh, copy;
    assert_int_equal(make(allocator, 0.06, &mesh, NULL), SUP_OK);
    assert_int_equal(make(NULL, 0.06, &copy, NULL), SUP_OK);
    long long before = counter.bytes;
    supi_remesh_def def = {.length = 0.1, .finest = 0.1, .angle = 0.4, .rounds = 2};
    for (long long n = 1;; n++) {
        sup_error error = {SUP_OK, 0, 0, ""};
        test_allocator_arm(&counter, n, false);
        sup_result result = supi_remesh(&mesh, &def, &error);
        if (counter.refused == 0) {
            assert_int_equal(result, SUP_OK);
            break;
        }
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(counter.bytes, before);
        assert_int_equal(mesh.point_count, copy.point_count);
        assert_memory_equal(mesh.points, copy.points,
                            sizeof *mesh.points * (size_t)copy.point_count);
    }
    assert_true(mesh.point_count < copy.point_count);
    sup_mesh_free(&mesh);
    sup_mesh_free(&copy);
    assert_int_equal(counter.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_become_even),
        cmocka_unit_test(bent_places_are_finer),
        cmocka_unit_test(failures_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
