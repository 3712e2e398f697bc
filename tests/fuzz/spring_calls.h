/* Calls about springs: webs of every kind and their blueprints, how springs move, and the wind. */
#ifndef SUPPLE_TESTS_FUZZ_SPRING_CALLS_H
#define SUPPLE_TESTS_FUZZ_SPRING_CALLS_H

#include "fuzz/choices.h"

/* ---- How springs move ---- */

static inline void calls_change_surface(calls* c, sup_spring_settings* s) {
    switch (calls_pick(c, 3)) {
    case 0: s->meets_itself = true; break;
    case 1: s->thickness = calls_above(c, 0.2); break;
    default: s->tear_force = calls_above(c, 100); break;
    }
}

/* Each pick changes one thing, so that few of them make settings that are seldom refused. */
static inline void calls_change_springs(calls* c, sup_spring_settings* s) {
    switch (calls_pick(c, 24)) {
    case 0: s->drag = calls_number(c, 10); break;
    case 1: s->tolerance = calls_above(c, 0.1); break;
    case 2: s->iterations = calls_pick(c, 100); break;
    case 3: s->newton = calls_pick(c, 6); break;
    case 4: s->adaptive = false; break;
    case 5: s->error_length = calls_above(c, 0.1); break;
    case 6: s->error_strain = calls_above(c, 0.1); break;
    case 7: s->limit = calls_above(c, 0.3); break;
    case 8: s->limit_compression = calls_above(c, 0.3); break;
    case 9: s->limit_kinds = (sup_limit_kinds)calls_pick(c, 3); break;
    case 10: s->limit_sweeps = calls_pick(c, 30); break;
    case 11: s->air.across = calls_above(c, 2); break;
    case 12: s->air.along = calls_above(c, 2); break;
    case 13:
        s->pressure.inside = calls_above(c, 1e5);
        s->pressure.outside = calls_above(c, 1e4);
        s->pressure.power = calls_above(c, 2);
        break;
    case 14: s->solid.area = calls_above(c, 1e3); break;
    case 15: s->solid.volume = calls_above(c, 1e5); break;
    case 16: s->solid.bend = calls_above(c, 10); break;
    case 17:
        s->anchor.frequency = calls_above(c, 100);
        s->anchor.damping = calls_above(c, 2);
        s->anchor.frame = (sup_anchor_frame)calls_pick(c, 3);
        break;
    case 18:
        s->yield.strain = calls_above(c, 0.1);
        s->yield.time = calls_above(c, 1);
        s->yield.limit = calls_above(c, 2);
        break;
    case 19: s->tear = calls_above(c, 0.3); break;
    case 20: s->refine_angle = calls_above(c, 45); break;
    case 21: s->refine_rule = (sup_refine_rule)calls_pick(c, 3); break;
    case 22: calls_change_surface(c, s); break;
    default: s->integrator = (sup_integrator)calls_pick(c, 9); break;
    }
}

static inline sup_spring_settings calls_springs(calls* c) {
    sup_spring_settings settings = sup_spring_settings_default();
    settings.error_length = 0.01; /* so that few steps are short, and the play is fast */
    for (int32_t left = calls_pick(c, 4); left > 0; left--) calls_change_springs(c, &settings);
    return settings;
}

static inline sup_wind calls_wind(calls* c) {
    sup_wind wind = sup_wind_default();
    calls_numbers(c, 20, 3, wind.velocity);
    if (calls_chance(c, 2)) wind.gust = calls_above(c, 10);
    if (calls_chance(c, 4)) wind.gust_length = calls_above(c, 2);
    if (calls_chance(c, 4)) wind.gust_time = calls_above(c, 2);
    if (calls_chance(c, 4)) wind.density = calls_number(c, 2);
    if (calls_chance(c, 4)) wind.seed = calls_pick(c, 9) - 1;
    return wind;
}

/* ---- Webs ---- */

