/* Findings about clusters: each kind where it belongs, with its example, and nowhere else. */
#include "world/elements.h"

#include "supple/diagnose.h"

/* ---- Blueprints of points in lists ---- */

typedef struct examined {
    int32_t count;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
} examined;

static examined examine(const sup_blueprint_def* def, sup_match_mode mode) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    examined e = {.count = -1};
    assert_ok(sup_blueprint_create(def, &print, &error), error);
    assert_ok(sup_blueprint_diagnose(print, mode, e.list, &e.count, &error), error);
    sup_blueprint_release(print);
    for (int32_t i = 0; i < e.count; i++) {
        assert_true(i == 0 || e.list[i].kind > e.list[i - 1].kind);
        assert_in_range(strlen(e.list[i].text), 20, sizeof e.list[i].text - 2);
    }
    return e;
}

static const sup_diagnosis* find(const examined* e, sup_diagnosis_kind kind) {
    for (int32_t i = 0; i < e->count; i++) {
        if (e->list[i].kind == kind) return &e->list[i];
    }
    return NULL;
}

static void check(const examined* e, sup_diagnosis_kind kind, int32_t count, int32_t cluster,
                  int32_t particle, const char* text) {
    const sup_diagnosis* d = find(e, kind);
    assert_non_null(d);
    assert_int_equal(d->count, count);
    assert_int_equal(d->cluster[0], cluster);
    assert_int_equal(d->particle, particle);
    assert_string_equal(d->text, text);
}

static sup_blueprint_def points_of(int32_t count, const sup_vec3* points) {
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = count;
    return def;
}

/* Clusters by lists of ids that end with -1; the last list is empty. */
typedef struct lists {
    int32_t count, starts[16], members[64];
} lists;

static void list_clusters(lists* l, const int32_t* ids, sup_blueprint_def* def) {
    int32_t used = 0;
    l->count = 0;
    l->starts[0] = 0;
    while (*ids >= 0) {
        while (*ids >= 0) l->members[used++] = *ids++;
        l->starts[++l->count] = used;
        ids++;
    }
    def->layout = SUP_CLUSTERS_EXPLICIT;
    def->cluster_count = l->count;
    def->cluster_starts = l->starts;
    def->cluster_members = l->members;
    def->allow_joints = true;
}

/* ---- Tests ---- */

static void good_bodies_are_silent(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    for (int mode = 0; mode < 3; mode++) {
        assert_int_equal(examine(&def, (sup_match_mode)mode).count, 0);
    }
}

static void few_particles_depend_on_the_mode(void** state) {
    (void)state;
    static const int32_t least[] = {4, 6, 12};
    sup_vec3 points[64];
    for (int mode = 0; mode < 3; mode++) {
        for (int32_t count = least[mode] - 1; count <= least[mode]; count++) {
            sup_blueprint_def def = cube_of_64(points);
            for (int i = 0; i < 12; i++) { /* off every plane and quadric */
                points[i].y += 0.1f * (float)(i * i % 7);
                points[i].z += 0.1f * (float)(i * 5 % 11);
            }
            def.point_count = count;
            examined e = examine(&def, (sup_match_mode)mode);
            const sup_diagnosis* d = find(&e, SUP_DIAGNOSIS_FEW_PARTICLES);
            assert_int_equal(d != NULL, count < least[mode]);
            if (d) assert_true(d->value == least[mode] && d->count == 1 && d->cluster[0] == 0);
        }
    }
    sup_blueprint_def def = cube_of_64(points);
    def.point_count = 5;
    examined e = examine(&def, SUP_MATCH_LINEAR);
    check(&e, SUP_DIAGNOSIS_FEW_PARTICLES, 1, 0, -1,
          "clusters with fewer than the 6 particles that linear goals want: 1, such as cluster 0 "
          "with 5; make them larger, or take a lower mode");
}

static void lost_extents_are_told(void** state) {
    (void)state;
    sup_vec3 points[16];
    sup_blueprint_def def = points_of(0, points);
    def.point_count = make_lattice(4, 4, 1, (double[3]){0.1, 0.1, 0.1}, points);
    examined e = examine(&def, SUP_MATCH_QUADRATIC);
    assert_int_equal(e.count, 1);
    check(&e, SUP_DIAGNOSIS_FLAT, 1, 0, -1,
          "flat clusters: 1, such as cluster 0 with 16 particles; they bend and twist by what "
          "varies within their plane only");
    points[5].z += 0.01f; /* a bump is enough */
    assert_int_equal(examine(&def, SUP_MATCH_QUADRATIC).count, 0);
    def.point_count = make_lattice(14, 1, 1, (double[3]){0.1, 0.1, 0.1}, points);
    e = examine(&def, SUP_MATCH_LINEAR);
    assert_int_equal(e.count, 1);
    check(&e, SUP_DIAGNOSIS_LINE, 1, 0, -1,
          "clusters on a line: 1, such as cluster 0 with 14 particles; they stretch along their "
          "line only");
    for (int i = 0; i < 14; i++) points[i] = points[0];
    e = examine(&def, SUP_MATCH_LINEAR);
    assert_int_equal(e.count, 1);
    check(&e, SUP_DIAGNOSIS_POINT, 1, 0, -1,
          "clusters without extent: 1, such as cluster 0 with 14 particles; they stay rigid and "
          "draw their particles into one place");
    def.point_count = 1;
    e = examine(&def, SUP_MATCH_RIGID);
    assert_non_null(find(&e, SUP_DIAGNOSIS_POINT));
}

