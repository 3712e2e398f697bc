/* The same bits after every step, for every number of workers and every instruction set. */
#include "world/yard.h"

enum { STEPS = 60, KINDS = 6, SMALL = 28 };

static int32_t steps(void) { return short_tests() ? 24 : STEPS; }

/* Blueprints of several kinds; the last two are so large that all workers share one body. */
typedef struct recipes {
    sup_blueprint* prints[KINDS];
} recipes;

static recipes make_recipes(void) {
    const int32_t pins[2] = {0, 7};
    sup_blueprint_def pinned = in_cubes(0.1, 0.3);
    pinned.pins = pins;
    pinned.pin_count = 2;
    recipes r = {{
        ball_of(0.2, 1, sup_blueprint_default()),
        ball_of(0.2, 2, filled(0.08)),
        box_of((double[3]){0.3, 0.3, 0.3}, 4, in_cubes(0.1, 0.3)),
        ball_of(0.2, 1, pinned),
        ball_of(0.6, 5, sup_blueprint_default()),
        ball_of(0.6, 4, in_cubes(0.0, 0.3)),
    }};
    assert_true(sup_blueprint_get_info(r.prints[4]).membership_count > 8192);
    assert_true(sup_blueprint_get_info(r.prints[5]).membership_count > 8192);
    assert_true(sup_blueprint_get_info(r.prints[5]).cluster_count > 16);
    return r;
}

/* So that every knock leaves its mark. */
static void make_plastic(sup_material* material) {
    material->plastic.on = true;
    material->plastic.yield = 0.005;
    material->plastic.flow_time = 1.0;
}

/* Thirty bodies that fall onto each other, the two large ones at the bottom. */
static void add_pile(sup_world* world, const recipes* r) {
    sup_collider_def ball = sup_collider_default();
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.position[0] = 1.2;
    add_floor(world);
    add_collider(world, &ball);
    for (int i = 0; i < 2; i++) {
        sup_body_def def = body_at(r->prints[4 + i], 1.15 * i, 0.61, 0);
        make_plastic(&def.material);
        def.material.mode = i == 0 ? SUP_MATCH_QUADRATIC : SUP_MATCH_LINEAR;
        add_body(world, &def);
    }
    const sup_scheme schemes[] = {SUP_SCHEME_D, SUP_SCHEME_D, SUP_SCHEME_P, SUP_SCHEME_S};
    for (int i = 0; i < SMALL; i++) {
        sup_body_def def = body_at(r->prints[i % 4], 0.4 * (i % 4), 1.45 + 0.38 * (i / 8),
                                   0.4 * (i / 4 % 2) - 0.2 + 0.05 * (i % 3));
        def.velocity[1] = -2.0;
        def.angular_velocity[i % 3] = 2.0;
        def.material.scheme = schemes[i / 7];
        def.material.mode = (sup_match_mode)(i % (SUP_MATCH_QUADRATIC + 1));
        def.material.restitution = i % 5 == 0 ? 0.4 : 0.0;
        if (i % 3 == 0) make_plastic(&def.material);
        add_body(world, &def);
    }
}

/* The hash after every step. A body goes and another comes on the way. */
static void run(const recipes* r, int32_t threads, sup_simd simd, uint64_t hashes[STEPS]) {
    sup_world_def def = sup_world_default();
    def.threads = threads;
    def.simd = simd;
    sup_world* world = make_world(&def);
    add_pile(world, r);
    int32_t contacts = 0;
    for (int32_t i = 0; i < steps(); i++) {
        if (i == steps() / 2) {
            sup_body bodies[2 + SMALL];
            assert_int_equal(sup_world_bodies(world, bodies, 2 + SMALL), 2 + SMALL);
            assert_int_equal(sup_body_destroy(world, bodies[9]), SUP_OK);
            sup_body_def late = body_at(r->prints[2], 0.5, 3.5, 0);
            late.velocity[1] = -6.0;
            add_body(world, &late);
        }
        take_steps(world, 1);
        hashes[i] = sup_world_hash(world);
        int32_t met = sup_world_measure(world).contact_count;
        contacts = met > contacts ? met : contacts;
    }
    assert_true(contacts > 300);
    sup_world_destroy(world);
}

static void check_run(const recipes* r, int32_t threads, sup_simd simd, const uint64_t* wanted) {
    uint64_t hashes[STEPS];
    run(r, threads, simd, hashes);
    for (int32_t i = 0; i < steps(); i++) {
        if (hashes[i] == wanted[i]) continue;
        print_error("%d threads, %s: another hash from step %d on\n", (int)threads,
                    sup_simd_name(simd), (int)i);
        fail();
    }
}

static void workers_do_not_change_the_result(void** state) {
    (void)state;
    recipes r = make_recipes();
    uint64_t wanted[STEPS];
    run(&r, 1, SUP_SIMD_AUTO, wanted);
    assert_true(wanted[0] != wanted[steps() - 1]);
    int32_t counts[4] = {2, 3, 8, 0};
    const char* more = getenv("SUPPLE_TEST_WORKERS");
    if (more) counts[3] = (int32_t)strtol(more, NULL, 10);
    for (int i = short_tests() ? 2 : 0; i < 4; i++) {
        if (counts[i] > 0) check_run(&r, counts[i], SUP_SIMD_AUTO, wanted);
    }
    for (sup_simd simd = SUP_SIMD_SCALAR; every_copy() && simd <= SUP_SIMD_AVX2; simd++) {
        if (sup_simd_available(simd)) check_run(&r, 2, simd, wanted);
    }
    for (int i = 0; i < KINDS; i++) sup_blueprint_release(r.prints[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_do_not_change_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
