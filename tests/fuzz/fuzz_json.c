/* JSON: bytes -> tree. */
#include <math.h>

#include "file/json.h"
#include "fuzz/fuzz.h"

/* Returns how many values stand at and below this one. */
static int32_t check_value(const supi_json* value, int depth) {
    FUZZ_REQUIRE(depth <= SUPI_JSON_DEPTH);
    FUZZ_REQUIRE(value->line >= 1 && value->column >= 1);
    FUZZ_REQUIRE((value->kind == SUPI_JSON_STRING) == (value->text != NULL));
    FUZZ_REQUIRE(isfinite(value->number));
    bool object = value->kind == SUPI_JSON_OBJECT;
    FUZZ_REQUIRE(value->kind == SUPI_JSON_ARRAY || object || !value->first);
    int32_t children = 0, below = 1;
    for (const supi_json* child = value->first; child; child = child->next) {
        FUZZ_REQUIRE(child > value); /* parents before children */
        FUZZ_REQUIRE(object == (child->key != NULL));
        if (object && children < 8) FUZZ_REQUIRE(supi_json_find(value, child->key) == child);
        children++;
        below += check_value(child, depth + 1);
    }
    FUZZ_REQUIRE(children == value->child_count);
    return below;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    sup_error error = {0};
    supi_json_document document;
    fuzz_mark(&document, sizeof document);
    sup_result result = supi_json_parse(allocator, "f", data, size, &document, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    if (result == SUP_OK) {
        FUZZ_REQUIRE(check_value(document.root, 0) == document.value_count);
        supi_json_free(&document);
    } else {
        fuzz_check_refusal(result, &error, "f", &document, sizeof document);
    }
    fuzz_memory_end(&memory);
    return 0;
}
