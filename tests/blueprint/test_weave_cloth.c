/* Webs of cloth and ropes: grids, any mesh, rows. */
#include "blueprint/webs.h"

/* ---- Grid ---- */

static sup_web weave_grid(const sup_weave_grid_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_grid(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static void grids_have_the_counts_of_their_springs(void** state) {
    (void)state;
    const int32_t counts[][2] = {{2, 2}, {3, 2}, {2, 7}, {5, 4}, {21, 13}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int32_t nx = counts[i][0], ny = counts[i][1];
        sup_weave_grid_def def = sup_weave_grid_default();
        def.count[0] = nx, def.count[1] = ny;
        sup_web web = weave_grid(&def);
        assert_int_equal(web.point_count, nx * ny);
        assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), nx * (ny - 1) + ny * (nx - 1));
        assert_int_equal(count_kind(&web, SUP_SPRING_SHEAR), 2 * (nx - 1) * (ny - 1));
        assert_int_equal(count_kind(&web, SUP_SPRING_BEND), ny * (nx - 2) + nx * (ny - 2));
        assert_int_equal(web.surface.polygon_count, (nx - 1) * (ny - 1));
        assert_near(web_mass(&web), 0.2, 1e-7);
        sup_web_free(&web);
        sup_web_free(&web);
        def.triangles = true;
        def.shear = def.bend = 0;
        web = weave_grid(&def);
        assert_int_equal(web.spring_count, nx * (ny - 1) + ny * (nx - 1));
        assert_int_equal(web.surface.polygon_count, 2 * (nx - 1) * (ny - 1));
        sup_web_free(&web);
    }
}

static void boundaries_of_grids_have_half(void** state) {
    (void)state;
    sup_weave_grid_def def = sup_weave_grid_default();
    def.count[0] = def.count[1] = 5;
    sup_web web = weave_grid(&def);
    assert_near((double)find_spring(&web, 0, 1)->stiffness, 500, 1e-3);
    assert_near((double)find_spring(&web, 0, 5)->stiffness, 500, 1e-3);
    assert_near((double)find_spring(&web, 6, 7)->stiffness, 1000, 1e-3);
    assert_near((double)find_spring(&web, 0, 2)->stiffness, 25, 1e-3);
    assert_near((double)find_spring(&web, 5, 7)->stiffness, 50, 1e-3);
    assert_near((double)find_spring(&web, 0, 6)->stiffness, 500, 1e-3);
    assert_near((double)web.masses[0], 0.2 / 64, 1e-9);
    assert_near((double)web.masses[6], 0.2 / 16, 1e-9);
    sup_web_free(&web);
}

/* Energy per area is the same for every count, also of cells that are not square. */
static void energy_of_grids_does_not_depend_on_the_count(void** state) {
    (void)state;
    const double stretch[3][3] = {{0.01, 0, 0}}, shear[3][3] = {{0, 0, 0.005}, {0}, {0.005, 0, 0}};
    const int32_t counts[][2] = {{3, 3}, {9, 9}, {17, 17}, {33, 17}, {5, 9}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        sup_weave_grid_def def = sup_weave_grid_default();
        def.count[0] = counts[i][0], def.count[1] = counts[i][1];
        def.bend = 0;
        sup_web web = weave_grid(&def);
        if (def.count[0] == def.count[1]) {
            assert_near(strain_energy(&web, stretch), 0.5 * 1500 * 1e-4, 1e-6);
        }
        /* Diagonals carry all of it: 1/2 k_shear gamma^2. */
        assert_near(strain_energy(&web, shear), 0.5 * 500 * 1e-4, 1e-6);
        sup_web_free(&web);
    }
}

