/* Scenarios of worlds: creating, stepping, growing, saving, restoring, asking. */
#ifndef SUPPLE_TESTS_TRUST_WORLD_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_WORLD_SCENARIOS_H

#include "trust/things.h"

/* ---- Creating ---- */

/* Changes that could need memory; those of the sheet do. */
enum { EDITS = 9 };
static inline sup_result edit(trial* t, int32_t item, sup_error* error) {
    sup_material material = sup_body_default().material;
    const double up[3] = {0, 0.1, 0}, turn[4] = {0, 0.6, 0, 0.8}, place[3] = {2, 0.1, 0};
    material.stiffness = 90.0;
    switch (item) {
    case 0: return sup_body_set_material(t->world, t->bodies[0], &material, error);
    case 1: return sup_body_set_region_material(t->world, t->bodies[2], 1, &material, error);
    case 2: return sup_body_teleport(t->world, t->bodies[1], up, turn, error);
    case 3: return sup_attachment_move(t->world, t->attachments[2], up, error);
    case 4: return sup_collider_place(t->world, t->colliders[LIFT], place, turn, error);
    case 5: return sup_body_destroy(t->world, t->bodies[11]);
    case 6: return sup_collider_destroy(t->world, t->colliders[SHEET]);
    case 7:
        material.plastic.on = true;
        return sup_body_set_material(t->world, t->bodies[9], &material, error);
    default: return sup_attachment_destroy(t->world, t->attachments[8]);
    }
}

static inline void play_create(trial* t, int32_t item) {
    (void)item;
    furnish(t, 1);
    for (int32_t i = 0; i < EDITS; i++) attempt(t, edit, i);
    /* what was destroyed makes room */
    attempt(t, make_collider, SHEET);
    attempt(t, make_body, 11);
    attempt(t, make_attachment, 8);
    run_frames(t, 0, 2);
}

/* ---- Stepping ---- */

static inline void prepare_world(trial* t) {
    make_prints(t);
    furnish(t, 1);
}

static inline void prepare_threaded_world(trial* t) {
    make_prints(t);
    furnish(t, 2);
}

static inline void play_step(trial* t, int32_t item) {
    (void)item;
    run_frames(t, 0, 8);
}

static inline void prepare_run(trial* t) {
    prepare_world(t);
    run_frames(t, 0, 3);
}

/* ---- Contacts that grow in the middle of a step ---- */

/* Two lie still; the others fall on the first and on each other. */
enum { SLEEPERS = 2 };
static inline sup_result drop_body(trial* t, int32_t item, sup_error* error) {
    int layer = item / 3;
    bool falls = item >= SLEEPERS;
    sup_body_def def = sup_body_default();
    def.blueprint = t->prints[item % 4 == 3 ? CUBES : BALL];
    def.position[0] = item == 1 ? 7.0 : 0.55 * (item % 3) + 0.1 * layer;
    def.position[1] = falls ? 0.63 + 0.65 * layer : 0.2;
    def.position[2] = 0.1 * (item % 2);
    def.velocity[1] = falls ? -2.0 - 3.0 * layer : 0.0;
    return sup_body_create(t->world, &def, &t->bodies[item], error);
}

/* Nobody meets the sleepers yet. */
static inline void prepare_fall(trial* t) {
    make_prints(t);
    attempt(t, make_world, 1);
    attempt(t, make_collider, HILLS);
    attempt(t, make_collider, FLOOR);
    for (int32_t i = 0; i < SLEEPERS; i++) attempt(t, drop_body, i);
    for (int32_t i = 0; i < 12; i++) attempt(t, step, i);
    for (int32_t i = SLEEPERS; i < BODIES; i++) attempt(t, drop_body, i);
    attempt(t, step, 0);
    assert_int_equal(sup_world_measure(t->world).asleep_count, SLEEPERS);
    assert_int_equal(sup_world_measure(t->world).contact_count, 0);
}

static inline void play_growth(trial* t, int32_t item) {
    (void)item;
    int32_t most = 0, grown = 0;
    for (int32_t i = 0; i < 14; i++) {
        /* one is woken by its user, the other by what falls on it */
        if (i == 2) assert_int_equal(sup_body_wake(t->world, t->bodies[1]), SUP_OK);
        attempt(t, step, i);
        int32_t contacts = sup_world_measure(t->world).contact_count;
        grown += contacts > most;
        most = contacts > most ? contacts : most;
    }
    must(t, grown > 8, "contacts grow in %d steps only", (int)grown);
    must(t, !sup_body_is_asleep(t->world, t->bodies[0]), "the sleeper sleeps on");
}

