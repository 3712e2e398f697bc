/* Every truncation and every damaged byte in the first 4 KiB of eight good files: nothing crashes
   or leaks, what is accepted is whole, and what is refused is refused with its place. */
#include <stdio.h>

#include "failing_files.h"
#include "fuzz/meshes.h"
#include "supple/mesh.h"
#include "supple/scene.h"
#include "supple/snapshot.h"
#include "supple/tape.h"

enum { LOOKED_AT = 4096 };

typedef struct blob {
    uint8_t* data;
    size_t size;
} blob;

/* ---- Sweeping ---- */

/* Reads under the name "f" and gives everything back when that went well. */
typedef sup_result (*reader)(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                             sup_error* error);

typedef struct sweep {
    const char* file;
    const char* name; /* with which messages begin */
    reader read;
    test_allocator counter;
    int tried, accepted;
} sweep;

/* One damaged file, in a block that ends where it ends; returns whether it was accepted. */
static bool try_bytes(sweep* s, const uint8_t* bytes, size_t size) {
    sup_error error = {0};
    uint8_t* exact = malloc(size ? size : 1);
    assert_non_null(exact);
    if (size) memcpy(exact, bytes, size);
    sup_result result = s->read(&s->counter.table, exact, size, &error);
    free(exact);
    assert_int_equal(s->counter.blocks, 0);
    assert_int_equal(error.code, result);
    s->tried++;
    s->accepted += result == SUP_OK;
    if (result == SUP_NO_MEMORY || result == SUP_IO) fail_msg("%s: %s", s->file, error.text);
    if (result != SUP_OK) fuzz_check_message(&error, s->name);
    return result == SUP_OK;
}

static void sweep_cuts(sweep* s, const uint8_t* bytes, size_t size) {
    for (size_t length = 0; length < size && length <= LOOKED_AT; length++) {
        try_bytes(s, bytes, length);
    }
}

/* The lowest bit and all bits of every byte; in long tests every bit. */
static void sweep_flips(sweep* s, const uint8_t* bytes, size_t size, bool sealed) {
    static const uint8_t patterns[] = {0x01, 0xFF, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};
    size_t pattern_count = getenv("SUPPLE_LONG") ? sizeof patterns : 2;
    uint8_t* copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    for (size_t at = 0; at < size && at < LOOKED_AT; at++) {
        for (size_t k = 0; k < pattern_count; k++) {
            copy[at] = bytes[at] ^ patterns[k];
            bool accepted = try_bytes(s, copy, size);
            if (accepted && sealed) {
                fail_msg("%s: byte %zu ^ 0x%02x was not seen", s->file, at, patterns[k]);
            }
        }
        copy[at] = bytes[at];
    }
    free(copy);
}

/* Sweeps a file and frees it. One that is sealed by checksums knows every damage. */
static void sweep_file(const char* file, const char* name, reader read, bool sealed, blob bytes) {
    sweep s = {.file = file, .name = name, .read = read};
    test_allocator_init(&s.counter);
    assert_true(try_bytes(&s, bytes.data, bytes.size));
    sweep_cuts(&s, bytes.data, bytes.size);
    sweep_flips(&s, bytes.data, bytes.size, sealed);
    print_message("%s: %zu bytes, %d damages, %d accepted\n", file, bytes.size, s.tried - 1,
                  s.accepted - 1);
    free(bytes.data);
}

/* ---- Bytes ---- */

static void put(blob* bytes, const void* data, size_t size) {
    bytes->data = realloc(bytes->data, bytes->size + size);
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

__attribute__((format(printf, 2, 3))) static void put_text(blob* bytes, const char* format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof line - 1);
    put(bytes, line, (size_t)length);
}

static void put_u32(blob* bytes, uint32_t value) {
    const uint8_t four[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24)};
    put(bytes, four, sizeof four);
}

