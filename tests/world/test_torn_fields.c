/* Wind, gas, solids and anchors on surfaces that tear or are cut: they act on the surface as it is
   now. */
#include "allocators.h"
#include "world/cuts.h"
#include "world/tears.h"

/* Not the header of this name beside this file. */
#include "../../src/world/springs.h"
#include "world/spring_forces.h"

static sup_wind wind_of(double x, double y, double z) {
    sup_wind wind = sup_wind_default();
    wind.velocity[0] = x;
    wind.velocity[1] = y;
    wind.velocity[2] = z;
    return wind;
}

static sup_world* windy_world(const sup_wind* wind) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = 0.0;
    def.gravity[1] = 0.0;
    def.wind = *wind;
    return make_world(&def);
}

static void equip(sup_world* world, sup_body body, const sup_spring_settings* settings) {
    sup_error error = {0};
    assert_ok(sup_body_set_springs(world, body, settings, &error), error);
}

/* ---- Faces ---- */

/* All faces have the rows of their corners now, their areas at rest and masses are those of the
   whole, and no row that waits is among them. */
static void check_faces(const sup_world* world, sup_body handle, double area, double mass) {
    const supi_body* body = supi_world_body(world, handle);
    const supi_spring_forces* own = body->elastic->beside;
    const sup_blueprint* b = body->blueprint;
    double areas = 0, masses = 0;
    assert_non_null(own);
    for (int32_t f = 0; f < own->faces.count; f++) {
        const int32_t* rows = own->faces.rows + 4 * f;
        const sup_vec3 *p = b->rest,
                       o = supi_tear_of(body) ? supi_tear_of(body)->rest[rows[0]] : p[rows[0]];
        double u[2][3];
        for (int k = 0; k < 2; k++) {
            const sup_vec3* q = (supi_tear_of(body) ? supi_tear_of(body)->rest : p) + rows[k + 1];
            u[k][0] = (double)q->x - (double)o.x;
            u[k][1] = (double)q->y - (double)o.y;
            u[k][2] = (double)q->z - (double)o.z;
        }
        areas += 0.5 * fabs(u[0][2] * u[1][0] - u[0][0] * u[1][2]); /* in the plane y = 0 */
        masses += (double)own->masses[f];
        for (int k = 0; k < 3; k++) {
            bool hangs = supi_cuts_mass(body, rows[k]) > 0.0f;
            for (int32_t i = 0; body->elastic->cuts && i < body->elastic->cuts->tie_count; i++) {
                hangs = hangs || body->elastic->cuts->ties[i].row == rows[k];
            }
            assert_true(hangs);
        }
    }
    assert_true(fabs(areas - area) < 1e-5 * area);
    assert_true(fabs(masses - mass) < 1e-5 * mass);
}

/* ---- Wind ---- */

/* As long as nothing tears, wind moves a sheet that could as one that could not, to the last bit.
 */
static void wind_moves_both_alike(void** state) {
    (void)state;
    sup_wind wind = wind_of(2, 6, 1);
    sheet_def sheet = {16, 12, 0, false, true, true, 1.0};
    swarm seen[2];
    sup_world* worlds[2];
    for (int i = 0; i < 2; i++) {
        sheet.tears = i == 1;
        worlds[i] = windy_world(&wind);
        sup_body body = add_sheet(worlds[i], sheet_of(&sheet), i == 1 ? 10.0 : 0.0);
        take_steps(worlds[i], 30);
        seen[i] = read_swarm(worlds[i], body);
    }
    assert_memory_equal(seen[0].x, seen[1].x, 16 * 12 * sizeof *seen[0].x);
    assert_true(seen[0].x[16 * 6 + 8].y > 0.05);
    for (int i = 0; i < 2; i++) {
        free_swarm(seen + i);
        sup_world_destroy(worlds[i]);
    }
}

