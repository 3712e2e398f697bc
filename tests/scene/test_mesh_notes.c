/* What a mesh file holds and a scene has no use for is told, with its place. */
#include "fixture.h"

#include "file/glb_by_hand.h"

#define SKINNED "'nodes':[{'mesh':0,'skin':0}]"

static bytes skinned_glb(const char* from, const char* to) {
    char json[4096];
    bytes binary = square_binary();
    strcpy(json, square_json);
    replace(json, sizeof json, NODES, SKINNED);
    if (from) replace(json, sizeof json, from, to);
    return make_glb(json, &binary);
}

#define ANIMATIONS                                                                                 \
    "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}],"              \
    "'samplers':[{'input':3,'output':4}]}],"

static void place_meshes(fixture* f) {
    bytes binary = square_binary();
    bytes moving = square_glb(), both = skinned_glb(NULL, NULL);
    bytes skinned = skinned_glb(ANIMATIONS, "");
    bytes plain = changed_square(ANIMATIONS, "'animations':[],", &binary);
    place_bytes(&f->disk, "dir/moving.glb", &moving);
    place_bytes(&f->disk, "dir/both.glb", &both);
    place_bytes(&f->disk, "dir/skinned.glb", &skinned);
    place_bytes(&f->disk, "dir/plain.glb", &plain);
}

static uint32_t ignored_of(const bytes* glb, const char* note) {
    sup_file_gate gate = failing_gate(&empty_disk);
    sup_mesh mesh = {0};
    assert_int_equal(sup_glb_parse(NULL, &gate, "f", glb->data, glb->size, &mesh, NULL), SUP_OK);
    uint32_t ignored = mesh.ignored;
    if (note) {
        assert_string_equal(sup_mesh_note(&mesh), note);
    } else {
        assert_null(sup_mesh_note(&mesh));
    }
    sup_mesh_free(&mesh);
    return ignored;
}

static void meshes_tell_what_they_lack(void** state) {
    (void)state;
    bytes binary = square_binary();
    bytes glb = square_glb();
    assert_int_equal(ignored_of(&glb, "its animations are ignored; the mesh stands still"),
                     SUP_MESH_ANIMATIONS);
    glb = skinned_glb(NULL, NULL);
    assert_int_equal(ignored_of(&glb, "its skin and its animations are ignored; the mesh stands as "
                                      "it was modelled"),
                     SUP_MESH_SKINS | SUP_MESH_ANIMATIONS);
    glb = skinned_glb(ANIMATIONS, "");
    assert_int_equal(ignored_of(&glb, "its skin is ignored; the mesh stands as it was modelled"),
                     SUP_MESH_SKINS);
    glb = changed_square(ANIMATIONS, "'animations':[],", &binary);
    assert_int_equal(ignored_of(&glb, NULL), 0);
    /* nodes outside of the scene or without a mesh do not count */
    glb = changed_square(
        NODES, "'nodes':[{'mesh':0,'children':[1]},{'skin':0},{'mesh':0,'skin':0}]", &binary);
    assert_int_equal(ignored_of(&glb, "its animations are ignored; the mesh stands still"),
                     SUP_MESH_ANIMATIONS);
}

#define SCENE(body, colliders)                                                                     \
    "{'version': 1, 'bodies': [{'shape':\n  " body ", 'position': [0, 9, 0]}],"                    \
    "'colliders': [" colliders "]}"
#define MESH(file) "{'mesh': {'file': '" file "'}}"
#define DRIVEN(file, clip)                                                                         \
    "{'shape': {'mesh': {'file': '" file "',\n 'animation': {'file': '" clip "'}}}}"

static void bodies_and_colliders_tell_it_with_their_place(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    place_meshes(&f);
    sup_scene* scene = load(
        &f, SCENE(MESH("skinned.glb"), "\n {'shape': " MESH("moving.glb") "}, {'shape':\n" MESH(
                                           "both.glb") "},{'shape': " MESH("plain.glb") "}"));
    /* colliders are made before bodies */
    assert_string_equal(sup_scene_note(scene, 0),
                        "dir/s.json:3:30: moving.glb: its animations are ignored; the mesh stands "
                        "still");
    assert_string_equal(sup_scene_note(scene, 1),
                        "dir/s.json:4:19: both.glb: its skin and its animations are ignored; the "
                        "mesh stands as it was modelled");
    assert_string_equal(sup_scene_note(scene, 2),
                        "dir/s.json:2:21: skinned.glb: its skin is ignored; the mesh stands as it "
                        "was modelled");
    assert_null(sup_scene_note(scene, 3));
    sup_scene_free(scene);
    end(&f);
}

/* Who has its points moved is not told that they stand still. */
static void an_animation_that_is_used_is_not_ignored(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    place_meshes(&f);
    sup_scene* scene = load(&f, SCENE("'box'", DRIVEN("moving.glb", "moving.glb")));
    assert_null(sup_scene_note(scene, 0));
    sup_scene_free(scene);
    scene = load(&f, SCENE("'box'", "\n" DRIVEN("both.glb", "moving.glb")));
    assert_string_equal(sup_scene_note(scene, 0),
                        "dir/s.json:3:29: both.glb: its skin is ignored; the mesh stands as it was "
                        "modelled");
    assert_null(sup_scene_note(scene, 1));
    sup_scene_free(scene);
    end(&f);
}

static void refused_memory_leaves_nothing(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    place_meshes(&f);
    sup_result result = SUP_NO_MEMORY;
    for (long long n = 1; result == SUP_NO_MEMORY; n++) {
        sup_scene* scene = NULL;
        sup_error error;
        test_allocator_arm(&f.memory, n, false);
        result = parse(&f, SCENE(MESH("skinned.glb"), "{'shape': " MESH("both.glb") "}"), &scene,
                       &error);
        if (result == SUP_OK) sup_scene_free(scene);
        assert_int_equal(f.memory.blocks, 0);
    }
    assert_int_equal(result, SUP_OK);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_tell_what_they_lack),
        cmocka_unit_test(bodies_and_colliders_tell_it_with_their_place),
        cmocka_unit_test(an_animation_that_is_used_is_not_ignored),
        cmocka_unit_test(refused_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
