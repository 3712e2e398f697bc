/* See ply_rows.h. The data is walked twice, as for meshes: checked and counted, then filled in. */
#include "file/ply_rows.h"

#include "base/error.h"
#include "base/number.h"
#include "file/ply_values.h"

#include <math.h>
#include <string.h>

typedef struct rows_reader {
    supi_ply_walk walk;
    const supi_ply_table* tables;
    int32_t table_count;
    supi_ply_rows* out;
    bool fills; /* the second walk */
} rows_reader;

static const supi_ply_element* find_element(const supi_ply_header* header, const char* name) {
    for (int32_t i = 0; i < header->element_count; i++) {
        if (supi_token_is(&header->elements[i].name, name)) return &header->elements[i];
    }
    return NULL;
}

static const supi_ply_field* find_field(const supi_ply_table* table,
                                        const supi_ply_property* property) {
    const supi_ply_field* field = table->fields;
    while (field->name && !supi_token_is(&property->name, field->name)) field++;
    return field->name ? field : NULL;
}

static bool is_whole(const supi_ply_field* field) {
    return field->kind == SUPI_PLY_WHOLE || field->kind == SUPI_PLY_LIST;
}

/* Has the element every field that it needs, and each as it should be? */
static sup_result check_element(const rows_reader* reader, const supi_ply_table* table,
                                const supi_ply_element* element) {
    const char* name = reader->walk.cursor.name;
    for (const supi_ply_field* field = table->fields; field->name; field++) {
        const supi_ply_property* found = NULL;
        for (int32_t i = 0; i < element->property_count; i++) {
            const supi_ply_property* property = &element->properties[i];
            if (supi_token_is(&property->name, field->name)) found = property;
        }
        if (!found && field->kind == SUPI_PLY_OPTIONAL) continue;
        if (!found) {
            return supi_error_at(reader->walk.error, name, element->name.line, element->name.column,
                                 "the element \"%s\" has no property \"%s\"", table->element,
                                 field->name);
        }
        bool whole = is_whole(field);
        bool good = found->is_list == (field->kind == SUPI_PLY_LIST) &&
                    (!whole || supi_ply_type_is_integer(found->type));
        if (good) continue;
        return supi_error_at(reader->walk.error, name, found->name.line, found->name.column,
                             "the property \"%s\" must be %s", field->name,
                             field->kind == SUPI_PLY_LIST ? "a list of whole numbers"
                             : whole                      ? "a whole number"
                                                          : "a number");
    }
    return SUP_OK;
}

/* One value within its range. */
static sup_result read_number(rows_reader* reader, const supi_ply_property* property,
                              const supi_ply_field* field, double* value) {
    sup_result result = supi_ply_value(&reader->walk, property, property->type, value);
    if (result != SUP_OK) return result;
    double low = field->low, high = field->high;
    if (field->of) {
        const supi_ply_element* of = find_element(reader->walk.header, field->of);
        low = 0, high = (of ? of->count : 0) - 1.0;
    }
    if (*value >= low && *value <= high) return SUP_OK;
    char text[3][32];
    if (is_whole(field)) {
        supi_number_write(low, text[0]);
        supi_number_write(high, text[1]);
    } else {
        supi_number_write_float((float)low, text[0]);
        supi_number_write_float((float)high, text[1]);
    }
    supi_number_write(*value, text[2]);
    return supi_ply_refuse(&reader->walk, "\"%s\" must be from %s to %s, not %s", field->name,
                           text[0], text[1], isfinite(*value) ? text[2] : "that");
}

static sup_result read_list(rows_reader* reader, const supi_ply_property* property,
                            const supi_ply_field* field, supi_ply_rows* out) {
    int64_t count = 0;
    sup_result result = supi_ply_list(&reader->walk, property, &count);
    for (int64_t i = 0; result == SUP_OK && i < count; i++) {
        double value = 0;
        result = read_number(reader, property, field, &value);
        if (result == SUP_OK && reader->fills) out->items[out->item_count] = (int32_t)value;
        out->item_count++;
    }
    return result;
}

static sup_result read_field(rows_reader* reader, const supi_ply_property* property,
                             const supi_ply_field* field, uint8_t* row) {
    double value = 0;
    sup_result result = read_number(reader, property, field, &value);
    if (result != SUP_OK || !reader->fills) return result;
    if (field->kind == SUPI_PLY_WHOLE) {
        int32_t whole = (int32_t)value;
        memcpy(row + field->offset, &whole, sizeof whole);
    } else {
        float number = (float)value;
        memcpy(row + field->offset, &number, sizeof number);
    }
    return SUP_OK;
}

