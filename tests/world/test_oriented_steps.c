/* Steps of any length: a stiffness that substeps cannot carry pumps no energy into bodies of
   oriented particles. */
#include "world/yard.h"

#include "supple/snapshot.h"
#include "world/oriented.h"

static const block_def CHAIN = {{20, 1, 1}, 0.1, 0.05, 1.0, 0, false, false, false, 0};

static sup_body add_chain(sup_world* world, double stiffness) {
    sup_body_def def = sup_body_default();
    def.frames.stiffness = stiffness;
    def.frames.damping = def.frames.turn_damping = 0;
    def.frames.meets_itself = false;
    sup_body body = add_oriented(world, make_block(&CHAIN), &def);
    dice d = {5};
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        s.v[i] = (sup_vec3){(float)dice_roll(&d), (float)dice_roll(&d), (float)dice_roll(&d)};
    }
    assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
    free_swarm(&s);
    return body;
}

static sup_world* make_free_world(int32_t substeps) {
    sup_world_def def = sup_world_default();
    def.gravity[1] = 0;
    def.sleep_speed = 0;
    def.substeps = substeps;
    return make_world(&def);
}

/* The step to come: anything between 1/240 and 1/30 s. */
static double any_step(dice* d) {
    double share = 0.5 * (dice_roll(d) + 1);
    return 1 / (30 + 210 * share);
}

static void varying_steps_pump_no_energy(void** state) {
    (void)state;
    sup_world* world = make_free_world(1);
    add_chain(world, 1000);
    dice d = {11};
    double start = sup_world_measure(world).kinetic, most = 0;
    for (int32_t i = 0; i < 600; i++) {
        assert_int_equal(sup_world_step(world, any_step(&d)), SUP_OK);
        most = fmax(most, sup_world_measure(world).kinetic);
    }
    print_message("kinetic energy: %.2f J, at most %.2f J later\n", start, most);
    assert_true(most < start);
    sup_world_destroy(world);
}

/* What it remembers of long steps is saved along. */
static void snapshots_remember_long_steps(void** state) {
    (void)state;
    sup_world *world = make_free_world(2), *again = make_free_world(2);
    sup_error error = {0};
    sup_bytes bytes;
    add_chain(world, 1000);
    assert_int_equal(sup_world_step(world, 0.1), SUP_OK);
    assert_int_equal(sup_world_step(world, 0.01), SUP_OK);
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(again, bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(sup_world_step(world, 0.01), SUP_OK);
        assert_int_equal(sup_world_step(again, 0.01), SUP_OK);
        assert_true(sup_world_hash(world) == sup_world_hash(again));
    }
    sup_world_destroy(world);
    sup_world_destroy(again);
}

/* Of a chain that is held at one end, after a first step of this length: how low the other is in
   the end. */
static double tip_after(double first_step) {
    static const block_def HELD = {{12, 1, 1}, 0.1, 0.05, 1.0, 1, false, false, false, 0};
    sup_world_def world_def = sup_world_default();
    world_def.substeps = 8;
    sup_world* world = make_world(&world_def);
    sup_body_def def = sup_body_default();
    def.frames.stiffness = 400;
    def.frames.damping = def.frames.turn_damping = 3;
    sup_body body = add_oriented(world, make_block(&HELD), &def);
    assert_int_equal(sup_world_step(world, first_step), SUP_OK);
    take_steps(world, 900);
    swarm s = read_swarm(world, body);
    double tip = s.x[s.count - 1].y;
    free_swarm(&s);
    sup_world_destroy(world);
    return tip;
}

static void long_steps_are_forgotten(void** state) {
    (void)state;
    double calm = tip_after(1.0 / 60), hitch = tip_after(0.2);
    assert_true(calm < -0.5);
    assert_true(fabs(hitch - calm) < 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varying_steps_pump_no_energy),
        cmocka_unit_test(snapshots_remember_long_steps),
        cmocka_unit_test(long_steps_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
