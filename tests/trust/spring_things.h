/* Deeds that fill a world with springs: cloth that hangs in the wind, tears, is refined or limited,
   a block of tetrahedra that yields, a balloon, a rope, and springs beside clusters. */
#ifndef SUPPLE_TESTS_TRUST_SPRING_THINGS_H
#define SUPPLE_TESTS_TRUST_SPRING_THINGS_H

#include "supple/weave.h"
#include "trust/things.h"

/* Blueprints of springs, after those of clusters. MIXED has both, and springs that are too stiff
   for the step: it explodes and is put back. */
enum { CLOTH = PRINTS, TORN, REFINED, TETRA, BALLOON, ROPE, MIXED, SPRING_PRINTS };
enum { SPRING_BODIES = SPRING_PRINTS - CLOTH };

static inline sup_result weave(trial* t, int32_t print, sup_web* web, sup_error* error) {
    sup_weave_grid_def grid = sup_weave_grid_default();
    sup_weave_block_def block = sup_weave_block_default();
    sup_weave_mesh_def mesh = sup_weave_mesh_default();
    sup_weave_rope_def rope = sup_weave_rope_default();
    switch (print) {
    case TETRA:
        block.cells[0] = block.cells[1] = 1;
        block.cells[2] = 2;
        return sup_weave_block(t->allocator, &block, web, error);
    case BALLOON: {
        sup_mesh ball;
        sup_result result = sup_mesh_icosphere(t->allocator, 0.3, 0, &ball, error);
        if (result != SUP_OK) return result;
        mesh.mesh = &ball;
        result = sup_weave_mesh(t->allocator, &mesh, web, error);
        sup_mesh_free(&ball);
        return result;
    }
    case ROPE: rope.count = 5; return sup_weave_rope(t->allocator, &rope, web, error);
    default:
        grid.count[0] = grid.count[1] = print == REFINED ? 3 : 4;
        grid.sides[0] = grid.sides[1] = 0.6;
        grid.levels = print == REFINED ? 2 : 0;
        return sup_weave_grid(t->allocator, &grid, web, error);
    }
}

static inline sup_result make_spring_print(trial* t, int32_t print, sup_error* error) {
    static const int32_t pins[2] = {0, 3};
    sup_web web;
    sup_result result = weave(t, print, &web, error);
    if (result != SUP_OK) return result;
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.allocator = t->allocator;
    def.tears = print == TORN;
    def.spare = 1.0;
    def.pins = pins;
    def.pin_count = print <= REFINED ? 2 : 0;
    if (print == MIXED) def.layout = SUP_CLUSTERS_WHOLE;
    result = sup_blueprint_create(&def, &t->prints[print], error);
    sup_web_free(&web);
    return result;
}

static inline void make_spring_prints(trial* t) {
    for (int32_t i = CLOTH; i < SPRING_PRINTS; i++) attempt(t, make_spring_print, i);
}

static inline sup_spring_settings springs_of(int32_t print) {
    sup_spring_settings springs = sup_spring_settings_default();
    switch (print) {
    case CLOTH:
        springs.limit = 0.02;
        springs.limit_kinds = SUP_LIMIT_STRUCT_SHEAR;
        break;
    case TORN: springs.tear = 0.02; break;
    case REFINED: springs.refine_angle = 5.0; break;
    case TETRA:
        springs.solid.volume = 1e4;
        springs.yield.strain = 0.001;
        springs.anchor.frequency = 3.0;
        springs.newton = 2;
        break;
    case BALLOON:
        springs.pressure.inside = 100.0;
        springs.solid.area = 10.0;
        springs.solid.bend = 0.01;
        springs.integrator = SUP_INTEGRATOR_VELOCITY_VERLET;
        break;
    case ROPE: springs.integrator = SUP_INTEGRATOR_POSITION_VERLET; break;
    default: break;
    }
    return springs;
}

/* One of each blueprint, in the order of these. */
static inline sup_result hang(trial* t, int32_t item, sup_error* error) {
    sup_body_def def = sup_body_default();
    def.blueprint = t->prints[CLOTH + item];
    def.position[0] = item;
    def.position[1] = item + CLOTH < TETRA ? 1.0 : 0.35;
    def.velocity[1] = -2.0;
    def.springs = springs_of(CLOTH + item);
    return sup_body_create(t->world, &def, &t->bodies[item], error);
}

static inline sup_result blow(trial* t, int32_t item, sup_error* error) {
    sup_wind wind = sup_wind_default();
    wind.velocity[2] = 5.0 + item;
    wind.gust = 2.0;
    return sup_world_set_wind(t->world, &wind, error);
}

static inline void furnish_springs(trial* t, int32_t threads) {
    attempt(t, make_world, threads);
    attempt(t, make_collider, FLOOR);
    for (int32_t i = 0; i < SPRING_BODIES; i++) attempt(t, hang, i);
    attempt(t, blow, 0);
}

/* The first pin of a body goes away from the second. */
static inline void pull(trial* t, sup_body body, double x, int32_t frame) {
    const sup_point pins[2] = {{x - 0.3 - 0.05 * frame, 1.0, -0.3}, {x + 0.3, 1.0, -0.3}};
    assert_int_equal(sup_body_move_pins(t->world, body, pins, NULL), SUP_OK);
}

static inline void run_springs(trial* t, int32_t from, int32_t to) {
    for (int32_t frame = from; frame < to; frame++) {
        pull(t, t->bodies[TORN - CLOTH], TORN - CLOTH, frame);
        attempt(t, step, frame);
    }
}

#endif
