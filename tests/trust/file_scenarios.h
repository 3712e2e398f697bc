/* Scenarios of files of other programs: meshes and clips in, meshes and animations out. */
#ifndef SUPPLE_TESTS_TRUST_FILE_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_FILE_SCENARIOS_H

#include "file/glb_by_hand.h"
#include "trust/build_scenarios.h"

enum { CLIP_FRAMES = 12, CLIP_FORMATS = 5, MESH_FORMATS = 6 };

/* ---- Animations out ---- */

/* Begins the animation of one surface in a format. */
static inline sup_result open_clip(trial* t, int32_t format, const sup_surface* surface,
                                   sup_animation** out, sup_error* error) {
    const sup_allocator* a = t->allocator;
    const sup_file_gate* f = &t->files;
    switch (format) {
    case 0: return sup_pc2_open(a, f, "clip.pc2", 1, surface, 24, out, error);
    case 1:
        return sup_glb_open(a, f, "clip.glb", 1, surface, 24, CLIP_FRAMES, CLIP_FRAMES, out, error);
    case 2: return sup_mdd_open(a, f, "clip.mdd", 1, surface, 24, CLIP_FRAMES, out, error);
    case 3: return sup_pvd_open(a, f, "clip.pvd", 1, surface, 24, out, error);
    default: return sup_usda_open(a, f, "clip.usda", 1, surface, 24, out, error);
    }
}

/* A ball of 642 points that rises: 92 kB, more than a writer keeps back. */
static inline sup_result write_clip(trial* t, int32_t format, sup_error* error) {
    sup_mesh ball;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.2, 3, &ball, NULL), SUP_OK);
    sup_surface surface = {.name = "ball",
                           .point_count = ball.point_count,
                           .polygon_count = ball.polygon_count,
                           .starts = ball.starts,
                           .corners = ball.corners};
    sup_animation* animation;
    sup_result result = open_clip(t, format, &surface, &animation, error);
    for (int frame = 0; result == SUP_OK && frame < CLIP_FRAMES; frame++) {
        for (int i = 0; i < ball.point_count; i++) ball.points[i].y += 0.01f;
        result = sup_animation_frame(animation, ball.points, error);
        if (result != SUP_OK) sup_animation_abort(animation);
    }
    if (result == SUP_OK) result = sup_animation_close(animation, error);
    sup_mesh_free(&ball);
    return result;
}

static inline void play_write_clip(trial* t, int32_t format) { attempt(t, write_clip, format); }

static inline void place_old_files(trial* t) {
    static const char* const names[] = {
        "clip.obj", "clip.pc2", "clip.mdd", "clip.glb", "clip.pvd", "clip-000001.vtu", "clip.usda",
        "m.obj",    "m.ply",    "m.stl",    "m.glb",    "m.vtu",    "m.usda"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        failing_place(&t->disk, names[i], names[i]);
    }
}

/* ---- Meshes out ---- */

static inline sup_result save_mesh(trial* t, int32_t format, sup_error* error) {
    static const char* const names[MESH_FORMATS] = {"m.obj", "m.ply", "m.stl",
                                                    "m.glb", "m.vtu", "m.usda"};
    sup_mesh ball;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.2, 4, &ball, NULL), SUP_OK);
    sup_result result = sup_mesh_save(t->allocator, &t->files, names[format], &ball, error);
    sup_mesh_free(&ball);
    return result;
}

static inline void play_save_mesh(trial* t, int32_t format) { attempt(t, save_mesh, format); }

/* ---- Meshes and clips in ---- */

static const char obj_text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4 3\n";
static const char ply_text[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

static const char stl_text[] =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\nendsolid s\n";

static inline void prepare_files(trial* t) {
    failing_place(&t->disk, "m.obj", obj_text);
    failing_place(&t->disk, "m.ply", ply_text);
    failing_place(&t->disk, "m.stl", stl_text);
    bytes binary = square_binary(), text = square_gltf("a.bin");
    failing_place_bytes(&t->disk, "a.bin", binary.data, binary.size);
    failing_place_bytes(&t->disk, "m.gltf", text.data, text.size);
    for (int32_t i = 0; i < 2; i++) attempt(t, write_clip, i);
}

static const char* const mesh_names[] = {"m.obj", "m.ply", "m.stl", "m.gltf", "clip.glb"};
static const char* const clip_names[] = {"clip.pc2", "clip.glb", "m.gltf"};
enum {
    MESH_FILES = sizeof mesh_names / sizeof *mesh_names,
    CLIP_FILES = sizeof clip_names / sizeof *clip_names
};

static inline sup_result load_mesh(trial* t, int32_t file, sup_error* error) {
    return sup_mesh_load(t->allocator, &t->files, mesh_names[file], &t->mesh, error);
}

static inline sup_result load_clip(trial* t, int32_t file, sup_error* error) {
    sup_clip clip;
    sup_result result = sup_clip_load(t->allocator, &t->files, clip_names[file], 24, &clip, error);
    if (result != SUP_OK) return result;
    note_bytes(t, clip.times, (size_t)clip.frame_count * sizeof *clip.times);
    note_bytes(t, clip.points,
               (size_t)clip.frame_count * (size_t)clip.point_count * sizeof *clip.points);
    sup_clip_free(&clip);
    return SUP_OK;
}

static inline void play_load_mesh(trial* t, int32_t file) {
    attempt(t, load_mesh, file);
    note_mesh(t);
}

static inline void play_load_clip(trial* t, int32_t file) { attempt(t, load_clip, file); }

#endif
