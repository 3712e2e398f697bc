/* Allocators for tests: one struct that counts what goes through it and can be told to refuse. */
#ifndef SUPPLE_TESTS_ALLOCATORS_H
#define SUPPLE_TESTS_ALLOCATORS_H

#include "supple/base.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Zero-initialised, it counts only. With fail_at = n the n-th allocation (from 1) is refused; with
   fail_on every later one too. Counting starts again with test_allocator_arm. */
typedef struct test_allocator {
    sup_allocator table;        /* hand this to the code under test */
    atomic_llong calls;         /* allocations asked for since the last arm */
    atomic_llong refused;       /* of those, how many got NULL */
    atomic_llong blocks, bytes; /* alive now */
    atomic_llong peak;          /* most bytes that were alive at once */
    long long fail_at;          /* 0: never */
    bool fail_on;               /* refuse everything from fail_at on */
} test_allocator;

static inline void* test_allocator_allocate(void* user, size_t size, size_t alignment) {
    test_allocator* counter = user;
    long long call = atomic_fetch_add(&counter->calls, 1) + 1;
    bool refuse = counter->fail_at > 0 &&
                  (call == counter->fail_at || (counter->fail_on && call > counter->fail_at));
    void* block = refuse ? NULL : aligned_alloc(alignment, size);
    if (!block) {
        atomic_fetch_add(&counter->refused, 1);
        return NULL;
    }
    atomic_fetch_add(&counter->blocks, 1);
    long long now = atomic_fetch_add(&counter->bytes, (long long)size) + (long long)size;
    long long peak = atomic_load(&counter->peak);
    while (now > peak && !atomic_compare_exchange_weak(&counter->peak, &peak, now)) continue;
    return block;
}

static inline void test_allocator_release(void* user, void* pointer, size_t size) {
    test_allocator* counter = user;
    if (!pointer) return;
    atomic_fetch_sub(&counter->blocks, 1);
    atomic_fetch_sub(&counter->bytes, (long long)size);
    free(pointer);
}

/* Makes `counter` ready; it must not move afterwards. Returns the table for the code under test. */
static inline const sup_allocator* test_allocator_init(test_allocator* counter) {
    *counter = (test_allocator){0};
    counter->table = (sup_allocator){counter, test_allocator_allocate, test_allocator_release};
    return &counter->table;
}

/* From now on count calls from zero and refuse the n-th (0: none), or everything from it on. */
static inline void test_allocator_arm(test_allocator* counter, long long fail_at, bool fail_on) {
    atomic_store(&counter->calls, 0);
    atomic_store(&counter->refused, 0);
    counter->fail_at = fail_at;
    counter->fail_on = fail_on;
}

#endif
