/* Fields of JSON objects with the types and ranges that glTF gives them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "file/gltf_file.h"

sup_result supi_gltf_fail(const supi_gltf* gltf, const supi_json* place, const char* format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return supi_error_at(gltf->error, gltf->name, place->line, place->column, "%s", text);
}

static const char* kind_name(supi_json_kind kind) {
    static const char* const names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return names[kind];
}

sup_result supi_gltf_field(const supi_gltf* gltf, const supi_json* object, const char* key,
                           supi_json_kind kind, const supi_json** value) {
    *value = supi_json_find(object, key);
    if (!*value || (*value)->kind == kind) return SUP_OK;
    return supi_gltf_fail(gltf, *value, "\"%s\" must be %s", key, kind_name(kind));
}

static sup_result missing(const supi_gltf* gltf, const supi_json* object, const char* key) {
    return supi_gltf_fail(gltf, object, "\"%s\" is missing", key);
}

sup_result supi_gltf_needed(const supi_gltf* gltf, const supi_json* object, const char* key,
                            supi_json_kind kind, const supi_json** value) {
    sup_result result = supi_gltf_field(gltf, object, key, kind, value);
    return result == SUP_OK && !*value ? missing(gltf, object, key) : result;
}

/* An integer that a double holds exactly. */
static bool is_integer(const supi_json* value, int64_t low, int64_t high) {
    double number = value->number;
    return number >= (double)low && number <= (double)high && number == floor(number);
}

sup_result supi_gltf_integer(const supi_gltf* gltf, const supi_json* object, const char* key,
                             int64_t low, int64_t high, int64_t* value) {
    const supi_json* field;
    sup_result result = supi_gltf_field(gltf, object, key, SUPI_JSON_NUMBER, &field);
    if (result != SUP_OK || !field) return result;
    if (!is_integer(field, low, high)) {
        char given[32];
        supi_number_write(field->number, given);
        return supi_gltf_fail(gltf, field, "\"%s\" must be an integer from %lld to %lld, not %s",
                              key, (long long)low, (long long)high, given);
    }
    *value = (int64_t)field->number;
    return SUP_OK;
}

sup_result supi_gltf_needed_integer(const supi_gltf* gltf, const supi_json* object, const char* key,
                                    int64_t low, int64_t high, int64_t* value) {
    if (!supi_json_find(object, key)) return missing(gltf, object, key);
    return supi_gltf_integer(gltf, object, key, low, high, value);
}

sup_result supi_gltf_item_index(const supi_gltf* gltf, const supi_json* item, int32_t count,
                                int32_t* index) {
    if (item->kind != SUPI_JSON_NUMBER || !is_integer(item, 0, INT32_MAX)) {
        return supi_gltf_fail(gltf, item, "an index must be an integer from 0 on");
    }
    if (item->number >= (double)count) {
        return supi_gltf_fail(gltf, item, "the index %d is out of range: there are %d",
                              (int)item->number, (int)count);
    }
    *index = (int32_t)item->number;
    return SUP_OK;
}

sup_result supi_gltf_index(const supi_gltf* gltf, const supi_json* object, const char* key,
                           int32_t count, int32_t* index) {
    const supi_json* field = supi_json_find(object, key);
    *index = -1;
    return field ? supi_gltf_item_index(gltf, field, count, index) : SUP_OK;
}

sup_result supi_gltf_needed_index(const supi_gltf* gltf, const supi_json* object, const char* key,
                                  int32_t count, int32_t* index) {
    sup_result result = supi_gltf_index(gltf, object, key, count, index);
    return result == SUP_OK && *index < 0 ? missing(gltf, object, key) : result;
}

sup_result supi_gltf_numbers(const supi_gltf* gltf, const supi_json* object, const char* key,
                             int32_t count, double* values, bool* given) {
    const supi_json* array;
    sup_result result = supi_gltf_field(gltf, object, key, SUPI_JSON_ARRAY, &array);
    *given = array != NULL;
    if (result != SUP_OK || !array) return result;
    if (array->child_count != count) {
        return supi_gltf_fail(gltf, array, "\"%s\" must have %d numbers, not %d", key, (int)count,
                              (int)array->child_count);
    }
    for (const supi_json* item = array->first; item; item = item->next) {
        if (item->kind != SUPI_JSON_NUMBER) {
            return supi_gltf_fail(gltf, item, "\"%s\" must hold only numbers", key);
        }
        *values++ = item->number;
    }
    return SUP_OK;
}

sup_result supi_gltf_table_read(supi_gltf* gltf, const supi_json* object, const char* key,
                                supi_gltf_table* table) {
    const supi_json* array;
    *table = (supi_gltf_table){0};
    sup_result result = supi_gltf_field(gltf, object, key, SUPI_JSON_ARRAY, &array);
    if (result != SUP_OK || !array) return result;
    table->rows = supi_arena_push(&gltf->store, (size_t)array->child_count, sizeof *table->rows);
    if (!table->rows) return supi_error_memory(gltf->error);
    for (const supi_json* item = array->first; item; item = item->next) {
        if (item->kind != SUPI_JSON_OBJECT) {
            return supi_gltf_fail(gltf, item, "\"%s\" must hold only objects", key);
        }
        table->rows[table->count++] = item;
    }
    return SUP_OK;
}