/* What nobody asked for. */
static sup_result skip(rows_reader* reader, const supi_ply_property* property) {
    int64_t count = 1;
    if (property->is_list) {
        sup_result result = supi_ply_list(&reader->walk, property, &count);
        if (result != SUP_OK) return result;
    }
    return supi_ply_skip(&reader->walk, property, count);
}

static sup_result read_row(rows_reader* reader, const supi_ply_element* element, int32_t index,
                           const supi_ply_table* table, supi_ply_rows* out) {
    uint8_t* row = reader->fills && out ? (uint8_t*)out->rows + (size_t)index * table->size : NULL;
    sup_result result = supi_ply_begin_row(&reader->walk, element, index);
    for (int32_t i = 0; result == SUP_OK && i < element->property_count; i++) {
        const supi_ply_property* property = &element->properties[i];
        const supi_ply_field* field = table ? find_field(table, property) : NULL;
        result = !field                         ? skip(reader, property)
                 : field->kind == SUPI_PLY_LIST ? read_list(reader, property, field, out)
                                                : read_field(reader, property, field, row);
    }
    if (result == SUP_OK && row) out->starts[index + 1] = out->item_count;
    return result == SUP_OK ? supi_ply_end_row(&reader->walk, element) : result;
}

static sup_result read_data(rows_reader* reader) {
    const supi_ply_header* header = reader->walk.header;
    for (int32_t i = 0; i < header->element_count; i++) {
        const supi_ply_element* element = &header->elements[i];
        int32_t t = 0;
        while (t < reader->table_count && !supi_token_is(&element->name, reader->tables[t].element))
            t++;
        bool wanted = t < reader->table_count;
        for (int32_t row = 0; row < element->count; row++) {
            sup_result result = read_row(reader, element, row, wanted ? &reader->tables[t] : NULL,
                                         wanted ? &reader->out[t] : NULL);
            if (result != SUP_OK) return result;
        }
    }
    return supi_ply_end(&reader->walk);
}

static void fill_optional(const supi_ply_table* table, const supi_ply_rows* out) {
    for (const supi_ply_field* field = table->fields; field->name; field++) {
        float value = (float)field->low;
        for (int32_t i = 0; field->kind == SUPI_PLY_OPTIONAL && i < out->count; i++) {
            memcpy((uint8_t*)out->rows + (size_t)i * table->size + field->offset, &value,
                   sizeof value);
        }
    }
}

static bool make_room(supi_arena* store, const rows_reader* reader) {
    for (int32_t t = 0; t < reader->table_count; t++) {
        supi_ply_rows* out = &reader->out[t];
        const supi_ply_element* element =
            find_element(reader->walk.header, reader->tables[t].element);
        out->count = element ? element->count : 0;
        size_t count = (size_t)out->count;
        out->rows = supi_arena_push(store, count, reader->tables[t].size);
        out->starts = supi_arena_push(store, count + 1, sizeof *out->starts);
        out->items = supi_arena_push(store, (size_t)out->item_count, sizeof *out->items);
        if (!out->rows || !out->starts || !out->items) return false;
        out->item_count = 0;
        fill_optional(&reader->tables[t], out);
    }
    return true;
}

sup_result supi_ply_rows_read(supi_arena* store, const char* name, const uint8_t* bytes,
                              size_t size, int32_t table_count, const supi_ply_table* tables,
                              supi_ply_rows* out, sup_error* error) {
    supi_cursor cursor;
    supi_ply_header header;
    sup_result result = supi_cursor_begin(&cursor, name, bytes, size, error);
    if (result == SUP_OK) result = supi_ply_header_read(&cursor, &header, error);
    if (result != SUP_OK) return result;
    rows_reader check = {.walk = {.header = &header, .cursor = cursor, .error = error},
                         .tables = tables,
                         .table_count = table_count,
                         .out = out};
    memset(out, 0, (size_t)table_count * sizeof *out);
    for (int32_t t = 0; t < table_count && result == SUP_OK; t++) {
        const supi_ply_element* element = find_element(&header, tables[t].element);
        if (element) result = check_element(&check, &tables[t], element);
    }
    rows_reader fill = check;
    fill.fills = true;
    if (result == SUP_OK) result = read_data(&check);
    if (result != SUP_OK) return result;
    if (!make_room(store, &fill)) return supi_error_memory(error);
    read_data(&fill); /* cannot fail: the same bytes have just passed */
    return SUP_OK;
}
