/* Far from the origin: a body 10 km away moves as one at the origin, because its rows are relative
 * to an anchor. */
#include "world/bodies.h"

enum { STEPS = 600 };

static const double far_away[3] = {10000.0, 10000.0, -10000.0};
static const double start_spin[3] = {1.0, 2.0, 0.5};

static void start(live* l, const sup_blueprint_def* def, sup_match_mode mode,
                  const double origin[3], double speed, bool floor_below) {
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    sup_collider_def floor_def = sup_collider_default();
    if (floor_below) world.gravity[1] = -9.81;
    for (int k = 0; k < 3; k++) {
        body.position[k] = floor_def.position[k] = origin[k];
        body.angular_velocity[k] = start_spin[k];
    }
    body.position[1] += 1.5;
    body.velocity[0] = speed;
    body.material.mode = mode;
    live_create(l, &world, def, &body, 1.0 / 60.0);
    if (floor_below) {
        assert_int_equal(sup_collider_create(l->world, &floor_def, NULL, NULL), SUP_OK);
    }
}

/* Largest gap between b and a as seen from their origins. */
static double shifted_gap(const live* a, const live* b, const double origin[3]) {
    double worst = 0;
    for (int32_t i = 0; i < a->count; i++) {
        double back[3];
        for (int k = 0; k < 3; k++) back[k] = b->x[i][k] - origin[k];
        double gap = distance_of(a->x[i], back);
        worst = gap > worst ? gap : worst;
    }
    return worst;
}

static double near_against_far(sup_match_mode mode, double speed, bool floor_below) {
    const double here[3] = {0, 0, 0};
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    live near, far;
    start(&near, &def, mode, here, speed, floor_below);
    start(&far, &def, mode, far_away, speed, floor_below);
    double worst = 0, lowest = INFINITY;
    for (int i = 0; i < STEPS; i++) {
        live_step(&near, 1);
        live_step(&far, 1);
        double gap = shifted_gap(&near, &far, far_away) / near.size;
        worst = gap > worst ? gap : worst;
        lowest = near.x[0][1] < lowest ? near.x[0][1] : lowest;
    }
    assert_true(floor_below == (lowest < 0.4));       /* it did fall, and only then */
    if (speed > 0) assert_above(near.x[0][0], 100.0); /* beyond any one anchor */
    live_free(&near);
    live_free(&far);
    return worst;
}

static void far_moves_as_near(void** state) {
    (void)state;
    static const char* const names[] = {"rigid", "linear", "quadratic"};
    for (int i = SUP_MATCH_RIGID; i <= SUP_MATCH_QUADRATIC; i++) {
        sup_match_mode mode = (sup_match_mode)i;
        double slow = near_against_far(mode, 0.0, false),
               fast = near_against_far(mode, 20.0, false),
               dropped = near_against_far(mode, 0.0, true);
        print_message("10 km away, %s: free %.1g, 20 m/s %.1g, dropped %.1g sizes\n", names[i],
                      slow, fast, dropped);
        assert_below(slow, 1e-6);
        assert_below(fast, 1e-6);
        assert_below(dropped, 1e-6);
    }
}

static ref_rules default_rules(double h) {
    ref_rules rules = ref_rules_default();
    sup_body_def body = sup_body_default();
    double wh = body.material.stiffness * h;
    rules.h = h;
    rules.alpha = wh < 1.0 ? wh * wh : 1.0;
    rules.delta = -expm1(-2.0 * body.material.damping * wh);
    return rules;
}

/* The engine far away stays with a double twin; a float twin without an anchor does not. */
static void far_moves_as_in_double(void** state) {
    (void)state;
    const double speeds[] = {0.0, 20.0};
    for (int s = 0; s < 2; s++) {
        sup_vec3 points[64];
        sup_blueprint_def def = cube_of_64(points);
        live l;
        start(&l, &def, SUP_MATCH_RIGID, far_away, speeds[s], false);
        ref_body* exact = ref_body_create(&def, REF_AVERAGE, false);
        ref_body* coarse = ref_body_create(&def, REF_AVERAGE, true);
        copy_state(&l, exact);
        copy_state(&l, coarse);
        ref_rules rules = default_rules(l.h);
        double engine = 0, control = 0;
        for (int i = 0; i < STEPS; i++) {
            live_step(&l, 1);
            ref_body_step(exact, &rules);
            ref_body_step(coarse, &rules);
            double gap = largest_gap(l.count, l.x, exact->x) / l.size;
            double lost = largest_gap(l.count, coarse->x, exact->x) / l.size;
            engine = gap > engine ? gap : engine;
            control = lost > control ? lost : control;
        }
        print_message("%g m/s, against double: engine %.1e, float without anchor %.1e sizes\n",
                      speeds[s], engine, control);
        assert_below(engine, 2e-3);
        assert_above(control, 2e-3);
        ref_body_free(exact);
        ref_body_free(coarse);
        live_free(&l);
    }
}

/* The anchor follows: 2 km later the shape is as exact as at the start. */
static void fast_body_keeps_its_shape(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_world_def world = weightless_world();
    sup_blueprint_def def = cube_of_64(points);
    sup_body_def body = sup_body_default();
    body.velocity[0] = 200.0;
    live l;
    live_create(&l, &world, &def, &body, 1.0 / 60.0);
    live_step(&l, STEPS);
    double left = ref_fit_distance(l.count, points, l.mass, (const double(*)[3])l.x) / l.size;
    print_message("at %.0f m: %.1e sizes from the rigid fit\n", l.x[0][0], left);
    assert_above(l.x[0][0], 1900.0);
    assert_below(left, 1e-5);
    live_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_moves_as_near),
        cmocka_unit_test(far_moves_as_in_double),
        cmocka_unit_test(fast_body_keeps_its_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
