/* A world with something of everything that a snapshot has to keep, and who moves it by frame. */
#ifndef SUPPLE_TESTS_TAPE_STAGE_H
#define SUPPLE_TESTS_TAPE_STAGE_H

#include "world/yard.h"

typedef struct stage {
    sup_world* world;
    sup_body jelly, flag, gone;
    sup_collider lift, drum;
    sup_attachment rope, spring, lost;
} stage;

enum { DRUM_SIDE = 5 };

/* A sheet of points that swings with time. */
static inline void stage_drum(int32_t frame, sup_vec3* points) {
    for (int i = 0; i < DRUM_SIDE * DRUM_SIDE; i++) {
        int x = i % DRUM_SIDE, z = i / DRUM_SIDE;
        bool inside = x > 0 && z > 0 && x < DRUM_SIDE - 1 && z < DRUM_SIDE - 1;
        float y = inside ? 0.08f * (float)sin(0.2 * frame + x) : 0.0f;
        points[i] = (sup_vec3){0.6f * (float)(x - 2), y, 0.6f * (float)(z - 2)};
    }
}

static inline sup_collider add_drum(sup_world* world) {
    sup_vec3 points[DRUM_SIDE * DRUM_SIDE];
    int32_t starts[17], corners[64], count = 0;
    stage_drum(0, points);
    for (int z = 0; z + 1 < DRUM_SIDE; z++) {
        for (int x = 0; x + 1 < DRUM_SIDE; x++) {
            int at = z * DRUM_SIDE + x;
            const int32_t quad[4] = {at, at + DRUM_SIDE, at + DRUM_SIDE + 1, at + 1};
            memcpy(corners + 4 * count, quad, sizeof quad);
            starts[count] = 4 * count;
            count++;
        }
    }
    starts[16] = 64;
    sup_mesh mesh = {NULL, DRUM_SIDE * DRUM_SIDE, 16, 64, points, starts, corners, 0};
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &mesh;
    def.thickness = 0.03;
    def.position[0] = 4.0;
    def.position[1] = 0.5;
    return add_collider(world, &def);
}

static inline void add_hills(sup_world* world) {
    float heights[6 * 7];
    for (int i = 0; i < 6 * 7; i++) heights[i] = 0.1f * (float)((i * 7) % 5) - 0.6f;
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_HEIGHTS;
    def.height_count[0] = 6;
    def.height_count[1] = 7;
    def.heights = heights;
    def.position[2] = 3.0;
    add_collider(world, &def);
}

static inline void add_solids(stage* s) {
    sup_world* world = s->world;
    add_floor(world);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.radius = 1.5;
    def.sensor = true;
    def.user = 77;
    add_collider(world, &def);
    def = sup_collider_default();
    def.kind = SUP_COLLIDER_BOX;
    def.position[0] = -3.0;
    s->lift = add_collider(world, &def);
    def.kind = SUP_COLLIDER_CAPSULE;
    def.inverted = true;
    def.radius = 30.0;
    add_collider(world, &def);
    s->drum = add_drum(world);
    add_hills(world);
}

/* Two regions, one of them stiffer. */
static inline sup_body add_striped(sup_world* world) {
    static uint8_t regions[4096];
    sup_blueprint_def def = in_cubes(0.25, 0.75);
    for (size_t i = 0; i < sizeof regions; i++) regions[i] = (uint8_t)(i % 3 == 0);
    def.region_count = 2;
    def.regions = regions;
    sup_blueprint* print = box_of((double[3]){1, 1, 1}, 4, def);
    sup_body_def body = body_at(print, -3.0, 1.4, 0.1);
    sup_material materials[2] = {body.material, body.material};
    materials[1].stiffness = 60.0;
    materials[1].friction_static = 0.9;
    body.region_materials = materials;
    sup_body made = add_body(world, &body);
    sup_blueprint_release(print);
    return made;
}

