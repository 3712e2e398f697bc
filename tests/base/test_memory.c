/* Memory, arenas, pools, columns and hashes: what everything else stands on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "base/arena.h"
#include "base/column.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"
#include "ref/ref_random.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED 1
#endif
#endif
#ifdef POISONED
#include <sanitizer/asan_interface.h>
#endif

static bool is_zero(const void* block, size_t size) {
    const uint8_t* bytes = block;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) return false;
    }
    return true;
}

static bool is_aligned(const void* block) { return (uintptr_t)block % SUPI_ALIGNMENT == 0; }

/* ---- Blocks ---- */

static void test_blocks(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    const size_t counts[] = {0, 1, 7, 64, 65, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t size = 0; size <= 24; size += 12) {
            uint8_t* block = supi_memory_new(allocator, counts[i], size);
            assert_non_null(block);
            assert_true(is_aligned(block));
            assert_true(is_zero(block, counts[i] * size));
            memset(block, 0xa5, counts[i] * size);
            supi_memory_free(allocator, block, counts[i], size);
        }
    }
    supi_memory_free(allocator, NULL, 3, 4);
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
}

/* A product that does not fit is refused before anybody is asked for memory. */
static void test_products_are_checked(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    const size_t most = SIZE_MAX;
    assert_null(supi_memory_new(allocator, most, 1));
    assert_null(supi_memory_new(allocator, most / 2 + 1, 2));
    assert_null(supi_memory_new(allocator, 2, most / 2 + 1));
    assert_null(supi_memory_new(allocator, most / 8, 16));
    assert_null(supi_memory_new(allocator, most - 62, 1)); /* fits, but not once rounded up */
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    assert_null(supi_arena_push(&arena, most, 1));
    assert_null(supi_arena_push(&arena, most / 4, 8));
    assert_int_equal(counter.calls, 0);
    supi_arena_free(&arena);
}

