/* PVD and VTU: text, arrays, names that change hands, refusals, every failure of memory and files.
 */
#include "small_animation.h"

/* --- a frame --- */

/* The raw bytes of an array of a .vtu; its length in bytes must be `size`. */
static const uint8_t* array_of(const failing_file* file, const char* text, const char* name,
                               uint64_t size) {
    char words[64];
    snprintf(words, sizeof words, " Name=\"%s\"", name);
    const char* tag = strstr(text, words);
    assert_non_null(tag);
    const char* offset = strstr(tag, "offset=\"");
    assert_non_null(offset);
    assert_true(offset < strchr(tag, '>'));
    const char* raw = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(raw);
    size_t at = (size_t)(raw - text) + strlen("<AppendedData encoding=\"raw\">\n_") +
                (size_t)strtoull(offset + strlen("offset=\""), NULL, 10);
    assert_true(at + 8 + size <= file->size);
    assert_int_equal(little_u32(file->bytes + at), size);
    assert_int_equal(little_u32(file->bytes + at + 4), 0);
    return file->bytes + at + 8;
}

static void check_vectors(const uint8_t* bytes, const sup_vec3* expected) {
    for (int i = 0; i < POINTS; i++, bytes += 12) {
        assert_true(little_float(bytes) == expected[i].x);
        assert_true(little_float(bytes + 4) == expected[i].y);
        assert_true(little_float(bytes + 8) == expected[i].z);
    }
}

static void check_cells(const failing_file* file, const char* text) {
    static const uint8_t types[POLYGONS] = {9, 5, 5, 5, 5, 5, 7};
    static const uint32_t surface_of[POLYGONS] = {0, 0, 0, 0, 0, 1, 2};
    static const uint32_t ends[POLYGONS] = {4, 7, 10, 13, 16, 19, 24};
    static const uint32_t corners[CORNERS] = {3, 2, 1, 0, 0, 1, 4, 1,  2,  4,  2, 3,
                                              4, 3, 0, 4, 5, 6, 7, 12, 11, 10, 9, 8};
    assert_memory_equal(array_of(file, text, "types", POLYGONS), types, POLYGONS);
    const uint8_t* numbers = array_of(file, text, "surface", 4 * POLYGONS);
    const uint8_t* offsets = array_of(file, text, "offsets", 4 * POLYGONS);
    const uint8_t* connectivity = array_of(file, text, "connectivity", 4 * CORNERS);
    for (int i = 0; i < POLYGONS; i++) {
        assert_int_equal(little_u32(numbers + 4 * i), surface_of[i]);
        assert_int_equal(little_u32(offsets + 4 * i), ends[i]);
    }
    for (int i = 0; i < CORNERS; i++) {
        assert_int_equal(little_u32(connectivity + 4 * i), corners[i]);
    }
}

static void test_frames(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(write_animation(sup_pvd_open, NULL, &gate, "dir/a.pvd", 3, NULL), SUP_OK);
    assert_int_equal(failing_file_count(&disk), 4);
    for (int frame = 0; frame < 3; frame++) {
        char name[32];
        snprintf(name, sizeof name, "dir/a-%06d.vtu", frame);
        const failing_file* file = failing_find(&disk, name);
        char* text = text_of(&disk, name);
        assert_non_null(strstr(text, "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                                     "byte_order=\"LittleEndian\" header_type=\"UInt64\">"));
        assert_non_null(strstr(text, "<Piece NumberOfPoints=\"13\" NumberOfCells=\"7\">"));
        sup_vec3 points[POINTS], moved[POINTS] = {0}, speed[POINTS] = {0};
        points_at(frame, points);
        for (int i = 0; i < POINTS; i++) {
            moved[i].y = points[i].y - rest[i].y;
            speed[i].y = frame == 0 ? 0.0f : (float)FPS;
        }
        check_vectors(array_of(file, text, "Points", 12 * POINTS), points);
        check_vectors(array_of(file, text, "displacement", 12 * POINTS), moved);
        const uint8_t* velocity = array_of(file, text, "velocity", 12 * POINTS);
        for (int i = 0; i < POINTS; i++) {
            assert_true(fabsf(little_float(velocity + 12 * i + 4) - speed[i].y) <= 1e-4f);
        }
        check_cells(file, text);
        static const char end[] = "\n</AppendedData>\n</VTKFile>\n";
        assert_memory_equal(file->bytes + file->size - strlen(end), end, strlen(end));
        free(text);
    }
    failing_wipe(&disk);
}

