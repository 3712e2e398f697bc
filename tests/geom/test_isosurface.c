/* Isosurfaces: closed whatever the field is, true to it, outward, and refused where they would be
   wrong. */
#include "geom/isosurface.h"

#include <stdio.h>
#include <string.h>

#include "geom/meshes.h"
#include "geom/vector.h"
#include "sizes.h"

/* --- fields --- */

/* Balls of radius R around particles, after the soft substance of Bobrovsky and Romanovsky. */
typedef struct blobs {
    int32_t count;
    double place[12][3], radius[12];
} blobs;

static double blob_value(const void* data, const double p[3]) {
    const blobs* b = data;
    double sum = 0;
    for (int32_t i = 0; i < b->count; i++) {
        double way[3];
        supi_vector_subtract(p, b->place[i], way);
        double q = supi_vector_dot(way, way) / (b->radius[i] * b->radius[i]);
        if (q < 1) sum += (1 - q) * (1 - q) * (1 - q);
    }
    return sum;
}

static double ball_value(const void* data, const double p[3]) {
    return *(const double*)data - supi_vector_length(p);
}

static bool ball_empty(const void* data, const double p[3], double radius) {
    return fabs(ball_value(data, p)) > radius;
}

/* About the y axis: radius and tube. */
static double torus_value(const void* data, const double p[3]) {
    const double* size = data;
    double out = sqrt(p[0] * p[0] + p[2] * p[2]) - size[0];
    return size[1] - sqrt(out * out + p[1] * p[1]);
}

/* Two balls with a filled seam. */
static double pair_value(const void* data, const double p[3]) {
    double blend = *(const double*)data;
    double a = supi_vector_length((double[3]){p[0] - 0.4, p[1], p[2]}) - 0.4;
    double b = supi_vector_length((double[3]){p[0] + 0.4, p[1], p[2]}) - 0.4;
    double near = blend - fabs(a - b);
    return -((a < b ? a : b) - (near > 0 ? 0.25 * near * near / blend : 0));
}

/* A value by chance at each point of a grid of spacing 1, between them the nearest one's; nothing
   at the rim. All cases that can happen do. */
static double noise_value(const void* data, const double p[3]) {
    uint64_t seed = *(const uint64_t*)data;
    for (int k = 0; k < 3; k++) {
        int32_t at = (int32_t)floor(p[k] + 0.5);
        if (at < 1 || at > 11) return -1;
        seed = (seed + (uint64_t)at) * 6364136223846793005u + 1442695040888963407u;
    }
    seed ^= seed >> 29;
    return random_number(&seed);
}

static double cube_value(const void* data, const double p[3]) {
    (void)data;
    double most = 0;
    for (int k = 0; k < 3; k++) most = fabs(p[k]) > most ? fabs(p[k]) : most;
    return 1 - most;
}

static double sheet_value(const void* data, const double p[3]) {
    double half = *(const double*)data;
    double out = sqrt(p[0] * p[0] + p[2] * p[2]) - 0.7;
    double up = fabs(p[1]) - half;
    return -(out > up ? out : up);
}

/* --- checks --- */

static supi_iso_grid grid_around(double half, double spacing, double iso) {
    return (supi_iso_grid){{-half, -half, -half}, {half, half, half}, spacing, iso, 0};
}

static sup_mesh mesh_of(const supi_iso_field* field, const supi_iso_grid* grid) {
    sup_mesh mesh;
    sup_error error;
    if (supi_isosurface_mesh(NULL, field, grid, &mesh, &error) != SUP_OK)
        fail_msg("%s", error.text);
    return mesh;
}

static double triangle_area(const sup_mesh* mesh, int32_t triangle) {
    double p[3][3], ab[3], ac[3], cross[3];
    for (int i = 0; i < 3; i++) {
        supi_vector_from(mesh->points + mesh->corners[3 * triangle + i], p[i]);
    }
    supi_vector_subtract(p[1], p[0], ab);
    supi_vector_subtract(p[2], p[0], ac);
    supi_vector_cross(ab, ac, cross);
    return 0.5 * supi_vector_length(cross);
}

