/* What scenes say of tetrahedra reaches the bodies, or is refused with its place. */
#include "fixture.h"

#include "supple/files.h"
#include "supple/tets.h"

#define MESH(file) "'shape': {'mesh': {'file': '" file "'}}"
#define SCENE(body) "{'version': 1, 'bodies': [{" body "}], 'colliders': [{'shape': 'plane'}]}"

static sup_blueprint_info info_of(const sup_scene* scene) {
    return sup_scene_get_entry(scene, 0).blueprint;
}

/* One line for each kind; the drawn vertices are those of the file, and stay finite. */
static void one_line_makes_a_body(void** state) {
    (void)state;
    static const char* const solids[] = {"'clusters'", "'springs'", "'frames'"};
    static const char* const shapes[] = {MESH("roof.obj"), MESH("tetra.obj"), "'shape': 'box'",
                                         MESH("two.msh")};
    fixture f;
    char text[512];
    begin(&f);
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text, SCENE("%s, 'solid': %s, 'position': [0, 0.5, 0]"),
                     shapes[s], solids[k]);
            sup_scene* scene = load(&f, text);
            sup_blueprint_info info = info_of(scene);
            assert_int_equal(info.skin, k == 2 ? SUP_SKIN_FRAMES : SUP_SKIN_TETS);
            assert_int_equal(info.spring_count > 0, k == 1);
            assert_int_equal(info.clustered, k == 0);
            run(scene, 0, 20);
            sup_vec3* points = malloc((size_t)info.vertex_count * sizeof *points);
            assert_int_equal(sup_scene_read_vertices(scene, points), SUP_OK);
            for (int32_t i = 0; i < info.vertex_count; i++)
                assert_true(points[i].y > -0.5f && points[i].y < 2.5f);
            free(points);
            sup_scene_free(scene);
        }
    }
    end(&f);
}

static void numbers_reach_the_tetrahedra(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* few = load(&f, SCENE("'shape': 'box', 'solid': {'springs': {'cell': 0.5}}"));
    sup_scene* many = load(&f, SCENE("'shape': 'box', 'solid': {'springs': {'count': 5000}}"));
    assert_true(info_of(few).tet_count < 500);
    assert_true(info_of(many).tet_count > 3000 && info_of(many).tet_count < 8000);
    sup_scene_free(few);
    sup_scene_free(many);
    /* A cage is larger than the box, but weighs as much. */
    sup_scene* stuff =
        load(&f, SCENE("'shape': 'box', 'solid': {'clusters': {'method': 'stuff'}}"));
    sup_scene* cage = load(&f, SCENE("'shape': 'box', 'solid': {'clusters': {'method': 'cage'}}, "
                                     "'density': 700"));
    assert_true(info_of(cage).volume > 1.1 * info_of(stuff).volume);
    assert_true(fabs(info_of(cage).mass - 700) < 1e-3 && fabs(info_of(cage).density - 700) < 1e-9);
    sup_scene_free(stuff);
    sup_scene_free(cage);
    sup_scene* near = load(&f, SCENE("'shape': 'box', 'solid': {'clusters': {'reach': 1}}"));
    sup_scene* far = load(&f, SCENE("'shape': 'box', 'solid': {'clusters': {'reach': 4}}"));
    assert_true(info_of(near).cluster_count == info_of(near).particle_count);
    assert_true(info_of(far).cluster_count < info_of(near).cluster_count / 20);
    sup_scene_free(near);
    sup_scene_free(far);
    sup_scene* crowd = load(&f, SCENE("'shape': 'box', 'solid': {'frames': {'particles': 900}}"));
    assert_true(info_of(crowd).particle_count > 700 && info_of(crowd).link_count > 2000);
    sup_scene_free(crowd);
    /* Tetrahedra of a file are those of the file, scaled. */
    sup_scene* two = load(&f, SCENE(MESH("two.msh") ", 'solid': 'springs', 'scale': [2, 3, 4]"));
    assert_int_equal(info_of(two).tet_count, 2);
    assert_int_equal(info_of(two).polygon_count, 6);
    assert_true(fabs(info_of(two).volume - 24 * 0.5) < 1e-4);
    sup_scene_free(two);
    /* Without a solid they are a surface like others. */
    two = load(&f, SCENE(MESH("two.msh")));
    assert_int_equal(info_of(two).tet_count, 0);
    assert_true(fabs(info_of(two).volume - 0.5) < 1e-6);
    sup_scene_free(two);
    end(&f);
}

/* Stiffer springs give less under the same load; pins, regions and settings reach the points. */
static double measure_sag(fixture* f, const char* solid) {
    char text[512];
    snprintf(
        text, sizeof text,
        SCENE("'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'solid': {'springs': {'cell': 0.1%s}},"
              "'pins': [{'box': {'low': [-0.6, -1, -1], 'high': [-0.45, 1, 1]}}],"
              "'springs': {'drag': 3}, 'position': [0, 3, 0]"),
        solid);
    sup_scene* scene = load(f, text);
    int32_t count = info_of(scene).vertex_count;
    assert_true(info_of(scene).pinned_count > 0);
    run(scene, 0, 90);
    sup_vec3* points = malloc((size_t)count * sizeof *points);
    sup_scene_read_vertices(scene, points);
    float low = 3.0f;
    for (int32_t i = 0; i < count; i++) low = points[i].y < low ? points[i].y : low;
    free(points);
    sup_scene_free(scene);
    return 2.9 - (double)low;
}

static void stiffness_is_that_of_the_scene(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    double soft = measure_sag(&f, ", 'young': 1e6"), firm = measure_sag(&f, ", 'young': 4e6");
    print_message("1 MPa: %g m, 4 MPa: %g m\n", soft, firm);
    assert_true(soft > 0 && firm < 0.4 * soft);
    end(&f);
}

