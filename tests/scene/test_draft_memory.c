/* Reading a scene takes memory in proportion to its text, whatever stands in it: 64 bytes for each
   of its bytes and 1 MiB, until the first mesh is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz/fuzz.h"
#include "scene/draft.h"

enum { ITEMS = 20000, ROOM = 1 << 20 };

/* A list that is as long as one may be. */
typedef struct list {
    const char *head, *item, *tail;
} list;

#define BODIES "{\"version\":1,\"bodies\":["
#define COLLIDERS BODIES "{\"shape\":\"box\"}],\"colliders\":["

static const list lists[] = {
    {BODIES, "{\"shape\":\"box\"}", "]}"},
    {BODIES "{\"shape\":\"box\",\"pins\":[", "{\"index\":[0]}", "]}]}"},
    {BODIES "{\"shape\":\"box\",\"pins\":[{\"index\":[", "0", "]}]}]}"},
    {COLLIDERS, "{\"shape\":\"box\"}", "]}"},
    {COLLIDERS "{\"shape\":{\"heights\":{\"size\":[1,1],\"rows\":[", "[0,0]", "]}}}]}"},
    {BODIES "{\"shape\":\"box\"}],\"attachments\":[", "{\"body\":\"a\",\"index\":[0]}", "]}"},
};

static size_t write_list(const list* l, char* text) {
    char* at = text + sprintf(text, "%s%s", l->head, l->item);
    for (int i = 1; i < ITEMS; i++) at += sprintf(at, ",%s", l->item);
    at += sprintf(at, "%s", l->tail);
    assert_true(at - text < ROOM);
    return (size_t)(at - text);
}

/* fuzz_memory stops the test at the first byte beyond the bound. */
static void drafts_take_memory_in_proportion(void** state) {
    (void)state;
    char* text = malloc(ROOM);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        size_t size = write_list(&lists[i], text);
        fuzz_memory memory;
        const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
        sup_error error = {0};
        supi_json_document document;
        assert_int_equal(
            supi_json_parse(allocator, "s", (const uint8_t*)text, size, &document, &error), SUP_OK);
        supi_arena store;
        supi_arena_init(&store, allocator);
        supi_reader reader = {"s", &store, &error};
        supi_scene_draft draft;
        assert_int_equal(supi_draft_read(&reader, document.root, &draft), SUP_OK);
        print_message("%zu bytes of text, %zu of memory\n", size,
                      (size_t)atomic_load(&memory.bytes));
        supi_arena_free(&store);
        supi_json_free(&document);
        fuzz_memory_end(&memory);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(drafts_take_memory_in_proportion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
