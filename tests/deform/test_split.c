/* Edges that are split where they become too long (A9), and joined where too short. */
#include "deform/surfaces.h"

static sup_mesh_report inspect(const sup_mesh* mesh) {
    sup_mesh_report report;
    sup_error error;
    require(sup_mesh_inspect(NULL, mesh, &report, &error), &error);
    return report;
}

static void a_pulled_corner_gets_points(void** state) {
    (void)state;
    sup_mesh mesh = cut_cube(4), result;
    assert_int_equal(mesh.point_count, 98);
    int32_t corner = corner_of(&mesh);
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_seed();
    def.transfer = 0.5;
    def.split = 1.5;
    sup_pull_report report = pull_by(surface, &def, corner, outwards(4.0));
    sup_clay_maps maps;
    require(sup_clay_mesh(surface, NULL, &result, &maps, NULL), NULL);
    print_message("%d points, %d passes, stretch %.4g before splits, %.4g after\n",
                  (int)result.point_count, (int)report.passes, report.stretch, report.stretch_left);
    assert_near(result.point_count, 134, 13.4);
    assert_near(report.passes, 48, 4.8);
    assert_true(report.stretch <= 1.5 * 1.25);
    assert_true(report.stretch > 1.5);
    assert_true(report.stretch_left <= 1.5 + 1e-6 || report.over_budget);
    assert_false(report.over_budget);
    assert_int_equal(report.split, result.point_count - 98);
    sup_mesh_report after = inspect(&result);
    assert_true(after.closed);
    assert_int_equal(after.fan_point_count, 0);
    assert_int_equal(result.point_count - after.edge_count + result.polygon_count, 2);
    for (int32_t i = 0; i < result.point_count; i++)
        assert_int_equal(maps.points[i], i < 98 ? i : -1);
    for (int32_t p = 0; p < result.polygon_count; p++)
        assert_true(maps.polygons[p] >= 0 && maps.polygons[p] < mesh.polygon_count);
    assert_near(size_of(result.points[corner]), 2.0 * sqrt(3.0) + 4.0, 1e-4);
    /* once more, by nothing, and by next to nothing */
    for (int little = 0; little < 2; little++) {
        report = pull_by(surface, &def, corner, outwards(little ? 1e-6 : 0.0));
        assert_int_equal(report.split, 0);
        assert_int_equal(sup_clay_point_count(surface), result.point_count);
    }
    sup_clay_maps_free(&maps);
    sup_mesh_free(&result);
    sup_clay_destroy(surface);

    /* with the default transfer nothing is stretched that far */
    surface = surface_of(&mesh, NULL);
    def.transfer = 0.9;
    report = pull_by(surface, &def, corner, outwards(4.0));
    assert_int_equal(report.split, 0);
    assert_near(report.stretch, 1.37, 0.005);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

enum { FOLLOWED = 160 }; /* points at most */

/* First lengths of edges, by both ends; 0: there was none. */
typedef struct follower {
    double first[FOLLOWED][FOLLOWED];
    double mean, shortest; /* m, of the edges that were followed last */
    double stretch;        /* the most over the first length, of those that may be split */
} follower;

/* Edges that were not there before get their length as it is now. Those below `least` are too short
   to be split. */
static void follow_edges(follower* f, const sup_clay* clay, double least) {
    sup_mesh now;
    sup_adjacency beside;
    require(sup_clay_mesh(clay, NULL, &now, NULL, NULL), NULL);
    require(sup_mesh_adjacency(NULL, &now, &beside, NULL), NULL);
    assert_true(now.point_count <= FOLLOWED);
    f->mean = f->stretch = 0.0;
    f->shortest = INFINITY;
    for (int32_t e = 0; e < beside.edge_count; e++) {
        const int32_t* ends = beside.edges + 2 * e;
        sup_vec3 a = now.points[ends[0]], b = now.points[ends[1]];
        double length = size_of((sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
        double* first = &f->first[ends[0]][ends[1]];
        if (*first == 0.0) *first = length;
        f->mean += length / beside.edge_count;
        f->shortest = fmin(f->shortest, length);
        if (length > least) f->stretch = fmax(f->stretch, length / *first);
    }
    sup_adjacency_free(&beside);
    sup_mesh_free(&now);
}

/* A9 measured from outside: the same pull pass by pass, and after each no edge is longer than 1.5
   times its first length. What is left is divided anew after splits. */
static void no_pass_leaves_a_long_edge(void** state) {
    (void)state;
    sup_mesh mesh = cut_cube(4);
    int32_t corner = corner_of(&mesh), passes = 0, split = 0;
    sup_clay* clay = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_seed();
    static follower f;
    double left = 4.0, step = 0.0, before = 0.0, after = 0.0;
    def.transfer = 0.5;
    def.split = 1.5;
    def.passes = 1;
    follow_edges(&f, clay, 0.0);
    const double least = 0.25 * f.mean;
    for (; left > 1e-6; passes++) {
        if (step == 0.0) step = left / ceil(left / (0.25 * f.shortest) - 1e-9);
        sup_pull_report report = pull_by(clay, &def, corner, outwards(step));
        follow_edges(&f, clay, least);
        left -= step;
        split += report.split;
        if (report.split > 0) step = 0.0;
        assert_false(report.over_budget);
        before = fmax(before, report.stretch);
        after = fmax(after, f.stretch);
        assert_near(f.stretch, report.stretch_left, 1e-5);
    }
    print_message("%d splits in %d passes, stretch %.4f before them, %.6f after\n", (int)split,
                  (int)passes, before, after);
    assert_true(after <= 1.5 + 1e-6 && after > 1.4);
    assert_true(before > 1.5 && before <= 1.5 * 1.25);
    assert_near(98 + split, 134, 13.4);
    assert_near(passes, 48, 4.8);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

/* Faces that are over `ratio` times as long as high. */
static int32_t thinner(const sup_mesh* mesh, double ratio) {
    int32_t count = 0;
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        const int32_t* c = mesh->corners + mesh->starts[p];
        double edges[3][3], cross[3], longest = 0.0, square = 0.0;
        for (int k = 0; k < 3; k++) {
            const sup_vec3 *a = &mesh->points[c[k]], *b = &mesh->points[c[(k + 1) % 3]];
            edges[k][0] = (double)b->x - (double)a->x;
            edges[k][1] = (double)b->y - (double)a->y;
            edges[k][2] = (double)b->z - (double)a->z;
            double length = 0.0;
            for (int i = 0; i < 3; i++) length += edges[k][i] * edges[k][i];
            longest = fmax(longest, length);
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            cross[i] = edges[0][j] * edges[1][l] - edges[0][l] * edges[1][j];
            square += cross[i] * cross[i];
        }
        count += longest > ratio * sqrt(square);
    }
    return count;
}

/* Needles along a long spike are those of the pull, which draws in what follows: splits make edges
   as short as they should be, however thin the faces are that they find. More passes do not help,
   motion that is handed on as it is does. */
static void needles_are_those_of_the_pull(void** state) {
    (void)state;
    sup_mesh mesh = cut_cube(4);
    static const struct {
        double transverse;
        int32_t passes;
    } pulls[] = {{0.5, 0}, {0.5, 1000}, {0.95, 0}};
    for (int within = 0; within < 2; within++) {
        int32_t needles[3];
        for (int k = 0; k < 3; k++) {
            sup_mesh result;
            sup_clay* clay = surface_of(&mesh, NULL);
            sup_pull_def def = sup_pull_default();
            def.split = 1.5;
            def.splits = within ? SUP_SPLIT_WITHIN : SUP_SPLIT_AFTER;
            def.transverse = pulls[k].transverse;
            def.passes = pulls[k].passes;
            sup_pull_report report = pull_by(clay, &def, corner_of(&mesh), outwards(16.0));
            assert_false(report.over_budget);
            if (!within) assert_true(report.stretch_left <= 1.5 + 1e-6);
            require(sup_clay_mesh(clay, NULL, &result, NULL, NULL), NULL);
            needles[k] = thinner(&result, 30.0);
            print_message("transverse %g, %d passes: %d of %d faces are needles\n", def.transverse,
                          (int)report.passes, (int)needles[k], (int)result.polygon_count);
            sup_mesh_free(&result);
            sup_clay_destroy(clay);
        }
        assert_true(needles[0] > 200 && needles[1] > 200);
        assert_int_equal(needles[2], 0);
    }
    sup_mesh_free(&mesh);
}

static void budgets_and_limits_are_kept(void** state) {
    (void)state;
    sup_mesh mesh = cut_cube(4);
    int32_t corner = corner_of(&mesh);
    sup_pull_def def = sup_pull_seed();
    def.transfer = 0.5;
    def.split = 1.1;
    def.point_limit = 110;
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_report report = pull_by(surface, &def, corner, outwards(4.0));
    assert_int_equal(sup_clay_point_count(surface), 110);
    assert_true(report.over_budget);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* Does to the points of the first mesh what the events tell; returns how many there are then. */
static int32_t replay(const sup_clay* clay, int32_t count, int32_t* from, sup_vec3* places,
                      sup_clay_event_kind kind, int32_t* told) {
    int32_t events;
    const sup_clay_event* e = sup_clay_events(clay, &events);
    *told = 0;
    for (int32_t i = 0; i < events; i++, e++) {
        *told += e->kind == kind;
        assert_in_range(e->ends[0], 0, count - 1);
        if (e->kind == SUP_CLAY_SPLIT) {
            assert_in_range(e->ends[1], 0, count - 1);
            assert_true(e->ends[0] != e->ends[1]);
            assert_int_equal(e->point, count);
            sup_vec3 a = places[e->ends[0]], b = places[e->ends[1]];
            places[count] = (sup_vec3){0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)};
            from[count++] = -1;
        } else {
            assert_int_equal(e->ends[1], -1);
            assert_in_range(e->point, 0, count - 1);
            assert_true(e->ends[0] != e->point);
            sup_vec3 a = places[e->ends[0]], b = places[e->point]; /* neighbours at first */
            assert_true(size_of((sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z}) < 1.5);
            count--;
            for (int32_t k = e->point; k < count; k++) {
                from[k] = from[k + 1];
                places[k] = places[k + 1];
            }
        }
    }
    return count;
}

static void check_replay(const sup_clay* clay, int32_t count, const int32_t* from) {
    sup_mesh now;
    sup_clay_maps maps;
    require(sup_clay_mesh(clay, NULL, &now, &maps, NULL), NULL);
    assert_int_equal(now.point_count, count);
    assert_memory_equal(maps.points, from, (size_t)count * sizeof *from);
    sup_clay_maps_free(&maps);
    sup_mesh_free(&now);
}

/* Who follows the events has the points of the clay, and knows where each comes from. */
static void events_tell_what_became_of_points(void** state) {
    (void)state;
    enum { ROOM = 4000 };
    static int32_t from[ROOM];
    static sup_vec3 places[ROOM], now[ROOM];
    sup_mesh mesh = cut_cube(4);
    int32_t corner = corner_of(&mesh), count = mesh.point_count, told, split;
    for (int32_t i = 0; i < count; i++) from[i] = i, places[i] = mesh.points[i];

    /* a refinement leaves the shape as it is: the replay has the places too */
    sup_clay* clay = surface_of(&mesh, NULL);
    require(sup_clay_refine(clay, (double[3]){2, 2, 2}, 1.5, 0.4, 0, &split, NULL), NULL);
    count = replay(clay, count, from, places, SUP_CLAY_SPLIT, &told);
    assert_int_equal(told, split);
    assert_true(split > 50);
    check_replay(clay, count, from);
    sup_clay_points(clay, now);
    assert_memory_equal(now, places, (size_t)count * sizeof *now);

    /* splits and joins of one pull */
    sup_pull_def def = sup_pull_seed();
    def.transfer = 0.5;
    def.split = 1.3;
    def.squeeze = SUP_SQUEEZE_COLLAPSE;
    def.squeezed = 0.6;
    sup_pull_report report = pull_by(clay, &def, corner, outwards(-2.5));
    assert_true(report.split > 10 && report.joined > 10);
    count = replay(clay, count, from, places, SUP_CLAY_JOIN, &told);
    assert_int_equal(told, report.joined);
    print_message("%d splits and %d joins in one pull\n", (int)report.split, (int)report.joined);
    check_replay(clay, count, from);

    /* a pull that changes no edge tells nothing */
    def = sup_pull_default();
    pull_by(clay, &def, 0, outwards(0.01));
    sup_clay_events(clay, &told);
    assert_int_equal(told, 0);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

/* In one round ids change after each of them. */
static void events_tell_of_many_joins_at_once(void** state) {
    (void)state;
    enum { ROOM = 3000 };
    static int32_t from[ROOM];
    static sup_vec3 places[ROOM];
    sup_mesh sphere;
    require(sup_mesh_icosphere(NULL, 1.0, 4, &sphere, NULL), NULL);
    int32_t count = sphere.point_count, told, top = 0;
    for (int32_t i = 0; i < count; i++) {
        from[i] = i, places[i] = sphere.points[i];
        if (sphere.points[i].y > sphere.points[top].y) top = i;
    }
    sup_clay* clay = surface_of(&sphere, NULL);
    sup_pull_def def = sup_pull_default();
    def.squeeze = SUP_SQUEEZE_COLLAPSE;
    def.squeezed = 0.9;
    def.passes = 1;
    sup_pull_report report = pull_by(clay, &def, top, (sup_vec3){0.3f, 0.0f, 0.0f});
    count = replay(clay, count, from, places, SUP_CLAY_JOIN, &told);
    print_message("%d joins in one pass\n", (int)told);
    assert_int_equal(told, report.joined);
    assert_true(told > 5);
    check_replay(clay, count, from);
    sup_clay_destroy(clay);
    sup_mesh_free(&sphere);
}

/* Values of corners and polygons that are no triangles. */
static void new_corners_get_the_mean(void** state) {
    (void)state;
    sup_vec3 places[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {2, 1, 0}};
    const int32_t starts[3] = {0, 4, 8}, corners[8] = {0, 1, 2, 3, 1, 4, 5, 2};
    float values[16];
    for (int c = 0; c < 8; c++) {
        values[2 * c] = places[corners[c]].x;
        values[2 * c + 1] = 10.0f * places[corners[c]].y;
    }
    sup_mesh mesh = mesh_of(6, places, 2, starts, corners), result;
    const float masses[6] = {INFINITY, 0, 0, INFINITY, 0, 0};
    sup_clay_def made = sup_clay_default();
    made.values = values;
    made.value_width = 2;
    made.masses = masses;
    sup_clay* surface = surface_of(&mesh, &made);
    sup_pull_def def = sup_pull_default();
    def.transfer = 0.0;
    def.split = 1.2;
    const int32_t points[2] = {4, 5};
    const sup_vec3 by[2] = {{0.25f, 0, 0}, {0.25f, 0, 0}};
    sup_pull_report report;
    require(sup_clay_pull(surface, &def, 2, points, by, &report, NULL), NULL);
    sup_clay_maps maps;
    require(sup_clay_mesh(surface, NULL, &result, &maps, NULL), NULL);
    /* both long edges of the second quad, in two rounds, as they share its face */
    assert_int_equal(result.point_count, 8);
    assert_int_equal(result.polygon_count, 2);
    assert_int_equal(result.corner_count, 10);
    for (int32_t c = 0; c < result.corner_count; c++) {
        bool made_now = result.corners[c] >= 6;
        if (!made_now) continue;
        assert_near((double)maps.values[2 * c], 1.5, 1e-6);
        assert_near((double)result.points[result.corners[c]].x, 1.625, 1e-6);
    }
    assert_int_equal(maps.polygons[0], 0);
    assert_int_equal(maps.polygons[1], 1);
    sup_clay_maps_free(&maps);
    sup_mesh_free(&result);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* Three triangles at one edge, and a boundary: the edge gets one point for all. */
static void edges_of_any_number_of_faces_are_split(void** state) {
    (void)state;
    sup_vec3 places[5] = {{0, 0, 0}, {1, 0, 0}, {0.5f, 1, 0}, {0.5f, 0, 1}, {0.5f, -1, 0}};
    const int32_t corners[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    sup_mesh mesh = mesh_of(5, places, 3, NULL, corners), result;
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    def.transfer = 0.0;
    def.split = 1.3;
    const int32_t ends[2] = {0, 1};
    const sup_vec3 by[2] = {{-0.2f, 0, 0}, {0.2f, 0, 0}};
    sup_pull_report report;
    require(sup_clay_pull(surface, &def, 2, ends, by, &report, NULL), NULL);
    require(sup_clay_mesh(surface, NULL, &result, NULL, NULL), NULL);
    assert_int_equal(report.split, 1);
    assert_int_equal(result.polygon_count, 6);
    assert_near((double)result.points[5].x, 0.5, 1e-6);
    sup_mesh_free(&result);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

static void short_edges_are_joined_or_split(void** state) {
    (void)state;
    sup_mesh sphere, result;
    sup_error error;
    require(sup_mesh_icosphere(NULL, 1.0, 3, &sphere, &error), &error);
    for (int kind = 0; kind < 3; kind++) {
        sup_clay* surface = surface_of(&sphere, NULL);
        sup_pull_def def = sup_pull_default();
        def.transfer = 0.6;
        def.squeeze = (sup_pull_squeeze)kind;
        def.squeezed = 0.6;
        def.split = kind == 0 ? 4.0 : 0.0;
        int32_t side = 0; /* pushed along the surface, so that it crumples ahead */
        for (int32_t i = 0; i < sphere.point_count; i++) {
            if (sphere.points[i].y > sphere.points[side].y) side = i;
        }
        sup_pull_report report = pull_by(surface, &def, side, (sup_vec3){0.4f, 0.0f, 0.0f});
        require(sup_clay_mesh(surface, NULL, &result, NULL, &error), &error);
        sup_mesh_report after = inspect(&result);
        print_message("squeeze %d: %d joined, %d split, %d passes\n", kind, (int)report.joined,
                      (int)report.split, (int)report.passes);
        assert_int_equal(report.split > 0, kind == SUP_SQUEEZE_SPLIT);
        if (kind == SUP_SQUEEZE_COLLAPSE) {
            assert_true(report.joined > 0);
            assert_int_equal(result.point_count, sphere.point_count - report.joined);
        }
        assert_true(after.closed);
        assert_int_equal(after.fan_point_count, 0);
        assert_int_equal(result.point_count - after.edge_count + result.polygon_count, 2);
        sup_mesh_free(&result);
        sup_clay_destroy(surface);
    }
    sup_mesh_free(&sphere);
}

/* Pulls that change the surface are undone when memory runs out. */
typedef struct cramped {
    sup_mesh mesh;
    sup_pull_def def;
    sup_vec3* wanted; /* what a pull with enough memory makes */
    int32_t wanted_count;
} cramped;

static sup_result pull_corner(sup_clay* clay, const cramped* c) {
    const int32_t corner = 0;
    const sup_vec3 by = {-1.0f, -1.0f, -1.0f};
    return sup_clay_pull(clay, &c->def, 1, &corner, &by, NULL, NULL);
}

/* The surface is as it was, and can be pulled as if nothing had been. */
static void expect_undone(sup_clay* clay, const cramped* c) {
    sup_mesh now;
    int32_t count;
    require(sup_clay_mesh(clay, NULL, &now, NULL, NULL), NULL);
    assert_int_equal(now.point_count, c->mesh.point_count);
    assert_memory_equal(now.points, c->mesh.points, (size_t)now.point_count * sizeof *now.points);
    assert_int_equal(now.corner_count, c->mesh.corner_count);
    assert_memory_equal(now.corners, c->mesh.corners,
                        (size_t)now.corner_count * sizeof *now.corners);
    sup_mesh_free(&now);
    sup_clay_events(clay, &count);
    assert_int_equal(count, 0);
    require(pull_corner(clay, c), NULL);
    assert_int_equal(sup_clay_point_count(clay), c->wanted_count);
    sup_vec3* points = points_of(clay);
    assert_memory_equal(points, c->wanted, (size_t)c->wanted_count * sizeof *points);
    free(points);
}

/* Every allocation of a pull fails once, alone and with all after it, each time in fresh clay:
   clay that has been pulled has room already. */
static void pull_without_memory(sup_pull_splits splits) {
    cramped c = {.mesh = cut_cube(3), .def = sup_pull_seed()};
    const sup_clay_def made = sup_clay_default();
    c.def.transfer = 0.4;
    c.def.split = 1.3;
    c.def.splits = splits;
    c.def.squeeze = SUP_SQUEEZE_COLLAPSE;
    sup_clay* clay = surface_of(&c.mesh, NULL);
    require(pull_corner(clay, &c), NULL);
    c.wanted = points_of(clay);
    c.wanted_count = sup_clay_point_count(clay);
    assert_true(c.wanted_count > c.mesh.point_count);
    sup_clay_destroy(clay);
    for (int onwards = 0; onwards < 2; onwards++) {
        long long at = 0;
        for (bool done = false; !done;) {
            test_allocator memory;
            require(sup_clay_create(test_allocator_init(&memory), &c.mesh, &made, &clay, NULL),
                    NULL);
            test_allocator_arm(&memory, ++at, onwards);
            sup_result outcome = pull_corner(clay, &c);
            done = atomic_load(&memory.refused) == 0;
            test_allocator_arm(&memory, 0, false);
            assert_int_equal(outcome, done ? SUP_OK : SUP_NO_MEMORY);
            if (!done) expect_undone(clay, &c);
            sup_clay_destroy(clay);
            assert_int_equal(atomic_load(&memory.blocks), 0);
        }
        assert_true(at > 100);
    }
    free(c.wanted);
    sup_mesh_free(&c.mesh);
}

static void a_pull_without_memory_changes_nothing(void** state) {
    (void)state;
    pull_without_memory(SUP_SPLIT_AFTER);
    pull_without_memory(SUP_SPLIT_WITHIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulled_corner_gets_points),
        cmocka_unit_test(no_pass_leaves_a_long_edge),
        cmocka_unit_test(needles_are_those_of_the_pull),
        cmocka_unit_test(budgets_and_limits_are_kept),
        cmocka_unit_test(events_tell_what_became_of_points),
        cmocka_unit_test(events_tell_of_many_joins_at_once),
        cmocka_unit_test(new_corners_get_the_mean),
        cmocka_unit_test(edges_of_any_number_of_faces_are_split),
        cmocka_unit_test(short_edges_are_joined_or_split),
        cmocka_unit_test(a_pull_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
