/* Bodies of springs in a world: all integrators hang right, nothing depends on threads, kernels or
   pauses for a snapshot, and what cannot be is refused with words. */
#include "allocators.h"
#include "supple/snapshot.h"
#include "world/springs.h"

static sup_body hang(sup_world* world, sup_blueprint* print, sup_integrator integrator,
                     bool adaptive) {
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.integrator = integrator;
    def.springs.adaptive = adaptive;
    def.springs.drag = 0.0;
    return add_body(world, &def);
}

/* ---- Statics ---- */

/* Ten masses of 0.1 kg under a pin: each spring carries what hangs below it, 0.05396 m in all. */
static void chains_hang_as_they_should(void** state) {
    (void)state;
    const double stretched = 0.1 * 9.81 / 1000.0 * 55.0;
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            sup_blueprint* print = chain_of(11, 0.1, 0.1, 1000.0, 0.5);
            sup_world* world = quiet_world(10, 1, SUP_SIMD_AUTO);
            sup_body body = hang(world, print, integrator_at(k), adaptive);
            for (int i = 0; i < 1000; i++) {
                assert_int_equal(sup_world_step(world, 0.01), SUP_OK);
                assert_int_equal(mishap_count(world), 0);
            }
            swarm s = read_swarm(world, body);
            double extension = -s.x[10].y - 1.0;
            if (!(fabs(extension - stretched) < 0.01 * stretched)) {
                fail_msg("integrator %d%s: %g m instead of %g m", (int)integrator_at(k),
                         adaptive ? ", adaptive" : "", extension, stretched);
            }
            free_swarm(&s);
            sup_world_destroy(world);
            sup_blueprint_release(print);
        }
    }
}

