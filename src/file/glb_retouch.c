/* A GLB written again with other points: numbers of POSITION in its binary chunk, and the bounds in
   its JSON that belong to them. Textures, materials, nodes and all else stay as they are. */
#include "base/error.h"
#include "base/memory.h"
#include "file/gltf_scene.h"
#include "file/little_endian.h"
#include "file/retouch.h"
#include "file/text_write.h"

#include <math.h>
#include <string.h>

#define HEAD 12 /* bytes of the file's head, and of a chunk's */
#define CHUNK_HEAD 8

/* A text of the JSON that becomes another one. */
typedef struct text_edit {
    size_t from, to;
    float bounds[3];
} text_edit;

typedef struct retouch {
    supi_gltf gltf;
    supi_gltf_scene scene;
    const uint8_t* bytes;
    size_t size;
    uint8_t* copy;
    const sup_mesh* mesh;
    const sup_vec3* points;
    bool* touched;    /* accessors */
    uint8_t* claimed; /* by byte of the file: 1 where a number of a touched one is */
    size_t looked_at; /* elements */
    text_edit* edits;
    int32_t edit_count;
} retouch;

static sup_result refuse(const retouch* r, const char* what) {
    return supi_error_set(r->gltf.error, SUP_UNSUPPORTED, "%.200s: %s", r->gltf.name, what);
}

/* ---- Points ---- */

/* The inverse of the first three columns; false where there is none. */
static bool invert(const double m[12], double out[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double *a = m + 4 * ((k + 1) % 3), *b = m + 4 * ((k + 2) % 3);
            out[i][k] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        }
    }
    double det = m[0] * out[0][0] + m[1] * out[1][0] + m[2] * out[2][0];
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] /= det;
    return isfinite(1.0 / det);
}

static void write_float(uint8_t* at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 4; k++) at[k] = (uint8_t)(bits >> 8 * k);
}

static bool has_moved(const retouch* r, const supi_gltf_part* part) {
    size_t first = (size_t)part->first_point, count = (size_t)part->primitive->positions->count;
    return memcmp(r->mesh->points + first, r->points + first, count * sizeof *r->points) != 0;
}

/* What a point has moved in the scene, seen from its node, is added to the number in the file: so
   morph targets stay what they are. */
static sup_result move_part(retouch* r, const supi_gltf_part* part) {
    const supi_gltf_accessor* a = part->primitive->positions;
    double back[3][3];
    bool plain = a->component == SUPI_GLTF_FLOAT && a->sparse_count == 0 && a->bytes &&
                 a->bytes >= r->bytes && a->bytes < r->bytes + r->size;
    if (!plain) return refuse(r, "its points are not plain numbers of its own");
    if (r->touched[a - r->gltf.accessors]) return refuse(r, "its points are there several times");
    if (!invert(part->node->to_scene, back)) return refuse(r, "a node squeezes it flat");
    r->touched[a - r->gltf.accessors] = true;
    for (int32_t i = 0; i < a->count; i++) {
        const sup_vec3* p = &r->mesh->points[part->first_point + i];
        const sup_vec3* q = &r->points[part->first_point + i];
        if (memcmp(p, q, sizeof *p) == 0) continue;
        const double by[3] = {(double)q->x - (double)p->x, (double)q->y - (double)p->y,
                              (double)q->z - (double)p->z};
        size_t at = (size_t)(a->bytes - r->bytes) + (size_t)i * a->stride;
        for (int k = 0; k < 3; k++) {
            double d = back[k][0] * by[0] + back[k][1] * by[1] + back[k][2] * by[2];
            uint8_t* number = r->copy + at + 4 * (size_t)k;
            write_float(number, (float)((double)supi_little_float(number) + d));
        }
    }
    return SUP_OK;
}

/* ---- Who else uses the numbers ---- */

static void count_use(const supi_gltf* g, const supi_json* n, int32_t* uses) {
    bool names = n->kind == SUPI_JSON_NUMBER && n->number >= 0.0 && n->number < g->accessor_count;
    if (names) uses[(int32_t)n->number]++;
}

/* How often each accessor is named, whatever for. */
static void count_uses(const retouch* r, int32_t* uses) {
    static const char* const single[] = {"input", "output", "indices", "inverseBindMatrices"};
    const supi_gltf* g = &r->gltf;
    for (int32_t i = 0; i < g->json.value_count; i++) {
        const supi_json* v = &g->json.values[i];
        if (!v->key) continue;
        bool rows = v->kind == SUPI_JSON_ARRAY && strcmp(v->key, "targets") == 0;
        bool row = v->kind == SUPI_JSON_OBJECT && strcmp(v->key, "attributes") == 0;
        for (const supi_json* object = rows  ? v->first
                                       : row ? v
                                             : NULL;
             object; object = rows ? object->next : NULL) {
            bool whole = object->kind == SUPI_JSON_OBJECT;
            for (const supi_json* n = whole ? object->first : NULL; n; n = n->next)
                count_use(g, n, uses);
        }
        for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
            if (strcmp(v->key, single[k]) == 0) count_use(g, v, uses);
        }
    }
}

