/* Solids thrown at each other so fast that they would be past each other after one substep. */
#include "world/tets.h"
#include "world/world.h"

typedef struct flight {
    double order;  /* m, how far the first is still before the second along x, at least */
    double drift;  /* change of momentum over the sum of m |v| */
    double gained; /* kinetic energy at most over that at the start */
    double haste;  /* the most that was told */
    bool met;
} flight;

static flight throw_cubes(double speed, double beside, sup_overlap_mode mode, int32_t threads,
                          uint64_t* hash) {
    sup_world* world = make_world(0, 4, threads);
    sup_body bodies[2];
    flight out = {.order = 10};
    double at[2][3], v[2][3];
    int32_t meetings;
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1;
        placing p = place(side * 1.03, 0.5 * side * beside, 0);
        p.v[0] = -side * speed;
        p.overlap.mode = mode;
        bodies[i] = add(world, make_print(make_block(2, 2, 2, 0.2, 0.2, 0.2), false), &p);
    }
    sup_measures before = sup_world_measure(world), after = before;
    double sum = 0, size = 2 * before.kinetic / speed;
    for (int s = 0; s < (int)(60 * (2 / speed + 0.25)); s++) {
        step(world);
        after = sup_world_measure(world);
        sup_world_meetings(world, &meetings);
        out.met = out.met || meetings > 0;
        out.gained = fmax(out.gained, after.kinetic / before.kinetic);
        out.haste = fmax(out.haste, after.haste);
        for (int i = 0; i < 2; i++) read_middle(world, bodies[i], at[i], v[i]);
        out.order = fmin(out.order, at[1][0] - at[0][0]);
    }
    for (int j = 0; j < 3; j++) sum += pow(after.momentum[j] - before.momentum[j], 2);
    out.drift = sqrt(sum) / size;
    *hash = sup_world_hash(world);
    sup_world_destroy(world);
    return out;
}

/* In a substep each goes 0.08 to 1.25 m; they are 0.2 m wide. */
static void cubes_stop_each_other(void** state) {
    (void)state;
    static const double speeds[] = {20, 60, 130, 300}, besides[] = {0, 0.06, 0.13};
    for (int k = 0; k < 12; k++) {
        uint64_t hash[2];
        double speed = speeds[k / 3], beside = besides[k % 3];
        flight f = throw_cubes(speed, beside, SUP_OVERLAP_DEPTH, 1, &hash[0]);
        flight other = throw_cubes(speed, beside, SUP_OVERLAP_DEPTH, 8, &hash[1]);
        print_message(
            "%3.0f m/s, %.2f m beside: %.3f m before each other, momentum %.1e, energy %.2f\n",
            speed, beside, f.order, f.drift, f.gained);
        assert_true(hash[0] == hash[1] && other.order == f.order);
        assert_true(f.met);
        assert_true(f.order > 0 || beside > 0.1); /* which may turn them past each other */
        assert_true(f.drift < 1e-5);
        assert_true(f.gained < 1.01);
        flight spheres = throw_cubes(speed, beside, SUP_OVERLAP_SPHERES, 1, &hash[0]);
        if (speed > 100) assert_true(spheres.order < -1); /* so it is without */
    }
}

/* They come nearer by speed / 120 in a substep, and are 0.2 m thick. */
static void haste_is_told(void** state) {
    (void)state;
    uint64_t hash;
    for (int k = 0; k < 3; k++) {
        double speed = k == 0 ? 1 : k == 1 ? 3 : 60, wanted = speed / 120 / 0.1;
        flight f = throw_cubes(speed, 0, SUP_OVERLAP_DEPTH, 1, &hash);
        print_message("%2.0f m/s: haste %.3f of %.3f\n", speed, f.haste, wanted);
        assert_true(f.met && fabs(f.haste - wanted) < 0.1 * wanted);
    }
    assert_true(throw_cubes(60, 0.21, SUP_OVERLAP_DEPTH, 1, &hash).haste == 0);
}

/* Who passes by goes on. */
static void who_misses_is_left_alone(void** state) {
    (void)state;
    uint64_t hash;
    flight f = throw_cubes(130, 0.21, SUP_OVERLAP_DEPTH, 1, &hash);
    assert_true(!f.met && f.order < -1 && f.drift < 1e-6);
}

/* A plate that nothing moves, half as thick as the cube and a tenth of its way. It slides on where
   there is no friction. */
static void a_plate_holds(void** state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        int fast = k % 3;
        bool smooth = k < 3;
        sup_world* world = make_world(0, 4, 1);
        placing plate = place(0, 0, 0), cube = place(1, 0.1, 0.05);
        double at[3], v[3];
        cube.v[0] = -(fast == 0 ? 30 : fast == 1 ? 120 : 240);
        cube.v[1] = 2;
        add(world, make_print(make_block(1, 8, 8, 0.1, 0.8, 0.8), true), &plate);
        sup_body body = add(world, make_print(make_block(2, 2, 2, 0.2, 0.2, 0.2), false), &cube);
        sup_material material = sup_body_default().material;
        material.friction_static = smooth ? 0 : 0.5;
        material.friction_kinetic = smooth ? 0 : 0.4;
        assert_ok(sup_body_set_material(world, body, &material, &error_));
        for (int s = 0; s < 12; s++) {
            step(world);
            read_middle(world, body, at, v);
            assert_true(at[0] > 0.05);
        }
        print_message("%3.0f m/s, %s: %.2f m/s along the plate\n", -cube.v[0],
                      smooth ? "smooth" : "rough", v[1]);
        assert_true(smooth ? fabs(v[1] - 2) < 1.5 : fabs(v[1]) < 1);
        sup_world_destroy(world);
    }
}

/* What is struck is as fast at once, and meets what is behind it. */
static void the_struck_do_not_pass_walls(void** state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        sup_world* world = make_world(0, 4, 1);
        double gap = 0.05 + 0.1 * (k % 4), at[3], v[3];
        placing hammer = place(-0.6, 0, 0), struck = place(0, 0, 0);
        hammer.v[0] = k < 4 ? 60 : k < 8 ? 120 : 240;
        add(world, make_heavy(make_block(2, 2, 2, 0.2, 0.2, 0.2), false, 12500), &hammer);
        sup_body body =
            add(world, make_heavy(make_block(2, 2, 2, 0.2, 0.2, 0.2), false, 12.5), &struck);
        sup_collider_def wall = sup_collider_default();
        wall.kind = SUP_COLLIDER_BOX;
        wall.half_size[0] = 0.02;
        wall.half_size[1] = wall.half_size[2] = 2;
        wall.position[0] = 0.1 + gap + 0.02;
        sup_collider collider;
        assert_ok(sup_collider_create(world, &wall, &collider, &error_));
        step(world);
        read_middle(world, body, at, v);
        assert_true(at[0] < wall.position[0]);
        sup_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_stop_each_other), cmocka_unit_test(haste_is_told),
        cmocka_unit_test(who_misses_is_left_alone), cmocka_unit_test(a_plate_holds),
        cmocka_unit_test(the_struck_do_not_pass_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
