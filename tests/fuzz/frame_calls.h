/* Calls about oriented particles: chains and boxes of links and parts, how they move, and their
   turns. */
#ifndef SUPPLE_TESTS_FUZZ_FRAME_CALLS_H
#define SUPPLE_TESTS_FUZZ_FRAME_CALLS_H

#include "fuzz/choices.h"

enum { CALLS_LINKS = 16 };

/* ---- How frames move ---- */

/* Each pick changes one thing, so that few of them make settings that are seldom refused. */
static inline void calls_change_frames(calls* c, sup_frame_settings* s) {
    switch (calls_pick(c, 14)) {
    case 0: s->mode = (sup_frame_mode)calls_pick(c, 3); break;
    case 1: s->stiffness = calls_above(c, 400); break;
    case 2: s->modulus = calls_above(c, 1e6); break;
    case 3: s->damping = calls_above(c, 10); break;
    case 4: s->turn_damping = calls_above(c, 10); break;
    case 5: s->turn = calls_above(c, 1); break;
    case 6: s->restores_momentum = false; break;
    case 7: s->meets_itself = false; break;
    case 8:
        s->torsion = (sup_torsion_mode)calls_pick(c, 3);
        s->slerp = calls_above(c, 1);
        break;
    case 9: s->air.across = calls_above(c, 2); break;
    case 10: s->rolling_friction = calls_above(c, 1); break;
    case 11:
        s->friction = (sup_friction_rule)calls_pick(c, 3);
        s->drag = calls_above(c, 1);
        s->turn_drag = calls_above(c, 1);
        break;
    default:
        s->plastic.speed = calls_above(c, 2);
        if (calls_chance(c, 2)) s->plastic.limit = calls_above(c, 1);
        if (calls_chance(c, 2)) s->plastic.time = calls_above(c, 0.2);
        if (calls_chance(c, 2)) s->plastic.keep = calls_above(c, 1);
        break;
    }
}

static inline sup_frame_settings calls_frames(calls* c) {
    sup_frame_settings settings = sup_frame_settings_default();
    for (int32_t left = calls_pick(c, 4); left > 0; left--) calls_change_frames(c, &settings);
    return settings;
}

/* ---- Blueprints ---- */

/* Arrays that a blueprint is made from. */
typedef struct calls_rig {
    sup_vec3 points[CALLS_POINTS];
    sup_ellipsoid ellipsoids[CALLS_POINTS];
    float masses[CALLS_POINTS], stiffness[CALLS_POINTS];
    sup_link links[CALLS_LINKS];
    int32_t pins[2], starts[3], members[CALLS_POINTS];
} calls_rig;

/* A ladder of 2 x 6 particles, which few numbers change. */
static inline void calls_fill_rig(calls* c, calls_rig* r) {
    for (int i = 0; i < CALLS_POINTS; i++) {
        r->points[i] = (sup_vec3){0.2f * (float)(i / 2), 0.2f * (float)(i % 2), 0};
        r->ellipsoids[i] = (sup_ellipsoid){{0, 0, 0, 1}, {0.1f, 0.05f, 0.08f}};
        r->masses[i] = calls_chance(c, 12) ? (float)calls_number(c, 1) : 0.1f;
        r->stiffness[i] = calls_chance(c, 12) ? (float)calls_number(c, 400) : -1.0f;
        r->members[i] = i;
    }
    for (int i = 0; i < CALLS_LINKS; i++) {
        r->links[i] = (sup_link){.a = i < 10 ? i : 2 * (i - 10), .length = -1, .torsion = -1};
        r->links[i].b = r->links[i].a + (i < 10 ? 2 : 1);
    }
    for (int32_t left = calls_pick(c, 4); left > 0; left--) {
        sup_link* link = &r->links[calls_pick(c, CALLS_LINKS)];
        switch (calls_pick(c, 5)) {
        case 0: link->b = calls_pick(c, 14) - 1; break;
        case 1: link->length = (float)calls_number(c, 0.5); break;
        case 2: link->compliance = (float)calls_above(c, 0.1); break;
        case 3: link->torsion = (float)calls_number(c, 1); break;
        default: link->damping = (float)calls_above(c, 1); break;
        }
    }
    r->starts[0] = 0;
    for (int i = 1; i < 3; i++) {
        r->starts[i] = calls_chance(c, 8) ? calls_pick(c, 15) - 1 : 3 * i + calls_pick(c, 3);
        if (r->starts[i] > CALLS_POINTS) r->starts[i] = CALLS_POINTS; /* there are no more */
    }
    if (calls_chance(c, 2)) r->members[3] = 2; /* two parts, and a joint */
    for (int i = 0; i < 2; i++) r->pins[i] = calls_pick(c, 13);
}

