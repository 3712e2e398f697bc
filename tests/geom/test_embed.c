/* Points that hang on tetrahedra: exact at rest and under affine motion, inside and outside. */
#include "geom/tets.h"

static sup_vec3 map(const double f[3][3], const double t[3], sup_vec3 p) {
    double x[3] = {(double)p.x, (double)p.y, (double)p.z}, y[3];
    for (int i = 0; i < 3; i++) y[i] = f[i][0] * x[0] + f[i][1] * x[1] + f[i][2] * x[2] + t[i];
    return (sup_vec3){(float)y[0], (float)y[1], (float)y[2]};
}

static double apart(sup_vec3 a, sup_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* The largest distance of posed points from where they should be. */
static double worst(const sup_tets* tets, const sup_embedding* e, const sup_vec3* points,
                    const double f[3][3], const double t[3], bool rigid) {
    sup_vec3* moved = malloc((size_t)tets->point_count * sizeof *moved);
    sup_vec3* posed = malloc((size_t)e->point_count * sizeof *posed);
    double most = 0;
    for (int32_t i = 0; i < tets->point_count; i++) moved[i] = map(f, t, tets->points[i]);
    sup_embedding_pose(e, tets, moved, posed);
    for (int32_t i = 0; i < e->point_count; i++) {
        bool held = e->offsets[i].x != 0 || e->offsets[i].y != 0 || e->offsets[i].z != 0;
        double far = held && !rigid ? 0 : apart(posed[i], map(f, t, points[i]));
        most = far > most ? far : most;
        const sup_row* w = &e->weights[i];
        assert_true(fabs((double)w->x + (double)w->y + (double)w->z + (double)w->w - 1) < 1e-6);
    }
    free(moved);
    free(posed);
    return most;
}

static void check(const sup_mesh* mesh, const sup_tets* tets, double diagonal, bool all_near) {
    static const double still[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, none[3] = {0, 0, 0};
    static const double affine[3][3] = {{1.2, 0.3, 0}, {-0.1, 0.8, 0.2}, {0, 0.4, 1.1}};
    static const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, away[3] = {1, -2, 3};
    sup_embedding e;
    sup_error error;
    assert_int_equal(sup_tets_embed(NULL, tets, mesh->point_count, mesh->points, &e, &error),
                     SUP_OK);
    assert_true(worst(tets, &e, mesh->points, still, none, true) < 1e-6 * diagonal);
    assert_true(worst(tets, &e, mesh->points, affine, away, false) < 1e-5 * diagonal);
    /* Turned as a whole, what is far outside goes along too. */
    assert_true(worst(tets, &e, mesh->points, quarter, away, true) < 1e-5 * diagonal);
    bool far = false;
    for (int32_t i = 0; i < e.point_count; i++) far = far || e.offsets[i].x != 0;
    assert_true(!far || !all_near);
    sup_embedding_free(&e);
}

static void test_affine(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 4), wide = make_icosphere(1.05, 3),
             huge = make_icosphere(3, 2);
    for (int method = SUP_TETS_STUFF; method <= SUP_TETS_CAGE; method++) {
        sup_tets_def def = sup_tets_default();
        sup_tets tets;
        def.method = (sup_tets_method)method;
        def.cell = 0.25;
        assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, NULL), SUP_OK);
        check(&ball, &tets, 3.5, true);
        check(&wide, &tets, 3.5, false);
        check(&huge, &tets, 10, false);
        sup_tets_free(&tets);
    }
    sup_mesh_free(&ball);
    sup_mesh_free(&wide);
    sup_mesh_free(&huge);
}

/* Each point hangs on the tetrahedron that a look at all of them finds. */
static void test_best(void** state) {
    (void)state;
    sup_mesh torus = make_torus(1, 0.3, 24, 12);
    sup_tets_def def = sup_tets_default();
    sup_tets tets;
    sup_embedding e;
    def.method = SUP_TETS_CAGE;
    assert_int_equal(sup_tets_create(NULL, &torus, &def, &tets, NULL, NULL), SUP_OK);
    assert_int_equal(sup_tets_embed(NULL, &tets, torus.point_count, torus.points, &e, NULL),
                     SUP_OK);
    for (int32_t i = 0; i < e.point_count; i++) {
        const sup_row* w = &e.weights[i];
        double least = (double)fminf(fminf(w->x, w->y), fminf(w->z, w->w));
        assert_true(fabs(least - cover(&tets, torus.points[i])) < 1e-5);
    }
    sup_embedding_free(&e);
    const sup_vec3 bad = {NAN, 0, 0};
    assert_int_equal(sup_tets_embed(NULL, &tets, 1, &bad, &e, NULL), SUP_BAD_ARGUMENT);
    tets.triangles[0] = tets.triangles[1];
    assert_int_equal(sup_tets_embed(NULL, &tets, 0, &bad, &e, NULL), SUP_BAD_ARGUMENT);
    sup_tets_free(&tets);
    sup_mesh_free(&torus);
}

