/* Deeds that fill a world with something of everything: colliders of all kinds, bodies that lie on
   each other, sleep, are paused and hang on pins, attachments that hold and break. */
#ifndef SUPPLE_TESTS_TRUST_THINGS_H
#define SUPPLE_TESTS_TRUST_THINGS_H

#include "supple/mesh.h"
#include "trust/trial.h"

#define TRIAL_DT (1.0 / 60.0)

/* More than the eight that arrays have room for at first. */
enum { COLLIDERS = 9, BODIES = 13, ATTACHMENTS = 9, SHEET_SIDE = 4 };
/* BLOCK: CUBES with one cluster, to be exchanged for them. */
enum { BALL, CUBES, FLAG, BLOCK, SURFACES, LATTICE = SURFACES, PRINTS };

/* ---- The world ---- */

static inline void hear(void* user, sup_world* world, const sup_event* event) {
    trial* t = user;
    (void)world;
    const uint64_t words[] = {(uint64_t)event->kind, event->body.slot,       event->body.age,
                              event->other.slot,     event->other.age,       event->collider.slot,
                              event->collider.age,   event->attachment.slot, event->attachment.age};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        t->told = supi_hash_word(t->told, words[i]);
    }
    t->told = supi_hash_double(t->told, event->value);
}

/* In which bodies fall asleep soon. */
static inline sup_result make_world(trial* t, int32_t threads, sup_error* error) {
    sup_world_def def = sup_world_default();
    def.allocator = t->allocator;
    def.threads = threads;
    def.sleep_speed = 0.5;
    def.sleep_time = 0.05;
    def.on_event = hear;
    def.user = t;
    return sup_world_create(&def, &t->world, error);
}

/* ---- Colliders ---- */

/* A sheet that rises in its middle from frame to frame. */
static inline void sheet_at(int32_t frame, sup_vec3 points[SHEET_SIDE * SHEET_SIDE]) {
    for (int i = 0; i < SHEET_SIDE * SHEET_SIDE; i++) {
        int x = i % SHEET_SIDE, z = i / SHEET_SIDE;
        bool inside = x % (SHEET_SIDE - 1) > 0 && z % (SHEET_SIDE - 1) > 0;
        points[i] = (sup_vec3){0.4f * (float)x - 0.6f, inside ? 0.02f * (float)frame : 0,
                               0.4f * (float)z - 0.6f};
    }
}

static inline sup_result make_sheet(trial* t, sup_collider_def* def, sup_collider* out,
                                    sup_error* error) {
    sup_vec3 points[SHEET_SIDE * SHEET_SIDE];
    int32_t starts[10], corners[36], count = 0;
    sheet_at(0, points);
    for (int z = 0; z + 1 < SHEET_SIDE; z++) {
        for (int x = 0; x + 1 < SHEET_SIDE; x++, count++) {
            int32_t at = z * SHEET_SIDE + x;
            const int32_t quad[4] = {at, at + SHEET_SIDE, at + SHEET_SIDE + 1, at + 1};
            memcpy(corners + 4 * count, quad, sizeof quad);
            starts[count] = 4 * count;
        }
    }
    starts[count] = 4 * count;
    sup_mesh mesh = {.point_count = SHEET_SIDE * SHEET_SIDE,
                     .polygon_count = count,
                     .corner_count = 4 * count,
                     .points = points,
                     .starts = starts,
                     .corners = corners};
    def->mesh = &mesh;
    def->thickness = 0.02;
    return sup_collider_create(t->world, def, out, error);
}

/* The first and the ninth, which make the arrays of the world grow, have arrays of their own. */
enum { HILLS, FLOOR, SENSOR, LIFT, PILLAR, BOWL, STONE, PEBBLE, SHEET };