/* Tension per width (k_s + k_sh + 4 k_b) strain, but 2 k_b in the first column of cells. */
static void grids_pull_as_they_are_calibrated(void** state) {
    (void)state;
    sup_weave_grid_def def = sup_weave_grid_default();
    def.count[0] = def.count[1] = 11;
    sup_web web = weave_grid(&def);
    for (int column = 0; column < 10; column++) {
        double cut = -0.45 + 0.1 * column, pull = 0.0;
        for (int32_t s = 0; s < web.spring_count; s++) {
            const sup_spring* spring = &web.springs[s];
            double a[3], b[3];
            get_point(&web, spring->a, a);
            get_point(&web, spring->b, b);
            if ((a[0] - cut) * (b[0] - cut) >= 0.0) continue;
            double share = fabs(b[0] - a[0]) / (double)spring->length;
            pull +=
                (double)spring->stiffness * 0.01 * (double)spring->length * share * share * share;
        }
        double bend = column == 0 || column == 9 ? 100 : 200;
        assert_near(pull, 0.01 * (1000 + 500 + bend), 1e-4);
    }
    sup_web_free(&web);
}

static void grids_lie_where_they_are_told(void** state) {
    (void)state;
    sup_weave_grid_def def = sup_weave_grid_default();
    def.count[0] = 3, def.count[1] = 5;
    def.sides[0] = 2, def.sides[1] = 4;
    def.axes[0][0] = 0, def.axes[0][1] = 3;
    def.axes[1][2] = -0.5;
    def.centre[0] = 7;
    sup_web web = weave_grid(&def);
    double p[3];
    get_point(&web, 0, p);
    assert_near(p[0], 7, 1e-6);
    assert_near(p[1], -1, 1e-6);
    assert_near(p[2], 2, 1e-6);
    get_point(&web, 14, p);
    assert_near(p[1], 1, 1e-6);
    assert_near(p[2], -2, 1e-6);
    sup_web_free(&web);
}

static void refuse_grid(const sup_weave_grid_def* def, const char* words) {
    sup_web web = {0};
    sup_error error = {0};
    assert_says(sup_weave_grid(NULL, def, &web, &error), SUP_BAD_ARGUMENT, &error, words);
    assert_null(web.points);
}

static void grids_refuse_what_is_wrong(void** state) {
    (void)state;
    const sup_weave_grid_def good = sup_weave_grid_default();
    sup_weave_grid_def def = good;
    def.size = 0;
    refuse_grid(&def, "sup_weave_grid_default");
    def = good, def.count[1] = 1;
    refuse_grid(&def, "count");
    def = good, def.count[0] = def.count[1] = 16384;
    refuse_grid(&def, "too many");
    def = good, def.sides[0] = 0;
    refuse_grid(&def, "side");
    def = good, def.sides[1] = NAN;
    refuse_grid(&def, "side");
    def = good, def.stretch = -1;
    refuse_grid(&def, "stretch");
    def = good, def.shear = NAN;
    refuse_grid(&def, "shear");
    def = good, def.density = 0;
    refuse_grid(&def, "density");
    def = good, def.axes[0][0] = 0;
    refuse_grid(&def, "axis");
    def = good, def.axes[1][0] = 1;
    refuse_grid(&def, "right angle");
    def = good, def.centre[2] = INFINITY;
    refuse_grid(&def, "centre");
    def = good, def.sides[0] = 1e6, def.centre[0] = 1e6;
    refuse_grid(&def, "1e6 m");
    def = good, def.sides[0] = def.sides[1] = 1e-6, def.centre[0] = 1000;
    refuse_grid(&def, "same place");
}

/* ---- Rope ---- */

