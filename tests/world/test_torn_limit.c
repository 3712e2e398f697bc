/* Strain limits of surfaces that tear or are cut, and tearing by force: the limit holds the springs
   that are there, and what it bears counts as load. */
#include "allocators.h"
#include "sizes.h"
#include "supple/snapshot.h"
#include "world/tears.h"

static void equip(sup_world* world, sup_body body, const sup_spring_settings* settings) {
    sup_error error = {0};
    assert_ok(sup_body_set_springs(world, body, settings, &error), error);
}

/* ---- Tearing by force ---- */

enum { LONG = 11, WIDE = 3 };

/* A strip that hangs along x, of threads alone: each of them bears what hangs on it. */
static sup_blueprint* strip(void) {
    sup_weave_grid_def grid = sup_weave_grid_default();
    sup_web web;
    sup_error error = {0};
    int32_t pins[WIDE];
    grid.count[0] = LONG;
    grid.count[1] = WIDE;
    grid.sides[0] = 0.05 * (LONG - 1);
    grid.sides[1] = 0.05 * (WIDE - 1);
    grid.shear = grid.bend = 0.0;
    for (int32_t i = 0; i < WIDE; i++) pins[i] = i * LONG;
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.tears = true;
    def.spare = 1;
    def.pins = pins;
    def.pin_count = WIDE;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

/* The strip hangs still; then it may bear so much, N, or so much strain. How often it parts. */
static int32_t bear(double limit, double force, double strain) {
    sup_world_def def = sup_world_default();
    def.gravity[0] = 1000;
    def.gravity[1] = 0;
    def.sleep_speed = 0;
    sup_world* world = make_world(&def);
    sup_body body = add_sheet(world, strip(), 0.0);
    sup_spring_settings settings = sup_spring_settings_default();
    settings.drag = 10;
    settings.limit = limit;
    settings.tolerance = 1e-6;
    settings.iterations = 500;
    equip(world, body, &settings);
    take_steps(world, 300);
    if (limit > 0.0) {
        double most = measure_springs(world, body).most_strain;
        assert_true(most > 0.79 * limit && most < 1.05 * limit + 1e-3);
    }
    settings.tear_force = force;
    settings.tear = strain;
    equip(world, body, &settings);
    take_steps(world, 10);
    int32_t torn = measure_springs(world, body).torn;
    sup_world_destroy(world);
    return torn;
}

/* The thread in the middle bears half the weight of all that is not pinned, but for half a cell
   each of those beside it; with or without a limit. */
static void threads_bear_what_hangs_on_them(void** state) {
    (void)state;
    double weight = 0.2 * 1000 * 0.05 * (0.05 * (LONG - 1) - 0.025); /* N */
    const double limits[3] = {0, 0.02, 0.01};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(bear(limits[i], 1.05 * weight, 0.0), 0);
        assert_true(bear(limits[i], 0.95 * weight, 0.0) > 0);
        /* As strain that it would have, by 1000 N/m and 0.05 m: */
        assert_int_equal(bear(limits[i], 0.0, 1.05 * weight / 50), 0);
        assert_true(bear(limits[i], 0.0, 0.95 * weight / 50) > 0);
    }
}

/* ---- Limits of what tears ---- */

static const sheet_def PULLED = {24, 16, 0, false, true, true, 1.0};

/* As long as nothing tears, a limit holds a sheet that could as one that could not: to the last bit
   where springs are solved for; explicit forces are added up in another order. */
