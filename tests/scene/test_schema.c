/* The published schemas and the references say the same as the tables that read scenes and bodies.
 */
#include <math.h>
#include <stdio.h>

#include "base/file_io.h"
#include "failing_files.h"
#include "scene/body_file.h"
#include "scene/draft.h"

static const supi_json* schema; /* the whole document, for $ref */
static const char* schema_name;

static void check_field(const supi_json* node, const supi_field* field);

static const supi_json* get(const supi_json* node, const char* key) {
    const supi_json* child = node->kind == SUPI_JSON_OBJECT ? supi_json_find(node, key) : NULL;
    if (!child) print_message("docs/%s:%d: no \"%s\"\n", schema_name, (int)node->line, key);
    assert_non_null(child);
    return child;
}

static const supi_json* follow(const supi_json* node) {
    const supi_json* reference = supi_json_find(node, "$ref");
    if (!reference) return node;
    const supi_json* found = schema;
    for (const char* at = reference->text + 1; *at == '/';) { /* behind the # */
        char key[64];
        size_t length = strcspn(++at, "/");
        assert_true(length < sizeof key);
        memcpy(key, at, length);
        key[length] = 0;
        found = get(found, key);
        at += length;
    }
    return found;
}

static void check_type(const supi_json* node, const char* type) {
    if (strcmp(get(node, "type")->text, type) != 0) {
        print_message("docs/%s:%d: not %s\n", schema_name, (int)node->line, type);
        fail();
    }
}

static void check_range(const supi_json* node, const supi_field* field) {
    bool whole = field->kind == SUPI_FIELD_INTEGER || field->kind == SUPI_FIELD_NUMBERS ||
                 field->kind == SUPI_FIELD_SETS;
    check_type(node, whole ? "integer" : "number");
    const char* low = field->flags & SUPI_ABOVE ? "exclusiveMinimum" : "minimum";
    assert_true(get(node, low)->number == field->low);
    assert_true(get(node, "maximum")->number == field->high);
}

static void check_row(const supi_json* node, const supi_field* field) {
    if (field->count == 1) {
        check_range(node, field);
        return;
    }
    if (field->flags & SUPI_SPREAD) {
        node = get(node, "oneOf")->first;
        check_range(node, field);
        node = node->next;
    }
    check_type(node, "array");
    assert_true(get(node, "minItems")->number == field->count);
    assert_true(get(node, "maxItems")->number == field->count);
    check_range(get(node, "items"), field);
}

static bool has_text(const supi_json* list, const char* text) {
    for (const supi_json* item = list ? list->first : NULL; item; item = item->next) {
        if (strcmp(item->text, text) == 0) return true;
    }
    return false;
}

/* Of alternatives exactly one must be given: a list of what may be required. */
static void check_alternatives(const supi_json* node, const supi_table* table) {
    const supi_json* alternative = NULL;
    for (const supi_field* field = table->fields; field->key; field++) {
        if (!(field->flags & SUPI_ALTERNATIVE)) continue;
        alternative = alternative ? alternative->next : get(node, "oneOf")->first;
        assert_non_null(alternative);
        assert_true(has_text(get(alternative, "required"), field->key));
        assert_int_equal(get(alternative, "required")->child_count, 1);
    }
    if (alternative) assert_null(alternative->next);
}

static void check_table(const supi_json* given, const supi_table* table) {
    const supi_json* node = follow(given);
    check_type(node, "object");
    assert_false(get(node, "additionalProperties")->boolean);
    const supi_json* properties = get(node, "properties");
    const supi_json* required = supi_json_find(node, "required");
    int32_t count = 0;
    for (const supi_field* field = table->fields; field->key; field++, count++) {
        assert_int_equal(has_text(required, field->key), (field->flags & SUPI_REQUIRED) != 0);
        check_field(get(properties, field->key), field);
    }
    assert_int_equal(properties->child_count, count);
    check_alternatives(node, table);
}

/* Descriptions are text. */
static void check_descriptions(const supi_json* node) {
    const supi_json* text =
        node->kind == SUPI_JSON_OBJECT ? supi_json_find(node, "description") : NULL;
    if (text && supi_json_find(node, "type")) assert_int_equal(text->kind, SUPI_JSON_STRING);
    for (const supi_json* child = node->first; child; child = child->next) {
        check_descriptions(child);
    }
}

/* The kinds that need nothing may be bare words, all of them may be objects with one key. */
static void check_choices(const supi_json* node, const supi_choice* choices) {
    const supi_json* alternative = get(follow(node), "oneOf")->first;
    const supi_json* bare = supi_json_find(alternative, "enum");
    if (bare) alternative = alternative->next;
    for (const supi_choice* choice = choices; choice->name; choice++) {
        assert_non_null(alternative);
        const supi_json* inside = get(get(alternative, "properties"), choice->name);
        bool needs = false;
        for (const supi_field* field = choice->table->fields; field->key; field++) {
            needs = needs || field->flags & (SUPI_REQUIRED | SUPI_ALTERNATIVE);
        }
        assert_int_equal(has_text(bare, choice->name), !needs);
        check_table(inside, choice->table);
        alternative = alternative->next;
    }
    assert_null(alternative);
}

