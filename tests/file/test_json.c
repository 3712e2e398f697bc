/* Strict JSON: values, places, refusals, memory. */
#include "file/json.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "sweeps.h"

static sup_result read_json(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                            sup_error* error) {
    supi_json_document document;
    sup_result result = supi_json_parse(allocator, "f", bytes, size, &document, error);
    if (result == SUP_OK) supi_json_free(&document);
    return result;
}

static supi_json_document parse(const char* text) {
    supi_json_document document;
    sup_error error = {0};
    sup_result result = supi_json_parse(sup_allocator_default(), "f", (const uint8_t*)text,
                                        strlen(text), &document, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return document;
}

static const char scene[] =
    "{\n"
    "  \"name\": \"jelly \\u00e9\\ud83d\\ude00\\n\\\"\\\\\\/\\b\\f\\r\\t\",\r\n"
    "  \"caf\xC3\xA9\": [1, -0.5, 2e3, 1E-2, 0],\n"
    "  \"é\": true, \"none\": null, \"off\": false,\n"
    "  \"empty\": {\"list\": [ ], \"object\": { }}\n"
    "}\n";

static void tree_is_complete(void** state) {
    (void)state;
    supi_json_document document = parse(scene);
    const supi_json* root = document.root;
    assert_string_equal(document.name, "f");
    assert_int_equal(root->kind, SUPI_JSON_OBJECT);
    assert_int_equal(root->child_count, 6);
    assert_null(root->key);
    const supi_json* name = supi_json_find(root, "name");
    assert_int_equal(name->kind, SUPI_JSON_STRING);
    assert_string_equal(name->text, "jelly \xC3\xA9\xF0\x9F\x98\x80\n\"\\/\b\f\r\t");
    const supi_json* list = supi_json_find(root, "caf\xC3\xA9");
    assert_int_equal(list->kind, SUPI_JSON_ARRAY);
    assert_int_equal(list->child_count, 5);
    const double numbers[] = {1, -0.5, 2000, 0.01, 0};
    int i = 0;
    for (const supi_json* item = list->first; item; item = item->next) {
        assert_int_equal(item->kind, SUPI_JSON_NUMBER);
        assert_true(item->number == numbers[i++]);
        assert_null(item->key);
    }
    assert_int_equal(i, 5);
    assert_true(supi_json_find(root, "é")->boolean);
    assert_int_equal(supi_json_find(root, "none")->kind, SUPI_JSON_NULL);
    assert_int_equal(supi_json_find(root, "off")->kind, SUPI_JSON_BOOL);
    assert_false(supi_json_find(root, "off")->boolean);
    const supi_json* empty = supi_json_find(root, "empty");
    assert_int_equal(supi_json_find(empty, "list")->kind, SUPI_JSON_ARRAY);
    assert_null(supi_json_find(empty, "object")->first);
    assert_null(supi_json_find(root, "Name"));
    assert_null(supi_json_find(list, "name"));
    supi_json_free(&document);
    assert_null(document.values);
    supi_json_free(&document);
}

static void places_count_code_points(void** state) {
    (void)state;
    supi_json_document document = parse(scene);
    const supi_json* list = supi_json_find(document.root, "caf\xC3\xA9");
    assert_int_equal(list->key_line, 3);
    assert_int_equal(list->key_column, 3);
    assert_int_equal(list->line, 3);
    assert_int_equal(list->column, 11);
    assert_int_equal(list->first->next->column, 15);
    const supi_json* none = supi_json_find(document.root, "none");
    assert_int_equal(none->line, 4);
    assert_int_equal(none->key_column, 14);
    assert_int_equal(none->column, 22);
    supi_json_free(&document);
}

static void any_value_may_be_the_root(void** state) {
    (void)state;
    const char* texts[] = {"null", " true ", "\r\n-0\t", "\"\"", "[]", "{}", "123456789012345678"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        supi_json_document document = parse(texts[i]);
        assert_int_equal(document.value_count, 1);
        supi_json_free(&document);
    }
    supi_json_document zero = parse("-0");
    assert_true(signbit(zero.root->number));
    supi_json_free(&zero);
    supi_json_document tiny = parse("[4.9e-324, 1e-999, 1.7976931348623157e308]");
    assert_true(tiny.root->first->number == 4.9e-324);
    assert_true(tiny.root->first->next->number == 0);
    supi_json_free(&tiny);
}

#define WORDS "; JSON has true, false and null"

static void wrong_syntax_is_refused_in_its_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"", 1, 1, "f:1:1: the file is empty"},
        {" \n ", 2, 2, "f:2:2: unexpected end of the file where a value should stand"},
        {"\xEF\xBB\xBF{}", 1, 1, "f:1:1: the file starts with a byte-order mark"},
        {"{\n \"a\": ,", 2, 7, "f:2:7: unexpected ',' where a value should stand"},
        {"[1,]", 1, 4, "f:1:4: unexpected ']' where a value should stand"},
        {"[1 2]", 1, 4, "f:1:4: unexpected '2' where ',' or ']' should stand"},
        {"[1", 1, 3, "f:1:3: unexpected end of the file where ',' or ']' should stand"},
        {"{\"a\":1 \"b\":2}", 1, 8, "f:1:8: unexpected '\"' where ',' or '}' should stand"},
        {"{\"a\":1,}", 1, 8, "f:1:8: unexpected '}' where a key in quotes should stand"},
        {"{a:1}", 1, 2, "f:1:2: unexpected 'a' where a key in quotes should stand"},
        {"{\"a\" 1}", 1, 6, "f:1:6: unexpected '1' where ':' should stand"},
        {"{} {}", 1, 4, "f:1:4: unexpected '{' where the end of the file should stand"},
        {"[1] // no", 1, 5, "f:1:5: unexpected '/' where the end of the file should stand"},
        {"'a'", 1, 1, "f:1:1: unexpected ''' where a value should stand"},
        {"\xC3\xA9", 1, 1, "f:1:1: unexpected '\xC3\xA9' where a value should stand"},
        {"[\x01]", 1, 2, "f:1:2: unexpected control character 0x01 where a value should stand"},
        {"\x7F"
         "ELF",
         1, 1, "f:1:1: unexpected control character 0x7f where a value should stand"},
        {"nul", 1, 1, "f:1:1: unknown word \"nul\"" WORDS},
        {"[True]", 1, 2, "f:1:2: unknown word \"True\"" WORDS},
    };
    sweep_refusals(read_json, refusals, sizeof refusals / sizeof *refusals);
}

