/* Clay in worlds: blows leave dents as deep as they go, near the hit alone; momentum stays; dents
   are saved, undone and taken out. */
#include "world/yard.h"

#include "allocators.h"
#include "contact/tet_bodies.h"
#include "supple/snapshot.h"
#include "world/knead.h"

#include <math.h>
#include <string.h>

#define SIDE 0.6
#define THICK 0.1
#define CELLS 24
#define HAMMER 0.08
#define LIFT 0.002 /* what the floor keeps away */
#define MASS 20.0
#define BALL_MASS 2.1
#define AREA (2 * SIDE * SIDE + 4 * SIDE * THICK)
#define STRENGTH 1500.0
/* m that a blow of a substep of 1/240 s moves the surface and is borne */
#define GIVE (STRENGTH * AREA / MASS / 240 / 240)
#define MOST 4000

typedef struct yard {
    sup_world* world;
    sup_body plate;
    sup_collider hammer;
    int32_t count;
} yard;

static sup_blueprint* plate_of(void) {
    sup_mesh mesh;
    const double size[3] = {SIDE, THICK, SIDE};
    const int32_t cells[3] = {CELLS, 4, CELLS};
    assert_int_equal(sup_mesh_box(NULL, size, cells, &mesh, NULL), SUP_OK);
    sup_blueprint_def def = sup_blueprint_default();
    def.mass = MASS;
    return blueprint_of(&mesh, def);
}

static sup_body_def rigid_body(sup_blueprint* print, double x, double y, double z) {
    sup_body_def def = body_at(print, x, y, z);
    def.material.rule = SUP_STIFFNESS_RIGID;
    return def;
}

static sup_clay_settings settings_of(int32_t reach) {
    sup_clay_settings s = sup_clay_settings_default();
    s.strength = STRENGTH;
    s.reach = reach;
    return s;
}

/* A plate of clay on a floor, and a hammer above it. */
static yard make_yard(const sup_world_def* def, int32_t reach) {
    yard y = {.world = make_world(def)};
    sup_error error;
    sup_blueprint* print = plate_of();
    sup_body_def body = rigid_body(print, 0, 0.5 * THICK + LIFT, 0);
    y.plate = add_body(y.world, &body);
    sup_blueprint_info info = sup_blueprint_get_info(print);
    y.count = info.particle_count;
    assert_true(y.count <= MOST);
    sup_blueprint_release(print);
    add_floor(y.world);
    sup_collider_def ball = sup_collider_default();
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.radius = HAMMER;
    ball.thickness = 0.0;
    ball.position[1] = 1.0;
    y.hammer = add_collider(y.world, &ball);
    sup_clay_settings s = settings_of(reach);
    assert_ok(sup_body_set_clay(y.world, y.plate, &s, &error), error);
    return y;
}

static void lift(const yard* y, double x, double above, double z) {
    const double at[3] = {x, LIFT + THICK + HAMMER + above, z}, turn[4] = {0, 0, 0, 1};
    assert_int_equal(sup_collider_move(y->world, y->hammer, at, turn, NULL), SUP_OK);
}

/* Step `i` of a blow of 12 steps. */
static void aim(const yard* y, int32_t i, double x, double z, double depth) {
    double up = i < 6 ? (5 - i) / 5.0 : (i - 5) / 6.0;
    lift(y, x, up * 0.1 - (1.0 - up) * depth, z);
}

/* A blow as deep as `depth`, after the plate has come to lie. */
static void strike(const yard* y, double x, double z, double depth) {
    for (int32_t i = 0; i < 12; i++) {
        aim(y, i, x, z, depth);
        assert_int_equal(sup_world_step(y->world, FRAME), SUP_OK);
    }
}

static double deepest_of(const yard* y) {
    static sup_vec3 moved[MOST];
    double most = 0.0;
    assert_int_equal(sup_body_read_dents(y->world, y->plate, moved), SUP_OK);
    for (int32_t i = 0; i < y->count; i++) {
        if (-(double)moved[i].y > most) most = -(double)moved[i].y;
    }
    return most;
}

