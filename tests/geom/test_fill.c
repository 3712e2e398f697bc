/* Winding numbers, distances to triangles, and filling. */
#include "geom/meshes.h"

#include <string.h>

#include "geom/triangle.h"

/* --- winding --- */

/* W is 1 inside and 0 outside; `inside` tells for points that are not near the surface. */
static void check_winding(const sup_mesh* mesh, double size, int (*inside)(const double p[3])) {
    uint64_t seed = 4;
    int met[2] = {0, 0};
    for (int i = 0; i < 150; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = size * random_number(&seed);
        int expected = inside(p);
        if (expected < 0) continue;
        met[expected]++;
        assert_true(fabs(sup_mesh_winding(mesh, p) - expected) < 1e-9);
    }
    assert_true(met[0] > 10 && met[1] > 10);
}

static int judge(double distance) { return fabs(distance) < 0.02 ? -1 : distance < 0.0; }

static int in_sphere(const double p[3]) {
    return judge(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 1.0);
}

static int in_box(const double p[3]) {
    return judge(fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) - 1.0);
}

static int in_torus(const double p[3]) {
    double x = sqrt(p[0] * p[0] + p[2] * p[2]) - 1.0;
    return judge(sqrt(x * x + p[1] * p[1]) - 0.5);
}

static int in_capsule(const double p[3]) {
    double y = fmax(fabs(p[1]) - 0.5, 0.0);
    return judge(sqrt(p[0] * p[0] + y * y + p[2] * p[2]) - 0.7);
}

static int in_shell(const double p[3]) {
    double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return judge(fmax(r - 1.0, 0.5 - r));
}

static sup_mesh make_shell(int32_t subdivisions) {
    sup_mesh outer = make_icosphere(1, subdivisions), inner = make_icosphere(0.5, subdivisions);
    sup_mesh both = make_union(&outer, &inner, true);
    sup_mesh_free(&outer);
    sup_mesh_free(&inner);
    return both;
}

static void test_winding(void** state) {
    (void)state;
    sup_mesh meshes[5] = {make_icosphere(1, 3), make_box(2, 2, 2, 3), make_torus(1, 0.5, 60, 30),
                          make_capsule(0.7, 1, 40), make_shell(3)};
    int (*inside[5])(const double p[3]) = {in_sphere, in_box, in_torus, in_capsule, in_shell};
    for (int i = 0; i < 5; i++) {
        sup_mesh soup = make_soup(&meshes[i]);
        check_winding(&meshes[i], 1.4, inside[i]);
        check_winding(&soup, 1.4, inside[i]);
        sup_mesh_free(&soup);
        sup_mesh_free(&meshes[i]);
    }
}

static void test_winding_at_the_surface(void** state) {
    (void)state;
    sup_mesh mesh = make_box(2, 2, 2, 1);
    const double face[3] = {1, 0.3, 0.1}, edge[3] = {1, 1, 0.25}, corner[3] = {1, 1, 1};
    assert_true(fabs(sup_mesh_winding(&mesh, face) - 0.5) < 1e-12);
    assert_true(fabs(sup_mesh_winding(&mesh, edge) - 0.25) < 1e-12);
    assert_true(fabs(sup_mesh_winding(&mesh, corner) - 0.125) < 1e-12);
    sup_mesh_free(&mesh);
}

/* --- triangles --- */

static supi_triangle random_triangle(uint64_t* seed) {
    sup_vec3 p[3];
    for (int i = 0; i < 3; i++) {
        p[i].x = (float)random_number(seed);
        p[i].y = (float)random_number(seed);
        p[i].z = (float)random_number(seed);
    }
    return supi_triangle_from(&p[0], &p[1], &p[2]);
}

/* Point of the triangle with barycentric coordinates i/n, j/n. */
static void triangle_point(const supi_triangle* t, int i, int j, int n, double p[3]) {
    for (int k = 0; k < 3; k++) {
        p[k] = (i * t->corner[1][k] + j * t->corner[2][k] + (n - i - j) * t->corner[0][k]) / n;
    }
}