/* Every edge has two triangles, every point one fan, no triangle is degenerate; Euler's number. */
static int32_t check_closed(const sup_mesh* mesh) {
    sup_mesh_report report = inspect(mesh);
    assert_true(report.closed);
    assert_int_equal(report.boundary_edge_count, 0);
    assert_int_equal(report.tangled_edge_count, 0);
    assert_int_equal(report.fan_point_count, 0);
    assert_int_equal(report.unused_point_count, 0);
    for (int32_t t = 0; t < mesh->polygon_count; t++) assert_true(triangle_area(mesh, t) > 0);
    return mesh->point_count - report.edge_count + mesh->polygon_count;
}

/* --- tests --- */

/* One particle: the radius of its surface is 0.4542 R. */
static void one_particle_has_its_radius(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int n = 0; n < 20; n++) {
        blobs b = {.count = 1, .radius = {1}};
        for (int k = 0; k < 3; k++) b.place[0][k] = random_number(&seed);
        supi_iso_field field = {.data = &b, .value = blob_value};
        supi_iso_grid grid = grid_around(2, 1.0 / 6, 0.5);
        sup_mesh mesh = mesh_of(&field, &grid);
        assert_int_equal(check_closed(&mesh), 2);
        double sum = 0;
        for (int32_t i = 0; i < mesh.point_count; i++) {
            double p[3], way[3];
            supi_vector_from(mesh.points + i, p);
            supi_vector_subtract(p, b.place[0], way);
            double share = supi_vector_length(way) / 0.4542;
            assert_true(share > 0.95 && share < 1.01);
            sum += share;
        }
        assert_true(fabs(sum / mesh.point_count - 1) < 0.01);
        sup_mesh_free(&mesh);
    }
}

/* Particles at places by chance, that touch, melt and part. */
static void particles_are_always_closed(void** state) {
    (void)state;
    uint64_t seed = 5;
    int32_t parts = 0, frames = short_tests() ? 15 : 100;
    for (int32_t n = 0; n < frames; n++) {
        blobs b = {.count = 2 + n % 11};
        for (int32_t i = 0; i < b.count; i++) {
            for (int k = 0; k < 3; k++) b.place[i][k] = random_number(&seed);
            b.radius[i] = 0.6 + 0.3 * random_number(&seed);
        }
        supi_iso_field field = {.data = &b, .value = blob_value};
        supi_iso_grid grid = grid_around(2.2, 0.1, 0.5);
        sup_mesh mesh = mesh_of(&field, &grid);
        check_closed(&mesh);
        sup_mesh_report report = inspect(&mesh);
        assert_true(report.volume > 0);
        parts += report.component_count;
        sup_mesh_free(&mesh);
    }
    assert_true(parts > frames);
}

/* No pattern of inside and outside is ambiguous. */
static void noise_is_closed(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        supi_iso_field field = {.data = &seed, .value = noise_value};
        supi_iso_grid grid = {{0, 0, 0}, {12, 12, 12}, 1, 0, 0};
        sup_mesh mesh = mesh_of(&field, &grid);
        assert_true(mesh.polygon_count > 1000);
        check_closed(&mesh);
        sup_mesh_free(&mesh);
    }
}

/* A surface through grid points: those count as outside. */
static void grid_points_on_the_surface_do_no_harm(void** state) {
    (void)state;
    supi_iso_field field = {.value = cube_value};
    supi_iso_grid grid = grid_around(2, 0.25, 0);
    sup_mesh mesh = mesh_of(&field, &grid);
    assert_int_equal(check_closed(&mesh), 2);
    sup_mesh_report report = inspect(&mesh);
    assert_true(report.volume < 8 && report.volume > 7.4);
    sup_mesh_free(&mesh);
}

