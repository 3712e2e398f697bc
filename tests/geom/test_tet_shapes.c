/* Forty shapes, good and bad, from a millimetre to a hundred metres: each gets tetrahedra of
   positive volume or a refusal with a reason, by every method. */
#include "geom/tets.h"
#include "sizes.h"

static const double one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};

static sup_mesh at(sup_mesh mesh, double x, double y, double z) {
    const double to[3] = {x, y, z};
    sup_mesh_transform(&mesh, one, still, to);
    return mesh;
}

static sup_mesh stretched(sup_mesh mesh, double x, double y, double z) {
    const double scale[3] = {x, y, z}, none[3] = {0, 0, 0}, turn[4] = {0.3, 0.2, 0.1, sqrt(0.86)};
    sup_mesh_transform(&mesh, scale, turn, none);
    return mesh;
}

static sup_mesh joined(sup_mesh a, sup_mesh b, bool reverse) {
    sup_mesh both = make_union(&a, &b, reverse);
    sup_mesh_free(&a);
    sup_mesh_free(&b);
    return both;
}

/* Every n-th polygon turned round. */
static sup_mesh turned(sup_mesh mesh, int32_t n) {
    for (int32_t k = 0; k < mesh.polygon_count; k += n) {
        int32_t *a = &mesh.corners[mesh.starts[k]], *b = &mesh.corners[mesh.starts[k + 1] - 1];
        int32_t swap = *a;
        *a = *b;
        *b = swap;
    }
    return mesh;
}

/* Only the first polygons. */
static sup_mesh cut(sup_mesh mesh, double share) {
    sup_mesh out;
    int32_t count = (int32_t)(share * mesh.polygon_count);
    assert_int_equal(sup_mesh_create(NULL, mesh.point_count, mesh.points, count, mesh.starts,
                                     mesh.corners, &out, NULL),
                     SUP_OK);
    sup_mesh_free(&mesh);
    return out;
}

static sup_mesh noisy(sup_mesh mesh, double by) {
    uint64_t seed = 3;
    for (int32_t i = 0; i < mesh.point_count; i++) {
        mesh.points[i].x += (float)(by * random_number(&seed));
        mesh.points[i].y += (float)(by * random_number(&seed));
        mesh.points[i].z += (float)(by * random_number(&seed));
    }
    return mesh;
}

static sup_mesh soup(sup_mesh mesh) {
    sup_mesh out = make_soup(&mesh);
    sup_mesh_free(&mesh);
    return out;
}

static sup_mesh grid(double x, double z) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, x, z, 10, 10, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh model(sup_model which) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_model(NULL, which, 0.25, &mesh, NULL), SUP_OK);
    return mesh;
}

/* A ring of tori has the genus of their number. */
static sup_mesh rings(int32_t count) {
    sup_mesh mesh = make_torus(1, 0.3, 32, 12);
    for (int32_t k = 1; k < count; k++)
        mesh = joined(mesh, at(make_torus(1, 0.3, 32, 12), 2.0 * k, 0, 0), false);
    return mesh;
}

static sup_mesh make(int k) {
    switch (k) {
    case 0: return make_icosphere(1, 3);
    case 1: return make_box(1, 1, 1, 1);
    case 2: return make_box(1, 2, 3, 3);
    case 3: return make_capsule(0.4, 2, 16);
    case 4: return stretched(make_icosphere(1, 3), 1, 0.5, 0.25);
    case 5: return stretched(make_box(1, 1, 1, 2), 1, 1, 1);
    case 6: return make_icosphere(1, 0);
    case 7: return rings(1);
    case 8: return rings(2);
    case 9: return rings(3);
    case 10: return stretched(make_torus(1, 0.1, 48, 8), 1, 1, 1);
    case 11: return stretched(make_box(1, 0.02, 1, 2), 1, 1, 1);
    case 12: return stretched(make_box(0.01, 0.01, 1, 4), 1, 1, 1);
    case 13: return stretched(make_icosphere(1, 3), 1, 1, 1e-4);
    case 14: return joined(make_box(1, 1, 1, 1), at(make_box(1, 1, 1, 1), 1, 0, 0), false);
    case 15: return joined(make_box(1, 1, 1, 1), at(make_box(1, 1, 1, 1), 1, 1, 0), false);
    case 16: return joined(make_box(1, 1, 1, 1), at(make_box(1, 1, 1, 1), 1, 1, 1), false);
    case 17: return joined(make_icosphere(1, 3), at(make_icosphere(1, 3), 2, 0, 0), false);
    case 18: return joined(make_icosphere(1, 3), at(make_icosphere(1, 3), 1, 0, 0), false);
    case 19: return joined(make_icosphere(1, 3), at(make_icosphere(1, 3), 1, 0, 0), true);
    case 20: return joined(make_icosphere(1, 3), make_icosphere(1, 3), false);
    case 21: return joined(make_icosphere(1, 3), make_icosphere(1, 3), true);
    case 22: return joined(make_icosphere(1, 3), make_icosphere(0.7, 3), false);
    case 23: return noisy(make_icosphere(1, 3), 0.3);
    case 24: return noisy(make_box(1, 1, 1, 6), 2);
    case 25: return cut(make_icosphere(1, 3), 0.5);
    case 26: return cut(make_torus(1, 0.3, 32, 12), 0.9);
    case 27: return cut(make_box(1, 1, 1, 1), 0.9);
    case 28: return grid(1, 1);
    case 29: return turned(make_icosphere(1, 3), 3);
    case 30: return turned(soup(make_box(1, 1, 1, 3)), 2);
    case 31: return soup(make_torus(1, 0.3, 32, 12));
    case 32: return cut(soup(noisy(make_icosphere(1, 3), 0.1)), 0.7);
    case 33: return joined(make_box(1, 1, 1, 1), grid(2, 2), false);
    case 34: return joined(grid(1, 1), at(grid(1, 1), 0, 1e-7, 0), false);
    case 35: return model(SUP_MODEL_SQUID);
    case 36: return model(SUP_MODEL_PLANT);
    case 37: return cut(make_icosphere(1, 0), 0.05);
    case 38: return joined(make_icosphere(1, 2), at(make_icosphere(0.01, 2), 9, 0, 0), false);
    default: return cut(make_box(1, 1, 1, 1), 0);
    }
}