static void test_triangle_distance(void** state) {
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 200; trial++) {
        supi_triangle t = random_triangle(&seed);
        double p[3], best = 1e9;
        for (int k = 0; k < 3; k++) p[k] = 2.0 * random_number(&seed);
        const int n = 60;
        for (int i = 0; i <= n; i++) {
            for (int j = 0; i + j <= n; j++) {
                double q[3];
                triangle_point(&t, i, j, n, q);
                best = fmin(best, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
            }
        }
        double distance = sqrt(supi_triangle_distance2(&t, p));
        assert_true(distance <= best + 1e-12);
        assert_true(distance > best - 0.06);
    }
    /* No area: a segment and a point. */
    const sup_vec3 a = {0, 0, 0}, b = {2, 0, 0}, c = {1, 0, 0};
    const double p[3] = {1.5, 3, 4};
    supi_triangle line = supi_triangle_from(&a, &b, &c), dot = supi_triangle_from(&c, &c, &c);
    assert_true(fabs(supi_triangle_distance2(&line, p) - 25.0) < 1e-12);
    assert_true(fabs(supi_triangle_distance2(&dot, p) - 25.25) < 1e-12);
}

static void test_triangle_box(void** state) {
    (void)state;
    uint64_t seed = 6;
    int met[2] = {0, 0};
    for (int trial = 0; trial < 2000; trial++) {
        supi_triangle t = random_triangle(&seed);
        double centre[3], half[3], wider[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = random_number(&seed);
            half[k] = 0.15 + 0.1 * random_number(&seed);
            wider[k] = half[k] + 0.05;
        }
        bool sampled = false;
        const int n = 60;
        for (int i = 0; i <= n && !sampled; i++) {
            for (int j = 0; i + j <= n && !sampled; j++) {
                double q[3];
                triangle_point(&t, i, j, n, q);
                sampled = fabs(q[0] - centre[0]) <= half[0] && fabs(q[1] - centre[1]) <= half[1] &&
                          fabs(q[2] - centre[2]) <= half[2];
            }
        }
        bool touches = supi_triangle_touches_box(&t, centre, half);
        met[touches]++;
        if (sampled) assert_true(touches);
        /* What touches the box has a point in a box wider than the sampling is coarse. */
        if (!touches) continue;
        bool near = false;
        for (int i = 0; i <= n && !near; i++) {
            for (int j = 0; i + j <= n && !near; j++) {
                double q[3];
                triangle_point(&t, i, j, n, q);
                near = fabs(q[0] - centre[0]) <= wider[0] && fabs(q[1] - centre[1]) <= wider[1] &&
                       fabs(q[2] - centre[2]) <= wider[2];
            }
        }
        assert_true(near);
    }
    assert_true(met[0] > 100 && met[1] > 100);
}

/* --- filling --- */

typedef struct filling {
    sup_vec3* points;
    int32_t count;
} filling;

static filling fill(const sup_mesh* mesh, double spacing, double clearance) {
    filling f;
    sup_error error = {SUP_OK, 0, 0, ""};
    if (sup_mesh_fill(NULL, mesh, spacing, clearance, &f.points, &f.count, &error) != SUP_OK) {
        fail_msg("%s", error.text);
    }
    return f;
}

static void empty(filling* f) { sup_points_free(NULL, f->points, f->count); }

static double surface_distance(const sup_mesh* mesh, const double p[3]) {
    double least = INFINITY;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* c = mesh->corners + mesh->starts[k];
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            supi_triangle t = supi_triangle_from(&mesh->points[c[0]], &mesh->points[c[i - 1]],
                                                 &mesh->points[c[i]]);
            least = fmin(least, supi_triangle_distance2(&t, p));
        }
    }
    return sqrt(least);
}

