/* What contacts do to oriented bodies: friction drives nothing, and old overlap becomes no speed.
 */
#include "world/yard.h"

#include "supple/scene.h"
#include "world/oriented.h"

#include <stdio.h>

static const block_def PAIR = {{2, 1, 1}, 0.1, 0.05, 1.0, 0, false, false, false, 0};
static const block_def BALL = {{1, 1, 1}, 0.1, 0.05, 1.0, 0, false, true, false, 0};
static const block_def SOFT = {{4, 4, 4}, 0.1, 0.05, 0.1, 0, true, false, false, 0};
static const block_def RIGID = {{3, 2, 4}, 0.1, 0.05, 0.1, 0, false, true, false, 0};

static sup_body_def undamped(double x, double y) {
    sup_body_def def = sup_body_default();
    def.frames.damping = def.frames.turn_damping = 0.0;
    def.position[0] = x;
    def.position[1] = y;
    return def;
}

/* Contacts move members of groups and do not turn them: a pair of balls that spins on its axle gets
   no speed out of that. */
static void friction_drives_nothing(void** state) {
    (void)state;
    sup_world_def settings = sup_world_default();
    settings.sleep_speed = 0.0;
    settings.substeps = 8;
    sup_world* world = make_world(&settings);
    add_floor(world);
    sup_body_def def = undamped(0, 0.052); /* on the floor, which is 2 mm thick */
    const sup_vec3 spins[2] = {{-20, 0, 0}, {-20, 0, 0}};
    sup_body body = add_oriented(world, make_block(&PAIR), &def);
    assert_int_equal(sup_body_write_turns(world, body, NULL, spins, NULL), SUP_OK);
    double energy = sup_world_measure(world).kinetic;
    assert_true(fabs(energy - 0.5 * 2 * 0.4 * 0.05 * 0.05 * 400) < 1e-3);
    for (int32_t i = 0; i < 120; i++) {
        take_steps(world, 1);
        double now = sup_world_measure(world).kinetic;
        assert_below(now, 1.001 * energy);
        energy = now;
    }
    sup_world_destroy(world);
}

/* Nobody pulls any more after 4 s, and nothing is damped: strands that rub on each other stay as
   calm as they are. They had 7 J when friction answered spins that it did not change. */
static void a_taut_knot_gains_nothing(void** state) {
    (void)state;
    char path[512];
    sup_scene* scene;
    sup_error error = {0};
    snprintf(path, sizeof path, "%s/scenes/knot.json", getenv("SUPPLE_SOURCE"));
    assert_ok(sup_scene_load(NULL, path, &scene, &error), error);
    sup_world* world = sup_scene_world(scene);
    sup_body rope = sup_scene_get_body(scene, 0, NULL);
    sup_frame_settings loose = sup_frame_settings_default();
    loose.stiffness = 60.0;
    loose.damping = loose.turn_damping = 0.0;
    assert_ok(sup_body_set_frames(world, rope, &loose, &error), error);
    double most = 0;
    for (int32_t frame = 1; frame <= 480; frame++) {
        assert_ok(sup_scene_drive(scene, frame < 241 ? frame : 241, &error), error);
        take_steps(world, 1);
        if (frame >= 240) most = fmax(most, sup_world_measure(world).kinetic);
    }
    if (getenv("SUPPLE_SHOW")) printf("at most %.3f J after the pull\n", most);
    assert_below(most, 0.5);
    sup_scene_free(scene);
}

/* The fastest that anything of the body becomes within a second, and how deep it still is then. */
static double thrown(sup_world* world, sup_body body, double* low) {
    double top = 0;
    for (int32_t i = 0; i < 60; i++) {
        take_steps(world, 1);
        top = fmax(top, top_speed_of(world, body));
    }
    swarm s = read_swarm(world, body);
    *low = 1e9;
    for (int32_t i = 0; i < s.count; i++) *low = fmin(*low, s.x[i].y);
    free_swarm(&s);
    return top;
}

static void old_overlap_becomes_no_speed(void** state) {
    (void)state;
    const block_def* kinds[] = {&BALL, &PAIR, &SOFT, &RIGID};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (int weightless = 0; weightless < 2; weightless++) {
            sup_world_def settings = sup_world_default();
            settings.sleep_speed = 0.0;
            if (weightless) settings.gravity[1] = 0.0;
            sup_world* world = make_world(&settings);
            add_floor(world);
            sup_body_def def = undamped(0, 0.052 - 0.1);
            sup_body body = add_oriented(world, make_block(kinds[i]), &def);
            double low, top = thrown(world, body, &low);
            print_message("kind %d, weightless %d: %.3f m/s, lowest at %.4f m\n", (int)i,
                          weightless, top, low);
            assert_below(top, 0.5);
            assert_true(low > 0.052 - 0.001);
            sup_world_destroy(world);
        }
    }
}

