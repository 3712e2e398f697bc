/* OBJ + MDD: the bytes, the number of frames, the refusals, and every failure of memory and files.
   What it shares with OBJ + PC2 is tested there. */
#include "small_animation.h"

static sup_result open_three(const sup_allocator* allocator, const sup_file_gate* files,
                             const char* path, int32_t surface_count, const sup_surface* list,
                             double fps, sup_animation** out, sup_error* error) {
    return sup_mdd_open(allocator, files, path, surface_count, list, fps, 3, out, error);
}

static uint32_t big_u32(const uint8_t* b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static float big_float(const uint8_t* b) { return float_of(big_u32(b)); }

static void test_bytes(void** state) {
    (void)state;
    static const char* const paths[] = {"out.obj", "out.mdd"};
    for (int k = 0; k < 2; k++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        assert_int_equal(write_animation(open_three, NULL, &gate, paths[k], 3, NULL), SUP_OK);
        assert_int_equal(failing_file_count(&disk), 2);
        char* obj = text_of(&disk, "out.obj");
        assert_non_null(strstr(obj, ": the first frame of the .mdd of the same name\nv 0 0 0\n"));
        free(obj);

        const failing_file* cache = failing_find(&disk, "out.mdd");
        assert_int_equal(cache->size, 8 + 3 * 4 + 3 * POINTS * 12);
        assert_int_equal(big_u32(cache->bytes), 3);
        assert_int_equal(big_u32(cache->bytes + 4), POINTS);
        const uint8_t* next = cache->bytes + 8;
        for (int frame = 0; frame < 3; frame++, next += 4) {
            assert_true(big_float(next) == (float)(frame / FPS));
        }
        for (int frame = 0; frame < 3; frame++) {
            sup_vec3 points[POINTS];
            points_at(frame, points);
            for (int i = 0; i < POINTS; i++, next += 12) {
                assert_true(big_float(next) == points[i].x);
                assert_true(big_float(next + 4) == points[i].y);
                assert_true(big_float(next + 8) == points[i].z);
            }
        }
        failing_wipe(&disk);
    }
}

/* The file that is named keeps its letters; its partner has small ones. */
static void test_capital_letters(void** state) {
    (void)state;
    static const char* const names[][3] = {{"A.MDD", "A.obj", "A.MDD"},
                                           {"A.Obj", "A.Obj", "A.mdd"}};
    for (int k = 0; k < 2; k++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        assert_int_equal(write_animation(open_three, NULL, &gate, names[k][0], 3, NULL), SUP_OK);
        assert_int_equal(failing_file_count(&disk), 2);
        assert_non_null(failing_find(&disk, names[k][1]));
        assert_non_null(failing_find(&disk, names[k][2]));
        failing_wipe(&disk);
    }
}

/* The times stand before the frames, so that their number cannot change any more. */
static void test_number_of_frames(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error;
    assert_int_equal(write_animation(open_three, NULL, &gate, "a.mdd", 2, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "a.mdd: 3 frames were announced, but there are only 2");
    assert_int_equal(write_animation(open_three, NULL, &gate, "a.mdd", 4, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "frame 3: only 3 frames were announced");
    assert_int_equal(write_animation(open_three, NULL, &gate, "a.mdd", 0, &error),
                     SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "the animation has no frames");
    assert_int_equal(failing_file_count(&disk), 0);

    static const int32_t bad[] = {0, -1, INT32_MIN, INT32_MAX, (1 << 22) + 1};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sup_animation* out = NULL;
        sup_result result =
            sup_mdd_open(NULL, &gate, "a.mdd", SURFACES, surfaces, FPS, bad[i], &out, &error);
        assert_int_equal(result, SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "a.mdd: the number of frames must be within 1 .. "));
        assert_null(out);
    }
}

static void test_refusals(void** state) {
    (void)state;
    static const char* const bad_paths[] = {"", "mdd", ".mdd", "a.mdd ", "a.pc2", "a"};
    sup_error error;
    for (size_t i = 0; i < sizeof bad_paths / sizeof bad_paths[0]; i++) {
        assert_int_equal(open_with(open_three, surfaces, SURFACES, FPS, bad_paths[i], &error),
                         SUP_BAD_ARGUMENT);
    }
    assert_string_equal(error.text, "a: the name of the file must end in .obj or .mdd");
    assert_int_equal(open_with(open_three, surfaces, SURFACES, FPS, NULL, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(open_three, surfaces, SURFACES, 0, "a.mdd", NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(open_three, surfaces, SURFACES, FPS, "a.mdd", NULL), SUP_OK);
}

static void test_bad_frames_are_refused(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(open_three(NULL, &gate, "a.mdd", SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    check_bad_frame(animation, 0);
    assert_int_equal(write_frames(animation, 3, NULL), SUP_OK);
    assert_int_equal(failing_find(&disk, "a.mdd")->size, 8 + 3 * 4 + 3 * POINTS * 12);
    failing_wipe(&disk);
}

static void test_abort_leaves_no_trace(void** state) {
    (void)state;
    check_abort(open_three, "a.mdd");
}

/* More than two buffers, so that writes fail in `frame` as well as in `close`. */
enum { LONG = 1000 };

static sup_result write_long(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    sup_animation* animation = NULL;
    sup_result result =
        sup_mdd_open(allocator, gate, "a.mdd", SURFACES, surfaces, FPS, LONG, &animation, error);
    return result == SUP_OK ? write_frames(animation, LONG, error) : result;
}

static void test_every_failure(void** state) {
    (void)state;
    failing_writer pair = {.write = write_long, .count = 2, .names = {"a.obj", "a.mdd"}};
    failing_each_write(FAILING_CALL, &pair);
    pair.fresh = true;
    failing_each_write(FAILING_MEMORY, &pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_capital_letters),
        cmocka_unit_test(test_number_of_frames),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_frames_are_refused),
        cmocka_unit_test(test_abort_leaves_no_trace),
        cmocka_unit_test(test_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