/* Every lattice point is there exactly if it is inside and clear, tested the slow way. */
static void check_fill(const sup_mesh* mesh, double spacing, double clearance) {
    sup_mesh_report report = inspect(mesh);
    filling f = fill(mesh, spacing, clearance);
    int32_t next = 0, half[3];
    double middle[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (int32_t)floor((report.high[k] - report.low[k]) / 2.0 / spacing);
        middle[k] = (report.high[k] + report.low[k]) / 2.0;
    }
    for (int32_t z = -half[2]; z <= half[2]; z++) {
        for (int32_t y = -half[1]; y <= half[1]; y++) {
            for (int32_t x = -half[0]; x <= half[0]; x++) {
                const double p[3] = {middle[0] + x * spacing, middle[1] + y * spacing,
                                     middle[2] + z * spacing};
                double distance = surface_distance(mesh, p);
                if (fabs(distance - clearance) < 1e-4) fail_msg("the test sits on the limit");
                if (distance < clearance || sup_mesh_winding(mesh, p) <= 0.5) continue;
                assert_true(next < f.count);
                assert_true(fabs((double)f.points[next].x - p[0]) < 1e-6);
                assert_true(fabs((double)f.points[next].y - p[1]) < 1e-6);
                assert_true(fabs((double)f.points[next].z - p[2]) < 1e-6);
                next++;
            }
        }
    }
    assert_int_equal(next, f.count);
    empty(&f);
}

static void test_fill_is_exact(void** state) {
    (void)state;
    sup_mesh meshes[6] = {make_icosphere(1, 2),
                          make_box(2, 2.3, 1.7, 2),
                          make_torus(1, 0.5, 16, 9),
                          make_capsule(0.7, 1, 12),
                          make_shell(1),
                          make_box(1, 1, 1, 1)};
    const double spacings[6] = {0.173, 0.23, 0.171, 0.19, 0.217, 0.13};
    /* The last one slanted, so that its large faces cross the lattice. */
    const double unit[3] = {1, 1, 1}, turn[4] = {0.5, 0.1, 0.3, sqrt(0.65)}, offset[3] = {3, 4, 5};
    sup_mesh_transform(&meshes[5], unit, turn, offset);
    for (int i = 0; i < 6; i++) {
        check_fill(&meshes[i], spacings[i], 0.5 * spacings[i]);
        check_fill(&meshes[i], spacings[i], 0.0123);
        check_fill(&meshes[i], spacings[i], 2.1 * spacings[i]);
        sup_mesh_free(&meshes[i]);
    }
}

static void test_fill_counts(void** state) {
    (void)state;
    /* Without clearance the count is the volume over the cell; a soup gives the very same points.
     */
    sup_mesh meshes[4] = {make_icosphere(1, 4), make_torus(1, 0.5, 60, 30),
                          make_capsule(0.7, 1, 40), make_shell(3)};
    for (int i = 0; i < 4; i++) {
        sup_mesh soup = make_soup(&meshes[i]);
        double spacing = 0.0713, cells = inspect(&meshes[i]).volume / pow(spacing, 3.0);
        filling f = fill(&meshes[i], spacing, 0.0), g = fill(&soup, spacing, 0.0);
        assert_true(fabs(f.count - cells) < 0.03 * cells);
        assert_int_equal(f.count, g.count);
        assert_memory_equal(f.points, g.points, (size_t)f.count * sizeof *f.points);
        empty(&f);
        empty(&g);
        sup_mesh_free(&soup);
        sup_mesh_free(&meshes[i]);
    }
}

static void test_fill_is_symmetric(void** state) {
    (void)state;
    sup_mesh meshes[3] = {make_icosphere(1, 3), make_box(1, 2, 1.5, 2), make_torus(1, 0.5, 32, 16)};
    for (int i = 0; i < 3; i++) {
        filling f = fill(&meshes[i], 0.125, 0.0625);
        assert_true(f.count > 100);
        /* The order is by z, y, x, so the mirror image at the middle is the list read backwards. */
        for (int32_t k = 0; k < f.count; k++) {
            const sup_vec3 *a = &f.points[k], *b = &f.points[f.count - 1 - k];
            assert_true(a->x == -b->x && a->y == -b->y && a->z == -b->z);
        }
        empty(&f);
        sup_mesh_free(&meshes[i]);
    }
}

