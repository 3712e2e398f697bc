/* Blocks and beads for tests of attachments, and ways to hold them. */
#ifndef SUPPLE_TESTS_WORLD_LINKS_H
#define SUPPLE_TESTS_WORLD_LINKS_H

#include "world/yard.h"

static inline sup_attachment attach(sup_world* world, const sup_attachment_def* def) {
    sup_error error = {0};
    sup_attachment made = {0};
    assert_ok(sup_attachment_create(world, def, &made, &error), error);
    return made;
}

static inline sup_attachment_def hold(sup_body body, int32_t particle) {
    sup_attachment_def def = sup_attachment_default();
    def.body = body;
    def.particle = particle;
    def.here = true;
    return def;
}

static inline sup_attachment_def join(sup_body body, int32_t particle, sup_body other,
                                      int32_t other_particle) {
    sup_attachment_def def = hold(body, particle);
    def.here = false;
    def.other = other;
    def.other_particle = other_particle;
    return def;
}

/* A block of 27 particles, edge 0.4 m, 5.4 kg, that meets nobody. */
enum { BLOCK_COUNT = 27 };
static const double block_mass = 5.4, block_step = 0.2;

static inline sup_blueprint* make_block(void) {
    sup_vec3 points[BLOCK_COUNT];
    sup_error error = {0};
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print = NULL;
    def.point_count = make_lattice(3, 3, 3, (double[3]){0.2, 0.2, 0.2}, points);
    def.points = points;
    def.mass = block_mass;
    def.radius = -1;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

static inline int32_t at(int x, int y, int z) { return x + 3 * (y + 3 * z); }

/* One particle of 1 kg. */
static inline sup_blueprint* make_bead(void) {
    sup_vec3 point = {0, 0, 0};
    sup_error error = {0};
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print = NULL;
    def.point_count = 1;
    def.points = &point;
    def.mass = 1;
    def.radius = -1;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

static inline sup_collider add_carrier(sup_world* world) {
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_BOX;
    def.filter.mask = 0; /* carries, and meets nobody */
    return add_collider(world, &def);
}

static inline void particle_place(const sup_world* world, sup_body body, int32_t id,
                                  double place[3]) {
    swarm s = read_swarm(world, body);
    place[0] = s.x[id].x;
    place[1] = s.x[id].y;
    place[2] = s.x[id].z;
    free_swarm(&s);
}

static inline double force_on(const sup_world* world, sup_attachment attachment, double force[3]) {
    double own[3];
    if (!force) force = own;
    assert_int_equal(sup_attachment_read_force(world, attachment, force), SUP_OK);
    return length_of(force);
}

static inline const sup_event* find_event(const sup_world* world, sup_event_kind kind) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind == kind) return events + i;
    }
    return NULL;
}

/* Hangs a block on the four corners of its upper side; returns the four attachments. */
static inline sup_body hang(sup_world* world, sup_blueprint* print, const double place[3],
                            sup_attachment links[4], const sup_attachment_def* how) {
    sup_body_def def = body_at(print, place[0], place[1], place[2]);
    sup_body body = add_body(world, &def);
    for (int i = 0; i < 4; i++) {
        sup_attachment_def held = hold(body, at(i % 2 * 2, 2, i / 2 * 2));
        held.force_limit = how ? how->force_limit : 0;
        links[i] = attach(world, &held);
    }
    return body;
}

#endif
