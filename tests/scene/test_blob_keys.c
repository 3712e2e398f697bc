/* What scenes say of soft substance reaches the bodies, or is refused with its place. */
#include "fixture.h"

#include "supple/files.h"
#include "world/blobs.h"

#define SCENE(body) "{'version': 1, 'bodies': [{" body "}], 'colliders': [{'shape': 'plane'}]}"
#define CLOUD "'shape': {'mesh': {'file': 'cloud.obj'}}"
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

/* A cloud is taken as it is, and weighs what as many particles of a filled shape do. */
static void clouds_weigh_by_density(void** state) {
    (void)state;
    static const struct {
        const char* text;
        double mass; /* kg */
    } cases[] = {
        {SCENE(CLOUD ", 'blob': {'spacing': 1}"), 4 * 545.0},
        {SCENE(CLOUD ", 'blob': {'spacing': 0.5}, 'density': 300"), 4 * 0.545 * 0.125 * 300},
        {SCENE(CLOUD ", 'blob': {'spacing': 1}, 'mass': 7"), 7},
    };
    fixture f;
    begin(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sup_scene* scene = load(&f, cases[i].text);
        sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
        assert_int_equal(info.particle_count, 4);
        assert_true(fabs(info.mass - cases[i].mass) < 1e-5 * cases[i].mass);
        sup_scene_free(scene);
    }
    end(&f);
}

static void inside_out_is_refused(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene;
    sup_error error;
    const char* text = SCENE("'shape': {'mesh': {'file': 'turned.obj'}}, 'blob': {'spacing': 0.1}");
    failing_place(&f.disk, "dir/turned.obj",
                  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    assert_int_equal(parse(&f, text, &scene, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, "the surface is inside out (its volume is negative)"));
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
        cmocka_unit_test(clouds_weigh_by_density),
        cmocka_unit_test(inside_out_is_refused),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