/* A sheet that is torn across goes with the wind, all of it: also what came from spare rows. */
static void wind_takes_torn_pieces(void** state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        sup_wind wind = wind_of(0, 0, 0);
        sup_world* world = windy_world(&wind);
        sheet_def sheet = {12, 8, 0, k == 1, true, true, 1.0};
        sup_body handle = add_sheet(world, sheet_of(&sheet), 0.2);
        for (int i = 0; i < 60; i++) {
            pull_sheet(world, handle, 0.02);
            take_steps(world, 1);
            check_sheet(world, handle);
        }
        const supi_body* body = supi_world_body(world, handle);
        int32_t torn = measure_springs(world, handle).torn;
        assert_true(torn >= 8);
        check_faces(world, handle, 0.55 * 0.35, 0.2 * 0.55 * 0.35);
        wind = wind_of(0, 5, 0);
        assert_int_equal(sup_world_set_wind(world, &wind, NULL), SUP_OK);
        sup_spring_settings settings = body->springs;
        settings.tear = 0.0; /* as it is */
        equip(world, handle, &settings);
        take_steps(world, 90);
        /* What hangs on pins stays; what was torn off is nearly as fast as the wind. */
        int32_t* pieces = pieces_of(body);
        int32_t loose = 0;
        for (int32_t r = 0; r < supi_tears_rows(body->blueprint) + torn; r++) {
            bool held = false;
            for (int32_t i = 0; i < body->blueprint->pin_count; i++) {
                held = held || pieces[body->blueprint->pins[i]] == pieces[r];
            }
            loose += !held;
            if (!held) assert_true(world->now.x[body->row + r].y > 1.0f);
        }
        print_message("%d parted, %d rows loose\n", (int)torn, (int)loose);
        free(pieces);
        sup_world_destroy(world);
    }
}

/* ---- Cloth that is cut ---- */