/* A pin is immovable, and led it takes its chain along. */
static void pins_go_where_they_are_sent(void** state) {
    (void)state;
    for (int k = 0; k < INTEGRATORS; k++) {
        sup_blueprint* print = chain_of(5, 0.1, 0.1, 1000.0, 0.5);
        sup_world* world = quiet_world(8, 1, SUP_SIMD_AUTO);
        sup_body body = hang(world, print, integrator_at(k), true);
        sup_spring_settings slow = sup_spring_settings_default();
        slow.integrator = integrator_at(k);
        slow.drag = 2.0;
        assert_int_equal(sup_body_set_springs(world, body, &slow, NULL), SUP_OK);
        swarm s = read_swarm(world, body);
        for (int32_t i = 0; i < s.count; i++) s.v[i] = (sup_vec3){0, -1e3f, 0};
        assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
        free_swarm(&s);
        take_steps(world, 10);
        s = read_swarm(world, body);
        assert_true(s.x[0].x == 0.0 && s.x[0].y == 0.0 && s.x[0].z == 0.0);
        free_swarm(&s);
        for (int i = 1; i <= 60; i++) {
            const sup_point to = {0.5 * i / 60.0, 0, 0};
            assert_int_equal(sup_body_move_pins(world, body, &to, NULL), SUP_OK);
            take_steps(world, 1);
        }
        take_steps(world, 600);
        s = read_swarm(world, body);
        assert_true(fabs(s.x[0].x - 0.5) < 1e-6);
        assert_true(fabs(s.x[4].x - 0.5) < 0.05);
        free_swarm(&s);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* ---- The same bits ---- */

static uint64_t cloth_hash(sup_integrator integrator, int32_t threads, sup_simd simd, int32_t n,
                           int32_t steps) {
    cloth_def cloth = cloth_default(n);
    sup_blueprint* print = cloth_of(&cloth);
    sup_world* world = quiet_world(4, threads, simd);
    hang(world, print, integrator, true);
    take_steps(world, steps);
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return hash;
}

static void threads_and_kernels_change_nothing(void** state) {
    (void)state;
    int32_t n = short_tests() ? 45 : 70, steps = long_tests() ? 250 : short_tests() ? 2 : 12;
    for (int k = 0; k < 2; k++) {
        uint64_t hash = cloth_hash(integrator_at(k), 1, SUP_SIMD_AUTO, n, steps);
        assert_true(cloth_hash(integrator_at(k), 2, SUP_SIMD_AUTO, n, steps) == hash);
        assert_true(cloth_hash(integrator_at(k), 8, SUP_SIMD_AUTO, n, steps) == hash);
        if (!every_copy()) continue;
        if (sup_simd_available(SUP_SIMD_SSE2)) {
            assert_true(cloth_hash(integrator_at(k), 1, SUP_SIMD_SSE2, n, steps) == hash);
        }
        assert_true(cloth_hash(integrator_at(k), 1, SUP_SIMD_SCALAR, n, steps) == hash);
        if (!long_tests()) continue;
        hash = cloth_hash(integrator_at(k), 1, SUP_SIMD_AUTO, n, 1000);
        assert_true(cloth_hash(integrator_at(k), 8, SUP_SIMD_AUTO, n, 1000) == hash);
    }
}

/* After 1000 substeps, of the smallest cloth that is work for two: a piece has 1024 rows. */
static void a_thousand_steps_do_not_tell_threads(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int k = 0; k < 2; k++) {
        uint64_t hash = cloth_hash(integrator_at(k), 1, SUP_SIMD_AUTO, 33, 250);
        assert_true(cloth_hash(integrator_at(k), 8, SUP_SIMD_AUTO, 33, 250) == hash);
    }
}

/* A world that was saved and restored goes on as the one that was not. */
static void snapshots_hold_the_past(void** state) {
    (void)state;
    for (int k = 0; k < INTEGRATORS; k++) {
        cloth_def cloth = cloth_default(9);
        sup_blueprint* print = cloth_of(&cloth);
        sup_world *world = quiet_world(2, 1, SUP_SIMD_AUTO), *other = make_world(NULL);
        hang(world, print, integrator_at(k), true);
        take_steps(world, 9);
        sup_bytes bytes = {0};
        sup_error error = {0};
        assert_ok(sup_world_save(world, &bytes, &error), error);
        assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        take_steps(world, 9);
        take_steps(other, 9);
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        sup_bytes_free(&bytes);
        sup_world_destroy(world);
        sup_world_destroy(other);
        sup_blueprint_release(print);
    }
}

/* ---- Springs and clusters ---- */

/* Springs that the substeps of a body with clusters can carry. */
static cloth_def soft_cloth(void) {
    cloth_def cloth = cloth_default(9);
    cloth.layout = SUP_CLUSTERS_WHOLE;
    cloth.stretch = 100.0;
    cloth.shear = 50.0;
    cloth.bend = 5.0;
    return cloth;
}

/* Springs stiffen a body of clusters; momentum stays. */
static void springs_help_clusters(void** state) {
    (void)state;
    double sag[2];
    for (int with = 0; with < 2; with++) {
        cloth_def cloth = soft_cloth();
        if (!with) cloth.stretch = cloth.shear = cloth.bend = 0.0;
        sup_blueprint* print = cloth_of(&cloth);
        sup_world* world = quiet_world(8, 1, SUP_SIMD_AUTO);
        sup_body_def def = body_at(print, 0, 0, 0);
        def.material.stiffness = 8.0;
        sup_body body = add_body(world, &def);
        take_steps(world, 300);
        swarm s = read_swarm(world, body);
        sag[with] = -s.x[80].y;
        free_swarm(&s);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
    assert_true(sag[1] < 0.95 * sag[0]);
    assert_true(isfinite(sag[1]));
}

static void momentum_stays_beside_clusters(void** state) {
    (void)state;
    cloth_def cloth = soft_cloth();
    cloth.held = false;
    sup_blueprint* print = cloth_of(&cloth);
    sup_world_def def = sup_world_default();
    def.gravity[1] = 0.0;
    def.sleep_speed = 0.0;
    sup_world* world = make_world(&def);
    sup_body_def body_def = body_at(print, 0, 0, 0);
    body_def.springs.drag = 0.0;
    body_def.angular_velocity[1] = 2.0;
    sup_body body = add_body(world, &body_def);
    swarm s = read_swarm(world, body);
    dice d = {7};
    for (int32_t i = 0; i < s.count; i++) s.v[i].x += (float)(0.2 * dice_roll(&d));
    assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
    sup_measures before = sup_world_measure(world);
    take_steps(world, 240);
    sup_measures after = sup_world_measure(world);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1e-4);
        assert_true(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 1e-3);
    }
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Too stiff for the substep, and nothing shortens it: the event says how many it takes, and with
   these it is calm. */
static void stiff_springs_say_what_they_need(void** state) {
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        cloth_def cloth = cloth_default(9);
        if (beside) cloth.layout = SUP_CLUSTERS_WHOLE;
        sup_blueprint* print = cloth_of(&cloth);
        int32_t needs = 4;
        for (int round = 0; round < 2; round++) {
            sup_world* world = quiet_world(needs, 1, SUP_SIMD_AUTO);
            sup_body body = hang(world, print, SUP_INTEGRATOR_SYMPLECTIC, false);
            take_steps(world, 1);
            int32_t count;
            const sup_event* events = sup_world_events(world, &count);
            assert_int_equal(count, round == 0);
            if (round == 0) {
                assert_int_equal(events->kind, SUP_EVENT_STIFFNESS_SATURATED);
                needs = (int32_t)events->value;
                assert_in_range(needs, 5, 64);
            } else {
                take_steps(world, 120);
                assert_true(top_speed_of(world, body) < 20.0);
            }
            sup_world_destroy(world);
        }
        sup_blueprint_release(print);
    }
}