static void wrong_numbers_are_refused_in_their_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"[NaN]", 1, 2, "f:1:2: NaN is not allowed: numbers must be finite"},
        {"[Infinity]", 1, 2, "f:1:2: Infinity is not allowed: numbers must be finite"},
        {"[-Infinity]", 1, 3, "f:1:3: Infinity is not allowed: numbers must be finite"},
        {"[1,\n -1e999]", 2, 2, "f:2:2: -1e999 is beyond the range of a double"},
        {"[01]", 1, 2, "f:1:2: a number must not have leading zeros"},
        {"[-00]", 1, 3, "f:1:3: a number must not have leading zeros"},
        {"[1.]", 1, 4, "f:1:4: unexpected ']' where a digit should stand"},
        {"[.5]", 1, 2, "f:1:2: unexpected '.' where a value should stand"},
        {"[+1]", 1, 2, "f:1:2: unexpected '+' where a value should stand"},
        {"[-]", 1, 3, "f:1:3: unexpected ']' where a digit should stand"},
        {"[1e]", 1, 4, "f:1:4: unexpected ']' where a digit should stand"},
        {"[1e+-1]", 1, 5, "f:1:5: unexpected '-' where a digit should stand"},
        {"[0x10]", 1, 3, "f:1:3: unexpected 'x' where ',' or ']' should stand"},
    };
    sweep_refusals(read_json, refusals, sizeof refusals / sizeof *refusals);
}

