/* What scenes say of clay reaches the bodies, or is refused with its place. */
#include "fixture.h"

#include <math.h>

#define SCENE(body) "{'version': 1, 'bodies': [{" body "}], 'colliders': [{'shape': 'plane'}]}"
#define BOX "'shape': {'box': {'size': [0.3, 0.3, 0.3]}}, 'position': [0, 0.3, 0]"

static sup_clay_settings clay_of(fixture* f, const char* text) {
    sup_clay_settings s = {0};
    sup_scene* scene = load(f, text);
    assert_true(sup_body_get_clay(sup_scene_world(scene), sup_scene_get_body(scene, 0, NULL), &s));
    run(scene, 0, 10);
    sup_scene_free(scene);
    return s;
}

static void keys_reach_the_body(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_clay_settings s =
        clay_of(&f, SCENE(BOX ", 'clay': {'strength': 300, 'rate': 7, 'transfer': "
                              "0.25, 'transverse': 0.75, 'reach': 3}"));
    assert_true(s.strength == 300 && s.rate == 7 && s.transfer == 0.25 && s.transverse == 0.75);
    assert_int_equal(s.reach, 3);
    sup_clay_settings usual = sup_clay_settings_default();
    s = clay_of(&f, SCENE(BOX ", 'clay': {}"));
    assert_true(s.strength == usual.strength && isinf(s.rate) && s.transfer == usual.transfer);
    assert_true(s.transverse == usual.transverse && s.reach == usual.reach);
    end(&f);
}

static void mistakes_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SCENE(BOX ", 'clay': {'strength': -1}"),
         "dir/s.json:1:119: \"strength\" must be from 0 to 1000000000000, not -1"},
        {SCENE(BOX ", 'clay': {'rate': 0}"),
         "dir/s.json:1:115: \"rate\" must be above 0 and at most 1000000000, not 0"},
        {SCENE(BOX ", 'clay': {}, 'clusters': 'whole'"),
         "dir/s.json:1:122: a body of \"clay\" takes no \"clusters\""},
        {SCENE(BOX ", 'clay': {}, 'fill': 0.1"),
         "dir/s.json:1:118: a body of \"clay\" takes no \"fill\""},
        {SCENE(BOX ", 'clay': {}, 'material': {'mode': 'linear'}"),
         "dir/s.json:1:106: clay matches rigidly and is not plastic: its dents are all that lasts"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_reach_the_body),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
