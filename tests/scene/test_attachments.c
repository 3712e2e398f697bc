/* Attachments of a scene: who is held by what, and what is refused. */
#include "scene/fixture.h"

#define BODIES                                                                                     \
    "'bodies': [{'name': 'one', 'shape': 'box'}, {'name': 'many', 'shape': 'box', 'position': "    \
    "[3, "                                                                                         \
    "0, 0], 'copies': {'grid': {'count': [3, 1, 1], 'step': [3, 0, 0]}}}],\n"
#define HELD(text) "{'version': 1, " BODIES "'attachments': [{" text "}]}"

static void attachments_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {HELD("'nearest': [0, 0, 0]"), "dir/s.json:2:17: an attachment needs \"body\""},
        {HELD("'body': 'one'"), "dir/s.json:2:17: an attachment needs one of \"box\", \"sphere\", "
                                "\"index\", \"nearest\""},
        {HELD("'body': 'on', 'index': [0]"),
         "dir/s.json:2:26: there is no body \"on\"; did you mean \"one\"?"},
        {HELD("'body': 'nobody', 'index': [0]"), "dir/s.json:2:26: there is no body \"nobody\""},
        {HELD("'body': 'many', 'index': [0]"),
         "dir/s.json:2:26: \"many\" has 3 copies; name one of them: \"many.1\""},
        {HELD("'body': 'many.4', 'index': [0]"),
         "dir/s.json:2:26: there is no body \"many.4\"; did you mean \"many.1\"?"},
        {HELD("'body': 'one', 'index': [98]"),
         "dir/s.json:2:42: there is no particle 98; the body has 98 (0 to 97)"},
        {HELD("'body': 'one', 'index': [0], 'to': {}"),
         "dir/s.json:2:53: the end of an attachment needs \"body\", \"collider\" or \"point\""},
        {HELD("'body': 'one', 'index': [0], 'to': {'body': 'many.1', 'point': [0, 0, 0]}"),
         "dir/s.json:2:53: the end of an attachment takes \"body\" or \"point\", not both"},
        {HELD("'body': 'one', 'index': [0], 'to': {'collider': 'c', 'nearest': [0, 0, 0]}"),
         "dir/s.json:2:82: \"nearest\" needs \"body\" here"},
        {HELD("'body': 'one', 'index': [0], 'to': {'collider': 'c'}"),
         "dir/s.json:2:66: there is no collider \"c\""},
        {HELD("'body': 'one', 'index': [0], 'to': {'body': 'many.1', 'index': [1, 2]}"),
         "dir/s.json:2:53: the end of an attachment is one particle, not 2"},
        {HELD("'body': 'one', 'index': [0], 'to': {'body': 'many.1', 'index': [1], 'nearest': [0, "
              "0, 0]}"),
         "dir/s.json:2:97: the end of an attachment takes \"index\" or \"nearest\", not both"},
        {HELD("'body': 'one', 'index': [0], 'to': {'body': 'many.1', 'motion': {'keys': [{'time': "
              "0}]}}"),
         "dir/s.json:2:82: only a \"point\" can have a motion"},
        {HELD("'body': 'one', 'index': [0], 'to': {'point': [0, 0, 0], 'motion': {'keys': "
              "[{'time': 0, 'rotation': [0, 0, 0]}]}}"),
         "dir/s.json:2:106: unknown key \"rotation\" in a key of a motion; known: \"time\", "
         "\"position\""},
        {HELD("'body': 'one', 'index': [0], 'length': 1, 'keep_length': true"),
         "dir/s.json:2:57: an attachment takes \"length\" or \"keep_length\", not both"},
        {HELD("'body': 'one', 'index': [0], 'damping': 1"),
         "dir/s.json:2:58: \"damping\" needs \"stiffness\" above 0"},
        {HELD("'body': 'one', 'index': [0], 'break_force': -1"),
         "dir/s.json:2:62: \"break_force\" must be from 0 to 1000000000, not -1"},
        {HELD("'body': 'one', 'index': [0], 'strength': 1"),
         "dir/s.json:2:47: unknown key \"strength\" in an attachment; known: \"name\", \"body\", "
         "\"box\", \"sphere\", \"index\", \"nearest\", \"to\", \"length\", \"keep_length\", "
         "\"meet\", "
         "\"stiffness\", \"damping\", \"force_limit\", \"break_force\""},
        {HELD("'body': 'one', 'index': [0], 'to': {'body': 'one', 'index': [0]}"),
         "dir/s.json:2:17: a particle cannot hold itself"},
    };
    CHECK(refusals);
}

