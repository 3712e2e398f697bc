/* Motion: where key frames put colliders, pins and points, and that a frame's number alone says so.
 */
#include "scene/fixture.h"

#define BOX "'bodies': [{'shape': 'box', 'position': [0, 50, 0]}]"
#define MOVING(motion)                                                                             \
    "{'version': 1, " BOX ",\n'colliders': [{'shape': 'box', 'position': [7, 8, 9], 'motion': "    \
    "{" motion "}}]}"

static void motion_is_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {MOVING(""), "dir/s.json:2:65: a motion needs \"keys\""},
        {MOVING("'keys': []"), "dir/s.json:2:74: a motion needs a key"},
        {MOVING("'keys': [{}]"), "dir/s.json:2:75: a key of a motion needs \"time\""},
        {MOVING("'keys': [{'time': -1}]"),
         "dir/s.json:2:84: \"time\" must be from 0 to 1000000, not -1"},
        {MOVING("'keys': [{'time': 1}, {'time': 1}]"),
         "dir/s.json:2:97: the time of a key must be above that of the key before"},
        {MOVING("'keys': [{'time': 1}], 'loop': true"),
         "dir/s.json:2:74: a motion in a loop needs two keys"},
        {MOVING("'keys': [{'time': 1}], 'interpolation': 'smoth'"),
         "dir/s.json:2:106: \"interpolation\" cannot be \"smoth\"; did you mean \"smooth\"?"},
        {MOVING("'keys': [{'time': 1, 'offset': [0, 0, 0]}]"),
         "dir/s.json:2:87: unknown key \"offset\" in a key of a motion; known: \"time\", "
         "\"position\", \"rotation\""},
        {MOVING("'keys': [{'time': 1, 'rotation': 90}]"),
         "dir/s.json:2:99: \"rotation\" must be an array of 3 numbers"},
        {BODY(", 'pins': [{'index': [0], 'motion': {'keys': [{'time': 1, 'position': [0, 0, "
              "0]}]}}]"),
         "dir/s.json:1:100: unknown key \"position\" in a key of a motion; known: \"time\", "
         "\"offset\", \"rotation\""},
    };
    CHECK(refusals);
}

static void check_pose(const sup_scene* scene, double x, double y, double z, double half_turn) {
    sup_world* world = sup_scene_world((sup_scene*)(uintptr_t)scene);
    double position[3], rotation[4];
    sup_collider collider = sup_scene_get_collider(scene, 0).handle;
    assert_int_equal(sup_collider_get_pose(world, collider, position, rotation), SUP_OK);
    assert_true(fabs(position[0] - x) < 1e-12 && fabs(position[1] - y) < 1e-12);
    assert_true(fabs(position[2] - z) < 1e-12);
    /* all turns in here are about y */
    double along = rotation[1] * sin(half_turn) + rotation[3] * cos(half_turn);
    assert_true(fabs(fabs(along) - 1) < 1e-12);
}

#define DEGREES(angle) ((angle)*3.14159265358979323846 / 360)

static void keys_are_followed(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    /* two tracks: the key at 0.75 s gives no position, the one at 0.25 s no rotation */
    sup_scene* scene = load(
        &f, MOVING("'keys': [{'time': 0.25, 'position': [0, 0, 0]}, {'time': 0.5, 'position': [1, "
                   "0, 0], 'rotation': [0, 10, 0]}, {'time': 0.75, 'rotation': [0, 30, 0]}, "
                   "{'time': 1, 'position': [1, 2, 0]}]"));
    assert_int_equal(sup_scene_get_info(scene).motion_count, 1);
    check_pose(scene, 0, 0, 0, DEGREES(10)); /* held before the first */
    run(scene, 0, 15);
    check_pose(scene, 0, 0, 0, DEGREES(10));
    run(scene, 15, 24);
    check_pose(scene, 0.6, 0, 0, DEGREES(10));
    run(scene, 24, 36);
    check_pose(scene, 1, 0.4, 0, DEGREES(18));
    run(scene, 36, 90);
    check_pose(scene, 1, 2, 0, DEGREES(30)); /* held after the last */
    sup_scene_free(scene);
    /* what no key gives stays */
    scene = load(&f, MOVING("'keys': [{'time': 0, 'rotation': [0, 0, 0]}, {'time': 1, 'rotation': "
                            "[0, 90, 0]}]"));
    run(scene, 0, 20);
    check_pose(scene, 7, 8, 9, DEGREES(30));
    sup_scene_free(scene);
    end(&f);
}

