/* Webs of solids: tetrahedra, blocks, hexahedra, voxels and their calibration. */
#include "blueprint/webs.h"
#include "ref/ref_static.h"

#include <stdlib.h>

/* ---- Tetrahedra ---- */

static const sup_vec3 corners_of_tet[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static sup_web weave_tets(const sup_weave_tets_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_tets(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static void one_tetrahedron_has_six_springs(void** state) {
    (void)state;
    const int32_t tet[] = {0, 1, 2, 3};
    sup_weave_tets_def def = sup_weave_tets_default();
    def.point_count = 4, def.points = corners_of_tet;
    def.tet_count = 1, def.tets = tet;
    sup_web web = weave_tets(&def);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 6);
    assert_near((double)find_spring(&web, 0, 1)->stiffness, 1e5 / 6, 1e-2);
    assert_near((double)find_spring(&web, 1, 2)->stiffness, 1e5 / 12, 1e-2);
    assert_near(web_mass(&web), 1000.0 / 6, 1e-4);
    assert_int_equal(web.surface.polygon_count, 4);
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &web.surface, &report, NULL), SUP_OK);
    assert_true(report.closed);
    assert_near(report.volume, 1.0 / 6, 1e-6);
    sup_web_free(&web);
    def.rule = SUP_WEAVE_EVEN;
    def.surface = false;
    web = weave_tets(&def);
    assert_near((double)find_spring(&web, 1, 2)->stiffness, 1e4 * cbrt(2), 1e-2);
    assert_int_equal(web.surface.point_count, 0);
    sup_web_free(&web);
}

static void wrong_tetrahedra_are_mended_or_left_out(void** state) {
    (void)state;
    const sup_vec3 points[] = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 1, 0}, {1, 1, 1}};
    /* Inside out, flat, right; point 0 is of none. */
    const int32_t tets[] = {1, 3, 2, 4, 1, 2, 3, 5, 2, 5, 3, 6};
    sup_weave_tets_def def = sup_weave_tets_default();
    def.point_count = 7, def.points = points;
    def.tet_count = 3, def.tets = tets;
    sup_web web = weave_tets(&def);
    assert_int_equal(web.report.flipped, 1);
    assert_int_equal(web.report.degenerate, 1);
    assert_int_equal(web.report.isolated, 1);
    assert_int_equal(web.tet_count, 2);
    assert_int_equal(web.point_count, 6);
    assert_int_equal(web.particles[0], -1);
    assert_int_equal(web.spring_count, 11); /* one edge in common */
    sup_web_free(&web);
}

static void points_at_one_place_are_joined(void** state) {
    (void)state;
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                               {1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 1}};
    const int32_t tets[] = {0, 1, 2, 3, 4, 5, 6, 7};
    sup_weave_tets_def def = sup_weave_tets_default();
    def.point_count = 8, def.points = points;
    def.tet_count = 2, def.tets = tets;
    sup_web web = weave_tets(&def);
    assert_int_equal(web.report.welded, 3);
    assert_int_equal(web.point_count, 5);
    assert_int_equal(web.spring_count, 9);
    assert_int_equal(web.surface.polygon_count, 6);
    const int32_t particles[] = {0, 1, 2, 3, 1, 3, 2, 4};
    assert_memory_equal(web.particles, particles, sizeof particles);
    sup_web_free(&web);
}

static void sides_of_three_are_counted(void** state) {
    (void)state;
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, -1}};
    const int32_t tets[] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 2, 1, 5};
    for (int32_t count = 2; count <= 3; count++) {
        sup_weave_tets_def def = sup_weave_tets_default();
        def.point_count = 6, def.points = points;
        def.tet_count = count, def.tets = tets;
        sup_web web = weave_tets(&def);
        assert_int_equal(web.report.tangled, count == 3);
        assert_int_equal(web.surface.polygon_count, 3 * count);
        sup_web_free(&web);
    }
}

