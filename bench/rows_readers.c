/* Rows about readers: a file of twice the size takes twice the time, whatever is in it. The value
   is the time for a byte of the larger file, the reference that for a byte of the smaller one; the
   floor allows 2.5 times the time for twice the bytes. */
#define _XOPEN_SOURCE 700

#include "bench.h"
#include "file/json.h"
#include "supple/files.h"
#include "supple/mesh.h"
#include "supple/scene.h"
#include "supple/snapshot.h"
#include "supple/tape.h"
#include "worst_files.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEATS = 6 };

typedef struct trial trial;
struct trial {
    /* A subject that reads a file made of `count` things, and the size of that file. */
    bool (*create)(const trial* what, int32_t count, bench_subject* out, double* size);
    int32_t count; /* of the smaller file */
    bench_file_maker make;
    sup_result (*read)(const bench_bytes* file, sup_error* error);
};

/* Says why a subject could not be made or read. */
static bool passed(sup_result result, const sup_error* error) {
    if (result != SUP_OK) fprintf(stderr, "supple_bench: %s\n", error->text);
    return result == SUP_OK;
}

/* ---- Files in memory ---- */

typedef struct file_reader {
    bench_bytes bytes;
    sup_result (*read)(const bench_bytes* file, sup_error* error);
} file_reader;

static bool read_file(void* state) {
    const file_reader* reader = state;
    sup_error error = {0};
    return passed(reader->read(&reader->bytes, &error), &error);
}

static void destroy_file(void* state) {
    file_reader* reader = state;
    bench_bytes_free(&reader->bytes);
    free(reader);
}

static bool create_file(const trial* what, int32_t count, bench_subject* out, double* size) {
    file_reader* reader = calloc(1, sizeof *reader);
    if (!reader) return false;
    reader->read = what->read;
    what->make(&reader->bytes, count);
    *size = (double)reader->bytes.size;
    *out = (bench_subject){reader, read_file, 1, NULL, destroy_file};
    if (!reader->bytes.failed) return true;
    destroy_file(reader);
    return false;
}

static sup_result read_json(const bench_bytes* file, sup_error* error) {
    supi_json_document document;
    sup_result result = supi_json_parse(sup_allocator_default(), "worst.json", file->data,
                                        file->size, &document, error);
    if (result == SUP_OK) supi_json_free(&document);
    return result;
}

static sup_result drop_mesh(sup_result result, sup_mesh* mesh) {
    if (result == SUP_OK) sup_mesh_free(mesh);
    return result;
}

static sup_result read_obj(const bench_bytes* file, sup_error* error) {
    sup_mesh mesh;
    return drop_mesh(sup_obj_parse(NULL, "worst.obj", file->data, file->size, &mesh, error), &mesh);
}

static sup_result read_ply(const bench_bytes* file, sup_error* error) {
    sup_mesh mesh;
    return drop_mesh(sup_ply_parse(NULL, "worst.ply", file->data, file->size, &mesh, error), &mesh);
}

static sup_result read_stl(const bench_bytes* file, sup_error* error) {
    sup_mesh mesh;
    return drop_mesh(sup_stl_parse(NULL, "worst.stl", file->data, file->size, &mesh, error), &mesh);
}

static sup_result read_glb(const bench_bytes* file, sup_error* error) {
    sup_mesh mesh;
    return drop_mesh(sup_glb_parse(NULL, NULL, "worst.glb", file->data, file->size, &mesh, error),
                     &mesh);
}

static sup_result read_scene(const bench_bytes* file, sup_error* error) {
    sup_scene* scene;
    sup_result result = sup_scene_parse(NULL, "worst.json", file->data, file->size, &scene, error);
    if (result == SUP_OK) sup_scene_free(scene);
    return result;
}

/* ---- Snapshots ---- */

typedef struct snapshot_reader {
    sup_world* world; /* that takes the snapshot */
    sup_bytes bytes;
} snapshot_reader;

static bool read_snapshot(void* state) {
    const snapshot_reader* reader = state;
    sup_error error = {0};
    return passed(sup_world_restore(reader->world, reader->bytes.data, reader->bytes.size, &error),
                  &error);
}

static void destroy_snapshot(void* state) {
    snapshot_reader* reader = state;
    if (reader->world) sup_world_destroy(reader->world);
    sup_bytes_free(&reader->bytes);
    free(reader);
}

/* A tetrahedron like all others but for one number. */
static sup_result make_print(int32_t number, sup_blueprint** out, sup_error* error) {
    const sup_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1 + 1e-6f * (float)number}};
    static const int32_t starts[] = {0, 3, 6, 9, 12};
    static const int32_t corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sup_mesh mesh;
    sup_result result = sup_mesh_create(NULL, 4, points, 4, starts, corners, &mesh, error);
    if (result != SUP_OK) return result;
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = &mesh;
    result = sup_blueprint_create(&def, out, error);
    sup_mesh_free(&mesh);
    return result;
}

