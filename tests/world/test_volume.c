/* Goals of kept volume, and rest shapes that yield, put no energy into a body: also where clusters
   are flat and overlap, so that a stretch of the wide directions would cost more than the thin one
   gives back. */
#include "world/yard.h"

static double energy_of(const sup_world* world) {
    sup_measures m = sup_world_measure(world);
    return m.kinetic + m.potential + m.elastic;
}

static double most_energy(sup_world* world, int32_t steps) {
    double most = 0.0;
    for (int32_t i = 0; i < steps; i++) {
        take_steps(world, 1);
        double now = energy_of(world);
        most = now > most ? now : most;
    }
    return most;
}

/* A plate that lands on its edge, hardly damped. */
static void plates_do_not_drive_themselves(void** state) {
    (void)state;
    for (int mode = SUP_MATCH_LINEAR; mode <= SUP_MATCH_QUADRATIC; mode++) {
        sup_blueprint* print = box_of((double[3]){1.2, 0.12, 1.2}, 12, in_cubes(0, 0.6));
        sup_world* world = make_world(NULL);
        add_floor(world);
        sup_body_def def = body_at(print, 0, 1, 0);
        def.rotation[0] = 0.17, def.rotation[2] = 0.1;
        def.material.mode = (sup_match_mode)mode;
        def.material.beta = 0.8;
        def.material.stiffness = 60;
        def.material.damping = 0.05;
        add_body(world, &def);
        double start = energy_of(world), most = most_energy(world, 300);
        assert_below(most, 1.01 * start);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* The scheme without any damping, where the least push would add up. */
static void swings_stay_bounded(void** state) {
    (void)state;
    for (int mode = SUP_MATCH_LINEAR; mode <= SUP_MATCH_QUADRATIC; mode++) {
        sup_blueprint* print = box_of((double[3]){1, 0.3, 0.6}, 5, in_cubes(0.15, 0.4));
        sup_world* world = make_weightless_world();
        sup_body_def def = body_at(print, 0, 0, 0);
        def.material.mode = (sup_match_mode)mode;
        def.material.scheme = SUP_SCHEME_S;
        def.material.rule = SUP_STIFFNESS_RAW;
        def.material.stiffness = 0.5;
        sup_body body = add_body(world, &def);
        dice d = {7};
        swarm s = read_swarm(world, body);
        for (int32_t i = 0; i < s.count; i++) {
            s.x[i].x += 0.01 * (dice_roll(&d) - 0.5);
            s.x[i].y += 0.01 * (dice_roll(&d) - 0.5);
            s.x[i].z += 0.01 * (dice_roll(&d) - 0.5);
        }
        assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
        double first = most_energy(world, 100), later = most_energy(world, 2000);
        print_message("mode %d: %.4f\n", mode, later / first);
        assert_below(later, 1.25 * first);
        free_swarm(&s);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* A box that melts under its own weight only loses. */
static void what_melts_comes_to_rest(void** state) {
    (void)state;
    for (int mode = SUP_MATCH_RIGID; mode <= SUP_MATCH_QUADRATIC; mode++) {
        sup_blueprint* print = box_of((double[3]){1, 1, 1}, 6, in_cubes(0.17, 0.5));
        sup_world* world = make_world(NULL);
        add_floor(world);
        sup_body_def def = body_at(print, 0, 0.5, 0);
        def.material.mode = (sup_match_mode)mode;
        def.material.plastic = (sup_plasticity){.on = true,
                                                .yield = 0.02,
                                                .creep = 100,
                                                .limit = 2,
                                                .flow_power = 1,
                                                .flow_strain = 0.01,
                                                .flow_least = 1e-4};
        add_body(world, &def);
        double start = energy_of(world), most = most_energy(world, 150);
        assert_below(most, 1.02 * start);
        assert_below(sup_world_measure(world).kinetic, 0.02 * start);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_do_not_drive_themselves),
        cmocka_unit_test(swings_stay_bounded),
        cmocka_unit_test(what_melts_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