static void smooth_keys_ease(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, MOVING("'interpolation': 'smooth', 'keys': [{'time': 0, 'position': [0, 0, 0]}, "
                        "{'time': 1, 'position': [1, 0, 0]}, {'time': 2, 'position': [3, 0, 0]}]"));
    static const double places[5] = {0.15625, 0.5, 0.84375, 1, 1.3125}; /* 3 u^2 - 2 u^3 */
    for (int32_t i = 0; i < 5; i++) {
        run(scene, 15 * i, 15 * (i + 1));
        check_pose(scene, places[i], 8 - 8, 0, 0);
    }
    sup_scene_free(scene);
    end(&f);
}

static void loops_begin_anew(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, MOVING("'loop': true, 'keys': [{'time': 0.5, 'position': [0, 0, 0], 'rotation': [0, 0, "
                   "0]}, {'time': 1, 'position': [1, 0, 0]}, {'time': 1.5, 'position': [0, 0, 0], "
                   "'rotation': [0, 720, 0]}]"));
    for (int32_t round = 0; round < 4; round++) {
        run(scene, round == 0 ? 0 : 60 * round - 15, 60 * round + 45);
        check_pose(scene, 0.5, 0, 0, DEGREES(180)); /* a quarter of two turns */
    }
    sup_scene_free(scene);
    end(&f);
}

/* ---- pins and points ---- */

static void pins_are_led(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    /* a bar of which one end is held and the other turned over and moved; two copies */
    sup_scene* scene =
        load(&f, "{'version': 1, 'gravity': [0, 0, 0], 'bodies': [{'shape': {'box': {'size': [1, "
                 "0.2, 0.2], 'segments': [8, 2, 2]}}, 'position': [2, 0, 0], 'copies': {'grid': "
                 "{'count': [1, 1, 2], 'step': [0, 0, 3]}}, 'pins': [{'box': {'low': [-1, -1, "
                 "-1], 'high': [-0.45, 1, 1]}}, {'box': {'low': [0.45, -1, -1], 'high': [1, 1, "
                 "1]}, 'motion': {'keys': [{'time': 0, 'offset': [0, 0, 0], 'rotation': [0, 0, "
                 "0]}, {'time': 0.5, 'offset': [0.1, 0.2, 0], 'rotation': [90, 0, 0]}]}}]}]}");
    assert_int_equal(sup_scene_get_info(scene).motion_count, 2);
    sup_vec3 start[400], v[400];
    int32_t count = sup_scene_get_entry(scene, 0).blueprint.vertex_count;
    assert_int_equal(sup_scene_read_vertices(scene, start), SUP_OK);
    run(scene, 0, 40);
    assert_int_equal(sup_scene_read_vertices(scene, v), SUP_OK);
    for (int32_t i = 0; i < 2 * count; i++) {
        float middle = i < count ? 0.0f : 3.0f;
        if (start[i].x < 1.51f) assert_memory_equal(&start[i], &v[i], sizeof v[i]);
        if (start[i].x < 2.49f) continue;
        /* y becomes z, z becomes -y */
        assert_true(fabsf(v[i].x - 2.6f) < 1e-5f);
        assert_true(fabsf(v[i].y - (0.2f - (start[i].z - middle))) < 1e-5f);
        assert_true(fabsf(v[i].z - (middle + start[i].y)) < 1e-5f);
    }
    sup_scene_free(scene);
    end(&f);
}

