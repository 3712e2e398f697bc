/* Settings that do nothing, or something that is easily overlooked, are told with their place. */
#include "fixture.h"

#define BODIES(more) "{'version': 1, 'bodies': [{'shape': 'box',\n" more "}]}"
#define PLASTIC(more) BODIES("'material': {'plastic': {" more "}}")
#define MESH(file, more) BODIES_OF("{'mesh': {'file': '" file "'}}", more)
#define BODIES_OF(shape, more) "{'version': 1, 'bodies': [{'shape': " shape more "}]}"

/* The notes of a scene, which must be these. */
static void expect_notes(const char* text, const char* first, const char* second) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    const char* const wanted[] = {first, second, NULL};
    for (int32_t i = 0; i < 3; i++) {
        const char* note = sup_scene_note(scene, i);
        if (!wanted[i]) {
            if (note) fail_msg("told: %s", note);
            break;
        }
        assert_non_null(note);
        assert_string_equal(note, wanted[i]);
    }
    sup_scene_free(scene);
    end(&f);
}

static void idle_plasticity_is_told(void** state) {
    (void)state;
    expect_notes(PLASTIC(""), NULL, NULL);
    expect_notes(PLASTIC("'flow_time': 2, 'flow_power': 3, 'flow_strain': 0.1"), NULL, NULL);
    expect_notes(PLASTIC("'flow_power': 3, 'flow_least': 0.001"),
                 "dir/s.json:2:40: \"flow_power\" does nothing without \"flow_time\"",
                 "dir/s.json:2:57: \"flow_least\" does nothing without \"flow_time\"");
    expect_notes(PLASTIC("'limit': 0"),
                 "dir/s.json:2:35: with a \"limit\" of 0 nothing deforms for good", NULL);
    expect_notes(PLASTIC("'creep': 0"),
                 "dir/s.json:2:35: with a \"creep\" of 0 nothing deforms for good", NULL);
    expect_notes(PLASTIC("'creep': 0, 'flow_time': 2"), NULL, NULL);
    /* a part of a body may well be elastic */
    expect_notes(BODIES("'material': {'plastic': {'limit': 0}}, 'regions': [{'nearest': [0, 0, 0], "
                        "'material': {'plastic': {}}}]"),
                 NULL, NULL);
}

/* Though it has no volume, nor polygons. */
static void a_rope_weighs_by_its_weave(void** state) {
    (void)state;
    expect_notes(BODIES_OF("{'rope': {}}", ", 'weave': {'rope': {}}"), NULL, NULL);
}

/* By the density of a round rod; what is sprayed onto an open surface by that of the surface. */
static void fitted_bodies_weigh_by_their_fit(void** state) {
    (void)state;
    expect_notes(BODIES_OF("{'rope': {}}", ", 'fit': 'chain'"), NULL, NULL);
    expect_notes(BODIES_OF("{'rope': {}}", ", 'fit': 'chain', 'density': 300"), NULL, NULL);
    expect_notes(BODIES_OF("'grid'", ", 'fit': {'surface': {'count': 20}}"), NULL, NULL);
    expect_notes(BODIES_OF("'grid'", ", 'fit': {'auto': {'count': 20}},\n'density': 300"),
                 "dir/s.json:2:12: \"density\" does nothing here: particles on a surface weigh 1 "
                 "kg/m^2; give the body a \"mass\"",
                 NULL);
}

static void rigid_plasticity_is_told(void** state) {
    (void)state;
    expect_notes(BODIES("'material': {'rule': 'rigid'}"), NULL, NULL);
    expect_notes(BODIES("'material': {'rule': 'rigid', 'plastic': {}}"),
                 "dir/s.json:2:42: with the rule \"rigid\" dents depend on the step: only what a "
                 "blow strains within one substep lasts; take another rule",
                 NULL);
}