/* A blueprint of links and parts. */
static inline sup_result calls_join(calls* c, sup_blueprint** print) {
    calls_rig rig;
    sup_blueprint_def def = sup_blueprint_default();
    calls_fill_rig(c, &rig);
    def.allocator = c->allocator;
    def.layout = SUP_CLUSTERS_NONE;
    def.points = rig.points;
    def.point_count = CALLS_POINTS;
    def.masses = rig.masses;
    def.radius = 0.1;
    def.links = rig.links;
    def.link_count = calls_pick(c, 3) > 0 ? CALLS_LINKS : 0;
    def.part_count = calls_pick(c, 3);
    def.part_starts = rig.starts;
    def.part_members = rig.members;
    def.parts_yield = def.part_count > 0 && calls_chance(c, 2);
    if (calls_chance(c, 2)) def.ellipsoids = rig.ellipsoids;
    if (calls_chance(c, 3)) def.frame_stiffness = rig.stiffness;
    if (calls_chance(c, 3)) def.pin_count = 1 + calls_pick(c, 2);
    def.pins = rig.pins;
    if (calls_chance(c, 8)) def.layout = (sup_cluster_layout)calls_pick(c, 5);
    sup_error error = {0};
    sup_result result = sup_blueprint_create(&def, print, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    return result;
}

/* ---- Bodies ---- */

static inline bool calls_turns(const calls* c, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(c->world, body);
    if (!print) return false;
    const sup_blueprint_info info = sup_blueprint_get_info(print);
    return info.link_count + info.part_count > 0 && info.particle_count <= CALLS_POINTS;
}

static inline sup_quat calls_quat(calls* c) {
    double q[4];
    calls_numbers(c, 1, 4, q);
    return (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/* Of a body that turns. */
static inline sup_result calls_edit_frames(calls* c, sup_body body) {
    sup_error error = {0};
    sup_quat turns[CALLS_POINTS];
    sup_vec3 spins[CALLS_POINTS];
    sup_frame_settings settings;
    int32_t way = calls_pick(c, 4), which;
    float spin;
    FUZZ_MUST(sup_body_read_turns(c->world, body, turns, spins));
    switch (way) {
    case 0:
        settings = calls_frames(c);
        return sup_body_set_frames(c->world, body, &settings, &error);
    case 1:
        for (int i = 0; i < 2; i++) turns[i] = calls_quat(c);
        return sup_body_turn_pins(c->world, body, turns, &error);
    default:
        which = calls_pick(c, CALLS_POINTS);
        turns[which] = calls_quat(c);
        spin = (float)calls_number(c, 20);
        spins[calls_pick(c, CALLS_POINTS)].x = spin;
        return sup_body_write_turns(c->world, body, way == 2 ? turns : NULL, spins, &error);
    }
}

/* Where the particles are, and far from them, was somewhere at rest, if there is a skin. */
static inline void calls_ask_rest(const calls* c, sup_body body) {
    sup_point places[CALLS_POINTS + 1] = {{0, 0, 0}}, rest[CALLS_POINTS + 1];
    bool found[CALLS_POINTS + 1];
    sup_error error = {0};
    int32_t count = calls_particle_count(c, body) + 1;
    FUZZ_MUST(sup_body_read_particles(c->world, body, places, NULL));
    sup_result result = sup_body_find_rest(c->world, body, count, places, rest, found, &error);
    FUZZ_REQUIRE(result == SUP_OK || (error.code == result && error.text[0]));
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        FUZZ_REQUIRE(isfinite(rest[i].x) && isfinite(rest[i].y) && isfinite(rest[i].z));
    }
}

static inline void calls_ask_frames(const calls* c, sup_body body) {
    sup_quat turns[CALLS_POINTS];
    if (!calls_turns(c, body)) return;
    calls_ask_rest(c, body);
    FUZZ_MUST(sup_body_read_turns(c->world, body, turns, NULL));
    for (int32_t i = 0; i < calls_particle_count(c, body); i++) {
        const sup_quat* q = turns + i;
        float length = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
        FUZZ_REQUIRE(length > 0.99f && length < 1.01f);
    }
}

#endif
