/* Wavefront OBJ: the vertices and faces of a mesh; vertices alone are a cloud. The file is read
   twice: first only to count, so that the arrays get their exact size and a face may name a vertex
   that comes later. */
#include "base/check.h"
#include "base/error.h"
#include "base/number.h"
#include "file/mesh_arrays.h"
#include "file/obj_statements.h"
#include "supple/files.h"

typedef struct obj_reader {
    supi_cursor cursor;
    sup_mesh mesh;
    int32_t points_read, polygons_read, corners_read;
    sup_error* error;
} obj_reader;

/* Statements that say nothing about vertices and faces. `call` and `csh` are not here: they bring
   in other files. */
static bool is_skipped(const supi_token* keyword) {
    static const char* const words[] = {
        "vt",       "vn",       "vp",     "o",      "g",     "s",          "mg",
        "usemtl",   "mtllib",   "usemap", "maplib", "l",     "p",          "bevel",
        "c_interp", "d_interp", "lod",    "ctech",  "stech", "shadow_obj", "trace_obj",
        "cstype",   "deg",      "bmat",   "step",   "curv",  "curv2",      "surf",
        "parm",     "trim",     "hole",   "scrv",   "sp",    "end",        "con"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (supi_token_is(keyword, words[i])) return true;
    }
    return false;
}

static void count_statements(supi_cursor cursor, int32_t* points, int32_t* polygons,
                             int32_t* corners) {
    *points = *polygons = *corners = 0;
    supi_token keyword;
    while (supi_cursor_next_word(&cursor)) {
        supi_cursor_token(&cursor, &keyword);
        int32_t words = supi_obj_skip_words(&cursor);
        if (supi_token_is(&keyword, "v")) {
            ++*points;
        } else if (supi_token_is(&keyword, "f")) {
            ++*polygons;
            *corners += words;
        }
    }
}

/* v x y z, with a weight or a colour that a mesh has no use for. */
static sup_result read_vertex(obj_reader* reader, const supi_token* keyword) {
    float numbers[6] = {0};
    int32_t count = 0;
    supi_token word;
    while (supi_cursor_token(&reader->cursor, &word)) {
        if (count == 6) {
            return supi_error_at(reader->error, reader->cursor.name, word.line, word.column,
                                 "a vertex has at most 6 numbers");
        }
        sup_result result =
            supi_token_float(&word, reader->cursor.name, &numbers[count], reader->error);
        if (result != SUP_OK) return result;
        count++;
    }
    if (count != 3 && count != 4 && count != 6) {
        return supi_error_at(reader->error, reader->cursor.name, keyword->line, keyword->column,
                             "a vertex has 3, 4 or 6 numbers, but this one %d", (int)count);
    }
    reader->mesh.points[reader->points_read++] = (sup_vec3){numbers[0], numbers[1], numbers[2]};
    return SUP_OK;
}

/* The vertex of v, v/t, v//n or v/t/n. As vt and vn are skipped, t and n need only be integers
   other than 0. */
static bool split_corner(const supi_token* word, int64_t* vertex) {
    size_t at = 0;
    for (int part = 0; part < 3; part++) {
        bool left_out = part == 1 && at < word->size && word->text[at] == '/';
        if (!left_out) {
            int64_t index;
            size_t used;
            if (!supi_number_parse_integer(word->text + at, word->size - at, &index, &used)) {
                return false;
            }
            if (part == 0) *vertex = index;
            if (part > 0 && index == 0) return false;
            at += used;
            if (at == word->size) return true;
        }
        if (word->text[at] != '/') return false;
        at++;
    }
    return false;
}

static sup_result read_corner(obj_reader* reader, const supi_token* word) {
    const char* name = reader->cursor.name;
    int64_t vertex = 0;
    if (!split_corner(word, &vertex)) {
        char quote[SUPI_QUOTE_SIZE];
        return supi_error_at(reader->error, name, word->line, word->column,
                             "\"%s\" is not a corner: v, v/t, v//n or v/t/n with indices from 1",
                             supi_token_quote(word, quote));
    }
    int64_t total = reader->mesh.point_count, so_far = reader->points_read;
    if (vertex == 0 || vertex > total || vertex < -so_far) {
        bool relative = vertex < 0;
        if ((relative ? so_far : total) == 0) {
            return supi_error_at(reader->error, name, word->line, word->column,
                                 "vertex index %lld, but there is no vertex %s", (long long)vertex,
                                 relative ? "before it" : "in the file");
        }
        return supi_error_at(reader->error, name, word->line, word->column,
                             "vertex index %lld is out of the range %d to %d", (long long)vertex,
                             relative ? -(int)so_far : 1, relative ? -1 : (int)total);
    }
    int64_t id = vertex > 0 ? vertex - 1 : so_far + vertex;
    reader->mesh.corners[reader->corners_read++] = (int32_t)id;
    return SUP_OK;
}

static sup_result read_face(obj_reader* reader, const supi_token* keyword) {
    int32_t first = reader->corners_read;
    supi_token word;
    while (supi_cursor_token(&reader->cursor, &word)) {
        sup_result result = read_corner(reader, &word);
        if (result != SUP_OK) return result;
    }
    int32_t count = reader->corners_read - first;
    if (count < 3) {
        return supi_error_at(reader->error, reader->cursor.name, keyword->line, keyword->column,
                             "a face has 3 or more corners, but this one %d", (int)count);
    }
    reader->mesh.starts[++reader->polygons_read] = reader->corners_read;
    return SUP_OK;
}

static sup_result read_statements(obj_reader* reader) {
    while (supi_cursor_next_word(&reader->cursor)) {
        supi_token keyword;
        supi_cursor_token(&reader->cursor, &keyword);
        sup_result result = SUP_OK;
        if (supi_token_is(&keyword, "v")) {
            result = read_vertex(reader, &keyword);
        } else if (supi_token_is(&keyword, "f")) {
            result = read_face(reader, &keyword);
        } else if (is_skipped(&keyword)) {
            supi_obj_skip_words(&reader->cursor);
        } else {
            char quote[SUPI_QUOTE_SIZE];
            result = supi_error_at(reader->error, reader->cursor.name, keyword.line, keyword.column,
                                   "unknown statement \"%s\"; v, f and the others of OBJ are known",
                                   supi_token_quote(&keyword, quote));
        }
        if (result != SUP_OK) return result;
    }
    if (reader->points_read > 0) return SUP_OK;
    return supi_error_at(reader->error, reader->cursor.name, reader->cursor.line,
                         reader->cursor.column, "the file ends without a vertex");
}

sup_result sup_obj_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    obj_reader reader = {.error = error};
    sup_result result = supi_obj_begin(&reader.cursor, name, bytes, size, error);
    if (result != SUP_OK) return result;

    int32_t points, polygons, corners;
    count_statements(reader.cursor, &points, &polygons, &corners);
    if (!supi_mesh_arrays_new(allocator, points, polygons, corners, &reader.mesh)) {
        return supi_error_memory(error);
    }
    result = read_statements(&reader);
    if (result != SUP_OK) {
        supi_mesh_arrays_free(&reader.mesh);
        return result;
    }
    *out = reader.mesh;
    return SUP_OK;
}
