/* Colliders of a scene: every shape and flag, good and bad; hills that are the same everywhere. */
#include "scene/fixture.h"

#include "base/hash.h"

/* A scene with a body far away and one collider. */
#define SOLID(text)                                                                                \
    "{'version': 1, 'bodies': [{'shape': 'box', 'position': [0, 50, 0]}],\n'colliders': [" text "]}"
#define HEIGHTS(text) SOLID("{'shape': {'heights': {" text "}}}")

static void shapes_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SOLID("{'shape': {'capsule': {'radius': 0}}}"),
         "dir/s.json:2:48: \"radius\" must be above 0 and at most 1000000, not 0"},
        {SOLID("{'shape': {'capsule': {'height': 1}}}"),
         "dir/s.json:2:38: unknown key \"height\" in a capsule; known: \"radius\", \"length\""},
        {SOLID("{'shape': 'mesh'}"), "dir/s.json:2:25: a mesh needs \"file\""},
        {SOLID("{'shape': {'mesh': {'file': 'none.obj'}}}"),
         "dir/s.json:2:43: cannot read dir/none.obj: there is no such file"},
        {SOLID("{'shape': {'mesh': {'file': 'cloud.obj'}}}"),
         "dir/s.json:2:15: the mesh of a collider has no polygon"},
        {SOLID("{'shape': {'mesh': {'file': 'tetra.obj', 'scale': -1}}}"),
         "dir/s.json:2:65: \"scale\" must be above 0 and at most 1000000, not -1"},
        {SOLID("{'shape': {'mesh': {'file': 'tetra.obj', 'animation': {}}}}"),
         "dir/s.json:2:69: an animation needs \"file\""},
        {SOLID("{'shape': {'mesh': {'file': 'tetra.obj', 'animation': {'file': 'open.pc2'}}}}"),
         "dir/s.json:2:78: the animation has 3 points, the mesh 4"},
        {SOLID("{'shape': {'mesh': {'file': 'open.obj', 'animation': {'file': 'x.pc2'}}}}"),
         "dir/s.json:2:77: cannot read dir/x.pc2: there is no such file"},
        {SOLID("{'shape': 'heights'}"), "dir/s.json:2:25: a height field needs \"size\""},
        {HEIGHTS("'size': [1, 1]"),
         "dir/s.json:2:37: a height field needs one of \"rows\", \"hills\""},
        {HEIGHTS("'size': [1, 1], 'hills': {}, 'rows': [[0, 0], [0, 0]]"),
         "dir/s.json:2:63: a height field takes \"rows\" or \"hills\", not both"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 0]]"),
         "dir/s.json:2:62: \"rows\" needs 2 rows of 2 numbers at least"},
        {HEIGHTS("'size': [1, 1], 'rows': []"),
         "dir/s.json:2:62: \"rows\" needs 2 rows of 2 numbers at least"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 0], [0, 0, 1]]"),
         "dir/s.json:2:71: this row of \"rows\" has 3 numbers, the first 2"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 0], 5]"),
         "dir/s.json:2:71: \"rows\" must be an array, not a number"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 'x'], [0, 0]]"),
         "dir/s.json:2:67: \"rows\" must be a number, not a string"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 0], [0, 2e6]]"),
         "dir/s.json:2:75: \"rows\" must be from -1000000 to 1000000, not 2000000"},
        {HEIGHTS("'size': [1, 1], 'rows': [[0, 0], [0, 0]], 'cells': [1, 1]"),
         "dir/s.json:2:89: \"cells\" is for hills; rows are as many as they are"},
        {HEIGHTS("'size': [1, 1], 'cells': [1, 0.5], 'hills': {}"),
         "dir/s.json:2:67: \"cells\" must be from 1 to 4096, not 0.5"},
        {HEIGHTS("'size': [1, 1], 'hills': {'octaves': 9}"),
         "dir/s.json:2:75: \"octaves\" must be from 1 to 8, not 9"},
        {HEIGHTS("'size': [1, 1], 'hills': {'heigth': 9}"),
         "dir/s.json:2:64: unknown key \"heigth\" in hills; did you mean \"height\"?"},
        {SOLID("{'shape': 'plane', 'inverted': true}"),
         "dir/s.json:2:46: a plane cannot be inverted"},
        {SOLID("{'shape': {'heights': {'size': [1, 1], 'hills': {}}}, 'inverted': true}"),
         "dir/s.json:2:81: a height field cannot be inverted"},
        {SOLID("{'shape': 'box', 'sensor': 0}"),
         "dir/s.json:2:42: \"sensor\" must be true or false, not a number"},
        {SOLID("{'shape': 'box', 'category': [1.5]}"),
         "dir/s.json:2:45: \"category\" must be a whole number, not 1.5"},
    };
    CHECK(refusals);
}

