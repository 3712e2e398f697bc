/* Tetrahedra in surfaces: the lattice, STUFF, CAGE, and when which is taken. */
#include "geom/bcc.h"
#include "geom/sdf.h"
#include "geom/tets.h"
#include "sizes.h"

static sup_tets fill(const sup_mesh* mesh, const sup_tets_def* def, sup_tets_making* making) {
    sup_tets tets;
    sup_error error;
    if (sup_tets_create(NULL, mesh, def, &tets, making, &error) != SUP_OK)
        fail_msg("%s", error.text);
    check_tets(&tets);
    return tets;
}

static sup_tets_def cells_of(double cell) {
    sup_tets_def def = sup_tets_default();
    def.cell = cell;
    return def;
}

/* A place on the surface of tetrahedra is on that of the mesh. */
static double furthest(const sup_tets* tets, const sup_mesh* mesh) {
    supi_sdf sdf;
    double most = 0;
    assert_true(supi_sdf_build(sup_allocator_default(), mesh, &sdf));
    for (int32_t i = 0; i < 3 * tets->triangle_count; i++) {
        const sup_vec3* p = &tets->points[tets->triangles[i]];
        const double x[3] = {(double)p->x, (double)p->y, (double)p->z};
        double far = supi_sdf_distance(&sdf, x, 1e9);
        most = far > most ? far : most;
    }
    supi_sdf_free(&sdf);
    return most;
}

/* A1: 12 tetrahedra of a^3 / 12 in a cell, angles of 60 and 90 degrees. */
static void test_lattice(void** state) {
    (void)state;
    sup_mesh box = make_box(4, 4, 4, 1);
    sup_tets_def def = cells_of(1);
    def.method = SUP_TETS_CAGE;
    sup_tets tets = fill(&box, &def, NULL);
    double within = 0;
    for (int32_t t = 0; t < tets.tet_count; t++) {
        double rows[3][3], furthest_out = 0, middle[3] = {0, 0, 0};
        assert_true(fabs(tet_volume(&tets, t, rows) * 12 - 1) < 1e-6);
        for (int k = 0; k < 4; k++) {
            const sup_vec3* p = &tets.points[tets.tets[4 * t + k]];
            middle[0] += (double)p->x / 4;
            middle[1] += (double)p->y / 4;
            middle[2] += (double)p->z / 4;
        }
        for (int k = 0; k < 3; k++)
            furthest_out = fabs(middle[k]) > furthest_out ? fabs(middle[k]) : furthest_out;
        /* Each lies in two cells alike, so its middle is on a side, half of it in the box. */
        within += furthest_out < 2 - 1e-6 ? 1 : furthest_out < 2 + 1e-6 ? 0.5 : 0;
    }
    assert_true(within == 12 * 64);
    sup_tets_report report = measure(&tets);
    assert_true(fabs(report.least_angle - 60) < 1e-3 && fabs(report.most_angle - 90) < 1e-3);
    int32_t sixty = report.angles[5] + report.angles[6],
            ninety = report.angles[8] + report.angles[9];
    assert_int_equal(sixty + ninety, 6 * tets.tet_count);
    assert_int_equal(ninety, 2 * tets.tet_count);
    sup_tets_free(&tets);
    sup_mesh_free(&box);
    /* Ways and nodes fit together. */
    const supi_bcc bcc = {.cells = {3, 4, 5}, .cell = 1};
    for (int32_t id = 0; id < supi_bcc_node_count(&bcc); id++) {
        int32_t node[3], other[3];
        if (!supi_bcc_name(&bcc, id, node)) continue;
        assert_int_equal(supi_bcc_node(&bcc, node), id);
        for (int32_t w = 0; w < SUPI_BCC_WAYS; w++) {
            supi_bcc_way(w, other);
            for (int k = 0; k < 3; k++) other[k] += node[k];
            assert_int_equal(supi_bcc_way_between(node, other), w);
            if (supi_bcc_has(&bcc, other))
                assert_int_equal(supi_bcc_node(&bcc, other) > id, w < SUPI_BCC_OWN);
        }
    }
}

