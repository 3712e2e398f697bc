/* Bodies of a scene that tear: what is refused, and what may be picked. */
#include "scene/fixture.h"

#define SHEET(weave, more)                                                                         \
    "{'version': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 's', 'shape': {'grid': {'size': "    \
    "[1, 0.5], 'segments': [12, 6]}},\n'weave': " weave more "}]}"

static void tears_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SHEET("{'cloth': {'tear': 0}}", ""),
         "dir/s.json:2:29: \"tear\" must be from 0.01 to 10, not 0"},
        {SHEET("{'cloth': {'tear': 0.2, 'spare': 9}}", ""),
         "dir/s.json:2:43: \"spare\" must be from 0 to 8, not 9"},
        {SHEET("{'cloth': {'spare': 1}}", ""),
         "dir/s.json:2:30: \"spare\" is for a weave that tears: give it a \"tear\" or a "
         "\"tear_force\""},
        {SHEET("{'cloth': {'tear_force': 0}}", ""),
         "dir/s.json:2:35: \"tear_force\" must be from 0.000001 to 1000000000000, not 0"},
        {SHEET("{'cloth': {'tear': 0.2}}", ", 'clusters': 'whole'"),
         "dir/s.json:1:49: only a body that springs alone hold together can tear"},
        {SHEET("{'cloth': {'tear_force': 2}}", ", 'springs': {'limit': 0.1, 'integrator': 'rk4'}"),
         "dir/s.json:2:80: a body that tears under a strain limit moves by the implicit "
         "integrator: the others do not tell how hard the limit pulls"},
        {SHEET("{'cloth': {'tear_force': 2}}", ", 'springs': {'yield': {}}"),
         "dir/s.json:2:61: a body that tears does not yield"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

#define PULLED(tear)                                                                               \
    SHEET("{'cloth': {" tear ", 'spare': 1}}",                                                     \
          ", 'pins': [{'box': {'low': [-1, -1, -1], 'high': [-0.49, 1, 1]}}, {'box': {'low': "     \
          "[0.49, -1, -1], 'high': [1, 1, 1]}, 'motion': {'keys': [{'time': 0, 'offset': "         \
          "[0, 0, 0]}, {'time': 1, 'offset': [1, 0, 0]}]}}]")

/* How often a sheet that is pulled parts. Pins and attachments are picked from the particles that
   are there, not from the waiting ones. */
static int32_t pull(const char* text) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    assert_int_equal(info.particle_count, 2 * 13 * 7);
    assert_int_equal(info.spare_count, 13 * 7);
    assert_int_equal(info.pinned_count, 14);
    run(scene, 0, 60);
    sup_spring_measures measures;
    assert_int_equal(sup_body_measure_springs(sup_scene_world(scene),
                                              sup_scene_get_body(scene, 0, NULL), &measures),
                     SUP_OK);
    sup_scene_free(scene);
    end(&f);
    return measures.torn;
}

static void sheets_tear(void** state) {
    (void)state;
    assert_true(pull(PULLED("'tear': 0.2")) > 0);
    assert_true(pull(PULLED("'tear_force': 10")) > 0);
    assert_int_equal(pull(PULLED("'tear_force': 1000")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tears_are_checked),
        cmocka_unit_test(sheets_tear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
