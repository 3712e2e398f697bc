/* Cloth in a world that is cut where it bends: it hangs as cloth does that is fine everywhere,
   keeps its momentum, forgets nothing over a snapshot or a failed step, and lets nobody hold a
   point that is not there. */
#include "allocators.h"
#include "supple/snapshot.h"
#include "supple/weave.h"
#include "world/springs.h"

/* All but explicit Euler, which gains energy. */
static const sup_integrator steady[] = {
    SUP_INTEGRATOR_IMPLICIT,        SUP_INTEGRATOR_SYMPLECTIC, SUP_INTEGRATOR_VELOCITY_VERLET,
    SUP_INTEGRATOR_POSITION_VERLET, SUP_INTEGRATOR_MIDPOINT,   SUP_INTEGRATOR_RK4};
enum { STEADY = sizeof steady / sizeof *steady };

/* A square of 1 m; pins by particle. */
static sup_blueprint* sheet_of(int32_t cells, int32_t levels, const int32_t* pins, int32_t count) {
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = cells + 1;
    grid.levels = levels;
    sup_web web;
    sup_error error = {0};
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.pins = pins;
    def.pin_count = count;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(&web);
    return print;
}

static sup_world* still_world(int32_t threads, sup_simd simd, bool heavy) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = 0.0;
    def.threads = threads;
    def.simd = simd;
    if (!heavy) def.gravity[1] = 0.0;
    return make_world(&def);
}

static sup_body add_sheet(sup_world* world, sup_blueprint* print, sup_integrator integrator,
                          bool adaptive) {
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.integrator = integrator;
    def.springs.adaptive = adaptive;
    def.springs.drag = 1.0;
    return add_body(world, &def);
}

static sup_spring_measures springs_of(const sup_world* world, sup_body body) {
    sup_spring_measures m;
    assert_int_equal(sup_body_measure_springs(world, body, &m), SUP_OK);
    return m;
}

/* Hangs a sheet by opposite corners, so that it folds; where its middle and its lowest point are.
 */
static sup_spring_measures hang(int32_t cells, int32_t levels, sup_integrator integrator,
                                int32_t steps, double heights[2]) {
    int32_t side = (cells << levels) + 1;
    const int32_t pins[2] = {0, side * side - 1};
    sup_blueprint* print = sheet_of(cells, levels, pins, 2);
    sup_world* world = still_world(1, SUP_SIMD_AUTO, true);
    sup_body body = add_sheet(world, print, integrator, true);
    for (int32_t i = 0; i < steps; i++) {
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 0);
    }
    swarm s = read_swarm(world, body);
    heights[0] = s.x[side * side / 2].y;
    heights[1] = 0.0;
    for (int32_t i = 0; i < s.count; i++) heights[1] = fmin(heights[1], s.x[i].y);
    sup_spring_measures m = springs_of(world, body);
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return m;
}

static void sheets_hang_as_fine_ones(void** state) {
    (void)state;
    int32_t cells = 5, steps = short_tests() ? 60 : 180, last = long_tests() ? STEADY : 2;
    double fine[2], found[2];
    sup_spring_measures whole = hang(4 * cells, 0, SUP_INTEGRATOR_IMPLICIT, steps, fine);
    assert_int_equal(whole.active, 21 * 21);
    for (int k = 0; k < last; k++) {
        sup_spring_measures m = hang(cells, 2, steady[k], steps, found);
        assert_in_range(m.level, 1, 2);
        assert_in_range(m.active, 37, 21 * 21 - 40);
        if (short_tests()) continue;
        assert_true(fabs(found[0] - fine[0]) < 0.05);
        assert_true(fabs(found[1] - fine[1]) < 0.05);
    }
}