/* A2, the sphere. */
static void test_sphere(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 6);
    sup_tets_def def = cells_of(0.2);
    sup_tets_making making;
    sup_tets tets = fill(&ball, &def, &making);
    sup_tets_report report = measure(&tets);
    assert_int_equal(making.method, SUP_TETS_STUFF);
    assert_string_equal(making.reason, "");
    assert_true(report.least_angle >= 20 && report.most_angle <= 140);
    assert_true(fabs(report.volume / 4.146 - 1) < 0.005);
    assert_true(fabs(making.volume - report.volume) < 1e-9);
    assert_true(report.surface.closed && report.surface.fan_point_count == 0);
    assert_int_equal(report.euler, 2);
    assert_int_equal(report.component_count, 1);
    assert_true(furthest(&tets, &ball) < 1e-4);
    float* masses = malloc((size_t)tets.point_count * sizeof *masses);
    sup_tets_masses(&tets, 1000, making.fill, masses);
    double sum = 0;
    for (int32_t p = 0; p < tets.point_count; p++) sum += (double)masses[p];
    assert_true(fabs(sum / (1000 * report.volume) - 1) < 1e-5);
    free(masses);
    sup_tets_free(&tets);
    sup_mesh_free(&ball);
}

static void test_torus(void** state) {
    (void)state;
    sup_mesh torus = make_torus(1, 0.35, 160, 64);
    sup_tets_def def = cells_of(0.2);
    sup_tets tets = fill(&torus, &def, NULL);
    sup_tets_report report = measure(&tets);
    assert_true(fabs(report.volume / 2.35 - 1) < 0.01);
    assert_true(report.least_angle >= 20 && report.most_angle <= 140);
    assert_true(report.surface.closed);
    assert_int_equal(report.euler, 0);
    sup_tets_free(&tets);
    sup_mesh_free(&torus);
}

/* A2: any place of the lattice will do. Snapping and cutting alone leave 10.5 to 158.7 degrees in
   the torus, and with nodes inside that make way 14.6 to 151.4: its tube is 3.5 cells thick, so
   points on the surface have to make way, too, and must stay on it. */
static void test_shifted(void** state) {
    (void)state;
    double least = 180, most = 0;
    sup_mesh shapes[2] = {make_icosphere(1, 5)}, torus = make_torus(1, 0.35, 96, 40);
    assert_int_equal(sup_mesh_repair(NULL, &torus, &shapes[1], NULL, NULL), SUP_OK);
    sup_mesh_free(&torus);
    uint64_t seed = 5;
    for (int k = 0; k < 60; k++) {
        sup_tets_def def = cells_of(0.2);
        for (int i = 0; i < 3; i++) def.shift[i] = 0.3 * random_number(&seed);
        sup_tets tets = fill(&shapes[k % 2], &def, NULL);
        sup_tets_report report = measure(&tets);
        least = fmin(least, report.least_angle);
        most = fmax(most, report.most_angle);
        assert_true(report.least_angle >= 18 && report.most_angle <= 146);
        assert_true(furthest(&tets, &shapes[k % 2]) < 1e-4);
        assert_true(report.surface.closed);
        assert_int_equal(report.euler, k % 2 ? 0 : 2);
        sup_tets_free(&tets);
    }
    print_message("%.1f to %.1f degrees\n", least, most);
    sup_mesh_free(&shapes[0]);
    sup_mesh_free(&shapes[1]);
}

/* Turned by right angles the lattice is the same, but numbers and so the diagonals are not. */
static void test_renumbered(void** state) {
    (void)state;
    const double one[3] = {1, 1, 1}, none[3] = {0, 0, 0}, half = sqrt(0.5);
    const double turns[6][4] = {{0, 0, 0, 1},         {half, 0, 0, half}, {0, half, 0, half},
                                {0.5, 0.5, 0.5, 0.5}, {0, 0, 1, 0},       {0, half, half, 0}};
    for (int k = 0; k < 6; k++) {
        sup_mesh ball = make_icosphere(1, 4);
        const double stretch[3] = {1, 0.8, 0.6};
        sup_mesh_transform(&ball, stretch, turns[0], none);
        sup_mesh_transform(&ball, one, turns[k], none);
        sup_tets_def def = cells_of(0.2);
        sup_tets tets = fill(&ball, &def, NULL);
        sup_tets_report report = measure(&tets);
        assert_true(fabs(report.volume / 1.9655 - 1) < 0.01);
        assert_true(report.least_angle >= 18 && report.most_angle <= 146);
        assert_true(report.surface.closed);
        assert_int_equal(report.euler, 2);
        sup_tets_free(&tets);
        sup_mesh_free(&ball);
    }
}

