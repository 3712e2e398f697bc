/* What an OBJ has beside points and faces: uv, normals, materials, groups, colours. */
#include "base/error.h"
#include "base/number.h"
#include "file/obj_statements.h"
#include "file/retouch.h"

#include <string.h>

typedef struct detail_reader {
    supi_cursor cursor;
    supi_obj_detail* d;
    int32_t points, uvs, normals, polygons, corners;
    supi_token material, group;
    sup_error* error;
} detail_reader;

static void count_numbers(supi_cursor cursor, supi_obj_detail* d) {
    supi_token keyword;
    d->coloured = true;
    while (supi_cursor_next_word(&cursor)) {
        supi_cursor_token(&cursor, &keyword);
        d->uv_count += supi_token_is(&keyword, "vt");
        d->normal_count += supi_token_is(&keyword, "vn");
        int32_t words = supi_obj_skip_words(&cursor);
        if (!supi_token_is(&keyword, "v")) continue;
        d->has_colours = d->has_colours || words >= 6;
        d->coloured = d->coloured && words >= 6;
    }
}

static sup_result read_row(detail_reader* r, float row[3]) {
    supi_token word;
    for (int k = 0; supi_cursor_token(&r->cursor, &word);) {
        float number;
        sup_result result = supi_token_float(&word, r->cursor.name, &number, r->error);
        if (result != SUP_OK) return result;
        if (k < 3) row[k++] = number;
    }
    return SUP_OK;
}

/* Index `part` of a corner v/t/n as a number from 0; -1: it is left out. */
static sup_result read_index(detail_reader* r, const supi_token* word, int part, int32_t so_far,
                             int32_t total, int32_t* out) {
    size_t at = 0;
    int64_t index;
    size_t used;
    *out = -1;
    for (int slashes = 0; slashes < part; slashes++) {
        while (at < word->size && word->text[at] != '/') at++;
        if (at == word->size) return SUP_OK;
        at++;
    }
    if (!supi_number_parse_integer(word->text + at, word->size - at, &index, &used)) return SUP_OK;
    int64_t id = index > 0 ? index - 1 : so_far + index;
    if (id < 0 || id >= total) {
        return supi_error_at(r->error, r->cursor.name, word->line, word->column,
                             "%s index %lld, but the file has %d", part == 1 ? "vt" : "vn",
                             (long long)index, (int)total);
    }
    *out = (int32_t)id;
    return SUP_OK;
}

static sup_result read_face(detail_reader* r) {
    supi_token word;
    supi_obj_detail* d = r->d;
    while (supi_cursor_token(&r->cursor, &word)) {
        int32_t c = r->corners++;
        sup_result result = read_index(r, &word, 1, r->uvs, d->uv_count, &d->corner_uvs[c]);
        if (result == SUP_OK)
            result = read_index(r, &word, 2, r->normals, d->normal_count, &d->corner_normals[c]);
        if (result != SUP_OK) return result;
        d->has_uvs = d->has_uvs || d->corner_uvs[c] >= 0;
        d->has_normals = d->has_normals || d->corner_normals[c] >= 0;
    }
    d->materials[r->polygons] = r->material;
    d->groups[r->polygons++] = r->group;
    return SUP_OK;
}

/* The words of a statement from the first to the last, as they stand there. */
static void take_names(supi_cursor* cursor, supi_token* names) {
    supi_token word;
    supi_cursor_token(cursor, names);
    while (supi_cursor_token(cursor, &word))
        names->size = (size_t)(word.text - names->text) + word.size;
}

bool supi_obj_names_hold(const supi_token* names, const char* name) {
    size_t size = strlen(name);
    if (!names->text || size == 0) return false;
    if (supi_token_is(names, name)) return true;
    for (size_t i = 0; i < names->size;) {
        size_t end = i;
        while (end < names->size && names->text[end] > ' ') end++;
        if (end - i == size && memcmp(names->text + i, name, size) == 0) return true;
        i = end + 1;
    }
    return false;
}

/* Numbers behind a place are a colour where there are three; others are no concern of ours. */
static void read_point(detail_reader* r) {
    supi_token word, *at = &r->d->places[r->points], *behind = &r->d->others[r->points];
    float colour[3];
    int read = 0;
    for (int k = 0; supi_cursor_token(&r->cursor, &word); k++) {
        supi_token* to = k < 3 ? at : behind;
        if (k == 0 || k == 3) *to = word;
        to->size = (size_t)(word.text - to->text) + word.size;
        read += k >= 3 && k < 6 &&
                supi_token_float(&word, r->cursor.name, &colour[k - 3], NULL) == SUP_OK;
    }
    if (read == 3) memcpy(r->d->colours[r->points], colour, sizeof colour);
    r->points++;
}

static sup_result read_all(detail_reader* r) {
    while (supi_cursor_next_word(&r->cursor)) {
        supi_token keyword;
        sup_result result = SUP_OK;
        supi_cursor_token(&r->cursor, &keyword);
        if (supi_token_is(&keyword, "v")) {
            read_point(r);
        } else if (supi_token_is(&keyword, "vt")) {
            result = read_row(r, r->d->uvs[r->uvs++]);
        } else if (supi_token_is(&keyword, "vn")) {
            result = read_row(r, r->d->normals[r->normals++]);
        } else if (supi_token_is(&keyword, "f")) {
            result = read_face(r);
        } else if (supi_token_is(&keyword, "usemtl")) {
            take_names(&r->cursor, &r->material);
        } else if (supi_token_is(&keyword, "g")) {
            take_names(&r->cursor, &r->group);
        }
        if (result != SUP_OK) return result;
        supi_obj_skip_words(&r->cursor);
    }
    return SUP_OK;
}

sup_result supi_obj_detail_read(supi_obj_detail* d, const sup_allocator* allocator,
                                const char* name, const uint8_t* bytes, size_t size,
                                const sup_mesh* mesh, sup_error* error) {
    detail_reader r = {.d = d, .error = error};
    *d = (supi_obj_detail){.uv_count = 0};
    supi_arena_init(&d->arena, allocator);
    supi_obj_begin(&r.cursor, name, bytes, size, NULL); /* has passed before */
    count_numbers(r.cursor, d);
    size_t corners = (size_t)mesh->corner_count, polygons = (size_t)mesh->polygon_count;
    d->uvs = supi_arena_push(&d->arena, (size_t)d->uv_count, sizeof *d->uvs);
    d->normals = supi_arena_push(&d->arena, (size_t)d->normal_count, sizeof *d->normals);
    d->corner_uvs = supi_arena_push(&d->arena, corners, sizeof *d->corner_uvs);
    d->corner_normals = supi_arena_push(&d->arena, corners, sizeof *d->corner_normals);
    d->materials = supi_arena_push(&d->arena, polygons, sizeof *d->materials);
    d->groups = supi_arena_push(&d->arena, polygons, sizeof *d->groups);
    d->places = supi_arena_push(&d->arena, (size_t)mesh->point_count, sizeof *d->places);
    d->others = supi_arena_push(&d->arena, (size_t)mesh->point_count, sizeof *d->others);
    d->colours = supi_arena_push(&d->arena, (size_t)mesh->point_count, sizeof *d->colours);
    if (!d->places || !d->others || !d->colours || !d->uvs || !d->normals || !d->corner_uvs ||
        !d->corner_normals || !d->materials || !d->groups)
        return supi_error_memory(error);
    return read_all(&r);
}

void supi_obj_detail_free(supi_obj_detail* d) { supi_arena_free(&d->arena); }