/* Bodies in a row, each held by an attachment. */
static sup_result add_bodies(sup_world* world, int32_t count, sup_blueprint* const* prints,
                             int32_t print_count, bool backwards, sup_error* error) {
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < count && result == SUP_OK; i++) {
        sup_body_def def = sup_body_default();
        def.blueprint = prints[(backwards ? count - 1 - i : i) % print_count];
        def.position[0] = 3.0 * i;
        sup_attachment_def hold = sup_attachment_default();
        hold.here = true;
        result = sup_body_create(world, &def, &hold.body, error);
        if (result == SUP_OK) result = sup_attachment_create(world, &hold, NULL, error);
    }
    return result;
}

/* Saves a world of `count` bodies; the one that will take it has the same bodies the other way
   round, so that no blueprint is where it is looked for first. */
static sup_result set_snapshot(snapshot_reader* reader, int32_t count, sup_blueprint** prints,
                               int32_t print_count, sup_error* error) {
    sup_world_def def = sup_world_default();
    sup_world* saved = NULL;
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < print_count && result == SUP_OK; i++) {
        result = make_print(i, &prints[i], error);
    }
    if (result == SUP_OK) result = sup_world_create(&def, &saved, error);
    if (result == SUP_OK) result = sup_world_create(&def, &reader->world, error);
    if (result == SUP_OK) result = add_bodies(saved, count, prints, print_count, false, error);
    if (result == SUP_OK) {
        result = add_bodies(reader->world, count, prints, print_count, true, error);
    }
    if (result == SUP_OK) result = sup_world_save(saved, &reader->bytes, error);
    if (saved) sup_world_destroy(saved);
    for (int32_t i = 0; i < print_count; i++) {
        if (prints[i]) sup_blueprint_release(prints[i]);
    }
    return result;
}

static bool create_snapshot(int32_t count, int32_t print_count, bench_subject* out, double* size) {
    snapshot_reader* reader = calloc(1, sizeof *reader);
    sup_blueprint** prints = calloc((size_t)print_count, sizeof *prints);
    sup_error error = {.text = "out of memory"};
    sup_result result = SUP_NO_MEMORY;
    if (reader && prints) result = set_snapshot(reader, count, prints, print_count, &error);
    free(prints);
    if (!passed(result, &error)) {
        if (reader) destroy_snapshot(reader);
        return false;
    }
    *size = (double)reader->bytes.size;
    *out = (bench_subject){reader, read_snapshot, 1, NULL, destroy_snapshot};
    return true;
}

static bool create_snapshot_of_bodies(const trial* what, int32_t count, bench_subject* out,
                                      double* size) {
    (void)what;
    return create_snapshot(count, 1, out, size);
}

static bool create_snapshot_of_prints(const trial* what, int32_t count, bench_subject* out,
                                      double* size) {
    (void)what;
    return create_snapshot(count, count, out, size);
}

/* ---- Tapes ---- */

typedef struct tape_reader {
    char folder[512];
    char path[544];
    bool cut; /* it has no index: every record is looked at */
} tape_reader;

static bool read_tape(void* state) {
    const tape_reader* reader = state;
    sup_error error = {0};
    sup_tape* tape;
    if (!passed(sup_tape_open(NULL, NULL, reader->path, &tape, &error), &error)) return false;
    bool whole = sup_tape_get_info(tape).whole;
    sup_tape_close(tape);
    return whole != reader->cut;
}

static void destroy_tape(void* state) {
    tape_reader* reader = state;
    remove(reader->path);
    rmdir(reader->folder);
    free(reader);
}

/* Records frames of one triangle; a tape that is cut stops before its end. */
static sup_result record(const tape_reader* reader, int32_t count, double* size, sup_error* error) {
    static const int32_t starts[] = {0, 3}, corners[] = {0, 1, 2};
    static const sup_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const sup_surface surface = {
        .name = "a", .point_count = 3, .polygon_count = 1, .starts = starts, .corners = corners};
    sup_world_def world_def = sup_world_default();
    sup_tape_def def = sup_tape_default();
    def.frame_count = def.snapshot_every = count;
    def.surface_count = 1;
    def.surfaces = &surface;
    char name[sizeof reader->path];
    snprintf(name, sizeof name, "%s/a.sup", reader->folder);
    sup_world* world;
    sup_recorder* recorder = NULL;
    sup_result result = sup_world_create(&world_def, &world, error);
    if (result != SUP_OK) return result;
    result = sup_recorder_open(&def, name, world, &recorder, error);
    for (int32_t i = 0; i < count && result == SUP_OK; i++) {
        result = sup_recorder_frame(recorder, world, points, error);
    }
    if (result == SUP_OK && !reader->cut) {
        result = sup_recorder_close(recorder, error);
    } else {
        sup_recorder_stop(recorder);
    }
    sup_world_destroy(world);
    *size = 60.0 * count;
    return result;
}

