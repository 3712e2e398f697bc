/* Points between landmarks (A12), in-betweens, and shapes that return or stay (A15). */
#include "deform/surfaces.h"

static void go(const sup_landmarks_def* def, int32_t n, const sup_vec3* from, const sup_vec3* to,
               int32_t count, const sup_vec3* points, sup_vec3* out) {
    sup_error error;
    require(sup_points_landmarks(NULL, def, n, from, to, count, points, out, NULL, &error), &error);
}

static double apart(sup_vec3 a, sup_vec3 b) {
    return size_of((sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

static sup_vec3 anywhere(uint64_t* seed) {
    return (sup_vec3){(float)ref_random(seed), (float)ref_random(seed), (float)ref_random(seed)};
}

/* The seed's form: weights by |Q_i - P|, positions, power 2. */
static sup_vec3 printed_form(int32_t n, const sup_vec3* from, const sup_vec3* to, sup_vec3 p) {
    double sum = 0, x = 0, y = 0, z = 0;
    (void)from;
    for (int32_t i = 0; i < n; i++) {
        double w = 1.0 / pow(apart(to[i], p), 2.0);
        sum += w;
        x += w * (double)to[i].x;
        y += w * (double)to[i].y;
        z += w * (double)to[i].z;
    }
    return (sup_vec3){(float)(x / sum), (float)(y / sum), (float)(z / sum)};
}

static void landmarks_arrive(void** state) {
    (void)state;
    const sup_vec3 from[2] = {{0, 0, 0}, {4, 0, 0}}, to[2] = {{1, 0, 0}, {4, 2, 0}};
    sup_vec3 out[2];
    sup_landmarks_def def = sup_landmarks_default();
    go(&def, 2, from, to, 2, from, out);
    assert_memory_equal(out, to, sizeof to);
    /* what was printed does not: the negative control */
    sup_vec3 wrong = printed_form(2, from, to, from[0]);
    assert_near((double)wrong.x, 1.143, 1e-3);
    assert_near((double)wrong.y, 0.095, 1e-3);
    uint64_t seed = 3;
    sup_vec3 many[40], targets[40], there[40];
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < 40; i++) {
            many[i] = anywhere(&seed);
            targets[i] = anywhere(&seed);
        }
        def = sup_landmarks_default();
        def.method = kind & 1 ? SUP_LANDMARKS_AFFINE : SUP_LANDMARKS_DISPLACEMENTS;
        def.compact = kind & 2;
        go(&def, 40, many, targets, 40, many, there);
        for (int i = 0; i < 40; i++) assert_true(apart(there[i], targets[i]) < 1e-5);
    }
}

static void identity_and_affine_maps_are_kept(void** state) {
    (void)state;
    uint64_t seed = 9;
    sup_vec3 from[12], to[12], points[200], out[200], wanted[200];
    for (int i = 0; i < 12; i++) from[i] = anywhere(&seed);
    for (int i = 0; i < 200; i++) points[i] = anywhere(&seed);
    sup_landmarks_def def = sup_landmarks_default();
    for (int method = 0; method < 3; method++) {
        def.method = (sup_landmark_method)method;
        go(&def, 12, from, from, 200, points, out);
        for (int i = 0; i < 200; i++) assert_true(apart(out[i], points[i]) < 1e-6);
    }
    static const float a[3][4] = {{1.2f, 0.3f, 0, 1}, {-0.1f, 0.8f, 0.2f, -2}, {0, 0.4f, 1.1f, 3}};
    for (int i = 0; i < 212; i++) {
        sup_vec3 p = i < 12 ? from[i] : points[i - 12];
        sup_vec3 q = {a[0][0] * p.x + a[0][1] * p.y + a[0][2] * p.z + a[0][3],
                      a[1][0] * p.x + a[1][1] * p.y + a[1][2] * p.z + a[1][3],
                      a[2][0] * p.x + a[2][1] * p.y + a[2][2] * p.z + a[2][3]};
        if (i < 12) {
            to[i] = q;
        } else {
            wanted[i - 12] = q;
        }
    }
    def.method = SUP_LANDMARKS_AUTO;
    go(&def, 12, from, to, 200, points, out);
    for (int i = 0; i < 200; i++) assert_true(apart(out[i], wanted[i]) < 1e-4);
    def.method = SUP_LANDMARKS_DISPLACEMENTS; /* these do not keep affine maps: the control */
    go(&def, 12, from, to, 200, points, out);
    double most = 0;
    for (int i = 0; i < 200; i++) most = fmax(most, apart(out[i], wanted[i]));
    assert_true(most > 1e-2);
}

static void none_one_and_flat_ones_work(void** state) {
    (void)state;
    const sup_vec3 from[6] = {{0, 0, 0}, {1, 0, 0},       {0, 1, 0},
                              {1, 1, 0}, {0.5f, 0.5f, 0}, {2, 1, 0}};
    sup_vec3 to[6], points[2] = {{3, 4, 5}, {0.1f, 0.2f, 0.3f}}, out[2];
    sup_landmarks_def def = sup_landmarks_default();
    go(&def, 0, NULL, NULL, 2, points, out);
    assert_memory_equal(out, points, sizeof out);
    to[0] = (sup_vec3){1, 2, 3};
    go(&def, 1, from, to, 2, points, out);
    assert_near((double)out[0].x, 4.0, 1e-6);
    assert_near((double)out[1].z, 3.3, 1e-6);
    for (int i = 0; i < 6; i++) to[i] = (sup_vec3){from[i].x, from[i].y, from[i].z + 1.0f};
    go(&def, 6, from, to, 2, points, out); /* in a plane: a translation */
    assert_near((double)out[0].z, 6.0, 1e-5);
    def.amount = 0.25;
    go(&def, 6, from, to, 2, points, out);
    assert_near((double)out[0].z, 5.25, 1e-5);
}

static void expect_fit(sup_landmark_method method, int32_t n, const sup_vec3* from, int32_t count,
                       sup_landmark_fit fit) {
    sup_landmarks_def def = sup_landmarks_default();
    const sup_vec3 point = {1, 2, 3};
    sup_vec3 out;
    sup_landmarks_report report = {-1, (sup_landmark_fit)-1};
    def.method = method;
    require(sup_points_landmarks(NULL, &def, n, from, from, 1, &point, &out, &report, NULL), NULL);
    assert_int_equal(report.count, count);
    assert_int_equal(report.fit, fit);
}

/* A translation stands in where an affine map was wanted and none is fitted: for fewer than 4, and
   for a spread in one direction of less than 1e-4 of that in another. */
static void what_was_fitted_is_told(void** state) {
    (void)state;
    sup_vec3 from[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 0.01f}, {0, 1, 0}};
    const sup_landmark_method automatic = SUP_LANDMARKS_AUTO, affine = SUP_LANDMARKS_AFFINE;
    expect_fit(affine, 0, from, 0, SUP_LANDMARKS_NO_MAP);
    expect_fit(affine, 3, from, 3, SUP_LANDMARKS_TRANSLATION);
    expect_fit(automatic, 4, from, 4, SUP_LANDMARKS_NO_MAP);
    expect_fit(affine, 4, from, 4, SUP_LANDMARKS_TRANSLATION); /* in a plane */
    expect_fit(affine, 5, from, 5, SUP_LANDMARKS_AFFINE_MAP);
    expect_fit(automatic, 6, from, 5, SUP_LANDMARKS_AFFINE_MAP); /* one is there twice */
    expect_fit(SUP_LANDMARKS_DISPLACEMENTS, 5, from, 5, SUP_LANDMARKS_NO_MAP);
    expect_fit(affine, 4, from + 2, 3, SUP_LANDMARKS_TRANSLATION);
    /* off the plane of the others by z: variances are 0.28 at most, and 0.16 z^2 - 0.0128 z^2 /
       0.28 = 0.114 z^2 at least, so the condition is 1e4 at z = 1.57e-4 */
    from[4].z = 1.65e-4f;
    expect_fit(automatic, 5, from, 5, SUP_LANDMARKS_AFFINE_MAP);
    from[4].z = 1.5e-4f;
    expect_fit(automatic, 5, from, 5, SUP_LANDMARKS_TRANSLATION);
}

