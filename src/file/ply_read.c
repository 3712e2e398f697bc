/* PLY: the vertices and faces of a mesh; vertices alone are a cloud. The data is walked twice:
   first to check every value and count the corners, then, with arrays of the exact size, to fill
   them. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "file/mesh_arrays.h"
#include "file/ply_header.h"
#include "supple/files.h"

typedef struct ply_reader {
    const supi_ply_header* header;
    supi_cursor cursor;
    supi_token token; /* the last value of an ascii file */
    size_t value_at;  /* the last value of a binary file */
    sup_mesh* mesh;   /* NULL in the first walk */
    int32_t polygons_read, corners_read;
    sup_error* error;
} ply_reader;

/* Refuses the last value: by line and column in ascii, by its offset in binary files. */
__attribute__((format(printf, 2, 3))) static sup_result refuse(const ply_reader* reader,
                                                               const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char* name = reader->cursor.name;
    if (reader->header->format != SUPI_PLY_ASCII) {
        return supi_error_set(reader->error, SUP_BAD_FILE, "%.200s: byte %zu: %s", name,
                              reader->value_at, text);
    }
    return supi_error_at(reader->error, name, reader->token.line, reader->token.column, "%s", text);
}

static sup_result refuse_end(const ply_reader* reader, const char* what, const supi_token* name) {
    char quote[SUPI_QUOTE_SIZE];
    return refuse(reader, "the %s ends inside \"%s\"", what, supi_token_quote(name, quote));
}

/* The next word of an ascii line. */
static sup_result next_token(ply_reader* reader, const supi_ply_property* property) {
    if (supi_cursor_token(&reader->cursor, &reader->token)) return SUP_OK;
    return refuse_end(reader, "line", &property->name);
}

/* Goes over `size` bytes of a binary file, which the last value is now. */
static sup_result next_bytes(ply_reader* reader, const supi_ply_property* property, uint64_t size) {
    reader->value_at = reader->cursor.at;
    if (size > supi_cursor_left(&reader->cursor)) {
        return refuse_end(reader, "file", &property->name);
    }
    reader->cursor.at += (size_t)size;
    return SUP_OK;
}

static sup_result token_integer(const ply_reader* reader, supi_ply_type type, double* value) {
    static const int64_t low[] = {INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0};
    static const int64_t high[] = {INT8_MAX,   UINT8_MAX, INT16_MAX,
                                   UINT16_MAX, INT32_MAX, UINT32_MAX};
    const supi_token* token = &reader->token;
    int64_t number = 0;
    size_t used = 0;
    bool good = supi_number_parse_integer(token->text, token->size, &number, &used) &&
                used == token->size && number >= low[type] && number <= high[type];
    if (!good) {
        char quote[SUPI_QUOTE_SIZE];
        return refuse(reader, "\"%s\" is not an integer from %lld to %lld",
                      supi_token_quote(token, quote), (long long)low[type], (long long)high[type]);
    }
    *value = (double)number;
    return SUP_OK;
}

static double bits_to_number(uint64_t bits, supi_ply_type type) {
    uint32_t low = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case SUPI_PLY_INT8: return (int8_t)low;
    case SUPI_PLY_INT16: return (int16_t)low;
    case SUPI_PLY_INT32: return (int32_t)low;
    case SUPI_PLY_UINT8:
    case SUPI_PLY_UINT16:
    case SUPI_PLY_UINT32: return low;
    case SUPI_PLY_FLOAT32: memcpy(&single, &low, sizeof single); return (double)single;
    case SUPI_PLY_FLOAT64: memcpy(&number, &bits, sizeof number); return number;
    }
    return 0;
}

/* Every integer type is exact in a double. */
static sup_result read_value(ply_reader* reader, const supi_ply_property* property,
                             supi_ply_type type, double* value) {
    if (reader->header->format == SUPI_PLY_ASCII) {
        sup_result result = next_token(reader, property);
        if (result != SUP_OK) return result;
        if (supi_ply_type_is_integer(type)) return token_integer(reader, type, value);
        float number = 0;
        result = supi_token_float(&reader->token, reader->cursor.name, &number, reader->error);
        *value = (double)number;
        return result;
    }
    size_t size = supi_ply_type_size(type);
    sup_result result = next_bytes(reader, property, size);
    if (result != SUP_OK) return result;
    const uint8_t* bytes = reader->cursor.bytes + reader->value_at;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bool little = reader->header->format == SUPI_PLY_LITTLE_ENDIAN;
        bits = bits << 8 | bytes[little ? size - 1 - i : i];
    }
    *value = bits_to_number(bits, type);
    return SUP_OK;
}