/* Hung up at two corners, which stage_drive moves. */
static inline sup_body add_flag(sup_world* world) {
    static const int32_t pins[2] = {0, 4};
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 1.0, 1.0, 4, 4, &mesh, NULL), SUP_OK);
    sup_blueprint_def def = sup_blueprint_default();
    def.mass = 0.5;
    def.pin_count = 2;
    def.pins = pins;
    sup_blueprint* print = blueprint_of(&mesh, def);
    sup_body_def body = body_at(print, 0.0, 2.5, -2.0);
    body.stays_awake = true;
    sup_body made = add_body(world, &body);
    sup_blueprint_release(print);
    return made;
}

static inline void add_bodies(stage* s) {
    sup_world* world = s->world;
    sup_blueprint* ball = ball_of(0.4, 2, sup_blueprint_default());
    for (int i = 0; i < 5; i++) {
        sup_body_def def = body_at(ball, 0.3 * i, 0.6 + 0.9 * i, 0.05 * i);
        def.user = (uint64_t)i + 100;
        def.material.restitution = i == 3 ? 0.5 : 0.0;
        def.material.plastic.on = i == 1;
        def.material.plastic.yield = 0.001;
        def.angular_velocity[2] = 2.0;
        sup_body made = add_body(world, &def);
        if (i == 2) s->gone = made;
    }
    sup_body_def on_drum = body_at(ball, 4.0, 1.3, 0.0), on_hills = body_at(ball, 0.5, 0.4, 3.2);
    on_hills.material.scheme = SUP_SCHEME_P;
    add_body(world, &on_drum);
    sup_body held = add_body(world, &on_hills);
    sup_blueprint_release(ball);
    s->jelly = add_striped(world);
    s->flag = add_flag(world);

    sup_error error = {0};
    sup_attachment_def def = sup_attachment_default();
    def.body = s->jelly;
    def.collider = s->lift;
    def.here = true;
    def.stiffness = 400.0;
    def.damping = 2.0;
    assert_ok(sup_attachment_create(world, &def, &s->rope, &error), error);
    def = sup_attachment_default();
    def.body = held;
    def.other = s->flag;
    def.other_particle = 20;
    def.length = -1.0;
    def.break_force = 4000.0;
    def.user = 5;
    assert_ok(sup_attachment_create(world, &def, &s->spring, &error), error);
    def = sup_attachment_default();
    def.body = s->gone;
    def.point[1] = 3.0;
    def.stiffness = 20.0;
    assert_ok(sup_attachment_create(world, &def, &s->lost, &error), error);
}

static inline stage stage_make(const sup_world_def* def) {
    stage s = {.world = make_world(def)};
    add_solids(&s);
    add_bodies(&s);
    return s;
}

/* What a user does before the step that makes `frame`: depends on the frame alone. */
static inline void stage_drive(const stage* s, int32_t frame) {
    const double turn[4] = {0, sin(0.01 * frame), 0, cos(0.01 * frame)};
    const double lift[3] = {-3.0, 0.3 * sin(0.05 * frame), 0.0};
    if (frame <= 200) sup_collider_move(s->world, s->lift, lift, turn, NULL);
    if (frame % 3 == 0 && frame > 20) {
        sup_vec3 points[DRUM_SIDE * DRUM_SIDE];
        stage_drum(frame, points);
        sup_collider_move_points(s->world, s->drum, points, NULL);
    }
    const sup_point pins[2] = {{-0.5 + 0.1 * sin(0.1 * frame), 2.5, -2.5}, {0.5, 2.5, -2.5}};
    if (frame % 2 == 0) sup_body_move_pins(s->world, s->flag, pins, NULL);
    if (frame == 90) sup_body_set_paused(s->world, s->jelly, true);
    if (frame == 150) sup_body_set_paused(s->world, s->jelly, false);
    if (frame == 137) sup_body_destroy(s->world, s->gone);
}

static inline void stage_run(const stage* s, int32_t from, int32_t to) {
    for (int32_t frame = from + 1; frame <= to; frame++) {
        stage_drive(s, frame);
        assert_int_equal(sup_world_step(s->world, FRAME), SUP_OK);
    }
}

#endif