static inline sup_result make_collider(trial* t, int32_t item, sup_error* error) {
    static const struct {
        sup_collider_kind kind;
        double at[3];
    } colliders[COLLIDERS] = {
        {SUP_COLLIDER_HEIGHTS, {0, 0.2, -3}}, {SUP_COLLIDER_PLANE, {0, 0, 0}},
        {SUP_COLLIDER_SPHERE, {0, 0.3, 0}},   {SUP_COLLIDER_BOX, {2, 0.2, 0}},
        {SUP_COLLIDER_CAPSULE, {-2, 0, 0}},   {SUP_COLLIDER_CAPSULE, {0, 0, 0}},
        {SUP_COLLIDER_SPHERE, {4, 0, 0}},     {SUP_COLLIDER_SPHERE, {5, 0, 0}},
        {SUP_COLLIDER_MESH, {0, 0.4, 3}},
    };
    float heights[12];
    for (int i = 0; i < 12; i++) heights[i] = 0.1f * (float)(i % 3);
    sup_collider_def def = sup_collider_default();
    def.kind = colliders[item].kind;
    memcpy(def.position, colliders[item].at, sizeof def.position);
    def.half_size[1] = 0.1;
    def.sensor = item == SENSOR;
    def.inverted = item == BOWL;
    if (item == BOWL) def.radius = 50.0;
    if (item == SHEET) return make_sheet(t, &def, &t->colliders[item], error);
    def.height_count[0] = 4;
    def.height_count[1] = 3;
    def.height_step[0] = def.height_step[1] = 0.5;
    def.heights = heights;
    return sup_collider_create(t->world, &def, &t->colliders[item], error);
}

/* ---- Bodies ---- */

static inline void make_prints(trial* t) {
    static uint8_t regions[256];
    for (size_t i = 0; i < sizeof regions; i++) regions[i] = (uint8_t)(i % 2);
    static const int32_t pins[] = {0, 2};
    sup_vec3 nodes[24];
    for (int i = 0; i < 24; i++) {
        nodes[i] =
            (sup_vec3){0.1f * (float)(i % 4), 0.1f * (float)(i / 4 % 3), 0.1f * (float)(i / 12)};
    }
    sup_mesh meshes[SURFACES];
    sup_blueprint_def defs[PRINTS];
    const double cube[3] = {0.4, 0.4, 0.4};
    const int32_t cells[3] = {3, 3, 3};
    assert_int_equal(sup_mesh_icosphere(NULL, 0.2, 1, &meshes[BALL], NULL), SUP_OK);
    assert_int_equal(sup_mesh_box(NULL, cube, cells, &meshes[CUBES], NULL), SUP_OK);
    assert_int_equal(sup_mesh_grid(NULL, 0.4, 0.4, 2, 2, &meshes[FLAG], NULL), SUP_OK);
    assert_int_equal(sup_mesh_box(NULL, cube, cells, &meshes[BLOCK], NULL), SUP_OK);
    for (int i = 0; i < PRINTS; i++) {
        defs[i] = sup_blueprint_default();
        defs[i].allocator = t->allocator;
        if (i < SURFACES) defs[i].surface = &meshes[i];
    }
    defs[LATTICE].layout = SUP_CLUSTERS_LATTICE;
    defs[LATTICE].fill = 0.1;
    defs[LATTICE].points = nodes;
    defs[LATTICE].point_count = 24;
    defs[CUBES].layout = SUP_CLUSTERS_CUBES;
    defs[CUBES].cube = 0.3;
    defs[CUBES].region_count = defs[BLOCK].region_count = 2;
    defs[CUBES].regions = defs[BLOCK].regions = regions;
    defs[FLAG].mass = 0.2;
    defs[FLAG].pin_count = 2;
    defs[FLAG].pins = pins;
    for (int i = 0; i < PRINTS; i++) {
        assert_int_equal(sup_blueprint_create(&defs[i], &t->prints[i], NULL), SUP_OK);
        if (i < SURFACES) sup_mesh_free(&meshes[i]);
    }
}

enum { PAUSED = 8 };