static sup_result skip_values(ply_reader* reader, const supi_ply_property* property,
                              int64_t count) {
    if (reader->header->format != SUPI_PLY_ASCII) {
        return next_bytes(reader, property, (uint64_t)count * supi_ply_type_size(property->type));
    }
    for (int64_t i = 0; i < count; i++) {
        sup_result result = next_token(reader, property);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

static sup_result read_coordinate(ply_reader* reader, const supi_ply_property* property,
                                  int32_t row) {
    double value = 0;
    sup_result result = read_value(reader, property, property->type, &value);
    if (result != SUP_OK) return result;
    if (!(fabs(value) <= (double)FLT_MAX)) {
        return refuse(reader, "a coordinate is not finite or beyond the range of a float");
    }
    if (!reader->mesh) return SUP_OK;
    sup_vec3* point = &reader->mesh->points[row];
    if (property->role == SUPI_PLY_X) point->x = (float)value;
    if (property->role == SUPI_PLY_Y) point->y = (float)value;
    if (property->role == SUPI_PLY_Z) point->z = (float)value;
    return SUP_OK;
}

static sup_result read_corners(ply_reader* reader, const supi_ply_property* property,
                               int64_t count) {
    if (count < 3) {
        return refuse(reader, "a face has 3 or more corners, but this one %d", (int)count);
    }
    int32_t point_count = reader->header->point_count;
    for (int64_t i = 0; i < count; i++) {
        double index = 0;
        sup_result result = read_value(reader, property, property->type, &index);
        if (result != SUP_OK) return result;
        if (index < 0 || index >= point_count) {
            return refuse(reader, "vertex index %lld is out of the range 0 to %d", (long long)index,
                          (int)point_count - 1);
        }
        if (reader->mesh) reader->mesh->corners[reader->corners_read] = (int32_t)index;
        reader->corners_read++;
    }
    reader->polygons_read++;
    if (reader->mesh) reader->mesh->starts[reader->polygons_read] = reader->corners_read;
    return SUP_OK;
}

static sup_result read_property(ply_reader* reader, const supi_ply_property* property,
                                int32_t row) {
    if (!property->is_list) {
        return property->role == SUPI_PLY_SKIPPED ? skip_values(reader, property, 1)
                                                  : read_coordinate(reader, property, row);
    }
    double count = 0;
    sup_result result = read_value(reader, property, property->count_type, &count);
    if (result != SUP_OK) return result;
    if (count < 0) {
        return refuse(reader, "a list has 0 or more items, but this one %d", (int)count);
    }
    return property->role == SUPI_PLY_CORNERS ? read_corners(reader, property, (int64_t)count)
                                              : skip_values(reader, property, (int64_t)count);
}

/* In ascii one line, blank lines before it do not count. */
static sup_result read_row(ply_reader* reader, const supi_ply_element* element, int32_t row) {
    bool ascii = reader->header->format == SUPI_PLY_ASCII;
    char quote[SUPI_QUOTE_SIZE];
    if (ascii && !supi_cursor_next_word(&reader->cursor)) {
        return supi_error_at(reader->error, reader->cursor.name, reader->cursor.line,
                             reader->cursor.column, "the file ends after %d of %d times \"%s\"",
                             (int)row, (int)element->count,
                             supi_token_quote(&element->name, quote));
    }
    for (int32_t i = 0; i < element->property_count; i++) {
        sup_result result = read_property(reader, &element->properties[i], row);
        if (result != SUP_OK) return result;
    }
    if (ascii && supi_cursor_token(&reader->cursor, &reader->token)) {
        return refuse(reader, "the line of this \"%s\" should have ended",
                      supi_token_quote(&element->name, quote));
    }
    return SUP_OK;
}

static sup_result read_data(ply_reader* reader) {
    const supi_ply_header* header = reader->header;
    for (int32_t i = 0; i < header->element_count; i++) {
        const supi_ply_element* element = &header->elements[i];
        for (int32_t row = 0; row < element->count; row++) {
            sup_result result = read_row(reader, element, row);
            if (result != SUP_OK) return result;
        }
    }
    bool more = supi_cursor_left(&reader->cursor) > 0;
    reader->value_at = reader->cursor.at;
    if (header->format == SUPI_PLY_ASCII) {
        more = supi_cursor_next_word(&reader->cursor);
        supi_cursor_token(&reader->cursor, &reader->token);
    }
    return more ? refuse(reader, "the file goes on after its last element") : SUP_OK;
}

sup_result sup_ply_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, sup_mesh* out, sup_error* error) {
    if (!allocator) allocator = sup_allocator_default();
    supi_cursor cursor;
    supi_ply_header header;
    sup_result result = supi_cursor_begin(&cursor, name, bytes, size, error);
    if (result == SUP_OK) result = supi_ply_header_read(&cursor, &header, error);
    if (result != SUP_OK) return result;
    ply_reader check = {.header = &header, .cursor = cursor, .error = error};
    result = read_data(&check);
    if (result != SUP_OK) return result;

    sup_mesh mesh;
    if (!supi_mesh_arrays_new(allocator, header.point_count, header.polygon_count,
                              check.corners_read, &mesh)) {
        return supi_error_memory(error);
    }
    ply_reader fill = {.header = &header, .cursor = cursor, .mesh = &mesh, .error = error};
    read_data(&fill); /* cannot fail: the same bytes have just passed */
    *out = mesh;
    return SUP_OK;
}