static void add_moment(const sup_vec3* at, const sup_vec3* force, double sums[6]) {
    const double p[3] = {(double)at->x, (double)at->y, (double)at->z};
    const double f[3] = {(double)force->x, (double)force->y, (double)force->z};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        sums[k] += f[k];
        sums[3 + k] += p[i] * f[j] - p[j] * f[i];
    }
}

/* Forces on points, also on those far outside, and those that tetrahedra get from them: the same
   sums, the same moments, and in an affine motion the same work. */
static void check_forces(const sup_mesh* mesh, const sup_tets* tets) {
    static const double bent[3][3] = {{0.1, -1.1, 0}, {0.9, 0.2, 0.3}, {0, -0.2, 1.2}};
    static const double slightly[3][3] = {{0.02, 0.01, 0}, {-0.03, 0.01, 0.02}, {0.01, 0, -0.02}};
    static const double away[3] = {1, -2, 3}, none[3] = {0, 0, 0};
    sup_embedding e;
    assert_int_equal(sup_tets_embed(NULL, tets, mesh->point_count, mesh->points, &e, NULL), SUP_OK);
    sup_vec3* moved = malloc((size_t)tets->point_count * sizeof *moved);
    sup_vec3* got = calloc((size_t)tets->point_count, sizeof *got);
    sup_vec3* posed = malloc((size_t)e.point_count * sizeof *posed);
    sup_vec3* forces = malloc((size_t)e.point_count * sizeof *forces);
    double given[6] = {0}, spread[6] = {0}, size = 0, lever = 0, work[2] = {0, 0}, all = 0;
    for (int32_t i = 0; i < tets->point_count; i++) moved[i] = map(bent, away, tets->points[i]);
    sup_embedding_pose(&e, tets, moved, posed);
    for (int32_t i = 0; i < e.point_count; i++) {
        const sup_vec3 f = {sinf((float)i), cosf(3 * (float)i), sinf(2 * (float)i) + 0.3f};
        bool held = e.offsets[i].x != 0 || e.offsets[i].y != 0 || e.offsets[i].z != 0;
        forces[i] = f;
        add_moment(&posed[i], &f, given);
        size += 2;
        lever += 2 * sqrt((double)(posed[i].x * posed[i].x + posed[i].y * posed[i].y +
                                   posed[i].z * posed[i].z));
        sup_vec3 way = map(slightly, none, posed[i]);
        double done = (double)(f.x * way.x + f.y * way.y + f.z * way.z);
        if (!held) work[0] += done;
        all += fabs(done);
    }
    sup_embedding_spread(&e, tets, moved, forces, got);
    for (int32_t i = 0; i < tets->point_count; i++) add_moment(&moved[i], &got[i], spread);
    for (int k = 0; k < 3; k++) assert_true(fabs(spread[k] - given[k]) < 1e-5 * size);
    for (int k = 3; k < 6; k++) assert_true(fabs(spread[k] - given[k]) < 1e-5 * lever);
    /* what hangs without an offset */
    memset(got, 0, (size_t)tets->point_count * sizeof *got);
    for (int32_t i = 0; i < e.point_count; i++) {
        bool held = e.offsets[i].x != 0 || e.offsets[i].y != 0 || e.offsets[i].z != 0;
        if (held) forces[i] = (sup_vec3){0, 0, 0};
    }
    sup_embedding_spread(&e, tets, moved, forces, got);
    for (int32_t i = 0; i < tets->point_count; i++) {
        sup_vec3 way = map(slightly, none, moved[i]);
        work[1] += (double)(got[i].x * way.x + got[i].y * way.y + got[i].z * way.z);
    }
    assert_true(fabs(work[1] - work[0]) < 1e-5 * all);
    free(moved);
    free(got);
    free(posed);
    free(forces);
    sup_embedding_free(&e);
}

static void test_forces(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 3), huge = make_icosphere(3, 2);
    sup_tets_def def = sup_tets_default();
    sup_tets tets;
    def.cell = 0.25;
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, NULL), SUP_OK);
    check_forces(&ball, &tets);
    check_forces(&huge, &tets);
    sup_tets_free(&tets);
    sup_mesh_free(&ball);
    sup_mesh_free(&huge);
}

static sup_result attempt(const sup_allocator* allocator, sup_error* error) {
    sup_mesh ball = make_icosphere(1, 1);
    sup_tets_def def = sup_tets_default();
    sup_tets tets;
    sup_embedding e;
    def.cell = 0.7;
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, NULL), SUP_OK);
    sup_result result = sup_tets_embed(allocator, &tets, ball.point_count, ball.points, &e, error);
    if (result == SUP_OK) sup_embedding_free(&e);
    sup_tets_free(&tets);
    sup_mesh_free(&ball);
    return result;
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_affine), cmocka_unit_test(test_best),
                                       cmocka_unit_test(test_forces),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