static void limits_hold_both_alike(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int k = 0; k < 2; k++) {
        swarm seen[2];
        sup_world* worlds[2];
        for (int i = 0; i < 2; i++) {
            sheet_def sheet = PULLED;
            sheet.tears = i == 1;
            worlds[i] = make_world(NULL);
            sup_body body = add_sheet(worlds[i], sheet_of(&sheet), 0.0);
            sup_spring_settings settings = sup_spring_settings_default();
            settings.limit = 0.02;
            settings.limit_kinds = SUP_LIMIT_STRUCT_SHEAR;
            settings.integrator = k == 0 ? SUP_INTEGRATOR_IMPLICIT : SUP_INTEGRATOR_SYMPLECTIC;
            equip(worlds[i], body, &settings);
            for (int step = 0; step < 20; step++) {
                pull_sheet(worlds[i], body, 0.002);
                take_steps(worlds[i], 1);
            }
            assert_true(measure_springs(worlds[i], body).most_strain > 0.015);
            seen[i] = read_swarm(worlds[i], body);
        }
        if (k == 0) assert_memory_equal(seen[0].x, seen[1].x, 24 * 16 * sizeof *seen[0].x);
        for (int i = 0; i < 24 * 16; i++) {
            assert_true(fabs(seen[0].x[i].x - seen[1].x[i].x) < 1e-5);
            assert_true(fabs(seen[0].x[i].y - seen[1].x[i].y) < 1e-5);
            assert_true(fabs(seen[0].x[i].z - seen[1].x[i].z) < 1e-5);
        }
        for (int i = 0; i < 2; i++) {
            free_swarm(seen + i);
            sup_world_destroy(worlds[i]);
        }
    }
}

/* A sheet whose springs get 3 % longer at most tears all the same, and what is left keeps to the
   limit; without a call for memory, and the same for all threads and kernels and over a snapshot.
 */
static uint64_t tear_limited(int32_t threads, sup_simd simd, bool saved) {
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    def.threads = threads;
    def.simd = simd;
    sup_world* world = make_world(&def);
    sheet_def sheet = PULLED;
    sheet.along = 40;
    sheet.across = 32; /* two blocks of a sweep */
    sup_body body = add_sheet(world, sheet_of(&sheet), 0.0);
    sup_spring_settings settings = sup_spring_settings_default();
    settings.limit = 0.03;
    settings.tear = 0.3;
    equip(world, body, &settings);
    take_steps(world, 3);
    test_allocator_arm(&counter, 0, false);
    for (int i = 0; i < 45; i++) {
        pull_sheet(world, body, 0.01);
        take_steps(world, 1);
        if (saved && i == 30) {
            sup_bytes bytes = {0};
            sup_error error = {0};
            assert_ok(sup_world_save(world, &bytes, &error), error);
            assert_ok(sup_world_restore(world, bytes.data, bytes.size, &error), error);
            sup_bytes_free(&bytes);
        }
        if (i % 10 == 0) check_sheet(world, body);
    }
    sup_spring_measures m = measure_springs(world, body);
    if (!saved) assert_int_equal(counter.calls, 0);
    print_message("%d parted, most strain %.4f\n", (int)m.torn, m.most_strain);
    assert_true(m.torn > 20 && m.most_strain < 0.06);
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    return hash;
}

static void limited_sheets_tear(void** state) {
    (void)state;
    uint64_t hash = tear_limited(1, SUP_SIMD_AUTO, false);
    assert_true(tear_limited(4, SUP_SIMD_AUTO, true) == hash);
    if (every_copy()) assert_true(tear_limited(4, SUP_SIMD_SCALAR, false) == hash);
}

/* Memory that is short when a limit is set changes nothing. */
static void setting_a_limit_fails_cleanly(void** state) {
    (void)state;
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&def);
    sup_body body = add_sheet(world, sheet_of(&PULLED), 0.2);
    sup_spring_settings settings = sup_spring_settings_default();
    settings.limit = 0.1;
    settings.tear = 0.3;
    uint64_t hash = sup_world_hash(world);
    sup_result result = SUP_NO_MEMORY;
    for (int n = 1; result != SUP_OK && n < 100; n++) {
        test_allocator_arm(&counter, n, false);
        result = sup_body_set_springs(world, body, &settings, NULL);
        assert_true(result == SUP_OK || result == SUP_NO_MEMORY);
        assert_true((sup_world_hash(world) == hash) == (result != SUP_OK));
    }
    assert_int_equal(result, SUP_OK);
    test_allocator_arm(&counter, 0, false);
    take_steps(world, 5);
    sup_world_destroy(world);
    assert_int_equal(atomic_load(&counter.blocks), 0);
}

