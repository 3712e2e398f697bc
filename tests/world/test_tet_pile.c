/* Many bodies of tetrahedra rain into a bowl and come to rest: nothing is lost, and nothing stays
   deep in anything. */
#include "world/bodies.h"
#include "world/tets.h"

enum { ACROSS = 3 };

typedef struct pile {
    int32_t bodies, cells; /* cells along the edge of a cube */
    double seconds;
} pile;

static sup_world* make_bowl(double radius, int32_t threads) {
    sup_world_def def = sup_world_default();
    sup_world* world;
    def.sweeps = 4;
    def.threads = threads;
    def.sleep_speed = 0;
    assert_ok(sup_world_create(&def, &world, &error_));
    sup_collider_def bowl = sup_collider_default();
    bowl.kind = SUP_COLLIDER_SPHERE;
    bowl.radius = radius;
    bowl.inverted = true;
    bowl.position[1] = radius;
    assert_ok(sup_collider_create(world, &bowl, NULL, &error_));
    return world;
}

/* Every second one a ball. */
static void fill_bowl(sup_world* world, const pile* p, sup_body* bodies) {
    dice d = {7};
    sup_blueprint* cube =
        make_print(make_block(p->cells, p->cells, p->cells, 0.3, 0.3, 0.3), false);
    sup_blueprint* ball = make_print(make_ball(0.17, 0.38 / p->cells), false);
    for (int32_t i = 0; i < p->bodies; i++) {
        int32_t layer = i / (ACROSS * ACROSS), at = i % (ACROSS * ACROSS);
        sup_body_def def = sup_body_default();
        def.blueprint = i % 2 ? cube : ball;
        def.material.stiffness = 250;
        def.position[0] = 0.55 * (at % ACROSS - 1) + 0.02 * dice_roll(&d);
        def.position[1] = 1.0 + 0.55 * layer;
        def.position[2] = 0.55 * (at / ACROSS - 1) + 0.02 * dice_roll(&d);
        dice_turn(&d, def.rotation);
        assert_ok(sup_body_create(world, &def, &bodies[i], &error_));
    }
    sup_blueprint_release(cube);
    sup_blueprint_release(ball);
}

static void bodies_come_to_rest(void** state) {
    (void)state;
    skip_under_sanitizers();
    const pile small = {12, 4, 6}, large = {100, 6, 20};
    const pile* p = long_tests() ? &large : &small;
    const double radius = 1.6;
    sup_body bodies[100];
    sup_world* world = make_bowl(radius, 2);
    fill_bowl(world, p, bodies);
    int32_t frames = (int32_t)(60 * p->seconds);
    double peak = 0, deepest = 0, kinetic = 0, at[3], v[3];
    for (int32_t i = 0; i < frames; i++) {
        step(world);
        sup_measures m = sup_world_measure(world);
        assert_true(isfinite(m.kinetic));
        peak = fmax(peak, m.kinetic);
        kinetic = m.kinetic;
        if (i >= frames - 60) deepest = fmax(deepest, m.deepest);
    }
    print_message("%d bodies after %.0f s: kinetic energy %.1e of the peak, deepest %.2f mm\n",
                  (int)p->bodies, p->seconds, kinetic / peak, 1000 * deepest);
    for (int32_t i = 0; i < p->bodies; i++) {
        read_middle(world, bodies[i], at, v);
        double apart = sqrt(at[0] * at[0] + pow(at[1] - radius, 2) + at[2] * at[2]);
        assert_true(apart < radius);
    }
    assert_true(kinetic < 1e-4 * peak);
    assert_true(deepest < 0.02 * 0.3);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_come_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