static bool create_tape(int32_t count, bool cut, bench_subject* out, double* size) {
    tape_reader* reader = calloc(1, sizeof *reader);
    if (!reader) return false;
    reader->cut = cut;
    const char* root = getenv("TMPDIR");
    int length = snprintf(reader->folder, sizeof reader->folder, "%s/supple-bench-XXXXXX",
                          root && *root ? root : "/tmp");
    if (length >= (int)sizeof reader->folder || !mkdtemp(reader->folder)) {
        free(reader);
        return false;
    }
    snprintf(reader->path, sizeof reader->path, "%s/a.sup%s", reader->folder, cut ? ".part" : "");
    sup_error error = {0};
    if (!passed(record(reader, count, size, &error), &error)) {
        destroy_tape(reader);
        return false;
    }
    *out = (bench_subject){reader, read_tape, 1, NULL, destroy_tape};
    return true;
}

static bool create_whole_tape(const trial* what, int32_t count, bench_subject* out, double* size) {
    (void)what;
    return create_tape(count, false, out, size);
}

static bool create_cut_tape(const trial* what, int32_t count, bench_subject* out, double* size) {
    (void)what;
    return create_tape(count, true, out, size);
}

/* ---- Figures ---- */

/* Whether a block comes fresh from the system depends on its size: that is not what is timed. */
static void keep_memory(bool keep) {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, keep ? 0 : 65536);
    mallopt(M_TRIM_THRESHOLD, keep ? -1 : 128 * 1024);
#else
    (void)keep;
#endif
}

static bool measure(const bench_row* row, bench_figures* out) {
    const trial* what = row->detail;
    bench_subject subjects[2];
    double sizes[2], seconds[2];
    int32_t made = 0;
    while (made < 2 &&
           what->create(what, what->count * (2 - made), &subjects[made], &sizes[made])) {
        made++;
    }
    keep_memory(true);
    bool timed = made == 2 && bench_time_work(subjects, 2, row->repeats, seconds);
    keep_memory(false);
    for (int32_t i = 0; i < made; i++) subjects[i].destroy(subjects[i].state);
    if (!timed) {
        fprintf(stderr, "supple_bench: %s: the file could not be made or read\n", row->name);
        return false;
    }
    out->value = 1e9 * seconds[0] / sizes[0];
    out->reference = 1e9 * seconds[1] / sizes[1];
    out->simd = SUP_SIMD_AUTO;
    return true;
}

/* ---- The rows ---- */

#define ROW(name, about, ...)                                                                      \
    {                                                                                              \
        "linear." name, about ", twice the size beside once", "ns/byte", "half the size", 0.8,     \
            0.0, 1, SUP_SIMD_AUTO, measure, &(const trial){__VA_ARGS__}, REPEATS                   \
    }
#define FILE_ROW(name, about, count, format, shape)                                                \
    ROW(name, about, create_file, count, bench_##format##_##shape, read_##format)

static const bench_row rows[] = {
    FILE_ROW("json.values", "JSON, an array of digits", 500000, json, values),
    FILE_ROW("json.keys", "JSON, one object of alike keys", 40000, json, keys),
    FILE_ROW("json.nest", "JSON, deep nests", 10000, json, nest),
    FILE_ROW("json.escapes", "JSON, one string of escapes", 100000, json, escapes),
    FILE_ROW("json.digits", "JSON, one number", 200000, json, digits),
    FILE_ROW("obj.triangles", "OBJ, tiny triangles", 100000, obj, triangles),
    FILE_ROW("obj.polygon", "OBJ, one polygon over many lines", 500000, obj, polygon),
    FILE_ROW("ply.text", "PLY as text, tiny triangles", 100000, ply, text),
    FILE_ROW("ply.binary", "binary PLY, tiny triangles", 100000, ply, binary),
    FILE_ROW("ply.lists", "binary PLY, empty lists", 2000000, ply, lists),
    FILE_ROW("stl.text", "STL as text, the same triangle", 20000, stl, text),
    FILE_ROW("stl.binary", "binary STL, no two corners alike", 60000, stl, binary),
    FILE_ROW("stl.alike", "binary STL, corners that differ in few bits", 60000, stl, alike),
    FILE_ROW("glb.nodes", "GLB, each node below another", 20000, glb, nodes),
    FILE_ROW("glb.primitives", "GLB, primitives and accessors", 10000, glb, primitives),
    FILE_ROW("glb.points", "GLB, points", 60000, glb, points),
    FILE_ROW("scene.materials", "scene, materials with long names", 1500, scene, materials),
    FILE_ROW("scene.names", "scene, bodies and attachments with long names", 3000, scene, names),
    FILE_ROW("scene.colliders", "scene, colliders", 8000, scene, colliders),
    FILE_ROW("scene.pins", "scene, pins that move", 8000, scene, pins),
    FILE_ROW("scene.rows", "scene, rows of heights", 8000, scene, rows),
    ROW("snapshot.bodies", "snapshot, bodies of one blueprint", create_snapshot_of_bodies, 5000,
        NULL, NULL),
    ROW("snapshot.blueprints", "snapshot, bodies of as many blueprints", create_snapshot_of_prints,
        2500, NULL, NULL),
    ROW("tape.index", "tape with an index", create_whole_tape, 100000, NULL, NULL),
    ROW("tape.walk", "tape that was cut", create_cut_tape, 10000, NULL, NULL),
};

const bench_row* bench_rows_readers(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