/* The hammer comes to `depth` below the surface, and so does the dent, but for what gives. */
static void dents_are_as_deep_as_the_blow(void** state) {
    (void)state;
    const double depths[] = {0.01, 0.02, 0.04};
    double deep[3];
    for (int k = 0; k < 3; k++) {
        yard y = make_yard(NULL, 12);
        take_steps(y.world, 30);
        strike(&y, 0, 0, depths[k]);
        deep[k] = deepest_of(&y);
        print_message("a blow of %g m leaves %g m\n", depths[k], deep[k]);
        take_steps(y.world, 60);
        assert_true(deepest_of(&y) == deep[k]); /* and stays */
        sup_measures measures;
        assert_int_equal(sup_body_measure(y.world, y.plate, &measures), SUP_OK);
        assert_true(measures.strain_largest < 1e-3); /* it is the shape that the body has */
        sup_world_destroy(y.world);
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(deep[k] - depths[k]) < 0.15 * depths[k] + GIVE);
}

/* Who lies and who is hit lightly keeps the shape, to the last bit. */
static void light_blows_leave_nothing(void** state) {
    (void)state;
    yard y = make_yard(NULL, 12);
    take_steps(y.world, 60);
    assert_true(deepest_of(&y) == 0.0);
    strike(&y, 0, 0, 0.5 * GIVE);
    assert_true(deepest_of(&y) == 0.0);
    strike(&y, 0, 0, 10 * GIVE);
    assert_true(deepest_of(&y) > 5 * GIVE);
    sup_world_destroy(y.world);
}

/* Nothing moves beyond `reach` edges from what was hit; with 0 only that, with each more of them
   more. */
static void far_points_stay(void** state) {
    (void)state;
    static sup_vec3 moved[MOST], rest[MOST];
    const double cell = SIDE / CELLS, depth = 0.02;
    int32_t near_before = 0;
    const int32_t reaches[] = {0, 1, 2, 4, 8, 1 << 20};
    for (int k = 0; k < 6; k++) {
        const int32_t reach = reaches[k];
        yard y = make_yard(NULL, reach);
        sup_point places[MOST];
        sup_body_read_particles(y.world, y.plate, places, NULL);
        for (int32_t i = 0; i < y.count; i++) {
            rest[i] = (sup_vec3){(float)places[i].x, (float)places[i].y, (float)places[i].z};
        }
        strike(&y, 0, 0, depth);
        assert_int_equal(sup_body_read_dents(y.world, y.plate, moved), SUP_OK);
        /* the circle of the hammer at that depth, and edges along both axes */
        double hit = sqrt(2 * HAMMER * depth) + cell, bound = hit + reach * cell;
        int32_t near = 0;
        for (int32_t i = 0; i < y.count; i++) {
            bool moves = moved[i].x != 0 || moved[i].y != 0 || moved[i].z != 0;
            double far = hypot((double)rest[i].x, (double)rest[i].z);
            near += moves;
            if (far > bound || (reach <= 8 && rest[i].y < 0.5f * (float)THICK)) assert_false(moves);
        }
        assert_true(near > near_before);
        near_before = near;
        sup_world_destroy(y.world);
    }
}

typedef struct crash {
    sup_measures before, after;
    double deepest; /* m */
} crash;

/* Of tetrahedra. */
static sup_blueprint* solid_ball_of(double radius, double mass) {
    sup_tets tets = make_ball(radius, 0.5 * radius);
    sup_mesh outside;
    sup_error error;
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = tets.point_count;
    def.points = tets.points;
    def.tets = tets.tets;
    def.tet_count = tets.tet_count;
    def.mass = mass;
    def.skin = SUP_SKIN_TETS;
    assert_ok(sup_tets_outside(NULL, &tets, &outside, &error), error);
    sup_blueprint* print = blueprint_of(&outside, def);
    sup_tets_free(&tets);
    return print;
}

