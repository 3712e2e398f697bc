/* Memory: a warm step takes none, and whatever is refused changes nothing and leaks nothing. */
#include "world/yard.h"

#include "allocators.h"

/* ---- A warm step allocates nothing ---- */

static void add_ground(sup_world* world) {
    sup_collider_def plane = sup_collider_default(), ball = plane, box = plane;
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.position[1] = -0.2;
    box.kind = SUP_COLLIDER_BOX;
    box.position[0] = 2.0;
    add_collider(world, &plane);
    add_collider(world, &ball);
    add_collider(world, &box);
}

/* Something on the plane, on the sphere, on the box, and a small heap. */
static void add_rubble(sup_world* world, sup_blueprint* ball, sup_blueprint* cubes) {
    const double places[][3] = {{0, 0.6, 0},     {2, 0.8, 0},  {-1, 0.25, 0},
                                {-1.2, 0.25, 1}, {-1, 0.7, 1}, {-0.7, 0.25, 1.1}};
    for (int i = 0; i < 6; i++) {
        sup_body_def def = body_at(i % 2 ? ball : cubes, places[i][0], places[i][1], places[i][2]);
        add_body(world, &def);
    }
}

static void warm_steps_allocate_nothing(void** state) {
    (void)state;
    for (int32_t threads = 1; threads <= 2; threads++) {
        test_allocator counter;
        sup_world_def def = sup_world_default();
        def.allocator = test_allocator_init(&counter);
        def.threads = threads;
        sup_world* world = make_world(&def);
        sup_blueprint* ball = ball_of(0.2, 1, sup_blueprint_default());
        sup_blueprint* cubes = box_of((double[3]){0.36, 0.36, 0.36}, 3, in_cubes(0.12, 0.3));
        add_ground(world);
        add_rubble(world, ball, cubes);
        take_steps(world, 300);
        assert_true(sup_world_measure(world).contact_count > 30);
        assert_true(atomic_load(&counter.calls) > 20);
        test_allocator_arm(&counter, 0, false);
        take_steps(world, 1000);
        assert_int_equal(atomic_load(&counter.calls), 0);
        sup_world_destroy(world);
        assert_int_equal(atomic_load(&counter.blocks), 0);
        sup_blueprint_release(ball);
        sup_blueprint_release(cubes);
    }
}

/* ---- Every refusal ---- */

/* Everything that something is tried with. */
typedef struct attempt {
    test_allocator memory;
    sup_mesh mesh;
    sup_blueprint* print; /* for bodies; from other memory */
    sup_world* world;
    sup_blueprint* made_print;
    sup_world* made_world;
    sup_error error;
} attempt;

typedef sup_result deed(attempt* a);

static sup_result act_blueprint(attempt* a) {
    sup_blueprint_def def = in_cubes(0.1, 0.3);
    int32_t pins[1] = {3};
    def.allocator = &a->memory.table;
    def.surface = &a->mesh;
    def.pins = pins;
    def.pin_count = 1;
    return sup_blueprint_create(&def, &a->made_print, &a->error);
}

static sup_result act_world(attempt* a) {
    sup_world_def def = sup_world_default();
    def.allocator = &a->memory.table;
    def.threads = 2;
    return sup_world_create(&def, &a->made_world, &a->error);
}

/* The ninth body: eight is what the columns have room for. */
static sup_result act_body(attempt* a) {
    sup_body_def def = body_at(a->print, 3, 3, 3);
    return sup_body_create(a->world, &def, NULL, &a->error);
}

static sup_result act_collider(attempt* a) {
    sup_collider_def def = sup_collider_default();
    return sup_collider_create(a->world, &def, NULL, &a->error);
}

/* The first step, and the first contacts. */
static sup_result act_step(attempt* a) { return sup_world_step(a->world, FRAME); }

/* A world that has not stepped yet, with bodies of the attempt's blueprint in contact with each
   other and with the floor. */
static void prepare_world(attempt* a, int32_t bodies, int32_t colliders) {
    sup_world_def def = sup_world_default();
    def.allocator = &a->memory.table;
    a->world = make_world(&def);
    for (int32_t i = 0; i < bodies; i++) {
        sup_body_def body = body_at(a->print, 0.38 * (i % 4), 0.19 + 0.38 * (i / 4), 0);
        add_body(a->world, &body);
    }
    for (int32_t i = 0; i < colliders; i++) add_floor(a->world);
}

static void prepare_attempt(attempt* a, int32_t bodies, int32_t colliders) {
    int32_t pins[1] = {7};
    sup_blueprint_def def = in_cubes(0.1, 0.3);
    *a = (attempt){.error = {0}};
    test_allocator_init(&a->memory);
    assert_int_equal(sup_mesh_icosphere(NULL, 0.2, 1, &a->mesh, NULL), SUP_OK);
    def.surface = &a->mesh;
    def.pin_count = 1;
    def.pins = pins;
    assert_int_equal(sup_blueprint_create(&def, &a->print, NULL), SUP_OK);
    if (bodies + colliders > 0) prepare_world(a, bodies, colliders);
}

