/* STL: the triangles of a solid, as text or binary. Binary files may begin with the word that text
   begins with, so their size decides: characters in bytes 80 to 83 announce more than 7 GB. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "file/cursor.h"
#include "file/little_endian.h"
#include "file/mesh_arrays.h"
#include "file/soup.h"
#include "supple/files.h"

enum { COUNT_AT = 80, HEADER_SIZE = 84, FACET_SIZE = 50, CORNER_SIZE = 12 };

/* No facet of text is shorter than this. */
#define SHORTEST_FACET                                                                             \
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 0 vertex 0 0 0 endloop endfacet "

typedef struct stl_reader {
    supi_cursor cursor;
    bool binary;
    supi_soup soup;
    sup_error* error;
} stl_reader;

/* ---- Binary ---- */

static uint64_t announced_size(const uint8_t* bytes) {
    return HEADER_SIZE + FACET_SIZE * (uint64_t)supi_little_u32(bytes + COUNT_AT);
}

static bool is_binary(const uint8_t* bytes, size_t size) {
    return size >= HEADER_SIZE && size == announced_size(bytes);
}

/* A facet is its normal, three corners and two bytes of anything. */
static sup_result read_binary(stl_reader* reader, int32_t count) {
    const supi_cursor* cursor = &reader->cursor;
    for (int32_t i = 0; i < count; i++) {
        size_t at = HEADER_SIZE + (size_t)i * FACET_SIZE + CORNER_SIZE;
        for (int corner = 0; corner < 3; corner++) {
            float place[3];
            for (int k = 0; k < 3; k++, at += 4) {
                place[k] = supi_little_float(cursor->bytes + at);
                if (isfinite(place[k])) continue;
                return supi_error_set(reader->error, SUP_BAD_FILE,
                                      "%.200s: byte %zu: a coordinate must be finite", cursor->name,
                                      at);
            }
            supi_soup_add(&reader->soup, place);
        }
    }
    return SUP_OK;
}

/* ---- Text ---- */

/* Keywords come in capital letters too. */
static bool is_keyword(const supi_token* token, const char* word) {
    if (token->size != strlen(word)) return false;
    for (size_t i = 0; i < token->size; i++) {
        char letter = token->text[i];
        if (letter >= 'A' && letter <= 'Z') letter = (char)(letter - 'A' + 'a');
        if (letter != word[i]) return false;
    }
    return true;
}

static sup_result refuse(const stl_reader* reader, const supi_token* token, const char* wanted) {
    return supi_token_refuse(token, reader->cursor.name, wanted, reader->error);
}

static supi_token next_word(stl_reader* reader) { return supi_cursor_word(&reader->cursor); }

static sup_result expect(stl_reader* reader, const char* word) {
    supi_token token = next_word(reader);
    if (is_keyword(&token, word)) return SUP_OK;
    char wanted[16];
    snprintf(wanted, sizeof wanted, "\"%s\"", word);
    return refuse(reader, &token, wanted);
}

static sup_result read_vertex(stl_reader* reader) {
    float place[3];
    sup_result result = expect(reader, "vertex");
    for (int k = 0; k < 3 && result == SUP_OK; k++) {
        supi_token token = next_word(reader);
        if (token.size == 0) return refuse(reader, &token, "a coordinate");
        result = supi_token_float(&token, reader->cursor.name, &place[k], reader->error);
    }
    if (result == SUP_OK) supi_soup_add(&reader->soup, place);
    return result;
}

/* After "facet". What the normal is does not matter: programs write "nan" there too. */
static sup_result read_facet(stl_reader* reader) {
    sup_result result = expect(reader, "normal");
    for (int k = 0; k < 3 && result == SUP_OK; k++) {
        supi_token token = next_word(reader);
        if (token.size == 0) result = refuse(reader, &token, "a number of the normal");
    }
    if (result == SUP_OK) result = expect(reader, "outer");
    if (result == SUP_OK) result = expect(reader, "loop");
    for (int k = 0; k < 3 && result == SUP_OK; k++) result = read_vertex(reader);
    if (result == SUP_OK) result = expect(reader, "endloop");
    return result == SUP_OK ? expect(reader, "endfacet") : result;
}

/* After "solid". Its name is the rest of the line, also after "endsolid". */
static sup_result read_solid(stl_reader* reader) {
    supi_cursor_next_line(&reader->cursor);
    for (;;) {
        supi_token token = next_word(reader);
        if (is_keyword(&token, "endsolid")) break;
        if (!is_keyword(&token, "facet")) {
            return refuse(reader, &token, "\"facet\" or \"endsolid\"");
        }
        sup_result result = read_facet(reader);
        if (result != SUP_OK) return result;
    }
    supi_cursor_next_line(&reader->cursor);
    return SUP_OK;
}