static void refuse_tets(const sup_weave_tets_def* def, const char* words) {
    sup_web web = {0};
    sup_error error = {0};
    assert_says(sup_weave_tets(NULL, def, &web, &error), SUP_BAD_ARGUMENT, &error, words);
    assert_null(web.points);
}

static void tetrahedra_refuse_what_is_wrong(void** state) {
    (void)state;
    const int32_t twice[] = {0, 1, 1, 3}, beyond[] = {0, 1, 2, 4}, below[] = {0, -1, 2, 3};
    const int32_t good[] = {0, 1, 2, 3};
    sup_vec3 points[4];
    memcpy(points, corners_of_tet, sizeof points);
    sup_weave_tets_def def = sup_weave_tets_default();
    def.point_count = 4, def.points = points;
    def.tet_count = 1, def.tets = twice;
    refuse_tets(&def, "twice");
    def.tets = beyond;
    refuse_tets(&def, "names point 4");
    def.tets = below;
    refuse_tets(&def, "names point -1");
    def.tets = good;
    def.tet_count = 0;
    refuse_tets(&def, "too few");
    def.tet_count = INT32_MAX;
    refuse_tets(&def, "too many");
    def.tet_count = 1, def.young = -1;
    refuse_tets(&def, "young");
    def.young = 1e5, def.density = NAN;
    refuse_tets(&def, "density");
    const int32_t twins[] = {0, 1, 2, 3, 3, 0, 2, 1};
    def.density = 1000, def.tets = twins, def.tet_count = 2;
    refuse_tets(&def, "tetrahedra 0 and 1 have the same corners");
    def.tets = good, def.tet_count = 1, def.rule = (sup_weave_rule)7;
    refuse_tets(&def, "rule");
    def.rule = SUP_WEAVE_EVEN;
    points[3].z = 0;
    refuse_tets(&def, "nothing is left");
    points[3].z = INFINITY;
    refuse_tets(&def, "not finite");
    points[3].z = 1e-6f, points[1].x = 1e-6f, points[2].y = 1e-6f;
    def.density = 1e-9;
    sup_web web = weave_tets(&def); /* light, but not without mass */
    sup_web_free(&web);
}

/* ---- Block ---- */