static void clear_attempt(attempt* a) {
    sup_world_destroy(a->world);
    sup_world_destroy(a->made_world);
    sup_blueprint_release(a->made_print);
    sup_blueprint_release(a->print);
    sup_mesh_free(&a->mesh);
    assert_int_equal(atomic_load(&a->memory.blocks), 0);
    assert_int_equal(atomic_load(&a->memory.bytes), 0);
}

/* Refuses the n-th allocation for n = 1, 2, .. until the act needs no more; returns the last n. A
   refusal must be told, change no state, and leave the world able to do the same later. */
static int32_t refuse_each(deed* act, int32_t bodies, int32_t colliders, bool from_then_on) {
    uint64_t wanted = 0;
    for (int32_t n = 0;; n++) { /* 0: nothing is refused, to see what comes out */
        attempt a;
        prepare_attempt(&a, bodies, colliders);
        uint64_t before = a.world ? sup_world_hash(a.world) : 0;
        long long blocks = atomic_load(&a.memory.blocks);
        test_allocator_arm(&a.memory, n, from_then_on);
        sup_result result = act(&a);
        bool refused = atomic_load(&a.memory.refused) > 0;
        test_allocator_arm(&a.memory, 0, false);
        if (refused) {
            assert_int_equal(result, SUP_NO_MEMORY);
            assert_null(a.made_print);
            assert_null(a.made_world);
            if (a.world) {
                assert_true(sup_world_hash(a.world) == before);
                assert_int_equal(sup_world_bodies(a.world, NULL, 0), bodies);
            } else {
                assert_int_equal(atomic_load(&a.memory.blocks), blocks);
            }
            assert_int_equal(act(&a), SUP_OK);
        } else {
            assert_int_equal(result, SUP_OK);
        }
        if (a.world) {
            for (int i = 0; i < 3; i++) assert_int_equal(act_step(&a), SUP_OK);
            if (n == 0) wanted = sup_world_hash(a.world);
            assert_true(sup_world_hash(a.world) == wanted);
        }
        clear_attempt(&a);
        if (n > 0 && !refused) return n - 1;
    }
}

static void check_refusals(deed* act, int32_t bodies, int32_t colliders, int32_t least) {
    int32_t single = refuse_each(act, bodies, colliders, false);
    int32_t lasting = refuse_each(act, bodies, colliders, true);
    assert_int_equal(single, lasting);
    assert_true(single >= least);
}

static void refused_blueprints(void** state) {
    (void)state;
    check_refusals(act_blueprint, 0, 0, 20);
}
static void refused_worlds(void** state) {
    (void)state;
    check_refusals(act_world, 0, 0, 2);
}
static void refused_bodies(void** state) {
    (void)state;
    check_refusals(act_body, 8, 1, 8);
}
static void refused_first_bodies(void** state) {
    (void)state;
    check_refusals(act_body, 0, 1, 16);
}
static void refused_colliders(void** state) {
    (void)state;
    check_refusals(act_collider, 2, 8, 2);
}
static void refused_first_colliders(void** state) {
    (void)state;
    check_refusals(act_collider, 2, 0, 3);
}
static void refused_steps(void** state) {
    (void)state;
    check_refusals(act_step, 12, 2, 15);
}

/* Contacts that grow in the middle of a fall: each step may be refused, is taken again, and the
   motion is that of a world with all the memory it wants. */
static void refusals_do_not_change_the_motion(void** state) {
    (void)state;
    uint64_t wanted[40];
    for (int pass = 0; pass < 2; pass++) {
        attempt a;
        int32_t refusals = 0;
        prepare_attempt(&a, 0, 0);
        prepare_world(&a, 0, 1);
        for (int32_t i = 0; i < 12; i++) {
            sup_body_def body =
                body_at(a.print, 0.3 * (i % 3), 0.4 + 0.45 * (i / 3), 0.1 * (i % 2));
            body.velocity[1] = -3.0;
            add_body(a.world, &body);
        }
        for (int32_t i = 0; i < 40; i++) {
            uint64_t before = sup_world_hash(a.world);
            double time = sup_world_time(a.world);
            /* What was granted before a refusal is kept, so that each try gets one further. */
            for (int32_t n = 1; pass == 1; n = 2) {
                test_allocator_arm(&a.memory, n, i % 2 == 0);
                if (sup_world_step(a.world, FRAME) == SUP_OK) break;
                refusals++;
                assert_true(sup_world_hash(a.world) == before);
                assert_true(sup_world_time(a.world) == time);
                assert_int_equal(sup_world_measure(a.world).contact_count, 0);
            }
            test_allocator_arm(&a.memory, 0, false);
            if (pass == 0) take_steps(a.world, 1);
            if (pass == 0) wanted[i] = sup_world_hash(a.world);
            assert_true(sup_world_hash(a.world) == wanted[i]);
        }
        if (pass == 1) assert_true(refusals > 30);
        clear_attempt(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_steps_allocate_nothing),
        cmocka_unit_test(refused_blueprints),
        cmocka_unit_test(refused_worlds),
        cmocka_unit_test(refused_bodies),
        cmocka_unit_test(refused_first_bodies),
        cmocka_unit_test(refused_colliders),
        cmocka_unit_test(refused_first_colliders),
        cmocka_unit_test(refused_steps),
        cmocka_unit_test(refusals_do_not_change_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