/* A2 and A3, the plate: nothing of it is left, so it gets a cage that covers it all. */
static void test_plate(void** state) {
    (void)state;
    const double one[3] = {1, 1, 1}, none[3] = {0, 0, 0}, turn[4] = {0.2, 0.1, 0.3, sqrt(0.86)};
    const double size[3] = {1.6, 1.6, 0.12};
    const int32_t segments[3] = {16, 16, 2};
    sup_mesh plate;
    assert_int_equal(sup_mesh_box(NULL, size, segments, &plate, NULL), SUP_OK);
    sup_mesh_transform(&plate, one, turn, none);
    sup_tets_def def = cells_of(0.2);
    sup_tets_making making;
    sup_tets tets = fill(&plate, &def, &making);
    assert_int_equal(making.method, SUP_TETS_CAGE);
    assert_non_null(strstr(making.reason, "too thin"));
    for (int32_t p = 0; p < plate.point_count; p++)
        assert_true(cover(&tets, plate.points[p]) >= -1e-5);
    float* masses = malloc((size_t)tets.point_count * sizeof *masses);
    double sum = 0;
    sup_tets_masses(&tets, 500, making.fill, masses);
    for (int32_t p = 0; p < tets.point_count; p++) sum += (double)masses[p];
    assert_true(fabs(sum / (500 * 1.6 * 1.6 * 0.12) - 1) < 1e-5);
    free(masses);
    sup_tets_free(&tets);
    def.method = SUP_TETS_STUFF;
    sup_error error;
    assert_int_equal(sup_tets_create(NULL, &plate, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "too thin"));
    sup_mesh_free(&plate);
}

