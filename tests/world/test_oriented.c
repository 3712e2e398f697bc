/* Bodies of oriented particles in a world: they keep their momenta, hang, fall and rest, and are
   saved, undone and put back like any other. */
#include "world/yard.h"

#include "base/hash.h"
#include "supple/fit.h"
#include "supple/snapshot.h"
#include "world/oriented.h"

#include <stdio.h>

static const block_def CHAIN = {{12, 1, 1}, 0.1, 0.05, 1.0, 0, false, false, false, 0};
static const block_def CUBE = {{4, 4, 4}, 0.1, 0.05, 0.1, 0, true, false, false, 0};
static const block_def RIGID = {{3, 2, 4}, 0.1, 0.05, 0.1, 0, false, true, false, 0};
static const block_def HELD = {{12, 1, 1}, 0.1, 0.05, 1.0, 1, false, false, false, 0};

static sup_world* make_still_world(int32_t substeps) {
    sup_world_def def = sup_world_default();
    def.gravity[1] = 0.0;
    def.sleep_speed = 0.0;
    def.substeps = substeps;
    return make_world(&def);
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

static void snapshots_go_on_with_the_same_bits(void** state) {
    (void)state;
    sup_world *world = make_wakeful_world(), *other = make_wakeful_world();
    sup_body_def def = sup_body_default();
    sup_error error = {0};
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
    check_snapshot(world, other);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

static void workers_and_instruction_sets_give_the_same_bits(void** state) {
    (void)state;
    uint64_t first = 0;
    for (int run = 0; run < (every_copy() ? 6 : 2); run++) {
        sup_world_def settings = sup_world_default();
        settings.threads = run % 2 ? 4 : 1;
        settings.simd = run / 2 == 0   ? SUP_SIMD_AUTO
                        : run / 2 == 1 ? SUP_SIMD_SSE2
                                       : SUP_SIMD_SCALAR;
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

/* Four workers of a host, who take turns. */
static void* enqueue(void* user, sup_task* task, void* context, int32_t count) {
    for (int32_t i = 0; i < count; i++) task(context, i, i % 4);
    return user;
}
static void finish(void* user, void* token) { assert_true(user == token); }

/* Forty bodies of one blueprint, one of them paused, and at will another kind between each two, so
   that nobody goes side by side with its like. The hash is of their particles alone. */
static uint64_t drop_many(bool apart, bool hosted, bool saved) {
    sup_world_def settings = sup_world_default();
    const sup_task_system host = {NULL, 4, enqueue, finish};
    if (hosted) settings.tasks = &host;
    sup_world *world = make_world(&settings), *other = make_world(&settings);
    sup_blueprint* print = make_block(&CUBE);
    sup_body bodies[40];
    sup_body_def def = sup_body_default();
    uint64_t hash = supi_hash_begin();
    add_floor(world);
    for (int i = 0; i < 40; i++) {
        def.position[0] = 2.0 * i;
        def.position[1] = 0.2;
        def.position[2] = 0.0;
        def.blueprint = print;
        bodies[i] = add_body(world, &def);
        shake(world, bodies[i], (uint32_t)i);
        def.position[2] = 5.0;
        if (apart) add_oriented(world, make_block(&CUBE), &def);
    }
    sup_blueprint_release(print);
    assert_int_equal(sup_body_set_paused(world, bodies[3], true), SUP_OK);
    take_steps(world, 20);
    assert_int_equal(sup_body_set_paused(world, bodies[3], false), SUP_OK);
    if (saved) {
        sup_bytes bytes;
        sup_error error = {0};
        assert_ok(sup_world_save(world, &bytes, &error), error);
        assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
        sup_bytes_free(&bytes);
    }
    sup_world* on = saved ? other : world;
    take_steps(on, 20);
    for (int i = 0; i < 40; i++) {
        swarm s = read_swarm(on, bodies[i]);
        hash = supi_hash_bytes(hash, (const uint8_t*)s.x, (size_t)s.count * sizeof *s.x);
        hash = supi_hash_bytes(hash, (const uint8_t*)s.v, (size_t)s.count * sizeof *s.v);
        free_swarm(&s);
    }
    sup_world_destroy(world);
    sup_world_destroy(other);
    return hash;
}

static void bodies_move_side_by_side_as_alone(void** state) {
    (void)state;
    uint64_t alone = drop_many(true, false, false);
    assert_true(drop_many(false, false, false) == alone);
    assert_true(drop_many(false, true, false) == alone);
    assert_true(drop_many(false, true, true) == alone); /* all workers find room after a restore */
}

/* How far particles of a car-like box are from where they were in it, of its size, after it has met
   a wall at this speed. */
static double dent_at(double speed, double yield, double* rebound) {
    const block_def car = {{5, 2, 4}, 0.5, 0.2, 25.0, 0, false, true, true, 1e-2};
    sup_world* world = make_still_world(8);
    sup_collider_def wall = sup_collider_default();
    wall.position[0] = 3.0;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5); /* its normal along -x */
    add_collider(world, &wall);
    sup_body_def def = sup_body_default();
    def.velocity[0] = speed;
    def.frames.plastic.speed = yield;
    sup_body body = add_oriented(world, make_block(&car), &def);
    swarm before = read_swarm(world, body);
    take_steps(world, 60);
    swarm after = read_swarm(world, body);
    double worst = 0.0;
    for (int32_t i = 0; i < before.count; i++) {
        for (int32_t k = 0; k < i; k++) {
            double was[3] = {(double)(before.x[i].x - before.x[k].x),
                             (double)(before.x[i].y - before.x[k].y),
                             (double)(before.x[i].z - before.x[k].z)};
            double is[3] = {(double)(after.x[i].x - after.x[k].x),
                            (double)(after.x[i].y - after.x[k].y),
                            (double)(after.x[i].z - after.x[k].z)};
            const double none[3] = {0, 0, 0};
            worst = fmax(worst, fabs(apart(was, none) - apart(is, none)) / 2.55);
        }
    }
    *rebound = -sup_world_measure(world).momentum[0] / (25.0 * 40);
    free_swarm(&before);
    free_swarm(&after);
    sup_world_destroy(world);
    return worst;
}

/* What counts is how fast the part comes in, not how fast its particles are pushed back into
   shape. */
static void parts_dent_when_they_are_hit_hard(void** state) {
    (void)state;
    double rebound;
    assert_below(dent_at(4.0, 5.0, &rebound), 1e-5);
    assert_true(rebound > -0.1 && rebound < 4.0);
    double dent = dent_at(10.0, 5.0, &rebound);
    if (getenv("SUPPLE_SHOW")) printf("dent %.3f of its size, rebound %.2f m/s\n", dent, rebound);
    assert_true(dent > 0.05);
    assert_true(rebound < 10.0);
    assert_below(dent_at(10.0, 0.0, &rebound), 1e-5); /* it never yields */
}

/* Two boxes of one body, each a part, meet a wall at 10 m/s; how much the shape of each has
   changed, of its size. */
static void dent_two(const sup_rig_plastic plastics[2], double dents[2]) {
    enum { BOX = 3 * 2 * 2, ALL = 2 * BOX };
    sup_vec3 points[ALL];
    float masses[ALL];
    int32_t ids[ALL], links = 0;
    sup_link list[ALL * ALL];
    const int32_t starts[3] = {0, BOX, ALL};
    for (int32_t i = 0; i < ALL; i++) {
        int32_t k = i % BOX;
        points[i] = (sup_vec3){0.5f * (float)(k % 3), 0.5f * (float)(k / 3 % 2),
                               0.5f * (float)(k / 6) + (i < BOX ? 0.0f : 4.0f)};
        masses[i] = 25;
        ids[i] = i;
        for (int32_t j = i < BOX ? 0 : BOX; j < i; j++) {
            sup_vec3 d = {points[i].x - points[j].x, points[i].y - points[j].y,
                          points[i].z - points[j].z};
            if (d.x * d.x + d.y * d.y + d.z * d.z > 0.3f) continue;
            list[links++] = (sup_link){j, i, -1, 1e-2f, 0, -1};
        }
    }
    sup_blueprint_def print = sup_blueprint_default();
    print.points = points;
    print.point_count = ALL;
    print.masses = masses;
    print.layout = SUP_CLUSTERS_NONE;
    print.radius = 0.2;
    print.links = list;
    print.link_count = links;
    print.part_count = 2;
    print.part_starts = starts;
    print.part_members = ids;
    print.parts_yield = true;
    print.part_plastics = plastics;
    sup_world* world = make_still_world(8);
    sup_collider_def wall = sup_collider_default();
    wall.position[0] = 2.0;
    wall.rotation[2] = wall.rotation[3] = sqrt(0.5); /* its normal along -x */
    add_collider(world, &wall);
    sup_body_def def = sup_body_default();
    def.velocity[0] = 10.0;
    sup_error error = {0};
    assert_ok(sup_blueprint_create(&print, &def.blueprint, &error), error);
    sup_body body = add_oriented(world, def.blueprint, &def);
    take_steps(world, 60);
    swarm after = read_swarm(world, body);
    dents[0] = dents[1] = 0;
    for (int32_t i = 0; i < ALL; i++) {
        for (int32_t j = i < BOX ? 0 : BOX; j < i; j++) {
            double was = sqrt(pow((double)(points[i].x - points[j].x), 2) +
                              pow((double)(points[i].y - points[j].y), 2) +
                              pow((double)(points[i].z - points[j].z), 2));
            double is = sqrt(pow((double)(after.x[i].x - after.x[j].x), 2) +
                             pow((double)(after.x[i].y - after.x[j].y), 2) +
                             pow((double)(after.x[i].z - after.x[j].z), 2));
            double* dent = &dents[i >= BOX];
            *dent = fmax(*dent, fabs(was - is) / 1.2);
        }
    }
    free_swarm(&after);
    sup_world_destroy(world);
}

/* Every part goes by its own plasticity, and where it has none by that of the body, which here
   never yields. */
static void parts_yield_each_by_its_own(void** state) {
    (void)state;
    sup_rig_plastic weak = sup_rig_plastic_default(), strong = weak, stiff = weak, none = {0};
    double d[2], soft;
    strong.speed = 20;
    stiff.stiffness = 200;
    dent_two((sup_rig_plastic[2]){weak, strong}, d);
    soft = d[0];
    assert_true(d[0] > 0.05 && d[1] < 1e-4);
    dent_two((sup_rig_plastic[2]){none, weak}, d);
    assert_true(d[0] < 1e-4 && d[1] > 0.05);
    dent_two((sup_rig_plastic[2]){stiff, none}, d);
    assert_true(d[0] < 0.8 * soft);
    weak.limit = 0.02f;
    dent_two((sup_rig_plastic[2]){weak, none}, d);
    assert_true(d[0] < 0.06);
}

/* Balls that fall through air come to the speed at which it carries them; water takes what is flat
   along as fast as it flows. */
static void air_resists_and_carries(void** state) {
    (void)state;
    const block_def ball = {{2, 1, 1}, 0.2, 0.1, 0.05, 0, false, false, false, 0};
    sup_world_def settings = sup_world_default();
    settings.wind = sup_wind_default();
    sup_world* world = make_world(&settings);
    sup_body_def def = sup_body_default();
    def.position[1] = 500.0;
    def.frames.damping = def.frames.air.along = 0.0;
    sup_body body = add_oriented(world, make_block(&ball), &def);
    take_steps(world, 600);
    swarm s = read_swarm(world, body);
    double wanted = sqrt(0.05 * 9.81 / (0.5 * 1.2 * 3.14159265 * 0.1 * 0.1));
    assert_true(fabs(-(double)s.v[0].y / wanted - 1.0) < 0.01);
    free_swarm(&s);
    settings.wind.density = 1000.0;
    settings.wind.velocity[0] = 2.0;
    assert_ok(sup_world_set_wind(world, &settings.wind, NULL), (sup_error){0});
    take_steps(world, 120);
    s = read_swarm(world, body);
    assert_true(fabs((double)s.v[0].x - 2.0) < 0.05);
    free_swarm(&s);
    sup_world_destroy(world);
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

/* How a body stands as a whole moves none of its particles, but the end of a step must know it: no
   more than the last substep behind them. */
static void bodies_know_how_they_stand(void** state) {
    (void)state;
    const double speed = 6.0;
    sup_world* world = make_still_world(8);
    sup_body_def def = sup_body_default();
    def.frames.damping = def.frames.turn_damping = 0.0;
    def.angular_velocity[2] = speed;
    sup_body body = add_oriented(world, make_block(&RIGID), &def);
    const supi_body* inside = supi_world_body(world, body);
    for (int n = 0; n < 20; n++) {
        sup_quat turns[24];
        take_steps(world, 1);
        assert_int_equal(sup_body_read_turns(world, body, turns, NULL), SUP_OK);
        const sup_quat *a = turns, *b = world->now.rotation + inside->cluster;
        double same = (double)(a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w);
        assert_below(2.0 * acos(fmin(fabs(same), 1.0)), 1.05 * speed / (8.0 * 60.0));
    }
    sup_world_destroy(world);
}

static int32_t restored_count(const sup_world* world) {
    int32_t count, restored = 0;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) restored += events[i].kind == SUP_EVENT_BODY_RESTORED;
    return restored;
}

/* Told once; then it stands where it last was well, turned as it was. */
static void broken_turns_are_put_back(void** state) {
    (void)state;
    const float poisons[] = {NAN, INFINITY, 1e30f};
    for (int k = 0; k < 6; k++) {
        sup_world* world = make_still_world(1);
        sup_body_def def = sup_body_default();
        def.angular_velocity[2] = 3.0;
        /* a spin that is merely absurd is cut in a part, and shows where links hold */
        sup_body body = add_oriented(world, make_block(k == 5 ? &CUBE : &RIGID), &def);
        supi_body* inside = supi_world_body(world, body);
        sup_quat good[2][64], turns[64];
        sup_vec3 spins[64];
        for (int n = 0; n < 2; n++) {
            take_steps(world, n ? 1 : 30);
            assert_int_equal(sup_body_read_turns(world, body, good[n], NULL), SUP_OK);
        }
        if (k < 3)
            world->now.turn[inside->turn + 5].y = poisons[k];
        else
            world->now.spin[inside->turn + 5].y = poisons[k - 3];
        take_steps(world, 1);
        assert_int_equal(restored_count(world), 1);
        assert_int_equal(sup_body_read_turns(world, body, turns, spins), SUP_OK);
        const sup_quat* last = good[k == 5]; /* what came in broken is a step behind */
        for (int i = 0; i < (k == 5 ? 64 : 24); i++) {
            const sup_quat *a = turns + i, *b = last + i;
            double same = (double)(a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w);
            assert_below(fabs((double)(a->z - b->z)), 1e-6);
            assert_true(same > 0.999999);
            assert_below(speed_of(spins + i), 1e-4);
        }
        assert_below(top_speed_of(world, body), 1e-4);
        take_steps(world, 30);
        assert_int_equal(restored_count(world), 0);
        assert_below(top_speed_of(world, body), 0.01);
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
        cmocka_unit_test(parts_dent_when_they_are_hit_hard),
        cmocka_unit_test(parts_yield_each_by_its_own),
        cmocka_unit_test(air_resists_and_carries),
        cmocka_unit_test(bodies_move_side_by_side_as_alone),
        cmocka_unit_test(pins_turn_what_hangs_on_them),
        cmocka_unit_test(bodies_know_how_they_stand),
        cmocka_unit_test(broken_turns_are_put_back),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
