/* Edges near a place made short before a tool comes. */
#include "allocators.h"
#include "deform/surfaces.h"
#include "supple/files.h"

static const double middle[3] = {0.2, -0.1, 0.0};

static sup_mesh mesh_now(const sup_clay* clay) {
    sup_mesh mesh;
    sup_error error;
    require(sup_clay_mesh(clay, NULL, &mesh, NULL, &error), &error);
    return mesh;
}

static double area_of(const sup_mesh* mesh) {
    double sum = 0.0;
    for (int32_t f = 0; f < mesh->polygon_count; f++) {
        const int32_t* c = mesh->corners + mesh->starts[f];
        for (int32_t k = 1; k + 1 < mesh->starts[f + 1] - mesh->starts[f]; k++) {
            sup_vec3 a = mesh->points[c[0]], b = mesh->points[c[k]], d = mesh->points[c[k + 1]];
            sum += 0.5 * (double)((b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x));
        }
    }
    return sum;
}

/* How many edges are longer than `longest` and have their middle within `reach`. */
static int32_t long_edges(const sup_mesh* mesh, double reach, double longest) {
    sup_adjacency beside;
    sup_error error;
    int32_t count = 0;
    require(sup_mesh_adjacency(NULL, mesh, &beside, &error), &error);
    for (int32_t e = 0; e < beside.edge_count; e++) {
        sup_vec3 a = mesh->points[beside.edges[2 * e]], b = mesh->points[beside.edges[2 * e + 1]];
        double length = size_of((sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
        double x = 0.5 * (double)(a.x + b.x) - middle[0], y = 0.5 * (double)(a.y + b.y) - middle[1];
        count += length > longest && sqrt(x * x + y * y) < reach;
    }
    sup_adjacency_free(&beside);
    return count;
}

static void long_edges_near_a_place_are_halved(void** state) {
    (void)state;
    sup_mesh quads = sheet(12), mesh;
    sup_error error;
    int32_t split;
    require(sup_mesh_triangulate(NULL, &quads, NULL, NULL, &mesh, &error), &error);
    assert_true(long_edges(&mesh, 2.0, 0.3) > 30);
    sup_clay* clay = surface_of(&mesh, NULL);
    require(sup_clay_refine(clay, middle, 2.0, 0.3, 0, &split, &error), &error);
    sup_mesh now = mesh_now(clay);
    assert_int_equal(now.point_count, mesh.point_count + split);
    assert_int_equal(long_edges(&now, 2.0, 0.3), 0);
    assert_near(area_of(&now), area_of(&mesh), 1e-3);
    assert_memory_equal(now.points, mesh.points, (size_t)mesh.point_count * sizeof *mesh.points);
    require(sup_clay_refine(clay, middle, 2.0, 0.3, 0, &split, &error), &error);
    assert_int_equal(split, 0); /* once is enough */
    sup_mesh_free(&now);
    /* far away all is as it was; a limit of points holds */
    sup_clay* limited = surface_of(&mesh, NULL);
    require(sup_clay_refine(limited, middle, 2.0, 0.3, mesh.point_count + 7, &split, &error),
            &error);
    assert_int_equal(split, 7);
    assert_int_equal(sup_clay_refine(limited, middle, 2.0, 0.0, 0, NULL, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_clay_refine(limited, middle, NAN, 1.0, 0, NULL, &error), SUP_BAD_ARGUMENT);
    sup_clay_destroy(limited);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
    sup_mesh_free(&quads);
}

/* What a bulge adds to a coarse ball, with and without: the exact number is the tool's volume. */
static void a_fine_surface_shows_a_small_tool(void** state) {
    (void)state;
    sup_mesh ball;
    sup_error error;
    double added[2];
    require(sup_mesh_icosphere(NULL, 1.0, 2, &ball, &error), &error);
    for (int fine = 0; fine < 2; fine++) {
        sup_clay* clay = surface_of(&ball, NULL);
        sup_warp_def tool = sup_warp_default();
        sup_mesh_report before, after;
        tool.centre[1] = 0.8;
        for (int k = 0; k < 3; k++) tool.radii[k] = 0.3;
        if (fine) require(sup_clay_refine(clay, tool.centre, 0.6, 0.075, 0, NULL, &error), &error);
        sup_mesh now = mesh_now(clay);
        require(sup_mesh_inspect(NULL, &now, &before, &error), &error);
        assert_true(before.closed);
        assert_int_equal(now.point_count - before.edge_count + now.polygon_count, 2);
        require(sup_points_warp(NULL, &tool, now.point_count, now.points, now.points, &error),
                &error);
        require(sup_mesh_inspect(NULL, &now, &after, &error), &error);
        added[fine] = after.volume - before.volume;
        sup_mesh_free(&now);
        sup_clay_destroy(clay);
    }
    double exact = 4.0 / 3.0 * 3.14159265358979 * 0.027;
    assert_true(fabs(added[1] - exact) < 0.03 * exact);
    assert_true(fabs(added[1] - exact) < 0.3 * fabs(added[0] - exact));
    sup_mesh_free(&ball);
}

static void without_memory_nothing_changes(void** state) {
    (void)state;
    sup_mesh mesh;
    sup_error error;
    require(sup_mesh_icosphere(NULL, 1.0, 1, &mesh, &error), &error);
    const double top[3] = {0.0, 1.0, 0.0};
    long long fail_at = 0;
    for (bool done = false; !done;) {
        test_allocator memory;
        const sup_clay_def made = sup_clay_default();
        sup_clay* clay;
        require(sup_clay_create(test_allocator_init(&memory), &mesh, &made, &clay, &error), &error);
        test_allocator_arm(&memory, ++fail_at, false);
        done = sup_clay_refine(clay, top, 0.5, 0.2, 0, NULL, &error) == SUP_OK;
        test_allocator_arm(&memory, 0, false);
        if (!done) {
            sup_mesh now = mesh_now(clay);
            assert_int_equal(now.point_count, mesh.point_count);
            assert_memory_equal(now.points, mesh.points,
                                (size_t)mesh.point_count * sizeof *mesh.points);
            sup_mesh_free(&now);
        }
        sup_clay_destroy(clay);
        assert_int_equal(atomic_load(&memory.blocks), 0);
    }
    assert_true(fail_at > 20);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_edges_near_a_place_are_halved),
        cmocka_unit_test(a_fine_surface_shows_a_small_tool),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
