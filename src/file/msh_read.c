/* Gmsh, MSH 2.2 and 4.1 as text: sections between $Name and $EndName. Points carry any numbers;
   tetrahedra of 4 or 10 points are read by their corners, all other elements and sections skipped.
 */
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "file/tet_arrays.h"

#define COUNT_MOST (INT32_MAX / 16)
#define TAG_MOST (INT64_MAX / 2)

/* Points of each type of element; 0: none of Gmsh's. */
static const int8_t sizes[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                               8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
enum { TET = 4, TET_10 = 11, TYPE_COUNT = sizeof sizes };

typedef struct msh_reader {
    supi_cursor cursor;
    sup_error* error;
    supi_tet_arrays arrays;
    bool blocks;        /* 4.1: points and elements in blocks */
    int32_t slot_count; /* a power of two; 0 until points are read */
    int64_t* tags;      /* number of the point in each slot + 1, 0: free */
    int32_t* points;    /* its place in the arrays */
} msh_reader;

static sup_result read_integer(msh_reader* r, const char* what, int64_t low, int64_t high,
                               int64_t* value) {
    return supi_tet_arrays_read_integer(&r->cursor, what, low, high, value, r->error);
}

static sup_result refuse(msh_reader* r, const supi_token* word, const char* wanted) {
    return supi_token_refuse(word, r->cursor.name, wanted, r->error);
}

static sup_result expect(msh_reader* r, const char* word, const char* quoted) {
    supi_token token = supi_cursor_word(&r->cursor);
    return supi_token_is(&token, word) ? SUP_OK : refuse(r, &token, quoted);
}

/* ---- Points by their numbers ---- */

static int32_t* slot_of(const msh_reader* r, int64_t tag) {
    uint64_t hash = (uint64_t)tag * 0x9e3779b97f4a7c15u;
    int32_t slot = (int32_t)((hash >> 33) & (uint64_t)(r->slot_count - 1));
    while (r->tags[slot] != 0 && r->tags[slot] != tag + 1) slot = (slot + 1) & (r->slot_count - 1);
    return &r->points[slot];
}

static sup_result make_slots(msh_reader* r, int64_t count) {
    /* A number and three coordinates take 8 bytes. */
    if (count > (int64_t)(supi_cursor_left(&r->cursor) / 8) + 1) {
        return supi_error_at(r->error, r->cursor.name, r->cursor.line, r->cursor.column,
                             "the file is too short for %lld points", (long long)count);
    }
    for (r->slot_count = 2; r->slot_count < 2 * count;) r->slot_count *= 2;
    r->tags = supi_memory_new(r->arrays.allocator, (size_t)r->slot_count, sizeof *r->tags);
    r->points = supi_memory_new(r->arrays.allocator, (size_t)r->slot_count, sizeof *r->points);
    return r->tags && r->points ? SUP_OK : supi_error_memory(r->error);
}

/* The next point of the arrays gets a number. */
static sup_result name_point(msh_reader* r, int64_t tag, int32_t point) {
    int32_t* slot = slot_of(r, tag);
    if (r->tags[slot - r->points] != 0) {
        return supi_error_at(r->error, r->cursor.name, r->cursor.line, r->cursor.column,
                             "a second point has the number %lld", (long long)tag);
    }
    r->tags[slot - r->points] = tag + 1;
    *slot = point;
    return SUP_OK;
}

static sup_result read_place(msh_reader* r) {
    sup_vec3 place;
    sup_result result = supi_tet_arrays_read_place(&r->cursor, &place, r->error);
    if (result != SUP_OK) return result;
    return supi_tet_arrays_add_point(&r->arrays, place) ? SUP_OK : supi_error_memory(r->error);
}

/* ---- Sections ---- */

/* 2.2: a number and its place in each line. */
static sup_result read_nodes(msh_reader* r) {
    int64_t count, tag;
    sup_result result = read_integer(r, "the number of points", 0, COUNT_MOST, &count);
    if (result == SUP_OK) result = make_slots(r, count);
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        result = read_integer(r, "the number of a point", 0, TAG_MOST, &tag);
        if (result == SUP_OK) result = name_point(r, tag, i);
        if (result == SUP_OK) result = read_place(r);
        supi_cursor_next_line(&r->cursor);
    }
    return result;
}

