/* An OBJ written again: with other vertices, or with other faces too. */
#include "base/number.h"
#include "file/obj_statements.h"
#include "file/retouch.h"
#include "file/text_write.h"

#include <string.h>

static void put_text(supi_writer* out, const char* text) {
    supi_writer_put(out, text, strlen(text));
}

static void put_row(supi_writer* out, const float* row, int count) {
    for (int k = 0; k < count; k++) {
        if (k > 0) put_text(out, " ");
        supi_text_put_float(out, row[k]);
    }
}

static void put_point(supi_writer* out, sup_vec3 p) {
    const float row[3] = {p.x, p.y, p.z};
    put_row(out, row, 3);
}

void supi_obj_retouch(supi_writer* out, const uint8_t* bytes, size_t size, const sup_mesh* mesh,
                      const sup_vec3* points) {
    supi_cursor cursor;
    size_t copied = 0;
    int32_t id = 0;
    supi_obj_begin(&cursor, "", bytes, size, NULL); /* has passed before */
    while (supi_cursor_next_word(&cursor)) {
        supi_token keyword, words[3];
        supi_cursor_token(&cursor, &keyword);
        if (supi_token_is(&keyword, "v")) {
            for (int k = 0; k < 3; k++) supi_cursor_token(&cursor, &words[k]);
            if (memcmp(&mesh->points[id], &points[id], sizeof *points) != 0) {
                size_t from = (size_t)((const uint8_t*)words[0].text - bytes);
                supi_writer_put(out, bytes + copied, from - copied);
                put_point(out, points[id]);
                copied = (size_t)((const uint8_t*)words[2].text - bytes) + words[2].size;
            }
            id++;
        }
        supi_obj_skip_words(&cursor);
    }
    supi_writer_put(out, bytes + copied, size - copied);
}

/* ---- Faces that have changed ---- */

typedef struct recast {
    supi_writer* out;
    const supi_obj_detail* d;
    const supi_obj_change* c;
    int32_t *uvs, *normals;         /* by corner of `after`: numbers of vt and vn, -1: none */
    int32_t *new_uvs, *new_normals; /* corners that bring one */
    int32_t new_uv_count, new_normal_count;
    int32_t* to_new;    /* points of `before`; -1: gone */
    int32_t* corner_of; /* by point of `after`: one of its corners; -1: none */
    int32_t polygons_before, polygons_after, points_read;
} recast;

/* The corner of the old polygon at the same point, or -1. */
static int32_t old_corner(const recast* r, int32_t polygon, int32_t point) {
    const sup_mesh* before = r->c->before;
    int32_t p = r->c->polygon_from[polygon], id = r->c->point_from[point];
    for (int32_t c = before->starts[p]; id >= 0 && c < before->starts[p + 1]; c++) {
        if (before->corners[c] == id) return c;
    }
    return -1;
}

/* Where an old corner has a number, a new one gets its own. */
static void number_corners(recast* r) {
    const sup_mesh *before = r->c->before, *after = r->c->after;
    for (int32_t p = 0; p < after->polygon_count; p++) {
        int32_t first = before->starts[r->c->polygon_from[p]];
        for (int32_t c = after->starts[p]; c < after->starts[p + 1]; c++) {
            int32_t old = old_corner(r, p, after->corners[c]);
            r->uvs[c] = r->d->corner_uvs[old >= 0 ? old : first];
            r->normals[c] = r->d->corner_normals[old >= 0 ? old : first];
            if (old < 0 && r->uvs[c] >= 0) {
                r->uvs[c] = r->d->uv_count + r->new_uv_count;
                r->new_uvs[r->new_uv_count++] = c;
            }
            if (old < 0 && r->normals[c] >= 0) {
                r->normals[c] = r->d->normal_count + r->new_normal_count;
                r->new_normals[r->new_normal_count++] = c;
            }
        }
    }
}

/* The point itself as it stood there, if it has not moved, and what was behind it. */
static void put_vertex(const recast* r, int32_t i) {
    int32_t old = r->c->point_from[i], corner = r->corner_of[i];
    sup_vec3 at = r->c->after->points[i];
    put_text(r->out, "v ");
    if (old >= 0 && memcmp(&r->c->before->points[old], &at, sizeof at) == 0) {
        supi_writer_put(r->out, r->d->places[old].text, r->d->places[old].size);
    } else {
        put_point(r->out, at);
    }
    if (old >= 0 && r->d->others[old].text) {
        put_text(r->out, " ");
        supi_writer_put(r->out, r->d->others[old].text, r->d->others[old].size);
    } else if (old < 0 && r->d->coloured && corner >= 0) {
        put_text(r->out, " ");
        put_row(r->out, r->c->corners + SUPI_OBJ_CORNER * (size_t)corner + 6, 3);
    }
    put_text(r->out, "\n");
}

static void put_numbers(recast* r) {
    for (int32_t i = 0; i < r->c->after->point_count; i++) put_vertex(r, i);
    for (int32_t i = 0; i < r->d->uv_count + r->new_uv_count; i++) {
        bool old = i < r->d->uv_count;
        put_text(r->out, "vt ");
        put_row(r->out,
                old ? r->d->uvs[i]
                    : r->c->corners + SUPI_OBJ_CORNER * (size_t)r->new_uvs[i - r->d->uv_count],
                3);
        put_text(r->out, "\n");
    }
    for (int32_t i = 0; i < r->d->normal_count + r->new_normal_count; i++) {
        bool old = i < r->d->normal_count;
        put_text(r->out, "vn ");
        put_row(r->out,
                old ? r->d->normals[i]
                    : r->c->corners +
                          SUPI_OBJ_CORNER * (size_t)r->new_normals[i - r->d->normal_count] + 3,
                3);
        put_text(r->out, "\n");
    }
}