static void shapes_are_built(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, SOLID("{'shape': {'capsule': {'radius': 0.1, 'length': 3}}, 'inverted': true},"
                  "{'shape': {'mesh': {'file': 'tetra.obj', 'scale': [2, 1, 3]}}, 'sensor': true},"
                  "{'shape': {'heights': {'size': [4, 1], 'rows': [[0, 1, 2], [3, 4, 5]]}}, "
                  "'category': [0, 31], 'mask': []},"
                  "{'shape': {'heights': {'size': [4, 6], 'cells': [8, 4], 'hills': {}}}}"));
    assert_int_equal(sup_scene_get_info(scene).collider_count, 4);
    const sup_collider_def capsule = sup_scene_get_collider(scene, 0).def;
    assert_int_equal(capsule.kind, SUP_COLLIDER_CAPSULE);
    assert_true(capsule.radius == 0.1 && capsule.half_length == 1.5 && capsule.inverted);
    assert_true(capsule.filter.category == 1 && capsule.filter.mask == 0xffffffffu);
    const sup_collider_def mesh = sup_scene_get_collider(scene, 1).def;
    assert_true(mesh.kind == SUP_COLLIDER_MESH && mesh.sensor && mesh.mesh->point_count == 4);
    sup_vec3 points[4];
    assert_int_equal(sup_scene_read_collider_points(scene, 1, points), SUP_OK);
    assert_true(points[1].x == 2 && points[3].z == 3);
    assert_int_equal(sup_scene_read_collider_points(scene, 0, points), SUP_BAD_ARGUMENT);
    assert_string_equal(sup_scene_file(scene, 1), "dir/tetra.obj");
    const sup_collider_def rows = sup_scene_get_collider(scene, 2).def;
    assert_true(rows.kind == SUP_COLLIDER_HEIGHTS);
    assert_true(rows.height_count[0] == 3 && rows.height_count[1] == 2);
    assert_true(rows.height_step[0] == 2 && rows.height_step[1] == 1);
    for (int i = 0; i < 6; i++) assert_true(rows.heights[i] == (float)i);
    assert_true(rows.filter.category == 0x80000001u && rows.filter.mask == 0);
    const sup_collider_def hills = sup_scene_get_collider(scene, 3).def;
    assert_true(hills.height_count[0] == 9 && hills.height_count[1] == 5);
    assert_true(hills.height_step[0] == 0.5 && hills.height_step[1] == 1.5);
    sup_world* world = sup_scene_world(scene);
    assert_int_equal(sup_collider_destroy(world, sup_scene_get_collider(scene, 1).handle), SUP_OK);
    assert_int_equal(sup_scene_read_collider_points(scene, 1, points), SUP_STALE);
    sup_scene_free(scene);
    end(&f);
}

static uint64_t hash_hills(const char* text, float* lowest, float* highest) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    const sup_collider_def def = sup_scene_get_collider(scene, 0).def;
    int32_t count = def.height_count[0] * def.height_count[1];
    *lowest = *highest = def.heights[0];
    for (int32_t i = 1; i < count; i++) {
        *lowest = def.heights[i] < *lowest ? def.heights[i] : *lowest;
        *highest = def.heights[i] > *highest ? def.heights[i] : *highest;
    }
    uint64_t hash = supi_hash_floats(supi_hash_begin(), def.heights, (size_t)count);
    sup_scene_free(scene);
    end(&f);
    return hash;
}

