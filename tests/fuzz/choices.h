/* Who plays calls of the public door, and how numbers, things and filters are chosen: mostly good
   ones, now and then stale, forged and wild ones. */
#ifndef SUPPLE_TESTS_FUZZ_CHOICES_H
#define SUPPLE_TESTS_FUZZ_CHOICES_H

#include <math.h>

#include "fuzz/fuzz.h"
#include "fuzz/stages.h"
#include "supple/mesh.h"
#include "supple/supple.h"

enum { CALLS_HANDLES = 16, CALLS_PRINTS = 6, CALLS_POINTS = 12, CALLS_MESHES = 3 };

typedef struct calls {
    int32_t (*pick)(void* source, int32_t count); /* 0 .. count - 1 */
    void* source;
    const sup_allocator* allocator; /* may refuse */
    sup_world* world;
    sup_blueprint* prints[CALLS_PRINTS];
    sup_mesh meshes[CALLS_MESHES];  /* closed, open, inside out */
    sup_body bodies[CALLS_HANDLES]; /* alive, gone and never there */
    sup_collider colliders[CALLS_HANDLES];
    sup_attachment attachments[CALLS_HANDLES];
    sup_bytes saved;
    int32_t done, refused, told;
    int32_t depth; /* of callbacks */
    bool stepped;  /* the call at work has moved the world, whatever became of its end */
} calls;

/* ---- Choosing ---- */

/* Statements take one pick each where their order would be the compiler's. */

static inline int32_t calls_pick(calls* c, int32_t count) { return c->pick(c->source, count); }
static inline bool calls_chance(calls* c, int32_t in) { return calls_pick(c, in) == in - 1; }

/* Mostly -size .. size, now and then anything. */
static inline double calls_number(calls* c, double size) {
    static const double odd[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e30, -0.0, 1e-300, 1e9, 1e12};
    int32_t pick = calls_pick(c, 256);
    if (pick > 246) return odd[pick - 247];
    return size * (pick - 123) / 123.0;
}

static inline double calls_above(calls* c, double size) { return fabs(calls_number(c, size)); }

static inline void calls_numbers(calls* c, double size, int count, double* out) {
    for (int k = 0; k < count; k++) out[k] = calls_number(c, size);
}

static inline sup_body calls_body(calls* c) {
    if (calls_chance(c, 12)) {
        return (sup_body){(uint32_t)calls_pick(c, 40), (uint32_t)calls_pick(c, 9)};
    }
    return c->bodies[calls_pick(c, CALLS_HANDLES)];
}

static inline sup_collider calls_collider(calls* c) {
    if (calls_chance(c, 12)) {
        return (sup_collider){(uint32_t)calls_pick(c, 40), (uint32_t)calls_pick(c, 9)};
    }
    return c->colliders[calls_pick(c, CALLS_HANDLES)];
}

static inline sup_attachment calls_attachment(calls* c) {
    if (calls_chance(c, 12)) {
        return (sup_attachment){(uint32_t)calls_pick(c, 40), (uint32_t)calls_pick(c, 9)};
    }
    return c->attachments[calls_pick(c, CALLS_HANDLES)];
}

static inline int32_t calls_particle_count(const calls* c, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(c->world, body);
    return print ? sup_blueprint_get_info(print).particle_count : 0;
}

/* Of a body; now and then none. */
static inline int32_t calls_particle(calls* c, sup_body body) {
    int32_t count = calls_particle_count(c, body);
    return calls_chance(c, 12) ? calls_pick(c, 9999) - 5000 : count ? calls_pick(c, count) : 0;
}

static inline sup_filter calls_filter(calls* c) {
    return (sup_filter){(uint32_t)calls_pick(c, 4), (uint32_t)calls_pick(c, 4)};
}

#endif
