/* Explicit steps of bodies that more than springs hold: gas, volumes and anchors shorten them, so
   that nothing explodes, and next to nothing is tried in vain. */
#include "allocators.h"
#include "supple/weave.h"
#include "world/springs.h"

static sup_blueprint* print_of(sup_web* web) {
    sup_blueprint_def def = sup_web_blueprint(web);
    sup_error error = {0};
    sup_blueprint* print = NULL;
    def.radius = -1;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_web_free(web);
    return print;
}

static sup_blueprint* balloon(double young) {
    sup_weave_mesh_def def = sup_weave_mesh_default();
    sup_mesh mesh;
    sup_web web;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.2, 2, &mesh, NULL), SUP_OK);
    def.mesh = &mesh;
    def.young = young;
    def.density = 0.1;
    assert_int_equal(sup_weave_mesh(NULL, &def, &web, NULL), SUP_OK);
    sup_mesh_free(&mesh);
    return print_of(&web);
}

static sup_blueprint* block(void) {
    sup_weave_block_def def = sup_weave_block_default();
    sup_web web;
    sup_error error = {0};
    def.young = 1000;
    for (int k = 0; k < 3; k++) def.cells[k] = 2;
    def.density = 100;
    assert_ok(sup_weave_block(NULL, &def, &web, &error), error);
    return print_of(&web);
}

typedef struct outcome {
    int32_t mishaps, steps, rejected, forced;
    double frequency, top_speed;
} outcome;

static outcome run(sup_blueprint* print, const sup_spring_settings* settings, int32_t frames) {
    sup_world_def world_def = sup_world_default();
    world_def.sleep_speed = 0.0;
    world_def.substeps = 2;
    world_def.gravity[1] = 0.0;
    sup_world* world = make_world(&world_def);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs = *settings;
    sup_body body = add_body(world, &def);
    sup_vec3* speeds = calloc((size_t)sup_blueprint_get_info(print).particle_count, sizeof *speeds);
    dice d = {7};
    for (int32_t i = 0; i < sup_blueprint_get_info(print).particle_count; i++) {
        speeds[i].y = (float)(0.02 * dice_roll(&d));
    }
    assert_int_equal(sup_body_write_particles(world, body, NULL, speeds, NULL), SUP_OK);
    free(speeds);
    outcome out = {0};
    for (int32_t i = 0; i < frames; i++) {
        take_steps(world, 1);
        sup_spring_measures m;
        assert_int_equal(sup_body_measure_springs(world, body, &m), SUP_OK);
        double speed = sup_world_measure(world).top_speed;
        out.mishaps += mishap_count(world);
        out.steps += m.steps;
        out.rejected += m.rejected;
        out.forced += m.forced;
        out.frequency = m.frequency > out.frequency ? m.frequency : out.frequency;
        out.top_speed = speed > out.top_speed ? speed : out.top_speed;
    }
    sup_world_destroy(world);
    return out;
}

/* With control the body stays as it is; without it is torn apart, and somebody says so. */
static void compare(const char* name, sup_blueprint* print, sup_spring_settings settings,
                    double frequency) {
    settings.integrator = SUP_INTEGRATOR_VELOCITY_VERLET;
    settings.adaptive = true;
    outcome with = run(print, &settings, 40);
    settings.adaptive = false;
    outcome without = run(print, &settings, 40);
    print_message("%s: %.0f rad/s, %d steps, %d in vain, %d forced, top %.2f m/s; without %.3g, "
                  "%d mishaps\n",
                  name, with.frequency, (int)with.steps, (int)with.rejected, (int)with.forced,
                  with.top_speed, without.top_speed, (int)without.mishaps);
    assert_int_equal(with.mishaps + with.forced, 0);
    assert_true(with.top_speed < 5.0);
    assert_true(20 * with.rejected < with.steps);
    assert_true(with.frequency > frequency && with.frequency < 4.0 * frequency);
    assert_true(without.mishaps > 0 || without.top_speed > 100.0);
    sup_blueprint_release(print);
}

/* Gas breathes at the root of slope times area^2 / mass. */
static void gas_shortens_steps(void** state) {
    (void)state;
    sup_spring_settings settings = sup_spring_settings_default();
    settings.pressure.inside = 100200;
    settings.pressure.outside = 100000;
    sup_blueprint* print = balloon(100);
    sup_blueprint_info info = sup_blueprint_get_info(print);
    double area = 4 * 3.14159 * 0.2 * 0.2, slope = 100200 / info.volume;
    compare("balloon", print, settings, 0.9 * sqrt(slope * area / 0.1));
}

static void volumes_shorten_steps(void** state) {
    (void)state;
    sup_spring_settings settings = sup_spring_settings_default();
    settings.solid.volume = 1e6;
    compare("block", block(), settings, 3000);
}

static void anchors_shorten_steps(void** state) {
    (void)state;
    sup_spring_settings settings = sup_spring_settings_default();
    settings.anchor.frequency = 1000;
    settings.anchor.damping = 0;
    settings.anchor.frame = SUP_ANCHOR_FIXED;
    compare("anchors", balloon(1), settings, 1000);
    settings.anchor.frequency = 100;
    settings.anchor.damping = 10;
    compare("dampers", balloon(1), settings, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gas_shortens_steps),
        cmocka_unit_test(volumes_shorten_steps),
        cmocka_unit_test(anchors_shorten_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
