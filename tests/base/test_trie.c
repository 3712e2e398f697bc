/* Sets of texts: found, not found, numbered, and quick for texts that are made to be slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/trie.h"

enum { TEXTS = 600, LONGEST = 12 };

static uint32_t next_random(uint32_t* state) { return *state = *state * 1664525u + 1013904223u; }

/* Few letters, so that many texts are the same or begin alike; all values of a byte may occur. */
static void make_text(uint32_t* state, char text[LONGEST + 1]) {
    static const char letters[] = "ab\x01\xff\x80\x7f";
    uint32_t length = (next_random(state) >> 16) % (LONGEST + 1);
    for (uint32_t i = 0; i < length; i++) text[i] = letters[(next_random(state) >> 16) % 6];
    text[length] = 0;
}

static int32_t find_slowly(char (*texts)[LONGEST + 1], int32_t count, const char* text) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(texts[i], text) == 0) return i;
    }
    return -1;
}

static void texts_are_numbered_and_found(void** state) {
    (void)state;
    static supi_trie_node nodes[TEXTS + 1];
    static char texts[TEXTS][LONGEST + 1];
    uint32_t random = 1;
    for (int round = 0; round < 50; round++) {
        supi_trie trie = {.nodes = nodes};
        assert_int_equal(supi_trie_find(&trie, ""), -1);
        while (trie.count < TEXTS) {
            char* text = texts[trie.count];
            make_text(&random, text);
            int32_t expected = find_slowly(texts, trie.count, text), count = trie.count;
            assert_int_equal(supi_trie_find(&trie, text), expected);
            assert_int_equal(supi_trie_add(&trie, text), expected < 0 ? count : expected);
            assert_int_equal(trie.count, expected < 0 ? count + 1 : count);
        }
        for (int32_t i = 0; i < TEXTS; i++) {
            char other[LONGEST + 1];
            make_text(&random, other);
            assert_int_equal(supi_trie_find(&trie, texts[i]), i);
            assert_int_equal(supi_trie_find(&trie, other), find_slowly(texts, TEXTS, other));
        }
    }
}

/* A text that the empty one and every longer one share their beginning with. */
static void beginnings_are_texts_too(void** state) {
    (void)state;
    enum { COUNT = 300 };
    static char texts[COUNT][COUNT];
    supi_trie_node nodes[COUNT];
    supi_trie trie = {.nodes = nodes};
    for (int32_t i = 0; i < COUNT; i++) {
        int32_t length = (i * 7 + 3) % COUNT; /* in no order */
        memset(texts[i], 'a', (size_t)length);
        assert_int_equal(supi_trie_add(&trie, texts[i]), i);
    }
    for (int32_t i = 0; i < COUNT; i++) assert_int_equal(supi_trie_find(&trie, texts[i]), i);
}

/* Short texts against a few long ones that part in one bit after the other. */
static void the_length_of_others_does_not_matter(void** state) {
    (void)state;
    enum { LONG = 2000, SHORT = 300000 };
    supi_trie_node* nodes = malloc((LONG + 1) * sizeof *nodes);
    char* texts = malloc((size_t)LONG * (LONG + 1));
    assert_true(nodes && texts);
    supi_trie trie = {.nodes = nodes};
    for (int i = 0; i < LONG; i++) {
        char* text = texts + (size_t)i * (LONG + 1);
        memset(text, 1, (size_t)i);
        text[i] = 2;
        text[i + 1] = 0;
        assert_int_equal(supi_trie_add(&trie, text), i);
    }
    clock_t start = clock();
    for (int i = 0; i < SHORT; i++) assert_int_equal(supi_trie_find(&trie, "\x01"), -1);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
    free(nodes);
    free(texts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_numbered_and_found),
        cmocka_unit_test(beginnings_are_texts_too),
        cmocka_unit_test(the_length_of_others_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
