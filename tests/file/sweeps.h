/* What every reader must survive: each prefix of a good file, each damaged byte, each refused
   allocation. */
#ifndef SUPPLE_TESTS_FILE_SWEEPS_H
#define SUPPLE_TESTS_FILE_SWEEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "allocators.h"

/* Parses under the name "f" and gives everything back when that went well. */
typedef sup_result (*sweep_reader)(const sup_allocator* allocator, const uint8_t* bytes,
                                   size_t size, sup_error* error);

/* Parses a block that ends where the file ends, so that a sanitizer sees each step too far. */
static inline sup_result sweep_read(test_allocator* counter, sweep_reader read,
                                    const uint8_t* bytes, size_t size, sup_error* error) {
    uint8_t* exact = malloc(size ? size : 1);
    assert_non_null(exact);
    if (size) memcpy(exact, bytes, size);
    memset(error, 0, sizeof *error);
    sup_result result = read(&counter->table, exact, size, error);
    free(exact);
    assert_int_equal(result, error->code);
    if (result == SUP_BAD_FILE) assert_memory_equal(error->text, "f:", 2);
    assert_int_equal(counter->blocks, 0);
    assert_int_equal(counter->bytes, 0);
    return result;
}

/* Returns how many of the shorter prefixes are good files. */
static inline int sweep_prefixes(sweep_reader read, const uint8_t* bytes, size_t size) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    int good = 0;
    for (size_t length = 0; length < size; length++) {
        sup_result result = sweep_read(&counter, read, bytes, length, &error);
        assert_true(result == SUP_OK || result == SUP_BAD_FILE);
        good += result == SUP_OK;
    }
    assert_int_equal(sweep_read(&counter, read, bytes, size, &error), SUP_OK);
    return good;
}

/* Each bit of each byte turned, and each byte set to 0, 255 and a few that mean something. Returns
   how many were refused. */
static inline int sweep_damage(sweep_reader read, const uint8_t* bytes, size_t size) {
    static const uint8_t values[] = {0, 255, '\n', '\r', ' ', '"', '\\', '#', '9', '-', '[', '{'};
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    int refused = 0;
    uint8_t* copy = malloc(size);
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < 8 + sizeof values; k++) {
            memcpy(copy, bytes, size);
            copy[i] = k < 8 ? (uint8_t)(bytes[i] ^ 1u << k) : values[k - 8];
            sup_result result = sweep_read(&counter, read, copy, size, &error);
            assert_true(result == SUP_OK || result == SUP_BAD_FILE);
            refused += result != SUP_OK;
        }
    }
    free(copy);
    return refused;
}

/* Refuses the first allocation, then the second, ... until a run needs none that is refused.
   Returns how many it needs. */
static inline long long sweep_memory(sweep_reader read, const uint8_t* bytes, size_t size) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    for (long long n = 1;; n++) {
        test_allocator_arm(&counter, n, false);
        sup_result result = sweep_read(&counter, read, bytes, size, &error);
        if (counter.refused == 0) {
            assert_int_equal(result, SUP_OK);
            return n - 1;
        }
        assert_int_equal(result, SUP_NO_MEMORY);
    }
}

/* A text that must be refused, with its whole message; line 0 for messages without a place. */
typedef struct sweep_refusal {
    const char* text;
    int32_t line, column;
    const char* message;
} sweep_refusal;

static inline void sweep_refusals(sweep_reader read, const sweep_refusal* refusals, size_t count) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    for (size_t i = 0; i < count; i++) {
        const char* text = refusals[i].text;
        sup_result result = sweep_read(&counter, read, (const uint8_t*)text, strlen(text), &error);
        if (result != SUP_BAD_FILE || strcmp(error.text, refusals[i].message) != 0) {
            print_message("in: %s\nwanted: %s\n", text, refusals[i].message);
        }
        assert_int_equal(result, SUP_BAD_FILE);
        assert_string_equal(error.text, refusals[i].message);
        assert_int_equal(error.line, refusals[i].line);
        assert_int_equal(error.column, refusals[i].column);
    }
}

#endif
