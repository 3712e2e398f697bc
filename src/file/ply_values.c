/* See ply_values.h. */
#include "file/ply_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

sup_result supi_ply_refuse(const supi_ply_walk* walk, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char* name = walk->cursor.name;
    if (walk->header->format != SUPI_PLY_ASCII) {
        return supi_error_set(walk->error, SUP_BAD_FILE, "%.200s: byte %zu: %s", name,
                              walk->value_at, text);
    }
    return supi_error_at(walk->error, name, walk->token.line, walk->token.column, "%s", text);
}

static sup_result refuse_end(const supi_ply_walk* walk, const char* what, const supi_token* name) {
    char quote[SUPI_QUOTE_SIZE];
    return supi_ply_refuse(walk, "the %s ends inside \"%s\"", what, supi_token_quote(name, quote));
}

/* The next word of an ascii line. */
static sup_result next_token(supi_ply_walk* walk, const supi_ply_property* property) {
    if (supi_cursor_token(&walk->cursor, &walk->token)) return SUP_OK;
    return refuse_end(walk, "line", &property->name);
}

/* Goes over `size` bytes of a binary file, which the last value is now. */
static sup_result next_bytes(supi_ply_walk* walk, const supi_ply_property* property,
                             uint64_t size) {
    walk->value_at = walk->cursor.at;
    if (size > supi_cursor_left(&walk->cursor)) {
        return refuse_end(walk, "file", &property->name);
    }
    walk->cursor.at += (size_t)size;
    return SUP_OK;
}

static sup_result token_integer(const supi_ply_walk* walk, supi_ply_type type, double* value) {
    static const int64_t low[] = {INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0};
    static const int64_t high[] = {INT8_MAX,   UINT8_MAX, INT16_MAX,
                                   UINT16_MAX, INT32_MAX, UINT32_MAX};
    const supi_token* token = &walk->token;
    int64_t number = 0;
    size_t used = 0;
    bool good = supi_number_parse_integer(token->text, token->size, &number, &used) &&
                used == token->size && number >= low[type] && number <= high[type];
    if (!good) {
        char quote[SUPI_QUOTE_SIZE];
        return supi_ply_refuse(walk, "\"%s\" is not an integer from %lld to %lld",
                               supi_token_quote(token, quote), (long long)low[type],
                               (long long)high[type]);
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

sup_result supi_ply_value(supi_ply_walk* walk, const supi_ply_property* property,
                          supi_ply_type type, double* value) {
    if (walk->header->format == SUPI_PLY_ASCII) {
        sup_result result = next_token(walk, property);
        if (result != SUP_OK) return result;
        if (supi_ply_type_is_integer(type)) return token_integer(walk, type, value);
        float number = 0;
        result = supi_token_float(&walk->token, walk->cursor.name, &number, walk->error);
        *value = (double)number;
        return result;
    }
    size_t size = supi_ply_type_size(type);
    sup_result result = next_bytes(walk, property, size);
    if (result != SUP_OK) return result;
    const uint8_t* bytes = walk->cursor.bytes + walk->value_at;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bool little = walk->header->format == SUPI_PLY_LITTLE_ENDIAN;
        bits = bits << 8 | bytes[little ? size - 1 - i : i];
    }
    *value = bits_to_number(bits, type);
    return SUP_OK;
}

sup_result supi_ply_skip(supi_ply_walk* walk, const supi_ply_property* property, int64_t count) {
    if (walk->header->format != SUPI_PLY_ASCII) {
        return next_bytes(walk, property, (uint64_t)count * supi_ply_type_size(property->type));
    }
    for (int64_t i = 0; i < count; i++) {
        sup_result result = next_token(walk, property);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

sup_result supi_ply_list(supi_ply_walk* walk, const supi_ply_property* property, int64_t* count) {
    double number = 0;
    sup_result result = supi_ply_value(walk, property, property->count_type, &number);
    if (result == SUP_OK && number < 0) {
        result = supi_ply_refuse(walk, "a list has 0 or more items, but this one %d", (int)number);
    }
    *count = (int64_t)number;
    return result;
}

sup_result supi_ply_begin_row(supi_ply_walk* walk, const supi_ply_element* element, int32_t row) {
    char quote[SUPI_QUOTE_SIZE];
    if (walk->header->format != SUPI_PLY_ASCII || supi_cursor_next_word(&walk->cursor)) {
        return SUP_OK;
    }
    return supi_error_at(walk->error, walk->cursor.name, walk->cursor.line, walk->cursor.column,
                         "the file ends after %d of %d times \"%s\"", (int)row, (int)element->count,
                         supi_token_quote(&element->name, quote));
}

sup_result supi_ply_end_row(supi_ply_walk* walk, const supi_ply_element* element) {
    char quote[SUPI_QUOTE_SIZE];
    if (walk->header->format != SUPI_PLY_ASCII || !supi_cursor_token(&walk->cursor, &walk->token)) {
        return SUP_OK;
    }
    return supi_ply_refuse(walk, "the line of this \"%s\" should have ended",
                           supi_token_quote(&element->name, quote));
}

sup_result supi_ply_end(supi_ply_walk* walk) {
    bool more = supi_cursor_left(&walk->cursor) > 0;
    walk->value_at = walk->cursor.at;
    if (walk->header->format == SUPI_PLY_ASCII) {
        more = supi_cursor_next_word(&walk->cursor);
        supi_cursor_token(&walk->cursor, &walk->token);
    }
    return more ? supi_ply_refuse(walk, "the file goes on after its last element") : SUP_OK;
}
