/* Cloth of scenes that refines itself. */
#include "scene/fixture.h"

#define CLOTH(weave)                                                                               \
    "{'version': 1, 'bodies': [\n{'shape': {'grid': {'size': [1, 1], 'segments': [4, 3]}}, "       \
    "'weave': " weave "}]}"

static void levels_are_read(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, CLOTH("{'cloth': {'levels': 2, 'refine_angle': 20}}"));
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    sup_spring_measures m;
    assert_int_equal(sup_body_measure_springs(world, body, &m), SUP_OK);
    assert_int_equal(m.active, 5 * 4);
    assert_int_equal(m.level, 0);
    const sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    assert_int_equal(info.particle_count, 17 * 13);
    assert_int_equal(info.refine_levels, 2);
    run(scene, 0, 3);
    sup_scene_free(scene);
    end(&f);
}

/* The rule and the angle change what is hashed: they reach the body. */
static void settings_reach_the_body(void** state) {
    (void)state;
    static const char* const scenes[] = {CLOTH("{'cloth': {'levels': 1}}"),
                                         CLOTH("{'cloth': {'levels': 1, 'refine_angle': 20}}"),
                                         CLOTH("{'cloth': {'levels': 1, 'refine_rule': 'seed'}}")};
    fixture f;
    begin(&f);
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        sup_scene* scene = load(&f, scenes[i]);
        hashes[i] = sup_world_hash(sup_scene_world(scene));
        sup_scene_free(scene);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
    end(&f);
}

static void bad_levels_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {CLOTH("{'cloth': {'levels': 5}}"),
         "dir/s.json:2:89: \"levels\" must be from 0 to 4, not 5"},
        {CLOTH("{'cloth': {'refine_angle': 50}}"),
         "dir/s.json:2:95: \"refine_angle\" must be from 5 to 45, not 50"},
        {CLOTH("{'cloth': {'refine_rule': 'odd'}}"),
         "dir/s.json:2:94: \"refine_rule\" cannot be \"odd\"; known: \"even\", \"seed\""},
        {CLOTH("{'mesh': {'levels': 1}}"),
         "dir/s.json:2:78: unknown key \"levels\" in springs of a mesh: it belongs to "
         "cloth over a grid; known: \"young\", "
         "\"stiffness\", \"poisson\", \"thickness\", \"shear\", \"bend\", \"density\", \"tear\", "
         "\"tear_force\", \"spare\", "
         "\"struts\""},
        {CLOTH("{'cloth': {'levels': 1}}, 'clusters': 'whole'"),
         "dir/s.json:2:89: cloth with \"levels\" is held together by springs alone: take "
         "\"clusters\" or \"levels\" out"},
        {CLOTH("{'cloth': {'levels': 1, 'tear': 0.2}}"),
         "dir/s.json:2:89: cloth that tears cannot be cut finer: take \"tear\" or \"levels\" out"},
        {CLOTH("{'cloth': {'tear_force': 20, 'levels': 1}}"),
         "dir/s.json:2:107: cloth that tears cannot be cut finer: take \"tear\" or \"levels\" out"},
    };
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_read),
        cmocka_unit_test(settings_reach_the_body),
        cmocka_unit_test(bad_levels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
