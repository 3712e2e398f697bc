/* GLB: structure, kept frames, refusals and failures; and files for the validator (gate.glb looks
   at every .glb). */
#include "failing_files.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file_io.h"
#include "supple/files.h"

/* A pyramid with a square floor, a pentagon, and a lone triangle. */
static const int32_t pyramid_starts[] = {0, 4, 7, 10, 13, 16};
static const int32_t pyramid_corners[] = {3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
static const int32_t pentagon_starts[] = {0, 5};
static const int32_t pentagon_corners[] = {0, 1, 2, 3, 4};
static const int32_t triangle_starts[] = {0, 3};
static const int32_t triangle_corners[] = {2, 1, 0};

static const sup_surface surfaces[3] = {
    {"pyramid \"A\" \\ \n\x01",
     5,
     5,
     pyramid_starts,
     pyramid_corners,
     {0.8f, 0.1f, 0},
     0.5f,
     0,
     false},
    {"f\xC3\xBCnf \xFF\xED\xA0\x80",
     5,
     1,
     pentagon_starts,
     pentagon_corners,
     {0, 1, 0},
     1,
     0,
     false},
    {"flag", 3, 1, triangle_starts, triangle_corners, {0.1f, 0.2f, 0.3f}, 0, 0, false},
};
enum { POINTS = 13, INDICES = 3 * (6 + 3 + 1) };

static const sup_vec3 rest[POINTS] = {
    {0, 0, 0},    {1, 0, 0}, {1, 0, 1},       {0, 0, 1},       {0.5f, 1, 0.5f},
    {2, 0, 0},    {3, 0, 0}, {3.3f, 0.9f, 0}, {2.5f, 1.6f, 0}, {1.7f, 0.9f, 0},
    {0.1f, 2, 0}, {1, 2, 0}, {0, 3, 0},
};

/* Moves by sevenths, so that differences are no round numbers; the last surface stays where it is.
 */
static void points_at(int frame, sup_vec3 points[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        points[i] = rest[i];
        if (i >= 10) continue;
        points[i].y += 0.3f * sinf((float)frame / 7.0f);
        points[i].x += 0.01f * (float)(frame * i) / 7.0f;
    }
}

typedef struct run {
    int32_t surface_count, announced, given, kept;
} run;

/* Opens, writes the frames and closes; the first error ends it. */
static sup_result write_animation(const sup_allocator* allocator, const sup_file_gate* gate,
                                  const char* path, run what, sup_error* error) {
    sup_animation* animation = NULL;
    sup_result result = sup_glb_open(allocator, gate, path, what.surface_count, surfaces, 30,
                                     what.announced, what.kept, &animation, error);
    if (result != SUP_OK) return result;
    for (int frame = 0; frame < what.given; frame++) {
        sup_vec3 points[POINTS];
        points_at(frame, points);
        result = sup_animation_frame(animation, points, error);
        if (result != SUP_OK) {
            sup_animation_abort(animation);
            return result;
        }
    }
    return sup_animation_close(animation, error);
}

/* --- reading back --- */

typedef struct parsed {
    supi_bytes file;
    char* json;
    const uint8_t* binary;
    uint32_t binary_size;
} parsed;

static uint32_t u32_at(const uint8_t* b) {
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float float_at(const uint8_t* bytes) {
    uint32_t bits = u32_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Writes into the folder for the validator, reads back and checks the frame of the file. */
static parsed write_and_parse(const char* name, run what) {
    char path[1024];
    const char* folder = getenv("SUPPLE_TEST_OUTPUT");
    if (!folder) folder = "test_output";
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);

    parsed glb;
    const sup_file_gate* gate = sup_file_gate_default();
    test_allocator memory;
    const sup_allocator* allocator = test_allocator_init(&memory);
    assert_int_equal(write_animation(allocator, gate, path, what, NULL), SUP_OK);
    assert_int_equal(memory.blocks, 0);
    assert_int_equal(supi_file_read(gate, sup_allocator_default(), path, &glb.file, NULL), SUP_OK);

    const uint8_t* bytes = glb.file.data;
    assert_true(glb.file.size > 28 && glb.file.size % 4 == 0);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(u32_at(bytes + 4), 2);
    assert_int_equal(u32_at(bytes + 8), glb.file.size);
    uint32_t json_size = u32_at(bytes + 12);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_true(json_size % 4 == 0 && json_size < glb.file.size - 28);
    glb.binary_size = u32_at(bytes + 20 + json_size);
    assert_memory_equal(bytes + 24 + json_size, "BIN\0", 4);
    assert_int_equal(28 + json_size + glb.binary_size, glb.file.size);
    glb.binary = bytes + 28 + json_size;
    glb.json = malloc((size_t)json_size + 1);
    memcpy(glb.json, bytes + 20, json_size);
    glb.json[json_size] = 0;
    assert_non_null(strstr(glb.json, "\"generator\":\"Supple 0.1.0\""));
    return glb;
}

static void discard(parsed* glb) {
    free(glb->json);
    supi_bytes_free(sup_allocator_default(), &glb->file);
}

static int32_t points_of(int32_t surface_count) {
    int32_t count = 0;
    for (int32_t k = 0; k < surface_count; k++) count += surfaces[k].point_count;
    return count;
}

/* Positions, indices, times, weights and differences, with exactly these frames as keys. */
static void check_keys(const parsed* glb, int32_t surface_count, const int32_t* frames,
                       int32_t keys) {
    int32_t count = points_of(surface_count), indices = 0;
    for (int32_t k = 0; k < surface_count; k++) {
        indices +=
            3 * (surfaces[k].starts[surfaces[k].polygon_count] - 2 * surfaces[k].polygon_count);
    }
    const uint8_t* next = glb->binary + 12 * count + 4 * indices;
    int32_t moving = keys > 1 ? 4 * keys + 4 * keys * (keys - 1) + 12 * count * (keys - 1) : 0;
    assert_int_equal(glb->binary_size, 12 * count + 4 * indices + moving);
    for (int32_t i = 0; i < count; i++) assert_true(float_at(glb->binary + 12 * i) == rest[i].x);
    if (keys == 1) {
        assert_null(strstr(glb->json, "animations"));
        assert_null(strstr(glb->json, "targets"));
        return;
    }
    for (int32_t k = 0; k < keys; k++, next += 4) {
        assert_true(float_at(next) == (float)(frames[k] / 30.0));
    }
    for (int32_t k = 0; k < keys; k++) {
        for (int32_t t = 1; t < keys; t++, next += 4) {
            assert_true(float_at(next) == (k == t ? 1.0f : 0.0f));
        }
    }
    for (int32_t k = 1; k < keys; k++) {
        sup_vec3 points[POINTS];
        points_at(frames[k], points);
        for (int32_t i = 0; i < count; i++, next += 12) {
            assert_true(float_at(next) == points[i].x - rest[i].x);
            assert_true(float_at(next + 4) == points[i].y - rest[i].y);
            assert_true(float_at(next + 8) == points[i].z - rest[i].z);
        }
    }
}

static void test_one_surface(void** state) {
    (void)state;
    parsed glb = write_and_parse("one_surface.glb", (run){1, 5, 5, 120});
    check_keys(&glb, 1, (const int32_t[]){0, 1, 2, 3, 4}, 5);
    discard(&glb);
}

static void test_three_surfaces(void** state) {
    (void)state;
    parsed glb = write_and_parse("three_surfaces.glb", (run){3, 10, 10, 4});
    check_keys(&glb, 3, (const int32_t[]){0, 3, 6, 9}, 4);
    /* Escapes, UTF-8 as it is, and one replacement for every byte that is none. */
    assert_non_null(strstr(glb.json, "\"pyramid \\\"A\\\" \\\\ \\u000A\\u0001\""));
    assert_non_null(strstr(glb.json, "\"f\xC3\xBCnf \\uFFFD\\uFFFD\\uFFFD\\uFFFD\""));
    /* Fans, each surface counting its points from 0. */
    static const uint32_t expected[INDICES] = {3, 2, 1, 3, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4,
                                               3, 0, 4, 0, 1, 2, 0, 2, 3, 0, 3, 4, 2, 1, 0};
    for (int i = 0; i < INDICES; i++) {
        assert_int_equal(u32_at(glb.binary + 12 * POINTS + 4 * i), expected[i]);
    }
    /* Where the second and third surface begin, and the second one in the second target. */
    assert_non_null(strstr(glb.json, "\"bufferView\":1,\"byteOffset\":72,"));
    assert_non_null(strstr(glb.json, "\"bufferView\":1,\"byteOffset\":108,"));
    assert_non_null(strstr(glb.json, "\"bufferView\":0,\"byteOffset\":60,"));
    assert_non_null(strstr(glb.json, "\"bufferView\":0,\"byteOffset\":120,"));
    assert_non_null(strstr(glb.json, "\"bufferView\":4,\"byteOffset\":216,"));
    discard(&glb);
}

static void test_few_frames(void** state) {
    (void)state;
    parsed glb = write_and_parse("one_frame.glb", (run){3, 1, 1, 2});
    check_keys(&glb, 3, (const int32_t[]){0}, 1);
    discard(&glb);
    glb = write_and_parse("two_frames.glb", (run){3, 2, 2, 2});
    check_keys(&glb, 3, (const int32_t[]){0, 1}, 2);
    discard(&glb);
}

static void test_many_frames(void** state) {
    (void)state;
    int32_t frames[120];
    for (int k = 0; k < 120; k++) frames[k] = (int32_t)lround(k * 299.0 / 119.0);
    parsed glb = write_and_parse("many_frames.glb", (run){3, 300, 300, 120});
    check_keys(&glb, 3, frames, 120);
    discard(&glb);
}

/* Keys would be 0 33 66 99. The last frame given ends the animation, whether it was to be kept or
   not. */
static void test_early_close(void** state) {
    (void)state;
    parsed glb = write_and_parse("early_close.glb", (run){3, 100, 50, 4});
    check_keys(&glb, 3, (const int32_t[]){0, 33, 49}, 3);
    discard(&glb);
    glb = write_and_parse("early_close_on_key.glb", (run){3, 100, 34, 4});
    check_keys(&glb, 3, (const int32_t[]){0, 33}, 2);
    discard(&glb);
    glb = write_and_parse("early_close_at_once.glb", (run){3, 100, 1, 4});
    check_keys(&glb, 3, (const int32_t[]){0}, 1);
    discard(&glb);
    int32_t frames[120];
    for (int k = 0; k < 119; k++) frames[k] = (int32_t)lround(k * 299.0 / 119.0);
    frames[119] = 298;
    glb = write_and_parse("early_close_full.glb", (run){3, 300, 299, 120});
    check_keys(&glb, 3, frames, 120);
    discard(&glb);
}

/* --- refusals --- */

static sup_result open_with(run what, const char* path, double fps, const sup_surface* list,
                            sup_error* error) {
    failing_disk disk = {0};
    test_allocator memory;
    sup_file_gate gate = failing_gate(&disk);
    const sup_allocator* allocator = test_allocator_init(&memory);
    sup_animation* animation = NULL;
    sup_result result = sup_glb_open(allocator, &gate, path, what.surface_count, list, fps,
                                     what.announced, what.kept, &animation, error);
    if (result == SUP_OK) sup_animation_abort(animation);
    assert_int_equal(memory.blocks, 0);
    assert_int_equal(failing_file_count(&disk), 0);
    return result;
}

static void test_bad_arguments_are_refused(void** state) {
    (void)state;
    assert_int_equal(open_with((run){3, 9, 0, 2}, "a.glb", 30, surfaces, NULL), SUP_OK);
    assert_int_equal(open_with((run){3, 9, 0, 1}, "a.glb", 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 121}, "a.glb", 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 0, 0, 2}, "a.glb", 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, INT32_MAX, 0, 2}, "a.glb", 30, surfaces, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){0, 9, 0, 2}, "a.glb", 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 2}, "a.glb", 30, NULL, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 2}, "a.glb", 0, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 2}, "a.glb", NAN, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 2}, "", 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with((run){3, 9, 0, 2}, NULL, 30, surfaces, NULL), SUP_BAD_ARGUMENT);
    sup_animation* out = NULL;
    assert_int_equal(sup_glb_open(NULL, NULL, NULL, 3, surfaces, 30, 9, 2, &out, NULL),
                     SUP_BAD_ARGUMENT);
}