/* Points that nothing but the scene names, in primitives that show them once. */
static sup_result check_uses(const retouch* r, int32_t* uses, bool* in_scene) {
    const supi_gltf* g = &r->gltf;
    count_uses(r, uses);
    for (int32_t p = 0; p < r->scene.part_count; p++)
        in_scene[r->scene.parts[p].mesh - r->scene.meshes] = true;
    for (int32_t m = 0; m < r->scene.mesh_count; m++) {
        const supi_gltf_mesh* mesh = &r->scene.meshes[m];
        for (int32_t k = 0; in_scene[m] && k < mesh->primitive_count; k++)
            uses[mesh->primitives[k].positions - g->accessors]--;
    }
    for (int32_t a = 0; a < g->accessor_count; a++) {
        if (r->touched[a] && uses[a] != 0) return refuse(r, "its points are used elsewhere too");
    }
    return SUP_OK;
}

static sup_result check_compressed(const retouch* r) {
    for (int32_t i = 0; i < r->gltf.json.value_count; i++) {
        const char* key = r->gltf.json.values[i].key;
        if (key && (strcmp(key, "KHR_draco_mesh_compression") == 0 ||
                    strcmp(key, "EXT_meshopt_compression") == 0))
            return refuse(r, "it also holds its numbers compressed");
    }
    return SUP_OK;
}

/* Whether some of these bytes are claimed; `claim` takes them. Those beside the file are not. */
static bool meets(retouch* r, const uint8_t* bytes, int32_t count, size_t stride, size_t size,
                  bool claim) {
    if (!bytes || bytes < r->bytes || bytes >= r->bytes + r->size) return false;
    for (int32_t i = 0; i < count; i++) {
        uint8_t* at = r->claimed + (size_t)(bytes - r->bytes) + (size_t)i * stride;
        if (memchr(at, 1, size)) return true;
        if (claim) memset(at, 1, size);
    }
    r->looked_at += (size_t)count;
    return false;
}

static bool meets_accessor(retouch* r, const supi_gltf_accessor* a, bool claim) {
    size_t size = supi_gltf_component_size(a->component) * (size_t)a->width;
    size_t index = supi_gltf_component_size(a->sparse_component);
    return meets(r, a->bytes, a->count, a->stride, size, claim) ||
           meets(r, a->sparse_indices, a->sparse_count, index, index, false) ||
           meets(r, a->sparse_values, a->sparse_count, size, size, false);
}

static sup_result check_bytes(retouch* r) {
    const supi_gltf* g = &r->gltf;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t a = 0; a < g->accessor_count; a++) {
            bool claim = pass == 0;
            if (r->touched[a] != claim) continue;
            if (meets_accessor(r, &g->accessors[a], claim))
                return refuse(r, "something else is stored in the bytes of its points");
            if (r->looked_at / SUPI_GLTF_PER_BYTE > r->size)
                return refuse(r, "too many arrays lie over each other");
        }
    }
    return SUP_OK;
}

static sup_result check_others(retouch* r, const sup_allocator* allocator) {
    const supi_gltf* g = &r->gltf;
    bool any = false;
    for (int32_t a = 0; a < g->accessor_count; a++) any = any || r->touched[a];
    if (!any) return SUP_OK;
    int32_t* uses = supi_arena_push(&r->gltf.store, (size_t)g->accessor_count, sizeof *uses);
    bool* in_scene = supi_arena_push(&r->gltf.store, (size_t)r->scene.mesh_count, sizeof *in_scene);
    if (!uses || !in_scene) return supi_error_memory(g->error);
    sup_result result = check_compressed(r);
    if (result == SUP_OK) result = check_uses(r, uses, in_scene);
    if (result != SUP_OK) return result;
    r->claimed = supi_memory_new(allocator, r->size, 1);
    if (!r->claimed) return supi_error_memory(g->error);
    result = check_bytes(r);
    supi_memory_free(allocator, r->claimed, r->size, 1);
    return result;
}

/* ---- Bounds ---- */

/* Where a value stands in the text. */
static size_t offset_of(const uint8_t* text, size_t size, const supi_json* value) {
    supi_cursor cursor = {.bytes = text, .size = size, .line = 1, .column = 1};
    while (cursor.at < size && (cursor.line < value->line || cursor.column < value->column))
        supi_cursor_skip(&cursor);
    return cursor.at;
}

static sup_result edit_bounds(retouch* r, const supi_gltf_accessor* a, const char* key, bool high) {
    const uint8_t* text = r->bytes + HEAD + CHUNK_HEAD;
    size_t size = supi_little_u32(r->bytes + HEAD);
    const supi_json* value = supi_json_find(a->place, key);
    if (!value) return SUP_OK;
    bool three = value->kind == SUPI_JSON_ARRAY && value->child_count == 3;
    for (const supi_json* n = value->first; n; n = n->next)
        three = three && n->kind == SUPI_JSON_NUMBER;
    if (!three) return refuse(r, "the bounds of its points are not three numbers");
    text_edit* edit = &r->edits[r->edit_count++];
    edit->from = edit->to = offset_of(text, size, value);
    while (edit->to < size && text[edit->to] != ']') edit->to++;
    edit->to++;
    for (int32_t i = 0; i < a->count; i++) {
        size_t at = (size_t)(a->bytes - r->bytes) + (size_t)i * a->stride;
        for (int k = 0; k < 3; k++) {
            float number = supi_little_float(r->copy + at + 4 * (size_t)k);
            bool beyond = high ? number > edit->bounds[k] : number < edit->bounds[k];
            if (i == 0 || beyond) edit->bounds[k] = number;
        }
    }
    return SUP_OK;
}