static void attachments_are_built(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, " BODIES
            "'colliders': [{'name': 'wall', 'shape': 'box', 'position': [-3, 0, 0], 'rotation': "
            "[0, 90, 0]}], 'attachments': ["
            "{'name': 'rope', 'body': 'many.2', 'nearest': [-0.5, 0.5, 0.5], 'to': {'body': "
            "'many.1', 'nearest': [0.5, 0.5, 0.5]}, 'keep_length': true, 'break_force': 7},"
            "{'body': 'one', 'box': {'low': [-1, -1, -1], 'high': [-0.4, 1, 1]}, 'to': "
            "{'collider': 'wall'}, 'stiffness': 10, 'damping': 1, 'force_limit': 3},"
            "{'body': 'one', 'index': [5], 'to': {'collider': 'wall', 'point': [1, 0, 0]}, "
            "'length': 2},"
            "{'body': 'many.3', 'index': [1, 2], 'to': {'body': 'many.2'}},"
            "{'body': 'many.3', 'nearest': [0, 9, 0]}]}");
    assert_int_equal(sup_scene_get_info(scene).attachment_count, 1 + 25 + 1 + 2 + 1);
    sup_world* world = sup_scene_world(scene);
    double held[3], holder[3];

    sup_scene_attachment rope = sup_scene_get_attachment(scene, 0);
    assert_string_equal(rope.name, "rope");
    assert_true(sup_attachment_is_valid(world, rope.handle));
    assert_int_equal(sup_attachment_user(world, rope.handle), 0);
    assert_true(rope.def.length < 0 && rope.def.break_force == 7);
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_OK);
    assert_true(fabs(held[0] - 5.5) < 1e-6 && fabs(holder[0] - 3.5) < 1e-6);

    sup_scene_attachment glue = sup_scene_get_attachment(scene, 25);
    assert_string_equal(glue.name, "attachment-2.25");
    assert_true(glue.def.stiffness == 10 && glue.def.damping == 1 && glue.def.force_limit == 3);
    assert_int_equal(sup_scene_read_attachment(scene, 25, held, holder), SUP_OK);
    for (int k = 0; k < 3; k++) assert_true(fabs(held[k] - holder[k]) < 1e-6);

    /* the collider's x axis looks along -z */
    assert_string_equal(sup_scene_get_attachment(scene, 26).name, "attachment-3");
    assert_int_equal(sup_scene_read_attachment(scene, 26, held, holder), SUP_OK);
    assert_true(fabs(holder[0] + 3) < 1e-9 && fabs(holder[2] + 1) < 1e-9);

    /* each to its nearest: the particle opposite */
    for (int32_t i = 27; i < 29; i++) {
        assert_int_equal(sup_scene_read_attachment(scene, i, held, holder), SUP_OK);
        assert_true(fabs(holder[0] - 6.5) < 1e-6);
        assert_true(fabs(held[1] - holder[1]) < 1e-6 && fabs(held[2] - holder[2]) < 1e-6);
    }
    assert_true(sup_scene_get_attachment(scene, 29).def.here);
    assert_int_equal(sup_scene_get_attachment(scene, 30).handle.age, 0);
    assert_int_equal(sup_scene_get_attachment(scene, -1).handle.age, 0);

    /* one that has lost an end is gone, also before the next step */
    assert_int_equal(sup_body_destroy(world, rope.def.other), SUP_OK);
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_STALE);
    sup_scene_free(scene);
    end(&f);
}

/* A weight on a thread hangs below its point, and its thread carries its weight. */
static void weight_hangs(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f,
        "{'version': 1, 'bodies': [{'name': 'w', 'shape': {'icosphere': {'radius': 0.2, "
        "'subdivisions': 1}}, 'mass': 2, 'position': [0, 1, 0], 'material': {'stiffness': 200, "
        "'damping': 1}}], 'attachments': [{'body': 'w', 'nearest': [0, 0.2, 0], 'to': {'point': "
        "[0, 2.2, 0]}, 'length': 1}]}");
    run(scene, 0, 240);
    double held[3], holder[3], force[3];
    assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_OK);
    assert_true(fabs(holder[1] - held[1] - 1) < 0.01 && fabs(held[0]) < 0.01);
    sup_attachment thread = sup_scene_get_attachment(scene, 0).handle;
    assert_int_equal(sup_attachment_read_force(sup_scene_world(scene), thread, force), SUP_OK);
    print_message("thread: %.4f N for %.4f N\n", force[1], 2 * 9.81);
    assert_true(fabs(force[1] - 2 * 9.81) < 0.2);
    sup_scene_free(scene);
    end(&f);
}

/* Bodies that overlap are told of, but for those that pass through each other by their attachment.
 */
static void attached_bodies_may_overlap(void** state) {
    (void)state;
    static const struct {
        const char* held;
        int notes;
    } rows[] = {
        {"", 1},
        {", 'attachments': [{'body': 'a', 'index': [0], 'to': {'body': 'b'}}]", 0},
        {", 'attachments': [{'body': 'b', 'index': [0], 'to': {'body': 'a'}}]", 0},
        {", 'attachments': [{'body': 'a', 'index': [0], 'to': {'body': 'b'}, 'meet': true}]", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        fixture f;
        begin(&f);
        snprintf(text, sizeof text,
                 "{'version': 1, 'bodies': [{'name': 'a', 'shape': 'box'}, {'name': 'b', 'shape': "
                 "'box', 'position': [0.05, 0, 0]}]%s}",
                 rows[i].held);
        sup_scene* scene = load(&f, text);
        assert_int_equal(sup_scene_note(scene, 0) != NULL, rows[i].notes);
        sup_scene_free(scene);
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attachments_are_checked),
        cmocka_unit_test(attachments_are_built),
        cmocka_unit_test(weight_hangs),
        cmocka_unit_test(attached_bodies_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
