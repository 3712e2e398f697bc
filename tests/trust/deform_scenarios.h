/* Scenarios of surfaces that are pulled, cut, pushed aside and moved between landmarks. */
#ifndef SUPPLE_TESTS_TRUST_DEFORM_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_DEFORM_SCENARIOS_H

#include "supple/deform.h"
#include "trust/build_scenarios.h"

enum { DEFORMERS = 5 };

/* The result takes the place of the trial's mesh. */
static inline void keep_mesh(trial* t, sup_mesh* mesh) {
    sup_mesh_free(&t->mesh);
    t->mesh = *mesh;
}

/* Pulled plainly (0) and with edges that are split and joined (1). */
static inline sup_result pull_clay(trial* t, int32_t item, sup_error* error) {
    sup_clay_def made = sup_clay_default();
    sup_clay* clay;
    sup_mesh mesh;
    sup_clay_maps maps;
    sup_result result = sup_clay_create(t->allocator, &t->mesh, &made, &clay, error);
    if (result != SUP_OK) return result;
    sup_pull_def def = sup_pull_default();
    const int32_t point = 7;
    const sup_vec3 by = {0.02f, 0.1f, 0.03f};
    if (item == 1) {
        def.transfer = 0.5;
        def.split = 1.3;
        def.squeeze = SUP_SQUEEZE_COLLAPSE;
    }
    result = sup_clay_pull(clay, &def, 1, &point, &by, NULL, error);
    if (result == SUP_OK) result = sup_clay_mesh(clay, t->allocator, &mesh, &maps, error);
    sup_clay_destroy(clay);
    if (result != SUP_OK) return result;
    sup_clay_maps_free(&maps);
    keep_mesh(t, &mesh);
    return SUP_OK;
}

static inline sup_result cut_faces(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_mesh mesh;
    sup_result result = sup_mesh_triangulate(t->allocator, &t->mesh, NULL, NULL, &mesh, error);
    if (result == SUP_OK) keep_mesh(t, &mesh);
    return result;
}

static inline sup_result push_aside(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_mesh tool;
    sup_result result = sup_mesh_icosphere(t->allocator, 0.1, 1, &tool, error);
    if (result != SUP_OK) return result;
    sup_warp_def def = sup_warp_default();
    def.shape = SUP_WARP_MESH;
    def.mesh = &tool;
    result = sup_points_warp(t->allocator, &def, t->mesh.point_count, t->mesh.points,
                             t->mesh.points, error);
    sup_mesh_free(&tool);
    return result;
}

static inline sup_result move_between(trial* t, int32_t item, sup_error* error) {
    (void)item;
    static const sup_vec3 from[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 1, 0}, {1, 0, 1}};
    static const sup_vec3 to[6] = {{0, 0.1f, 0}, {1, 0, 0}, {0, 1, 0.2f},
                                   {0, 0, 1},    {1, 1, 0}, {1, 0.3f, 1}};
    sup_landmarks_def def = sup_landmarks_default();
    def.compact = true;
    return sup_points_landmarks(t->allocator, &def, 6, from, to, t->mesh.point_count,
                                t->mesh.points, t->mesh.points, NULL, error);
}

static inline void play_deform(trial* t, int32_t item) {
    attempt(t, make_shape, 0);
    if (item <= 1) attempt(t, pull_clay, item);
    if (item == 2) attempt(t, cut_faces, 0);
    if (item == 3) attempt(t, push_aside, 0);
    if (item == 4) attempt(t, move_between, 0);
    note_mesh(t);
}

#endif
