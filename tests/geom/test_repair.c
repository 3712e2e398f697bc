/* Repair: soup, faults and torn surfaces become surfaces with an inside, clean ones stay. */
#include "geom/meshes.h"

#include <string.h>

static sup_mesh repair(const sup_mesh* mesh, sup_repair_report* report) {
    sup_mesh out;
    sup_error error;
    if (sup_mesh_repair(NULL, mesh, &out, report, &error) != SUP_OK) fail_msg("%s", error.text);
    return out;
}

static sup_mesh make_mesh(int32_t points, const sup_vec3* p, int32_t triangles, const int32_t* c) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, points, p, triangles, NULL, c, &mesh, NULL), SUP_OK);
    return mesh;
}

static void turn_round(sup_mesh* mesh, int32_t triangle) {
    int32_t* c = mesh->corners + 3 * triangle;
    int32_t swap = c[0];
    c[0] = c[1];
    c[1] = swap;
}

static void test_clean_stays(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 3);
    sup_repair_report report;
    sup_mesh same = repair(&ball, &report);
    assert_true(report.closed);
    assert_int_equal(report.parts, 1);
    assert_int_equal(report.welded + report.dropped + report.flipped + report.split +
                         report.filled + report.cavities,
                     0);
    assert_int_equal(same.point_count, ball.point_count);
    assert_memory_equal(same.points, ball.points, (size_t)ball.point_count * sizeof(sup_vec3));
    assert_memory_equal(same.corners, ball.corners, (size_t)ball.corner_count * sizeof(int32_t));
    sup_mesh_free(&ball);
    sup_mesh_free(&same);
}

/* Soup, some triangles turned, some there twice, one there from both sides. */
static void test_soup(void** state) {
    (void)state;
    sup_mesh box = make_box(1, 2, 3, 4), quads = make_soup(&box);
    sup_repair_report report;
    sup_mesh whole = repair(&quads, &report);
    assert_true(report.closed);
    assert_true(fabs(report.volume - 6.0) < 1e-6);
    assert_int_equal(whole.polygon_count, 2 * box.polygon_count);
    assert_int_equal(report.welded, quads.point_count - box.point_count);
    for (int32_t t = 0; t < whole.polygon_count; t += 3) turn_round(&whole, t);
    sup_mesh turned = repair(&whole, &report);
    assert_true(report.closed);
    assert_true(report.flipped > 0);
    assert_true(fabs(report.volume - 6.0) < 1e-6);
    /* All inside out. */
    for (int32_t t = 0; t < turned.polygon_count; t++) turn_round(&turned, t);
    sup_mesh back = repair(&turned, &report);
    assert_int_equal(report.flipped, turned.polygon_count);
    assert_true(fabs(report.volume - 6.0) < 1e-6);
    sup_mesh_free(&box);
    sup_mesh_free(&quads);
    sup_mesh_free(&whole);
    sup_mesh_free(&turned);
    sup_mesh_free(&back);
}

static void test_drops(void** state) {
    (void)state;
    const sup_vec3 p[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5f, 0, 0}, {3, 3, 3}};
    /* A tetrahedron; one side twice, a triangle from both sides, one of no area. */
    const int32_t c[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 1, 0, 2, 1, 2, 5, 2, 1, 5, 0, 4, 1};
    sup_mesh mesh = make_mesh(6, p, 8, c);
    sup_repair_report report;
    sup_mesh out = repair(&mesh, &report);
    assert_int_equal(report.dropped, 4);
    assert_int_equal(out.polygon_count, 4);
    assert_int_equal(out.point_count, 4);
    assert_true(report.closed);
    assert_true(fabs(report.volume - 1.0 / 6.0) < 1e-7);
    sup_mesh_free(&mesh);
    sup_mesh_free(&out);
}