/* A ball flies into a plate without weight. */
static crash crash_with(bool solid, int32_t substeps, double strength, double speed) {
    sup_world_def world_def = sup_world_default();
    world_def.gravity[1] = 0.0;
    world_def.substeps = substeps;
    sup_world* world = make_world(&world_def);
    sup_error error;
    sup_blueprint *plate = plate_of(), *ball = solid ? solid_ball_of(0.08, BALL_MASS)
                                                     : ball_of(0.08, 3, sup_blueprint_default());
    sup_body_def def = rigid_body(plate, 0, 0, 0);
    sup_body target = add_body(world, &def);
    def = rigid_body(ball, 0.05, 0.25, 0.03);
    def.velocity[1] = -speed;
    def.angular_velocity[0] = 2.0;
    add_body(world, &def);
    sup_clay_settings s = settings_of(12);
    s.strength = strength;
    assert_ok(sup_body_set_clay(world, target, &s, &error), error);
    crash c = {.before = sup_world_measure(world)};
    take_steps(world, 60);
    c.after = sup_world_measure(world);
    static sup_vec3 moved[MOST];
    sup_body_read_dents(world, target, moved);
    for (int32_t i = 0; i < sup_blueprint_get_info(plate).particle_count; i++) {
        c.deepest = fmax(c.deepest, -(double)moved[i].y);
    }
    sup_blueprint_release(plate);
    sup_blueprint_release(ball);
    sup_world_destroy(world);
    return c;
}

/* Momentum is as before, as far as the rounding of rigid bodies lets it (1e-4 to 9e-4 without clay,
   the more substeps the more), and energy is lost. */
static void momentum_stays(void** state) {
    (void)state;
    crash c = crash_with(false, 8, 1e4, 2.0);
    double scale = fabs(c.before.momentum[1]), turn = 0.25 * scale;
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(c.after.momentum[k] - c.before.momentum[k]) < 1e-3 * scale);
        assert_true(fabs(c.after.angular_momentum[k] - c.before.angular_momentum[k]) < 0.02 * turn);
    }
    print_message("kinetic energy %g J, then %g J, dent of %g m\n", c.before.kinetic,
                  c.after.kinetic, c.deepest);
    assert_true(c.after.kinetic < 0.9 * c.before.kinetic);
    assert_true(c.deepest > 0.001 && c.deepest < THICK);
}

/* A dent takes its volume times the strength in energy, of which a cap of the ball's depth has
   pi R d^2: the same for any substeps, deeper when faster, shallower when stronger. */
static void dents_take_energy(void** state) {
    (void)state;
    const double strengths[] = {1e4, 3e4, 1e4, 1e4}, speeds[] = {2, 2, 2, 3};
    const int32_t substeps[] = {8, 8, 16, 8};
    double deep[4];
    for (int k = 0; k < 4; k++) {
        crash c = crash_with(false, substeps[k], strengths[k], speeds[k]);
        double all =
            c.before.kinetic * MASS / (MASS + BALL_MASS); /* what a rigid meeting can take */
        double cap = sqrt(all / (strengths[k] * 3.14159 * 0.08));
        deep[k] = c.deepest;
        print_message("%d substeps, %g Pa, %g m/s: %g m; energy is that of %g m\n", substeps[k],
                      strengths[k], speeds[k], deep[k], cap);
        assert_true(deep[k] > 0.4 * cap && deep[k] < 1.6 * cap);
    }
    assert_true(deep[1] < deep[0] && deep[3] > deep[0]);
    assert_true(fabs(deep[2] - deep[0]) < 0.25 * deep[0]);
}

/* A ball of tetrahedra dents as another does, by its spheres and, where it is fast, by what stands
   in for tetrahedra of the clay. */