/* 4.1: in each block all numbers, then all places. */
static sup_result read_node_block(msh_reader* r, int64_t count) {
    int64_t skipped, size, tag;
    sup_result result = SUP_OK;
    for (int k = 0; k < 3 && result == SUP_OK; k++)
        result = read_integer(r, "a number about a block", INT32_MIN, INT32_MAX, &skipped);
    if (result == SUP_OK)
        result = read_integer(r, "the number of points of a block", 0,
                              count - r->arrays.point_count, &size);
    if (result != SUP_OK) return result;
    int32_t first = r->arrays.point_count;
    for (int32_t i = 0; result == SUP_OK && i < size; i++) {
        result = read_integer(r, "the number of a point", 0, TAG_MOST, &tag);
        if (result == SUP_OK) result = name_point(r, tag, first + i);
    }
    if (size > 0) supi_cursor_next_line(&r->cursor);
    for (int32_t i = 0; result == SUP_OK && i < size; i++) {
        result = read_place(r);
        supi_cursor_next_line(&r->cursor);
    }
    return result;
}

static sup_result read_element_row(msh_reader* r, int64_t type) {
    int32_t tet[4] = {0, 0, 0, 0};
    sup_result result = SUP_OK;
    for (int32_t k = 0; k < sizes[type] && result == SUP_OK; k++) {
        int64_t tag;
        result = read_integer(r, "a corner", 0, TAG_MOST, &tag);
        if (result != SUP_OK || k >= 4) continue;
        int32_t* slot = slot_of(r, tag);
        if (r->tags[slot - r->points] == 0) {
            return supi_error_at(r->error, r->cursor.name, r->cursor.line, r->cursor.column,
                                 "there is no point with the number %lld", (long long)tag);
        }
        tet[k] = *slot;
    }
    if (result != SUP_OK || (type != TET && type != TET_10)) return result;
    return supi_tet_arrays_add_tet(&r->arrays, tet) ? SUP_OK : supi_error_memory(r->error);
}

static sup_result read_type(msh_reader* r, int64_t* type) {
    return read_integer(r, "the type of an element", 1, TYPE_COUNT - 1, type);
}

/* 2.2: number, type, how many marks, these, then the points. */
static sup_result read_elements(msh_reader* r) {
    int64_t count, skipped, type, marks;
    sup_result result = read_integer(r, "the number of elements", 0, COUNT_MOST, &count);
    for (int64_t i = 0; result == SUP_OK && i < count; i++) {
        result = read_integer(r, "the number of an element", 0, TAG_MOST, &skipped);
        if (result == SUP_OK) result = read_type(r, &type);
        if (result == SUP_OK) result = read_integer(r, "the count of marks", 0, 1000, &marks);
        for (int64_t k = 0; result == SUP_OK && k < marks; k++)
            result = read_integer(r, "a mark", -TAG_MOST, TAG_MOST, &skipped);
        if (result == SUP_OK) result = read_element_row(r, type);
    }
    return result;
}

/* 4.1: a block has elements of one type. */
static sup_result read_element_block(msh_reader* r) {
    int64_t skipped, type, size;
    sup_result result = SUP_OK;
    for (int k = 0; k < 2 && result == SUP_OK; k++)
        result = read_integer(r, "a number about a block", INT32_MIN, INT32_MAX, &skipped);
    if (result == SUP_OK) result = read_type(r, &type);
    if (result == SUP_OK)
        result = read_integer(r, "the number of elements of a block", 0, COUNT_MOST, &size);
    for (int64_t i = 0; result == SUP_OK && i < size; i++) {
        result = read_integer(r, "the number of an element", 0, TAG_MOST, &skipped);
        if (result == SUP_OK) result = read_element_row(r, type);
    }
    return result;
}

