/* A body of springs that nothing holds falls and turns as it must, however stiff it is and however
   early the implicit solver stops. */
#include "world/springs.h"

#include <math.h>

enum { SUBSTEPS = 4, FRAMES = 60 };

typedef struct outcome {
    double mass;
    sup_measures before, after;
} outcome;

static outcome move(double stretch, const double turn[3], double gravity) {
    cloth_def cloth = cloth_default(12);
    cloth.held = false;
    cloth.stretch = stretch;
    cloth.shear = 0.5 * stretch;
    cloth.bend = 0.05 * stretch;
    sup_blueprint* print = cloth_of(&cloth);
    sup_world* world = quiet_world(SUBSTEPS, 1, SUP_SIMD_AUTO);
    const double g[3] = {0, -gravity, 0};
    assert_int_equal(sup_world_set_gravity(world, g, NULL), SUP_OK);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.drag = 0.0;
    for (int k = 0; k < 3; k++) def.angular_velocity[k] = turn[k];
    add_body(world, &def);
    outcome out = {.mass = sup_blueprint_get_info(print).mass, .before = sup_world_measure(world)};
    take_steps(world, FRAMES);
    out.after = sup_world_measure(world);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return out;
}

static const double stretches[] = {1e2, 1e4, 1e6, 1e8, 1e10};
enum { STRETCHES = sizeof stretches / sizeof *stretches };

static void stiff_things_fall(void** state) {
    (void)state;
    for (int i = 0; i < STRETCHES; i++) {
        outcome got = move(stretches[i], (double[3]){0.3, 0.2, 0.5}, 9.81);
        double wanted = got.mass * 9.81 * FRAMES * FRAME;
        const double* p = got.after.momentum;
        print_message("%g N/m: falls %.7f as fast, %.1e beside\n", stretches[i], -p[1] / wanted,
                      (fabs(p[0]) + fabs(p[2])) / wanted);
        assert_true(fabs(p[1] / wanted + 1.0) < 1e-5);
        assert_true(fabs(p[0]) < 1e-5 * wanted && fabs(p[2]) < 1e-5 * wanted);
    }
}

/* Implicit Euler itself takes 1 + (h w)^2 from a spin in each substep, and no spring more than
   that. */
static void stiff_things_turn(void** state) {
    (void)state;
    const double w = 3.0, h = FRAME / SUBSTEPS;
    double kept = pow(1.0 + h * w * h * w, -SUBSTEPS * FRAMES);
    for (int i = 0; i < STRETCHES; i++) {
        outcome got = move(stretches[i], (double[3]){0, w, 0}, 0.0);
        double share = got.after.angular_momentum[1] / got.before.angular_momentum[1];
        print_message("%g N/m: %.4f of its spin left, %.4f for implicit Euler\n", stretches[i],
                      share, kept);
        assert_true(fabs(share - kept) < 0.01);
        for (int k = 0; k < 3; k += 2) {
            double other = got.after.angular_momentum[k];
            assert_true(fabs(other) < 1e-3 * got.before.angular_momentum[1]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stiff_things_fall),
                                       cmocka_unit_test(stiff_things_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
