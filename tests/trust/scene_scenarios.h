/* Scenario of scenes: read with their meshes and clips, built, driven and stepped. */
#ifndef SUPPLE_TESTS_TRUST_SCENE_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_SCENE_SCENARIOS_H

#include "scene/fixture.h"
#include "trust/things.h"

/* Something of all that a scene may hold. */
static const char whole_scene[] =
    "{'version': 1, 'name': 'n', 'budget_ms': 1, 'materials': {'m': {'stiffness': 50}}, 'bodies': ["
    "{'shape': {'mesh': {'file': 'tetra.obj'}}, 'mass': 1, 'material': 'm', 'pins': [{'index': "
    "[0], 'motion': {'keys': [{'time': 1, 'offset': [0, 1, 0]}]}}]},"
    "{'name': 'b', 'shape': {'box': {'segments': [2, 2, 2]}}, 'fill': 0.3, 'position': [5, 5, 5], "
    "'regions': [{'index': [1], 'material': {}}], 'details': [{'clusters': 'whole'}, {'clusters': "
    "{'cubes': {'edge': 1.2, 'joints': true}}, 'mode': 'linear'}], 'copies': {'scatter': {'count': "
    "3, 'low': [0, 0, "
    "0], 'high': [9, 9, 9], 'gap': 2}}}],"
    "'colliders': [{'shape': 'plane', 'motion': {'keys': [{'time': 1, 'position': [0, 1, 0]}]}},"
    "{'shape': {'mesh': {'file': 'open.obj', 'animation': {'file': 'open.pc2'}}}},"
    "{'name': 'other', 'shape': {'mesh': {'file': 'open.obj', 'animation': {'file': 'open.pc2'}}},"
    "'position': [20, 0, 0]},"
    "{'shape': {'heights': {'size': [1, 1], 'cells': [2, 2], 'hills': {}}}}],"
    "'attachments': [{'body': 'b.1', 'index': [0, 1], 'to': {'body': 'b.2'}}, {'body': 'b.3', "
    "'index': [0], 'to': {'point': [0, 1, 0], 'motion': {'keys': [{'time': 1, 'position': [0, 1, "
    "0]}]}}}]}";

/* A scene in which ' stands for ". */
static inline void place_scene(trial* t, const char* words) {
    char text[4096];
    assert_true(strlen(words) < sizeof text);
    for (size_t i = 0; i <= strlen(words); i++) text[i] = words[i] == '\'' ? '"' : words[i];
    failing_place(&t->disk, "dir/s.json", text);
}

static inline void prepare_scene(trial* t) {
    place_scene(t, whole_scene);
    failing_place(&t->disk, "dir/tetra.obj", TETRAHEDRON);
    place_open_mesh(&t->files);
}

static inline sup_result load_scene(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_scene_options options = sup_scene_options_default();
    options.allocator = t->allocator;
    options.files = &t->files;
    sup_result result = sup_scene_load(&options, "dir/s.json", &t->scene, error);
    if (result == SUP_OK) t->world = sup_scene_world(t->scene);
    return result;
}

static inline sup_result drive(trial* t, int32_t frame, sup_error* error) {
    return sup_scene_drive(t->scene, frame, error);
}

static inline sup_result set_detail(trial* t, int32_t body, sup_error* error) {
    return sup_scene_set_detail(t->scene, body, 0, error);
}

/* Body 3 is the last that is fine. */
static inline sup_result adapt(trial* t, int32_t frame, sup_error* error) {
    sup_detail_choice choice;
    sup_result result = sup_scene_adapt(t->scene, 2, &choice, error);
    if (result != SUP_OK) return result;
    note(t, (uint64_t)(int64_t)choice.body);
    must(t, choice.body == (frame == 3 ? 3 : -1), "body %d is chosen", (int)choice.body);
    return SUP_OK;
}

static inline void play_scene(trial* t, int32_t item) {
    (void)item;
    attempt(t, load_scene, 0);
    for (int32_t frame = 1; frame <= 4; frame++) {
        attempt(t, drive, frame);
        attempt(t, step, frame);
        if (frame < 3) attempt(t, set_detail, frame);
        attempt(t, adapt, frame);
    }
}

#endif
