/* Scenarios of tapes: recording, going on, playing. */
#ifndef SUPPLE_TESTS_TRUST_TAPE_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_TAPE_SCENARIOS_H

#include "trust/spring_things.h"

enum { TAPE_FRAMES = 8, TAPE_SUBJECTS = 2 };

/* ---- Who records ---- */

/* Bodies of clusters, or of springs: one that tears in its wind, and one that is refined. */
static inline sup_blueprint* subject_print(const trial* t, int i) {
    static const int prints[TAPE_SUBJECTS][2] = {{BALL, FLAG}, {TORN, REFINED}};
    return t->prints[prints[t->item][i]];
}

static inline void make_subject_prints(trial* t) {
    if (t->item == 0)
        make_prints(t);
    else
        make_spring_prints(t);
}

/* A small world at its start. */
static inline sup_result make_subject(trial* t, sup_world** out, sup_error* error) {
    sup_world_def def = sup_world_default();
    sup_collider_def ground = sup_collider_default();
    sup_world* world;
    def.allocator = t->allocator;
    if (t->item == 1) def.wind = sup_wind_default();
    def.wind.velocity[0] = 30.0;
    sup_result result = sup_world_create(&def, &world, error);
    if (result != SUP_OK) return result;
    result = sup_collider_create(world, &ground, NULL, error);
    for (int i = 0; result == SUP_OK && i < 2; i++) {
        sup_body_def body = sup_body_default();
        body.blueprint = subject_print(t, i);
        if (t->item == 1) body.springs = springs_of(i ? REFINED : TORN);
        body.position[1] = 0.25 + 0.5 * i;
        result = sup_body_create(world, &body, NULL, error);
    }
    if (result == SUP_OK)
        *out = world;
    else
        sup_world_destroy(world);
    return result;
}

/* What is recorded of the subject: its first body, with a snapshot every third frame. */
static inline sup_tape_def tape_of(trial* t, sup_surface* surface) {
    const sup_blueprint* first = subject_print(t, 0);
    sup_blueprint_info info = sup_blueprint_get_info(first);
    *surface = (sup_surface){
        .name = "first", .point_count = info.vertex_count, .polygon_count = info.polygon_count};
    sup_blueprint_get_surface(first, &surface->starts, &surface->corners);
    sup_tape_def def = sup_tape_default();
    def.allocator = t->allocator;
    def.files = &t->files;
    def.frame_count = TAPE_FRAMES;
    def.snapshot_every = 3;
    def.surface_count = 1;
    def.surfaces = surface;
    def.scene = (const uint8_t*)"{}";
    def.scene_size = 2;
    return def;
}

static inline sup_result record_frame(sup_world* world, sup_recorder* recorder, sup_error* error) {
    static const double origin[3] = {0, 0, 0};
    sup_vec3 points[64];
    sup_body body;
    sup_world_bodies(world, &body, 1);
    assert_true(sup_blueprint_get_info(sup_body_blueprint(world, body)).vertex_count <= 64);
    assert_int_equal(sup_body_read_vertices(world, body, origin, points), SUP_OK);
    return sup_recorder_frame(recorder, world, points, error);
}

/* Goes on with what there is of a tape, or begins it; up to and with frame `last`, the last of all
   ends it. The world goes from its start. */
static inline sup_result record_world(trial* t, sup_world* world, int32_t last, sup_error* error) {
    sup_surface surface;
    sup_tape_def def = tape_of(t, &surface);
    sup_recorder* recorder = NULL;
    int32_t frame = -1;
    sup_result result = sup_recorder_resume(&def, "a.sup", world, &recorder, &frame, error);
    if (result == SUP_NOT_FOUND) result = sup_recorder_open(&def, "a.sup", world, &recorder, error);
    while (result == SUP_OK && frame < last) {
        if (frame >= 0) result = take_step(world, error);
        if (result == SUP_OK && frame >= 0) {
            result = sup_recorder_choice(recorder, 0, frame % 2, error);
        }
        if (result == SUP_OK) result = record_frame(world, recorder, error);
        frame++;
    }
    if (result == SUP_OK && last == TAPE_FRAMES - 1) return sup_recorder_close(recorder, error);
    sup_recorder_stop(recorder);
    return result;
}

/* ---- Recording ---- */

static inline sup_result record_until(trial* t, int32_t last, sup_error* error) {
    sup_world* world;
    sup_result result = make_subject(t, &world, error);
    if (result != SUP_OK) return result;
    result = record_world(t, world, last, error);
    sup_world_destroy(world);
    return result;
}

static inline void prepare_recording(trial* t) {
    make_subject_prints(t);
    failing_place(&t->disk, "a.sup", "old");
}

static inline void play_record(trial* t, int32_t item) {
    (void)item;
    attempt(t, record_until, TAPE_FRAMES - 1);
}

/* ---- Going on ---- */

static inline sup_result make_world_of_tape(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return make_subject(t, &t->world, error);
}

static inline void prepare_half(trial* t) {
    make_subject_prints(t);
    attempt(t, record_until, TAPE_FRAMES / 2);
    attempt(t, make_world_of_tape, 0);
}

/* The world takes the state of the last snapshot, or stays at its start. */
static inline sup_result resume(trial* t, int32_t item, sup_error* error) {
    (void)item;
    sup_surface surface;
    sup_tape_def def = tape_of(t, &surface);
    sup_recorder* recorder;
    int32_t frame;
    sup_result result = sup_recorder_resume(&def, "a.sup", t->world, &recorder, &frame, error);
    if (result == SUP_OK) sup_recorder_stop(recorder);
    return result;
}

static inline void play_resume(trial* t, int32_t item) {
    (void)item;
    attempt(t, resume, 0);
    for (int32_t i = 0; i < 3; i++) attempt(t, step, i);
    attempt(t, record_until, TAPE_FRAMES - 1);
}

/* ---- Playing ---- */

static inline void prepare_tape(trial* t) {
    make_subject_prints(t);
    attempt(t, record_until, TAPE_FRAMES - 1);
    attempt(t, make_world_of_tape, 0);
}

static inline sup_result open_tape(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return sup_tape_open(t->allocator, &t->files, "a.sup", &t->tape, error);
}

static inline sup_result check_tape(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return sup_tape_check(t->tape, error);
}

static inline sup_result read_frame(trial* t, int32_t frame, sup_error* error) {
    sup_vec3 points[64];
    int32_t count = sup_blueprint_get_info(subject_print(t, 0)).vertex_count;
    sup_result result = sup_tape_read_frame(t->tape, frame, points, error);
    if (result == SUP_OK) note_bytes(t, points, (size_t)count * sizeof *points);
    return result;
}

static inline sup_result restore_from_tape(trial* t, int32_t frame, sup_error* error) {
    return sup_tape_restore(t->tape, frame, t->world, error);
}

static inline sup_result close_tape(trial* t, int32_t item, sup_error* error) {
    (void)item;
    (void)error;
    sup_tape_close(t->tape);
    t->tape = NULL;
    return SUP_OK;
}

static inline void play_tape(trial* t, int32_t item) {
    (void)item;
    attempt(t, open_tape, 0);
    for (int32_t i = 0; i < TAPE_FRAMES; i += 3) attempt(t, read_frame, i);
    attempt(t, check_tape, 0);
    attempt(t, restore_from_tape, 3);
    for (int32_t i = 0; i < 2; i++) attempt(t, step, i);
    attempt(t, close_tape, 0);
}

#endif