#define HILLS(more) HEIGHTS("'size': [20, 20], 'hills': {'height': 3, 'length': 2.5" more "}")

static void hills_are_the_same_everywhere(void** state) {
    (void)state;
    float low, high;
    uint64_t hash = hash_hills(HILLS(", 'seed': 5"), &low, &high);
    print_message("hills: %016llx, from %.3f to %.3f m\n", (unsigned long long)hash, (double)low,
                  (double)high);
    assert_true(hash == 0x324f8cef2d9af2d9u);
    assert_true(low >= 0 && low < 0.6f && high <= 3 && high > 2.4f);
    assert_true(hash_hills(HILLS(", 'seed': 6"), &low, &high) != hash);
    assert_true(hash_hills(HILLS(", 'seed': 5, 'octaves': 1"), &low, &high) != hash);
    /* a corner lies two rims above the hill there */
    hash_hills(HILLS(", 'seed': 5, 'rim': 4"), &low, &high);
    assert_true(high >= 8 && high <= 11);
}

/* What lies on a moving mesh goes with it; what lies in a bowl of heights stays in it. */
static void animated_mesh_lifts_a_body(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, "{'version': 1, 'bodies': [{'shape': {'box': {'size': [0.4, 0.2, 0.4]}}, "
                 "'position': [0, 0.11, 0]}], 'colliders': [{'shape': {'mesh': {'file': "
                 "'open.obj', 'scale': [3, 1, 3], 'animation': {'file': 'open.pc2', 'fps': 2}}}, "
                 "'thickness': 0.01}]}");
    assert_string_equal(sup_scene_file(scene, 2), "dir/open.pc2");
    assert_int_equal(sup_scene_get_info(scene).motion_count, 1);
    sup_vec3 points[3];
    assert_int_equal(sup_scene_read_collider_points(scene, 0, points), SUP_OK);
    assert_true(points[0].x == -3 && points[0].y == 0);
    run(scene, 0, 45);
    assert_int_equal(sup_scene_read_collider_points(scene, 0, points), SUP_OK);
    assert_true(fabsf(points[0].y - 0.75f) < 1e-6f); /* 0.5 m in 0.5 s */
    run(scene, 45, 120);
    assert_int_equal(sup_scene_read_collider_points(scene, 0, points), SUP_OK);
    assert_true(points[1].y == 1.0f);
    double low[3], high[3];
    sup_body_bounds(sup_scene_world(scene), sup_scene_get_body(scene, 0, NULL), low, high);
    assert_true(low[1] > 0.99 && low[1] < 1.1);
    sup_scene_free(scene);
    end(&f);
}

/* A clip that is fine in its file may be too large for colliders in the scene: known before the
   run, not in the midst of it. */
static void animations_stay_in_reach(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    place_rising_mesh(&f.gate, "dir/far.pc2", 6);
    sup_scene* scene = NULL;
    sup_error error = {0};
    assert_int_equal(parse(&f,
                           SOLID("{'shape': {'mesh': {'file': 'far.obj', 'scale': 1e6, "
                                 "'animation': {'file': 'far.pc2'}}}}"),
                           &scene, &error),
                     SUP_BAD_FILE);
    assert_string_equal(error.text,
                        "dir/s.json:2:90: the animation leaves +-1e7 m, scaled as it is");
    assert_null(scene);
    sup_scene_free(load(&f, SOLID("{'shape': {'mesh': {'file': 'far.obj', 'scale': 8e5, "
                                  "'animation': {'file': 'far.pc2'}}}}")));
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_checked),
        cmocka_unit_test(shapes_are_built),
        cmocka_unit_test(hills_are_the_same_everywhere),
        cmocka_unit_test(animated_mesh_lifts_a_body),
        cmocka_unit_test(animations_stay_in_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
