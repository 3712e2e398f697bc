/* What scenes say of soft substance reaches the bodies, or is refused with its place. */
#include "fixture.h"

#include "supple/files.h"
#include "world/blobs.h"

#define SCENE(body) "{'version': 1, 'bodies': [{" body "}], 'colliders': [{'shape': 'plane'}]}"
#define BOX "'shape': {'box': {'size': [0.3, 0.3, 0.3]}}, 'position': [0, 0.3, 0]"

static void keys_reach_the_body(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, SCENE(BOX ", 'density': 500, 'blob': {'spacing': 0.06, 'stiffness': "
                           "3, 'friction': 7, 'drag': 0.5, 'central': true, 'iso': "
                           "0.4, 'cells': 4, 'volume': 'whole', 'surface': false}"));
    sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    assert_true(info.blob_spacing == 0.06);
    assert_true(info.mass > 0.99 * 500 * 0.027 && info.mass < 1.01 * 500 * 0.027);
    sup_world* world = sup_scene_world(scene);
    const sup_blob_settings* s = &supi_world_body(world, sup_scene_get_body(scene, 0, NULL))->blob;
    assert_true(s->stiffness == 3 && s->friction == 7 && s->drag == 0.5 && s->central);
    assert_true(s->iso == 0.4 && s->cells == 4 && s->volume == SUP_BLOB_VOLUME_GLOBAL);
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    assert_false(surfaces[0].changes);
    run(scene, 0, 10);
    sup_scene_free(scene);

    scene = load(&f, SCENE(BOX ", 'blob': {'spacing': 0.06}"));
    surfaces = sup_scene_surfaces(scene, &count);
    assert_true(surfaces[0].changes);
    /* formats whose polygons stay refuse it, and say what would do */
    sup_animation* animation;
    sup_error error;
    assert_int_equal(sup_glb_open(NULL, NULL, "a.glb", 1, surfaces, 60, 10, 10, &animation, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "change from frame to frame"));
    sup_scene_free(scene);
    end(&f);
}

static void mistakes_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SCENE(BOX ", 'blob': {}"), "dir/s.json:1:106: soft substance needs \"spacing\""},
        {SCENE(BOX ", 'blob': {'spacing': 0.06, 'cells': 2}"),
         "dir/s.json:1:133: \"cells\" must be from 3 to 12, not 2"},
        {SCENE(BOX ", 'blob': {'spacing': 1}"),
         "dir/s.json:1:106: there is no room for a particle: the surface is too narrow for this "
         "spacing"},
        {SCENE(BOX ", 'blob': {'spacing': 0.06}, 'clusters': 'whole'"),
         "dir/s.json:1:137: soft substance (\"blob\") takes no \"clusters\""},
        {SCENE("'shape': 'grid', 'blob': {'spacing': 0.06}"),
         "dir/s.json:1:53: \"blob\" fills closed surfaces; the shape \"grid\" has none"},
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
