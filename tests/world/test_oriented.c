/* Bodies of oriented particles in a world: they keep their momenta, hang, fall and rest, and are
   saved, undone and put back like any other. */
#include "world/yard.h"

#include "supple/snapshot.h"
#include "world/oriented.h"

static const block_def CHAIN = {{12, 1, 1}, 0.1, 0.05, 1.0, 0, false, false};
static const block_def CUBE = {{4, 4, 4}, 0.1, 0.05, 0.1, 0, true, false};
static const block_def RIGID = {{3, 2, 4}, 0.1, 0.05, 0.1, 0, false, true};
static const block_def HELD = {{12, 1, 1}, 0.1, 0.05, 1.0, 1, false, false};

static sup_world* make_still_world(int32_t substeps) {
    sup_world_def def = sup_world_default();
    def.gravity[1] = 0.0;
    def.sleep_speed = 0.0;
    def.substeps = substeps;
    return make_world(&def);
}

/* Random velocities and spins. */
static void shake(sup_world* world, sup_body body, uint32_t seed) {
    dice d = {seed};
    swarm s = read_swarm(world, body);
    sup_vec3* spins = calloc((size_t)s.count, sizeof *spins);
    for (int32_t i = 0; i < s.count; i++) {
        s.v[i] = (sup_vec3){(float)dice_roll(&d), (float)dice_roll(&d), (float)dice_roll(&d)};
        spins[i] = (sup_vec3){(float)dice_roll(&d), (float)dice_roll(&d), (float)dice_roll(&d)};
    }
    assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
    assert_int_equal(sup_body_write_turns(world, body, NULL, spins, NULL), SUP_OK);
    free(spins);
    free_swarm(&s);
}

static double apart(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void free_bodies_keep_their_momenta(void** state) {
    (void)state;
    const block_def* kinds[] = {&CHAIN, &CUBE, &RIGID};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sup_world* world = make_still_world(8);
        sup_body_def def = sup_body_default();
        def.frames.damping = def.frames.turn_damping = 0.0;
        sup_body body = add_oriented(world, make_block(kinds[i]), &def);
        shake(world, body, 7);
        take_steps(world, 1);
        sup_measures before = sup_world_measure(world);
        take_steps(world, 300);
        sup_measures after = sup_world_measure(world);
        const double none[3] = {0, 0, 0};
        assert_below(apart(after.momentum, before.momentum), 1e-5 * apart(before.momentum, none));
        assert_below(apart(after.angular_momentum, before.angular_momentum),
                     3e-4 * apart(before.angular_momentum, none));
        assert_below(after.kinetic, 1.001 * before.kinetic);
        assert_int_equal(mishap_count(world), 0);
        sup_world_destroy(world);
    }
}

/* All that the next step reads comes back: two worlds go on alike. */
static void snapshots_go_on_with_the_same_bits(void** state) {
    (void)state;
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    sup_bytes bytes;
    add_floor(world);
    def.position[1] = 1.0;
    sup_body held = add_oriented(world, make_block(&HELD), &def);
    def.position[1] = 0.5;
    def.position[2] = 1.0;
    add_oriented(world, make_block(&CUBE), &def);
    def.position[2] = 2.0;
    def.angular_velocity[0] = 3.0;
    add_oriented(world, make_block(&RIGID), &def);
    const sup_quat quarter = {0.70710678f, 0, 0, 0.70710678f};
    take_steps(world, 20);
    assert_ok(sup_body_turn_pins(world, held, &quarter, &error), error);
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    take_steps(world, 30);
    take_steps(other, 30);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

static void workers_and_instruction_sets_give_the_same_bits(void** state) {
    (void)state;
    uint64_t first = 0;
    for (int run = 0; run < 6; run++) {
        sup_world_def settings = sup_world_default();
        settings.threads = run % 2 ? 4 : 1;
        settings.simd = run / 2 == 0   ? SUP_SIMD_SCALAR
                        : run / 2 == 1 ? SUP_SIMD_SSE2
                                       : SUP_SIMD_AUTO;
        sup_world* world = make_world(&settings);
        add_floor(world);
        sup_body_def def = sup_body_default();
        for (int i = 0; i < 12; i++) {
            def.position[0] = 0.7 * (i % 4);
            def.position[1] = 0.3 + 0.5 * (i / 4);
            add_oriented(world, make_block(i % 3 ? &CUBE : &RIGID), &def);
        }
        take_steps(world, 60);
        if (run == 0) first = sup_world_hash(world);
        assert_true(sup_world_hash(world) == first);
        sup_world_destroy(world);
    }
}

/* A pin that is turned leads the rod that hangs on it. */
static void pins_turn_what_hangs_on_them(void** state) {
    (void)state;
    sup_world* world = make_still_world(8);
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    def.frames.stiffness = 400.0;
    sup_body body = add_oriented(world, make_block(&HELD), &def);
    const sup_quat quarter = {0.70710678f, 0, 0, 0.70710678f};
    assert_ok(sup_body_turn_pins(world, body, &quarter, &error), error);
    take_steps(world, 60 * 10);
    sup_quat turns[12];
    assert_int_equal(sup_body_read_turns(world, body, turns, NULL), SUP_OK);
    assert_true(fabs((double)turns[0].x - 0.70710678) < 1e-6);
    assert_true(fabs((double)turns[11].x - 0.70710678) < 2e-3);
    sup_world_destroy(world);
}

static void broken_turns_are_put_back(void** state) {
    (void)state;
    const float poisons[] = {NAN, INFINITY, 1e30f};
    for (int k = 0; k < 6; k++) {
        sup_world* world = make_wakeful_world();
        add_floor(world);
        sup_body_def def = sup_body_default();
        def.position[1] = 0.3;
        sup_body body = add_oriented(world, make_block(&CUBE), &def);
        take_steps(world, 30);
        supi_body* inside = supi_world_body(world, body);
        if (k < 3)
            world->now.turn[inside->turn + 5].y = poisons[k];
        else
            world->now.spin[inside->turn + 5].y = poisons[k - 3];
        take_steps(world, 30);
        assert_below(top_speed_of(world, body), 5.0);
        sup_world_destroy(world);
    }
}

static void what_cannot_be_is_refused(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    sup_body body;
    def.blueprint = make_block(&CUBE);
    def.locked = SUP_AXIS_Z;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "links or parts"));
    def.locked = 0;
    def.frames.stiffness = -1;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "frames.stiffness"));
    def.frames.stiffness = 400;
    assert_ok(sup_body_create(world, &def, &body, &error), error);
    assert_int_equal(sup_body_set_blueprint(world, body, def.blueprint, &error), SUP_OK);
    sup_blueprint* baked;
    assert_int_equal(sup_body_bake(world, body, &baked, &error), SUP_BAD_ARGUMENT);
    const sup_quat none = {0, 0, 0, 0};
    sup_quat all[64];
    for (int i = 0; i < 64; i++) all[i] = none;
    assert_int_equal(sup_body_write_turns(world, body, all, NULL, &error), SUP_BAD_ARGUMENT);
    sup_blueprint_release(def.blueprint);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_bodies_keep_their_momenta),
        cmocka_unit_test(snapshots_go_on_with_the_same_bits),
        cmocka_unit_test(workers_and_instruction_sets_give_the_same_bits),
        cmocka_unit_test(pins_turn_what_hangs_on_them),
        cmocka_unit_test(broken_turns_are_put_back),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