static void solids_dent(void** state) {
    (void)state;
    const double speeds[] = {1, 2, 3, 12};
    for (int k = 0; k < 4; k++) {
        const double speed = speeds[k];
        crash plain = crash_with(false, 8, 1e4, speed), c = crash_with(true, 8, 1e4, speed);
        double scale = fabs(c.before.momentum[1]);
        print_message("%g m/s: solid %g m, else %g m\n", speed, c.deepest, plain.deepest);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(c.after.momentum[i] - c.before.momentum[i]) < 1e-3 * scale);
        assert_true(c.after.kinetic < 0.9 * c.before.kinetic);
        assert_true(c.deepest > 0.5 * plain.deepest && c.deepest < 2 * plain.deepest);
    }
}

/* Equal blueprints change hands, and the old one goes: its bytes are no longer read. */
static void blueprints_change_hands(void** state) {
    (void)state;
    yard y = make_yard(NULL, 12), same = make_yard(NULL, 12);
    sup_error error;
    strike(&y, 0, 0, 0.02);
    strike(&same, 0, 0, 0.02);
    const sup_blueprint* old = y.world->bodies->blueprint;
    assert_true(y.world->bodies->knead->members.w != old->members.w);
    sup_blueprint* print = plate_of();
    assert_ok(sup_body_set_blueprint(y.world, y.plate, print, &error), error);
    sup_blueprint_release(print);
    assert_true(sup_world_hash(y.world) == sup_world_hash(same.world));
    strike(&y, 0.1, 0, 0.04);
    strike(&same, 0.1, 0, 0.04);
    assert_true(sup_world_hash(y.world) == sup_world_hash(same.world));
    sup_world_destroy(y.world);
    sup_world_destroy(same.world);
}

/* A step that takes the dents out, as one does of a body that is lost, and fails gives them back.
 */
static void failed_steps_give_dents_back(void** state) {
    (void)state;
    yard y = make_yard(NULL, 12);
    strike(&y, 0, 0, 0.02);
    uint64_t hash = sup_world_hash(y.world);
    supi_knead_keep(y.world->bodies);
    supi_knead_reset(y.world->bodies);
    assert_true(deepest_of(&y) == 0.0);
    supi_knead_restore(y.world->bodies);
    assert_true(deepest_of(&y) > 0.01 && sup_world_hash(y.world) == hash);
    sup_world_destroy(y.world);
}

/* What 40 steps with two blows end in; saved and restored after step `save_at` (-1: not). */
static uint64_t run_of(int32_t threads, sup_simd simd, int32_t save_at) {
    sup_world_def def = sup_world_default();
    def.threads = threads;
    def.simd = simd;
    yard y = make_yard(&def, 12);
    sup_error error;
    for (int32_t i = 0; i < 40; i++) {
        bool second = i >= 20;
        aim(&y, second ? i - 20 : i, second ? 0.1 : -0.1, 0.05, 0.03);
        if (i == save_at) {
            sup_bytes bytes;
            assert_ok(sup_world_save(y.world, &bytes, &error), error);
            sup_world_destroy(y.world);
            y.world = make_world(&def);
            assert_ok(sup_world_restore(y.world, bytes.data, bytes.size, &error), error);
            sup_bytes again;
            assert_ok(sup_world_save(y.world, &again, &error), error);
            assert_int_equal(again.size, bytes.size);
            assert_memory_equal(again.data, bytes.data, bytes.size);
            sup_clay_settings s;
            assert_true(sup_body_get_clay(y.world, y.plate, &s));
            assert_true(s.strength == STRENGTH && isinf(s.rate) && s.reach == 12);
            sup_bytes_free(&bytes);
            sup_bytes_free(&again);
        }
        assert_int_equal(sup_world_step(y.world, FRAME), SUP_OK);
    }
    uint64_t hash = sup_world_hash(y.world);
    assert_true(deepest_of(&y) > 0.02);
    sup_world_destroy(y.world);
    return hash;
}

static void bits_are_the_same(void** state) {
    (void)state;
    uint64_t hash = run_of(1, SUP_SIMD_AUTO, -1);
    assert_true(run_of(8, SUP_SIMD_AUTO, -1) == hash);
    assert_true(run_of(1, SUP_SIMD_SCALAR, -1) == hash);
    for (int32_t at = 3; at < 40; at += 9) assert_true(run_of(1, SUP_SIMD_AUTO, at) == hash);
}

