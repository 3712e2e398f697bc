/* A body of springs that nothing holds falls and turns as it must, however stiff it is and however
   early the implicit solver stops. */
#include "supple/weave.h"
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

/* Forces within a body, of gas and of volumes, turn nothing: what spins only slows down. */
static void swollen_things_turn(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sup_weave_mesh_def def = sup_weave_mesh_default();
        sup_weave_block_def block = sup_weave_block_default();
        sup_mesh mesh;
        sup_web web;
        sup_error error = {0};
        assert_ok(sup_mesh_icosphere(NULL, 0.2, 2, &mesh, &error), error);
        def.mesh = &mesh;
        def.young = 2000;
        def.density = 0.1;
        sup_result made = kind < 2 ? sup_weave_mesh(NULL, &def, &web, &error)
                                   : sup_weave_block(NULL, &block, &web, &error);
        assert_ok(made, error);
        sup_mesh_free(&mesh);
        sup_blueprint_def print_def = sup_web_blueprint(&web);
        sup_blueprint* print = NULL;
        assert_ok(sup_blueprint_create(&print_def, &print, &error), error);
        sup_web_free(&web);
        sup_world* world = quiet_world(SUBSTEPS, 1, SUP_SIMD_AUTO);
        assert_int_equal(sup_world_set_gravity(world, (double[3]){0, 0, 0}, NULL), SUP_OK);
        sup_body_def body = body_at(print, 0, 0, 0);
        body.springs.drag = 0.0;
        body.angular_velocity[1] = 1.5;
        if (kind == 0) body.springs.pressure.inside = 40;
        if (kind == 1) body.springs.anchor = (sup_spring_anchor){20.0, 0.3, SUP_ANCHOR_FITTED};
        if (kind == 2) body.springs.solid.volume = 1e6;
        add_body(world, &body);
        sup_measures before = sup_world_measure(world), after;
        take_steps(world, 2 * FRAMES);
        after = sup_world_measure(world);
        double share = after.angular_momentum[1] / before.angular_momentum[1];
        print_message("kind %d: %.4f of its spin, %.4f of its energy of motion\n", kind, share,
                      after.kinetic / before.kinetic);
        assert_true(share < 1.001 && share > 0.9);
        assert_true(after.kinetic < 1.01 * before.kinetic);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* Two particles so fast that no part of a step could follow their springs: the body drifts, and
   what it takes from these two is not gone. */
static void what_drifts_keeps_its_momentum(void** state) {
    (void)state;
    cloth_def cloth = cloth_default(12);
    cloth.held = false;
    sup_blueprint* print = cloth_of(&cloth);
    sup_world* world = quiet_world(SUBSTEPS, 1, SUP_SIMD_AUTO);
    assert_int_equal(sup_world_set_gravity(world, (double[3]){0, 0, 0}, NULL), SUP_OK);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.drag = 0.0;
    sup_body body = add_body(world, &def);
    int32_t count = sup_blueprint_get_info(print).particle_count;
    sup_vec3* v = calloc((size_t)count, sizeof *v);
    v[5].z = 9e4f;
    v[40].x = 3e4f;
    assert_int_equal(sup_body_write_particles(world, body, NULL, v, NULL), SUP_OK);
    sup_measures before = sup_world_measure(world);
    sup_spring_measures springs;
    take_steps(world, 1);
    assert_int_equal(sup_body_measure_springs(world, body, &springs), SUP_OK);
    assert_true(springs.forced > 0);
    sup_measures after = sup_world_measure(world);
    for (int k = 0; k < 3; k++) {
        double lost = fabs(after.momentum[k] - before.momentum[k]) / before.momentum[2];
        print_message("axis %d: %.1e\n", k, lost);
        assert_true(lost < 1e-5);
    }
    free(v);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_things_fall), cmocka_unit_test(stiff_things_turn),
        cmocka_unit_test(swollen_things_turn), cmocka_unit_test(what_drifts_keeps_its_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
