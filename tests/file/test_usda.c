/* USDA: the text, the names of prims, refusals, and every failure of memory and files. */
#include "small_animation.h"

static char* written(int32_t count, const sup_surface* list, double fps, int frames) {
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    test_allocator memory;
    const sup_allocator* allocator = test_allocator_init(&memory);
    sup_animation* animation = NULL;
    assert_int_equal(sup_usda_open(allocator, &gate, "a.usda", count, list, fps, &animation, NULL),
                     SUP_OK);
    assert_int_equal(write_frames(animation, frames, NULL), SUP_OK);
    assert_int_equal(memory.blocks, 0);
    assert_int_equal(failing_file_count(&disk), 1);
    char* text = text_of(&disk, "a.usda");
    failing_wipe(&disk);
    return text;
}

static void test_still(void** state) {
    (void)state;
    char* text = written(1, surfaces, 24, 1);
    assert_string_equal(text, "#usda 1.0\n"
                              "(\n"
                              "    defaultPrim = \"Supple\"\n"
                              "    doc = \"Supple 0.1.0\"\n"
                              "    endTimeCode = 0\n"
                              "    framesPerSecond = 24\n"
                              "    metersPerUnit = 1\n"
                              "    startTimeCode = 0\n"
                              "    timeCodesPerSecond = 24\n"
                              "    upAxis = \"Y\"\n"
                              ")\n"
                              "\n"
                              "def Xform \"Supple\"\n"
                              "{\n"
                              "    def Mesh \"red_pyramid_1\"\n"
                              "    {\n"
                              "        uniform bool doubleSided = 1\n"
                              "        float3[] extent = [(0, 0, 0), (1, 1, 1)]\n"
                              "        int[] faceVertexCounts = [4, 3, 3, 3, 3]\n"
                              "        int[] faceVertexIndices = "
                              "[3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]\n"
                              "        uniform token orientation = \"rightHanded\"\n"
                              "        point3f[] points = "
                              "[(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1), (0.5, 1, 0.5)]\n"
                              "        color3f[] primvars:displayColor = [(1, 0, 0.25)] (\n"
                              "            interpolation = \"constant\"\n"
                              "        )\n"
                              "        uniform token subdivisionScheme = \"none\"\n"
                              "    }\n"
                              "}\n");
    free(text);
}

static void test_moving(void** state) {
    (void)state;
    char* text = written(SURFACES, surfaces, 29.97, 3);
    assert_non_null(strstr(text, "    endTimeCode = 2\n"
                                 "    framesPerSecond = 29.97\n"));
    assert_non_null(strstr(text, "    timeCodesPerSecond = 29.97\n"));
    const char* flag = strstr(text, "    def Mesh \"flag\"\n");
    assert_non_null(flag);
    assert_non_null(strstr(flag, "        float3[] extent.timeSamples = {\n"
                                 "            0: [(0, 2, 0), (1, 3, 0)],\n"
                                 "            1: [(0, 3, 0), (1, 4, 0)],\n"
                                 "            2: [(0, 4, 0), (1, 5, 0)],\n"
                                 "        }\n"));
    assert_non_null(strstr(flag, "        point3f[] points.timeSamples = {\n"
                                 "            0: [(0.1, 2, 0), (1, 2, 0), (0, 3, 0)],\n"
                                 "            1: [(0.1, 3, 0), (1, 3, 0), (0, 4, 0)],\n"
                                 "            2: [(0.1, 4, 0), (1, 4, 0), (0, 5, 0)],\n"
                                 "        }\n"));
    /* Each surface counts its points from 0; a name does not begin with a digit. */
    const char* more = strstr(flag, "    def Mesh \"__5_more\"\n");
    assert_non_null(more);
    assert_non_null(strstr(more, "        int[] faceVertexCounts = [5]\n"
                                 "        int[] faceVertexIndices = [4, 3, 2, 1, 0]\n"));
    assert_non_null(strstr(more, "(3.5, 1, -1e-9)"));
    free(text);
}

