/* Clips: PC2 read back, refused and broken in every way, and sampled. */
#include "failing_files.h"
#include "sweeps.h"

#include <math.h>
#include <stdio.h>

#include "supple/files.h"
#include "supple/mesh.h"

enum { POINTS = 4, FRAMES = 3, FILE_SIZE = 32 + FRAMES * POINTS * 12 };

static const int32_t starts[] = {0, 3, 6};
static const int32_t corners[] = {0, 1, 2, 2, 1, 3};
static const sup_surface surface = {"sheet", POINTS, 2, starts, corners, {1, 1, 1}, 1, 0, false};

static void points_at(int frame, sup_vec3 points[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        points[i] = (sup_vec3){0.1f * (float)i, 0.3f * (float)(frame * i), -1.0f / 3};
    }
}

/* Writes sheet.obj and sheet.pc2 with the library's own writer. */
static void write_sheet(const sup_file_gate* gate) {
    sup_animation* animation = NULL;
    assert_int_equal(sup_pc2_open(NULL, gate, "sheet.pc2", 1, &surface, 24, &animation, NULL),
                     SUP_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        sup_vec3 points[POINTS];
        points_at(frame, points);
        assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
}

static void make_file(uint8_t bytes[FILE_SIZE]) {
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    write_sheet(&gate);
    const failing_file* file = failing_find(&disk, "sheet.pc2");
    assert_int_equal(file->size, FILE_SIZE);
    memcpy(bytes, file->bytes, FILE_SIZE);
    failing_wipe(&disk);
}

static void put_u32(uint8_t* bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_float(uint8_t* bytes, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

static sup_result read_clip(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                            sup_error* error) {
    sup_clip clip;
    sup_result result = sup_pc2_parse(allocator, "f", bytes, size, 24, &clip, error);
    if (result == SUP_OK) sup_clip_free(&clip);
    return result;
}

/* --- reading --- */

static void what_was_written_is_read(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    write_sheet(&gate);
    strcpy(failing_find(&disk, "sheet.pc2")->name, "SHEET.PC2");
    strcpy(failing_find(&disk, "sheet.obj")->name, "SHEET.OBJ");
    sup_mesh mesh;
    sup_clip clip;
    assert_int_equal(sup_mesh_load(NULL, &gate, "SHEET.OBJ", &mesh, NULL), SUP_OK);
    assert_int_equal(sup_clip_load(NULL, &gate, "SHEET.PC2", 24, &clip, NULL), SUP_OK);
    assert_int_equal(clip.frame_count, FRAMES);
    assert_int_equal(clip.point_count, POINTS);
    assert_int_equal(mesh.point_count, POINTS);
    for (int frame = 0; frame < FRAMES; frame++) {
        sup_vec3 points[POINTS];
        points_at(frame, points);
        assert_true(clip.times[frame] == frame / 24.0);
        assert_memory_equal(clip.points + frame * POINTS, points, sizeof points);
    }
    assert_memory_equal(clip.points, mesh.points, POINTS * sizeof(sup_vec3));
    sup_clip_free(&clip);
    sup_clip_free(&clip); /* nothing is left */
    sup_clip_free(NULL);
    sup_mesh_free(&mesh);
    failing_wipe(&disk);
}

static void times_follow_start_and_step(void** state) {
    (void)state;
    uint8_t bytes[FILE_SIZE];
    make_file(bytes);
    put_float(bytes + 20, -2.0f);
    put_float(bytes + 24, 0.5f);
    sup_clip clip;
    assert_int_equal(sup_pc2_parse(NULL, "f", bytes, sizeof bytes, 50, &clip, NULL), SUP_OK);
    assert_true(clip.times[0] == -0.04);
    assert_true(clip.times[1] == -0.03);
    assert_true(clip.times[2] == -0.02);
    sup_clip_free(&clip);
}

/* --- refusals --- */

static void refused(const uint8_t* bytes, size_t size, const char* message) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    assert_int_equal(sweep_read(&counter, read_clip, bytes, size, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, message);
}

static void refused_number(size_t at, uint32_t value, const char* message) {
    uint8_t bytes[FILE_SIZE];
    make_file(bytes);
    put_u32(bytes + at, value);
    refused(bytes, sizeof bytes, message);
}

static void refused_float(size_t at, float value, const char* message) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    refused_number(at, bits, message);
}

static void bad_files_are_refused(void** state) {
    (void)state;
    uint8_t longer[FILE_SIZE + 1] = {0};
    make_file(longer);
    refused(longer, 0, "f: byte 0: the file ends inside its header");
    refused(longer, 31, "f: byte 31: the file ends inside its header");
    refused(longer, sizeof longer,
            "f: byte 32: 3 samples of 4 points need 48 bytes each, but 145 follow");
    refused(longer, FILE_SIZE - 48,
            "f: byte 32: 3 samples of 4 points need 48 bytes each, but 96 follow");
    refused_number(0, 0, "f: byte 0: a PC2 file starts with \"POINTCACHE2\"");
    refused_number(12, 2, "f: byte 12: the version is not 1");
    refused_number(16, 0, "f: byte 16: the number of points must be within 1 .. 2147483647");
    refused_number(16, UINT32_MAX,
                   "f: byte 16: the number of points must be within 1 .. 2147483647");
    refused_number(16, INT32_MAX,
                   "f: byte 32: 3 samples of 2147483647 points need 25769803764 bytes each, but "
                   "144 follow");
    refused_float(20, NAN, "f: byte 20: the first frame is not finite");
    refused_float(24, 0, "f: byte 24: the distance of two samples must be finite and above 0");
    refused_float(24, INFINITY,
                  "f: byte 24: the distance of two samples must be finite and above 0");
    refused_number(28, 0, "f: byte 28: the number of samples must be within 1 .. 2147483647");
    uint8_t still[FILE_SIZE]; /* a start so far off that a step does not change it */
    make_file(still);
    put_float(still + 20, 1e30f);
    refused(still, sizeof still, "f: byte 20: the times of the samples do not grow");
    refused_float(32 + 48 + 16, INFINITY, "f: byte 92: point 1 of sample 1 is not finite");
}

static void bad_arguments_are_refused(void** state) {
    (void)state;
    uint8_t bytes[FILE_SIZE];
    make_file(bytes);
    static const double bad_fps[] = {0, -24, NAN, INFINITY};
    sup_clip clip;
    sup_error error;
    for (size_t i = 0; i < sizeof bad_fps / sizeof *bad_fps; i++) {
        assert_int_equal(sup_pc2_parse(NULL, "f", bytes, sizeof bytes, bad_fps[i], &clip, &error),
                         SUP_BAD_ARGUMENT);
        assert_string_equal(error.text, "f: frames per second must be finite and above 0");
    }
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(sup_clip_load(NULL, &gate, "a.obj", 24, &clip, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "a.obj: the name of a clip must end in .pc2, .glb or .gltf");
    assert_int_equal(sup_clip_load(NULL, &gate, "a.pc2", 24, &clip, &error), SUP_NOT_FOUND);
    assert_non_null(strstr(error.text, "a.pc2"));
}

/* --- failures --- */

static void every_damage_is_survived(void** state) {
    (void)state;
    uint8_t bytes[FILE_SIZE];
    make_file(bytes);
    assert_int_equal(sweep_prefixes(read_clip, bytes, sizeof bytes), 0);
    assert_true(sweep_damage(read_clip, bytes, sizeof bytes) > 12 * 19);
    assert_int_equal(sweep_memory(read_clip, bytes, sizeof bytes), 2);
}

static void every_file_failure_is_reported(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    write_sheet(&gate);
    bool failed = true;
    for (int n = 1; failed; n++) {
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        sup_clip clip;
        sup_error error;
        disk.plan = (failing_plan){.fail_at = n};
        sup_result result = sup_clip_load(allocator, &gate, "sheet.pc2", 24, &clip, &error);
        failed = disk.plan.failed;
        assert_int_equal(result, failed ? SUP_IO : SUP_OK);
        if (failed) assert_non_null(strstr(error.text, "sheet.pc2"));
        if (!failed) assert_true(n > 3);
        if (!failed) sup_clip_free(&clip);
        assert_int_equal(counter.blocks, 0);
    }
    failing_wipe(&disk);
}

/* --- sampling --- */

static void sample_is(const sup_clip* clip, double time, float x) {
    sup_vec3 points[2];
    sup_clip_sample(clip, time, points);
    assert_true(points[0].x == x);
    assert_true(points[1].x == -x);
}

static void samples_lie_between_frames(void** state) {
    (void)state;
    double times[] = {1, 2, 2, 4};
    sup_vec3 points[] = {{1, 0, 0}, {-1, 0, 0}, {2, 0, 0}, {-2, 0, 0},
                         {6, 0, 0}, {-6, 0, 0}, {8, 0, 0}, {-8, 0, 0}};
    sup_clip clip = {.frame_count = 4, .point_count = 2, .times = times, .points = points};
    sample_is(&clip, -INFINITY, 1);
    sample_is(&clip, 0.5, 1);
    sample_is(&clip, 1, 1);
    sample_is(&clip, 1.25, 1.25f);
    sample_is(&clip, nextafter(2, 0), 2);
    sample_is(&clip, 2, 6); /* after the jump */
    sample_is(&clip, 3.5, 7.5f);
    sample_is(&clip, 4, 8);
    sample_is(&clip, INFINITY, 8);
    sample_is(&clip, NAN, 1);
    clip.frame_count = 1;
    sample_is(&clip, 0, 1);
    sample_is(&clip, 9, 1);
}

/* Two floats far apart: their difference is beyond a float. */
static void samples_do_not_overflow(void** state) {
    (void)state;
    double times[] = {0, 1};
    sup_vec3 points[] = {{-3e38f, 0, 0}, {3e38f, 0, 0}};
    sup_clip clip = {.frame_count = 2, .point_count = 1, .times = times, .points = points};
    sup_vec3 point;
    sup_clip_sample(&clip, 0.5, &point);
    assert_true(point.x == 0);
    sup_clip_sample(&clip, 0.75, &point);
    assert_true(point.x == 1.5e38f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(times_follow_start_and_step),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_damage_is_survived),
        cmocka_unit_test(every_file_failure_is_reported),
        cmocka_unit_test(samples_lie_between_frames),
        cmocka_unit_test(samples_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