/* Every point of the surface hangs on a tetrahedron, and none moves at rest. A cage that lost no
   piece holds all that polygons have: the coordinates in that tetrahedron, taken anew in double,
   say so. */
static void check_hanging(const sup_mesh* mesh, const sup_tets* tets,
                          const sup_tets_making* making) {
    sup_embedding e;
    sup_error error = {SUP_OK, 0, 0, ""};
    assert_int_equal(sup_tets_embed(NULL, tets, mesh->point_count, mesh->points, &e, &error),
                     SUP_OK);
    assert_int_equal(e.point_count, mesh->point_count);
    sup_vec3* posed = malloc((size_t)e.point_count * sizeof *posed);
    sup_embedding_pose(&e, tets, tets->points, posed);
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30}, diagonal = 0;
    for (int32_t i = 0; i < mesh->point_count; i++) {
        const float at[3] = {mesh->points[i].x, mesh->points[i].y, mesh->points[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (double)at[k]);
            high[k] = fmax(high[k], (double)at[k]);
        }
    }
    for (int k = 0; k < 3; k++) diagonal += (high[k] - low[k]) * (high[k] - low[k]);
    diagonal = sqrt(diagonal);
    bool* used = calloc((size_t)mesh->point_count, sizeof *used);
    if (making->method == SUP_TETS_CAGE && making->dropped == 0) {
        int32_t corners = mesh->starts[mesh->polygon_count];
        for (int32_t c = 0; c < corners; c++) used[mesh->corners[c]] = true;
    }
    for (int32_t i = 0; i < e.point_count; i++) {
        const sup_vec3 *p = &mesh->points[i], *q = &posed[i];
        assert_true(e.tets[i] >= 0 && e.tets[i] < tets->tet_count);
        assert_true(hypot(hypot((double)p->x - (double)q->x, (double)p->y - (double)q->y),
                          (double)p->z - (double)q->z) < 1e-6 * diagonal);
        if (used[i]) assert_true(cover_by(tets, e.tets[i], *p) >= -1e-5);
    }
    free(used);
    free(posed);
    sup_embedding_free(&e);
}

/* A shape of some size by every method: adds to what was made and what refused. */
static void try_shape(int k, double size, int* made, int* refused, int* held) {
    sup_mesh mesh = make(k);
    const double none[3] = {0, 0, 0}, scale[3] = {size, size, size};
    sup_mesh_transform(&mesh, scale, still, none);
    for (int method = 0; method < 3; method++) {
        sup_tets_def def = sup_tets_default();
        sup_tets_making making;
        sup_tets tets;
        sup_error error = {SUP_OK, 0, 0, ""};
        def.method = (sup_tets_method)method;
        def.count = method == SUP_TETS_AUTO ? 2000 : 0;
        sup_result result = sup_tets_create(NULL, &mesh, &def, &tets, &making, &error);
        if (result != SUP_OK) {
            assert_int_equal(result, SUP_BAD_ARGUMENT);
            assert_true(strlen(error.text) > 20);
            ++*refused;
            continue;
        }
        check_tets(&tets);
        sup_tets_report report = measure(&tets);
        assert_true(report.least_angle > 5 && report.most_angle < 170);
        check_hanging(&mesh, &tets, &making);
        ++*made;
        *held += making.method == SUP_TETS_CAGE && making.dropped == 0;
        sup_tets_free(&tets);
    }
    sup_mesh_free(&mesh);
}

static void test_shapes(void** state) {
    (void)state;
    static const double sizes[4] = {0.001, 0.03, 1, 100};
    int made = 0, refused = 0, held = 0, tried = 0;
    /* By day one size each; under sanitizers half of the shapes, and all sizes. */
    for (int k = 0; k < 160; k++) {
        if (!long_tests() && k % 40 % 4 != k / 40) continue;
        if (short_tests() && k % 8 >= 4) continue;
        try_shape(k % 40, sizes[k / 40], &made, &refused, &held);
        tried++;
    }
    print_message("%d shapes: %d made, %d refused, %d cages that hold all\n", tried, made, refused,
                  held);
    /* Only those without any triangle get nothing at all. */
    assert_true(made + refused == 3 * tried);
    assert_true(short_tests() || (made >= 90 * tried / 40 && refused >= 3 && held >= tried));
}

/* Files and calls with anything in them: twice the same bits, and never a crash. */
static void test_same_twice(void** state) {
    (void)state;
    sup_mesh mesh = make(23);
    sup_tets_def def = sup_tets_default();
    sup_tets a, b;
    assert_int_equal(sup_tets_create(NULL, &mesh, &def, &a, NULL, NULL), SUP_OK);
    assert_int_equal(sup_tets_create(NULL, &mesh, &def, &b, NULL, NULL), SUP_OK);
    assert_int_equal(a.point_count, b.point_count);
    assert_int_equal(a.tet_count, b.tet_count);
    assert_memory_equal(a.points, b.points, (size_t)a.point_count * sizeof(sup_vec3));
    assert_memory_equal(a.tets, b.tets, 4 * (size_t)a.tet_count * sizeof(int32_t));
    sup_tets_free(&a);
    sup_tets_free(&b);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_same_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