/* One step of h for each cut, half as long: fine as long as that is short enough. */
static void lessons_shorten_their_step(void** state) {
    (void)state;
    const int32_t pins[2] = {0, 16};
    sup_blueprint* print = sheet_of(4, 2, pins, 2);
    sup_world_def def = sup_world_default();
    def.substeps = 32;
    sup_world* world = make_world(&def);
    sup_body body = add_sheet(world, print, SUP_INTEGRATOR_SYMPLECTIC, false);
    take_steps(world, 1);
    assert_int_equal(springs_of(world, body).steps, 32);
    for (int32_t i = 0; i < 60; i++) {
        int32_t level = springs_of(world, body).level;
        take_steps(world, 1);
        assert_int_equal(springs_of(world, body).steps, 32 << level);
        assert_int_equal(mishap_count(world), 0);
    }
    assert_true(springs_of(world, body).level > 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Folded at a line and let go: nothing pulls from outside while cells come and go. */
static void momentum_stays(void** state) {
    (void)state;
    for (int k = 0; k < STEADY; k++) {
        sup_blueprint* print = sheet_of(4, 2, NULL, 0);
        sup_world* world = still_world(1, SUP_SIMD_AUTO, false);
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.integrator = steady[k];
        def.springs.drag = 0.0;
        def.springs.tolerance = 1e-5;
        def.springs.iterations = 500;
        sup_body body = add_body(world, &def);
        swarm s = read_swarm(world, body);
        for (int32_t i = 0; i < s.count; i++) {
            s.x[i].y += 0.5 * fabs(s.x[i].x);
            s.v[i] = (sup_vec3){0.2f, (float)s.x[i].z, 0.1f};
        }
        assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
        free_swarm(&s);
        sup_measures before = sup_world_measure(world);
        int32_t least = 5 * 5, most = 0;
        for (int32_t i = 0; i < (short_tests() ? 20 : 60); i++) {
            take_steps(world, 1);
            int32_t active = springs_of(world, body).active;
            most = active > most ? active : most;
        }
        sup_measures after = sup_world_measure(world);
        assert_true(most > least);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(after.momentum[c] - before.momentum[c]) < 2e-5);
        }
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* Thrown over a ball it is fine there, and coarse again where it has become flat. */
static void balls_are_covered(void** state) {
    (void)state;
    sup_blueprint* print = sheet_of(10, 2, NULL, 0);
    sup_world* world = still_world(2, SUP_SIMD_AUTO, true);
    sup_collider_def ball = sup_collider_default();
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.radius = 0.2;
    ball.position[1] = -0.25;
    add_collider(world, &ball);
    sup_body body = add_sheet(world, print, SUP_INTEGRATOR_AUTO, true);
    take_steps(world, short_tests() ? 20 : 60);
    assert_true(springs_of(world, body).active > 130);
    assert_int_equal(mishap_count(world), 0);
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        double above = s.x[i].y + 0.25, r = sqrt(s.x[i].x * s.x[i].x + s.x[i].z * s.x[i].z);
        assert_true(hypot(above, r) > 0.17);
    }
    free_swarm(&s);
    assert_int_equal(sup_body_reset(world, body), SUP_OK);
    assert_int_equal(springs_of(world, body).active, 121);
    assert_int_equal(springs_of(world, body).level, 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- The same bits ---- */

static uint64_t hash_of(sup_integrator integrator, int32_t threads, sup_simd simd, int32_t cells) {
    const int32_t pins[2] = {3, (cells << 2)}; /* the first is no corner of a coarse cell */
    sup_blueprint* print = sheet_of(cells, 2, pins, 2);
    sup_world* world = still_world(threads, simd, true);
    sup_body body = add_sheet(world, print, integrator, true);
    take_steps(world, short_tests() ? 6 : 12);
    assert_true(springs_of(world, body).level > 0);
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return hash;
}

static void threads_and_kernels_change_nothing(void** state) {
    (void)state;
    int32_t cells = short_tests() ? 12 : 16;
    for (int k = 0; k < 2; k++) {
        uint64_t hash = hash_of(steady[k], 1, SUP_SIMD_AUTO, cells);
        assert_true(hash_of(steady[k], 8, SUP_SIMD_AUTO, cells) == hash);
        if (every_copy()) assert_true(hash_of(steady[k], 1, SUP_SIMD_SCALAR, cells) == hash);
    }
}

static void snapshots_hold_the_cuts(void** state) {
    (void)state;
    const int32_t pins[2] = {3, 16};
    for (int k = 0; k < STEADY; k++) {
        sup_blueprint* print = sheet_of(4, 2, pins, 2);
        sup_world *world = still_world(1, SUP_SIMD_AUTO, true), *other = make_world(NULL);
        sup_body body = add_sheet(world, print, steady[k], true);
        take_steps(world, 21);
        assert_true(springs_of(world, body).active > 30);
        sup_bytes bytes = {0};
        sup_error error = {0};
        assert_ok(sup_world_save(world, &bytes, &error), error);
        assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        take_steps(world, 17);
        take_steps(other, 17);
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        sup_bytes_free(&bytes);
        sup_world_destroy(world);
        sup_world_destroy(other);
        sup_blueprint_release(print);
    }
}

/* ---- Memory ---- */

/* Cells change without a call for memory. */
static void changes_need_no_memory(void** state) {
    (void)state;
    const int32_t pins[2] = {0, 24};
    sup_blueprint* print = sheet_of(6, 2, pins, 2);
    test_allocator counter = {0};
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&def);
    sup_body body = add_sheet(world, print, SUP_INTEGRATOR_AUTO, true);
    take_steps(world, 3);
    int32_t active = springs_of(world, body).active;
    test_allocator_arm(&counter, 0, false);
    take_steps(world, 60);
    assert_true(springs_of(world, body).active > active);
    assert_int_equal(counter.calls, 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* A step that fails after a new attachment had cells cut takes that back. */
static void failed_steps_join_again(void** state) {
    (void)state;
    sup_blueprint *print = sheet_of(4, 2, NULL, 0),
                  *ball = ball_of(0.1, 2, sup_blueprint_default());
    test_allocator counter = {0};
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    sup_world* world = make_world(&def);
    sup_body body = add_sheet(world, print, SUP_INTEGRATOR_AUTO, true);
    sup_body_def falling = body_at(ball, 0, 0.05, 0);
    add_body(world, &falling);
    sup_attachment_def held = sup_attachment_default();
    held.body = body;
    held.particle = 1;
    sup_error error = {0};
    assert_ok(sup_attachment_create(world, &held, NULL, &error), error);
    uint64_t before = sup_world_hash(world);
    test_allocator_arm(&counter, 1, true);
    assert_int_equal(sup_world_step(world, 1.0 / 60.0), SUP_NO_MEMORY);
    assert_true(sup_world_hash(world) == before);
    assert_int_equal(springs_of(world, body).active, 25);
    test_allocator_arm(&counter, 0, false);
    take_steps(world, 30);
    assert_true(springs_of(world, body).active > 25);
    swarm s = read_swarm(world, body);
    assert_true(fabs(s.x[1].y) < 0.01 && s.x[288].y < -0.1);
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_blueprint_release(ball);
}

/* ---- Refusals ---- */

static void assert_refused(const sup_blueprint_def* def, const char* words) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void what_is_no_grid_is_refused(void** state) {
    (void)state;
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = 3;
    grid.levels = 1;
    sup_web web;
    sup_error error = {0};
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    assert_int_equal(web.point_count, 25);
    const sup_blueprint_def good = sup_web_blueprint(&web);
    sup_blueprint_def def = good;
    def.refine.levels = 2;
    assert_refused(&def, "refinement is for grids: one of 2 x 2 cells with 2 levels has 81");
    def = good;
    def.refine.levels = 5;
    assert_refused(&def, "refine.levels");
    def = good;
    def.refine.cells[0] = 0;
    assert_refused(&def, "refine.cells[0]");
    def = good;
    def.layout = SUP_CLUSTERS_WHOLE;
    assert_refused(&def, "springs alone");
    def = good;
    def.tears = true;
    assert_refused(&def, "cloth that tears cannot be refined");
    def = good;
    web.surface.points[7].y += 0.1f;
    assert_refused(&def, "particle 7 is not where its grid has it");
    web.surface.points[7].y -= 0.1f;
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&good, &print, &error), error);
    assert_int_equal(sup_blueprint_get_info(print).refine_levels, 1);
    sup_world* world = make_world(NULL);
    sup_body body;
    sup_body_def at = body_at(print, 0, 0, 0);
    at.springs.refine_angle = 50;
    assert_int_equal(sup_body_create(world, &at, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "springs.refine_angle"));
    at.springs = sup_spring_settings_default();
    at.springs.yield.strain = 0.1;
    assert_int_equal(sup_body_create(world, &at, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "springs.yield"));
    grid.levels = 5;
    sup_web none;
    assert_int_equal(sup_weave_grid(NULL, &grid, &none, &error), SUP_BAD_ARGUMENT);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_web_free(&web);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(sheets_hang_as_fine_ones),
        cmocka_unit_test(lessons_shorten_their_step),
        cmocka_unit_test(balls_are_covered),
        cmocka_unit_test(threads_and_kernels_change_nothing),
        cmocka_unit_test(snapshots_hold_the_cuts),
        cmocka_unit_test(changes_need_no_memory),
        cmocka_unit_test(failed_steps_join_again),
        cmocka_unit_test(what_is_no_grid_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