static void sort_edits(retouch* r) {
    for (int32_t i = 1; i < r->edit_count; i++) {
        text_edit one = r->edits[i];
        int32_t at = i;
        for (; at > 0 && r->edits[at - 1].from > one.from; at--) r->edits[at] = r->edits[at - 1];
        r->edits[at] = one;
    }
}

static size_t write_bounds(const text_edit* edit, char text[128]) {
    size_t used = 0;
    text[used++] = '[';
    for (int k = 0; k < 3; k++) {
        if (k > 0) text[used++] = ',';
        used += (size_t)supi_number_write_float(edit->bounds[k], text + used);
    }
    text[used++] = ']';
    return used;
}

/* ---- The file ---- */

static void put_file(retouch* r, supi_writer* out) {
    const uint8_t* text = r->bytes + HEAD + CHUNK_HEAD;
    size_t length = supi_little_u32(r->bytes + HEAD), now = length, copied = 0;
    char bounds[128];
    sort_edits(r);
    for (int32_t i = 0; i < r->edit_count; i++)
        now += write_bounds(&r->edits[i], bounds) - (r->edits[i].to - r->edits[i].from);
    size_t padding = (4 - now % 4) % 4;
    supi_writer_put(out, r->bytes, 8);
    supi_writer_put_u32(out, (uint32_t)(r->size - length + now + padding));
    supi_writer_put_u32(out, (uint32_t)(now + padding));
    supi_writer_put(out, r->bytes + HEAD + 4, 4);
    for (int32_t i = 0; i < r->edit_count; i++) {
        const text_edit* edit = &r->edits[i];
        supi_writer_put(out, text + copied, edit->from - copied);
        supi_writer_put(out, bounds, write_bounds(edit, bounds));
        copied = edit->to;
    }
    supi_writer_put(out, text + copied, length - copied);
    supi_writer_put(out, "   ", padding);
    size_t rest = HEAD + CHUNK_HEAD + length;
    supi_writer_put(out, r->copy + rest, r->size - rest);
}

static sup_result move_all(retouch* r, const sup_allocator* allocator, supi_writer* out) {
    const supi_gltf* g = &r->gltf;
    sup_result result = supi_gltf_scene_read(&r->gltf, &r->scene);
    if (result != SUP_OK) return result;
    supi_arena* store = &r->gltf.store;
    r->touched = supi_arena_push(store, (size_t)g->accessor_count, sizeof *r->touched);
    r->edits = supi_arena_push(store, 2 * (size_t)g->accessor_count, sizeof *r->edits);
    if (!r->touched || !r->edits) return supi_error_memory(g->error);
    for (int32_t p = 0; p < r->scene.part_count && result == SUP_OK; p++) {
        const supi_gltf_part* part = &r->scene.parts[p];
        if (!part->primitive->shares_points && has_moved(r, part)) result = move_part(r, part);
    }
    for (int32_t p = 0; p < r->scene.part_count && result == SUP_OK; p++) {
        const supi_gltf_part* part = &r->scene.parts[p];
        bool other = !part->primitive->shares_points && !has_moved(r, part);
        if (other && r->touched[part->primitive->positions - g->accessors])
            result = refuse(r, "its points are there several times");
    }
    if (result == SUP_OK) result = check_others(r, allocator);
    for (int32_t a = 0; a < g->accessor_count && result == SUP_OK; a++) {
        if (!r->touched[a]) continue;
        result = edit_bounds(r, &g->accessors[a], "min", false);
        if (result == SUP_OK) result = edit_bounds(r, &g->accessors[a], "max", true);
    }
    if (result == SUP_OK) put_file(r, out);
    return result;
}

sup_result supi_glb_retouch(supi_writer* out, const sup_allocator* allocator,
                            const sup_file_gate* files, const char* name, const uint8_t* bytes,
                            size_t size, const sup_mesh* mesh, const sup_vec3* points,
                            sup_error* error) {
    retouch r = {.bytes = bytes, .size = size, .mesh = mesh, .points = points};
    if (size < HEAD + CHUNK_HEAD || memcmp(bytes, "glTF", 4) != 0)
        return supi_error_set(error, SUP_UNSUPPORTED, "%.200s is not a GLB", name);
    r.copy = supi_memory_new(allocator, size, 1);
    if (!r.copy) return supi_error_memory(error);
    memcpy(r.copy, bytes, size);
    sup_result result = supi_gltf_open(&r.gltf, allocator, files, name, bytes, size, error);
    if (result == SUP_OK) result = move_all(&r, allocator, out);
    result = supi_gltf_close(&r.gltf, result);
    supi_memory_free(allocator, r.copy, size, 1);
    return result;
}
