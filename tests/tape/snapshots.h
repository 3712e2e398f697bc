/* Snapshots in tests: what has to work does. */
#ifndef SUPPLE_TESTS_TAPE_SNAPSHOTS_H
#define SUPPLE_TESTS_TAPE_SNAPSHOTS_H

#include "supple/snapshot.h"
#include "tape/stage.h"

static inline sup_bytes save(const sup_world* world) {
    sup_error error = {0};
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    return bytes;
}

static inline void restore(sup_world* world, const sup_bytes* bytes) {
    sup_error error = {0};
    assert_ok(sup_world_restore(world, bytes->data, bytes->size, &error), error);
}

static inline void assert_same_bytes(const sup_bytes* a, const sup_bytes* b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

#endif