static void wrong_strings_are_refused_in_their_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"[\"ab", 1, 2, "f:1:2: the string that starts here does not end on its line"},
        {"[\"ab\n\"]", 1, 2, "f:1:2: the string that starts here does not end on its line"},
        {"[\"a\tb\"]", 1, 4, "f:1:4: control character 0x09 must be escaped in a string"},
        {"[\"a\\x\"]", 1, 5, "f:1:5: unexpected 'x' where one of \" \\ / b f n r t u should stand"},
        {"[\"\\u12G4\"]", 1, 3, "f:1:3: \\u needs four hexadecimal digits"},
        {"[\"\\u0000\"]", 1, 3, "f:1:3: \\u0000 is not allowed in a string"},
        {"[\"\\ud800\"]", 1, 3, "f:1:3: unpaired surrogate"},
        {"[\"\\ud800\\u0041\"]", 1, 3, "f:1:3: unpaired surrogate"},
        {"[\"\\udc00\\ud800\"]", 1, 3, "f:1:3: unpaired surrogate"},
        {"\xFF\xFE", 1, 1, "f:1:1: invalid UTF-8 byte 0xff"},
        {"[\"\xC3\xA9\xFF\"]", 1, 4, "f:1:4: invalid UTF-8 byte 0xff"},
        {"[\"\xC0\xAF\"]", 1, 3, "f:1:3: invalid UTF-8 byte 0xc0"},
        {"[\"\xE0\x80\xAF\"]", 1, 3, "f:1:3: invalid UTF-8 byte 0xe0"},
        {"[\"\xED\xA0\x80\"]", 1, 3, "f:1:3: invalid UTF-8 byte 0xed"},
        {"[\"\xF4\x90\x80\x80\"]", 1, 3, "f:1:3: invalid UTF-8 byte 0xf4"},
        {"[\"\xE2\x82\"]", 1, 3, "f:1:3: invalid UTF-8 byte 0xe2"},
    };
    sweep_refusals(read_json, refusals, sizeof refusals / sizeof *refusals);
    const uint8_t zero[] = {'[', '"', 'a', 0, '"', ']'};
    sup_error error;
    assert_int_equal(read_json(sup_allocator_default(), zero, sizeof zero, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:4: control character 0x00 must be escaped in a string");
}

static void repeated_keys_are_refused(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"{\"a\":1,\n\"b\":2,\n \"a\":3}", 3, 2, "f:3:2: the key \"a\" stands already in line 1"},
        {"{\"a\":1,\"\\u0061\":2}", 1, 8, "f:1:8: the key \"a\" stands already in line 1"},
        {"{\"a\":1,\n\"a\":2,\n\"a\":3}", 2, 1, "f:2:1: the key \"a\" stands already in line 1"},
        {"{\"z\":1,\"a\":1,\n\"z\":2,\n\"a\":3}", 2, 1,
         "f:2:1: the key \"z\" stands already in line 1"},
        {"{\"o\":{\"a\":1},\"a\":[{\"\":1,\"\":1}]}", 1, 25,
         "f:1:25: the key \"\" stands already in line 1"},
    };
    sweep_refusals(read_json, refusals, sizeof refusals / sizeof *refusals);
    supi_json_document document = parse("{\"a\":{\"a\":{\"a\":1}},\"A\":1,\"ab\":1}");
    supi_json_free(&document);
}

static void nesting_is_limited(void** state) {
    (void)state;
    enum { DEEP = 100000 };
    char* text = malloc(DEEP + 1);
    assert_non_null(text);
    memset(text, '[', DEEP);
    sup_error error;
    assert_int_equal(read_json(sup_allocator_default(), (uint8_t*)text, DEEP, &error),
                     SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:65: nested deeper than 64");
    memset(text + SUPI_JSON_DEPTH, ']', SUPI_JSON_DEPTH);
    assert_int_equal(
        read_json(sup_allocator_default(), (uint8_t*)text, 2 * SUPI_JSON_DEPTH, &error), SUP_OK);
    free(text);
    for (int i = 0; i < 2; i++) {
        char objects[1024] = "";
        for (int k = 0; k < SUPI_JSON_DEPTH - 1 + i; k++) strcat(objects, "{\"a\":");
        strcat(objects, "{");
        size_t size = strlen(objects);
        for (int k = 0; k < SUPI_JSON_DEPTH + i; k++) objects[size++] = '}';
        sup_result result = read_json(sup_allocator_default(), (uint8_t*)objects, size, &error);
        assert_int_equal(result, i == 0 ? SUP_OK : SUP_BAD_FILE);
    }
}

static void memory_stays_proportional(void** state) {
    (void)state;
    static const struct {
        const char *start, *unit, *end;
    } shapes[] = {{"[0", ",0", "]"},       {"[[]", ",[]", "]"},     {"[{}", ",{}", "]"},
                  {"[\"\"", ",\"\"", "]"}, {"", ",", ""},           {"", "[", ""},
                  {"", "{\"\":", ""},      {"\"", "\\u00e9", "\""}, {"\"", "a", "\""},
                  {"[[[[0", ",0", "]]]]"}, {"", "\"", ""},          {"[", "[0],", "0]"}};
    enum { SIZE = 200000 };
    char* text = malloc(SIZE + 32);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t size = strlen(shapes[i].start), unit = strlen(shapes[i].unit);
        memcpy(text, shapes[i].start, size);
        for (; size < SIZE; size += unit) memcpy(text + size, shapes[i].unit, unit);
        memcpy(text + size, shapes[i].end, strlen(shapes[i].end));
        size += strlen(shapes[i].end);
        test_allocator counter;
        sup_error error;
        read_json(test_allocator_init(&counter), (uint8_t*)text, size, &error);
        assert_int_equal(counter.blocks, 0);
        assert_true(counter.peak > 0);
        assert_true(counter.peak <= 64 * (long long)size);
    }
    free(text);
}