/* ---- Blueprints that are exchanged ---- */

/* All bodies in cubes become blocks, or the other way round. */
static inline sup_result exchange(trial* t, int32_t item, sup_error* error) {
    sup_body body = t->bodies[item < 2 ? 2 : 4];
    return sup_body_set_blueprint(t->world, body, t->prints[item % 2 ? CUBES : BLOCK], error);
}

static inline void play_exchange(trial* t, int32_t item) {
    (void)item;
    for (int32_t i = 0; i < 4; i++) {
        attempt(t, exchange, i);
        run_frames(t, 3 + i, 4 + i);
    }
}

/* ---- Snapshots ---- */

static inline sup_result save(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return sup_world_save(t->world, &t->saved, error);
}

static inline void play_save(trial* t, int32_t item) {
    (void)item;
    attempt(t, save, 0);
    note_bytes(t, t->saved.data, t->saved.size);
    run_frames(t, 3, 5);
}

/* A snapshot from another world, so that nothing of it is there already. */
static inline void prepare_snapshot(trial* t) {
    prepare_run(t);
    attempt(t, save, 0);
    sup_world_destroy(t->world);
    t->world = NULL;
    attempt(t, make_world, 1);
}

static inline void prepare_snapshot_for_full_world(trial* t) {
    prepare_run(t);
    attempt(t, save, 0);
    run_frames(t, 3, 5);
    for (int32_t i = 0; i < EDITS; i++) attempt(t, edit, i);
}

static inline sup_result restore(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return sup_world_restore(t->world, t->saved.data, t->saved.size, error);
}

static inline void play_restore(trial* t, int32_t item) {
    (void)item;
    attempt(t, restore, 0);
    run_frames(t, 3, 5);
}

/* ---- Rest shapes ---- */

static inline sup_result bake(trial* t, int32_t item, sup_error* error) {
    sup_blueprint* baked = NULL;
    sup_result result = sup_body_bake(t->world, t->bodies[item], &baked, error);
    if (result != SUP_OK) return result;
    sup_blueprint_info info = sup_blueprint_get_info(baked);
    note_bytes(t, info.centre, sizeof info.centre);
    sup_blueprint_release(baked);
    return SUP_OK;
}

/* One that has flowed, one of many clusters and regions, one with pins and an open surface. */
static inline void play_bake(trial* t, int32_t item) {
    (void)item;
    const int32_t bodies[3] = {1, 2, 5};
    for (int i = 0; i < 3; i++) attempt(t, bake, bodies[i]);
    run_frames(t, 3, 4);
}

/* ---- Questions ---- */

static inline void note_hit(trial* t, bool found, const sup_hit* hit) {
    note(t, found);
    if (!found) return;
    note(t, (uint64_t)hit->body.slot << 32 | hit->collider.slot);
    note_bytes(t, hit->point, sizeof hit->point);
}

/* None of these can fail: they ask for no memory at all. */
static inline sup_result ask(trial* t, int32_t item, sup_error* error) {
    (void)item;
    (void)error;
    const sup_filter all = {1, UINT32_MAX};
    const double above[3] = {0.1, 3, 0}, down[3] = {0, -9, 0}, middle[3] = {0, 0.4, 0};
    sup_hit hits[8];
    int32_t count;
    note_hit(t, sup_world_cast_ray(t->world, above, down, all, hits), hits);
    note_hit(t, sup_world_nearest_particle(t->world, middle, 2, all, hits), hits);
    note(t, (uint64_t)sup_world_overlap_sphere(t->world, middle, 0.5, all, hits, 8));
    sup_contact contacts[8];
    note(t, (uint64_t)sup_world_contacts(t->world, contacts, 8));
    sup_world_meetings(t->world, &count);
    note(t, (uint64_t)count);
    sup_world_events(t->world, &count);
    note(t, (uint64_t)count);
    note(t, trial_view(t, SUP_DRAW_ALL));
    sup_measures measures = sup_world_measure(t->world);
    note_bytes(t, &measures.kinetic, sizeof measures.kinetic);
    return SUP_OK;
}

static inline void play_query(trial* t, int32_t item) {
    (void)item;
    attempt(t, ask, 0);
    must(t, t->memory.calls == 0, "questions ask for memory");
    run_frames(t, 3, 4);
}

#endif
