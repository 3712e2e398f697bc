/* Which corners share a normal: smooth bends do, sharp edges do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/geometry.h"
#include "supple/mesh.h"

#include <math.h>
#include <stdlib.h>

/* How many normals a mesh of triangles gets; also checks that sharing is by point alone. */
static int32_t count_normals(int32_t point_count, const sup_vec3* points, int32_t count,
                             const int32_t (*triangles)[3]) {
    int32_t* own = malloc((size_t)point_count * sizeof *own);
    int32_t(*normals)[3] = calloc((size_t)count, sizeof *normals);
    assert_true(own && normals);
    for (int32_t i = 0; i < point_count; i++) own[i] = i;
    int32_t normal_count = 0;
    assert_true(
        crease_corners(triangles, count, 0, own, points, point_count, normals, &normal_count));
    for (int32_t a = 0; a < 3 * count; a++) {
        assert_in_range(normals[a / 3][a % 3], 0, normal_count - 1);
        for (int32_t b = 0; b < a; b++) {
            if (normals[a / 3][a % 3] != normals[b / 3][b % 3]) continue;
            assert_int_equal(triangles[a / 3][a % 3], triangles[b / 3][b % 3]);
        }
    }
    free(own);
    free(normals);
    return normal_count;
}

/* The same for a mesh of polygons, as fans. */
static int32_t count_mesh_normals(sup_mesh* mesh) {
    int32_t(*triangles)[3] = calloc((size_t)mesh->corner_count, sizeof *triangles), count = 0;
    assert_non_null(triangles);
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        const int32_t* corners = mesh->corners + mesh->starts[p];
        for (int32_t k = 2; k < mesh->starts[p + 1] - mesh->starts[p]; k++, count++) {
            triangles[count][0] = corners[0];
            triangles[count][1] = corners[k - 1];
            triangles[count][2] = corners[k];
        }
    }
    int32_t normals =
        count_normals(mesh->point_count, mesh->points, count, (const int32_t(*)[3])triangles);
    free(triangles);
    sup_mesh_free(mesh);
    return normals;
}

static void test_box(void** state) {
    (void)state;
    sup_mesh box;
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}, &box, NULL),
                     SUP_OK);
    assert_int_equal(count_mesh_normals(&box), 24); /* three at each of eight corners */
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){2, 2, 2}, &box, NULL),
                     SUP_OK);
    assert_int_equal(count_mesh_normals(&box), 8 * 3 + 12 * 2 + 6);
}

static void test_ball(void** state) {
    (void)state;
    sup_mesh ball;
    assert_int_equal(sup_mesh_icosphere(NULL, 1, 2, &ball, NULL), SUP_OK);
    int32_t points = ball.point_count;
    assert_int_equal(count_mesh_normals(&ball), points);
}

/* Two triangles with a common edge, the second folded by an angle. */
static int32_t roof_normals(double degrees) {
    double angle = degrees * 3.14159265358979 / 180;
    const sup_vec3 points[4] = {
        {0, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {(float)cos(angle), (float)-sin(angle), 0}};
    const int32_t triangles[2][3] = {{0, 2, 1}, {0, 1, 3}};
    return count_normals(4, points, 2, triangles);
}

static void test_angle(void** state) {
    (void)state;
    assert_int_equal(roof_normals(0), 4);
    assert_int_equal(roof_normals(39), 4);
    assert_int_equal(roof_normals(41), 6);
    assert_int_equal(roof_normals(90), 6);
}

/* Two fans that meet in a point alone keep normals of their own. */
static void test_bow_tie(void** state) {
    (void)state;
    const sup_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {1, 0, -1}, {-1, 0, 0}, {-1, 0, 1}};
    const int32_t triangles[2][3] = {{0, 1, 2}, {0, 3, 4}};
    assert_int_equal(count_normals(5, points, 2, triangles), 6);
}

/* Points that the body has welded are one particle; numbers go on from where they were. */
static void test_welded(void** state) {
    (void)state;
    const sup_vec3 rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {1, 0, -1}};
    const int32_t triangles[2][3] = {{10, 11, 12}, {13, 14, 15}};
    const int32_t particle_of[6] = {0, 1, 2, 1, 3, 2};
    int32_t normals[2][3], count = 7;
    assert_true(crease_corners(triangles, 2, 10, particle_of, rest, 4, normals, &count));
    assert_int_equal(count, 7 + 4);
    assert_int_equal(normals[0][0], 7);
    assert_int_equal(normals[1][0], normals[0][1]);
    assert_int_equal(normals[1][2], normals[0][2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),     cmocka_unit_test(test_ball),   cmocka_unit_test(test_angle),
        cmocka_unit_test(test_bow_tie), cmocka_unit_test(test_welded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