static sup_result read_text(stl_reader* reader) {
    sup_result result = SUP_OK;
    do {
        result = expect(reader, "solid");
        if (result == SUP_OK) result = read_solid(reader);
    } while (result == SUP_OK && supi_cursor_next_word(&reader->cursor));
    return result;
}

/* ---- Either ---- */

/* Is a file that is not binary meant as text? Only messages depend on it: no text has zeros, where
   binary headers have them. */
static bool is_text(const supi_cursor* cursor) {
    supi_cursor look = *cursor;
    supi_token first;
    supi_cursor_next_word(&look);
    supi_cursor_token(&look, &first);
    size_t start = cursor->size < HEADER_SIZE ? cursor->size : HEADER_SIZE;
    return is_keyword(&first, "solid") && !memchr(cursor->bytes, 0, start);
}

/* Neither form. */
static sup_result refuse_size(const char* name, const uint8_t* bytes, size_t size,
                              sup_error* error) {
    if (size < HEADER_SIZE) {
        return supi_error_set(error, SUP_BAD_FILE,
                              "%.200s: byte %zu: the file ends inside its header of 84 bytes; text "
                              "would begin with \"solid\"",
                              name, size);
    }
    return supi_error_set(error, SUP_BAD_FILE,
                          "%.200s: byte 80: the header announces %lu triangles = %llu bytes, the "
                          "file has %zu",
                          name, (unsigned long)supi_little_u32(bytes + COUNT_AT),
                          (unsigned long long)announced_size(bytes), size);
}

/* How many triangles there can be. */
static sup_result find_capacity(stl_reader* reader, const char* name, const uint8_t* bytes,
                                size_t size, int32_t* capacity) {
    reader->binary = is_binary(bytes, size);
    if (!reader->binary) {
        sup_result result = supi_cursor_begin(&reader->cursor, name, bytes, size, reader->error);
        if (result != SUP_OK) return result;
        if (!is_text(&reader->cursor)) return refuse_size(name, bytes, size, reader->error);
        *capacity = (int32_t)(size / (sizeof SHORTEST_FACET - 1)) + 1;
        return SUP_OK;
    }
    reader->cursor = (supi_cursor){.name = name, .bytes = bytes, .size = size};
    uint32_t count = supi_little_u32(bytes + COUNT_AT);
    *capacity = (int32_t)(count <= INT32_MAX / 3 ? count : 0);
    if (count <= INT32_MAX / 3) return SUP_OK;
    return supi_error_set(reader->error, SUP_BAD_FILE,
                          "%.200s: byte 80: %lu triangles are too many; %d are the most", name,
                          (unsigned long)count, INT32_MAX / 3);
}

/* Refuses a file of which nothing is left. */
static sup_result check_left(const stl_reader* reader, const sup_mesh* mesh) {
    if (mesh->polygon_count > 0) return SUP_OK;
    const supi_cursor* cursor = &reader->cursor;
    bool dropped = reader->soup.corner_count > 0;
    const char* fault = dropped ? "a mesh needs a triangle, but all have two corners at one place"
                                : "a mesh needs a triangle, but the file has none";
    if (!reader->binary) return supi_error_at(reader->error, cursor->name, 1, 1, "%s", fault);
    return supi_error_set(reader->error, SUP_BAD_FILE, "%.200s: byte %d: %s", cursor->name,
                          dropped ? HEADER_SIZE : COUNT_AT, fault);
}

sup_result sup_stl_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    stl_reader reader = {.error = error};
    int32_t capacity = 0;
    sup_result result = find_capacity(&reader, name, bytes, size, &capacity);
    if (result != SUP_OK) return result;
    sup_mesh mesh = {0};
    if (supi_soup_begin(&reader.soup, allocator, capacity)) {
        result = reader.binary ? read_binary(&reader, capacity) : read_text(&reader);
        if (result == SUP_OK) result = supi_soup_join(&reader.soup, &mesh, error);
        if (result == SUP_OK) result = check_left(&reader, &mesh);
    } else {
        result = supi_error_memory(error);
    }
    supi_soup_free(&reader.soup);
    if (result == SUP_OK) {
        *out = mesh;
    } else if (mesh.allocator) {
        supi_mesh_arrays_free(&mesh);
    }
    return result;
}