static void drawn_surfaces_are_exported(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, SCENE(MESH("roof.obj") ", 'solid': 'springs', 'mass': 2"));
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    assert_int_equal(count, 1);
    assert_int_equal(surfaces->point_count, 6);
    assert_int_equal(surfaces->polygon_count, 2);
    sup_animation* animation;
    assert_int_equal(sup_glb_open(f.options.allocator, &f.gate, "dir/roof.glb", 1, surfaces, 60, 3,
                                  3, &animation, NULL),
                     SUP_OK);
    for (int i = 0; i < 3; i++) {
        sup_vec3 points[6];
        run(scene, i, i + 1);
        assert_int_equal(sup_scene_read_vertices(scene, points), SUP_OK);
        assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    sup_scene_free(scene);
    end(&f);
}

static void an_open_surface_is_told_of(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, SCENE(MESH("roof.obj") ",\n'solid': 'springs'"));
    const char* note = sup_scene_note(scene, 0);
    assert_non_null(note);
    print_message("%s\n", note);
    assert_non_null(strstr(note, "dir/s.json:2:10: the surface is open: without \"mass\" the body "
                                 "weighs as much as the cage around it, "));
    sup_scene_free(scene);
    scene = load(&f, SCENE(MESH("roof.obj") ", 'solid': 'springs', 'mass': 2, "
                                            "'position': [0, 2, 0]"));
    assert_null(sup_scene_note(scene, 0));
    assert_true(fabs(info_of(scene).mass - 2) < 1e-5);
    sup_scene_free(scene);
    end(&f);
}

static void bad_solids_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'fill': 0.1"),
         "dir/s.json:2:9: a body with a \"solid\" takes no \"fill\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'skin': 'clusters'"),
         "dir/s.json:2:9: a body with a \"solid\" takes no \"skin\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'clusters': 'whole'"),
         "dir/s.json:2:13: a body with a \"solid\" takes no \"clusters\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'weave': 'mesh'"),
         "dir/s.json:2:10: a body with a \"solid\" takes no \"weave\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'fit': 'inside'"),
         "dir/s.json:2:8: a body with a \"solid\" takes no \"fit\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'details': [{'mode': 'rigid'}]"),
         "dir/s.json:2:12: a body with a \"solid\" takes no \"details\""},
        {SCENE("'shape': 'box', 'solid': 'frames',\n'radius': 0.1"),
         "dir/s.json:2:11: a body with a \"solid\" of \"frames\" takes no \"radius\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'springs': {}"),
         "dir/s.json:2:12: \"springs\" says how springs move, but the body has none: give it a "
         "\"weave\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'frames': {}"),
         "dir/s.json:2:11: \"frames\" is for oriented particles: give the body a \"fit\""},
        {SCENE("'shape': 'box', 'solid': 'frames',\n'overlap': {}"),
         "dir/s.json:2:12: \"overlap\" is for bodies of tetrahedra that all have weight and cannot "
         "tear: give it a \"solid\" of \"clusters\" or \"springs\""},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'overlap': {'stiffness': 2}"),
         "dir/s.json:2:26: \"stiffness\" must be from 0.1 to 1, not 2"},
        {SCENE("'shape': 'box', 'solid': 'clusters',\n'overlap': {'mode': 'deep'}"),
         "dir/s.json:2:21: \"mode\" cannot be \"deep\"; known: \"depth\", \"naive\", "
         "\"penalty\", \"spheres\""},
        {SCENE("'shape': 'rope',\n'solid': 'clusters'"),
         "dir/s.json:2:10: \"solid\" fills surfaces; the shape \"rope\" has none"},
        {SCENE("'shape': 'box',\n'solid': {'clusters': {'cell': 0.1, 'count': 9}}"),
         "dir/s.json:2:46: a solid of clusters takes \"cell\" or \"count\", not both"},
        {SCENE("'shape': 'box',\n'solid': {'clusters': {'reach': 5}}"),
         "dir/s.json:2:33: \"reach\" must be from 1 to 4, not 5"},
        {SCENE("'shape': 'box',\n'solid': {'springs': {'reach': 2}}"),
         "dir/s.json:2:23: unknown key \"reach\" in a solid of springs: it belongs to a solid of "
         "clusters; known: \"cell\", \"count\", \"method\", \"young\", \"poisson\""},
        {SCENE("'shape': 'box',\n'solid': {'springs': {'cell': 3e-5}}"),
         "dir/s.json:2:22: cells of 3e-05 m are too small for this surface: its box has more than "
         "16000000 of them"},
        {SCENE(MESH("cloud.obj") ",\n'solid': 'springs'"),
         "dir/s.json:2:10: \"solid\" needs a surface, but cloud.obj is a cloud of points"},
        {SCENE(MESH("roof.obj") ",\n'solid': {'springs': {'method': 'stuff'}}"),
         "dir/s.json:2:22: the surface has no inside: the surface is open: 6 boundary edges, 0 "
         "tangled ones"},
        {SCENE(MESH("two.msh") ",\n'solid': {'springs': {'cell': 0.3}}"),
         "dir/s.json:2:31: \"cell\" is for surfaces: two.msh has tetrahedra already"}};
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_makes_a_body),
        cmocka_unit_test(numbers_reach_the_tetrahedra),
        cmocka_unit_test(stiffness_is_that_of_the_scene),
        cmocka_unit_test(drawn_surfaces_are_exported),
        cmocka_unit_test(an_open_surface_is_told_of),
        cmocka_unit_test(bad_solids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
