/* Triangles of polygons that have been bent (A10). */
#include "deform/surfaces.h"

static double volume_part(const sup_mesh* mesh, int32_t t, double normal[3]) {
    const sup_vec3* a = &mesh->points[mesh->corners[3 * t]];
    const sup_vec3* b = &mesh->points[mesh->corners[3 * t + 1]];
    const sup_vec3* c = &mesh->points[mesh->corners[3 * t + 2]];
    double u[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                   (double)b->z - (double)a->z};
    double v[3] = {(double)c->x - (double)a->x, (double)c->y - (double)a->y,
                   (double)c->z - (double)a->z};
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
    return sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

/* A10 */
static void bent_quads_are_two_triangles_that_face_outwards(void** state) {
    (void)state;
    sup_mesh mesh = sheet(12), bent, triangles;
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    uint8_t diagonals[144] = {0};
    int32_t middle = 6 * 13 + 6;
    sup_vec3* without = NULL;
    for (int cut = 0; cut < 2; cut++) {
        require(sup_clay_set_points(surface, mesh.points, NULL), NULL);
        for (int step = 0; step < 4; step++) {
            pull_by(surface, &def, middle, (sup_vec3){0.05f, 0.0f, 0.4f});
            if (!cut) continue;
            require(sup_clay_mesh(surface, NULL, &bent, NULL, NULL), NULL);
            require(sup_mesh_triangulate(NULL, &bent, mesh.points, diagonals, &triangles, NULL),
                    NULL);
            assert_int_equal(triangles.polygon_count, 288);
            double rest_normal[3], normal[3];
            volume_part(&mesh, 0, rest_normal);
            for (int32_t t = 0; t < triangles.polygon_count; t++) {
                volume_part(&triangles, t, normal);
                assert_true(normal[2] * rest_normal[2] > 0.0);
            }
            sup_mesh_free(&bent);
            sup_mesh_free(&triangles);
        }
        sup_vec3* points = points_of(surface);
        if (cut) assert_memory_equal(points, without, 169 * sizeof *points);
        if (cut) free(points);
        if (!cut) without = points;
    }
    free(without);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

static void cuts_change_only_when_it_is_worth_it(void** state) {
    (void)state;
    sup_vec3 places[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const int32_t starts[2] = {0, 4}, corners[4] = {0, 1, 2, 3};
    sup_mesh mesh = mesh_of(4, places, 1, starts, corners), triangles;
    uint8_t diagonal = 0, first;
    require(sup_mesh_triangulate(NULL, &mesh, NULL, &diagonal, &triangles, NULL), NULL);
    sup_mesh_free(&triangles);
    first = diagonal;
    mesh.points[2] = (sup_vec3){1.03f, 1.03f, 0.0f}; /* 3 % longer from 0 to 2 */
    require(sup_mesh_triangulate(NULL, &mesh, NULL, &diagonal, &triangles, NULL), NULL);
    sup_mesh_free(&triangles);
    assert_int_equal(diagonal, first);
    mesh.points[2] = (sup_vec3){1.2f, 1.2f, 0.0f};
    require(sup_mesh_triangulate(NULL, &mesh, NULL, &diagonal, &triangles, NULL), NULL);
    sup_mesh_free(&triangles);
    assert_int_not_equal(diagonal, first);
    /* a call that fails has changed nothing */
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_result result = SUP_NO_MEMORY;
    for (int at = 1; result != SUP_OK; at++) {
        diagonal = 0;
        test_allocator_arm(&counter, at, false);
        result = sup_mesh_triangulate(allocator, &mesh, NULL, &diagonal, &triangles, NULL);
        assert_true(result == SUP_OK ? diagonal != 0 && at > 2 : diagonal == 0);
    }
    sup_mesh_free(&triangles);
    assert_int_equal(counter.blocks, 0);
    /* an arrow: the shorter diagonal lies outside */
    mesh.points[2] = (sup_vec3){0.3f, 0.3f, 0.0f};
    mesh.points[0] = (sup_vec3){-1.0f, -1.0f, 0.0f};
    require(sup_mesh_triangulate(NULL, &mesh, NULL, NULL, &triangles, NULL), NULL);
    for (int32_t t = 0; t < 2; t++) {
        double normal[3];
        volume_part(&triangles, t, normal);
        assert_true(normal[2] > 0.0);
    }
    sup_mesh_free(&triangles);
    sup_mesh_free(&mesh);
}

static void larger_polygons_lose_their_ears(void** state) {
    (void)state;
    /* the letter U, which no fan covers; of two points one polygon, and a quad that goes there and
       back twice; one of one point; spikes in the middle and where the end meets the beginning,
       alone and on a triangle */
    sup_vec3 places[9] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0},    {2, 3, 0}, {2, 1, 0},
                          {1, 1, 0}, {1, 3, 0}, {0, 3, 0.2f}, {5, 5, 5}};
    const int32_t starts[9] = {0, 8, 11, 15, 20, 24, 28, 33, 38};
    const int32_t corners[38] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 1, 0, 1, 0, 1, 8, 8, 8, 8,
                                 8, 0, 1, 0, 2, 0, 1, 2, 1, 0, 1, 8, 1, 2, 1, 2, 0, 8, 0};
    uint8_t diagonals[8] = {0};
    sup_mesh mesh = mesh_of(9, places, 8, starts, corners), triangles;
    require(sup_mesh_triangulate(NULL, &mesh, NULL, diagonals, &triangles, NULL), NULL);
    assert_int_equal(triangles.polygon_count, 8);
    assert_int_equal(diagonals[2], 0);
    double area = 0.0;
    for (int32_t t = 0; t < 8; t++) {
        double normal[3];
        volume_part(&triangles, t, normal);
        assert_true(normal[2] > 0.0);
        area += 0.5 * normal[2];
    }
    assert_near(area, 7.0 + 2 * 4.5, 1e-6);
    sup_mesh_free(&triangles);
    mesh.points[0].x = NAN;
    assert_int_equal(sup_mesh_triangulate(NULL, &mesh, NULL, NULL, &triangles, NULL),
                     SUP_BAD_ARGUMENT);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_quads_are_two_triangles_that_face_outwards),
        cmocka_unit_test(cuts_change_only_when_it_is_worth_it),
        cmocka_unit_test(larger_polygons_lose_their_ears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
