/* Propagation: closed forms, bounds, pins, special cases, and the twin in double precision
   (A1, A2, A5 to A8). */
#include "deform/surfaces.h"

/* A1: one edge. */
static void one_edge_hands_on_what_the_formula_says(void** state) {
    (void)state;
    sup_mesh mesh = chain(2, 1.0);
    sup_pull_def def = one_pass(1.0, 0.0);
    for (int heavy = 0; heavy < 2; heavy++) {
        const float masses[2] = {0.0f, (float)heavy};
        double part = heavy ? 0.5 : 1.0;
        sup_clay_def made = sup_clay_default();
        made.masses = masses;
        for (int across = 0; across < 2; across++) {
            sup_clay* surface = surface_of(&mesh, &made);
            sup_vec3 by = across ? (sup_vec3){0.0f, 0.5f, 0.0f} : (sup_vec3){-0.5f, 0.0f, 0.0f};
            pull_by(surface, &def, 0, by);
            sup_vec3* moved = moved_of(surface);
            /* towards the parent is -x */
            assert_near((double)moved[1].x, part * (across ? -0.10557 : -0.5), 1e-5);
            assert_near((double)moved[1].y, part * (across ? 0.05279 : 0.0), 1e-5);
            free(moved);
            sup_clay_destroy(surface);
        }
    }
    sup_mesh_free(&mesh);
}

/* What a parent hands on along the edge where lengths are floats and r - l is the difference of two
   roots: the control of A2 and A5. */