/* Euler's number, volume and the distance of points, with the error falling as it should. */
static void known_solids_are_met(void** state) {
    (void)state;
    double last = 1;
    for (int n = 0; n < 3; n++) {
        double radius = 0.8, sizes[2] = {0.7, 0.25}, h = 0.12 / (1 << n), worst = 0;
        supi_iso_field ball = {&radius, ball_value, ball_empty, NULL, NULL};
        supi_iso_grid grid = grid_around(1.1, h, 0);
        sup_mesh mesh = mesh_of(&ball, &grid);
        assert_int_equal(check_closed(&mesh), 2);
        for (int32_t i = 0; i < mesh.point_count; i++) {
            double p[3];
            supi_vector_from(mesh.points + i, p);
            double off = fabs(ball_value(&radius, p));
            worst = off > worst ? off : worst;
        }
        assert_true(worst < 0.02 * h); /* points near a grid point are kept off it by that much */
        double volume = inspect(&mesh).volume, all = 4 * PI / 3 * radius * radius * radius;
        assert_true(volume < all && volume > all * (1 - 0.5 * h * h / (radius * radius)));
        assert_true(all - volume < 0.3 * last);
        last = all - volume;
        sup_mesh_free(&mesh);
        supi_iso_field torus = {.data = sizes, .value = torus_value};
        mesh = mesh_of(&torus, &grid);
        assert_int_equal(check_closed(&mesh), 0);
        all = 2 * PI * PI * sizes[0] * sizes[1] * sizes[1];
        assert_true(fabs(inspect(&mesh).volume / all - 1) < 0.5 * h * h / (sizes[1] * sizes[1]));
        sup_mesh_free(&mesh);
    }
}

/* Two balls that touch in one point, and with their seam filled. */
static void seams_are_closed(void** state) {
    (void)state;
    static const double blends[3] = {1e-9, 0.1, 0.4};
    for (int i = 0; i < 3; i++) {
        supi_iso_field field = {.data = blends + i, .value = pair_value};
        supi_iso_grid grid = grid_around(1, 0.05, 0);
        sup_mesh mesh = mesh_of(&field, &grid);
        int32_t parts = inspect(&mesh).component_count;
        assert_int_equal(check_closed(&mesh), 2 * parts);
        if (i > 0) assert_int_equal(parts, 1);
        sup_mesh_free(&mesh);
    }
}

/* Leaving out what is empty changes no bit, and room is taken for the surface alone. */
static void empty_space_costs_nothing(void** state) {
    (void)state;
    double radius = 0.8;
    supi_iso_field fast = {&radius, ball_value, ball_empty, NULL, NULL}, slow = fast;
    slow.empty = NULL;
    supi_iso_grid grid = grid_around(1.1, 0.05, 0);
    sup_mesh a = mesh_of(&fast, &grid), b = mesh_of(&slow, &grid);
    assert_int_equal(a.point_count, b.point_count);
    assert_memory_equal(a.points, b.points, sizeof *a.points * (size_t)a.point_count);
    assert_memory_equal(a.corners, b.corners, sizeof *a.corners * (size_t)a.corner_count);
    sup_mesh_free(&a);
    sup_mesh_free(&b);
    long long peak[2];
    for (int n = 0; n < 2; n++) {
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        supi_iso_grid large = grid_around(100, n == 0 ? 0.04 : 0.02, 0);
        assert_int_equal(supi_isosurface_mesh(allocator, &fast, &large, &a, NULL), SUP_OK);
        peak[n] = counter.peak;
        assert_true(peak[n] < 300ll * a.point_count);
        sup_mesh_free(&a);
        assert_int_equal(counter.bytes, 0);
    }
    assert_true(peak[1] < 5 * peak[0]);
}

