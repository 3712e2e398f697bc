/* Points that passes put into edges as they go (SUP_SPLIT_WITHIN, the published wording). */
#include "deform/surfaces.h"

static sup_pull_def within(double transfer, double split) {
    sup_pull_def def = sup_pull_seed();
    def.transfer = transfer;
    def.split = split;
    def.splits = SUP_SPLIT_WITHIN;
    return def;
}

/* An edge of length 1 from point 0 to point 1; those to point 2 are so long that nothing here is
   much to them. */
static sup_mesh thorn(void) {
    const sup_vec3 places[3] = {{0, 0, 0}, {1, 0, 0}, {4, 0, 3}};
    const int32_t corners[3] = {0, 1, 2};
    return mesh_of(3, places, 1, NULL, corners);
}

/* One edge of length 1, its end pulled away by 0.9: the child follows by 0.18, which leaves 1.72.
   So a point in the middle follows by 0.18, and the child follows that by a fifth of it. */
static void a_child_follows_the_new_point(void** state) {
    (void)state;
    sup_mesh mesh = thorn();
    sup_pull_def def = within(0.2, 1.5);
    def.passes = 1;
    for (int across = 0; across < 2; across++) {
        sup_clay* clay = surface_of(&mesh, NULL);
        def.transverse = across ? 1.0 : 0.0; /* handed on as it is */
        sup_vec3 by = across ? (sup_vec3){0, 1.5f, 0} : (sup_vec3){-0.9f, 0, 0};
        sup_pull_report report = pull_by(clay, &def, 0, by);
        assert_int_equal(report.split, 1);
        assert_false(report.over_budget);
        assert_int_equal(sup_clay_point_count(clay), 4);
        sup_vec3* now = points_of(clay);
        assert_near((double)now[3].x, across ? 0.5 : 0.32, 1e-6);
        assert_near((double)now[3].y, across ? 0.3 : 0.0, 1e-6);
        assert_near((double)now[1].x, across ? 1.0 : 1.0 - 0.036, 1e-6);
        assert_near((double)now[1].y, across ? 0.06 : 0.0, 1e-6);
        free(now);
        sup_clay_destroy(clay);
    }
    /* what ends shorter than that is left as any pass leaves it */
    sup_clay* clay = surface_of(&mesh, NULL);
    def = within(0.2, 1.75);
    def.passes = 1;
    sup_pull_report report = pull_by(clay, &def, 0, (sup_vec3){-0.9f, 0, 0});
    sup_vec3* now = points_of(clay);
    assert_int_equal(report.split, 0);
    assert_near((double)now[1].x, 0.82, 1e-6);
    free(now);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

/* Edges that want their first length: the halves want half of it. Masses and transfers of edges
   count for new points as for others. */
static void numbers_of_the_edge_count(void** state) {
    (void)state;
    sup_mesh mesh = thorn();
    const float masses[3] = {0.0f, 3.0f, 0.0f}, transfers[3] = {0.5f, 0.5f, 0.5f};
    sup_clay_def made = sup_clay_default();
    made.masses = masses;
    made.transfers = transfers;
    sup_clay* clay = surface_of(&mesh, &made);
    sup_pull_def def = within(1.0, 1.5);
    def.passes = 1;
    def.lengths = SUP_PULL_MEMORY;
    sup_pull_report report = pull_by(clay, &def, 0, (sup_vec3){-0.8f, 0, 0});
    assert_int_equal(report.split, 1);
    sup_vec3* now = points_of(clay);
    /* the point of mass 1.5 takes 0.5 * 0.8 / 2.5, the child 0.5 * 0.16 / 4 */
    assert_near((double)now[3].x, 0.5 - 0.16, 1e-6);
    assert_near((double)now[1].x, 1.0 - 0.02, 1e-6);
    free(now);
    /* a pinned child stays to the bit, and the new point is as free as the other end */
    const float pinned[3] = {0.0f, INFINITY, 0.0f};
    sup_clay* held = surface_of(&mesh, NULL);
    require(sup_clay_set_masses(held, pinned, NULL), NULL);
    def = within(0.5, 1.5);
    def.passes = 1;
    report = pull_by(held, &def, 0, (sup_vec3){-0.8f, 0, 0});
    now = points_of(held);
    assert_int_equal(report.split, 1);
    assert_near((double)now[3].x, 0.5 - 0.4, 1e-6);
    assert_memory_equal(&now[1], &mesh.points[1], sizeof *now);
    free(now);
    sup_clay_destroy(held);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

static void check_closed(const sup_clay* clay, int32_t first_count, int32_t split) {
    sup_mesh now;
    sup_clay_maps maps;
    sup_mesh_report report;
    int32_t events;
    require(sup_clay_mesh(clay, NULL, &now, &maps, NULL), NULL);
    require(sup_mesh_inspect(NULL, &now, &report, NULL), NULL);
    assert_true(report.closed);
    assert_int_equal(report.fan_point_count, 0);
    assert_int_equal(now.point_count - report.edge_count + now.polygon_count, 2);
    assert_int_equal(now.point_count, first_count + split);
    const sup_clay_event* event = sup_clay_events(clay, &events);
    assert_int_equal(events, split);
    for (int32_t i = 0; i < events; i++) {
        assert_int_equal(event[i].kind, SUP_CLAY_SPLIT);
        assert_int_equal(event[i].point, first_count + i);
        assert_true(event[i].ends[0] != event[i].ends[1]);
        assert_in_range(event[i].ends[1], 0, event[i].point - 1);
        assert_int_equal(maps.points[event[i].point], -1);
    }
    sup_clay_maps_free(&maps);
    sup_mesh_free(&now);
}

/* The corner of a cube drawn far out (A9): the surface stays closed and one piece, and no edge to a
   parent that can be cut is left longer than half as much again and a pass. */
static void a_drawn_out_corner_stays_closed(void** state) {
    (void)state;
    sup_mesh cube = cut_cube(4);
    sup_pull_def def = within(0.5, 1.5);
    int32_t corner = corner_of(&cube);
    def.passes = 200;
    sup_clay* clay = surface_of(&cube, NULL);
    sup_pull_report report = pull_by(clay, &def, corner, outwards(4.0));
    print_message("%d split, %d passes, stretch %.3g\n", (int)report.split, (int)report.passes,
                  report.stretch);
    assert_true(report.split > 10);
    assert_true(report.stretch <= 1.5 * 1.25);
    check_closed(clay, cube.point_count, report.split);
    sup_vec3* now = points_of(clay);
    assert_near(size_of(now[corner]), 2.0 * sqrt(3.0) + 4.0, 1e-4);
    free(now);
    sup_clay_destroy(clay);
    sup_mesh_free(&cube);
}

/* A row of points drawn out of a tube wide enough that workers share its generations. */
static sup_clay* draw_tube(const sup_mesh* tube, const sup_pull_def* def, int32_t workers,
                           sup_pull_report* report) {
    enum { WIDTH = 1200 };
    static int32_t points[WIDTH];
    static sup_vec3 by[WIDTH];
    sup_clay_def made = sup_clay_default();
    made.worker_count = workers;
    sup_clay* clay = surface_of(tube, &made);
    uint64_t seed = 7;
    for (int32_t i = 0; i < WIDTH; i++) {
        points[i] = i;
        by[i] = (sup_vec3){0.0f, (float)(-1.5 - 0.5 * ref_random(&seed)), 0.0f};
    }
    require(sup_clay_pull(clay, def, WIDTH, points, by, report, NULL), NULL);
    return clay;
}

/* Which points workers reach first is left to chance, and no bit may tell. */
static void workers_do_not_matter(void** state) {
    (void)state;
    sup_mesh tube = tangle(1200, 12, 0.2, 11);
    sup_pull_def def = within(0.5, 1.2);
    def.passes = 4;
    for (int tight = 0; tight < 2; tight++) {
        sup_pull_report one, many;
        def.split_budget = tight ? 100 : 1 << 20;
        sup_clay* alone = draw_tube(&tube, &def, 1, &one);
        sup_clay* shared = draw_tube(&tube, &def, 8, &many);
        sup_vec3 *a = points_of(alone), *b = points_of(shared);
        print_message("%d points put in\n", (int)one.split);
        assert_int_equal(one.over_budget, tight);
        assert_true(tight ? one.split == 400 : one.split > 1000);
        assert_int_equal(one.split, many.split);
        assert_memory_equal(a, b, (size_t)sup_clay_point_count(alone) * sizeof *a);
        free(a);
        free(b);
        sup_clay_destroy(alone);
        sup_clay_destroy(shared);
    }
    sup_mesh_free(&tube);
}

static void budgets_and_limits_are_kept(void** state) {
    (void)state;
    sup_mesh ball;
    require(sup_mesh_icosphere(NULL, 1.0, 3, &ball, NULL), NULL);
    sup_pull_def def = within(0.5, 1.1);
    def.point_limit = ball.point_count + 5;
    sup_clay* clay = surface_of(&ball, NULL);
    sup_pull_report report = pull_by(clay, &def, 0, (sup_vec3){0.0f, 1.0f, 0.0f});
    assert_int_equal(sup_clay_point_count(clay), def.point_limit);
    assert_true(report.over_budget);
    sup_clay_destroy(clay);
    sup_error error;
    def.splits = (sup_pull_splits)2;
    clay = surface_of(&ball, NULL);
    const int32_t point = 0;
    assert_int_equal(sup_clay_pull(clay, &def, 1, &point, &(sup_vec3){0, 1, 0}, NULL, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "splits"));
    sup_clay_destroy(clay);
    sup_mesh_free(&ball);
}

/* New points, whatever their numbers: sorted by x. */
static int by_x(const void* a, const void* b) {
    float x = ((const sup_vec3*)a)->x, y = ((const sup_vec3*)b)->x;
    return (x > y) - (x < y);
}

/* The same points whatever the numbers are, where sums are of whole numbers: which edges come first
   depends on how far they are stretched. */
static void numbers_of_points_do_not_matter(void** state) {
    (void)state;
    enum { COUNT = 25 * 24 };
    sup_mesh mesh = tangle(25, 24, 0.2, 3);
    sup_pull_def def = within(0.5, 1.2);
    def.sums = SUP_PULL_REPRODUCIBLE;
    def.passes = 5;
    sup_clay* clay = surface_of(&mesh, NULL);
    sup_pull_report first = pull_by(clay, &def, 300, (sup_vec3){0.5f, 0.7f, 0.9f});
    sup_vec3* wanted = points_of(clay);
    size_t split = (size_t)first.split;
    print_message("%d points put in\n", (int)first.split);
    assert_true(split > 10);
    qsort(wanted + COUNT, split, sizeof *wanted, by_x);
    uint64_t seed = 5;
    for (int turn = 0; turn < 10; turn++) {
        static int32_t to[COUNT], corners[COUNT * 12];
        static sup_vec3 places[COUNT];
        ref_shuffle(&seed, COUNT, to);
        for (int32_t i = 0; i < COUNT; i++) places[to[i]] = mesh.points[i];
        for (int32_t i = 0; i < mesh.corner_count; i++) corners[i] = to[mesh.corners[i]];
        sup_mesh other = mesh_of(COUNT, places, mesh.polygon_count, NULL, corners);
        sup_clay* again = surface_of(&other, NULL);
        sup_pull_report report = pull_by(again, &def, to[300], (sup_vec3){0.5f, 0.7f, 0.9f});
        sup_vec3* now = points_of(again);
        assert_int_equal(report.split, first.split);
        for (int32_t i = 0; i < COUNT; i++)
            assert_memory_equal(&now[to[i]], &wanted[i], sizeof *now);
        qsort(now + COUNT, split, sizeof *now, by_x);
        assert_memory_equal(now + COUNT, wanted + COUNT, split * sizeof *now);
        free(now);
        sup_clay_destroy(again);
        sup_mesh_free(&other);
    }
    free(wanted);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_follows_the_new_point),
        cmocka_unit_test(numbers_of_the_edge_count),
        cmocka_unit_test(a_drawn_out_corner_stays_closed),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(budgets_and_limits_are_kept),
        cmocka_unit_test(numbers_of_points_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