/* Two tetrahedra that share two particles, one, or none; ids 10 and up are far away. */
static void joints_are_told(void** state) {
    (void)state;
    const sup_vec3 points[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {2, 2, 2}};
    lists l;
    sup_blueprint_def def = points_of(6, points);
    list_clusters(&l, (int32_t[]){0, 1, 2, 3, -1, 0, 3, 4, 5, -1, -1}, &def);
    examined e = examine(&def, SUP_MATCH_RIGID);
    check(&e, SUP_DIAGNOSIS_HINGES, 1, 0, 0,
          "hinges: 1, such as between clusters 0 and 1, which share particles 0 and 3 and none off "
          "their line; the parts swing freely; let them share 3 particles off a line if they "
          "should not");
    assert_null(find(&e, SUP_DIAGNOSIS_BALL_JOINTS));
    assert_null(find(&e, SUP_DIAGNOSIS_LOOSE_PIECES));

    def = points_of(7, points);
    list_clusters(&l, (int32_t[]){0, 1, 2, 3, -1, 3, 4, 5, 6, -1, -1}, &def);
    e = examine(&def, SUP_MATCH_RIGID);
    check(&e, SUP_DIAGNOSIS_BALL_JOINTS, 1, 0, 3,
          "ball joints: 1, such as between clusters 0 and 1, which share particle 3 only; the "
          "parts swing and twist freely; let them share 3 particles off a line if they should not");
    assert_null(find(&e, SUP_DIAGNOSIS_HINGES));

    def = points_of(8, points);
    list_clusters(&l, (int32_t[]){0, 1, 2, 3, -1, 4, 5, 6, 7, -1, -1}, &def);
    e = examine(&def, SUP_MATCH_RIGID);
    check(&e, SUP_DIAGNOSIS_LOOSE_PIECES, 2, 1, -1,
          "pieces that share no particle: 2, such as the one of cluster 1 and that of cluster 0; "
          "each moves by itself; make them bodies of their own, or let clusters reach both");
    assert_null(find(&e, SUP_DIAGNOSIS_HINGES));
    assert_null(find(&e, SUP_DIAGNOSIS_BALL_JOINTS));
}

/* A shared particle without weight holds nothing. */
static void weightless_particles_join_nothing(void** state) {
    (void)state;
    const sup_vec3 points[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}};
    const float masses[6] = {1, 0, 1, 1, 1, 1};
    lists l;
    sup_blueprint_def def = points_of(6, points);
    list_clusters(&l, (int32_t[]){0, 1, 2, 3, -1, 1, 2, 3, 4, 5, -1, -1}, &def);
    examined e = examine(&def, SUP_MATCH_RIGID);
    assert_null(find(&e, SUP_DIAGNOSIS_HINGES));
    def.masses = masses;
    e = examine(&def, SUP_MATCH_RIGID);
    assert_non_null(find(&e, SUP_DIAGNOSIS_HINGES));
    sup_error error;
    sup_blueprint* print;
    def.allow_joints = false;
    assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "clusters 0 and 1 share particles 2 and 3 and none off"));
}

/* Clusters without particles or mass are left out. */
static void empty_clusters_are_left_out(void** state) {
    (void)state;
    const sup_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    const float masses[5] = {1, 1, 1, 1, 0};
    const int32_t starts[5] = {0, 0, 1, 6, 6}, members[6] = {4, 0, 1, 2, 3, 4};
    sup_blueprint_def def = points_of(5, points);
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = 4;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.masses = masses;
    sup_error error = {0};
    sup_blueprint* print;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    assert_int_equal(sup_blueprint_get_info(print).cluster_count, 1);
    assert_int_equal(sup_blueprint_get_info(print).membership_count, 5);
    sup_blueprint_release(print);
}

static void mass_ratios_are_told(void** state) {
    (void)state;
    sup_vec3 points[64];
    float masses[64];
    sup_blueprint_def def = cube_of_64(points);
    def.masses = masses;
    for (int i = 0; i < 64; i++) masses[i] = 1.0f;
    masses[7] = 1e4f;
    masses[9] = 0.0f;
    assert_int_equal(examine(&def, SUP_MATCH_LINEAR).count, 0);
    masses[7] = 25000.0f;
    examined e = examine(&def, SUP_MATCH_LINEAR);
    assert_int_equal(e.count, 1);
    check(&e, SUP_DIAGNOSIS_MASS_RATIO, 1, 0, -1,
          "clusters with masses more than 10000 to 1 apart: 1, such as cluster 0 with 25000 to 1; "
          "in matching the lighter ones count as a 10000th of the heaviest; make the masses more "
          "equal");
    assert_near(e.list[0].value, 25000.0, 1e-6);
    masses[7] = 1e9f;
    masses[8] = 1e-30f; /* beyond any float */
    e = examine(&def, SUP_MATCH_LINEAR);
    assert_non_null(strstr(e.list[0].text, "with 1e30 to 1"));
}