/* Lattice planes that lie in the faces, and a clearance that is met exactly. */
static void test_fill_ties(void** state) {
    (void)state;
    sup_mesh mesh = make_box(1, 1, 1, 3);
    filling f = fill(&mesh, 0.1, 0.0);
    assert_int_equal(f.count, 9 * 9 * 9);
    empty(&f);
    f = fill(&mesh, 0.1, 0.1);
    assert_int_equal(f.count, 9 * 9 * 9);
    empty(&f);
    f = fill(&mesh, 0.1, 0.1001);
    assert_int_equal(f.count, 7 * 7 * 7);
    empty(&f);
    f = fill(&mesh, 0.1, 0.6);
    assert_int_equal(f.count, 0);
    empty(&f);
    f = fill(&mesh, 10.0, 0.1);
    assert_int_equal(f.count, 1);
    empty(&f);
    sup_mesh_free(&mesh);
}

/* Faces that contradict each other spoil the winding number near them, here where the first lattice
   points are, but not the answer. */
static void test_fill_flipped_faces(void** state) {
    (void)state;
    sup_mesh mesh = make_icosphere(1, 3);
    filling f = fill(&mesh, 0.1, 0.05), g;
    for (int32_t k = 0; k < mesh.polygon_count; k++) {
        int32_t *c = mesh.corners + 3 * k, kept = c[1];
        if (mesh.points[c[0]].z > -0.93f) continue;
        c[1] = c[2];
        c[2] = kept;
    }
    assert_true(inspect(&mesh).tangled_edge_count > 0);
    const double first[3] = {0, 0, -0.9};
    assert_true(sup_mesh_winding(&mesh, first) < 0.4);
    g = fill(&mesh, 0.1, 0.05);
    assert_int_equal(f.count, g.count);
    empty(&f);
    empty(&g);
    sup_mesh_free(&mesh);
}

static void expect_refusal(const sup_mesh* mesh, double spacing, double clearance,
                           const char* words) {
    sup_vec3* points = NULL;
    int32_t count = 5;
    sup_error error;
    assert_int_equal(sup_mesh_fill(NULL, mesh, spacing, clearance, &points, &count, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, words);
    assert_null(points);
    assert_int_equal(count, 5);
}

static void test_fill_refuses(void** state) {
    (void)state;
    sup_mesh box = make_box(1, 1, 1, 3), open;
    assert_int_equal(sup_mesh_create(NULL, box.point_count, box.points, box.polygon_count - 1,
                                     box.starts, box.corners, &open, NULL),
                     SUP_OK);
    expect_refusal(&open, 0.1, 0.0,
                   "cannot fill: the surface has 4 boundary edges, it must be closed");
    sup_mesh_free(&open);
    assert_int_equal(sup_mesh_create(NULL, 3, box.points, 0, NULL, NULL, &open, NULL), SUP_OK);
    expect_refusal(&open, 0.1, 0.0, "cannot fill: the surface has no polygon of any size");
    sup_mesh_free(&open);
    const double spacings[4] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        expect_refusal(&box, spacings[i], 0.0, "the spacing of a filling must be above 0");
    }
    expect_refusal(&box, 0.1, -1.0, "the clearance of a filling must be 0 or above");
    expect_refusal(&box, 0.1, NAN, "the clearance of a filling must be 0 or above");
    const char* many =
        "cannot fill: the spacing is too small for the size of the surface, it gives "
        "more than 4000000 lattice points";
    expect_refusal(&box, 0.005, 0.0, many);
    expect_refusal(&box, 1e-300, 0.0, many);
    sup_mesh_free(&box);
}

static sup_result attempt_fill(const sup_allocator* allocator, sup_error* error) {
    sup_mesh mesh = make_icosphere(1, 1);
    sup_vec3* points;
    int32_t count;
    sup_result result = sup_mesh_fill(allocator, &mesh, 0.3, 0.1, &points, &count, error);
    if (result == SUP_OK) sup_points_free(allocator, points, count);
    sup_mesh_free(&mesh);
    return result;
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_fill);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winding),
        cmocka_unit_test(test_winding_at_the_surface),
        cmocka_unit_test(test_triangle_distance),
        cmocka_unit_test(test_triangle_box),
        cmocka_unit_test(test_fill_is_exact),
        cmocka_unit_test(test_fill_counts),
        cmocka_unit_test(test_fill_is_symmetric),
        cmocka_unit_test(test_fill_ties),
        cmocka_unit_test(test_fill_flipped_faces),
        cmocka_unit_test(test_fill_refuses),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