/* A quadratic search would need 10^10 comparisons here. */
static void big_objects_are_checked_quickly(void** state) {
    (void)state;
    enum { KEYS = 100000 };
    char* text = malloc(KEYS * 32);
    assert_non_null(text);
    size_t size = 0;
    text[size++] = '{';
    for (int i = 0; i < KEYS; i++) {
        int key = (int)((int64_t)i * 48271 % KEYS);
        if (i == KEYS - 1) key = 0; /* the first one again */
        size += (size_t)sprintf(text + size, "\"key%d\":%d%s", key, i, i + 1 < KEYS ? ",\n" : "}");
    }
    sup_error error;
    clock_t start = clock();
    assert_int_equal(read_json(sup_allocator_default(), (uint8_t*)text, size, &error),
                     SUP_BAD_FILE);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_string_equal(error.text, "f:100000:1: the key \"key0\" stands already in line 1");
    assert_true(seconds < 5);
    free(text);
}

static void long_texts_are_cut_in_messages(void** state) {
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text);
    sup_error error;
    assert_int_equal(read_json(sup_allocator_default(), (uint8_t*)text, sizeof text, &error),
                     SUP_BAD_FILE);
    assert_string_equal(
        error.text,
        "f:1:1: unknown word \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"" WORDS);
    for (int offset = 0; offset < 4; offset++) {
        char key[400] = "{\"xxx", *at = key + 2 + offset;
        for (int i = 0; i < 30; i++, at += 4) memcpy(at, "\xF0\x9F\x98\x80", 4);
        size_t once = (size_t)(at - key) - 1;
        strcpy(at, "\":1,");
        memcpy(at + 4, key + 1, once);
        strcpy(at + 4 + once, "\":2}");
        assert_int_equal(read_json(sup_allocator_default(), (uint8_t*)key, strlen(key), &error),
                         SUP_BAD_FILE);
        assert_non_null(strstr(error.text, "\x98\x80...\" stands already"));
    }
}

static void huge_files_are_refused(void** state) {
    (void)state;
    if (SIZE_MAX <= INT32_MAX) skip();
    sup_error error;
    const uint8_t byte = '1';
    assert_int_equal(read_json(sup_allocator_default(), &byte, (size_t)INT32_MAX, &error),
                     SUP_BAD_FILE);
    assert_string_equal(error.text, "f:1:1: the file has 2 GiB or more; less can be read");
}

static void damage_is_survived(void** state) {
    (void)state;
    const uint8_t* bytes = (const uint8_t*)scene;
    size_t size = sizeof scene - 1;
    assert_int_equal(sweep_prefixes(read_json, bytes, size), 1); /* only the last newline may go */
    assert_true(sweep_damage(read_json, bytes, size) > (int)size);
    assert_true(sweep_memory(read_json, bytes, size) == 4);
    assert_int_equal(supi_json_parse(sup_allocator_default(), "f", bytes, size - 2,
                                     &(supi_json_document){0}, NULL),
                     SUP_BAD_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_is_complete),
        cmocka_unit_test(places_count_code_points),
        cmocka_unit_test(any_value_may_be_the_root),
        cmocka_unit_test(wrong_syntax_is_refused_in_its_place),
        cmocka_unit_test(wrong_numbers_are_refused_in_their_place),
        cmocka_unit_test(wrong_strings_are_refused_in_their_place),
        cmocka_unit_test(repeated_keys_are_refused),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(memory_stays_proportional),
        cmocka_unit_test(big_objects_are_checked_quickly),
        cmocka_unit_test(long_texts_are_cut_in_messages),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
