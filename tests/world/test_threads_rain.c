/* Many quadratic bodies of several shapes that rain into a box: one and two workers, the same bits.
   At night it is the scene of the 2005 paper, 384 bodies; by day an eighth of it. */
#include "world/yard.h"

enum { SHAPES = 6, ROW = 8 };

/* Balls, boxes, bars and slabs, whole and in cubes. */
static void make_prints(sup_blueprint* prints[SHAPES]) {
    prints[0] = ball_of(0.2, 2, sup_blueprint_default());
    prints[1] = box_of((double[3]){0.3, 0.3, 0.3}, 4, sup_blueprint_default());
    prints[2] = box_of((double[3]){0.15, 0.5, 0.15}, 4, filled(0.07));
    prints[3] = ball_of(0.2, 2, in_cubes(0.08, 0.25));
    prints[4] = box_of((double[3]){0.3, 0.3, 0.3}, 4, in_cubes(0.075, 0.225));
    prints[5] = box_of((double[3]){0.45, 0.12, 0.3}, 4, in_cubes(0.06, 0.2));
}

/* A floor and four walls around ROW x ROW places. */
static void add_box(sup_world* world, double half) {
    add_floor(world);
    for (int side = 0; side < 4; side++) {
        sup_collider_def wall = sup_collider_default();
        double sign = side % 2 ? 1.0 : -1.0;
        int axis = side / 2 * 2; /* x or z */
        wall.position[axis] = sign * half;
        /* A plane looks along its y: a quarter turn about z or x makes it look inside. */
        wall.rotation[2 - axis] = (axis == 0 ? sign : -sign) * sqrt(0.5);
        wall.rotation[3] = sqrt(0.5);
        add_collider(world, &wall);
    }
}

static sup_world* make_rain(sup_blueprint* const prints[SHAPES], int32_t count, int32_t threads) {
    const double apart = 0.6;
    sup_world_def def = sup_world_default();
    dice d = {61};
    def.threads = threads;
    sup_world* world = make_world(&def);
    add_box(world, 0.5 * apart * ROW + 0.1);
    for (int32_t i = 0; i < count; i++) {
        int32_t x = i % ROW, z = i / ROW % ROW, y = i / ROW / ROW;
        sup_body_def body = body_at(prints[i % SHAPES], apart * (x - 0.5 * (ROW - 1)),
                                    0.4 + apart * y, apart * (z - 0.5 * (ROW - 1)));
        dice_turn(&d, body.rotation);
        for (int k = 0; k < 3; k++) body.velocity[k] = dice_roll(&d) - (k == 1 ? 2.0 : 0.0);
        body.material.mode = SUP_MATCH_QUADRATIC;
        body.material.beta = 0.8;
        add_body(world, &body);
    }
    return world;
}

static void two_workers_give_the_same_rain(void** state) {
    (void)state;
    int32_t count = long_tests() ? 384 : short_tests() ? 12 : 48;
    int32_t steps = long_tests() ? 240 : short_tests() ? 15 : 90, contacts = 0;
    sup_blueprint* prints[SHAPES];
    make_prints(prints);
    sup_world *one = make_rain(prints, count, 1), *two = make_rain(prints, count, 2);
    for (int32_t i = 0; i < steps; i++) {
        take_steps(one, 1);
        take_steps(two, 1);
        if (sup_world_hash(one) != sup_world_hash(two)) {
            print_error("another hash from step %d on\n", (int)i);
            fail();
        }
        assert_int_equal(mishap_count(one), 0);
        int32_t met = sup_world_measure(one).contact_count;
        contacts = met > contacts ? met : contacts;
    }
    print_message("%d bodies, %d steps: the same; up to %d contacts\n", (int)count, (int)steps,
                  (int)contacts);
    assert_true(contacts > 10 * count);
    sup_world_destroy(one);
    sup_world_destroy(two);
    for (int i = 0; i < SHAPES; i++) sup_blueprint_release(prints[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_workers_give_the_same_rain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
