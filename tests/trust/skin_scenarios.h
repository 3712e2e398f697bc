/* A scenario of skins: making a blueprint with one, bodies of it, and asking where it is drawn. */
#ifndef SUPPLE_TESTS_TRUST_SKIN_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_SKIN_SCENARIOS_H

#include "supple/solid.h"
#include "trust/world_scenarios.h"

enum { SKIN_BODIES = 3, SKIN_VERTICES = 162 };

static inline void prepare_skin(trial* t) {
    assert_int_equal(sup_mesh_icosphere(t->allocator, 0.3, 2, &t->mesh, NULL), SUP_OK);
}

static inline sup_result make_skin(trial* t, int32_t item, sup_error* error) {
    static const sup_cluster_layout layouts[SKIN_BODIES] = {SUP_CLUSTERS_WHOLE, SUP_CLUSTERS_CUBES,
                                                            SUP_CLUSTERS_LATTICE};
    sup_blueprint_def def = sup_blueprint_default();
    def.allocator = t->allocator;
    def.surface = &t->mesh;
    def.fill = 0.12;
    def.skin = SUP_SKIN_CLUSTERS;
    def.layout = layouts[item];
    def.cube = 0.36;
    return sup_blueprint_create(&def, &t->prints[item], error);
}

static inline sup_result wear_skin(trial* t, int32_t item, sup_error* error) {
    sup_body_def def = sup_body_default();
    def.blueprint = t->prints[item];
    def.position[0] = 0.5 * item;
    def.position[1] = 0.3;
    def.material.mode = item == 1 ? SUP_MATCH_QUADRATIC : SUP_MATCH_LINEAR;
    return sup_body_create(t->world, &def, &t->bodies[item], error);
}

static inline sup_result wear_solid(trial* t, int32_t item, sup_error* error) {
    sup_body_def def = sup_body_default();
    def.blueprint = t->prints[item];
    def.position[0] = 0.7 * item;
    def.position[1] = 0.3;
    return sup_body_create(t->world, &def, &t->bodies[item], error);
}

/* Needs no memory: the body brought room for it. */
static inline void look_at_skins(trial* t) {
    const sup_filter all = {1, UINT32_MAX};
    const double above[3] = {0.1, 3, 0}, down[3] = {0, -9, 0};
    sup_vec3 points[SKIN_VERTICES];
    sup_hit hit;
    long long calls = t->memory.calls;
    for (int32_t i = 0; i < SKIN_BODIES; i++) {
        assert_int_equal(sup_body_read_vertices(t->world, t->bodies[i], NULL, points), SUP_OK);
        note_bytes(t, points, sizeof points);
    }
    note_hit(t, sup_world_cast_ray(t->world, above, down, all, &hit), &hit);
    note(t, trial_view(t, SUP_DRAW_SURFACES));
    must(t, t->memory.calls == calls, "looking at a skin asks for memory");
}

/* ---- Solids ---- */

static const sup_solid_kind solid_kinds[SKIN_BODIES] = {SUP_SOLID_CLUSTERS, SUP_SOLID_SPRINGS,
                                                        SUP_SOLID_FRAMES};

/* From a surface to a blueprint, with all that lies between. */
static inline sup_result make_solid(trial* t, int32_t item, sup_error* error) {
    sup_solid_def how = sup_solid_default();
    how.kind = solid_kinds[item];
    how.tets.cell = 0.35;
    how.particles = 12;
    sup_solid* solid;
    sup_result result = sup_solid_create(t->allocator, &t->mesh, &how, &solid, error);
    if (result != SUP_OK) return result;
    sup_blueprint_def def = sup_solid_blueprint(solid);
    result = sup_blueprint_create(&def, &t->prints[item], error);
    sup_solid_free(solid);
    return result;
}

/* One kind at a time: each allocation is refused in a run of its own. */
static inline void look_at_solid(trial* t, int32_t item) {
    sup_vec3 points[SKIN_VERTICES];
    assert_int_equal(sup_body_read_vertices(t->world, t->bodies[item], NULL, points), SUP_OK);
    note_bytes(t, points, sizeof points);
}

static inline void play_solids(trial* t, int32_t item) {
    attempt(t, make_solid, item);
    attempt(t, make_world, 1);
    attempt(t, wear_solid, item);
    attempt(t, step, 0);
    look_at_solid(t, item);
    attempt(t, save, 0);
    sup_world_destroy(t->world);
    t->world = NULL;
    attempt(t, make_world, 1);
    attempt(t, restore, 0);
    look_at_solid(t, item);
}

static inline void play_skin(trial* t, int32_t item) {
    (void)item;
    for (int32_t i = 0; i < SKIN_BODIES; i++) attempt(t, make_skin, i);
    attempt(t, make_world, 1);
    attempt(t, make_collider, FLOOR);
    for (int32_t i = 0; i < SKIN_BODIES; i++) attempt(t, wear_skin, i);
    for (int32_t i = 0; i < 8; i++) attempt(t, step, i);
    look_at_skins(t);
    attempt(t, save, 0);
    sup_world_destroy(t->world);
    t->world = NULL;
    attempt(t, make_world, 1);
    attempt(t, restore, 0);
    look_at_skins(t);
}

/* ---- Solids that meet ---- */

/* They reach into each other, a bit more from step to step. */
static inline sup_result wear_overlapping(trial* t, int32_t item, sup_error* error) {
    sup_body_def def = sup_body_default();
    def.blueprint = t->prints[0];
    def.position[0] = 0.45 * item;
    def.velocity[0] = -2.0 * item;
    def.overlap.edges = true;
    return sup_body_create(t->world, &def, &t->bodies[item], error);
}

static inline void prepare_solids(trial* t) {
    prepare_skin(t);
    assert_int_equal(make_solid(t, 0, NULL), SUP_OK);
    assert_int_equal(make_world(t, 1, NULL), SUP_OK);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(wear_overlapping(t, i, NULL), SUP_OK);
}

static inline void play_solids_meet(trial* t, int32_t item) {
    (void)item;
    for (int32_t i = 0; i < 4; i++) attempt(t, step, i);
    sup_contact contacts[200];
    must(t, sup_world_contacts(t->world, contacts, 200) > 4, "solids do not meet");
    attempt(t, save, 0);
}

#endif