/* ---- Limits of what is cut ---- */

static sup_blueprint* cut_sheet(int32_t cells, int32_t levels, double stretch, bool held) {
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = cells + 1;
    grid.levels = levels;
    grid.stretch = stretch;
    grid.shear = stretch / 2;
    grid.bend = stretch / 100;
    sup_web web;
    sup_error error = {0};
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    int32_t n = (cells << levels) + 1;
    const int32_t pins[2] = {0, n - 1};
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.pins = pins;
    def.pin_count = held ? 2 : 0;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

/* Soft cloth that is cut here and there hangs no further than its limit. */
static void cut_cloth_keeps_to_its_limit(void** state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        sup_blueprint* print = cut_sheet(8, 2, 20, true);
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.integrator = k < 2 ? SUP_INTEGRATOR_IMPLICIT : SUP_INTEGRATOR_SYMPLECTIC;
        def.springs.limit = k % 2 ? 0.1 : 0.0;
        def.springs.limit_sweeps = 60;
        def.springs.drag = 2;
        sup_body body = add_body(world, &def);
        take_steps(world, short_tests() ? 30 : 90);
        assert_int_equal(mishap_count(world), 0);
        sup_spring_measures m = measure_springs(world, body);
        const supi_refine* cuts = supi_world_body(world, body)->elastic->cuts;
        print_message("strain %.3f, excess %.4f, %d ties\n", m.most_strain, m.excess,
                      (int)cuts->tie_count);
        assert_true(cuts->tie_count > 0);
        if (k % 2)
            assert_true(m.most_strain < 0.11 && m.excess < 0.01);
        else
            assert_true(m.most_strain > 0.15);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* A blow to the middle of a free sheet, taut at once: neither the limit nor the ties move it as a
   whole. */
static void momentum_stays(void** state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        sup_blueprint* print = cut_sheet(6, 2, 50, false);
        sup_world* world = make_weightless_world();
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.integrator = k == 0 ? SUP_INTEGRATOR_IMPLICIT : SUP_INTEGRATOR_SYMPLECTIC;
        def.springs.limit = 0.01;
        def.springs.drag = 0.0;
        def.springs.tolerance = 1e-5;
        def.springs.iterations = 500;
        sup_body body = add_body(world, &def);
        swarm s = read_swarm(world, body);
        for (int32_t i = 0; i < s.count; i++) {
            double r2 = s.x[i].x * s.x[i].x + s.x[i].z * s.x[i].z;
            s.v[i] = (sup_vec3){0.2f, (float)(4 * exp(-20 * r2)), (float)s.x[i].x};
        }
        assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
        free_swarm(&s);
        sup_measures before = sup_world_measure(world);
        int32_t ties = 0;
        for (int i = 0; i < (short_tests() ? 16 : 40); i++) {
            take_steps(world, 1);
            ties += supi_world_body(world, body)->elastic->cuts->tie_count;
        }
        sup_measures after = sup_world_measure(world);
        assert_true(ties > 20);
        for (int c = 0; c < 3; c++) {
            print_message("%g ", after.momentum[c] - before.momentum[c]);
            assert_true(fabs(after.momentum[c] - before.momentum[c]) < 1e-4);
        }
        print_message("of %g kg m/s\n", before.momentum[1]);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_bear_what_hangs_on_them),
        cmocka_unit_test(limits_hold_both_alike),
        cmocka_unit_test(limited_sheets_tear),
        cmocka_unit_test(setting_a_limit_fails_cleanly),
        cmocka_unit_test(cut_cloth_keeps_to_its_limit),
        cmocka_unit_test(momentum_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
