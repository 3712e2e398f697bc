/* Joints, wheels and the rest of a body in scenes. */
#include "../../src/world/oriented.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "scene/shipped.h"
#include "sizes.h"

static sup_result read_scene(const char* text, sup_scene** out, sup_error* error) {
    return sup_scene_parse(NULL, "machine.json", (const uint8_t*)text, strlen(text), out, error);
}

#define CART(parts, joints)                                                                        \
    "{\"version\": 1, \"substeps\": 8, \"bodies\": [{\"shape\": \"box\", \"fit\": {\"inside\": "   \
    "{\"count\": 60}}, \"parts\": [" parts "], \"joints\": [" joints "]}]}"
#define HALF "{\"box\": {\"low\": [-2, -2, -2], \"high\": [0, 2, 2]}}"

static void the_rest_is_a_part(void** state) {
    (void)state;
    sup_scene* scene;
    sup_error error = {0};
    sup_result result =
        read_scene(CART(HALF ", {\"rest\": true}",
                        "{\"parts\": [1, 0], \"at\": [0, 0, -0.3], \"to\": [0, 0, 0.3]}"),
                   &scene, &error);
    if (result != SUP_OK) fail_msg("%s", error.text);
    const sup_blueprint* print = sup_scene_world(scene)->bodies[0].blueprint;
    int32_t count = print->info.particle_count, shared = 0;
    assert_int_equal(print->part_count, 2);
    assert_int_equal(print->frames.part_count, 2); /* a hinge, not welded */
    for (int32_t r = 0; r < count; r++) {
        int32_t parts = print->frames.row_part_starts[r + 1] - print->frames.row_part_starts[r];
        assert_true(parts >= 1);
        shared += parts == 2;
    }
    assert_int_equal(shared, 2);
    sup_scene_free(scene);
}

static void what_cannot_be_is_refused(void** state) {
    (void)state;
    static const char* const bad[][2] = {
        {CART(HALF ", {\"rest\": false}", ""), "\"rest\" is true"},
        {CART("{\"rest\": true}, {\"rest\": true}", ""), "every particle is in a part"},
        {CART(HALF ", {\"rest\": true}", "{\"parts\": [0, 5], \"at\": [0, 0, 0]}"), "part 5"},
        {CART(HALF ", {\"rest\": true}", "{\"parts\": [1, 1], \"at\": [0, 0, 0]}"), "itself"},
        {CART(HALF ", {\"rest\": true}", "{\"parts\": [0, 1]}"), "at"},
        {CART(HALF ", {\"rest\": true}",
              "{\"parts\": [0, 1], \"at\": [0, 0, 0], \"to\": [0, 0, 0.01]}"),
         "hinge"},
        {CART("{\"rest\": true, \"discs\": {\"from\": [0, 0, 0], \"to\": [0, 0, 0], \"radius\": "
              "1}}",
              ""),
         "no length"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"joints\": [{\"parts\": [0, 1], "
         "\"at\": [0, 0, 0]}]}]}",
         "oriented particles"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sup_scene* scene;
        sup_error error = {0};
        if (read_scene(bad[i][0], &scene, &error) == SUP_OK) fail_msg("case %d is taken", (int)i);
        if (!strstr(error.text, bad[i][1])) fail_msg("case %d: %s", (int)i, error.text);
    }
}

/* m, the lowest drawn vertex. */
static double lowest_of(const sup_world* world, sup_body body) {
    const double origin[3] = {0, 0, 0};
    int32_t count = sup_blueprint_get_info(sup_body_blueprint(world, body)).vertex_count;
    sup_vec3* vertices = calloc((size_t)count, sizeof *vertices);
    double lowest = 1e9;
    assert_int_equal(sup_body_read_vertices(world, body, origin, vertices), SUP_OK);
    for (int32_t i = 0; i < count; i++) {
        lowest = (double)vertices[i].y < lowest ? (double)vertices[i].y : lowest;
    }
    free(vertices);
    return lowest;
}

/* kg m/s, along x. */
static double push_of(const sup_world* world, sup_body body) {
    sup_measures m;
    assert_int_equal(sup_body_measure(world, body, &m), SUP_OK);
    return m.momentum[0];
}

/* J, of both trucks, which stand on the ground at first: they cannot fall. */
static double energy_of(const sup_scene* scene) {
    double sum = 0.0;
    for (int32_t k = 0; k < 2; k++) {
        sup_measures m;
        sup_body body = sup_scene_get_body(scene, k, NULL);
        assert_int_equal(sup_body_measure(sup_scene_world((sup_scene*)(uintptr_t)scene), body, &m),
                         SUP_OK);
        sum += m.kinetic;
    }
    return sum;
}

static void take_frames(sup_world* world, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60.0), SUP_OK);
    }
}

/* With wheels that do not turn a truck of the gallery would stand after 6 m/s / (0.6 g) = 1.02 s.
 */
static void wheels_roll(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = shipped_scene("trucks", 1);
    sup_world* world = sup_scene_world(scene);
    sup_body blue = sup_scene_get_body(scene, 0, NULL), red = sup_scene_get_body(scene, 1, NULL);
    assert_int_equal(sup_body_destroy(world, red), SUP_OK);
    double first = push_of(world, blue);
    take_frames(world, 30);
    double soon = push_of(world, blue);
    take_frames(world, 60);
    double later = push_of(world, blue);
    assert_true(soon > 0.75 * first); /* some has become spin */
    assert_true(later > 0.8 * soon);
    sup_scene_free(scene);
}

/* Two trucks crash: their bodies have dents, their wheels have none, nothing sinks in, and there
   is never more energy. */
static void trucks_crash(void** state) {
    (void)state;
    sup_scene* scene = shipped_scene("trucks", 1);
    sup_world* world = sup_scene_world(scene);
    double start = energy_of(scene);
    for (int i = 0; i < 120; i++) {
        take_frames(world, 1);
        assert_true(energy_of(scene) < 1.0001 * start);
        for (int32_t k = 0; k < 2; k++) {
            assert_true(lowest_of(world, sup_scene_get_body(scene, k, NULL)) > -0.001);
        }
    }
    for (int32_t k = 0; k < 2; k++) {
        const supi_body* body = supi_world_body(world, sup_scene_get_body(scene, k, NULL));
        const supi_frame_net* net = &body->blueprint->frames;
        for (int32_t p = 0; p < 5; p++) {
            int32_t part = net->part_of[p], begin = net->part_starts[part];
            size_t size = (size_t)(net->part_starts[part + 1] - begin) * sizeof(sup_vec3);
            bool same =
                memcmp(body->oriented->parts->offset + begin, net->rest.offset + begin, size) == 0;
            assert_int_equal(same, p < 4);
        }
    }
    sup_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_is_a_part),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(wheels_roll),
        cmocka_unit_test(trucks_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