static void expect_refusal(const supi_iso_field* field, const supi_iso_grid* grid,
                           const char* text) {
    sup_mesh mesh, before;
    memset(&mesh, 0x55, sizeof mesh);
    before = mesh;
    sup_error error = {SUP_OK, 0, 0, ""};
    assert_int_equal(supi_isosurface_mesh(NULL, field, grid, &mesh, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, text)) fail_msg("%s", error.text);
    assert_memory_equal(&mesh, &before, sizeof mesh);
}

static void bad_grids_and_fields_are_refused(void** state) {
    (void)state;
    double radius = 0.8, half = 0.02;
    supi_iso_field ball = {&radius, ball_value, ball_empty, NULL, NULL};
    supi_iso_grid grid = grid_around(0.7, 0.05, 0);
    expect_refusal(&ball, &grid, "the inside reaches the end of the grid at (");
    grid = grid_around(1, 0, 0);
    expect_refusal(&ball, &grid, "spacing");
    grid = grid_around(1, NAN, 0);
    expect_refusal(&ball, &grid, "spacing");
    grid = grid_around(1, 0.1, INFINITY);
    expect_refusal(&ball, &grid, "finite");
    grid = grid_around(-1, 0.1, 0);
    expect_refusal(&ball, &grid, "empty");
    grid = grid_around(1, 1e-7, 0);
    expect_refusal(&ball, &grid, "too fine");
    supi_iso_field sheet = {.data = &half, .value = sheet_value};
    grid = (supi_iso_grid){{-1, -1.05, -1}, {1, 1.05, 1}, 0.1, 0, 1};
    expect_refusal(&sheet, &grid, "the grid is too coarse: a sheet slips through it at (");
    grid.spacing = 0.02;
    sup_mesh mesh = mesh_of(&sheet, &grid);
    assert_int_equal(check_closed(&mesh), 2);
    sup_mesh_free(&mesh);
}

static void nothing_inside_is_no_polygon(void** state) {
    (void)state;
    double radius = -1;
    supi_iso_field field = {.data = &radius, .value = ball_value};
    supi_iso_grid grid = grid_around(1, 0.1, 0);
    sup_mesh mesh = mesh_of(&field, &grid);
    assert_int_equal(mesh.polygon_count, 0);
    assert_int_equal(mesh.point_count, 0);
    sup_mesh_free(&mesh);
}

static double broken_value(const void* data, const double p[3]) {
    (void)data;
    return p[0] > 0.1 ? NAN : p[1] > 0.3 ? -INFINITY : 0.6 - supi_vector_length(p);
}

/* A field that is not even finite gives something closed, or a refusal. */
static void broken_fields_do_no_harm(void** state) {
    (void)state;
    supi_iso_field field = {.value = broken_value};
    supi_iso_grid grid = grid_around(1, 0.1, 0);
    sup_mesh mesh = mesh_of(&field, &grid);
    sup_mesh_report report = inspect(&mesh);
    assert_true(report.closed);
    sup_mesh_free(&mesh);
}

static sup_result attempt(const sup_allocator* allocator, sup_error* error) {
    static const double radius = 0.8;
    supi_iso_field field = {&radius, ball_value, ball_empty, NULL, NULL};
    supi_iso_grid grid = grid_around(1, 0.05, 0);
    sup_mesh mesh;
    sup_result result = supi_isosurface_mesh(allocator, &field, &grid, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static void failures_leave_nothing(void** state) {
    (void)state;
    refuse_each_allocation(attempt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_particle_has_its_radius),
        cmocka_unit_test(particles_are_always_closed),
        cmocka_unit_test(noise_is_closed),
        cmocka_unit_test(grid_points_on_the_surface_do_no_harm),
        cmocka_unit_test(known_solids_are_met),
        cmocka_unit_test(seams_are_closed),
        cmocka_unit_test(empty_space_costs_nothing),
        cmocka_unit_test(bad_grids_and_fields_are_refused),
        cmocka_unit_test(nothing_inside_is_no_polygon),
        cmocka_unit_test(broken_fields_do_no_harm),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
