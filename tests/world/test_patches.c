/* Stiff solids of springs meet: contacts move all that a wave reaches within a substep, so that
   corners carry loads; with momentum kept and the same bits from all kernels, threads and
   snapshots. */
#include "sizes.h"
#include "supple/scene.h"
#include "supple/snapshot.h"
#include "supple/supple.h"
#include "world/overlaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Dice of `young` Pa, the last one turned onto an edge. */
static const char* const stack_text =
    "{ 'version': 1, 'sleep': { 'speed': 0 }, 'materials': { 'm': { 'friction': 0.4 } },"
    "  'bodies': ["
    "  { %s, 'position': [0, 0.152, 0] }, { %s, 'position': [0.02, 0.47, 0.01] },"
    "  { %s, 'position': [0.01, 0.85, 0], 'rotation': [0, 0, 40] }],"
    "  'colliders': [{ 'shape': 'plane', 'friction': 0.4 }] }";
static const char* const crash_text =
    "{ 'version': 1, 'gravity': [0, 0, 0], 'materials': { 'm': { 'friction': 0.4 } },"
    "  'bodies': ["
    "  { %s, 'position': [-0.3, 0, 0], 'velocity': [1, 0, 0], 'rotation': [20, 30, 10] },"
    "  { %s, 'position': [0.3, 0.05, 0.02], 'velocity': [-1, 0, 0] }] }";

static sup_scene* parse(const char* text, double young, int32_t threads, sup_simd simd) {
    char die[400], bytes[4000];
    snprintf(die, sizeof die,
             "'shape': { 'box': { 'size': [0.3, 0.3, 0.3], 'segments': [3, 3, 3] } },"
             "'solid': { 'springs': { 'count': 300, 'young': %g } }, 'density': 300,"
             "'material': 'm',"
             "'springs': { 'drag': 0, 'tolerance': 1e-6, 'iterations': 1000 }",
             young);
    int32_t size = snprintf(bytes, sizeof bytes, text, die, die, die);
    assert_true(size < (int32_t)sizeof bytes);
    for (char* c = bytes; *c; c++) *c = *c == '\'' ? '"' : *c;
    sup_scene_options options = sup_scene_options_default();
    sup_scene* scene;
    sup_error error = {0};
    options.threads = threads;
    options.simd = simd;
    if (sup_scene_parse(&options, "dice.json", (const uint8_t*)bytes, (size_t)size, &scene,
                        &error)) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void step(sup_world* world) { assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK); }

/* 0 for soft ones, at the brink too; nobody reaches farther than three edges. */
static void reaches(void** state) {
    (void)state;
    static const double youngs[] = {1e4, 1e5, 1e6, 1e7, 1e9};
    static const int32_t wanted[] = {0, 0, 3, 3, 3};
    for (int i = 0; i < 5; i++) {
        sup_scene* scene = parse(crash_text, youngs[i], 1, SUP_SIMD_AUTO);
        sup_world* world = sup_scene_world(scene);
        step(world);
        const supi_body* body = world->bodies;
        double edges = (double)body->pull.h * body->blueprint->wave;
        print_message("%g Pa: %.2f edges, reach %d\n", youngs[i], edges,
                      (int)supi_overlaps_describe(world, body).reach);
        assert_int_equal(supi_overlaps_describe(world, body).reach, wanted[i]);
        sup_spring_settings settings = body->springs;
        settings.integrator = SUP_INTEGRATOR_SYMPLECTIC;
        assert_int_equal(sup_body_set_springs(world, body->handle, &settings, NULL), SUP_OK);
        assert_int_equal(supi_overlaps_describe(world, body).reach, 0);
        sup_scene_free(scene);
    }
}

static void corners_carry(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = parse(stack_text, 1e6, 1, SUP_SIMD_AUTO);
    sup_world* world = sup_scene_world(scene);
    double deepest = 0;
    int32_t most = 0;
    for (int32_t i = 0; i < 240; i++) {
        step(world);
        sup_measures m = sup_world_measure(world);
        if (i >= 120) deepest = fmax(deepest, m.deepest);
        if (world->overlaps.found.patches.patch_count > most) {
            most = world->overlaps.found.patches.patch_count;
        }
    }
    print_message("%d patches, deepest %.2f mm\n", (int)most, 1e3 * deepest);
    assert_true(most > 4);
    assert_true(deepest > 0 && deepest < 1e-3);
    sup_scene_free(scene);
}

static void momentum_is_kept(void** state) {
    (void)state;
    sup_scene* scene = parse(crash_text, 1e6, 1, SUP_SIMD_AUTO);
    sup_world* world = sup_scene_world(scene);
    sup_measures before = sup_world_measure(world), after;
    int32_t most = 0;
    for (int32_t i = 0; i < 60; i++) {
        step(world);
        if (world->overlaps.found.patches.patch_count > most) {
            most = world->overlaps.found.patches.patch_count;
        }
    }
    after = sup_world_measure(world);
    double size = 2 * 0.027 * 300; /* kg m/s, of both */
    for (int k = 0; k < 3; k++) {
        double lost = fabs(after.momentum[k] - before.momentum[k]) / size;
        if (!(lost < 1e-5)) fail_msg("axis %d: %g of the momentum", k, lost);
    }
    print_message("%d patches, %.2f of the energy of motion left\n", (int)most,
                  after.kinetic / before.kinetic);
    assert_true(most > 0 && after.kinetic < 1.1 * before.kinetic);
    assert_true(after.kinetic < 0.98 * before.kinetic); /* they met */
    sup_scene_free(scene);
}

static void the_same_bits(void** state) {
    (void)state;
    static const sup_simd simds[] = {SUP_SIMD_AUTO, SUP_SIMD_AUTO, SUP_SIMD_SCALAR, SUP_SIMD_AUTO};
    static const int32_t threads[] = {1, 8, 1, 1};
    enum { WAYS = 4, RESTORED = 3 };
    sup_scene* scenes[WAYS];
    sup_bytes saved = {0};
    const int32_t frames = short_tests() ? 12 : 60, half = frames / 2;
    int32_t most = 0;
    for (int i = 0; i < WAYS; i++) scenes[i] = parse(stack_text, 1e6, threads[i], simds[i]);
    for (int32_t f = 0; f < frames; f++) {
        if (f == half) {
            assert_int_equal(sup_world_save(sup_scene_world(scenes[0]), &saved, NULL), SUP_OK);
            assert_int_equal(
                sup_world_restore(sup_scene_world(scenes[RESTORED]), saved.data, saved.size, NULL),
                SUP_OK);
        }
        for (int i = 0; i < WAYS; i++) {
            if (i == RESTORED && f < half) continue;
            step(sup_scene_world(scenes[i]));
        }
        int32_t now = sup_scene_world(scenes[0])->overlaps.found.patches.patch_count;
        most = now > most ? now : most;
    }
    assert_true(most > 0 || short_tests());
    for (int i = 1; i < WAYS; i++) {
        assert_true(sup_world_hash(sup_scene_world(scenes[i])) ==
                    sup_world_hash(sup_scene_world(scenes[0])));
    }
    for (int i = 0; i < WAYS; i++) sup_scene_free(scenes[i]);
    sup_bytes_free(&saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reaches), cmocka_unit_test(corners_carry),
                                       cmocka_unit_test(momentum_is_kept),
                                       cmocka_unit_test(the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