static void test_cavities(void** state) {
    (void)state;
    /* A shell in a shell, both facing outwards; the inner one turns. */
    sup_mesh outer = make_icosphere(1, 3), inner = make_icosphere(0.6, 3);
    sup_mesh core = make_icosphere(0.3, 2), both = make_union(&outer, &inner, false);
    sup_mesh three = make_union(&both, &core, true);
    sup_repair_report report;
    sup_mesh out = repair(&both, &report);
    double volume = inspect(&outer).volume - inspect(&inner).volume;
    assert_int_equal(report.cavities, 1);
    assert_true(fabs(report.volume - volume) < 1e-6);
    sup_mesh_free(&out);
    out = repair(&three, &report);
    assert_int_equal(report.cavities, 1);
    assert_true(fabs(report.volume - volume - inspect(&core).volume) < 1e-6);
    sup_mesh_free(&out);
    sup_mesh_free(&both);
    /* One that only overlaps is none. */
    const double one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1}, away[3] = {0.3, 0, 0};
    sup_mesh_transform(&inner, one, still, away);
    sup_mesh_transform(&inner, one, still, away);
    both = make_union(&outer, &inner, false);
    out = repair(&both, &report);
    assert_int_equal(report.cavities, 0);
    assert_int_equal(report.flipped, 0);
    sup_mesh_free(&out);
    sup_mesh_free(&both);
    sup_mesh_free(&three);
    sup_mesh_free(&core);
    sup_mesh_free(&outer);
    sup_mesh_free(&inner);
}

/* Two boxes that touch in an edge, or in a point: the points there become two. */
static void test_touching(void** state) {
    (void)state;
    const double one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};
    const double ways[2][3] = {{1, 1, 0}, {1, 1, 1}};
    const int32_t shared[2] = {2, 1};
    for (int k = 0; k < 2; k++) {
        sup_mesh a = make_box(1, 1, 1, 1), b = make_box(1, 1, 1, 1);
        sup_mesh_transform(&b, one, still, ways[k]);
        sup_mesh both = make_union(&a, &b, false);
        sup_repair_report report;
        sup_mesh out = repair(&both, &report);
        assert_int_equal(report.welded, shared[k]);
        assert_int_equal(report.split, shared[k]);
        assert_int_equal(report.parts, 2);
        assert_true(report.closed);
        assert_true(fabs(report.volume - 2.0) < 1e-6);
        sup_mesh_free(&a);
        sup_mesh_free(&b);
        sup_mesh_free(&both);
        sup_mesh_free(&out);
    }
}

/* A copy without some triangles. */
static sup_mesh without(const sup_mesh* mesh, int32_t first, int32_t count) {
    int32_t* corners = malloc((size_t)mesh->corner_count * sizeof *corners);
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->polygon_count; t++) {
        if (t >= first && t < first + count) continue;
        for (int k = 0; k < 3; k++) corners[3 * kept + k] = mesh->corners[3 * t + k];
        kept++;
    }
    sup_mesh out = make_mesh(mesh->point_count, mesh->points, kept, corners);
    free(corners);
    return out;
}

static void test_holes(void** state) {
    (void)state;
    sup_mesh ball = make_icosphere(1, 3);
    sup_repair_report report;
    sup_mesh torn = without(&ball, 100, 1), out = repair(&torn, &report);
    assert_int_equal(report.filled, 1);
    assert_true(report.closed);
    assert_true(fabs(report.volume - inspect(&ball).volume) < 1e-3);
    sup_mesh_free(&torn);
    sup_mesh_free(&out);
    /* An edge of a hole that is not flat, and one of more than 64 edges. */
    sup_mesh grid;
    /* A sheet stays one: no lid is put on its back. */
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 3, 3, &grid, NULL), SUP_OK);
    out = repair(&grid, &report);
    assert_int_equal(report.boundary_edges, 12);
    assert_int_equal(report.filled, 0);
    sup_mesh_free(&grid);
    sup_mesh_free(&out);
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 6, 6, &grid, NULL), SUP_OK);
    for (int32_t i = 0; i < grid.point_count; i++) {
        sup_vec3* p = &grid.points[i];
        p->y = 3 * (p->x * p->x - p->z * p->z);
    }
    out = repair(&grid, &report);
    assert_int_equal(report.boundary_edges, 24);
    assert_int_equal(report.filled, 0);
    sup_mesh_free(&grid);
    sup_mesh_free(&out);
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 17, 17, &grid, NULL), SUP_OK);
    out = repair(&grid, &report);
    assert_int_equal(report.boundary_edges, 68);
    assert_int_equal(report.filled, 0);
    sup_mesh_free(&grid);
    sup_mesh_free(&out);
    sup_mesh_free(&ball);
}