/* Snapshots whose dents or settings cannot be are refused, and nothing has changed. */
static void damaged_snapshots_are_refused(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        yard y = make_yard(NULL, 12), other = make_yard(NULL, 12);
        sup_error error;
        sup_bytes bytes;
        strike(&y, 0, 0, 0.02);
        struct supi_knead* k = y.world->bodies->knead;
        if (i == 1) k->rest[7].x = NAN;
        if (i == 2) k->rest[7].x = 1e9f;
        if (i == 3) k->settings.reach = -1;
        if (i == 4) k->settings.strength = -1.0;
        if (i == 5) k->settings.rate = 0.0;
        assert_ok(sup_world_save(y.world, &bytes, &error), error);
        uint64_t hash = sup_world_hash(other.world);
        sup_result result = sup_world_restore(other.world, bytes.data, bytes.size, &error);
        assert_int_equal(result, i == 0 ? SUP_OK : SUP_BAD_FILE);
        assert_true((sup_world_hash(other.world) == hash) == (i > 0));
        sup_bytes_free(&bytes);
        sup_world_destroy(y.world);
        sup_world_destroy(other.world);
    }
}

/* Steps that run out of memory change nothing; a warm step takes none. */
static void failing_memory(void** state) {
    (void)state;
    test_allocator counter;
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    yard y = make_yard(&def, 12);
    int32_t failed = 0;
    for (int32_t i = 0; i < 24; i++) {
        for (int32_t n = 1;; n++) {
            aim(&y, i % 12, 0, 0, i < 12 ? 0.02 : 0.04);
            uint64_t before = sup_world_hash(y.world);
            test_allocator_arm(&counter, n, true);
            sup_result result = sup_world_step(y.world, FRAME);
            if (result == SUP_OK) break;
            assert_int_equal(result, SUP_NO_MEMORY);
            assert_true(sup_world_hash(y.world) == before);
            failed++;
        }
    }
    test_allocator_arm(&counter, 0, false);
    assert_true(failed > 10);
    uint64_t hash = sup_world_hash(y.world);
    yard other = make_yard(NULL, 12);
    strike(&other, 0, 0, 0.02);
    strike(&other, 0, 0, 0.04);
    assert_true(sup_world_hash(other.world) == hash);
    sup_world_destroy(other.world);
    assert_int_equal(sup_body_reset(y.world, y.plate), SUP_OK);
    assert_true(deepest_of(&y) == 0.0);
    test_allocator_arm(&counter, 0, false);
    strike(&y, 0, 0, 0.02);
    strike(&y, 0, 0, 0.04);
    assert_int_equal((int)atomic_load(&counter.calls), 0);
    assert_true(deepest_of(&y) > 0.03);
    sup_error error;
    sup_clay_settings s = settings_of(3);
    assert_ok(sup_body_set_clay(y.world, y.plate, NULL, &error), error);
    hash = sup_world_hash(y.world);
    for (int32_t n = 1;; n++) { /* becoming clay: all or nothing */
        test_allocator_arm(&counter, n, true);
        sup_result result = sup_body_set_clay(y.world, y.plate, &s, &error);
        test_allocator_arm(&counter, 0, false);
        if (result == SUP_OK) break;
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_true(sup_world_hash(y.world) == hash && n < 1000);
    }
    sup_world_destroy(y.world);
    assert_int_equal((int)atomic_load(&counter.blocks), 0);
}

static void assert_refused(sup_world* world, sup_blueprint* print, sup_clay_settings s) {
    sup_error error = {0};
    sup_body_def def = rigid_body(print, 0, 2, 0);
    sup_body body = add_body(world, &def);
    assert_int_equal(sup_body_set_clay(world, body, &s, &error), SUP_BAD_ARGUMENT);
    assert_true(error.text[0] != 0 && !sup_body_get_clay(world, body, &s));
    assert_int_equal(sup_body_destroy(world, body), SUP_OK);
}