static void check_field(const supi_json* node, const supi_field* field) {
    switch (field->kind) {
    case SUPI_FIELD_NUMBER:
    case SUPI_FIELD_INTEGER: check_row(node, field); break;
    case SUPI_FIELD_BOOL: check_type(node, "boolean"); break;
    case SUPI_FIELD_COLOUR: get(node, "pattern"); /* fall through */
    case SUPI_FIELD_TEXT: check_type(node, "string"); break;
    case SUPI_FIELD_WORD: {
        int32_t count = 0;
        for (; field->words[count]; count++) {
            assert_true(has_text(get(node, "enum"), field->words[count]));
        }
        assert_int_equal(get(node, "enum")->child_count, count);
        break;
    }
    case SUPI_FIELD_OBJECT: check_table(node, field->table); break;
    case SUPI_FIELD_CHOICE: check_choices(node, field->choices); break;
    case SUPI_FIELD_LIST:
    case SUPI_FIELD_NUMBERS:
        check_type(node, "array");
        assert_true(get(node, "maxItems")->number == SUPI_LIST_LIMIT);
        if (field->kind == SUPI_FIELD_NUMBERS) {
            check_range(get(node, "items"), field);
        } else if (field->table) {
            check_table(get(node, "items"), field->table);
        } else {
            check_choices(get(node, "items"), field->choices);
        }
        break;
    case SUPI_FIELD_ROWS:
    case SUPI_FIELD_SETS:
        check_type(node, "array");
        assert_true(get(node, "maxItems")->number == SUPI_LIST_LIMIT);
        node = get(node, "items");
        check_type(node, "array");
        assert_true(get(node, "maxItems")->number == SUPI_LIST_LIMIT);
        check_range(get(node, "items"), field);
        break;
    case SUPI_FIELD_ANY: break; /* materials, looked at by name below */
    }
}

static void read_document(const char* name, supi_bytes* bytes) {
    char path[1000];
    const char* source = getenv("SUPPLE_SOURCE");
    snprintf(path, sizeof path, "%s/docs/%s", source ? source : ".", name);
    sup_error error = {0};
    sup_result result =
        supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, bytes, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
}

/* `material`: of a scene, whose materials have names of their own; NULL: there are none. */
static void check_schema(const char* name, const supi_table* table, const supi_table* material) {
    supi_bytes bytes;
    schema_name = name;
    read_document(name, &bytes);
    supi_json_document document;
    assert_int_equal(
        supi_json_parse(sup_allocator_default(), name, bytes.data, bytes.size, &document, NULL),
        SUP_OK);
    schema = document.root;
    check_descriptions(schema);
    check_table(schema, table);
    if (material) check_table(get(get(schema, "$defs"), "material"), material);
    supi_json_free(&document);
    supi_bytes_free(sup_allocator_default(), &bytes);
}

static void schemas_say_what_the_tables_say(void** state) {
    (void)state;
    check_schema("scene.schema.json", &supi_draft_table, &supi_draft_material_table);
    check_schema("body.schema.json", &supi_body_file_table, NULL);
}

/* Every key stands in the reference as `key`. */
static void look_up(const char* name, const char* reference, const supi_table* table);

static void look_up_choices(const char* name, const char* reference, const supi_choice* choices) {
    for (; choices->name; choices++) look_up(name, reference, choices->table);
}

static void look_up(const char* name, const char* reference, const supi_table* table) {
    for (const supi_field* field = table->fields; field->key; field++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s`", field->key);
        if (!strstr(reference, quoted)) {
            print_message("docs/%s: %s of %s is missing\n", name, quoted, table->what);
            fail();
        }
        if (field->table) look_up(name, reference, field->table);
        if (field->choices) look_up_choices(name, reference, field->choices);
    }
}

static void check_reference(const char* name, const supi_table* first, const supi_table* second) {
    supi_bytes bytes;
    read_document(name, &bytes);
    look_up(name, (const char*)bytes.data, first);
    if (second) look_up(name, (const char*)bytes.data, second);
    supi_bytes_free(sup_allocator_default(), &bytes);
}

static void references_name_every_key(void** state) {
    (void)state;
    check_reference("scene-reference.md", &supi_draft_table, &supi_draft_material_table);
    check_reference("oriented-particles.md", &supi_body_file_table, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_say_what_the_tables_say),
        cmocka_unit_test(references_name_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