static inline sup_result make_body(trial* t, int32_t item, sup_error* error) {
    static const struct {
        int print;
        double at[3];
    } bodies[BODIES] = {
        {BALL, {0, 0.2, 0}},      {BALL, {0.1, 0.55, 0}}, {CUBES, {-0.4, 0.3, 0}},
        {BALL, {0.35, 0.3, 0.1}}, {CUBES, {2, 0.6, 0}},   {FLAG, {0, 0.9, 0}},
        {BALL, {7, 0.199, 0}}, /* sleeps soon */
        {BALL, {0, 0.62, 3}},     {BALL, {3.2, 0.4, 0}},  {BALL, {0.2, 0.7, -3}},
        {BALL, {-2, 0.75, 0}},    {BALL, {5, 0.75, 0}},   {LATTICE, {-5, 0.4, 0}},
    };
    sup_body_def def = sup_body_default();
    sup_material materials[2] = {def.material, def.material};
    materials[1].stiffness = 60.0;
    def.blueprint = t->prints[bodies[item].print];
    memcpy(def.position, bodies[item].at, sizeof def.position);
    def.velocity[1] = item == 6 ? 0.0 : -1.0;
    if (bodies[item].print == CUBES) def.region_materials = materials;
    if (item == 3) def.material.scheme = SUP_SCHEME_P;
    if (item == 1 || item == 7 || item == 12) {
        def.material.plastic.on = true;
        def.material.plastic.yield = 0.001;
    }
    sup_result result = sup_body_create(t->world, &def, &t->bodies[item], error);
    if (result == SUP_OK && item == PAUSED) {
        result = sup_body_set_paused(t->world, t->bodies[item], true);
    }
    return result;
}

/* ---- Attachments ---- */

/* Between bodies, to a collider, to places, one that breaks in the second step. */
static inline sup_result make_attachment(trial* t, int32_t item, sup_error* error) {
    sup_attachment_def def = sup_attachment_default();
    def.body = t->bodies[item % 5];
    def.particle = item;
    def.here = item % 3 != 0;
    def.stiffness = 200.0;
    if (item % 3 == 0) def.other = t->bodies[item % 5 + 1];
    if (item % 3 == 1) def.collider = t->colliders[LIFT];
    if (item % 3 == 0) def.length = -1.0;
    if (item == 4) def.break_force = 1.0;
    return sup_attachment_create(t->world, &def, &t->attachments[item], error);
}

/* ---- A world of all of them ---- */

static inline void furnish(trial* t, int32_t threads) {
    attempt(t, make_world, threads);
    for (int32_t i = 0; i < COLLIDERS; i++) attempt(t, make_collider, i);
    for (int32_t i = 0; i < BODIES; i++) attempt(t, make_body, i);
    for (int32_t i = 0; i < ATTACHMENTS; i++) attempt(t, make_attachment, i);
}

static inline sup_result move_sheet(trial* t, int32_t frame, sup_error* error) {
    sup_vec3 points[SHEET_SIDE * SHEET_SIDE];
    sheet_at(frame, points);
    return sup_collider_move_points(t->world, t->colliders[SHEET], points, error);
}

/* Steps have no messages; their result says it all. */
static inline sup_result take_step(sup_world* world, sup_error* error) {
    *error = (sup_error){.text = "a step"};
    return error->code = sup_world_step(world, TRIAL_DT);
}

static inline sup_result step(trial* t, int32_t item, sup_error* error) {
    (void)item;
    return take_step(t->world, error);
}

/* Frames in which things are moved. */
static inline void run_frames(trial* t, int32_t from, int32_t to) {
    for (int32_t frame = from; frame < to; frame++) {
        const double turn[4] = {0, 0, 0, 1}, lift[3] = {2, 0.2 + 0.01 * frame, 0};
        const sup_point pins[2] = {{-0.2, 0.9, -0.2 + 0.01 * frame}, {0.2, 0.9, -0.2}};
        attempt(t, move_sheet, frame);
        assert_int_equal(sup_collider_move(t->world, t->colliders[LIFT], lift, turn, NULL), SUP_OK);
        assert_int_equal(sup_body_move_pins(t->world, t->bodies[5], pins, NULL), SUP_OK);
        attempt(t, step, frame);
    }
}

#endif
