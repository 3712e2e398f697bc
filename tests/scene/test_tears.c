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
         "dir/s.json:2:30: \"spare\" is for a weave that tears: give it a \"tear\""},
        {SHEET("{'cloth': {'tear': 0.2}}", ", 'clusters': 'whole'"),
         "dir/s.json:1:49: only a body that springs alone hold together can tear"},
        {SHEET("{'cloth': {'tear': 0.2}}", ", 'springs': {'limit': 0.1}"),
         "dir/s.json:2:47: springs.limit is for bodies that do not tear"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

/* Pins and attachments are picked from the particles that are there, not from the waiting ones. */
static void waiting_particles_are_not_picked(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f,
        SHEET("{'cloth': {'tear': 0.2, 'spare': 1}}",
              ", 'pins': [{'box': {'low': [-1, -1, -1], 'high': [-0.49, 1, 1]}}, {'box': {'low': "
              "[0.49, -1, -1], 'high': [1, 1, 1]}, 'motion': {'keys': [{'time': 0, 'offset': "
              "[0, 0, 0]}, {'time': 1, 'offset': [1, 0, 0]}]}}]"));
    sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    assert_int_equal(info.particle_count, 2 * 13 * 7);
    assert_int_equal(info.spare_count, 13 * 7);
    assert_int_equal(info.pinned_count, 14);
    run(scene, 0, 60);
    sup_spring_measures measures;
    assert_int_equal(sup_body_measure_springs(sup_scene_world(scene),
                                              sup_scene_get_body(scene, 0, NULL), &measures),
                     SUP_OK);
    assert_true(measures.torn > 0);
    sup_scene_free(scene);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tears_are_checked),
        cmocka_unit_test(waiting_particles_are_not_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
