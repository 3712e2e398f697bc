/* What tests of scenes share: files in memory, scenes from text, refusals with their places. */
#ifndef SUPPLE_TESTS_SCENE_FIXTURE_H
#define SUPPLE_TESTS_SCENE_FIXTURE_H

#include <math.h>
#include <stdio.h>

#include "failing_files.h"
#include "supple/scene.h"

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

/* Two slopes that meet along an edge: an open surface. */
#define ROOF "v 0 0 0\nv 1 0 0\nv 1 0.5 0.5\nv 0 0.5 0.5\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf 4 3 5 6\n"
/* Two tetrahedra for Gmsh, of which the first is inside out; 0.5 m^3. */
#define TWO_TETS                                                                                   \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"        \
    "5 1 1 1\n$EndNodes\n$Elements\n2\n1 4 2 0 0 1 3 2 4\n2 4 2 0 0 2 3 4 5\n$EndElements\n"

/* A scene with one body, whose other keys are `more`. */
#define BODY(more) "{\"version\": 1, \"bodies\": [{\"shape\": \"box\"" more "}]}"

typedef struct fixture {
    failing_disk disk;
    sup_file_gate gate;
    test_allocator memory;
    sup_scene_options options;
} fixture;

/* A triangle in y = 0, NAME.obj, and NAME.pc2, in which it rises by so much (m) from each of three
 * frames to the next. */
static inline void place_rising_mesh(const sup_file_gate* gate, const char* path, float rise) {
    static const int32_t starts[] = {0, 3}, corners[] = {0, 1, 2};
    sup_surface surface = {
        .name = "open", .point_count = 3, .polygon_count = 1, .starts = starts, .corners = corners};
    sup_animation* animation;
    assert_int_equal(sup_pc2_open(NULL, gate, path, 1, &surface, 60, &animation, NULL), SUP_OK);
    for (int frame = 0; frame < 3; frame++) {
        float y = rise * (float)frame;
        sup_vec3 points[3] = {{-1, y, -1}, {0, y, 1}, {1, y, -1}};
        assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
}

/* dir/open.obj and dir/open.pc2. */
static inline void place_open_mesh(const sup_file_gate* gate) {
    place_rising_mesh(gate, "dir/open.pc2", 0.5f);
}

static inline void begin(fixture* f) {
    memset(f, 0, sizeof *f);
    f->gate = failing_gate(&f->disk);
    f->options = sup_scene_options_default();
    f->options.allocator = test_allocator_init(&f->memory);
    f->options.files = &f->gate;
    failing_place(&f->disk, "dir/tetra.obj", TETRAHEDRON);
    failing_place(&f->disk, "dir/roof.obj", ROOF);
    failing_place(&f->disk, "dir/two.msh", TWO_TETS);
    place_open_mesh(&f->gate);
    failing_place(&f->disk, "dir/cloud.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    failing_place(&f->disk, "dir/bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
}

static inline void end(fixture* f) {
    assert_int_equal(f->memory.blocks, 0);
    failing_wipe(&f->disk);
}

/* Scenes in tests may be written with ' in place of ", which C would make us escape. */
static inline sup_result parse(fixture* f, const char* text, sup_scene** scene, sup_error* error) {
    static char quoted[8192];
    size_t size = strlen(text);
    assert_true(size < sizeof quoted);
    for (size_t i = 0; i < size; i++) quoted[i] = text[i] == '\'' ? '"' : text[i];
    return sup_scene_parse(&f->options, "dir/s.json", (const uint8_t*)quoted, size, scene, error);
}

static inline sup_scene* load(fixture* f, const char* text) {
    sup_scene* scene = NULL;
    sup_error error = {0};
    sup_result result = parse(f, text, &scene, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return scene;
}

/* Drives and steps a scene to a frame, from the frame after `from`. */
static inline void run(sup_scene* scene, int32_t from, int32_t to) {
    for (int32_t frame = from + 1; frame <= to; frame++) {
        sup_error error = {0};
        if (sup_scene_drive(scene, frame, &error) != SUP_OK) fail_msg("%s", error.text);
        double dt = 1.0 / sup_scene_get_info(scene).fps;
        assert_int_equal(sup_world_step(sup_scene_world(scene), dt), SUP_OK);
    }
}

/* ---- refusals ---- */

typedef struct refusal {
    const char* scene;
    const char* text;
} refusal;

static inline void check_refusals(const refusal* refusals, size_t count) {
    fixture f;
    begin(&f);
    for (size_t i = 0; i < count; i++) {
        sup_scene* scene = NULL;
        sup_error error = {0};
        sup_result result = parse(&f, refusals[i].scene, &scene, &error);
        assert_string_equal(error.text, refusals[i].text);
        assert_int_not_equal(result, SUP_OK);
        assert_int_equal(result, error.code);
        assert_true(error.line > 0 && error.column > 0);
        assert_null(scene);
        assert_int_equal(f.memory.blocks, 0);
        assert_int_equal(parse(&f, refusals[i].scene, &scene, NULL), result);
    }
    end(&f);
}

#define CHECK(refusals) check_refusals(refusals, sizeof refusals / sizeof *refusals)

#endif
