/* Every refusal of every reader names the file, the place in it and what is wrong there: files of
   all formats are cut and damaged everywhere, and each message is looked at. */
#include "scene/fixture.h"

#include "base/hash.h"
#include "file/glb_by_hand.h"
#include "file/json.h"
#include "supple/snapshot.h"
#include "supple/tape.h"
#include "tape/stage.h"

/* ---- the shape of a message ---- */

/* Goes over a number; NULL where there is none. */
static const char* after_number(const char* text) {
    if (!text || *text < '0' || *text > '9') return NULL;
    while (*text >= '0' && *text <= '9') text++;
    return text;
}

static const char* after_word(const char* text, const char* word) {
    size_t length = strlen(word);
    return text && strncmp(text, word, length) == 0 ? text + length : NULL;
}

/* What follows "NAME:LINE:COLUMN: " with numbers from 1, or NULL. */
static const char* after_line_and_column(const char* text, const char* name) {
    const char* line = after_word(after_word(text, name), ":");
    const char* column = after_word(after_number(line), ":");
    const char* rest = after_word(after_number(column), ": ");
    return rest && *line != '0' && *column != '0' ? rest : NULL;
}

/* What follows "NAME: byte N: " or "NAME: byte N (PART): ", or NULL. */
static const char* after_byte(const char* text, const char* name) {
    const char* rest = after_number(after_word(after_word(text, name), ": byte "));
    if (rest && rest[0] == ' ' && rest[1] == '(') {
        rest = strchr(rest, ')');
        rest = rest ? rest + 1 : NULL;
    }
    return after_word(rest, ": ");
}

/* Is there a place, and behind it a sentence of three words or more? */
static bool is_whole(const char* text, const char* name) {
    const char* rest = after_line_and_column(text, name);
    if (!rest) rest = after_byte(text, name);
    const char* blank = rest ? strchr(rest, ' ') : NULL;
    return blank && strchr(blank + 1, ' ');
}

static void messages_are_judged(void** state) {
    (void)state;
    assert_true(is_whole("f:1:12: it is wrong", "f"));
    assert_true(is_whole("f: byte 0: it is wrong", "f"));
    assert_true(is_whole("f: byte 99 (body 3, mass): it is wrong", "f"));
    static const char* const bad[] = {"",
                                      "f: no faces here",
                                      "it is wrong",
                                      "g:1:12: it is wrong",
                                      "f:0:1: it is wrong",
                                      "f:1:0: it is wrong",
                                      "f:1: it is wrong",
                                      "f:1:2: wrong",
                                      "f: byte: it is wrong",
                                      "f: byte 9",
                                      "f: byte 9 (body: it is wrong",
                                      "f: byte x: it is wrong"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(is_whole(bad[i], "f"));
}

/* ---- damage ---- */

/* Reads the bytes under the name it gives; SUP_OK where they pass. */
typedef struct subject {
    sup_result (*read)(void* state, const uint8_t* data, size_t size, sup_error* error);
    void* state;
    const char* name;
    int refused, different; /* how many, and how many messages were not that of the one before */
    char last[512];
} subject;

static void look(subject* s, const uint8_t* data, size_t size) {
    sup_error error = {0};
    sup_result result = s->read(s->state, data, size, &error);
    if (result == SUP_OK) return;
    /* Damage can also ask for a file that is not there, or for what the engine does not do. */
    assert_true(result == SUP_BAD_FILE || result == SUP_NOT_FOUND || result == SUP_BAD_ARGUMENT);
    assert_int_equal(error.code, result);
    if (!is_whole(error.text, s->name)) fail_msg("no place, or no reason: %s", error.text);
    s->refused++;
    s->different += strcmp(s->last, error.text) != 0;
    strcpy(s->last, error.text);
}

/* Cuts and damages a good file. `stride` leaves places out where there are many. */
static void look_at_all(subject* s, const uint8_t* data, size_t size, size_t stride) {
    static const uint8_t values[] = {0, 255, '\n', ' ', '"', '9', '-', '[', 'x'};
    sup_error error = {0};
    if (s->read(s->state, data, size, &error) != SUP_OK) fail_msg("%s", error.text);
    for (size_t length = 0; length < size; length += stride) {
        uint8_t* cut = malloc(length + 1);
        assert_non_null(cut);
        memcpy(cut, data, length);
        look(s, cut, length);
        free(cut);
    }
    uint8_t* copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t at = 0; at < size; at += stride) {
        for (size_t k = 0; k < sizeof values; k++) {
            copy[at] = values[k];
            look(s, copy, size);
        }
        copy[at] = data[at];
    }
    free(copy);
    assert_true(s->refused > 50 && s->different > 5);
}

