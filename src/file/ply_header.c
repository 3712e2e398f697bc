/* Reading and checking the header of a PLY file. */
#include "file/ply_header.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"

typedef struct header_reader {
    supi_cursor* cursor;
    supi_ply_header* header;
    sup_error* error;
    bool has_format;
} header_reader;

/* `text` says what is wrong with the token; an empty token is the end of a line. */
static sup_result refuse(const header_reader* reader, const supi_token* token, const char* text) {
    const char* name = reader->cursor->name;
    if (token->size == 0) {
        return supi_error_at(reader->error, name, token->line, token->column, "end of line: %s",
                             text);
    }
    char quote[SUPI_QUOTE_SIZE];
    return supi_error_at(reader->error, name, token->line, token->column, "\"%s\": %s",
                         supi_token_quote(token, quote), text);
}

bool supi_ply_type_is_integer(supi_ply_type type) { return type <= SUPI_PLY_UINT32; }

size_t supi_ply_type_size(supi_ply_type type) {
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static bool same_name(const supi_token* a, const supi_token* b) {
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static sup_result read_type(header_reader* reader, supi_ply_type* type) {
    static const char* const names[][2] = {
        {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
        {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
    supi_token word;
    supi_cursor_token(reader->cursor, &word);
    for (int i = 0; i <= SUPI_PLY_FLOAT64; i++) {
        if (supi_token_is(&word, names[i][0]) || supi_token_is(&word, names[i][1])) {
            *type = (supi_ply_type)i;
            return SUP_OK;
        }
    }
    return refuse(reader, &word,
                  "a type is char, uchar, short, ushort, int, uint, float or double");
}

static sup_result read_format(header_reader* reader, const supi_token* keyword) {
    static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    if (reader->has_format) return refuse(reader, keyword, "the format stands here a second time");
    supi_token word;
    supi_cursor_token(reader->cursor, &word);
    int format = 0;
    while (format < 3 && !supi_token_is(&word, names[format])) format++;
    if (format == 3) {
        return refuse(reader, &word,
                      "a format is ascii, binary_little_endian or binary_big_endian");
    }
    supi_cursor_token(reader->cursor, &word);
    if (!supi_token_is(&word, "1.0")) return refuse(reader, &word, "the version must be 1.0");
    reader->header->format = (supi_ply_format)format;
    reader->has_format = true;
    return SUP_OK;
}

static sup_result read_element(header_reader* reader, const supi_token* keyword) {
    supi_ply_header* header = reader->header;
    if (header->element_count == SUPI_PLY_ELEMENTS) {
        return refuse(reader, keyword, "a header has at most 64 elements");
    }
    supi_token name, word;
    if (!supi_cursor_token(reader->cursor, &name))
        return refuse(reader, &name, "a name is missing");
    for (int32_t i = 0; i < header->element_count; i++) {
        if (same_name(&header->elements[i].name, &name)) {
            return refuse(reader, &name, "this element stands here a second time");
        }
    }
    int64_t count = 0;
    size_t used = 0;
    supi_cursor_token(reader->cursor, &word);
    if (!supi_number_parse_integer(word.text, word.size, &count, &used) || used != word.size ||
        count < 0 || count > INT32_MAX) {
        return refuse(reader, &word, "a count is an integer from 0 to 2147483647");
    }
    header->elements[header->element_count++] =
        (supi_ply_element){.name = name,
                           .count = (int32_t)count,
                           .properties = header->properties + header->property_count};
    return SUP_OK;
}

/* What a mesh does with a property of that element. */
static supi_ply_role role_of(const supi_token* element, const supi_token* property) {
    if (supi_token_is(element, "vertex")) {
        if (supi_token_is(property, "x")) return SUPI_PLY_X;
        if (supi_token_is(property, "y")) return SUPI_PLY_Y;
        if (supi_token_is(property, "z")) return SUPI_PLY_Z;
    }
    if (supi_token_is(element, "face")) {
        if (supi_token_is(property, "vertex_indices")) return SUPI_PLY_CORNERS;
        if (supi_token_is(property, "vertex_index")) return SUPI_PLY_CORNERS;
    }
    return SUPI_PLY_SKIPPED;
}

static const supi_ply_property* find_role(const supi_ply_element* element, supi_ply_role role) {
    for (int32_t i = 0; i < element->property_count; i++) {
        if (element->properties[i].role == role) return &element->properties[i];
    }
    return NULL;
}

/* One place for every name and every role in an element, and roles only for the shapes that fit
   them. */
static sup_result check_property(const header_reader* reader, const supi_ply_element* element,
                                 const supi_ply_property* property) {
    for (int32_t i = 0; i < element->property_count; i++) {
        if (same_name(&element->properties[i].name, &property->name)) {
            return refuse(reader, &property->name, "this property stands here a second time");
        }
    }
    if (property->is_list && !supi_ply_type_is_integer(property->count_type)) {
        return refuse(reader, &property->name, "the count of a list must have an integer type");
    }
    if (property->role == SUPI_PLY_CORNERS) {
        if (find_role(element, SUPI_PLY_CORNERS)) {
            return refuse(reader, &property->name, "the face has a list of vertices already");
        }
        if (!property->is_list || !supi_ply_type_is_integer(property->type)) {
            return refuse(reader, &property->name, "this must be a list of an integer type");
        }
    } else if (property->role != SUPI_PLY_SKIPPED && property->is_list) {
        return refuse(reader, &property->name, "a coordinate must not be a list");
    }
    return SUP_OK;
}

static sup_result read_property(header_reader* reader, const supi_token* keyword) {
    supi_ply_header* header = reader->header;
    if (header->element_count == 0) return refuse(reader, keyword, "no element stands before it");
    if (header->property_count == SUPI_PLY_PROPERTIES) {
        return refuse(reader, keyword, "a header has at most 256 properties");
    }
    supi_ply_element* element = &header->elements[header->element_count - 1];
    supi_ply_property property = {0};
    supi_cursor before_type = *reader->cursor;
    supi_token word;
    supi_cursor_token(reader->cursor, &word);
    property.is_list = supi_token_is(&word, "list");
    sup_result result = SUP_OK;
    if (property.is_list) {
        result = read_type(reader, &property.count_type);
    } else {
        *reader->cursor = before_type;
    }
    if (result == SUP_OK) result = read_type(reader, &property.type);
    if (result != SUP_OK) return result;
    if (!supi_cursor_token(reader->cursor, &property.name)) {
        return refuse(reader, &property.name, "a name is missing");
    }
    property.role = role_of(&element->name, &property.name);
    result = check_property(reader, element, &property);
    if (result != SUP_OK) return result;
    header->properties[header->property_count++] = property;
    element->property_count++;
    return SUP_OK;
}

/* Reads one line after its keyword. Comments may hold anything. */
static sup_result read_line(header_reader* reader, const supi_token* keyword) {
    if (supi_token_is(keyword, "comment") || supi_token_is(keyword, "obj_info")) return SUP_OK;
    bool ends = supi_token_is(keyword, "end_header");
    if (!reader->has_format && !supi_token_is(keyword, "format")) {
        return refuse(reader, keyword, "the format must stand before this");
    }
    sup_result result = SUP_OK;
    if (supi_token_is(keyword, "format")) {
        result = read_format(reader, keyword);
    } else if (supi_token_is(keyword, "element")) {
        result = read_element(reader, keyword);
    } else if (supi_token_is(keyword, "property")) {
        result = read_property(reader, keyword);
    } else if (!ends) {
        result = refuse(reader, keyword,
                        "a header has format, comment, obj_info, element, property and end_header");
    }
    supi_token word;
    if (result == SUP_OK && supi_cursor_token(reader->cursor, &word)) {
        result = refuse(reader, &word, "the line should have ended");
    }
    return result;
}

/* Every element has its properties and can fit into the `left` bytes of data, before any memory
   depends on a count. */
static sup_result check_elements(const header_reader* reader, uint64_t left) {
    const supi_ply_header* header = reader->header;
    bool ascii = header->format == SUPI_PLY_ASCII;
    uint64_t needed = 0;
    for (int32_t i = 0; i < header->element_count; i++) {
        const supi_ply_element* element = &header->elements[i];
        if (element->property_count == 0) {
            return refuse(reader, &element->name, "the element has no properties");
        }
        uint64_t row = 0;
        for (int32_t k = 0; k < element->property_count; k++) {
            const supi_ply_property* property = &element->properties[k];
            /* In text a digit and a blank at least; only the last of the file may lack the blank.
             */
            row += ascii ? 2
                         : supi_ply_type_size(property->is_list ? property->count_type
                                                                : property->type);
        }
        needed += row * (uint64_t)element->count;
        if (needed > left + (ascii ? 1 : 0)) {
            char quote[SUPI_QUOTE_SIZE];
            return supi_error_at(reader->error, reader->cursor->name, element->name.line,
                                 element->name.column,
                                 "%d times \"%s\" cannot fit into the %llu bytes after the header",
                                 (int)element->count, supi_token_quote(&element->name, quote),
                                 (unsigned long long)left);
        }
    }
    return SUP_OK;
}

static const supi_ply_element* find_element(const supi_ply_header* header, const char* name) {
    for (int32_t i = 0; i < header->element_count; i++) {
        if (supi_token_is(&header->elements[i].name, name)) return &header->elements[i];
    }
    return NULL;
}

/* Refuses an element without one of these roles. */
static sup_result check_roles(const header_reader* reader, const supi_ply_element* element,
                              supi_ply_role first, supi_ply_role last) {
    static const char* const roles[] = {"", "x", "y", "z", "vertex_indices"};
    for (supi_ply_role role = first; role <= last; role++) {
        if (find_role(element, role)) continue;
        char quote[SUPI_QUOTE_SIZE];
        return supi_error_at(reader->error, reader->cursor->name, element->name.line,
                             element->name.column, "the element \"%s\" has no property \"%s\"",
                             supi_token_quote(&element->name, quote), roles[role]);
    }
    return SUP_OK;
}

/* `end` is the place of the message that they are missing. */
static sup_result find_vertices(const header_reader* reader, const supi_token* end) {
    supi_ply_header* header = reader->header;
    const supi_ply_element* element = find_element(header, "vertex");
    if (!element) {
        return supi_error_at(reader->error, reader->cursor->name, end->line, end->column,
                             "the header has no element \"vertex\"");
    }
    header->point_count = element->count;
    sup_result result = check_roles(reader, element, SUPI_PLY_X, SUPI_PLY_Z);
    if (result != SUP_OK || element->count > 0) return result;
    return supi_error_at(reader->error, reader->cursor->name, element->name.line,
                         element->name.column, "a mesh needs a \"vertex\", but there are 0");
}

/* Without faces the vertices are a cloud, unless strips hold them together, which nobody here
   reads. */
static sup_result find_faces(const header_reader* reader) {
    supi_ply_header* header = reader->header;
    const supi_ply_element* element = find_element(header, "face");
    const supi_ply_element* strips = find_element(header, "tristrips");
    header->polygon_count = element ? element->count : 0;
    if (strips && strips->count > 0 && header->polygon_count == 0) {
        return supi_error_at(reader->error, reader->cursor->name, strips->name.line,
                             strips->name.column, "strips of triangles are not read");
    }
    return element ? check_roles(reader, element, SUPI_PLY_CORNERS, SUPI_PLY_CORNERS) : SUP_OK;
}

sup_result supi_ply_header_read(supi_cursor* cursor, supi_ply_header* header, sup_error* error) {
    *header = (supi_ply_header){0};
    header_reader reader = {.cursor = cursor, .header = header, .error = error};
    supi_token word;
    supi_cursor_token(cursor, &word);
    bool magic = cursor->at == 3 && supi_token_is(&word, "ply");
    if (!magic || supi_cursor_token(cursor, &word)) {
        return supi_error_at(error, cursor->name, 1, 1,
                             "the first line of the file is not \"ply\"");
    }
    supi_token keyword = {0};
    while (!supi_token_is(&keyword, "end_header")) {
        if (!supi_cursor_next_line(cursor)) {
            return supi_error_at(error, cursor->name, cursor->line, cursor->column,
                                 "the file ends before \"end_header\"");
        }
        if (!supi_cursor_token(cursor, &keyword)) {
            return refuse(&reader, &keyword, "a header has no blank lines");
        }
        sup_result result = read_line(&reader, &keyword);
        if (result != SUP_OK) return result;
    }
    supi_cursor_next_line(cursor);

    sup_result result = find_vertices(&reader, &keyword);
    if (result == SUP_OK) result = find_faces(&reader);
    if (result == SUP_OK) result = check_elements(&reader, supi_cursor_left(cursor));
    return result;
}