static sup_web weave_block(const sup_weave_block_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_block(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static void blocks_are_body_centred(void** state) {
    (void)state;
    sup_weave_block_def def = sup_weave_block_default();
    def.cell = 0.125;
    sup_web web = weave_block(&def);
    assert_int_equal(web.point_count, 9 * 9 * 9 + 8 * 8 * 8 - 8); /* not the eight corners */
    assert_int_equal(web.tet_count, 4 * 3 * 7 * 64);
    assert_int_equal(web.report.flipped + web.report.degenerate + web.report.isolated, 0);
    double volume = 0.0;
    for (int32_t t = 0; t < web.tet_count; t++) {
        assert_near(tet_volume(&web, t), 0.125 * 0.125 * 0.125 / 12, 1e-12);
        volume += tet_volume(&web, t);
    }
    assert_near(web_mass(&web), 1000 * volume, 1e-3);
    for (int32_t s = 0; s < web.spring_count; s++) {
        double share = (double)web.springs[s].length / 0.125;
        assert_true(fabs(share - 1) < 1e-6 || fabs(share - sqrt(0.75)) < 1e-6);
    }
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &web.surface, &report, NULL), SUP_OK);
    assert_int_equal(report.boundary_edge_count, 0);
    sup_web_free(&web);

    sup_error error = {0};
    def.cells[0] = def.cells[1] = def.cells[2] = 1;
    assert_says(sup_weave_block(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "two cells");
    def.cells[0] = 0;
    assert_says(sup_weave_block(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "cells");
    def.cells[0] = def.cells[1] = def.cells[2] = 1024;
    assert_says(sup_weave_block(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "too many");
    def.cells[0] = 8, def.cell = 0;
    assert_says(sup_weave_block(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "cell");
}

/* ---- Voxels ---- */

static sup_web weave_voxels(const sup_weave_voxels_def* def) {
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_voxels(NULL, def, &web, &error), &error);
    check_web(&web);
    return web;
}

static uint8_t full[8 * 8 * 8];

static sup_weave_voxels_def cube_def(void) {
    sup_weave_voxels_def def = sup_weave_voxels_default();
    memset(full, 255, sizeof full);
    for (int k = 0; k < 3; k++) def.cells[k] = 8;
    def.voxels = full;
    def.cell = 0.125;
    return def;
}

static void voxels_share_their_springs(void** state) {
    (void)state;
    sup_weave_voxels_def def = cube_def();
    sup_web web = weave_voxels(&def);
    assert_int_equal(web.point_count, 9 * 9 * 9);
    assert_int_equal(count_kind(&web, SUP_SPRING_STRUCT), 3 * 9 * 9 * 8);
    assert_int_equal(count_kind(&web, SUP_SPRING_SHEAR), 3 * 2 * 8 * 8 * 9);
    assert_near(web_mass(&web), 1000, 1e-3);
    double most[2] = {0}, least[2] = {1e9, 1e9}, unit = 1e5 * 0.125;
    for (int32_t s = 0; s < web.spring_count; s++) {
        int kind = web.springs[s].kind;
        double k = (double)web.springs[s].stiffness;
        most[kind] = k > most[kind] ? k : most[kind];
        least[kind] = k < least[kind] ? k : least[kind];
    }
    for (int kind = 0; kind < 2; kind++) {
        assert_near(most[kind], 0.4 * unit, 1e-2);
        assert_near(least[kind], (kind == 0 ? 0.1 : 0.2) * unit, 1e-2);
    }
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &web.surface, &report, NULL), SUP_OK);
    assert_true(report.closed);
    assert_int_equal(web.surface.polygon_count, 6 * 64);
    assert_int_equal(web.surface.point_count, 9 * 9 * 9 - 7 * 7 * 7);
    assert_near(report.volume, 1, 1e-6);
    sup_web_free(&web);

    def.tets = true;
    def.space = 0.05;
    def.surface = false;
    web = weave_voxels(&def);
    assert_int_equal(web.tet_count, 6 * 512);
    assert_int_equal(count_kind(&web, SUP_SPRING_SHEAR), 3 * 2 * 8 * 8 * 9 + 4 * 512);
    sup_web_free(&web);
}

static void only_full_voxels_count(void** state) {
    (void)state;
    /* Two cells that touch along an edge, in a box with room. */
    uint8_t voxels[4 * 3 * 2] = {0};
    voxels[0] = 7, voxels[1 + 4] = 9, voxels[3] = 6;
    sup_weave_voxels_def def = sup_weave_voxels_default();
    def.cells[0] = 4, def.cells[1] = 3, def.cells[2] = 2;
    def.voxels = voxels;
    def.least = 7;
    sup_web web = weave_voxels(&def);
    assert_int_equal(web.point_count, 14);
    assert_int_equal(web.surface.polygon_count, 12);
    assert_near(web_mass(&web), 2, 1e-5);
    sup_web_free(&web);
    sup_error error = {0};
    def.least = 10;
    assert_says(sup_weave_voxels(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "full");
    def.least = 256;
    assert_says(sup_weave_voxels(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "least");
    def.least = 1, def.cells[2] = 0;
    assert_says(sup_weave_voxels(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "cells");
    def.cells[0] = def.cells[1] = def.cells[2] = 4096;
    assert_says(sup_weave_voxels(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "too many");
    def.cells[0] = 4, def.cells[1] = 3, def.cells[2] = 2, def.space = -1;
    assert_says(sup_weave_voxels(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "space");
}

static void hexahedra_are_mended_or_left_out(void** state) {
    (void)state;
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},
                               {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {5, 5, 5}};
    const int32_t hexes[] = {4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 8};
    sup_weave_hexes_def def = sup_weave_hexes_default();
    def.point_count = 9, def.points = points;
    def.hex_count = 1, def.hexes = hexes;
    sup_web web = {0};
    sup_error error = {0};
    assert_done(sup_weave_hexes(NULL, &def, &web, &error), &error);
    check_web(&web);
    assert_int_equal(web.report.flipped, 1);
    assert_int_equal(web.report.isolated, 1);
    assert_int_equal(web.spring_count, 24);
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, &web.surface, &report, NULL), SUP_OK);
    assert_near(report.volume, 1, 1e-6);
    sup_web_free(&web);
    const int32_t twins[] = {0, 1, 2, 3, 4, 5, 6, 8, 0, 1, 2, 3, 4, 5, 6, 7,
                             7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 8, 6, 5, 4, 0};
    def.hexes = twins, def.hex_count = 4;
    assert_says(sup_weave_hexes(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error,
                "hexahedra 1 and 2 have the same corners");
    def.hex_count = 1;
    const int32_t twice[] = {0, 1, 2, 3, 4, 5, 6, 6};
    def.hexes = twice;
    assert_says(sup_weave_hexes(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "twice");
    sup_vec3 flat[9];
    memcpy(flat, points, sizeof flat);
    for (int k = 0; k < 9; k++) flat[k].z = 0;
    def.points = flat, def.hexes = hexes;
    assert_says(sup_weave_hexes(NULL, &def, &web, &error), SUP_BAD_ARGUMENT, &error, "nothing");
}

/* ---- Blueprints ---- */

/* The points of the surface come first: a blueprint of both gives all particles their ids. */
static void webs_fit_blueprints(void** state) {
    (void)state;
    sup_weave_block_def def = sup_weave_block_default();
    def.cells[0] = 3, def.cells[1] = 4, def.cells[2] = 2;
    sup_web web = weave_block(&def);
    int32_t surface_count = web.surface.point_count;
    assert_true(surface_count > 0 && surface_count < web.point_count);
    sup_blueprint_def body = sup_web_blueprint(&web);
    sup_blueprint* blueprint = NULL;
    sup_error error = {0};
    assert_done(sup_blueprint_create(&body, &blueprint, &error), &error);
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    assert_int_equal(info.particle_count, web.point_count);
    assert_int_equal(info.spring_count, web.spring_count);
    assert_int_equal(info.surface_particle_count, surface_count);
    assert_near(info.mass, web_mass(&web), 1e-3);
    sup_vec3* rest = calloc((size_t)web.point_count, sizeof *rest);
    sup_blueprint_read_rest(blueprint, rest);
    for (int32_t p = 0; p < web.point_count; p++) {
        assert_memory_equal(&rest[p], &web.points[p], sizeof *rest);
    }
    free(rest);
    sup_blueprint_release(blueprint);
    sup_web_free(&web);
}

/* ---- Calibration ---- */

/* What a block of 8 x 8 x 8 cells, 1 m wide, does when it is stretched by 1 % along x. */
typedef struct stretched {
    double axial, lateral; /* strain in the middle */
    double force;          /* N, at one end */
    double stress;         /* Pa, mean of the springs */
    double rest;           /* N, force that is left anywhere */
} stretched;

/* Slope of the displacement over the place, in the middle 4 x 4 x 4 cells. */
static double fit_strain(const sup_web* web, const double (*x)[3], int axis) {
    double xx = 0.0, xu = 0.0, sx = 0.0, su = 0.0, n = 0.0;
    for (int32_t p = 0; p < web->point_count; p++) {
        double at[3];
        get_point(web, p, at);
        if (fabs(at[0]) > 0.2501 || fabs(at[1]) > 0.2501 || fabs(at[2]) > 0.2501) continue;
        double u = x[p][axis] - at[axis];
        n += 1, sx += at[axis], su += u, xx += at[axis] * at[axis], xu += at[axis] * u;
    }
    return (n * xu - sx * su) / (n * xx - sx * sx);
}

static stretched stretch(const sup_web* web, double held_from) {
    double(*x)[3] = malloc((size_t)web->point_count * sizeof *x);
    bool(*held)[3] = calloc((size_t)web->point_count, sizeof *held);
    double volume = 0.0;
    for (int32_t p = 0; p < web->point_count; p++) {
        get_point(web, p, x[p]);
        held[p][0] = fabs(x[p][0]) >= held_from;
        /* Against drift and spin: by symmetry these would not move. */
        bool on_axis = fabs(x[p][0]) < 1e-6 && fabs(x[p][2]) < 1e-6;
        held[p][1] = on_axis && fabs(x[p][1]) < 1e-6;
        held[p][2] = on_axis;
        x[p][0] *= 1.01;
    }
    stretched out = {0};
    out.rest = ref_static_solve(web->point_count, x, (const bool(*)[3])held, web->spring_count,
                                web->springs);
    out.axial = fit_strain(web, (const double(*)[3])x, 0);
    out.lateral = 0.5 * (fit_strain(web, (const double(*)[3])x, 1) +
                         fit_strain(web, (const double(*)[3])x, 2));
    for (int32_t t = 0; t < web->tet_count; t++) volume += tet_volume(web, t);
    for (int32_t s = 0; s < web->spring_count; s++) {
        const sup_spring* spring = &web->springs[s];
        double u[3], pull = ref_static_pull(spring, (const double(*)[3])x, u);
        double at[3];
        out.stress += pull * u[0] * (x[spring->b][0] - x[spring->a][0]) / volume;
        get_point(web, spring->a, at);
        if (held[spring->a][0] && at[0] > 0.0) out.force -= pull * u[0];
        get_point(web, spring->b, at);
        if (held[spring->b][0] && at[0] > 0.0) out.force += pull * u[0];
    }
    free(x);
    free(held);
    return out;
}

static void hexahedra_have_their_modulus(void** state) {
    (void)state;
    sup_weave_voxels_def def = cube_def();
    sup_web web = weave_voxels(&def);
    stretched s = stretch(&web, 0.499);
    print_message("hexahedra: modulus %.4f Y, Poisson %.4f, left %.1e N\n", s.force / s.axial / 1e5,
                  -s.lateral / s.axial, s.rest);
    assert_true(s.rest < 1e-6);
    assert_near(s.force / s.axial / 1e5, 1.007, 0.003);
    assert_near(-s.lateral / s.axial, 0.2498, 0.002);
    sup_web_free(&web);
}

static void blocks_have_their_modulus(void** state) {
    (void)state;
    const struct {
        sup_weave_rule rule;
        double modulus, poisson;
    } rows[] = {{SUP_WEAVE_EVEN, 1.012, 0.2475}, {SUP_WEAVE_LENGTHS, 0.868, 0.283}};
    for (int i = 0; i < 2; i++) {
        sup_weave_block_def def = sup_weave_block_default();
        def.cell = 0.125;
        def.rule = rows[i].rule;
        sup_web web = weave_block(&def);
        stretched s = stretch(&web, 0.5 - 0.0626);
        print_message("body-centred, %s: modulus %.4f Y, Poisson %.4f, left %.1e N\n",
                      i == 0 ? "even" : "V/L^2", s.stress / s.axial / 1e5, -s.lateral / s.axial,
                      s.rest);
        assert_true(s.rest < 1e-6);
        assert_near(s.stress / s.axial / 1e5, rows[i].modulus, 0.005);
        assert_near(-s.lateral / s.axial, rows[i].poisson, 0.003);
        sup_web_free(&web);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tetrahedron_has_six_springs),
        cmocka_unit_test(wrong_tetrahedra_are_mended_or_left_out),
        cmocka_unit_test(points_at_one_place_are_joined),
        cmocka_unit_test(sides_of_three_are_counted),
        cmocka_unit_test(tetrahedra_refuse_what_is_wrong),
        cmocka_unit_test(blocks_are_body_centred),
        cmocka_unit_test(voxels_share_their_springs),
        cmocka_unit_test(only_full_voxels_count),
        cmocka_unit_test(hexahedra_are_mended_or_left_out),
        cmocka_unit_test(webs_fit_blueprints),
        cmocka_unit_test(hexahedra_have_their_modulus),
        cmocka_unit_test(blocks_have_their_modulus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