/* ---- meshes and clips ---- */

typedef sup_result (*mesh_reader)(const sup_allocator* allocator, const char* name,
                                  const uint8_t* data, size_t size, sup_mesh* out,
                                  sup_error* error);

static sup_result parse_mesh(void* state, const uint8_t* data, size_t size, sup_error* error) {
    sup_mesh mesh;
    mesh_reader read = *(mesh_reader*)state;
    sup_result result = read(NULL, "dir/f", data, size, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static void look_at_mesh(mesh_reader read, const void* data, size_t size) {
    subject s = {.read = parse_mesh, .state = &read, .name = "dir/f"};
    look_at_all(&s, data, size, 1);
}

#define PLY(format)                                                                                \
    "ply\nformat " format " 1.0\ncomment x\nelement vertex 3\nproperty float x\n"                  \
    "property float y\nproperty float z\nelement face 1\n"                                         \
    "property list uchar int vertex_indices\nend_header\n"

static void meshes(void** state) {
    (void)state;
    static const char obj[] = "# a\no x\nv 0 0 0\nv 1 0 0 1\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 -1\n";
    look_at_mesh(sup_obj_parse, obj, sizeof obj - 1);
    static const char ascii[] = PLY("ascii") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    look_at_mesh(sup_ply_parse, ascii, sizeof ascii - 1);
    bytes binary = {0};
    put(&binary, PLY("binary_little_endian"), strlen(PLY("binary_little_endian")));
    put_floats(&binary, square, 9);
    put(&binary, "\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
    look_at_mesh(sup_ply_parse, binary.data, binary.size);
    static const char stl[] = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                              "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n";
    look_at_mesh(sup_stl_parse, stl, sizeof stl - 1);
    bytes solid = {.size = 80};
    put_u32(&solid, 2);
    for (int i = 0; i < 2; i++) {
        put_floats(&solid, square, 12);
        put(&solid, "\0\0", 2);
    }
    look_at_mesh(sup_stl_parse, solid.data, solid.size);
}

static sup_result parse_json(void* state, const uint8_t* data, size_t size, sup_error* error) {
    (void)state;
    supi_json_document document;
    sup_result result =
        supi_json_parse(sup_allocator_default(), "dir/f", data, size, &document, error);
    if (result == SUP_OK) supi_json_free(&document);
    return result;
}

static void json(void** state) {
    (void)state;
    static const char text[] = "{\"a\": [1, -2.5e3, true, null], \"\\u00e9\\n\": {\"b\": \"x\"}}\n";
    subject s = {.read = parse_json, .name = "dir/f"};
    look_at_all(&s, (const uint8_t*)text, sizeof text - 1, 1);
}

typedef sup_result (*glb_reader)(const sup_allocator* allocator, const uint8_t* data, size_t size,
                                 sup_error* error);

static sup_result parse_glb(void* state, const uint8_t* data, size_t size, sup_error* error) {
    return (*(glb_reader*)state)(sup_allocator_default(), data, size, error);
}

static void gltf(void** state) {
    (void)state;
    bytes glb = square_glb(), alone = square_gltf("data:a/b;base64,");
    glb_reader readers[] = {read_mesh, read_clip};
    for (int i = 0; i < 2; i++) {
        subject s = {.read = parse_glb, .state = &readers[i], .name = "f"};
        look_at_all(&s, glb.data, glb.size, 1);
    }
    /* without its buffer it is refused, and that with every damage too */
    subject s = {.read = parse_glb, .state = &readers[0], .name = "f"};
    for (size_t at = 0; at < alone.size; at++) {
        alone.data[at] ^= 0x15;
        look(&s, alone.data, alone.size);
        alone.data[at] ^= 0x15;
    }
    assert_int_equal(s.refused, alone.size);
}

static sup_result parse_pc2(void* state, const uint8_t* data, size_t size, sup_error* error) {
    (void)state;
    sup_clip clip;
    sup_result result = sup_pc2_parse(NULL, "dir/f", data, size, 60, &clip, error);
    if (result == SUP_OK) sup_clip_free(&clip);
    return result;
}

static void pc2(void** state) {
    (void)state;
    bytes file = {0};
    put(&file, "POINTCACHE2", 12);
    put_u32(&file, 1);
    put_u32(&file, 2);
    put_floats(&file, (const float[]){0, 1}, 2);
    put_u32(&file, 2);
    put_floats(&file, square, 12);
    subject s = {.read = parse_pc2, .name = "dir/f"};
    look_at_all(&s, file.data, file.size, 1);
    sup_error error;
    for (int i = 0; i < 4; i++) { /* a number that is none */
        memcpy(file.data + 32 + 12 * i, "\0\0\xc0\x7f", 4);
        assert_int_equal(parse_pc2(NULL, file.data, file.size, &error), SUP_BAD_FILE);
        assert_true(is_whole(error.text, "dir/f"));
    }
}

/* ---- scenes ---- */

static sup_result parse_scene(void* state, const uint8_t* data, size_t size, sup_error* error) {
    const fixture* f = state;
    sup_scene* scene;
    sup_result result = sup_scene_parse(&f->options, "dir/s.json", data, size, &scene, error);
    if (result == SUP_OK) sup_scene_free(scene);
    return result;
}

static void scenes(void** state) {
    (void)state;
    static const char text[] =
        "{\"version\": 1, \"fps\": 50, \"gravity\": [0, -9, 0], \"sleep\": {\"time\": 1},\n"
        " \"materials\": {\"soft\": {\"scheme\": \"S\", \"stiffness\": 9}},\n"
        " \"bodies\": [{\"name\": \"a\", \"shape\": {\"box\": {\"size\": [1, 1, 1]}}, \"colour\": "
        "\"#ff0000\",\n"
        "   \"material\": \"soft\", \"pins\": [{\"box\": {\"low\": [-1, -1, -1], \"high\": [1, 1, "
        "1]},\n"
        "     \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": 1, \"offset\": [0, 1, 0]}]}}],\n"
        "   \"copies\": {\"grid\": {\"count\": [2, 1, 1], \"step\": [3, 0, 0]}}},\n"
        "  {\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"tetra.obj\"}}, \"position\": [0, "
        "9, 0]}],\n"
        " \"colliders\": [{\"shape\": \"plane\", \"name\": \"floor\", \"position\": [0, -9, 0]},\n"
        "  {\"shape\": {\"mesh\": {\"file\": \"open.obj\", \"animation\": {\"file\": "
        "\"open.pc2\"}}}}],\n"
        " \"attachments\": [{\"body\": \"b\", \"index\": [0], \"to\": {\"collider\": "
        "\"floor\"}}],\n"
        " \"camera\": {\"from\": [1, 2, 3], \"look_at\": [0, 0, 0]}}\n";
    fixture f;
    begin(&f);
    subject s = {.read = parse_scene, .state = &f, .name = "dir/s.json"};
    look_at_all(&s, (const uint8_t*)text, sizeof text - 1, 1);
    /* what is wrong with a file that the scene names has two places */
    static const char* const files[] = {"bad.obj", "tetra.png", "missing.stl", "open.pc2"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char scene[256];
        int size = snprintf(scene, sizeof scene,
                            "{\"version\": 1, \"bodies\": [{\"shape\": {\"mesh\": {\"file\": "
                            "\"%s\"}}}]}",
                            files[i]);
        sup_error error = {0};
        assert_int_not_equal(parse_scene(&f, (uint8_t*)scene, (size_t)size, &error), SUP_OK);
        const char* inner = after_line_and_column(error.text, "dir/s.json");
        assert_non_null(inner);
        assert_non_null(strstr(inner, files[i]));
    }
    end(&f);
}

/* ---- snapshots and tapes ---- */

static void sign(uint8_t* data, size_t size) {
    uint64_t sum = supi_hash_bytes(supi_hash_begin(), data, size - 8);
    for (int i = 0; i < 8; i++) data[size - 8 + (size_t)i] = (uint8_t)(sum >> (8 * i));
}

static sup_result restore(void* state, const uint8_t* data, size_t size, sup_error* error) {
    return sup_world_restore(state, data, size, error);
}

/* With a checksum that fits, so that damage gets as far as the fields. */
static sup_result restore_signed(void* state, const uint8_t* data, size_t size, sup_error* error) {
    uint8_t* copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    if (size >= 28) {
        for (int i = 0; i < 8; i++) copy[12 + i] = (uint8_t)((uint64_t)size >> (8 * i));
        sign(copy, size);
    }
    sup_result result = sup_world_restore(state, copy, size, error);
    free(copy);
    return result;
}

static void snapshots(void** state) {
    (void)state;
    stage built = stage_make(NULL);
    stage_run(&built, 0, 20);
    sup_bytes saved;
    assert_int_equal(sup_world_save(built.world, &saved, NULL), SUP_OK);
    sup_world* world = make_world(NULL);
    subject s = {.read = restore, .state = world, .name = "snapshot"};
    look_at_all(&s, saved.data, saved.size, saved.size / 100);
    subject deep = {.read = restore_signed, .state = world, .name = "snapshot"};
    look_at_all(&deep, saved.data, saved.size, saved.size / (long_tests() ? 1500 : 150));
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(built.world);
}

/* Opens and reads everything of a tape. */
static sup_result read_tape(void* state, const uint8_t* data, size_t size, sup_error* error) {
    failing_disk* disk = state;
    sup_file_gate gate = failing_gate(disk);
    failing_place_bytes(disk, "dir/f", data, size);
    sup_tape* tape;
    sup_result result = sup_tape_open(NULL, &gate, "dir/f", &tape, error);
    if (result != SUP_OK) return result;
    result = sup_tape_check(tape, error);
    sup_vec3 points[3];
    sup_tape_info info = sup_tape_get_info(tape);
    for (int32_t i = 0; result == SUP_OK && i < info.frame_count && info.point_count <= 3; i++) {
        result = sup_tape_read_frame(tape, i, points, error);
    }
    sup_tape_close(tape);
    return result;
}

static void tapes(void** state) {
    (void)state;
    static const int32_t starts[] = {0, 3}, corners[] = {0, 1, 2};
    const sup_surface surface = {
        .name = "a", .point_count = 3, .polygon_count = 1, .starts = starts, .corners = corners};
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_world* world = make_world(NULL);
    sup_tape_def def = sup_tape_default();
    def.files = &gate;
    def.frame_count = 4;
    def.snapshot_every = 2;
    def.surface_count = 1;
    def.surfaces = &surface;
    sup_recorder* recorder;
    assert_int_equal(sup_recorder_open(&def, "a.sup", world, &recorder, NULL), SUP_OK);
    for (int i = 0; i < 4; i++) {
        sup_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, (float)i}};
        assert_int_equal(sup_recorder_frame(recorder, world, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_recorder_close(recorder, NULL), SUP_OK);
    const failing_file* file = failing_find(&disk, "a.sup");
    bytes tape = {0};
    put(&tape, file->bytes, file->size);
    subject s = {.read = read_tape, .state = &disk, .name = "dir/f"};
    look_at_all(&s, tape.data, tape.size, 1);
    sup_world_destroy(world);
    failing_wipe(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_judged),
        cmocka_unit_test(meshes),
        cmocka_unit_test(json),
        cmocka_unit_test(gltf),
        cmocka_unit_test(pc2),
        cmocka_unit_test(scenes),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(tapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