/* 4.1: how many blocks and things, and the range of their numbers, then the blocks. */
static sup_result read_blocks(msh_reader* r, bool nodes) {
    int64_t blocks, count, skipped;
    sup_result result = read_integer(r, "the number of blocks", 0, COUNT_MOST, &blocks);
    if (result == SUP_OK) result = read_integer(r, "the number of all", 0, COUNT_MOST, &count);
    for (int k = 0; k < 2 && result == SUP_OK; k++)
        result = read_integer(r, "the range of numbers", 0, TAG_MOST, &skipped);
    if (result == SUP_OK && nodes) result = make_slots(r, count);
    for (int64_t i = 0; result == SUP_OK && i < blocks; i++)
        result = nodes ? read_node_block(r, count) : read_element_block(r);
    return result;
}

static sup_result read_format(msh_reader* r) {
    supi_token version = supi_cursor_word(&r->cursor), kind = supi_cursor_word(&r->cursor);
    r->blocks = supi_token_is(&version, "4.1");
    if (!r->blocks && !supi_token_is(&version, "2.2"))
        return refuse(r, &version, "the version 2.2 or 4.1");
    if (!supi_token_is(&kind, "0")) return refuse(r, &kind, "0, for text,");
    supi_cursor_next_line(&r->cursor);
    return expect(r, "$EndMeshFormat", "\"$EndMeshFormat\"");
}

/* Lines up to one that begins with $End. */
static sup_result skip_section(msh_reader* r, const supi_token* name) {
    while (supi_cursor_next_line(&r->cursor)) {
        supi_token word;
        if (supi_cursor_token(&r->cursor, &word) && word.size > 4 &&
            supi_token_is(&(supi_token){word.text, 4, 0, 0}, "$End")) {
            return SUP_OK;
        }
    }
    char quote[SUPI_QUOTE_SIZE];
    return supi_error_at(r->error, r->cursor.name, name->line, name->column,
                         "the section %s has no end", supi_token_quote(name, quote));
}

static sup_result read_section(msh_reader* r, const supi_token* name) {
    if (supi_token_is(name, "$Nodes")) {
        if (r->tags) return refuse(r, name, "another section");
        sup_result result = r->blocks ? read_blocks(r, true) : read_nodes(r);
        return result == SUP_OK ? expect(r, "$EndNodes", "\"$EndNodes\"") : result;
    }
    if (supi_token_is(name, "$Elements")) {
        if (!r->tags) return refuse(r, name, "\"$Nodes\"");
        sup_result result = r->blocks ? read_blocks(r, false) : read_elements(r);
        return result == SUP_OK ? expect(r, "$EndElements", "\"$EndElements\"") : result;
    }
    if (name->text[0] != '$') return refuse(r, name, "the name of a section");
    return skip_section(r, name);
}

static sup_result read_all(msh_reader* r) {
    sup_result result = expect(r, "$MeshFormat", "\"$MeshFormat\"");
    if (result == SUP_OK) result = read_format(r);
    while (result == SUP_OK) {
        supi_token name = supi_cursor_word(&r->cursor);
        if (name.size == 0) break;
        result = read_section(r, &name);
    }
    return result;
}

sup_result sup_msh_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, sup_tets* out, sup_tets_mending* mending, sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    msh_reader r = {.error = error,
                    .arrays = {.allocator = allocator ? allocator : sup_allocator_default()}};
    sup_result result = supi_cursor_begin(&r.cursor, name, bytes, size, error);
    if (result != SUP_OK) return result;
    result = read_all(&r);
    supi_memory_free(r.arrays.allocator, r.tags, (size_t)r.slot_count, sizeof *r.tags);
    supi_memory_free(r.arrays.allocator, r.points, (size_t)r.slot_count, sizeof *r.points);
    if (result == SUP_OK) result = supi_tet_arrays_finish(&r.arrays, name, out, mending, error);
    supi_tet_arrays_free(&r.arrays);
    return result;
}