static inline sup_result calls_weave_grid(calls* c, sup_web* web, sup_error* error) {
    sup_weave_grid_def def = sup_weave_grid_default();
    for (int k = 0; k < 2; k++) def.count[k] = 2 + calls_pick(c, 3);
    def.levels = calls_pick(c, 3);
    def.triangles = calls_chance(c, 3);
    if (calls_chance(c, 6)) calls_numbers(c, 1, 2, def.sides);
    if (calls_chance(c, 6)) calls_numbers(c, 1, 6, def.axes[0]);
    if (calls_chance(c, 6)) def.stretch = calls_number(c, 1e5);
    if (calls_chance(c, 6)) def.shear = calls_number(c, 1e5);
    if (calls_chance(c, 6)) def.bend = calls_number(c, 1e3);
    if (calls_chance(c, 6)) def.density = calls_number(c, 1);
    return sup_weave_grid(c->allocator, &def, web, error);
}

static inline sup_result calls_weave_rope(calls* c, sup_web* web, sup_error* error) {
    sup_weave_rope_def def = sup_weave_rope_default();
    def.count = 1 + calls_pick(c, 8);
    def.slack = calls_chance(c, 2);
    if (calls_chance(c, 3)) def.bend = calls_above(c, 1);
    if (calls_chance(c, 3)) def.stretch = calls_above(c, 1e5);
    return sup_weave_rope(c->allocator, &def, web, error);
}

static inline sup_result calls_weave_mesh(calls* c, sup_web* web, sup_error* error) {
    sup_weave_mesh_def def = sup_weave_mesh_default();
    sup_weave_struts_def struts = sup_weave_struts_default();
    def.mesh = &c->meshes[calls_pick(c, CALLS_MESHES)];
    if (calls_chance(c, 3)) def.stiffness = calls_number(c, 1e5);
    if (calls_chance(c, 3)) def.bend = calls_number(c, 1);
    sup_result result = sup_weave_mesh(c->allocator, &def, web, error);
    if (result != SUP_OK || !calls_chance(c, 2)) return result;
    struts.split = calls_chance(c, 2);
    result = sup_weave_struts(&struts, web, error);
    if (result != SUP_OK) sup_web_free(web);
    return result;
}

static inline sup_result calls_weave_shell(calls* c, sup_web* web, sup_error* error) {
    sup_weave_shell_def def = sup_weave_shell_default();
    def.mesh = &c->meshes[calls_chance(c, 4) ? 1 : 0];
    def.layers = 1 + calls_pick(c, 2);
    def.inner = (sup_weave_inner)calls_pick(c, 2);
    def.centre = calls_chance(c, 2);
    return sup_weave_shell(c->allocator, &def, web, error);
}

static inline sup_result calls_weave_tets(calls* c, sup_web* web, sup_error* error) {
    static const int32_t tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    sup_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    sup_weave_tets_def def = sup_weave_tets_default();
    if (calls_chance(c, 2)) points[4].x = (float)calls_number(c, 1);
    def.rule = (sup_weave_rule)calls_pick(c, 2);
    def.surface = calls_chance(c, 2);
    def.point_count = 5;
    def.points = points;
    def.tet_count = 2;
    def.tets = tets;
    return sup_weave_tets(c->allocator, &def, web, error);
}