static sup_web weave_rope(const sup_weave_rope_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_rope(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static void ropes_are_as_stiff_for_every_count(void** state) {
    (void)state;
    for (int32_t count = 2; count < 100; count = 2 * count - 1) {
        sup_weave_rope_def def = sup_weave_rope_default();
        def.count = count;
        def.ends[1][0] = 0, def.ends[1][1] = 2;
        sup_web web = weave_rope(&def);
        double soft = 0.0;
        for (int32_t s = 0; s < web.spring_count; s++) {
            soft += 1.0 / (double)web.springs[s].stiffness;
            assert_true(web.springs[s].slack);
        }
        assert_int_equal(web.spring_count, count - 1);
        assert_near(1.0 / soft, 500, 1e-3);
        assert_near(web_mass(&web), 0.2, 1e-7);
        assert_near((double)web.points[count - 1].y, 2, 0);
        sup_web_free(&web);
    }
    sup_weave_rope_def def = sup_weave_rope_default();
    def.bend = 0.1;
    sup_web web = weave_rope(&def);
    assert_int_equal(count_kind(&web, SUP_SPRING_BEND), 19);
    assert_false(find_spring(&web, 0, 2)->slack);
    assert_near((double)find_spring(&web, 0, 2)->stiffness, 0.1 * 1000 / 0.1, 1e-2);
    sup_web_free(&web);
}

static void ropes_refuse_what_is_wrong(void** state) {
    (void)state;
    sup_web web = {0};
    sup_error error = {0};
    sup_weave_rope_def def = sup_weave_rope_default();
    def.count = 1;
    assert_says(sup_weave_rope(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "count");
    def = sup_weave_rope_default();
    def.ends[1][0] = 0;
    assert_says(sup_weave_rope(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "length");
    def.ends[1][0] = NAN;
    assert_says(sup_weave_rope(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "length");
    def = sup_weave_rope_default();
    def.stretch = -1;
    assert_says(sup_weave_rope(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "stretch");
}

/* ---- Mesh ---- */

static sup_web weave_mesh(const sup_weave_mesh_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_mesh(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static sup_mesh make_mesh(int32_t point_count, const sup_vec3* points, int32_t polygon_count,
                          const int32_t* starts, const int32_t* corners) {
    sup_mesh mesh;
    sup_error error = {0};
    assert_done(
        sup_mesh_create(NULL, point_count, points, polygon_count, starts, corners, &mesh, &error),
        &error);
    return mesh;
}

/* A grid of squares as a mesh: Young's modulus, Poisson's ratio 1/3, the same in all directions. */
static void quads_are_the_same_in_all_directions(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, 8, 8, &mesh, NULL), SUP_OK);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web bent = weave_mesh(&def);
    assert_int_equal(count_kind(&bent, SUP_SPRING_STRUCT), 2 * 9 * 8);
    assert_int_equal(count_kind(&bent, SUP_SPRING_SHEAR), 2 * 64);
    assert_int_equal(count_kind(&bent, SUP_SPRING_BEND), 2 * 9 * 7);
    /* Boundaries bend with half of what lies within. */
    assert_near((double)find_spring(&bent, 0, 2)->stiffness, 12.5, 1e-3);
    assert_near((double)find_spring(&bent, 9, 11)->stiffness, 25, 1e-3);
    sup_web_free(&bent);
    def.bend = 0;
    sup_web web = weave_mesh(&def);
    assert_near(web_mass(&web), 0.2, 1e-7);
    for (int turn = 0; turn < 12; turn++) {
        double c = cos(turn * 0.13), s = sin(turn * 0.13), e = 0.01;
        const double along[3][3] = {{e * c * c, 0, e * c * s}, {0}, {e * c * s, 0, e * s * s}};
        assert_near(strain_energy(&web, along), 0.5 * 1125 * e * e, 1e-6);
    }
    sup_web_free(&web);
    def.stiffness = 300;
    def.bend = 0.1;
    web = weave_mesh(&def);
    assert_near((double)find_spring(&web, 0, 1)->stiffness, 300, 0);
    assert_near((double)find_spring(&web, 9, 10)->stiffness, 300, 0);
    assert_near((double)find_spring(&web, 0, 10)->stiffness, 150, 0);
    assert_near((double)find_spring(&web, 9, 11)->stiffness, 30, 1e-5);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
}

/* A sheet of equal triangles: C11 = 9/8 of Young's modulus along every direction. */
static void triangles_are_the_same_in_all_directions(void** state) {
    (void)state;
    enum { N = 6 };
    sup_vec3 points[(N + 1) * (N + 1)];
    int32_t corners[6 * N * N], count = 0;
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            points[j * (N + 1) + i] = (sup_vec3){(float)(i + 0.5 * j), (float)(j * sqrt(0.75)), 0};
            int32_t a = j * (N + 1) + i;
            if (i == N || j == N) continue;
            const int32_t two[6] = {a, a + 1, a + N + 1, a + 1, a + N + 2, a + N + 1};
            memcpy(corners + count, two, sizeof two);
            count += 6;
        }
    }
    sup_mesh mesh = make_mesh((N + 1) * (N + 1), points, 2 * N * N, NULL, corners);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    def.bend = 0;
    sup_web web = weave_mesh(&def);
    double area = N * N * sqrt(0.75);
    assert_near(web_mass(&web), 0.2 * area, 1e-5);
    for (int turn = 0; turn < 12; turn++) {
        double c = cos(turn * 0.13), s = sin(turn * 0.13), e = 0.01;
        const double along[3][3] = {{e * c * c, e * c * s, 0}, {e * c * s, e * s * s, 0}, {0}};
        assert_near(strain_energy(&web, along) / area, 0.5 * 1125 * e * e, 1e-6);
    }
    sup_web_free(&web);
    sup_mesh_free(&mesh);
}

/* A book with as many pages as triangles along one edge. */
static void edges_of_many_faces_bend_by_pairs(void** state) {
    (void)state;
    const int32_t bends[] = {0, 0, 1, 3, 6, 6, 6};
    for (int32_t pages = 1; pages <= 6; pages++) {
        sup_vec3 points[8] = {{0, 0, 0}, {0, 1, 0}};
        int32_t corners[18];
        for (int32_t k = 0; k < pages; k++) {
            points[2 + k] = (sup_vec3){(float)cos(0.9 * k), 0.5f, (float)sin(0.9 * k)};
            corners[3 * k] = k % 2;
            corners[3 * k + 1] = 1 - k % 2;
            corners[3 * k + 2] = 2 + k;
        }
        sup_mesh mesh = make_mesh(2 + pages, points, pages, NULL, corners);
        sup_weave_mesh_def def = sup_weave_mesh_default();
        def.mesh = &mesh;
        sup_web web = weave_mesh(&def);
        assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 1 + 2 * pages);
        assert_int_equal(count_kind(&web, SUP_SPRING_BEND), bends[pages]);
        assert_int_equal(web.report.tangled, pages > 2);
        assert_int_equal(web.report.unbent, pages > 4);
        if (pages > 4) assert_null(find_spring(&web, 2, 6));
        if (pages > 3) assert_non_null(find_spring(&web, 4, 5));
        sup_web_free(&web);
        sup_mesh_free(&mesh);
    }
}

/* Corners that are joined already do not bend as well; poles of an octahedron do so once. */
static void small_solids_bend_once(void** state) {
    (void)state;
    const sup_vec3 four[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sup_mesh mesh = make_mesh(4, four, 4, NULL, faces);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web web = weave_mesh(&def);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 6);
    assert_int_equal(count_kind(&web, SUP_SPRING_BEND), 0);
    assert_near((double)find_spring(&web, 0, 1)->stiffness, 1000, 1e-3);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
    const sup_vec3 six[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const int32_t eight[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                             2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    mesh = make_mesh(6, six, 8, NULL, eight);
    web = weave_mesh(&def);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 12);
    assert_int_equal(count_kind(&web, SUP_SPRING_BEND), 3);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
}

static void dirt_is_left_out_and_counted(void** state) {
    (void)state;
    /* Two triangles that share an edge by places only, a needle, one over one point, a lone point.
     */
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},    {1, 0, 0},
                               {1, 1, 0}, {0, 1, 0}, {0.5f, 0, 0}, {9, 9, 9}};
    const int32_t corners[] = {0, 1, 2, 3, 4, 5, 0, 6, 1, 2, 5, 4};
    sup_mesh mesh = make_mesh(8, points, 4, NULL, corners);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web web = weave_mesh(&def);
    assert_int_equal(web.report.welded, 2);
    assert_int_equal(web.report.degenerate, 2);
    assert_int_equal(web.report.isolated, 2);
    assert_int_equal(web.point_count, 4);
    assert_int_equal(web.spring_count, 6);
    assert_int_equal(web.given_count, 8);
    const int32_t particles[] = {0, 1, 2, 1, 3, 2, -1, -1};
    assert_memory_equal(web.particles, particles, sizeof particles);
    assert_near(web_mass(&web), 0.2, 1e-7);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
}

/* Beginning elsewhere, the other way around, by points in the same place: a polygon counts once.
   One over the same points in another order is another polygon. */
static void repeated_polygons_count_once(void** state) {
    (void)state;
    const sup_vec3 points[] = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {2, 0, 0}, {2, 1, 0}, {2, 1, 0}, {1, 1, 0}};
    const int32_t starts[] = {0, 4, 7, 10, 13, 17, 20, 24};
    const int32_t corners[] = {1, 2, 3, 4, 2, 5, 6, 2, 6, 3, 5, 7,
                               2, 4, 3, 2, 1, 8, 7, 2, 1, 3, 2, 4};
    sup_mesh mesh = make_mesh(9, points, 7, starts, corners);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web web = weave_mesh(&def);
    assert_int_equal(web.report.repeated, 3);
    assert_int_equal(web.report.repeated_points[0], 5);
    assert_int_equal(web.report.repeated_points[1], 6);
    assert_int_equal(web.report.repeated_points[2], 2);
    assert_int_equal(web.report.degenerate, 0);
    assert_int_equal(web.surface.polygon_count, 4);
    sup_web_free(&web);
    mesh.polygon_count = 3; /* the same without: as heavy and as stiff, but for the last */
    mesh.corner_count = 10;
    web = weave_mesh(&def);
    double mass = web_mass(&web), stiffness = (double)find_spring(&web, 1, 2)->stiffness;
    sup_web_free(&web);
    mesh.polygon_count = 6;
    mesh.corner_count = 20;
    web = weave_mesh(&def);
    assert_int_equal(web.report.repeated, 3);
    assert_int_equal(web.report.tangled, 0);
    assert_true(web_mass(&web) == mass);
    assert_true((double)find_spring(&web, 1, 2)->stiffness == stiffness);
    sup_web_free(&web);
    mesh.polygon_count = 7;
    mesh.corner_count = 24;
    sup_mesh_free(&mesh);
}

static void larger_polygons_are_held(void** state) {
    (void)state;
    sup_vec3 points[6];
    const int32_t starts[] = {0, 6}, corners[] = {0, 1, 2, 3, 4, 5};
    for (int k = 0; k < 6; k++) {
        points[k] = (sup_vec3){(float)cos(k * 1.0471975512), (float)sin(k * 1.0471975512), 0};
    }
    sup_mesh mesh = make_mesh(6, points, 1, starts, corners);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web web = weave_mesh(&def);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 6);
    assert_int_equal(count_kind(&web, SUP_SPRING_SHEAR), 3);
    assert_int_equal(web.surface.polygon_count, 1);
    assert_near(web_mass(&web), 0.2 * 1.5 * sqrt(3), 1e-6);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
}