static void gusts_without_strength_are_told(void** state) {
    (void)state;
    static const char body[] = "{'version': 1, 'wind': {%s}, 'bodies': [{'shape': 'box'}]}";
    char text[200];
    snprintf(text, sizeof text, body, "'gust': 1, 'gust_time': 2");
    expect_notes(text, NULL, NULL);
    snprintf(text, sizeof text, body, "'gust_length': 1, 'gust_time': 2");
    expect_notes(text, "dir/s.json:1:40: \"gust_length\" does nothing here: there is no \"gust\"",
                 "dir/s.json:1:56: \"gust_time\" does nothing here: there is no \"gust\"");
}

/* Once, however many bodies have it. */
static void shared_materials_are_told_once(void** state) {
    (void)state;
    expect_notes("{'version': 1, 'materials': {'clay': {'plastic': {'limit': 0}}}, 'bodies': [\n"
                 "{'shape': 'box', 'material': 'clay'},\n"
                 "{'shape': 'box', 'material': 'clay', 'position': [4, 0, 0]}]}",
                 "dir/s.json:1:60: with a \"limit\" of 0 nothing deforms for good", NULL);
}

static void missing_masses_are_told(void** state) {
    (void)state;
    expect_notes(MESH("cloud.obj", ", 'mass': 3"), NULL, NULL);
    expect_notes(MESH("cloud.obj", ", 'radius': 0.1"),
                 "dir/s.json:1:27: a cloud has no volume: without \"mass\" each of its 4 particles "
                 "weighs 1 kg",
                 NULL);
    expect_notes(MESH("cloud.obj", ", 'density': 300"),
                 "dir/s.json:1:81: a cloud has no volume: without \"mass\" each of its 4 particles "
                 "weighs 1 kg; without \"radius\" it is 0.5 m",
                 NULL);
    expect_notes(BODIES_OF("'grid'", ""), NULL, NULL);
    expect_notes(BODIES_OF("'grid'", ", 'density': 300"),
                 "dir/s.json:1:56: an open surface has no volume: without \"mass\" each of its 81 "
                 "particles weighs 1 kg",
                 NULL);
    expect_notes(BODIES_OF("{'rope': {'from': [0, 1, 0], 'to': [1, 1, 0], 'segments': 4}}",
                           ", 'weave': {'rope': {'stretch': 100}}"),
                 NULL, NULL);
}

/* Where the pins stay; led ones may lead all of it. */
static void bodies_that_cannot_move_are_told(void** state) {
    (void)state;
    static const char all[] =
        "dir/s.json:1:95: the pins hold all 9 particles: nothing of this body "
        "can move";
    expect_notes(
        BODIES_OF(
            "{'grid': {'segments': [2, 2]}}",
            ", 'weave': 'cloth', 'pins': [{'box': {'low': [-9, -9, -9], 'high': [9, 9, 9]}}]"),
        all, NULL);
    expect_notes(BODIES_OF("{'grid': {'segments': [2, 2]}}",
                           ", 'weave': 'cloth', 'pins': [{'nearest': [0, 0, 0]}]"),
                 NULL, NULL);
    expect_notes(
        BODIES_OF(
            "{'grid': {'segments': [2, 2]}}",
            ", 'weave': 'cloth', 'pins': [{'box': {'low': [-9, -9, -9], 'high': [9, 9, 9]}, "
            "'motion': "
            "{'keys': [{'time': 0, 'offset': [0, 0, 0]}, {'time': 1, 'offset': [1, 0, 0]}]}}]"),
        NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_plasticity_is_told),
        cmocka_unit_test(fitted_bodies_weigh_by_their_fit),
        cmocka_unit_test(rigid_plasticity_is_told),
        cmocka_unit_test(a_rope_weighs_by_its_weave),
        cmocka_unit_test(gusts_without_strength_are_told),
        cmocka_unit_test(shared_materials_are_told_once),
        cmocka_unit_test(missing_masses_are_told),
        cmocka_unit_test(bodies_that_cannot_move_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