static void test_too_large_is_refused_beforehand(void** state) {
    (void)state;
    sup_surface large = surfaces[0];
    sup_error error;
    large.point_count = 2900000;
    assert_int_equal(open_with((run){1, 1000, 0, 120}, "a.glb", 30, &large, NULL), SUP_OK);
    large.point_count = 3000000;
    assert_int_equal(open_with((run){1, 1000, 0, 120}, "a.glb", 30, &large, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "a.glb: the file would be larger than 4 GiB"));
    assert_int_equal(open_with((run){1, 100, 0, 120}, "a.glb", 30, &large, NULL), SUP_OK);
}

/* A refused frame has changed nothing, not even the last frame that an early close would use. */
static void test_bad_frames_are_refused(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    sup_error error;
    sup_vec3 points[POINTS];
    assert_int_equal(sup_glb_open(sup_allocator_default(), &gate, "a.glb", 3, surfaces, 30, 9, 2,
                                  &animation, NULL),
                     SUP_OK);
    points_at(0, points);
    points[12].x = 3e38f;
    assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    points_at(1, points);
    points[12].x = 3e38f;
    assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    points_at(2, points);
    points[12].x = -3e38f;
    assert_int_equal(sup_animation_frame(animation, points, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text,
                        "frame 2: point 12 is too far from its place in the first frame");
    points[12].x = NAN;
    assert_int_equal(sup_animation_frame(animation, points, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "frame 2, surface 2 (flag): point 2 is not finite");
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);

    const failing_file* file = failing_find(&disk, "a.glb");
    points_at(1, points);
    const uint8_t* differences = file->bytes + file->size - 12 * POINTS;
    for (int i = 0; i < 12; i++) {
        assert_true(float_at(differences + 12 * i + 4) == points[i].y - rest[i].y);
    }
    failing_wipe(&disk);
}

static void test_frame_counts(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error;
    assert_int_equal(
        write_animation(sup_allocator_default(), &gate, "a.glb", (run){3, 2, 3, 2}, &error),
        SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "frame 2: only 2 frames were announced");
    assert_int_equal(
        write_animation(sup_allocator_default(), &gate, "a.glb", (run){3, 2, 0, 2}, &error),
        SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "the animation has no frames");
    assert_int_equal(failing_file_count(&disk), 0);
}

/* --- failures --- */

/* JSON and binary of more than one buffer each. */
static sup_result write_long(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    return write_animation(allocator, gate, "a.glb", (run){3, 120, 120, 120}, error);
}

/* It ends before all frames are there. */
static sup_result write_short(const sup_allocator* allocator, const sup_file_gate* gate,
                              sup_error* error) {
    return write_animation(allocator, gate, "a.glb", (run){3, 20, 15, 5}, error);
}

static void test_every_failure(void** state) {
    (void)state;
    failing_writer glb = {.write = write_long, .count = 1, .names = {"a.glb"}};
    failing_each_write(FAILING_CALL, &glb);
    failing_each_write(FAILING_DISK, &glb);
    glb.write = write_short;
    glb.fresh = true;
    failing_each_write(FAILING_MEMORY, &glb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_surface),
        cmocka_unit_test(test_three_surfaces),
        cmocka_unit_test(test_few_frames),
        cmocka_unit_test(test_many_frames),
        cmocka_unit_test(test_early_close),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_too_large_is_refused_beforehand),
        cmocka_unit_test(test_bad_frames_are_refused),
        cmocka_unit_test(test_frame_counts),
        cmocka_unit_test(test_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