/* All that a face has become. */
static void put_faces(recast* r) {
    const sup_mesh* after = r->c->after;
    int32_t from = r->polygons_before++;
    for (;
         r->polygons_after < after->polygon_count && r->c->polygon_from[r->polygons_after] == from;
         r->polygons_after++) {
        put_text(r->out, "f");
        for (int32_t c = after->starts[r->polygons_after]; c < after->starts[r->polygons_after + 1];
             c++) {
            supi_writer_print(r->out, " %d", (int)after->corners[c] + 1);
            if (r->uvs[c] >= 0) supi_writer_print(r->out, "/%d", (int)r->uvs[c] + 1);
            if (r->normals[c] >= 0)
                supi_writer_print(r->out, r->uvs[c] >= 0 ? "/%d" : "//%d", (int)r->normals[c] + 1);
        }
        put_text(r->out, "\n");
    }
}

/* Lines and points by their new numbers; uv of lines are left out. */
static void put_element(recast* r, supi_cursor* cursor, const supi_token* keyword) {
    supi_token word;
    supi_writer_put(r->out, keyword->text, keyword->size);
    while (supi_cursor_token(cursor, &word)) {
        int64_t index = 0;
        size_t used;
        bool good = supi_number_parse_integer(word.text, word.size, &index, &used);
        int64_t id = index > 0 ? index - 1 : r->points_read + index;
        if (!good || id < 0 || id >= r->c->before->point_count || r->to_new[id] < 0) continue;
        supi_writer_print(r->out, " %d", (int)r->to_new[id] + 1);
    }
    put_text(r->out, "\n");
}

/* Between two statements there is nothing but white space and comments. */
static void put_comments(recast* r, const char* from, const char* to) {
    while (from < to && (from = memchr(from, '#', (size_t)(to - from))) != NULL) {
        const char* end = from;
        while (end < to && *end != '\n' && *end != '\r') end++;
        supi_writer_put(r->out, from, (size_t)(end - from));
        put_text(r->out, "\n");
        from = end;
    }
}

/* Takes the rest of a statement; returns where it ends. */
static const char* end_of(supi_cursor* cursor, const supi_token* keyword) {
    supi_token word, last = *keyword;
    while (supi_cursor_token(cursor, &word)) last = word;
    return last.text + last.size;
}

static void put_statements(recast* r, const uint8_t* bytes, size_t size) {
    supi_cursor cursor;
    const char *end = (const char*)bytes, *whole = end + size;
    supi_obj_begin(&cursor, "", bytes, size, NULL); /* has passed before */
    while (supi_cursor_next_word(&cursor)) {
        supi_token keyword;
        supi_cursor_token(&cursor, &keyword);
        put_comments(r, end, keyword.text);
        supi_cursor ahead = cursor;
        end = end_of(&ahead, &keyword);
        bool vertex = supi_token_is(&keyword, "v");
        bool number = supi_token_is(&keyword, "vt") || supi_token_is(&keyword, "vn");
        r->points_read += vertex;
        if (supi_token_is(&keyword, "f")) {
            put_faces(r);
        } else if (supi_token_is(&keyword, "l") || supi_token_is(&keyword, "p")) {
            put_element(r, &cursor, &keyword);
        } else if (!vertex && !number) {
            supi_writer_put(r->out, keyword.text, (size_t)(end - keyword.text));
            put_text(r->out, "\n");
        }
        supi_obj_skip_words(&cursor);
    }
    put_comments(r, end, whole);
}

bool supi_obj_recast(supi_writer* out, const sup_allocator* allocator, const uint8_t* bytes,
                     size_t size, const supi_obj_detail* detail, const supi_obj_change* change) {
    recast r = {.out = out, .d = detail, .c = change};
    size_t corners = (size_t)change->after->corner_count;
    size_t points = (size_t)change->before->point_count;
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    r.uvs = supi_arena_push(&arena, corners, sizeof *r.uvs);
    r.normals = supi_arena_push(&arena, corners, sizeof *r.normals);
    r.new_uvs = supi_arena_push(&arena, corners, sizeof *r.new_uvs);
    r.new_normals = supi_arena_push(&arena, corners, sizeof *r.new_normals);
    r.to_new = supi_arena_push(&arena, points, sizeof *r.to_new);
    r.corner_of = supi_arena_push(&arena, (size_t)change->after->point_count, sizeof *r.corner_of);
    bool done = r.uvs && r.normals && r.new_uvs && r.new_normals && r.to_new && r.corner_of;
    if (done) {
        for (int32_t i = 0; i < change->after->point_count; i++) r.corner_of[i] = -1;
        for (size_t c = 0; c < corners; c++) r.corner_of[change->after->corners[c]] = (int32_t)c;
        memset(r.to_new, 0xff, points * sizeof *r.to_new);
        for (int32_t i = 0; i < change->after->point_count; i++) {
            if (change->point_from[i] >= 0) r.to_new[change->point_from[i]] = i;
        }
        number_corners(&r);
        put_numbers(&r);
        put_statements(&r, bytes, size);
    }
    supi_arena_free(&arena);
    return done;
}