static void landmarks_out_of_reach_do_nothing(void** state) {
    (void)state;
    const sup_vec3 from[2] = {{0, 0, 0}, {10, 0, 0}}, to[2] = {{0, 1, 0}, {10, 0, 0}};
    const sup_vec3 points[3] = {{0.5f, 0, 0}, {5, 0, 0}, {0, 3, 0}};
    sup_vec3 out[3];
    sup_landmarks_def def = sup_landmarks_default();
    def.compact = true;
    def.reach = 2.0;
    go(&def, 2, from, to, 3, points, out);
    assert_near((double)out[0].y, 1.0, 1e-6);
    assert_memory_equal(out + 1, points + 1, 2 * sizeof *out);
    /* many landmarks are compact by themselves; each has others in reach */
    uint64_t seed = 5;
    sup_vec3 *many = malloc(600 * sizeof *many), *go_to = malloc(600 * sizeof *many);
    sup_vec3* there = malloc(600 * sizeof *there);
    for (int i = 0; i < 600; i++) {
        many[i] = anywhere(&seed);
        go_to[i] = (sup_vec3){many[i].x + 0.1f * many[i].y, many[i].y, many[i].z * many[i].x};
    }
    def = sup_landmarks_default();
    go(&def, 600, many, go_to, 600, many, there);
    for (int i = 0; i < 600; i++) assert_true(apart(there[i], go_to[i]) < 1e-5);
    sup_vec3 between = {0.1f, 0.2f, 0.3f}, moved;
    go(&def, 600, many, go_to, 1, &between, &moved);
    assert_true(apart(moved, (sup_vec3){0.12f, 0.2f, 0.03f}) < 0.1);
    free(many);
    free(go_to);
    free(there);
}