static void points_are_led(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'gravity': [0, 0, 0], 'bodies': [{'shape': {'icosphere': {'radius': "
            "0.1, 'subdivisions': 1}}, 'mass': 1}], 'attachments': [{'body': 'body-1', 'nearest': "
            "[0, 0.1, 0], 'to': {'point': [9, 9, 9], 'motion': {'keys': [{'time': 0, 'position': "
            "[0, 0.1, 0]}, {'time': 1, 'position': [1, 0.1, 0]}]}}}]}");
    double held[3], holder[3];
    run(scene, 0, 30);
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_OK);
    assert_true(fabs(holder[0] - 0.5) < 1e-9 && fabs(holder[1] - 0.1) < 1e-9);
    assert_true(fabs(held[0] - 0.5) < 0.05);
    run(scene, 30, 70);
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_OK);
    assert_true(fabs(holder[0] - 1) < 1e-9);
    sup_scene_free(scene);
    end(&f);
}

/* ---- a frame's number says all ---- */

static const char everything[] =
    "{'version': 1, 'bodies': [{'shape': {'icosphere': {'radius': 0.3, 'subdivisions': 1}}, "
    "'position': [0, 0.6, 0]}, {'shape': {'box': {'size': [0.4, 0.4, 0.4], 'segments': [3, 3, "
    "3]}}, 'position': [1.5, 1, 0], 'pins': [{'nearest': [0, 0.2, 0], 'motion': {'loop': true, "
    "'keys': [{'time': 0, 'offset': [0, 0, 0]}, {'time': 0.3, 'offset': [0.2, 0.1, 0]}, {'time': "
    "0.6, 'offset': [0, 0, 0]}]}}]}], 'colliders': [{'shape': 'plane'}, {'name': 'arm', 'shape': "
    "{'box': {'size': [1, 0.2, 0.2]}}, 'position': [0, 0.2, 0], 'motion': {'loop': true, 'keys': "
    "[{'time': 0, 'rotation': [0, 0, 0]}, {'time': 0.7, 'rotation': [0, 360, 0]}]}}, {'shape': "
    "{'mesh': {'file': 'open.obj', 'animation': {'file': 'open.pc2', 'fps': 3, 'loop': true}}}, "
    "'position': [0, -0.5, 0]}], 'attachments': [{'body': 'body-1', 'nearest': [0, 0.3, 0], 'to': "
    "{'collider': 'arm', 'point': [0, 1, 0], 'motion': {'keys': [{'time': 0.2, 'position': [0, 1, "
    "0]}, {'time': 1, 'position': [0.3, 1, 0]}]}}, 'stiffness': 500}]}";

static void runs_go_on_alike(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, everything);
    sup_world* world = sup_scene_world(scene);
    run(scene, 0, 37);
    sup_bytes bytes;
    assert_int_equal(sup_world_save(world, &bytes, NULL), SUP_OK);
    run(scene, 37, 100);
    uint64_t hash = sup_world_hash(world);
    /* back in the same scene, and on in a fresh one */
    assert_int_equal(sup_world_restore(world, bytes.data, bytes.size, NULL), SUP_OK);
    run(scene, 37, 100);
    assert_true(sup_world_hash(world) == hash);
    sup_scene* other = load(&f, everything);
    assert_int_equal(sup_world_restore(sup_scene_world(other), bytes.data, bytes.size, NULL),
                     SUP_OK);
    run(other, 37, 100);
    assert_true(sup_world_hash(sup_scene_world(other)) == hash);
    sup_bytes_free(&bytes);
    sup_scene_free(other);
    sup_scene_free(scene);
    end(&f);
}

static void what_is_gone_is_left_out(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, everything);
    sup_world* world = sup_scene_world(scene);
    assert_int_equal(sup_scene_get_info(scene).motion_count, 4);
    run(scene, 0, 3);
    for (int32_t i = 0; i < 3; i++) {
        sup_collider_destroy(world, sup_scene_get_collider(scene, i).handle);
    }
    for (int32_t i = 0; i < 2; i++) {
        sup_body_destroy(world, sup_scene_get_body(scene, i, NULL));
    }
    run(scene, 3, 6);
    double held[3], holder[3];
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_STALE);
    assert_int_equal(sup_scene_read_attachment(scene, 1, held, holder), SUP_STALE);
    sup_scene_free(scene);
    end(&f);
}

/* A body on a collider whose motion has ended may sleep. */
static void held_motion_lets_sleep(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'bodies': [{'shape': {'box': {'segments': [3, 3, 3]}}, 'position': "
            "[0, 0.51, 0]}], 'colliders': [{'shape': 'plane', 'motion': {'keys': [{'time': 0, "
            "'position': [0, 0, 0]}, {'time': 0.5, 'position': [0, 0.1, 0]}]}}]}");
    sup_world* world = sup_scene_world(scene);
    run(scene, 0, 25);
    assert_false(sup_body_is_asleep(world, sup_scene_get_body(scene, 0, NULL)));
    run(scene, 25, 150);
    assert_true(sup_body_is_asleep(world, sup_scene_get_body(scene, 0, NULL)));
    sup_scene_free(scene);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_is_checked),      cmocka_unit_test(keys_are_followed),
        cmocka_unit_test(smooth_keys_ease),       cmocka_unit_test(loops_begin_anew),
        cmocka_unit_test(pins_are_led),           cmocka_unit_test(points_are_led),
        cmocka_unit_test(runs_go_on_alike),       cmocka_unit_test(what_is_gone_is_left_out),
        cmocka_unit_test(held_motion_lets_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
