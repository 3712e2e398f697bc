/* Scenarios of springs: weaving and hanging them, changing how they move, stepping until they have
   torn and are refined, saving, restoring, and a scene of them. */
#ifndef SUPPLE_TESTS_TRUST_SPRING_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_SPRING_SCENARIOS_H

#include "trust/scene_scenarios.h"
#include "trust/spring_things.h"
#include "trust/world_scenarios.h"

/* ---- Weaving and hanging ---- */

static inline void play_weave(trial* t, int32_t item) {
    attempt(t, make_spring_print, CLOTH + item);
    sup_blueprint_info info = sup_blueprint_get_info(t->prints[CLOTH + item]);
    note(t, (uint64_t)info.particle_count << 32 | (uint64_t)info.spring_count);
    attempt(t, make_world, 1);
    attempt(t, hang, item);
    attempt(t, blow, 0);
    attempt(t, step, 0);
}

/* ---- Changing ---- */

/* Other forces beside the springs, other integrators, and none of them again. */
enum { SPRING_EDITS = 8 };
static inline sup_result edit_springs(trial* t, int32_t item, sup_error* error) {
    sup_spring_settings springs = springs_of(SPRING_PRINTS); /* plain ones */
    sup_body cloth = t->bodies[0], block = t->bodies[TETRA - CLOTH];
    switch (item) {
    case 0:
        springs.solid.bend = 0.1;
        springs.yield.strain = 0.05;
        return sup_body_set_springs(t->world, cloth, &springs, error);
    case 1: springs.integrator = SUP_INTEGRATOR_RK4; break;
    case 2:
        springs.pressure.inside = 100.0;
        springs.anchor.frequency = 2.0;
        break;
    case 3: return blow(t, 1, error);
    case 4: return sup_body_reset(t->world, t->bodies[TORN - CLOTH]);
    case 5: return sup_body_destroy(t->world, t->bodies[BALLOON - CLOTH]);
    case 6: return hang(t, BALLOON - CLOTH, error);
    default: break;
    }
    return sup_body_set_springs(t->world, block, &springs, error);
}

static inline void prepare_springs(trial* t) {
    make_spring_prints(t);
    furnish_springs(t, 1);
}

static inline void prepare_threaded_springs(trial* t) {
    make_spring_prints(t);
    furnish_springs(t, 2);
}

static inline void play_spring_edits(trial* t, int32_t item) {
    (void)item;
    for (int32_t i = 0; i < SPRING_EDITS; i++) {
        attempt(t, edit_springs, i);
        run_springs(t, i, i + 1);
    }
}

/* ---- Stepping ---- */

static inline void play_springs(trial* t, int32_t item) {
    (void)item;
    run_springs(t, 0, 8);
    sup_spring_measures measures = sup_world_measure(t->world).springs;
    must(t, measures.torn > 0 && measures.level > 0, "torn %d times, cut %d times",
         (int)measures.torn, (int)measures.level);
}

static inline void prepare_spring_run(trial* t) {
    prepare_springs(t);
    run_springs(t, 0, 8);
}

/* All but the one that tears and the one that has exploded: these are refused. */
static inline void play_spring_bake(trial* t, int32_t item) {
    (void)item;
    for (int32_t i = 0; i < SPRING_BODIES; i++) {
        if (CLOTH + i != TORN && CLOTH + i != MIXED) attempt(t, bake, i);
    }
    run_springs(t, 8, 9);
}

/* ---- Snapshots ---- */

static inline void prepare_spring_snapshot(trial* t) {
    prepare_spring_run(t);
    attempt(t, save, 0);
    sup_world_destroy(t->world);
    t->world = NULL;
    attempt(t, make_world, 1);
}

static inline void prepare_spring_snapshot_for_full_world(trial* t) {
    prepare_spring_run(t);
    attempt(t, save, 0);
    run_springs(t, 8, 10);
    for (int32_t i = 0; i < SPRING_EDITS; i++) attempt(t, edit_springs, i);
}

static inline void play_spring_restore(trial* t, int32_t item) {
    (void)item;
    attempt(t, restore, 0);
    run_springs(t, 8, 10);
}

/* ---- Scenes ---- */

static const char woven_scene[] =
    "{'version': 1, 'wind': {'velocity': [3, 0, 0], 'gust': 1}, 'bodies': ["
    "{'shape': {'grid': {'size': [1, 1], 'segments': [2, 2]}}, 'weave': {'cloth': {'tear': 0.1}}, "
    "'position': [0, 2, 0], 'pins': [{'index': [0]}]},"
    "{'shape': {'grid': {'size': [1, 1], 'segments': [2, 2]}}, 'weave': {'cloth': {'levels': 1}}, "
    "'position': [2, 2, 0]},"
    "{'shape': {'icosphere': {'radius': 0.3, 'subdivisions': 0}}, 'weave': {'mesh': {'struts': "
    "{}}}, 'springs': {'pressure': {'inside': 100}}, 'position': [4, 2, 0]},"
    "{'shape': {'icosphere': {'radius': 0.3, 'subdivisions': 0}}, 'weave': {'shell': {'centre': "
    "true}}, 'position': [6, 2, 0]},"
    "{'shape': {'box': {'size': [0.1, 0.1, 0.2]}}, 'weave': {'block': {}}, 'springs': {'solid': "
    "{'volume': 10}}, 'position': [8, 2, 0]},"
    "{'shape': {'voxels': {'file': 'full.raw', 'cells': [2, 2, 1]}}, 'weave': {'hexes': {}}, "
    "'position': [10, 2, 0]},"
    "{'shape': {'rope': {'segments': 3}}, 'weave': {'rope': {}}, 'position': [12, 2, 0]}]}";

static inline void prepare_woven_scene(trial* t) {
    place_scene(t, woven_scene);
    failing_place(&t->disk, "dir/full.raw", "abcd");
}

static inline void play_woven_scene(trial* t, int32_t item) {
    (void)item;
    attempt(t, load_scene, 0);
    for (int32_t frame = 1; frame <= 3; frame++) {
        attempt(t, drive, frame);
        attempt(t, step, frame);
    }
}

#endif