static void memberships_are_told(void** state) {
    (void)state;
    static element_bar bar;
    make_element_bar((int32_t[3]){6, 2, 2}, 0.1, 8, &bar); /* 5 cells in a row: 40 / 24 */
    examined e = examine(&bar.def, SUP_MATCH_RIGID);
    assert_int_equal(e.count, 2);
    check(&e, SUP_DIAGNOSIS_MEMBERSHIPS, 24, -1, -1,
          "a particle lies in 1.67 clusters on average; with 3 to 8 of them clusters hold together "
          "more evenly");
    assert_near(e.list[0].value, 40.0 / 24.0, 1e-9);
    check(&e, SUP_DIAGNOSIS_SINGLES, 8, 0, 0,
          "particles in one cluster only: 8 of 24, such as particle 0 of cluster 0; a crease may "
          "show beside them; let clusters share more particles if it does");
    make_element_bar((int32_t[3]){6, 3, 3}, 0.1, 4, &bar); /* 20 cells of 6: 480 / 54 */
    e = examine(&bar.def, SUP_MATCH_RIGID);
    assert_true(e.list[0].kind == SUP_DIAGNOSIS_MEMBERSHIPS && e.list[0].value > 8.0);
    assert_non_null(strstr(e.list[0].text, "8.89 clusters on average; with 3 to 8 of them a step"));
}

static void subsets_are_told(void** state) {
    (void)state;
    const sup_vec3 points[7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    lists l;
    sup_blueprint_def def = points_of(7, points);
    /* The first lies in the second; the last is the third once more. */
    static const int32_t ids[] = {0, 1, 2, 3, -1, 0, 1, 2, 3, 4,  5, -1,
                                  3, 4, 5, 6, -1, 6, 5, 4, 3, -1, -1};
    list_clusters(&l, ids, &def);
    examined e = examine(&def, SUP_MATCH_RIGID);
    check(&e, SUP_DIAGNOSIS_SUBSETS, 2, 0, -1,
          "clusters inside others: 2, such as cluster 0 inside cluster 1; leave them out unless "
          "they should stiffen what they hold");
    assert_int_equal(find(&e, SUP_DIAGNOSIS_SUBSETS)->cluster[1], 1);
}

/* Small cubes join a neighbour until they have as many particles as were asked for, and no more
   than it takes. */
static void cubes_are_as_large_as_asked(void** state) {
    (void)state;
    sup_vec3 points[4 * 24];
    int32_t clusters[3];
    static const int32_t least[] = {4, 6, 12};
    for (int i = 0; i < 3; i++) {
        sup_blueprint_def def = points_of(0, points);
        def.point_count = make_lattice(24, 2, 2, (double[3]){0.1, 0.1, 0.1}, points);
        def.layout = SUP_CLUSTERS_CUBES;
        def.cube = 0.22;
        def.least_members = least[i];
        def.allow_joints = true;
        sup_error error = {0};
        sup_blueprint* print = NULL;
        assert_ok(sup_blueprint_create(&def, &print, &error), error);
        clusters[i] = sup_blueprint_get_info(print).cluster_count;
        sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
        int32_t count;
        assert_int_equal(sup_blueprint_diagnose(print, (sup_match_mode)i, list, &count, NULL),
                         SUP_OK);
        for (int32_t k = 0; k < count; k++) {
            assert_int_not_equal(list[k].kind, SUP_DIAGNOSIS_FEW_PARTICLES);
            assert_int_not_equal(list[k].kind, SUP_DIAGNOSIS_SUBSETS);
        }
        sup_blueprint_release(print);
    }
    assert_true(clusters[0] == clusters[1] && clusters[2] < clusters[1]);
    assert_true(clusters[2] >= clusters[1] / 2);
}

static void modes_are_checked(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    sup_blueprint* print;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count = -7;
    assert_int_equal(sup_blueprint_create(&def, &print, NULL), SUP_OK);
    assert_int_equal(sup_blueprint_diagnose(print, (sup_match_mode)3, list, &count, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(count, -7);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_bodies_are_silent),
        cmocka_unit_test(few_particles_depend_on_the_mode),
        cmocka_unit_test(lost_extents_are_told),
        cmocka_unit_test(joints_are_told),
        cmocka_unit_test(weightless_particles_join_nothing),
        cmocka_unit_test(empty_clusters_are_left_out),
        cmocka_unit_test(mass_ratios_are_told),
        cmocka_unit_test(memberships_are_told),
        cmocka_unit_test(subsets_are_told),
        cmocka_unit_test(cubes_are_as_large_as_asked),
        cmocka_unit_test(modes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