/* With the affine map too; the reach is in m, however the landmarks are spread. */
static void far_points_stay_where_they_are(void** state) {
    (void)state;
    static const sup_vec3 from[6] = {{0, 0, 0},  {10, 0, 0},  {0, 10, 0},
                                     {0, 0, 10}, {10, 10, 0}, {10, 0, 10}};
    static const sup_vec3 points[4] = {{1000, 0, 0}, {-3, 0, 0}, {0, 12.5f, 0}, {10.5f, 1, 0}};
    sup_vec3 to[6], out[4];
    for (int i = 0; i < 6; i++)
        to[i] = (sup_vec3){1.5f * from[i].x + 1.0f, from[i].y + 0.25f * from[i].z, from[i].z};
    for (int method = 0; method < 3; method++) {
        sup_landmarks_def def = sup_landmarks_default();
        def.method = (sup_landmark_method)method;
        def.compact = true;
        def.reach = 2.0;
        go(&def, 6, from, to, 4, points, out);
        assert_memory_equal(out, points, 3 * sizeof *out);
        assert_true(apart(out[3], points[3]) > 1.0);
        if (def.method != SUP_LANDMARKS_DISPLACEMENTS) assert_near((double)out[3].x, 16.75, 1e-5);
        def.reach = 0.0;
        go(&def, 6, from, to, 1, points, out);
        assert_memory_equal(out, points, sizeof *out);
        def.compact = false; /* the control */
        go(&def, 6, from, to, 1, points, out);
        assert_true(apart(out[0], points[0]) > 1.0);
    }
}

static void refuse(const sup_landmarks_def* def, const sup_vec3* from, const sup_vec3* to,
                   const char* text) {
    const sup_vec3 point = {1, 1, 1};
    sup_vec3 out = {7, 7, 7};
    sup_error error = {SUP_OK, 0, 0, ""};
    assert_int_equal(sup_points_landmarks(NULL, def, 3, from, to, 1, &point, &out, NULL, &error),
                     SUP_BAD_ARGUMENT);
    if (!strstr(error.text, text)) fail_msg("%s", error.text);
    assert_true(out.x == 7.0f);
}