static void put_float(blob* bytes, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

static void put_point(blob* bytes, sup_vec3 point) {
    put_float(bytes, point.x);
    put_float(bytes, point.y);
    put_float(bytes, point.z);
}

/* What was written under that name in memory. */
static blob take_file(failing_disk* disk, const char* name) {
    const failing_file* file = failing_find(disk, name);
    assert_non_null(file);
    blob bytes = {0};
    put(&bytes, file->bytes, file->size);
    failing_wipe(disk);
    return bytes;
}

/* ---- Meshes ---- */

static sup_mesh make_ball(int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 1.0, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_result finish_mesh(sup_result result, sup_mesh* mesh) {
    if (result != SUP_OK) return result;
    fuzz_check_mesh(mesh);
    sup_mesh_free(mesh);
    return SUP_OK;
}

static sup_result read_obj(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    return finish_mesh(sup_obj_parse(allocator, "f", bytes, size, &mesh, error), &mesh);
}

static sup_result read_ply(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    return finish_mesh(sup_ply_parse(allocator, "f", bytes, size, &mesh, error), &mesh);
}

static sup_result read_stl(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    return finish_mesh(sup_stl_parse(allocator, "f", bytes, size, &mesh, error), &mesh);
}

static sup_result read_glb(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    fuzz_files none;
    const sup_file_gate* gate = fuzz_files_begin(&none, NULL, 0);
    sup_mesh mesh;
    return finish_mesh(sup_glb_parse(allocator, gate, "f", bytes, size, &mesh, error), &mesh);
}

static void obj_survives(void** state) {
    (void)state;
    sup_mesh ball = make_ball(2);
    blob bytes = {0};
    put_text(&bytes, "# a ball\no ball\n");
    for (int32_t i = 0; i < ball.point_count; i++) {
        sup_vec3 p = ball.points[i];
        put_text(&bytes, "v %.6f %.6f %.6f\n", (double)p.x, (double)p.y, (double)p.z);
        if (i % 8 != 7) continue; /* triangles among the points, so that both are in reach */
        put_text(&bytes, "f %d/1 %d/2 -1/3\nf %d//1 -2//1 %d//1\n", i, i - 1, i - 3, i - 5);
    }
    sup_mesh_free(&ball);
    sweep_file("OBJ", "f", read_obj, false, bytes);
}

static void put_ply_head(blob* bytes, const char* format, const sup_mesh* mesh) {
    put_text(bytes, "ply\nformat %s 1.0\ncomment a ball\nelement vertex %d\n", format,
             (int)mesh->point_count);
    put_text(bytes, "property float x\nproperty float y\nproperty float z\nelement face %d\n",
             (int)mesh->polygon_count);
    put_text(bytes, "property list uchar int vertex_indices\nend_header\n");
}

static void ascii_ply_survives(void** state) {
    (void)state;
    sup_mesh ball = make_ball(1);
    blob bytes = {0};
    put_ply_head(&bytes, "ascii", &ball);
    for (int32_t i = 0; i < ball.point_count; i++) {
        sup_vec3 p = ball.points[i];
        put_text(&bytes, "%.6f %.6f %.6f\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (int32_t i = 0; i < ball.polygon_count; i++) {
        const int32_t* c = ball.corners + ball.starts[i];
        put_text(&bytes, "3 %d %d %d\n", (int)c[0], (int)c[1], (int)c[2]);
    }
    sup_mesh_free(&ball);
    sweep_file("ascii PLY", "f", read_ply, false, bytes);
}

static void binary_ply_survives(void** state) {
    (void)state;
    sup_mesh ball = make_ball(2);
    blob bytes = {0};
    put_ply_head(&bytes, "binary_little_endian", &ball);
    for (int32_t i = 0; i < ball.point_count; i++) put_point(&bytes, ball.points[i]);
    for (int32_t i = 0; i < ball.corner_count; i++) {
        if (i % 3 == 0) put(&bytes, "\3", 1);
        put_u32(&bytes, (uint32_t)ball.corners[i]);
    }
    sup_mesh_free(&ball);
    sweep_file("binary PLY", "f", read_ply, false, bytes);
}

static void stl_survives(void** state) {
    (void)state;
    sup_mesh ball = make_ball(2);
    blob bytes = {0};
    put_text(&bytes, "%-80s", "a ball");
    put_u32(&bytes, (uint32_t)ball.polygon_count);
    for (int32_t i = 0; i < ball.corner_count; i++) {
        if (i % 3 == 0) put_point(&bytes, (sup_vec3){0, 0, 0});
        put_point(&bytes, ball.points[ball.corners[i]]);
        if (i % 3 == 2) put(&bytes, "\0\0", 2);
    }
    sup_mesh_free(&ball);
    sweep_file("STL", "f", read_stl, false, bytes);
}

static void glb_survives(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_mesh ball = make_ball(2);
    sup_surface surface = {.name = "ball",
                           .point_count = ball.point_count,
                           .polygon_count = ball.polygon_count,
                           .starts = ball.starts,
                           .corners = ball.corners};
    sup_animation* animation;
    assert_int_equal(sup_glb_open(NULL, &gate, "b.glb", 1, &surface, 30, 2, 2, &animation, NULL),
                     SUP_OK);
    assert_int_equal(sup_animation_frame(animation, ball.points, NULL), SUP_OK);
    assert_int_equal(sup_animation_frame(animation, ball.points, NULL), SUP_OK);
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    sup_mesh_free(&ball);
    sweep_file("GLB", "f", read_glb, false, take_file(&disk, "b.glb"));
}

/* ---- Scenes ---- */

static const char scene_text[] =
    "{\n"
    "  \"version\": 1, \"name\": \"damage\", \"fps\": 60, \"frames\": 20, \"substeps\": 2,\n"
    "  \"materials\": {\"jelly\": {\"stiffness\": 80, \"damping\": 0.25, \"friction\": 0.5}},\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"box\", \"shape\": {\"box\": {\"size\": [1, 0.5, 1]}}, \"material\": "
    "\"jelly\",\n"
    "     \"density\": 300, \"position\": [0, 2, 0], \"rotation\": [20, 0, 35]},\n"
    "    {\"name\": \"ball\", \"shape\": {\"icosphere\": {\"radius\": 0.3, \"subdivisions\": 0}},\n"
    "     \"position\": [0, 4, 0], \"copies\": {\"grid\": {\"count\": [2, 1, 1], \"step\": [1, 0, "
    "0]}}}\n"
    "  ],\n"
    "  \"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\"}, {\"shape\": {\"sphere\": "
    "{\"radius\": 0.5}}}],\n"
    "  \"attachments\": [{\"body\": \"box\", \"nearest\": [0, 3, 0], \"stiffness\": 20}]\n"
    "}\n";

static sup_result read_scene(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                             sup_error* error) {
    fuzz_files none;
    sup_scene_options options = sup_scene_options_default();
    options.allocator = allocator;
    options.files = fuzz_files_begin(&none, NULL, 0);
    sup_scene* scene = NULL;
    sup_result result = sup_scene_parse(&options, "f", bytes, size, &scene, error);
    if (result != SUP_OK) return result;
    sup_scene_info info = sup_scene_get_info(scene);
    assert_true(info.body_count > 0);
    assert_int_equal(sup_world_bodies(sup_scene_world(scene), NULL, 0), info.body_count);
    sup_scene_free(scene);
    return SUP_OK;
}

static sup_scene* make_scene(void) {
    sup_scene* scene = NULL;
    sup_error error = {0};
    sup_result result = sup_scene_parse(NULL, "f", (const uint8_t*)scene_text,
                                        sizeof scene_text - 1, &scene, &error);
    if (result != SUP_OK) fail_msg("%s", error.text);
    return scene;
}

static void scene_survives(void** state) {
    (void)state;
    blob bytes = {0};
    put(&bytes, scene_text, sizeof scene_text - 1);
    sweep_file("scene", "f", read_scene, false, bytes);
}

/* ---- Snapshots and tapes ---- */

static sup_result read_snapshot(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                                sup_error* error) {
    sup_world_def def = sup_world_default();
    def.allocator = allocator;
    sup_world* world;
    assert_int_equal(sup_world_create(&def, &world, NULL), SUP_OK);
    uint64_t before = sup_world_hash(world);
    sup_result result = sup_world_restore(world, bytes, size, error);
    assert_true(result == SUP_OK || sup_world_hash(world) == before);
    sup_world_destroy(world);
    return result;
}

static void snapshot_survives(void** state) {
    (void)state;
    sup_scene* scene = make_scene();
    sup_bytes saved;
    assert_int_equal(sup_world_save(sup_scene_world(scene), &saved, NULL), SUP_OK);
    blob bytes = {0};
    put(&bytes, saved.data, saved.size);
    sup_bytes_free(&saved);
    sup_scene_free(scene);
    sweep_file("snapshot", "snapshot", read_snapshot, true, bytes);
}

/* A tape that was cut off holds the frames before the cut, and says that it is not whole. */
static void play(sup_tape* tape, size_t size) {
    sup_tape_info info = sup_tape_get_info(tape);
    assert_true(info.size == size);
    assert_true(info.whole == (info.frame_count == info.planned_count));
    sup_vec3* points = malloc((size_t)info.point_count * sizeof *points);
    assert_non_null(points);
    for (int32_t frame = 0; frame < info.frame_count; frame++) {
        assert_int_equal(sup_tape_read_frame(tape, frame, points, NULL), SUP_OK);
        fuzz_check_points(points, (size_t)info.point_count);
    }
    free(points);
}

static sup_result read_tape(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                            sup_error* error) {
    const fuzz_file file = {"f", bytes, size};
    fuzz_files files;
    const sup_file_gate* gate = fuzz_files_begin(&files, &file, 1);
    sup_tape* tape;
    sup_result result = sup_tape_open(allocator, gate, "f", &tape, error);
    if (result == SUP_OK) {
        result = sup_tape_check(tape, error);
        if (result == SUP_OK) play(tape, size);
        sup_tape_close(tape);
    }
    fuzz_files_end(&files);
    return result;
}

static void tape_survives(void** state) {
    (void)state;
    enum { FRAMES = 10, POINTS_MOST = 256 };
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_scene* scene = make_scene();
    sup_world* world = sup_scene_world(scene);
    sup_tape_def def = sup_tape_default();
    def.files = &gate;
    def.frame_count = FRAMES;
    def.snapshot_every = 4;
    def.surfaces = sup_scene_surfaces(scene, &def.surface_count);
    def.scene = (const uint8_t*)scene_text;
    def.scene_size = sizeof scene_text - 1;
    sup_recorder* recorder;
    assert_int_equal(sup_recorder_open(&def, "t.sup", world, &recorder, NULL), SUP_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        sup_vec3 points[POINTS_MOST];
        assert_int_equal(sup_scene_read_vertices(scene, points), SUP_OK);
        assert_int_equal(sup_recorder_frame(recorder, world, points, NULL), SUP_OK);
        assert_int_equal(sup_world_step(world, 1.0 / 60.0), SUP_OK);
    }
    assert_int_equal(sup_recorder_close(recorder, NULL), SUP_OK);
    sup_scene_free(scene);
    sweep_file("tape", "f", read_tape, true, take_file(&disk, "t.sup"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_survives),        cmocka_unit_test(ascii_ply_survives),
        cmocka_unit_test(binary_ply_survives), cmocka_unit_test(stl_survives),
        cmocka_unit_test(glb_survives),        cmocka_unit_test(scene_survives),
        cmocka_unit_test(snapshot_survives),   cmocka_unit_test(tape_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