static void what_cannot_be_is_refused(void** state) {
    (void)state;
    yard y = make_yard(NULL, 12);
    sup_error error;
    sup_blueprint *plain = ball_of(0.1, 2, sup_blueprint_default()),
                  *parts = ball_of(0.1, 2, in_cubes(0.04, 0.1));
    sup_blueprint_def full = sup_blueprint_default();
    full.fill = 0.05;
    sup_blueprint* filled = ball_of(0.1, 2, full);
    const sup_clay_settings good = settings_of(12);
    assert_refused(y.world, filled, good); /* particles inside */
    sup_blueprint_release(filled);
    assert_refused(y.world, parts, good); /* several clusters */
    sup_clay_settings s = good;
    s.strength = -1.0;
    assert_refused(y.world, plain, s);
    s = good;
    s.rate = 0.0;
    assert_refused(y.world, plain, s);
    s = good;
    s.transfer = 1.5;
    assert_refused(y.world, plain, s);
    s = good;
    s.reach = -1;
    assert_refused(y.world, plain, s);
    s.reach = (1 << 20) + 1;
    assert_refused(y.world, plain, s);
    const sup_material usual = sup_body_default().material;
    sup_material material = usual;
    material.mode = SUP_MATCH_LINEAR;
    assert_int_equal(sup_body_set_material(y.world, y.plate, &material, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_set_mode(y.world, y.plate, SUP_MATCH_LINEAR, &error),
                     SUP_BAD_ARGUMENT);
    material = usual;
    material.plastic.on = true;
    assert_int_equal(sup_body_set_material(y.world, y.plate, &material, &error), SUP_BAD_ARGUMENT);
    /* dents go with sup_body_reset_rest, and with the clay */
    strike(&y, 0, 0, 0.02);
    assert_true(deepest_of(&y) > 0.0);
    assert_int_equal(sup_body_reset_rest(y.world, y.plate), SUP_OK);
    assert_true(deepest_of(&y) == 0.0);
    strike(&y, 0, 0, 0.02);
    assert_true(deepest_of(&y) > 0.0);
    assert_ok(sup_body_set_clay(y.world, y.plate, NULL, &error), error);
    assert_true(deepest_of(&y) == 0.0);
    strike(&y, 0, 0, 0.02);
    assert_true(deepest_of(&y) == 0.0);
    assert_int_equal(sup_body_destroy(y.world, y.plate), SUP_OK);
    assert_int_equal(sup_body_set_clay(y.world, y.plate, &good, &error), SUP_STALE);
    sup_blueprint_release(plain);
    sup_blueprint_release(parts);
    sup_world_destroy(y.world);
}

/* A slow material keeps less of a short blow than of a long one. */
static void slow_clay_creeps(void** state) {
    (void)state;
    double deep[2];
    for (int k = 0; k < 2; k++) {
        yard y = make_yard(NULL, 12);
        sup_error error;
        sup_clay_settings s = settings_of(12);
        s.rate = 5.0;
        assert_ok(sup_body_set_clay(y.world, y.plate, &s, &error), error);
        for (int32_t i = 0; i < (k ? 30 : 2); i++) {
            lift(&y, 0, -0.02, 0);
            assert_int_equal(sup_world_step(y.world, FRAME), SUP_OK);
        }
        deep[k] = deepest_of(&y);
        sup_world_destroy(y.world);
    }
    print_message("short %g m, long %g m\n", deep[0], deep[1]);
    assert_true(deep[0] > 0.0 && deep[1] > 1.5 * deep[0] && deep[1] < 0.025);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dents_are_as_deep_as_the_blow),
        cmocka_unit_test(light_blows_leave_nothing),
        cmocka_unit_test(far_points_stay),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(dents_take_energy),
        cmocka_unit_test(solids_dent),
        cmocka_unit_test(blueprints_change_hands),
        cmocka_unit_test(failed_steps_give_dents_back),
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(damaged_snapshots_are_refused),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(slow_clay_creeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
