/* Parts of a scene have dents of their own. */
#include "supple/scene.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static sup_result read_scene(const char* text, sup_scene** out, sup_error* error) {
    return sup_scene_parse(NULL, "parts.json", (const uint8_t*)text, strlen(text), out, error);
}

static void parts_have_dents_of_their_own(void** state) {
    (void)state;
    sup_scene* scene;
    sup_error error = {0};
    sup_result result = read_scene(
        "{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"fit\": {\"inside\": {\"count\": "
        "60}}, "
        "\"parts\": ["
        "{\"box\": {\"low\": [-2, -2, -2], \"high\": [0, 2, 2]}, \"dents\": {\"speed\": 7, "
        "\"stiffness\": 50, \"limit\": 0.2, \"time\": 0.1, \"keep\": 0.5}}, "
        "{\"box\": {\"low\": [0.001, -2, -2], \"high\": [2, 2, 2]}}]}]}",
        &scene, &error);
    if (result != SUP_OK) fail_msg("%s", error.text);
    const sup_blueprint* print = sup_scene_world(scene)->bodies[0].blueprint;
    assert_true(print->parts_yield);
    assert_int_equal(print->part_count, 2);
    const sup_rig_plastic *own = &print->part_plastics[0], *other = &print->part_plastics[1];
    assert_float_equal(own->speed, 7, 0);
    assert_float_equal(own->stiffness, 50, 0);
    assert_float_equal(own->limit, 0.2f, 0);
    assert_float_equal(own->time, 0.1f, 0);
    assert_float_equal(own->permanence, 0.5f, 0);
    assert_float_equal(other->speed, 0, 0); /* as the body says */
    sup_scene_free(scene);
}

static void wrong_dents_are_refused(void** state) {
    (void)state;
    sup_scene* scene;
    sup_error error = {0};
    assert_int_equal(
        read_scene("{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"fit\": \"inside\", "
                   "\"parts\": [{\"index\": [0, 1, 2], \"dents\": {\"speed\": 0}}]}]}",
                   &scene, &error),
        SUP_BAD_FILE);
    assert_non_null(strstr(error.text, "speed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_dents_of_their_own),
        cmocka_unit_test(wrong_dents_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