/* Without its lid this strip seems to face outwards, and with it inwards. */
static void test_lid_turns_part(void** state) {
    (void)state;
    enum { PAIRS = 16 };
    sup_vec3 points[2 * PAIRS];
    int32_t corners[6 * (PAIRS - 1)];
    for (int32_t i = 0; i < PAIRS; i++) {
        float x = 0.00125f + 0.01f * (float)i;
        points[2 * i] = (sup_vec3){x, 0.0f, (float)i};
        points[2 * i + 1] = (sup_vec3){x, 1.5f, -0.1f * (float)i};
        if (i == PAIRS - 1) points[2 * i + 1] = (sup_vec3){x, 1.8f, -8.7f};
        const int32_t a = 2 * i, quad[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
        if (i < PAIRS - 1) memcpy(corners + 6 * i, quad, sizeof quad);
    }
    sup_mesh strip = make_mesh(2 * PAIRS, points, 2 * (PAIRS - 1), corners);
    sup_repair_report report;
    sup_mesh out = repair(&strip, &report);
    assert_true(report.closed && report.filled == 1);
    if (!(report.volume > 0.0)) fail_msg("volume %g", report.volume);
    sup_mesh_free(&strip);
    sup_mesh_free(&out);
}

/* A strip with one side only; a wall within a box; a box that shares its whole edge three times. */
static void test_hopeless(void** state) {
    (void)state;
    sup_vec3 p[80];
    int32_t c[240];
    for (int i = 0; i < 40; i++) {
        double turn = PI * i / 40, around = 2 * PI * i / 40;
        for (int k = 0; k < 2; k++) {
            double out = 1 + (k ? 0.3 : -0.3) * cos(turn), up = (k ? 0.3 : -0.3) * sin(turn);
            p[2 * i + k] =
                (sup_vec3){(float)(out * cos(around)), (float)up, (float)(out * sin(around))};
        }
        int32_t a = 2 * i, b = 2 * i + 1, d = i == 39 ? 1 : 2 * i + 2, e = i == 39 ? 0 : 2 * i + 3;
        const int32_t two[6] = {a, b, d, d, b, e};
        for (int k = 0; k < 6; k++) c[6 * i + k] = two[k];
    }
    sup_mesh strip = make_mesh(80, p, 80, c);
    sup_repair_report report;
    sup_mesh out = repair(&strip, &report);
    assert_int_equal(report.unorientable, 1);
    assert_false(report.closed);
    sup_mesh_free(&strip);
    sup_mesh_free(&out);
    sup_mesh box = make_box(1, 1, 1, 1), wall;
    const int32_t across[6] = {0, 1, 2, 0, 2, 3};
    const sup_vec3 corners[4] = {
        {-0.5f, -0.5f, -0.5f}, {0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}, {-0.5f, 0.5f, 0.5f}};
    wall = make_mesh(4, corners, 2, across);
    sup_mesh both = make_union(&box, &wall, false);
    out = repair(&both, &report);
    assert_false(report.closed);
    assert_true(report.tangled_edges > 0);
    sup_mesh_free(&box);
    sup_mesh_free(&wall);
    sup_mesh_free(&both);
    sup_mesh_free(&out);
}

static sup_result attempt(const sup_allocator* allocator, sup_error* error) {
    sup_mesh box = make_box(1, 1, 1, 2), soup = make_soup(&box), out;
    sup_result result = sup_mesh_repair(allocator, &soup, &out, NULL, error);
    if (result == SUP_OK) sup_mesh_free(&out);
    sup_mesh_free(&box);
    sup_mesh_free(&soup);
    return result;
}

static void test_memory(void** state) {
    (void)state;
    refuse_each_allocation(attempt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_stays),    cmocka_unit_test(test_soup),
        cmocka_unit_test(test_drops),          cmocka_unit_test(test_cavities),
        cmocka_unit_test(test_touching),       cmocka_unit_test(test_holes),
        cmocka_unit_test(test_lid_turns_part), cmocka_unit_test(test_hopeless),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