/* ---- Refusals ---- */

static sup_blueprint_def pair_def(const sup_vec3 points[3], const sup_spring* springs,
                                  int32_t count) {
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = 3;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = springs;
    def.spring_count = count;
    return def;
}

static void assert_refused(const sup_blueprint_def* def, const char* words) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void bad_springs_are_refused(void** state) {
    (void)state;
    const sup_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const sup_spring good = {0, 1, -1, 10, -1, SUP_SPRING_STRUCT, false};
    const float nan = NAN;
    const struct {
        sup_spring spring;
        const char* words;
    } bad[] = {
        {{0, 3, -1, 10, -1, 0, false}, "names particle 3, there are 3"},
        {{-1, 1, -1, 10, -1, 0, false}, "names particle -1"},
        {{1, 1, -1, 10, -1, 0, false}, "joins particle 1 with itself"},
        {{1, 2, -1, -1, -1, 0, false}, "particles 1 and 2, has a stiffness of -1"},
        {{1, 2, -1, nan, -1, 0, false}, "has a stiffness that is not finite"},
        {{1, 2, nan, 10, -1, 0, false}, "has a length that is not finite"},
        {{1, 2, -INFINITY, 10, -1, 0, false}, "has a length that is not finite"},
        {{1, 2, -1, 10, nan, 0, false}, "has a damping that is not finite"},
        {{1, 2, -1, 10, -1, 9, false}, "has a kind of 9"},
        {{1, 0, -1, 20, -1, 0, false}, "spring 1 is a duplicate of spring 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const sup_spring springs[2] = {good, bad[i].spring};
        sup_blueprint_def def = pair_def(points, springs, 2);
        assert_refused(&def, bad[i].words);
    }
    sup_blueprint_def none = pair_def(points, NULL, 0);
    assert_refused(&none, "give clusters, springs, links, parts or a spacing of soft substance");
    const float masses[3] = {1, 0, 1};
    sup_blueprint_def weightless = pair_def(points, &good, 1);
    weightless.masses = masses;
    assert_refused(&weightless, "particle 1 has zero mass");
    sup_blueprint_def skin = pair_def(points, &good, 1);
    skin.skin = SUP_SKIN_CLUSTERS;
    assert_refused(&skin, "springs alone have none");
}

static void bad_settings_are_refused(void** state) {
    (void)state;
    cloth_def cloth = cloth_default(5);
    cloth.layout = SUP_CLUSTERS_WHOLE;
    sup_blueprint* prints[2] = {chain_of(5, 0.1, 0.1, 1000.0, 0.5), cloth_of(&cloth)};
    sup_world* world = make_world(NULL);
    sup_error error = {0};
    sup_body body;
    for (int k = 0; k < INTEGRATORS; k++) { /* beside clusters, one only */
        sup_body_def def = body_at(prints[1], 0, 0, 0);
        def.springs.integrator = integrator_at(k);
        sup_result result = sup_body_create(world, &def, &body, &error);
        bool fine = integrator_at(k) == SUP_INTEGRATOR_SYMPLECTIC;
        assert_int_equal(result, fine ? SUP_OK : SUP_BAD_ARGUMENT);
        if (!fine) assert_non_null(strstr(error.text, "symplectic"));
    }
    sup_body_def def = body_at(prints[1], 0, 0, 0);
    def.material.scheme = SUP_SCHEME_P;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "scheme D or S"));
    def = body_at(prints[0], 0, 0, 0);
    def.springs.tolerance = 0.0;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "springs.tolerance"));
    def.springs = sup_spring_settings_default();
    def.springs.error_length = def.springs.error_strain = 0.0;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    sup_blueprint* ball = ball_of(0.2, 1, sup_blueprint_default());
    def = body_at(ball, 0, 1, 0);
    body = add_body(world, &def);
    assert_int_equal(sup_body_set_springs(world, body, &def.springs, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no springs"));
    sup_spring_measures measures;
    assert_int_equal(sup_body_measure_springs(world, body, &measures), SUP_BAD_ARGUMENT);
    sup_world_destroy(world);
    for (int k = 0; k < 2; k++) sup_blueprint_release(prints[k]);
    sup_blueprint_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_hang_as_they_should),
        cmocka_unit_test(pins_go_where_they_are_sent),
        cmocka_unit_test(threads_and_kernels_change_nothing),
        cmocka_unit_test(a_thousand_steps_do_not_tell_threads),
        cmocka_unit_test(snapshots_hold_the_past),
        cmocka_unit_test(springs_help_clusters),
        cmocka_unit_test(momentum_stays_beside_clusters),
        cmocka_unit_test(stiff_springs_say_what_they_need),
        cmocka_unit_test(bad_springs_are_refused),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