static sup_blueprint* cut_sheet(int32_t cells, int32_t levels, bool held, double bend) {
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = cells + 1;
    grid.levels = levels;
    grid.bend = bend;
    sup_web web;
    sup_error error = {0};
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    int32_t n = (cells << levels) + 1, pins[64];
    for (int32_t i = 0; i < 2 * n; i++) pins[i] = i / 2 * n + i % 2 * 2; /* two lines, clamped */
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.pins = pins;
    def.pin_count = held ? 2 * n : 0;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

/* Flat cloth across the wind is as fast as that of the finest cells, whatever its own are. */
static void wind_on_cut_cloth_is_all_of_it(void** state) {
    (void)state;
    static const sup_integrator both[2] = {SUP_INTEGRATOR_IMPLICIT, SUP_INTEGRATOR_SYMPLECTIC};
    for (int k = 0; k < 2; k++) {
        double speeds[3];
        for (int levels = 0; levels < 3; levels++) {
            sup_wind wind = wind_of(0, 4, 0);
            sup_world* world = windy_world(&wind);
            sup_blueprint* print = cut_sheet(16 >> levels, levels, false, 50);
            sup_body_def def = body_at(print, 0, 0, 0);
            def.springs.integrator = both[k];
            sup_body body = add_body(world, &def);
            check_faces(world, body, 1.0, 0.2);
            take_steps(world, 15);
            swarm s = read_swarm(world, body);
            speeds[levels] = 0.0;
            for (int i = 0; i < s.count; i++) speeds[levels] += (double)s.v[i].y / s.count;
            free_swarm(&s);
            sup_world_destroy(world);
            sup_blueprint_release(print);
        }
        print_message("speeds %.4f %.4f %.4f m/s\n", speeds[0], speeds[1], speeds[2]);
        assert_true(speeds[0] > 1.0 && speeds[0] < 4.0);
        for (int i = 1; i < 3; i++) assert_true(fabs(speeds[i] / speeds[0] - 1) < 5e-3);
    }
}

/* A flag of three levels: its faces are those of its cells at all times, also after a snapshot. */
static void faces_follow_the_cuts(void** state) {
    (void)state;
    sup_wind wind = wind_of(6, 2, 1);
    wind.gust = 3;
    sup_world* world = windy_world(&wind);
    sup_blueprint* print = cut_sheet(6, 2, true, 5);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.solid.bend = 1e-4;
    def.springs.solid.area = 10;
    sup_body body = add_body(world, &def);
    int32_t least = INT32_MAX, most = 0;
    for (int i = 0; i < 90; i++) {
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 0);
        check_faces(world, body, 1.0, 0.2);
        int32_t faces = supi_world_body(world, body)->elastic->beside->faces.count;
        least = faces < least ? faces : least;
        most = faces > most ? faces : most;
    }
    print_message("%d to %d faces\n", (int)least, (int)most);
    assert_true(least < most && most <= 2 * 24 * 24);
    check_resumes(world);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Held along a side it sags as far as cloth that is fine everywhere: solids bend cells of any
   size. */
static void solids_on_cut_cloth_are_as_stiff(void** state) {
    (void)state;
    double sags[2];
    for (int levels = 0; levels < 2; levels++) {
        sup_world* world = make_world(NULL);
        sup_blueprint* print = cut_sheet(16 >> levels, levels, true, 0);
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.solid.bend = 2.0;
        def.springs.drag = 10;
        def.springs.tolerance = 1e-5;
        def.springs.iterations = 400;
        sup_body body = add_body(world, &def);
        take_steps(world, 240);
        swarm s = read_swarm(world, body);
        sags[levels] = -s.x[17 * 8 + 16].y;
        free_swarm(&s);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
    print_message("sags %.4f and %.4f m\n", sags[0], sags[1]);
    assert_true(sags[0] > 0.02 && sags[0] < 0.5);
    assert_true(fabs(sags[1] / sags[0] - 1) < 0.15);
}

/* ---- Gas and anchors ---- */

static sup_blueprint* balloon(void) {
    sup_weave_mesh_def def = sup_weave_mesh_default();
    sup_mesh mesh;
    sup_web web;
    sup_error error = {0};
    assert_ok(sup_mesh_icosphere(NULL, 0.2, 3, &mesh, &error), error);
    def.mesh = &mesh;
    def.young = 500;
    def.density = 0.1;
    assert_ok(sup_weave_mesh(NULL, &def, &web, &error), error);
    sup_mesh_free(&mesh);
    sup_blueprint_def print_def = sup_web_blueprint(&web);
    print_def.tears = true;
    print_def.spare = 2;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&print_def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

/* A balloon that is blown up too far bursts: its gas leaves, and its springs come to rest. */
static void balloons_burst(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_body body = add_sheet(world, balloon(), 0.5);
    sup_spring_settings settings = sup_spring_settings_default();
    settings.tear = 0.5;
    settings.drag = 3.0;
    settings.pressure.inside = 500;
    equip(world, body, &settings);
    take_steps(world, 120);
    assert_int_equal(measure_springs(world, body).torn, 0);
    double swollen = measure_springs(world, body).mean_strain;
    settings.pressure.inside = 10000;
    equip(world, body, &settings);
    take_steps(world, 240);
    sup_spring_measures after = measure_springs(world, body);
    print_message("mean strain %.3f, then %.3f after %d tears\n", swollen, after.mean_strain,
                  (int)after.torn);
    check_sheet(world, body);
    assert_true(after.torn > 0 && swollen > 0.03 && after.mean_strain < 0.02);
    assert_int_equal(mishap_count(world), 0);
    sup_world_destroy(world);
}

/* Anchors hold parted particles at the place of what they came from. */
static void anchors_hold_torn_pieces(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sheet_def sheet = {12, 8, 0, false, true, true, 1.0};
    sup_body handle = add_sheet(world, sheet_of(&sheet), 0.2);
    for (int i = 0; i < 40; i++) {
        pull_sheet(world, handle, 0.02);
        take_steps(world, 1);
    }
    const supi_body* body = supi_world_body(world, handle);
    assert_true(supi_tear_of(body)->torn > 0);
    sup_spring_settings settings = body->springs;
    settings.tear = 0.0;
    settings.drag = 5.0;
    settings.anchor.frequency = 100;
    settings.anchor.frame = SUP_ANCHOR_FIXED;
    equip(world, handle, &settings);
    take_steps(world, 240);
    /* All but those beside pins, which are far away by now. */
    int32_t rows = supi_tears_rows(body->blueprint), far = 0;
    for (int32_t r = rows; r < rows + supi_tear_of(body)->torn; r++) {
        const sup_row* x = world->now.x + body->row + r;
        const sup_vec3* rest = supi_tear_of(body)->rest + r;
        far += fabsf(x->x - rest->x) + fabsf(x->z - rest->z) > 0.05f;
    }
    assert_true(4 * far < supi_tear_of(body)->torn);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_moves_both_alike),
        cmocka_unit_test(wind_takes_torn_pieces),
        cmocka_unit_test(wind_on_cut_cloth_is_all_of_it),
        cmocka_unit_test(faces_follow_the_cuts),
        cmocka_unit_test(solids_on_cut_cloth_are_as_stiff),
        cmocka_unit_test(balloons_burst),
        cmocka_unit_test(anchors_hold_torn_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
