/* The meter: what it hands on, what it refuses, and what it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "base/meter.h"

enum { ALIGNMENT = 16, LIMIT = 1024, BLOCK = 256, BLOCKS = LIMIT / BLOCK };

static void* take(const sup_allocator* table, size_t size) {
    return table->allocate(table->user, size, ALIGNMENT);
}

static void give_back(const sup_allocator* table, void* block, size_t size) {
    table->release(table->user, block, size);
}

static void test_what_is_given_back_can_be_taken_again(void** state) {
    (void)state;
    test_allocator memory;
    supi_meter meter;
    const sup_allocator* table = supi_meter_begin(&meter, test_allocator_init(&memory), LIMIT);
    for (int round = 0; round < 3; round++) {
        void* blocks[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = take(table, BLOCK);
            assert_non_null(blocks[i]);
        }
        assert_int_equal(meter.bytes, LIMIT);
        assert_int_equal(memory.bytes, LIMIT);
        assert_false(meter.refused);
        for (int i = 0; i < BLOCKS; i++) give_back(table, blocks[i], BLOCK);
        give_back(table, NULL, BLOCK); /* nothing */
        assert_int_equal(meter.bytes, 0);
        assert_int_equal(memory.blocks, 0);
    }
}

static void test_more_than_the_limit_is_refused(void** state) {
    (void)state;
    test_allocator memory;
    supi_meter meter;
    const sup_allocator* table = supi_meter_begin(&meter, test_allocator_init(&memory), LIMIT);
    void* most = take(table, LIMIT - BLOCK);
    assert_false(meter.refused);
    assert_null(take(table, BLOCK + ALIGNMENT));
    assert_true(meter.refused);
    assert_int_equal(meter.bytes, LIMIT - BLOCK);
    assert_int_equal(memory.calls, 1); /* the inner one was not asked */
    void* rest = take(table, BLOCK);
    assert_non_null(rest);
    meter.limit += BLOCK; /* the owner may raise it */
    void* raised = take(table, BLOCK);
    assert_non_null(raised);
    give_back(table, raised, BLOCK);
    give_back(table, rest, BLOCK);
    give_back(table, most, LIMIT - BLOCK);
    assert_int_equal(memory.blocks, 0);
}

static void test_what_the_inner_one_refuses_is_not_counted(void** state) {
    (void)state;
    test_allocator memory;
    supi_meter meter;
    const sup_allocator* table = supi_meter_begin(&meter, test_allocator_init(&memory), LIMIT);
    test_allocator_arm(&memory, 1, false);
    assert_null(take(table, LIMIT));
    assert_false(meter.refused);
    assert_int_equal(meter.bytes, 0);
    void* block = take(table, LIMIT);
    assert_non_null(block);
    give_back(table, block, LIMIT);
}

/* A sum with what is alive would begin again at 0. */
static void test_sizes_near_overflow(void** state) {
    (void)state;
    static const uint64_t limits[] = {LIMIT, SIZE_MAX - 1, SIZE_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        test_allocator memory;
        supi_meter meter;
        const sup_allocator* table =
            supi_meter_begin(&meter, test_allocator_init(&memory), limits[i]);
        void* block = take(table, BLOCK);
        assert_non_null(block);
        for (size_t below = 0; below < BLOCK; below += ALIGNMENT) {
            meter.refused = false;
            assert_null(take(table, SIZE_MAX - below));
            assert_true(meter.refused || sizeof(size_t) < sizeof(uint64_t));
            assert_int_equal(meter.bytes, BLOCK);
        }
        if (sizeof(size_t) == sizeof(uint64_t)) assert_int_equal(memory.calls, 1);
        give_back(table, block, BLOCK);
        assert_int_equal(memory.blocks, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_given_back_can_be_taken_again),
        cmocka_unit_test(test_more_than_the_limit_is_refused),
        cmocka_unit_test(test_what_the_inner_one_refuses_is_not_counted),
        cmocka_unit_test(test_sizes_near_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
