/* Memory: a warm step takes none. What happens when it is refused: trust/test_failing_memory.c. */
#include "world/yard.h"

#include "allocators.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