static inline sup_result calls_weave_voxels(calls* c, sup_web* web, sup_error* error) {
    uint8_t full[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    sup_weave_voxels_def def = sup_weave_voxels_default();
    for (int k = 0; k < 3; k++) def.cells[k] = 1 + calls_pick(c, 2);
    full[calls_pick(c, 8)] = 0;
    def.voxels = full;
    def.tets = calls_chance(c, 2);
    def.surface = calls_chance(c, 2);
    if (calls_chance(c, 2)) def.space = calls_above(c, 1);
    return sup_weave_voxels(c->allocator, &def, web, error);
}

static inline sup_result calls_weave_block(calls* c, sup_web* web, sup_error* error) {
    sup_weave_block_def def = sup_weave_block_default();
    for (int k = 0; k < 3; k++) def.cells[k] = 1 + calls_pick(c, 2);
    def.surface = calls_chance(c, 2);
    if (calls_chance(c, 4)) def.young = calls_above(c, 1e7);
    return sup_weave_block(c->allocator, &def, web, error);
}

/* ---- Blueprints ---- */

/* A spring that is another, or nonsense. */
static inline void calls_change_spring(calls* c, sup_spring* s) {
    switch (calls_pick(c, 6)) {
    case 0: s->a = calls_pick(c, 12) - 1; break;
    case 1: s->length = (float)calls_number(c, 1); break;
    case 2: s->stiffness = (float)calls_number(c, 1e4); break;
    case 3: s->damping = (float)calls_number(c, 10); break;
    case 4: s->kind = (uint8_t)calls_pick(c, 5); break;
    default: s->slack = true; break;
    }
}

static inline sup_result calls_print_web(calls* c, const sup_web* web, sup_blueprint** print,
                                         sup_error* error) {
    sup_blueprint_def def = sup_web_blueprint(web);
    int32_t pins[3];
    def.allocator = c->allocator;
    for (int32_t i = 0; i < 3; i++) pins[i] = calls_pick(c, web->point_count);
    def.pins = pins;
    def.pin_count = calls_chance(c, 2) ? calls_pick(c, 4) : 0;
    def.tears = calls_chance(c, 3);
    if (calls_chance(c, 4)) def.spare = calls_above(c, 3);
    if (calls_chance(c, 4)) def.spring_damping = calls_above(c, 1);
    if (calls_chance(c, 4)) def.layout = (sup_cluster_layout)calls_pick(c, 6);
    if (calls_chance(c, 6)) def.cube = calls_number(c, 1);
    if (calls_chance(c, 6)) def.radius = calls_number(c, 0.1);
    if (calls_chance(c, 8)) def.refine.levels = calls_pick(c, 6) - 1;
    if (calls_chance(c, 8)) def.refine.cells[0] = calls_pick(c, 6) - 1;
    if (calls_chance(c, 8)) def.refine.bend[1] = calls_number(c, 1e3);
    if (calls_chance(c, 6)) calls_change_spring(c, &web->springs[calls_pick(c, web->spring_count)]);
    if (calls_chance(c, 8) && web->tet_count > 0) {
        int32_t corner = calls_pick(c, 9);
        web->tets[calls_pick(c, 4)] = corner;
    }
    return sup_blueprint_create(&def, print, error);
}

/* A blueprint of springs. */
static inline sup_result calls_weave(calls* c, sup_blueprint** print) {
    typedef sup_result weaver(calls * c, sup_web * web, sup_error * error);
    static weaver* const weavers[] = {calls_weave_grid,   calls_weave_grid,  calls_weave_rope,
                                      calls_weave_mesh,   calls_weave_shell, calls_weave_tets,
                                      calls_weave_voxels, calls_weave_block};
    sup_web web;
    sup_error error = {0};
    sup_result result = weavers[calls_pick(c, 8)](c, &web, &error);
    if (result == SUP_OK) {
        result = calls_print_web(c, &web, print, &error);
        sup_web_free(&web);
    }
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    return result;
}

/* ---- Asking ---- */

static inline void calls_ask_springs(const calls* c, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(c->world, body);
    sup_spring_measures measures;
    sup_result result = sup_body_measure_springs(c->world, body, &measures);
    sup_blueprint_info info = {0};
    if (print) info = sup_blueprint_get_info(print);
    FUZZ_REQUIRE((result == SUP_OK) == (info.spring_count > 0));
    if (result == SUP_OK) {
        FUZZ_REQUIRE(measures.energy >= 0.0 && isfinite(measures.energy));
        FUZZ_REQUIRE(isfinite(measures.most_strain) && isfinite(measures.mean_strain));
        FUZZ_REQUIRE(measures.torn >= 0 && measures.torn <= info.spare_count);
        FUZZ_REQUIRE(measures.active <= info.particle_count && measures.level <= 4);
    }
    int32_t ids[256];
    if (info.vertex_count > 256) return;
    result = sup_body_read_vertex_particles(c->world, body, ids);
    for (int32_t i = 0; result == SUP_OK && i < info.vertex_count; i++) {
        FUZZ_REQUIRE(ids[i] >= 0 && ids[i] < info.particle_count);
    }
}

#endif