static sup_vec3 hand_on_by_roots(sup_vec3 parent, sup_vec3 child, sup_vec3 by) {
    float e[3] = {parent.x - child.x, parent.y - child.y, parent.z - child.z};
    float q[3] = {e[0] + by.x, e[1] + by.y, e[2] + by.z};
    float l = sqrtf(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    float r = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    return (sup_vec3){(r - l) * q[0] / r, (r - l) * q[1] / r, (r - l) * q[2] / r};
}

/* A2: what is handed on along edges, and across them. */
static void a_sheet_is_anisotropic_without_transverse(void** state) {
    (void)state;
    sup_mesh mesh = sheet(12);
    const sup_vec3 by = {1e-4f, 1e-4f, 0.0f};
    int32_t middle = 6 * 13 + 6;
    for (int across = 0; across < 2; across++) {
        sup_clay* surface = surface_of(&mesh, NULL);
        sup_pull_def def = one_pass(1.0, across);
        pull_by(surface, &def, middle, by);
        sup_vec3* moved = moved_of(surface);
        for (int32_t k = 1; !across && k <= 6; k++) {
            assert_near((double)moved[middle + k].x, 1e-4, 1e-6);
            assert_near((double)moved[middle + 13 * k].y, 1e-4, 1e-6);
            assert_near((double)moved[middle - k].x, 1e-4, 1e-6);
        }
        if (!across) {
            double diagonal = size_of(moved[middle + 14]);
            assert_true(diagonal < 2e-8);
            assert_near(diagonal, 1.06e-8, 0.02e-8);
            assert_near(fabs((double)moved[middle + 14].x), 7.499e-9, 1e-11);
            /* of its parents on both axes a difference of roots gives nothing */
            const sup_vec3* at = mesh.points;
            sup_vec3 a = hand_on_by_roots(at[middle + 1], at[middle + 14], moved[middle + 1]);
            sup_vec3 b = hand_on_by_roots(at[middle + 13], at[middle + 14], moved[middle + 13]);
            assert_true(a.x == 0.0f && a.y == 0.0f && b.x == 0.0f && b.y == 0.0f);
        }
        for (int32_t i = 0; across && i < mesh.point_count; i++) {
            assert_near((double)moved[i].x, 1e-4, 1e-9);
            assert_near((double)moved[i].y, 1e-4, 1e-9);
            assert_near((double)moved[i].z, 0.0, 1e-9);
        }
        free(moved);
        sup_clay_destroy(surface);
    }
    sup_mesh_free(&mesh);
}

/* P2: a pull across the sheet dies out without transverse transmission. */
static void a_pull_across_fades_in_three_generations(void** state) {
    (void)state;
    static const double wanted[3] = {0.0528, 0.0051, 0.0005};
    sup_mesh mesh = sheet(12);
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = one_pass(1.0, 0.0);
    int32_t middle = 6 * 13 + 6;
    pull_by(surface, &def, middle, (sup_vec3){0.0f, 0.0f, 0.5f});
    sup_vec3* moved = moved_of(surface);
    for (int32_t k = 0; k < 3; k++) assert_near((double)moved[middle + k + 1].z, wanted[k], 0.6e-4);
    free(moved);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* A5: nobody moves farther than who is pulled. */
static void nobody_moves_farther_than_the_source(void** state) {
    (void)state;
    uint64_t seed = 5;
    for (int32_t trial = 0; trial < (short_tests() ? 50 : 1000); trial++) {
        sup_mesh mesh = tangle(4 + ref_random_index(&seed, 8), 2 + ref_random_index(&seed, 9),
                               0.4 * fabs(ref_random(&seed)), seed);
        sup_clay* surface = surface_of(&mesh, NULL);
        sup_pull_def def = one_pass(0.5 + 0.5 * ref_random(&seed), 0.5 + 0.5 * ref_random(&seed));
        double most = 0.0, size = pow(10.0, 2.0 * ref_random(&seed));
        int32_t points[3];
        sup_vec3 by[3];
        for (int k = 0; k < 3; k++) {
            points[k] = ref_random_index(&seed, mesh.point_count);
            by[k] = (sup_vec3){(float)(size * ref_random(&seed)), (float)(size * ref_random(&seed)),
                               (float)(size * ref_random(&seed))};
            if (size_of(by[k]) > most) most = size_of(by[k]);
        }
        sup_pull_report report;
        require(sup_clay_pull(surface, &def, 3, points, by, &report, NULL), NULL);
        sup_vec3* moved = moved_of(surface);
        double bound = most * (1.0 + 1e-6 + 2e-8 * report.generations);
        for (int32_t i = 0; i < mesh.point_count; i++) assert_true(size_of(moved[i]) <= bound);
        free(moved);
        sup_clay_destroy(surface);
        sup_mesh_free(&mesh);
    }
}

/* A5: rounding does not grow over a thousand generations, as it does by a difference of roots. */
static void a_long_chain_keeps_its_pull(void** state) {
    (void)state;
    sup_mesh mesh = chain(1001, 1.0);
    const double root = sqrt(14.0); /* along no axis: there lengths are exact */
    for (int32_t i = 0; i < mesh.point_count; i++)
        mesh.points[i] =
            (sup_vec3){(float)(i / root), (float)(2.0 * i / root), (float)(3.0 * i / root)};
    sup_vec3 by = {(float)(-0.1 / root), (float)(-0.2 / root), (float)(-0.3 / root)};
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = one_pass(1.0, 0.0);
    sup_pull_report report = pull_by(surface, &def, 0, by);
    assert_int_equal(report.generations, 1000);
    sup_vec3* moved = moved_of(surface);
    for (int32_t i = 0; i < 1000; i++)
        by = hand_on_by_roots(mesh.points[i], mesh.points[i + 1], by);
    double bound = 1e-6 + 2e-8 * 1000, off = size_of(moved[1000]) / 0.1 - 1.0;
    print_message("%+.2g after 1000 generations, %+.2g by a difference of roots\n", off,
                  size_of(by) / 0.1 - 1.0);
    assert_near(off, 0.0, bound);
    assert_true(size_of(by) > 0.1 * (1.0 + bound));
    free(moved);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* A6: a pull that is longer than an edge. */
static void long_pulls_are_divided(void** state) {
    (void)state;
    sup_mesh mesh = chain(6, 1.0);
    for (int single = 0; single < 2; single++) {
        sup_clay* surface = surface_of(&mesh, NULL);
        sup_pull_def def = one_pass(1.0, 0.0);
        def.passes = single;
        sup_pull_report report = pull_by(surface, &def, 0, (sup_vec3){1.5f, 0.0f, 0.0f});
        sup_vec3* moved = moved_of(surface);
        assert_int_equal(report.passes, single ? 1 : 6);
        assert_false(report.capped);
        if (single) {
            assert_near((double)moved[1].x, -0.5, 1e-5); /* pushed past its child: the wrong way */
        } else {
            assert_near((double)moved[1].x, 1.5, 0.1);
            assert_near((double)moved[1].x, 1.5, 1e-4);
        }
        free(moved);
        sup_clay_destroy(surface);
    }
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    sup_pull_report report = pull_by(surface, &def, 0, (sup_vec3){-1000.0f, 0.0f, 0.0f});
    assert_true(report.capped);
    assert_int_equal(report.passes, 64);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* A7 */
static void pins_depths_and_other_parts_hold(void** state) {
    (void)state;
    sup_mesh mesh = sheet(12);
    int32_t middle = 6 * 13 + 6;
    float masses[169] = {0.0f};
    for (int32_t j = 0; j < 13; j++) masses[13 * j + 8] = j % 2 ? INFINITY : FLT_MAX;
    mesh.points[13 * 4 + 8].z = -0.0f;
    sup_clay_def made = sup_clay_default();
    made.masses = masses;
    sup_clay* surface = surface_of(&mesh, &made);
    sup_pull_def def = sup_pull_default();
    def.remember = true;
    pull_by(surface, &def, middle, (sup_vec3){0.4f, -0.2f, 0.6f});
    sup_vec3* points = points_of(surface);
    for (int32_t j = 0; j < 13; j++) {
        assert_memory_equal(&points[13 * j + 8], &mesh.points[13 * j + 8], sizeof *points);
        /* straight behind a wall of pins only pins are parents */
        assert_memory_equal(&points[13 * j + 9], &mesh.points[13 * j + 9], sizeof *points);
    }
    for (int32_t i = 0; i < mesh.point_count; i++) assert_true(isfinite(size_of(points[i])));
    free(points);
    /* a pinned source is ignored */
    sup_pull_report report = pull_by(surface, &def, 8, (sup_vec3){1.0f, 0.0f, 0.0f});
    assert_int_equal(report.ignored, 1);
    assert_int_equal(report.reached, 0);
    sup_clay_destroy(surface);

    def.depth = 3;
    for (int fade = 0; fade < 2; fade++) {
        def.fade = fade;
        surface = surface_of(&mesh, NULL);
        pull_by(surface, &def, middle, (sup_vec3){0.1f, 0.1f, 0.2f});
        int32_t generations[169];
        sup_clay_generations(surface, generations);
        points = points_of(surface);
        for (int32_t i = 0; i < mesh.point_count; i++) {
            int32_t steps = abs(i % 13 - 6) + abs(i / 13 - 6);
            bool moved = memcmp(&points[i], &mesh.points[i], sizeof *points) != 0;
            assert_int_equal(generations[i], steps <= 3 ? steps : -1);
            assert_int_equal(moved, fade ? steps < 3 : steps <= 3);
        }
        free(points);
        sup_clay_destroy(surface);
    }
    sup_mesh_free(&mesh);
}

static void pins_can_end_the_way(void** state) {
    (void)state;
    sup_mesh mesh = chain(9, 1.0);
    const float masses[9] = {0, 0, 0, 0, INFINITY, 0, 0, 0, 0};
    sup_clay_def made = sup_clay_default();
    made.masses = masses;
    sup_clay* surface = surface_of(&mesh, &made);
    sup_pull_def def = sup_pull_default();
    assert_int_equal(pull_by(surface, &def, 0, (sup_vec3){-0.1f, 0, 0}).reached, 9);
    def.pins_block = true;
    assert_int_equal(pull_by(surface, &def, 0, (sup_vec3){-0.1f, 0, 0}).reached, 4);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

static void other_parts_and_no_sources_change_nothing(void** state) {
    (void)state;
    sup_vec3 places[7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0},
                          {6, 0, 0}, {5, 1, 0}, {9, 9, 9}};
    const int32_t corners[6] = {0, 1, 2, 3, 4, 5};
    sup_mesh mesh = mesh_of(7, places, 2, NULL, corners);
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    pull_by(surface, &def, 0, (sup_vec3){0.3f, 0.3f, 0.3f});
    sup_vec3* points = points_of(surface);
    assert_memory_equal(points + 3, mesh.points + 3, 4 * sizeof *points);
    assert_memory_not_equal(points, mesh.points, 3 * sizeof *points);
    /* an isolated point moves alone */
    sup_pull_report report = pull_by(surface, &def, 6, (sup_vec3){1.0f, 0.0f, 0.0f});
    assert_int_equal(report.reached, 1);
    sup_vec3* after = points_of(surface);
    assert_memory_equal(points, after, 6 * sizeof *points);
    assert_near((double)after[6].x, 10.0, 1e-6);
    /* none, and one by nothing */
    require(sup_clay_pull(surface, &def, 0, NULL, NULL, &report, NULL), NULL);
    pull_by(surface, &def, 0, (sup_vec3){0.0f, 0.0f, 0.0f});
    sup_vec3* last = points_of(surface);
    assert_memory_equal(after, last, 7 * sizeof *points);
    int32_t generations[7];
    sup_clay_generations(surface, generations);
    for (int32_t i = 0; i < 7; i++) assert_int_equal(generations[i], -1);
    free(points);
    free(after);
    free(last);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

static void of_a_point_named_twice_the_last_counts(void** state) {
    (void)state;
    sup_mesh mesh = chain(4, 1.0);
    sup_clay* surface = surface_of(&mesh, NULL);
    const int32_t points[3] = {2, 0, 2};
    const sup_vec3 by[3] = {{9, 9, 9}, {0.1f, 0, 0}, {0, 0.2f, 0}};
    sup_pull_def def = one_pass(0.9, 0.5);
    require(sup_clay_pull(surface, &def, 3, points, by, NULL, NULL), NULL);
    sup_vec3* moved = moved_of(surface);
    assert_memory_equal(&moved[2], &by[2], sizeof *by);
    assert_memory_equal(&moved[0], &by[1], sizeof *by);
    free(moved);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* Padding stands at the origin, and how much there is depends on who else is in a batch. */
static void padding_moves_nobody(void** state) {
    (void)state;
    /* 0 pulls 1, which is all but at the origin; 2 to 7 pull 8 */
    sup_vec3 places[9] = {{1, 0, 0}, {0, 3e-8f, 4e-8f}};
    int32_t corners[3 * 7] = {0, 1, 1}, sources[7] = {0};
    sup_vec3 by[7];
    for (int32_t i = 0; i < 7; i++) by[i] = (sup_vec3){0.1f, 0.2f, 0.1f};
    for (int32_t i = 2; i < 9; i++) {
        const int32_t edge[3] = {i, 8, 8};
        places[i] = i < 8 ? (sup_vec3){9, (float)i, 0} : (sup_vec3){8, 5, 0};
        if (i == 8) continue;
        sources[i - 1] = i;
        memcpy(corners + 3 * (i - 1), edge, sizeof edge);
    }
    sup_vec3 alone = {0, 0, 0};
    for (int sums = 0; sums < 2; sums++) {
        for (int32_t pulled = 1; pulled <= 7; pulled += 6) {
            sup_mesh mesh = mesh_of(9, places, 7, NULL, corners);
            sup_clay* surface = surface_of(&mesh, NULL);
            sup_pull_def def = one_pass(0.9, 0.5);
            def.sums = (sup_pull_sums)sums;
            require(sup_clay_pull(surface, &def, pulled, sources, by, NULL, NULL), NULL);
            sup_vec3* points = points_of(surface);
            if (pulled == 1) alone = points[1];
            assert_memory_equal(&points[1], &alone, sizeof alone);
            free(points);
            sup_clay_destroy(surface);
            sup_mesh_free(&mesh);
        }
    }
}

/* Who stays hands on nothing, however near its child is. */
static void a_pin_beside_its_child_moves_nobody(void** state) {
    (void)state;
    sup_mesh mesh = chain(3, 1.0);
    mesh.points[2] = mesh.points[1];
    mesh.points[2].z = 5e-8f;
    const float masses[3] = {0, INFINITY, 0};
    sup_clay_def made = sup_clay_default();
    made.masses = masses;
    sup_clay* surface = surface_of(&mesh, &made);
    sup_pull_def def = one_pass(0.9, 0.5);
    sup_pull_report report = pull_by(surface, &def, 0, (sup_vec3){0.1f, 0.2f, 0.3f});
    assert_int_equal(report.reached, 3);
    sup_vec3* points = points_of(surface);
    assert_memory_equal(points + 1, mesh.points + 1, 2 * sizeof *points);
    free(points);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

/* A8 */
static void degenerate_edges_stay_finite(void** state) {
    (void)state;
    sup_mesh mesh = chain(4, 1.0);
    mesh.points[1] = mesh.points[0];
    for (int across = 0; across < 2; across++) {
        sup_clay* surface = surface_of(&mesh, NULL);
        sup_pull_def def = one_pass(0.8, 0.5 * across);
        pull_by(surface, &def, 0, (sup_vec3){0.1f, -0.2f, 0.3f});
        sup_vec3* moved = moved_of(surface);
        assert_near((double)moved[1].x, 0.08, 1e-7); /* no length: k d */
        assert_near((double)moved[1].y, -0.16, 1e-7);
        assert_near((double)moved[1].z, 0.24, 1e-7);
        free(moved);
        sup_clay_destroy(surface);
        /* onto the child */
        surface = surface_of(&mesh, NULL);
        pull_by(surface, &def, 1, (sup_vec3){2.0f, 0.0f, 0.0f});
        moved = moved_of(surface);
        for (int32_t i = 0; i < 4; i++) assert_true(isfinite(size_of(moved[i])));
        assert_near((double)moved[2].x, 0.8 * 2.0, 1e-6);
        free(moved);
        sup_clay_destroy(surface);
    }
    sup_mesh_free(&mesh);

    /* three faces at one edge */
    sup_vec3 places[5] = {{0, 0, 0}, {1, 0, 0}, {0.5f, 1, 0}, {0.5f, 0, 1}, {0.5f, -1, 0}};
    const int32_t corners[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    mesh = mesh_of(5, places, 3, NULL, corners);
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    pull_by(surface, &def, 2, (sup_vec3){0, 0.2f, 0});
    int32_t generations[5];
    sup_clay_generations(surface, generations);
    const int32_t wanted[5] = {1, 1, 0, 2, 2};
    assert_memory_equal(generations, wanted, sizeof wanted);
    sup_clay_destroy(surface);
    sup_mesh_free(&mesh);
}

static void compare_with_twin(const sup_mesh* mesh, const sup_adjacency* beside, uint64_t seed,
                              int kind) {
    int32_t n = mesh->point_count, edges = beside->edge_count;
    float* masses = malloc((size_t)n * sizeof *masses);
    double* exact_masses = malloc((size_t)n * sizeof *exact_masses);
    float* transfers = malloc((size_t)edges * sizeof *transfers);
    double* exact_transfers = malloc((size_t)edges * sizeof *exact_transfers);
    double* rests = malloc((size_t)edges * sizeof *rests);
    double* exact = malloc((size_t)n * 3 * sizeof *exact);
    double* exact_moved = malloc((size_t)n * 3 * sizeof *exact_moved);
    int32_t* exact_levels = malloc((size_t)n * sizeof *exact_levels);
    int32_t* levels = malloc((size_t)n * sizeof *levels);
    for (int32_t i = 0; i < n; i++) {
        masses[i] = i % 5 == 0 ? INFINITY : (float)(1.0 + ref_random(&seed));
        exact_masses[i] = (double)masses[i];
        exact[3 * i] = (double)mesh->points[i].x;
        exact[3 * i + 1] = (double)mesh->points[i].y;
        exact[3 * i + 2] = (double)mesh->points[i].z;
    }
    for (int32_t e = 0; e < edges; e++) {
        transfers[e] = (float)(0.5 + 0.5 * ref_random(&seed));
        exact_transfers[e] = (double)transfers[e];
        const double *a = exact + 3 * beside->edges[2 * e],
                     *b = exact + 3 * beside->edges[2 * e + 1];
        double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        rests[e] = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    sup_clay_def made = sup_clay_default();
    made.masses = kind & 1 ? masses : NULL;
    made.transfers = kind & 2 ? transfers : NULL;
    sup_clay* surface = surface_of(mesh, &made);
    sup_pull_def def = one_pass(0.9, 0.3);
    def.lengths = kind & 4 ? SUP_PULL_MEMORY : SUP_PULL_CLAY;
    def.sums = kind & 8 ? SUP_PULL_REPRODUCIBLE : SUP_PULL_ORDERED;
    ref_propagate twin = {0.9,
                          0.3,
                          kind & 1 ? exact_masses : NULL,
                          kind & 2 ? exact_transfers : NULL,
                          kind & 4 ? rests : NULL,
                          0,
                          false};
    const int32_t sources[2] = {7, 23};
    const sup_vec3 by[2] = {{0.1f, -0.05f, 0.2f}, {-0.1f, 0.15f, 0.0f}};
    const double exact_by[6] = {(double)0.1f,  (double)-0.05f, (double)0.2f,
                                (double)-0.1f, (double)0.15f,  0.0};
    for (int pass = 0; pass < 3; pass++) { /* the second and third go by the same plan */
        require(sup_clay_pull(surface, &def, 2, sources, by, NULL, NULL), NULL);
        ref_propagate_pass(&twin, beside, exact, 2, sources, exact_by, exact_moved, exact_levels);
        sup_vec3* moved = moved_of(surface);
        for (int32_t i = 0; i < n; i++) {
            assert_near((double)moved[i].x, exact_moved[3 * i], 4e-6);
            assert_near((double)moved[i].y, exact_moved[3 * i + 1], 4e-6);
            assert_near((double)moved[i].z, exact_moved[3 * i + 2], 4e-6);
        }
        free(moved);
    }
    sup_clay_generations(surface, levels);
    assert_memory_equal(levels, exact_levels, (size_t)n * sizeof *levels);
    sup_clay_destroy(surface);
    free(masses);
    free(exact_masses);
    free(transfers);
    free(exact_transfers);
    free(rests);
    free(exact);
    free(exact_moved);
    free(exact_levels);
    free(levels);
}

/* A tangle whose ends are closed by one point each, with `width` neighbours. */
static sup_mesh closed_tangle(int32_t width, int32_t height) {
    sup_mesh open = tangle(width, height, 0.2, 3);
    int32_t n = open.point_count, at = open.corner_count;
    sup_vec3* places = malloc(((size_t)n + 2) * sizeof *places);
    int32_t* corners = malloc(((size_t)at + 6 * (size_t)width) * sizeof *corners);
    memcpy(places, open.points, (size_t)n * sizeof *places);
    memcpy(corners, open.corners, (size_t)at * sizeof *corners);
    places[n] = (sup_vec3){0.0f, -1.0f, 0.0f};
    places[n + 1] = (sup_vec3){0.0f, (float)height, 0.0f};
    for (int32_t end = 0; end < 2; end++) {
        for (int32_t i = 0, first = end * (n - width); i < width; i++) {
            const int32_t cell[3] = {first + i, first + (i + 1) % width, n + end};
            memcpy(corners + at, cell, sizeof cell);
            at += 3;
        }
    }
    sup_mesh mesh = mesh_of(n + 2, places, at / 3, NULL, corners);
    free(places);
    free(corners);
    sup_mesh_free(&open);
    return mesh;
}

static void every_mode_is_that_of_the_twin(void** state) {
    (void)state;
    for (int32_t closed = 0; closed < 2; closed++) { /* up to 8 and up to 24 neighbours */
        sup_mesh mesh = closed ? closed_tangle(24, 7) : tangle(12, 14, 0.2, 3);
        sup_adjacency beside;
        require(sup_mesh_adjacency(NULL, &mesh, &beside, NULL), NULL);
        for (int kind = 0; kind < 16; kind++) compare_with_twin(&mesh, &beside, 17, kind);
        sup_adjacency_free(&beside);
        sup_mesh_free(&mesh);
    }
}

static void refuse(sup_clay* surface, const sup_pull_def* def, int32_t point, sup_vec3 by,
                   const char* text) {
    sup_error error = {SUP_OK, 0, 0, ""};
    sup_vec3* before = points_of(surface);
    assert_int_equal(sup_clay_pull(surface, def, 1, &point, &by, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, text));
    sup_vec3* after = points_of(surface);
    assert_memory_equal(before, after, (size_t)sup_clay_point_count(surface) * sizeof *before);
    free(before);
    free(after);
}

static void bad_pulls_are_refused(void** state) {
    (void)state;
    sup_mesh mesh = sheet(3);
    sup_clay* surface = surface_of(&mesh, NULL);
    sup_pull_def def = sup_pull_default();
    const sup_vec3 by = {0.1f, 0.0f, 0.0f};
    refuse(surface, &def, 16, by, "points[0] is 16, but there are 16 points");
    refuse(surface, &def, -1, by, "points[0] is -1");
    refuse(surface, &def, 0, (sup_vec3){NAN, 0, 0}, "displacements[0]");
    refuse(surface, &def, 0, (sup_vec3){0, INFINITY, 0}, "displacements[0]");
    def.transfer = 2.0; /* it would explode: 2048 times the pull after 11 generations */
    refuse(surface, &def, 0, by, "transfer");
    def = sup_pull_default();
    def.transverse = -0.1;
    refuse(surface, &def, 0, by, "transverse");
    def = sup_pull_default();
    def.fade = true;
    refuse(surface, &def, 0, by, "fade");
    def = sup_pull_default();
    def.split = 1.05;
    refuse(surface, &def, 0, by, "split");
    def = sup_pull_default();
    for (int squeeze = 0; squeeze < 2; squeeze++) {
        def = sup_pull_default();
        def.remember = true; /* of points that are others afterwards */
        def.split = squeeze ? 0.0 : 1.5;
        def.squeeze = squeeze ? SUP_SQUEEZE_COLLAPSE : SUP_SQUEEZE_KEEP;
        refuse(surface, &def, 0, by, "remember");
    }
    def = sup_pull_default();
    def.size = 0;
    refuse(surface, &def, 0, by, "sup_pull_default");
    sup_clay_destroy(surface);
    sup_clay_def made = sup_clay_default();
    float masses[16] = {0};
    made.masses = masses;
    masses[3] = -1.0f;
    assert_int_equal(sup_clay_create(NULL, &mesh, &made, &surface, NULL), SUP_BAD_ARGUMENT);
    masses[3] = NAN;
    assert_int_equal(sup_clay_create(NULL, &mesh, &made, &surface, NULL), SUP_BAD_ARGUMENT);
    /* more values than can be counted; none of them is looked at */
    sup_error error;
    sup_mesh huge = mesh;
    huge.corner_count = INT32_MAX / 64 + 1;
    made = sup_clay_default();
    made.values = masses;
    made.value_width = 64;
    assert_int_equal(sup_clay_create(NULL, &huge, &made, &surface, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "values"));
    sup_mesh_free(&mesh);
}

static void points_and_masses_can_be_set(void** state) {
    (void)state;
    sup_mesh mesh = sheet(4);
    sup_clay *surface = surface_of(&mesh, NULL), *other;
    sup_pull_def def = sup_pull_default();
    float masses[25];
    for (int i = 0; i < 25; i++) masses[i] = (float)(i % 3);
    pull_by(surface, &def, 3, (sup_vec3){0.5f, 0.5f, 0.5f});
    require(sup_clay_set_points(surface, mesh.points, NULL), NULL);
    require(sup_clay_set_masses(surface, masses, NULL), NULL);
    pull_by(surface, &def, 12, (sup_vec3){0.1f, 0.0f, 0.7f});
    sup_clay_def made = sup_clay_default();
    made.masses = masses;
    other = surface_of(&mesh, &made);
    pull_by(other, &def, 12, (sup_vec3){0.1f, 0.0f, 0.7f});
    sup_vec3 *a = points_of(surface), *b = points_of(other);
    assert_memory_equal(a, b, 25 * sizeof *a);
    free(a);
    free(b);
    mesh.points[4].x = NAN;
    assert_int_equal(sup_clay_set_points(surface, mesh.points, NULL), SUP_BAD_ARGUMENT);
    sup_clay_destroy(surface);
    sup_clay_destroy(other);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_edge_hands_on_what_the_formula_says),
        cmocka_unit_test(a_sheet_is_anisotropic_without_transverse),
        cmocka_unit_test(a_pull_across_fades_in_three_generations),
        cmocka_unit_test(nobody_moves_farther_than_the_source),
        cmocka_unit_test(a_long_chain_keeps_its_pull),
        cmocka_unit_test(long_pulls_are_divided),
        cmocka_unit_test(pins_depths_and_other_parts_hold),
        cmocka_unit_test(pins_can_end_the_way),
        cmocka_unit_test(other_parts_and_no_sources_change_nothing),
        cmocka_unit_test(of_a_point_named_twice_the_last_counts),
        cmocka_unit_test(padding_moves_nobody),
        cmocka_unit_test(a_pin_beside_its_child_moves_nobody),
        cmocka_unit_test(degenerate_edges_stay_finite),
        cmocka_unit_test(every_mode_is_that_of_the_twin),
        cmocka_unit_test(bad_pulls_are_refused),
        cmocka_unit_test(points_and_masses_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