static void bad_landmarks_are_refused(void** state) {
    (void)state;
    sup_vec3 from[3] = {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, to[3] = {{1, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    sup_vec3 point = {0.5f, 0, 0}, out;
    sup_landmarks_def def = sup_landmarks_default();
    refuse(&def, from, to, "landmarks 0 and 2 are in one place");
    to[2].x = 1.0f; /* the same twice is no harm */
    go(&def, 3, from, to, 1, &point, &out);
    assert_memory_equal(&out, &point, sizeof out);
    to[1].y = NAN;
    refuse(&def, from, to, "to[1]");
    to[1].y = 0.0f;
    def.power = 7.0;
    refuse(&def, from, to, "power");
    def = sup_landmarks_default();
    def.amount = 1.5;
    refuse(&def, from, to, "amount");
}

static void blends_go_from_one_to_the_other(void** state) {
    (void)state;
    const sup_vec3 a[1] = {{1, 2, 3}}, b[1] = {{3, 2, -1}};
    sup_vec3 out[1];
    sup_points_blend(1, a, b, 0.0, out);
    assert_memory_equal(out, a, sizeof a);
    sup_points_blend(1, a, b, 1.0, out);
    assert_memory_equal(out, b, sizeof b);
    sup_points_blend(1, a, b, 0.25, out);
    assert_near((double)out[0].x, 1.5, 1e-6);
    assert_near((double)out[0].z, 2.0, 1e-6);
}

/* A15 */
static void what_is_pulled_too_hard_stays(void** state) {
    (void)state;
    sup_yield_def def = sup_yield_default();
    def.threshold = 10.0;
    def.time = 0.0;
    sup_vec3 rest[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    sup_vec3 points[3] = {{0.3f, 0, 0}, {1.05f, 0, 0}, {2.3f, 0, 0}};
    const float masses[3] = {0, 0, INFINITY};
    require(sup_points_yield(&def, 0.01, 3, masses, rest, points, NULL), NULL);
    assert_near((double)rest[0].x, 0.2, 1e-6);
    assert_near((double)points[0].x, 0.2, 1e-6);
    assert_near((double)rest[1].x, 1.0, 0.0);
    assert_near((double)points[1].x, 1.0, 1e-6);
    assert_near((double)points[2].x, 2.3, 1e-6);
    assert_near((double)rest[2].x, 2.0, 0.0);
    /* elastic: after a time of 0.2 s 37 % is left */
    def = sup_yield_default();
    points[0].x = 1.2f;
    require(sup_points_yield(&def, 0.2, 1, NULL, rest, points, NULL), NULL);
    assert_near((double)points[0].x, 0.2 + exp(-1.0), 1e-6);
    /* clay stays where it is */
    def.threshold = 0.0;
    points[0].x = 5.0f;
    require(sup_points_yield(&def, 0.2, 1, NULL, rest, points, NULL), NULL);
    assert_near((double)rest[0].x, 5.0, 1e-6);
    assert_near((double)points[0].x, 5.0, 1e-6);
    def.stiffness = 0.0;
    assert_int_equal(sup_points_yield(&def, 0.2, 1, NULL, rest, points, NULL), SUP_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landmarks_arrive),
        cmocka_unit_test(identity_and_affine_maps_are_kept),
        cmocka_unit_test(none_one_and_flat_ones_work),
        cmocka_unit_test(what_was_fitted_is_told),
        cmocka_unit_test(landmarks_out_of_reach_do_nothing),
        cmocka_unit_test(far_points_stay_where_they_are),
        cmocka_unit_test(bad_landmarks_are_refused),
        cmocka_unit_test(blends_go_from_one_to_the_other),
        cmocka_unit_test(what_is_pulled_too_hard_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