/* --- the list --- */

static void test_list(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(sup_pvd_open(NULL, &gate, "d&/\"<f\xC3\xBCnf>&'.pvd", SURFACES, surfaces, 24,
                                  &animation, NULL),
                     SUP_OK);
    assert_int_equal(write_frames(animation, 3, NULL), SUP_OK);
    char* text = text_of(&disk, "d&/\"<f\xC3\xBCnf>&'.pvd");
    const char* list = strstr(text, "<VTKFile");
    assert_non_null(list);
    assert_string_equal(
        list, "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
              "<Collection>\n"
              "<DataSet timestep=\"0\" part=\"0\" "
              "file=\"&quot;&lt;f\xC3\xBCnf>&amp;'-000000.vtu\"/>\n"
              "<DataSet timestep=\"0.041666666666666664\" part=\"0\" "
              "file=\"&quot;&lt;f\xC3\xBCnf>&amp;'-000001.vtu\"/>\n"
              "<DataSet timestep=\"0.08333333333333333\" part=\"0\" "
              "file=\"&quot;&lt;f\xC3\xBCnf>&amp;'-000002.vtu\"/>\n"
              "</Collection>\n"
              "</VTKFile>\n");
    free(text);
    failing_wipe(&disk);
}

/* The list keeps the letters of its name, over an old one too. */
static void test_capital_letters(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    failing_place(&disk, "A.PVD", "old");
    failing_place(&disk, "A.pvd", "other");
    char path[] = "A.PVD"; /* may be gone once the writer is open */
    sup_animation* animation = NULL;
    assert_int_equal(sup_pvd_open(NULL, &gate, path, SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    memset(path, 'x', sizeof path - 1);
    assert_int_equal(write_frames(animation, 2, NULL), SUP_OK);
    assert_int_equal(failing_file_count(&disk), 4);
    assert_true(failing_holds(&disk, "A.pvd", "other"));
    assert_false(failing_holds(&disk, "A.PVD", "old"));
    assert_non_null(failing_find(&disk, "A-000001.vtu"));
    failing_wipe(&disk);
}

/* --- refusals --- */

static void test_refusals(void** state) {
    (void)state;
    static const char* const bad_paths[] = {"",  "pvd",     ".pvd",      "a.pvd ",  "a.vtu",
                                            "a", "a\n.pvd", "a\x1b.pvd", "\xFF.pvd"};
    sup_error error;
    for (size_t i = 0; i < sizeof bad_paths / sizeof bad_paths[0]; i++) {
        assert_int_equal(open_with(sup_pvd_open, surfaces, SURFACES, FPS, bad_paths[i], &error),
                         SUP_BAD_ARGUMENT);
    }
    assert_non_null(strstr(error.text, "must be UTF-8"));
    assert_int_equal(open_with(sup_pvd_open, surfaces, SURFACES, FPS, NULL, NULL),
                     SUP_BAD_ARGUMENT);
    /* Folders do not stand in the list. */
    assert_int_equal(open_with(sup_pvd_open, surfaces, SURFACES, FPS, "\xFF/a.pvd", NULL), SUP_OK);
}

/* A refused frame has changed nothing, not even what the next velocities are measured from. */
static void test_bad_frames_are_refused(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    sup_error error;
    assert_int_equal(sup_pvd_open(NULL, &gate, "a.pvd", SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    check_bad_frame(animation, 0);
    sup_vec3 points[POINTS];
    points_at(0, points);
    points[3].x = 3e38f;
    assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    points[3].x = -3e38f;
    assert_int_equal(sup_animation_frame(animation, points, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text,
                        "frame 1: point 3 is too far from its place in the first frame");
    points[3].x = 2e38f;
    assert_int_equal(sup_animation_frame(animation, points, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text,
                        "frame 1: point 3 is too far from its place in the frame before");
    points_at(1, points);
    points[3].x = 3e38f;
    assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    assert_int_equal(failing_file_count(&disk), 3);
    char* text = text_of(&disk, "a-000001.vtu");
    const uint8_t* velocity =
        array_of(failing_find(&disk, "a-000001.vtu"), text, "velocity", 12 * POINTS);
    assert_true(little_float(velocity + 36) == 0.0f);
    assert_true(fabsf(little_float(velocity + 40) - (float)FPS) < 1e-4f);
    free(text);
    failing_wipe(&disk);
}

static void test_no_frames_no_files(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(write_animation(sup_pvd_open, NULL, &gate, "a.pvd", 0, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(failing_file_count(&disk), 0);
}

static void test_abort_leaves_no_trace(void** state) {
    (void)state;
    check_abort(sup_pvd_open, "a.pvd");
    check_abort(sup_pvd_open, "a.pvd");
}

static void test_memory_does_not_grow_with_frames(void** state) {
    (void)state;
    assert_int_equal(memory_after(sup_pvd_open, "a.pvd", 12),
                     memory_after(sup_pvd_open, "a.pvd", 1));
}

/* --- names --- */

/* Frames of a longer animation that was there before are no part of the new one, and stay. */
static void test_old_files_give_way(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    failing_place(&disk, "a.pvd", "old");
    failing_place(&disk, "a-000001.vtu", "old");
    failing_place(&disk, "a-000002.vtu", "old");
    assert_int_equal(write_animation(sup_pvd_open, NULL, &gate, "a.pvd", 2, NULL), SUP_OK);
    assert_int_equal(failing_file_count(&disk), 4);
    assert_false(failing_holds(&disk, "a.pvd", "old"));
    assert_false(failing_holds(&disk, "a-000001.vtu", "old"));
    assert_true(failing_holds(&disk, "a-000002.vtu", "old"));
    failing_wipe(&disk);
}

static sup_result write_three(const sup_allocator* allocator, const sup_file_gate* gate,
                              sup_error* error) {
    return write_animation(sup_pvd_open, allocator, gate, "a.pvd", 3, error);
}

/* Whichever call fails, the old animation is whole or the new one is. */
static void test_every_failure(void** state) {
    (void)state;
    failing_writer pvd = {.write = write_three,
                          .count = 4,
                          .names = {"a.pvd", "a-000000.vtu", "a-000001.vtu", "a-000002.vtu"}};
    failing_each_write(FAILING_CALL, &pvd);
    pvd.fresh = true;
    failing_each_write(FAILING_CALL, &pvd);
    failing_each_write(FAILING_MEMORY, &pvd);
}

/* A disk that dies while names change hands: no list stands beside frames that it does not mean. */
static void die(failing_stage* stage, const void* user) {
    (void)user;
    static const char* const frames[] = {"a-000000.vtu", "a-000001.vtu", "a-000002.vtu"};
    failing_disk* disk = &stage->disk;
    failing_place(disk, "a.pvd", "old");
    for (int i = 0; i < 3; i++) failing_place(disk, frames[i], "old");
    write_three(stage->allocator, &stage->gate, NULL);
    if (!failing_find(disk, "a.pvd")) return;
    bool old = failing_holds(disk, "a.pvd", "old");
    for (int i = 0; i < 3; i++) assert_int_equal(failing_holds(disk, frames[i], "old"), old);
}

static void test_no_list_of_mixed_frames(void** state) {
    (void)state;
    failing_each(FAILING_DISK, die, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_capital_letters),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_frames_are_refused),
        cmocka_unit_test(test_no_frames_no_files),
        cmocka_unit_test(test_abort_leaves_no_trace),
        cmocka_unit_test(test_memory_does_not_grow_with_frames),
        cmocka_unit_test(test_old_files_give_way),
        cmocka_unit_test(test_every_failure),
        cmocka_unit_test(test_no_list_of_mixed_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