/* The same of two bodies, one in the other. */
static void bodies_within_each_other_part_slowly(void** state) {
    (void)state;
    const block_def* kinds[] = {&BALL, &SOFT, &RIGID};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sup_world_def settings = sup_world_default();
        settings.sleep_speed = 0.0;
        settings.gravity[1] = 0.0;
        sup_world* world = make_world(&settings);
        sup_body_def def = undamped(0, 0);
        sup_body lower = add_oriented(world, make_block(kinds[i]), &def);
        def = undamped(0.013, kinds[i]->size[1] * 0.1 - 0.07);
        add_oriented(world, make_block(kinds[i]), &def);
        double low, top = thrown(world, lower, &low);
        print_message("kind %d: %.3f m/s, overlap left %.4f m\n", (int)i, top,
                      sup_world_measure(world).deepest);
        assert_below(top, 0.5);
        sup_world_destroy(world);
    }
}

/* A ball that rolls at 1 m/s stops after 7 v^2 / (4 g mu): the moment of rolling friction is 2/5 mu
   N r, and it slows 7/5 m r^2 about the place of contact. */
static void rolling_friction_stops_a_ball(void** state) {
    (void)state;
    for (int still = 0; still < 2; still++) {
        sup_world_def settings = sup_world_default();
        settings.sleep_speed = 0.0;
        settings.substeps = 8;
        sup_world* world = make_world(&settings);
        add_floor(world);
        sup_body_def def = undamped(0, 0.052);
        def.velocity[0] = 1.0;
        def.frames.rolling_friction = still ? 0.0 : 0.2;
        sup_body ball = add_oriented(world, make_block(&BALL), &def);
        const sup_vec3 spin = {0, 0, -20};
        assert_int_equal(sup_body_write_turns(world, ball, NULL, &spin, NULL), SUP_OK);
        take_steps(world, 180);
        double x[3], v[3], stop = 7.0 / (4.0 * 9.81 * 0.2);
        centre_of(world, ball, x, v);
        if (still) {
            assert_true(fabs(v[0] - 1.0) < 1e-3);
        } else {
            assert_true(fabs(x[0] / stop - 1) < 0.02 && fabs(v[0]) < 1e-3);
        }
        sup_world_destroy(world);
    }
}

/* The paper's friction: a ball that slides keeps what `drag` leaves of its speed and rolls at once
   where turn_drag is 1. Forwards: with the wrong sign it would spin backwards. */
static void paper_friction_sticks(void** state) {
    (void)state;
    const double drags[] = {0.0, 0.3};
    for (int i = 0; i < 2; i++) {
        for (int substeps = 2; substeps <= 8; substeps *= 2) {
            sup_world_def settings = sup_world_default();
            settings.sleep_speed = 0.0;
            settings.substeps = substeps;
            sup_world* world = make_world(&settings);
            add_floor(world);
            sup_body_def def = undamped(0, 0.052);
            def.velocity[0] = 1.0;
            def.frames.friction = SUP_FRICTION_PAPER;
            def.frames.drag = drags[i];
            def.frames.turn_drag = 1.0;
            sup_body ball = add_oriented(world, make_block(&BALL), &def);
            take_steps(world, 6);
            double v[3], kept = pow(1 - drags[i], 6);
            sup_vec3 spin;
            centre_of(world, ball, NULL, v);
            assert_int_equal(sup_body_read_turns(world, ball, NULL, &spin), SUP_OK);
            assert_true(fabs(v[0] / kept - 1) < 0.01);
            assert_true(fabs(v[0] + 0.05 * (double)spin.z) < 1e-5 * v[0]);
            assert_true(spin.z < 0);
            sup_world_destroy(world);
        }
    }
}

static void what_cannot_roll_is_refused(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_error error = {0};
    sup_body_def def = undamped(0, 1);
    def.frames.rolling_friction = 0.1;
    def.blueprint = make_block(&PAIR);
    assert_int_equal(sup_body_create(world, &def, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "all are linked"));
    def.frames.rolling_friction = 3.0;
    assert_int_equal(sup_body_create(world, &def, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "frames.rolling_friction"));
    def.frames.rolling_friction = 0.0;
    def.frames.friction = (sup_friction_rule)7;
    assert_int_equal(sup_body_create(world, &def, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "rule of friction"));
    sup_blueprint_release(def.blueprint);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_drives_nothing),
        cmocka_unit_test(a_taut_knot_gains_nothing),
        cmocka_unit_test(old_overlap_becomes_no_speed),
        cmocka_unit_test(bodies_within_each_other_part_slowly),
        cmocka_unit_test(rolling_friction_stops_a_ball),
        cmocka_unit_test(paper_friction_sticks),
        cmocka_unit_test(what_cannot_roll_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