/* The names of the prims, one after the other. */
static void test_names(void** state) {
    (void)state;
    static const char* const pairs[][2] = {
        {"a", "a"},      {"a b", "a_b"}, {"a.b", "a_b__2"},  {"a__b", "a_b__3"},
        {"a", "a__4"},   {"1", "__1"},   {"_1", "_1"},       {"f\xC3\xBCnf", "f_nf"},
        {"\xFF", "_"},   {" ", "_"},     {"a__4", "a_4"},    {"a_4 ", "a_4_"},
        {"\"}\n)", "_"}, {"Z9", "Z9"},   {"a b", "a_b__14"},
    };
    enum { COUNT = sizeof pairs / sizeof pairs[0] };
    char expected[COUNT][16];
    sup_surface list[COUNT];
    for (int i = 0; i < COUNT; i++) {
        list[i] = surfaces[1];
        list[i].name = pairs[i][0];
        snprintf(expected[i], sizeof expected[i], "%s", pairs[i][1]);
    }
    /* "\xFF" and " " and "\"}\n)" are all one underscore. */
    strcpy(expected[9], "___9");
    strcpy(expected[12], "___12");
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    sup_vec3 points[3 * COUNT];
    for (int i = 0; i < 3 * COUNT; i++) points[i] = rest[5 + i % 3];
    assert_int_equal(sup_usda_open(NULL, &gate, "a.usda", COUNT, list, FPS, &animation, NULL),
                     SUP_OK);
    assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    char* text = text_of(&disk, "a.usda");
    const char* at = text;
    for (int i = 0; i < COUNT; i++) {
        at = strstr(at, "def Mesh \"");
        assert_non_null(at);
        at += strlen("def Mesh \"");
        char name[32] = {0};
        memcpy(name, at, strcspn(at, "\""));
        assert_string_equal(name, expected[i]);
        for (int k = 0; k < i; k++) assert_string_not_equal(name, expected[k]);
    }
    assert_null(strstr(at, "def Mesh"));
    free(text);
    failing_wipe(&disk);
}

static void test_refusals(void** state) {
    (void)state;
    assert_int_equal(open_with(sup_usda_open, surfaces, SURFACES, FPS, "a.usda", NULL), SUP_OK);
    assert_int_equal(open_with(sup_usda_open, surfaces, SURFACES, FPS, "", NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(sup_usda_open, surfaces, SURFACES, FPS, NULL, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(sup_usda_open, surfaces, 0, FPS, "a.usda", NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(sup_usda_open, surfaces, SURFACES, NAN, "a.usda", NULL),
                     SUP_BAD_ARGUMENT);
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(write_animation(sup_usda_open, NULL, &gate, "a.usda", 0, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(failing_file_count(&disk), 0);
}

static void test_bad_frames_are_refused(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(
        sup_usda_open(NULL, &gate, "a.usda", SURFACES, surfaces, FPS, &animation, NULL), SUP_OK);
    check_bad_frame(animation, 0);
    assert_int_equal(write_frames(animation, 2, NULL), SUP_OK);
    char *text = text_of(&disk, "a.usda"), *expected = written(SURFACES, surfaces, FPS, 2);
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    failing_wipe(&disk);
}

static void test_abort_leaves_no_trace(void** state) {
    (void)state;
    check_abort(sup_usda_open, "a.usda");
}

static void test_memory_does_not_grow_with_frames(void** state) {
    (void)state;
    assert_int_equal(memory_after(sup_usda_open, "a.usda", 3000),
                     memory_after(sup_usda_open, "a.usda", 1));
}

/* Points and text of more than one buffer. */
static sup_result write_long(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    enum { COUNT = 3000 };
    static const sup_vec3 points[COUNT];
    sup_surface many = surfaces[0];
    many.point_count = COUNT;
    sup_animation* animation = NULL;
    sup_result result = sup_usda_open(allocator, gate, "a.usda", 1, &many, FPS, &animation, error);
    for (int frame = 0; result == SUP_OK && frame < 3; frame++) {
        result = sup_animation_frame(animation, points, error);
    }
    if (result == SUP_OK) return sup_animation_close(animation, error);
    sup_animation_abort(animation);
    return result;
}

static sup_result write_short(const sup_allocator* allocator, const sup_file_gate* gate,
                              sup_error* error) {
    return write_animation(sup_usda_open, allocator, gate, "a.usda", 3, error);
}

static void test_every_failure(void** state) {
    (void)state;
    failing_writer usda = {.write = write_short, .count = 1, .names = {"a.usda"}};
    failing_each_write(FAILING_CALL, &usda);
    failing_each_write(FAILING_DISK, &usda);
    failing_each_write(FAILING_MEMORY, &usda);
    usda.write = write_long;
    usda.fresh = true;
    failing_each_write(FAILING_CALL, &usda);
}

/* The points have lost their last byte on the disk. */
static sup_result open_cut(void* user, const char* path, sup_file_mode mode, void** handle) {
    sup_result result = failing_open(user, path, mode, handle);
    if (result == SUP_OK && mode == SUP_FILE_READ) ((failing_file*)*handle)->size--;
    return result;
}

static void test_points_that_end_early(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    gate.open = open_cut;
    failing_place(&disk, "a.usda", "old");
    sup_error error;
    assert_int_equal(write_short(NULL, &gate, &error), SUP_IO);
    assert_int_equal(error.code, SUP_IO);
    assert_non_null(strstr(error.text, "cannot write a.usda: the system failed"));
    assert_true(failing_holds(&disk, "a.usda", "old"));
    assert_int_equal(failing_file_count(&disk), 1);
    failing_wipe(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_frames_are_refused),
        cmocka_unit_test(test_abort_leaves_no_trace),
        cmocka_unit_test(test_memory_does_not_grow_with_frames),
        cmocka_unit_test(test_every_failure),
        cmocka_unit_test(test_points_that_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
