/* A callback that keeps all events that it is told, and what can be said of them. */
#ifndef SUPPLE_TESTS_WORLD_TOLD_H
#define SUPPLE_TESTS_WORLD_TOLD_H

#include "world/yard.h"

enum { TOLD_MOST = 4096 };

typedef struct told {
    int32_t count;
    sup_event events[TOLD_MOST];
} told;

static inline void told_add(void* user, sup_world* world, const sup_event* event) {
    told* t = user;
    (void)world;
    assert_true(t->count < TOLD_MOST);
    t->events[t->count++] = *event;
}

static inline bool same_body(sup_body a, sup_body b) { return a.slot == b.slot && a.age == b.age; }

/* How often a kind was told of a body; a null body: of any. */
static inline int32_t told_count(const told* t, sup_event_kind kind, sup_body body) {
    int32_t count = 0;
    for (int32_t i = 0; i < t->count; i++) {
        const sup_event* e = t->events + i;
        count += e->kind == kind && (body.age == 0 || same_body(e->body, body));
    }
    return count;
}

/* A world with default settings that tells `t`. */
static inline sup_world* make_telling_world(told* t) {
    sup_world_def def = sup_world_default();
    t->count = 0;
    def.on_event = told_add;
    def.user = t;
    return make_world(&def);
}

/* The meeting of a body with another or a collider, the other handle null; or NULL. */
static inline const sup_meeting* find_meeting(const sup_world* world, sup_body body, sup_body other,
                                              sup_collider collider) {
    int32_t count;
    const sup_meeting* m = sup_world_meetings(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (same_body(m[i].body, body) && same_body(m[i].other, other) &&
            m[i].collider.slot == collider.slot && m[i].collider.age == collider.age) {
            return m + i;
        }
    }
    return NULL;
}

#endif
