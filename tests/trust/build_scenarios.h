/* Scenarios of what is built before there is a world: meshes of all shapes, and blueprints of all
   kinds. */
#ifndef SUPPLE_TESTS_TRUST_BUILD_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_BUILD_SCENARIOS_H

#include "supple/diagnose.h"
#include "supple/mesh.h"
#include "trust/trial.h"

static inline void note_mesh(trial* t) {
    const sup_mesh* mesh = &t->mesh;
    note_bytes(t, mesh->points, (size_t)mesh->point_count * sizeof *mesh->points);
    note_bytes(t, mesh->starts, ((size_t)mesh->polygon_count + 1) * sizeof *mesh->starts);
    note_bytes(t, mesh->corners, (size_t)mesh->corner_count * sizeof *mesh->corners);
}

/* ---- Meshes ---- */

enum { SHAPES = 5 };
static inline sup_result make_shape(trial* t, int32_t item, sup_error* error) {
    const double size[3] = {0.4, 0.4, 0.4};
    const int32_t cells[3] = {3, 3, 3};
    switch (item) {
    case 0: return sup_mesh_box(t->allocator, size, cells, &t->mesh, error);
    case 1: return sup_mesh_icosphere(t->allocator, 0.2, 2, &t->mesh, error);
    case 2: return sup_mesh_torus(t->allocator, 0.2, 0.08, 12, 8, &t->mesh, error);
    case 3: return sup_mesh_capsule(t->allocator, 0.1, 0.3, 8, 3, 4, &t->mesh, error);
    default: return sup_mesh_grid(t->allocator, 0.4, 0.4, 4, 4, &t->mesh, error);
    }
}

static inline sup_result weld(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_mesh welded;
    sup_weld_map map;
    sup_result result = sup_mesh_weld(t->allocator, &t->mesh, -1, &welded, &map, error);
    if (result != SUP_OK) return result;
    sup_mesh_free(&welded);
    sup_weld_map_free(&map);
    return SUP_OK;
}

static inline sup_result inspect(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_mesh_report report;
    return sup_mesh_inspect(t->allocator, &t->mesh, &report, error);
}

static inline sup_result find_neighbours(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_adjacency adjacency;
    sup_result result = sup_mesh_adjacency(t->allocator, &t->mesh, &adjacency, error);
    if (result == SUP_OK) sup_adjacency_free(&adjacency);
    return result;
}

static inline sup_result fill(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_vec3* points;
    int32_t count;
    sup_result result = sup_mesh_fill(t->allocator, &t->mesh, 0.1, 0.05, &points, &count, error);
    if (result == SUP_OK) sup_points_free(t->allocator, points, count);
    return result;
}

static inline void play_mesh(trial* t, int32_t shape) {
    attempt(t, make_shape, shape);
    note_mesh(t);
    attempt(t, weld, 0);
    attempt(t, inspect, 0);
    attempt(t, find_neighbours, 0);
    if (shape < SHAPES - 1) attempt(t, fill, 0); /* the sheet is open */
}

/* ---- Blueprints ---- */

enum { PRINT_KINDS = SHAPES + 7 };

/* The shapes in turn, with fill, cubes, regions and pins; then explicit clusters, loose points,
   masses and elements on the last, the cells of a filled box, and lattices of points and in that
   box under its skin. */
static inline sup_result make_print(trial* t, int32_t item, sup_error* error) {
    static const int32_t pins[] = {1, 3}, starts[] = {0, 15, 30};
    int32_t members[30]; /* three rows of the sheet each */
    for (int32_t i = 0; i < 30; i++) members[i] = i < 15 ? i : i - 5;
    static const sup_vec3 loose[] = {{0, 0.1f, 0}, {0.1f, 0.1f, 0}, {0, 0.1f, 0.1f}};
    static const uint8_t regions[2000] = {0, 1, 1, 0, 1};
    static float masses[25];
    for (int i = 0; i < 25; i++) masses[i] = 0.1f + 0.01f * (float)i;
    sup_blueprint_def def = sup_blueprint_default();
    def.allocator = t->allocator;
    def.surface = &t->mesh;
    if (item < SHAPES - 1) {
        def.fill = 0.1;
        def.layout = item % 2 ? SUP_CLUSTERS_WHOLE : SUP_CLUSTERS_CUBES;
        def.cube = 0.3;
        def.region_count = 2;
        def.regions = regions;
        def.allow_joints = true;
    }
    def.pin_count = item % 2 ? 2 : 0;
    def.pins = pins;
    if (item == SHAPES) {
        def.layout = SUP_CLUSTERS_EXPLICIT;
        def.cluster_count = 2;
        def.cluster_starts = starts;
        def.cluster_members = members;
        def.allow_joints = true;
    }
    if (item == SHAPES + 1) {
        def.point_count = 3;
        def.points = loose;
    }
    if (item == SHAPES + 2) def.masses = masses;
    if (item >= SHAPES + 3) def.layout = SUP_CLUSTERS_ELEMENTS;
    if (item == SHAPES + 3) {
        for (int32_t i = 0; i < 24; i++) members[i] = i;
        members[24] = 24, members[25] = 0, members[26] = 5, members[27] = 10;
        def.element_corners = 4;
        def.element_count = 7;
        def.elements = members;
        def.allow_joints = true;
    }
    if (item == SHAPES + 4) def.fill = 0.1;
    sup_vec3 nodes[60];
    for (int i = 0; i < 60; i++) {
        nodes[i] =
            (sup_vec3){0.1f * (float)(i % 5), 0.1f * (float)(i / 5 % 4), 0.1f * (float)(i / 20)};
    }
    if (item == SHAPES + 5) {
        def.surface = NULL;
        def.layout = SUP_CLUSTERS_LATTICE;
        def.fill = 0.1;
        def.reach = 2;
        def.points = nodes;
        def.point_count = 60;
        def.region_count = 2;
        def.regions = regions;
    }
    if (item == SHAPES + 6) {
        def.layout = SUP_CLUSTERS_LATTICE;
        def.fill = 0.1;
        def.skin = SUP_SKIN_CLUSTERS;
    }
    return sup_blueprint_create(&def, &t->prints[item], error);
}

static inline sup_result diagnose(trial* t, int32_t item, sup_error* error) {
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count = 0;
    sup_result result =
        sup_blueprint_diagnose(t->prints[item], SUP_MATCH_QUADRATIC, list, &count, error);
    for (int32_t i = 0; i < count; i++) note_bytes(t, list[i].text, strlen(list[i].text));
    return result;
}

static inline void play_blueprint(trial* t, int32_t item) {
    attempt(t, make_shape, item < SHAPES ? item : item >= SHAPES + 4 ? 0 : SHAPES - 1);
    attempt(t, make_print, item);
    attempt(t, diagnose, item);
    sup_blueprint_info info = sup_blueprint_get_info(t->prints[item]);
    note(t, (uint64_t)info.particle_count << 32 | (uint64_t)info.membership_count);
    sup_vec3* rest = calloc((size_t)info.particle_count, sizeof *rest);
    assert_non_null(rest);
    sup_blueprint_read_rest(t->prints[item], rest);
    note_bytes(t, rest, (size_t)info.particle_count * sizeof *rest);
    free(rest);
}

#endif