/* An open sheet has no volume of its own: the cage is full. */
static void test_open(void** state) {
    (void)state;
    sup_mesh sheet;
    assert_int_equal(sup_mesh_grid(NULL, 2, 1, 40, 20, &sheet, NULL), SUP_OK);
    sup_tets_def def = cells_of(0.17);
    sup_tets_making making;
    sup_tets tets = fill(&sheet, &def, &making);
    assert_int_equal(making.method, SUP_TETS_CAGE);
    assert_non_null(strstr(making.reason, "open"));
    assert_true(making.fill == 1);
    for (int32_t p = 0; p < sheet.point_count; p++)
        assert_true(cover(&tets, sheet.points[p]) >= -1e-5);
    sup_tets_free(&tets);
    def.method = SUP_TETS_STUFF;
    sup_error error;
    assert_int_equal(sup_tets_create(NULL, &sheet, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no inside"));
    sup_mesh_free(&sheet);
}

static void test_count(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(2, 5);
    for (int32_t count = 500; count <= 50000; count *= 10) {
        sup_tets_def def = sup_tets_default();
        def.count = count;
        sup_tets tets = fill(&ball, &def, NULL);
        assert_true(tets.tet_count > 0.7 * count && tets.tet_count < 1.6 * count);
        /* Neighbours are near each other in the order. */
        int32_t widest = 0;
        for (int32_t i = 0; i < 4 * tets.tet_count; i++) {
            int32_t apart = abs(tets.tets[i] - tets.tets[i / 4 * 4]);
            widest = apart > widest ? apart : widest;
        }
        if (count == 50000) assert_true(widest < tets.point_count / 8);
        sup_tets_free(&tets);
    }
    sup_mesh_free(&ball);
}

/* A cage stands out of its surface, by much of what it has around arms and fins. */
static void test_cage_count(void** state) {
    (void)state;
    for (int model = SUP_MODEL_SQUID; model <= SUP_MODEL_LIONFISH; model++) {
        sup_mesh mesh;
        assert_int_equal(sup_mesh_model(NULL, (sup_model)model, 1, &mesh, NULL), SUP_OK);
        for (int32_t count = 5000; count <= (short_tests() ? 5000 : 50000); count *= 10) {
            sup_tets_def def = sup_tets_default();
            def.method = SUP_TETS_CAGE;
            def.count = count;
            sup_tets tets = fill(&mesh, &def, NULL);
            print_message("model %d: %d tetrahedra of %d\n", model, (int)tets.tet_count,
                          (int)count);
            assert_true(fabs((double)tets.tet_count / count - 1) < 0.15);
            sup_tets_free(&tets);
        }
        sup_mesh_free(&mesh);
    }
}

/* A hollow ball; two that touch; shells that would fall apart. */
static void test_pieces(void** state) {
    (void)state;
    sup_mesh outer = make_icosphere(1, 4), inner = make_icosphere(0.5, 4);
    sup_mesh hollow = make_union(&outer, &inner, false);
    sup_tets_def def = cells_of(0.15);
    sup_tets_making making;
    sup_tets tets = fill(&hollow, &def, &making);
    sup_tets_report report = measure(&tets);
    assert_int_equal(making.method, SUP_TETS_STUFF);
    assert_true(fabs(report.volume / (4.0 / 3.0 * PI * 0.875) - 1) < 0.02);
    assert_int_equal(report.euler, 4);
    sup_tets_free(&tets);
    sup_mesh_free(&hollow);
    const double one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1}, away[3] = {1.45, 0, 0};
    sup_mesh_transform(&inner, one, still, away);
    sup_mesh both = make_union(&outer, &inner, false);
    tets = fill(&both, &def, &making);
    assert_int_equal(making.pieces, 1);
    sup_tets_free(&tets);
    sup_mesh_free(&both);
    sup_mesh_free(&outer);
    sup_mesh_free(&inner);
    /* A chain of thick beads on a thin thread: only the beads are left of it. */
    sup_mesh thread = make_capsule(0.01, 4, 16), chain = thread;
    for (int k = 0; k < 3; k++) {
        sup_mesh bead = make_icosphere(0.5, 3);
        const double to[3] = {0, 1.5 * (k - 1), 0};
        sup_mesh_transform(&bead, one, still, to);
        sup_mesh more = make_union(&chain, &bead, false);
        sup_mesh_free(&chain);
        sup_mesh_free(&bead);
        chain = more;
    }
    tets = fill(&chain, &def, &making);
    assert_int_equal(making.method, SUP_TETS_STUFF); /* four parts at the most, and here three */
    assert_int_equal(making.pieces, 3);
    sup_tets_free(&tets);
    sup_mesh_free(&chain);
}

static void test_refusals(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 2);
    sup_tets tets;
    sup_error error;
    sup_tets_def def = cells_of(0.001);
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "too small for this surface"));
    const double one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1}, away[3] = {1e5, 0, 0};
    sup_mesh_transform(&ball, one, still, away);
    def = cells_of(0.2);
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "from the origin"));
    def = cells_of(-1);
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    def = cells_of(1);
    def.size = 0;
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    ball.polygon_count = 0;
    ball.corner_count = 0;
    def = sup_tets_default();
    assert_int_equal(sup_tets_create(NULL, &ball, &def, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no inside"));
    ball.polygon_count = 320;
    ball.corner_count = 960;
    sup_mesh_free(&ball);
}

static void test_mend(void** state) {
    (void)state;
    const sup_vec3 p[8] = {{0, 0, 0}, {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                           {5, 5, 5}, {0, 0, -1}, {2, 0, 0}, {3, 0, 0}};
    /* One inside out, one fine, one flat, one that touches the first in a point. */
    const int32_t given[16] = {0, 2, 1, 3, 0, 2, 1, 5, 0, 1, 6, 7, 1, 4, 6, 7};
    sup_tets tets;
    sup_tets_mending mending;
    sup_error error;
    assert_int_equal(sup_tets_mend(NULL, 8, p, 3, given, &tets, &mending, &error), SUP_OK);
    check_tets(&tets);
    assert_int_equal(tets.tet_count, 2);
    assert_int_equal(tets.point_count, 5);
    assert_int_equal(mending.flipped, 1);
    assert_int_equal(mending.dropped, 1);
    assert_int_equal(mending.isolated, 3);
    sup_tets_free(&tets);
    tets.tet_count = -7;
    const int32_t out_of_range[4] = {0, 1, 2, 8}, twice[8] = {0, 1, 2, 3, 3, 1, 0, 2};
    assert_int_equal(sup_tets_mend(NULL, 8, p, 1, out_of_range, &tets, NULL, &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tets_mend(NULL, 8, p, 2, twice, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tets_mend(NULL, 8, p, 1, given + 8, &tets, NULL, &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_tets_mend(NULL, 8, p, 0, given, &tets, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(tets.tet_count, -7); /* nothing is touched by those */
}

static sup_result attempt_by(const sup_allocator* allocator, sup_tets_method method,
                             sup_error* error) {
    sup_mesh ball = make_icosphere(1, 1);
    sup_tets_def def = cells_of(0.7);
    sup_tets tets;
    sup_tets_report report;
    def.method = method;
    sup_result result = sup_tets_create(allocator, &ball, &def, &tets, NULL, error);
    if (result == SUP_OK) {
        result = sup_tets_measure(allocator, &tets, &report, error);
        sup_tets_free(&tets);
    }
    sup_mesh_free(&ball);
    return result;
}

static sup_result attempt_stuff(const sup_allocator* allocator, sup_error* error) {
    return attempt_by(allocator, SUP_TETS_STUFF, error);
}
static sup_result attempt_cage(const sup_allocator* allocator, sup_error* error) {
    return attempt_by(allocator, SUP_TETS_CAGE, error);
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt_stuff);
    refuse_each_allocation(attempt_cage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattice),    cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_torus),      cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_renumbered), cmocka_unit_test(test_plate),
        cmocka_unit_test(test_open),       cmocka_unit_test(test_count),
        cmocka_unit_test(test_cage_count), cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_mend),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