/* An arena that was cleared gives zeroed blocks again, without asking for memory. */
static void test_arenas_are_cleared(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    supi_arena_clear(&arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < (round == 1 ? 500 : 50); i++) {
            uint8_t* block = supi_arena_push(&arena, 300, 1);
            assert_non_null(block);
            assert_true(is_zero(block, 300));
            memset(block, 0x55, 300);
        }
        supi_arena_clear(&arena);
        assert_int_equal(counter.blocks, 1);
        test_allocator_arm(&counter, round == 0 ? 0 : 1, true);
    }
    assert_non_null(supi_arena_push(&arena, 1000, 1));
    supi_arena_free(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void test_growing(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    void* block = NULL;
    int32_t capacity = 0, used = 0;
    int growths = 0;
    for (int32_t need = 1; need <= 10000; need++) {
        int32_t before = capacity;
        assert_true(supi_memory_grow(allocator, &block, &capacity, need, sizeof(int32_t)));
        assert_true(capacity >= need);
        if (capacity != before) {
            growths++;
            assert_true(capacity >= 2 * before);
            assert_true(is_zero((int32_t*)block + used, (size_t)(capacity - used) * 4));
        }
        ((int32_t*)block)[used++] = need;
    }
    for (int32_t i = 0; i < used; i++) assert_int_equal(((int32_t*)block)[i], i + 1);
    assert_true(growths < 16);
    /* A refusal leaves everything as it was. */
    void* same = block;
    int32_t kept = capacity;
    assert_false(supi_memory_grow(allocator, &block, &capacity, -1, sizeof(int32_t)));
    test_allocator_arm(&counter, 1, true);
    assert_false(supi_memory_grow(allocator, &block, &capacity, capacity + 1, sizeof(int32_t)));
    assert_true(supi_memory_grow(allocator, &block, &capacity, capacity, sizeof(int32_t)));
    assert_ptr_equal(block, same);
    assert_int_equal(capacity, kept);
    for (int32_t i = 0; i < used; i++) assert_int_equal(((int32_t*)block)[i], i + 1);
    supi_memory_free(allocator, block, (size_t)capacity, sizeof(int32_t));
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
}

static void test_columns(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_column column = {0};
    double* items = supi_column_reserve(&column, allocator, 0, sizeof *items);
    assert_non_null(items);
    for (int32_t i = 0; i < 300; i++) {
        items = supi_column_reserve(&column, allocator, i + 1, sizeof *items);
        assert_non_null(items);
        items[i] = i;
    }
    for (int32_t i = 0; i < 300; i++) assert_true(items[i] == i);
    test_allocator_arm(&counter, 1, true);
    assert_ptr_equal(supi_column_reserve(&column, allocator, 10, sizeof *items), items);
    assert_int_equal(counter.calls, 0); /* room that is there is not asked for again */
    assert_null(supi_column_reserve(&column, allocator, 1000, sizeof *items));
    assert_ptr_equal(column.items, items);
    supi_column_free(&column, allocator);
    assert_true(is_zero(&column, sizeof column));
    supi_column_free(&column, allocator);
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
}

/* ---- Arena ---- */

/* Blocks are zero, aligned and apart, whatever their sizes; all go at once. */
static void test_arena(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    enum { BLOCKS = 400 };
    static uint8_t* blocks[BLOCKS];
    static size_t sizes[BLOCKS];
    uint64_t seed = 1;
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    for (int i = 0; i < BLOCKS; i++) {
        sizes[i] = (size_t)ref_random_index(&seed, i % 50 == 0 ? 300000 : 1000);
        blocks[i] = supi_arena_push(&arena, sizes[i], 1);
        assert_non_null(blocks[i]);
        assert_true(is_aligned(blocks[i]));
        assert_true(is_zero(blocks[i], sizes[i]));
        memset(blocks[i], i & 0xff, sizes[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i & 0xff);
    }
    supi_arena_free(&arena);
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
    /* It can be used again. */
    assert_non_null(supi_arena_push(&arena, 10, 10));
    supi_arena_free(&arena);
    supi_arena_free(&arena);
    assert_int_equal(counter.blocks, 0);
}

static void test_arena_without_memory(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    test_allocator_arm(&counter, 1, false);
    assert_null(supi_arena_push(&arena, 1, 1));
    uint8_t* small = supi_arena_push(&arena, 100, 1);
    assert_non_null(small);
    memset(small, 7, 100);
    test_allocator_arm(&counter, 1, true);
    assert_null(supi_arena_push(&arena, 1000000, 1));
    uint8_t* next = supi_arena_push(&arena, 100, 1); /* the open chunk still has room */
    assert_non_null(next);
    assert_true(is_zero(next, 100));
    for (int i = 0; i < 100; i++) assert_int_equal(small[i], 7);
    supi_arena_free(&arena);
    assert_int_equal(counter.blocks, 0);
}

#ifdef POISONED
static _Alignas(SUPI_ALIGNMENT) uint8_t fixed_memory[1 << 18];

static void* fixed_allocate(void* user, size_t size, size_t alignment) {
    size_t *used = user, at = *used;
    assert_int_equal(at % alignment, 0);
    *used += size;
    return *used <= sizeof fixed_memory ? fixed_memory + at : NULL;
}

static void fixed_release(void* user, void* pointer, size_t size) {
    (void)user;
    assert_null(__asan_region_is_poisoned(pointer, size));
}
#endif

/* Under AddressSanitizer what lies behind a block may not be touched, from its very last byte on;
   memory that is given back is clean. */
static void test_red_zones(void** state) {
    (void)state;
#ifdef POISONED
    size_t used = 0;
    const sup_allocator allocator = {&used, fixed_allocate, fixed_release};
    const size_t sizes[] = {0, 1, 8, 63, 64, 65, 1000, 70000};
    supi_arena arena;
    supi_arena_init(&arena, &allocator);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t* block = supi_arena_push(&arena, sizes[i], 1);
        assert_non_null(block);
        assert_true(sizes[i] == 0 || !__asan_region_is_poisoned(block, sizes[i]));
        for (size_t k = 0; k < SUPI_ALIGNMENT; k++) {
            assert_true(__asan_address_is_poisoned(block + sizes[i] + k));
        }
    }
    supi_arena_free(&arena);
    assert_null(__asan_region_is_poisoned(fixed_memory, sizeof fixed_memory));
#else
    skip();
#endif
}

/* ---- Pool ---- */

/* Against a plain list: living handles are found, all others never. */
static void test_pool(void** state) {
    (void)state;
    enum { HANDLES = 3000 };
    static struct {
        uint32_t slot, age;
        int32_t value; /* -1: dropped */
    } handles[HANDLES];
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    uint64_t seed = 2;
    supi_pool pool = {0};
    int taken = 0;
    while (taken < HANDLES) {
        if (taken > 0 && ref_random_index(&seed, 5) < 2) {
            int i = ref_random_index(&seed, taken);
            if (handles[i].value < 0) continue;
            supi_pool_drop(&pool, handles[i].slot);
            handles[i].value = -1;
        } else {
            handles[taken].value = taken;
            assert_true(
                supi_pool_take(&pool, allocator, taken, &handles[taken].slot, &handles[taken].age));
            assert_true(handles[taken].slot != 0 && handles[taken].age != 0);
            taken++;
        }
    }
    int reused = 0;
    for (int i = 0; i < HANDLES; i++) {
        assert_int_equal(supi_pool_find(&pool, handles[i].slot, handles[i].age), handles[i].value);
        assert_int_equal(supi_pool_find(&pool, handles[i].slot, handles[i].age + 1), -1);
        reused += handles[i].age > 1;
    }
    assert_true(reused > HANDLES / 4);
    assert_true(pool.count < HANDLES); /* slots are used again */
    supi_pool_free(&pool, allocator);
    assert_int_equal(counter.blocks, 0);
}

static void test_pool_edges(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_pool pool = {0};
    uint32_t slot = 9, age = 9, again, next_age;
    assert_int_equal(supi_pool_find(&pool, 0, 0), -1);
    assert_int_equal(supi_pool_find(&pool, 1, 1), -1);
    test_allocator_arm(&counter, 1, true);
    assert_false(supi_pool_take(&pool, allocator, 5, &slot, &age));
    assert_true(slot == 9 && age == 9 && is_zero(&pool, sizeof pool));
    test_allocator_arm(&counter, 0, false);
    assert_true(supi_pool_take(&pool, allocator, 5, &slot, &age));
    assert_int_equal(supi_pool_find(&pool, 0, 0), -1); /* null */
    assert_int_equal(supi_pool_find(&pool, UINT32_MAX, age), -1);
    assert_int_equal(supi_pool_find(&pool, slot, 0), -1);
    supi_pool_drop(&pool, slot);
    assert_int_equal(supi_pool_find(&pool, slot, age), -1);
    assert_int_equal(supi_pool_find(&pool, slot, age + 1), -1); /* the age of a free slot */
    assert_true(supi_pool_take(&pool, allocator, 6, &again, &next_age));
    assert_true(again == slot && next_age != age);
    assert_int_equal(supi_pool_find(&pool, slot, age), -1);
    assert_int_equal(supi_pool_find(&pool, again, next_age), 6);
    /* An age that has gone all the way round starts again with 1, not with the age of null. */
    pool.slots[again].age = UINT32_MAX;
    supi_pool_drop(&pool, again);
    assert_true(supi_pool_take(&pool, allocator, 7, &again, &next_age));
    assert_int_equal(next_age, 1);
    supi_pool_free(&pool, allocator);
    assert_int_equal(counter.blocks, 0);
}

/* ---- Hash ---- */

static int compare_word(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

/* Every single bit of every number matters, and so does the order. */
static void test_hash(void** state) {
    (void)state;
    enum { COUNT = 15 };
    static uint64_t hashes[COUNT * 32 + COUNT * COUNT + 1];
    float values[COUNT];
    uint64_t seed = 3;
    for (int i = 0; i < COUNT; i++) values[i] = (float)ref_random(&seed);
    size_t used = 0;
    hashes[used++] = supi_hash_floats(supi_hash_begin(), values, COUNT);
    assert_true(hashes[0] == supi_hash_floats(supi_hash_begin(), values, COUNT));
    for (int i = 0; i < COUNT; i++) {
        for (int bit = 0; bit < 32; bit++) {
            float copy[COUNT];
            uint32_t bits;
            memcpy(copy, values, sizeof copy);
            memcpy(&bits, &copy[i], sizeof bits);
            bits ^= UINT32_C(1) << bit;
            memcpy(&copy[i], &bits, sizeof bits);
            hashes[used++] = supi_hash_floats(supi_hash_begin(), copy, COUNT);
        }
        for (int j = 0; j < i; j++) {
            float copy[COUNT];
            memcpy(copy, values, sizeof copy);
            copy[i] = values[j];
            copy[j] = values[i];
            hashes[used++] = supi_hash_floats(supi_hash_begin(), copy, COUNT);
        }
    }
    qsort(hashes, used, sizeof *hashes, compare_word);
    for (size_t i = 1; i < used; i++) assert_true(hashes[i] != hashes[i - 1]);

    /* The sign of zero counts, and words and doubles go by their bits. */
    uint64_t begin = supi_hash_begin(), bits;
    const double value = -0.1;
    memcpy(&bits, &value, sizeof bits);
    assert_true(supi_hash_double(begin, 0.0) != supi_hash_double(begin, -0.0));
    assert_true(supi_hash_double(begin, value) == supi_hash_word(begin, bits));
    assert_true(supi_hash_floats(begin, values, 0) == begin);
    const float pair[2] = {1.0f, 2.0f};
    assert_true(supi_hash_floats(begin, pair, 2) ==
                supi_hash_word(begin, UINT64_C(0x400000003f800000)));
}

/* No two patterns of signs agree: they are the top bits of words, which spread least. */
static void test_hash_of_signs(void** state) {
    (void)state;
    enum { COUNT = 10 };
    static uint64_t hashes[1 << COUNT];
    uint64_t seed = 4;
    float values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = (float)ref_random(&seed);
    for (int pattern = 0; pattern < 1 << COUNT; pattern++) {
        float signed_values[COUNT];
        for (int i = 0; i < COUNT; i++)
            signed_values[i] = pattern >> i & 1 ? -values[i] : values[i];
        hashes[pattern] = supi_hash_floats(supi_hash_begin(), signed_values, COUNT);
    }
    qsort(hashes, 1 << COUNT, sizeof *hashes, compare_word);
    for (int i = 1; i < 1 << COUNT; i++) assert_true(hashes[i] != hashes[i - 1]);
}

/* Random words: half of the bits change, and no hash comes twice. */
static void test_hash_spreads(void** state) {
    (void)state;
    enum { COUNT = 20000 };
    static uint64_t hashes[COUNT];
    uint64_t hash = supi_hash_begin();
    int64_t changed = 0;
    for (int i = 0; i < COUNT; i++) {
        uint64_t next = supi_hash_word(hash, (uint64_t)(i % 7)), differ = hash ^ next;
        for (; differ; differ &= differ - 1) changed++;
        hashes[i] = hash = next;
    }
    assert_in_range(changed, 31 * COUNT, 33 * COUNT);
    qsort(hashes, COUNT, sizeof *hashes, compare_word);
    for (int i = 1; i < COUNT; i++) assert_true(hashes[i] != hashes[i - 1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_products_are_checked),
        cmocka_unit_test(test_arenas_are_cleared),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_arena_without_memory),
        cmocka_unit_test(test_red_zones),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_pool_edges),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_hash_of_signs),
        cmocka_unit_test(test_hash_spreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