static void meshes_refuse_what_is_wrong(void** state) {
    (void)state;
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const int32_t corners[] = {0, 1, 2};
    sup_mesh mesh = make_mesh(3, points, 1, NULL, corners);
    sup_web web = {0};
    sup_error error = {0};
    sup_weave_mesh_def def = sup_weave_mesh_default();
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "no mesh");
    def.mesh = &mesh;
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "area");
    mesh.points[2].y = 1e30f;
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "1e6 m");
    mesh.points[2].y = NAN;
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "not finite");
    def.stiffness = -1;
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "stiffness");
    def.stiffness = 0, def.bend = -1;
    assert_says(sup_weave_mesh(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "bend");
    assert_null(web.points);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_the_counts_of_their_springs),
        cmocka_unit_test(boundaries_of_grids_have_half),
        cmocka_unit_test(energy_of_grids_does_not_depend_on_the_count),
        cmocka_unit_test(grids_pull_as_they_are_calibrated),
        cmocka_unit_test(grids_lie_where_they_are_told),
        cmocka_unit_test(grids_refuse_what_is_wrong),
        cmocka_unit_test(ropes_are_as_stiff_for_every_count),
        cmocka_unit_test(ropes_refuse_what_is_wrong),
        cmocka_unit_test(quads_are_the_same_in_all_directions),
        cmocka_unit_test(triangles_are_the_same_in_all_directions),
        cmocka_unit_test(edges_of_many_faces_bend_by_pairs),
        cmocka_unit_test(small_solids_bend_once),
        cmocka_unit_test(dirt_is_left_out_and_counted),
        cmocka_unit_test(repeated_polygons_count_once),
        cmocka_unit_test(larger_polygons_are_held),
        cmocka_unit_test(meshes_refuse_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
