/* OBJ + PC2: the bytes, the refusals, and every failure of memory and files. */
#include "small_animation.h"

#include <math.h>

static void test_bytes(void** state) {
    (void)state;
    static const char* const paths[] = {"out.obj", "out.pc2"};
    for (int k = 0; k < 2; k++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        sup_error error = {0};
        assert_int_equal(
            write_animation(sup_pc2_open, sup_allocator_default(), &gate, paths[k], 3, &error),
            SUP_OK);
        assert_int_equal(failing_file_count(&disk), 2);

        const failing_file* cache = failing_find(&disk, "out.pc2");
        assert_int_equal(cache->size, 32 + 3 * POINTS * 12);
        assert_memory_equal(cache->bytes, "POINTCACHE2", 12);
        assert_int_equal(little_u32(cache->bytes + 12), 1);
        assert_int_equal(little_u32(cache->bytes + 16), POINTS);
        assert_true(little_float(cache->bytes + 20) == 0.0f);
        assert_true(little_float(cache->bytes + 24) == 1.0f);
        assert_int_equal(little_u32(cache->bytes + 28), 3);
        for (int frame = 0; frame < 3; frame++) {
            sup_vec3 points[POINTS];
            points_at(frame, points);
            for (int i = 0; i < POINTS; i++) {
                size_t offset = 32 + 12 * (size_t)(frame * POINTS + i);
                assert_true(little_float(cache->bytes + offset) == points[i].x);
                assert_true(little_float(cache->bytes + offset + 4) == points[i].y);
                assert_true(little_float(cache->bytes + offset + 8) == points[i].z);
            }
        }
        failing_wipe(&disk);
    }
}

static void test_obj_text(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(
        write_animation(sup_pc2_open, sup_allocator_default(), &gate, "out.obj", 2, NULL), SUP_OK);
    const failing_file* obj = failing_find(&disk, "out.obj");
    char text[1024] = {0};
    assert_true(obj->size < sizeof text);
    memcpy(text, obj->bytes, obj->size);
    int start = text[0] == '#' ? (int)(strchr(text, '\n') + 1 - text) : 0;

    /* Numbers are compared by value: there is more than one good way to write them. */
    const char* line = text + start;
    for (int i = 0; i < POINTS; i++) {
        float x, y, z;
        assert_int_equal(sscanf(line, "v %f %f %f\n", &x, &y, &z), 3);
        assert_true(x == rest[i].x && y == rest[i].y && z == rest[i].z);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "g red_pyramid__1\n"
                              "f 4 3 2 1\n"
                              "f 1 2 5\n"
                              "f 2 3 5\n"
                              "f 3 4 5\n"
                              "f 4 1 5\n"
                              "g flag\n"
                              "f 6 7 8\n"
                              "g 5_&_more\n"
                              "f 13 12 11 10 9\n");
    failing_wipe(&disk);
}

static void refused(const sup_surface* surface, const char* reason) {
    sup_error error = {0};
    assert_int_equal(open_with(sup_pc2_open, surface, 1, 30, "a.obj", &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, reason));
}

static void test_bad_surfaces_are_refused(void** state) {
    (void)state;
    sup_surface s = surfaces[0];
    assert_int_equal(open_with(sup_pc2_open, &s, 1, 30, "a.obj", NULL), SUP_OK);
    s = surfaces[0], s.name = NULL;
    refused(&s, "surface 0: it has no name");
    s = surfaces[0], s.name = "";
    refused(&s, "no name");
    s = surfaces[0], s.point_count = 0;
    refused(&s, "it has no points");
    s = surfaces[0], s.point_count = 4;
    refused(&s, "polygon 1 names point 4, but there are 4");
    s = surfaces[0], s.polygon_count = -1;
    refused(&s, "a negative number of polygons");
    s = surfaces[0], s.point_radius = -1e-9f;
    refused(&s, "radius of its points");
    s = surfaces[0], s.point_radius = INFINITY;
    refused(&s, "radius of its points");
    s = surfaces[0], s.starts = NULL;
    refused(&s, "NULL");
    s = surfaces[0], s.corners = NULL;
    refused(&s, "NULL");
    s = surfaces[0], s.colour[1] = 1.5f;
    refused(&s, "colour");
    s = surfaces[0], s.roughness = NAN;
    refused(&s, "roughness");

    int32_t corners[16];
    memcpy(corners, pyramid_corners, sizeof corners);
    corners[5] = -1;
    s = surfaces[0], s.corners = corners;
    refused(&s, "polygon 1 names point -1");
    int32_t starts[6];
    memcpy(starts, pyramid_starts, sizeof starts);
    starts[2] = 6;
    s = surfaces[0], s.starts = starts;
    refused(&s, "polygon 1 has fewer than 3 corners");
    starts[2] = INT32_MIN;
    refused(&s, "polygon 1 has fewer than 3 corners");
    starts[0] = 1;
    refused(&s, "starts[0]");
}

static void test_bad_arguments_are_refused(void** state) {
    (void)state;
    static const double bad_fps[] = {0, -1, NAN, INFINITY, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof bad_fps / sizeof bad_fps[0]; i++) {
        assert_int_equal(open_with(sup_pc2_open, surfaces, 2, bad_fps[i], "a.obj", NULL),
                         SUP_BAD_ARGUMENT);
    }
    static const char* const bad_paths[] = {"", "obj", ".obj", "a.obj ", "a.glb", "a"};
    for (size_t i = 0; i < sizeof bad_paths / sizeof bad_paths[0]; i++) {
        assert_int_equal(open_with(sup_pc2_open, surfaces, 2, 30, bad_paths[i], NULL),
                         SUP_BAD_ARGUMENT);
    }
    assert_int_equal(open_with(sup_pc2_open, surfaces, 0, 30, "a.obj", NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(open_with(sup_pc2_open, NULL, 1, 30, "a.obj", NULL), SUP_BAD_ARGUMENT);

    sup_surface huge[2] = {surfaces[0], surfaces[0]};
    huge[0].point_count = huge[1].point_count = INT32_MAX;
    assert_int_equal(open_with(sup_pc2_open, huge, 2, 30, "a.obj", NULL), SUP_BAD_ARGUMENT);

    const sup_allocator* allocator = sup_allocator_default();
    const sup_file_gate* gate = sup_file_gate_default();
    sup_animation* out = NULL;
    assert_int_equal(sup_pc2_open(allocator, gate, NULL, 2, surfaces, 30, &out, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_pc2_open(allocator, gate, "a.obj", 2, surfaces, 30, NULL, NULL),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_animation_frame(NULL, rest, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_animation_close(NULL, NULL), SUP_BAD_ARGUMENT);
    sup_animation_abort(NULL);
    assert_null(out);
}

/* A refused frame has changed nothing: the animation goes on as if it had not been there. */
static void test_bad_frames_are_refused(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(sup_pc2_open(NULL, &gate, "a.obj", SURFACES, surfaces, FPS, &animation, NULL),
                     SUP_OK);
    assert_int_equal(sup_animation_frame(animation, rest, NULL), SUP_OK);
    check_bad_frame(animation, 1);
    assert_int_equal(sup_animation_frame(animation, rest, NULL), SUP_OK);
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    const failing_file* cache = failing_find(&disk, "a.pc2");
    assert_int_equal(little_u32(cache->bytes + 28), 2);
    assert_int_equal(cache->size, 32 + 2 * POINTS * 12);
    failing_wipe(&disk);
}

static void test_no_frames_no_files(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error;
    assert_int_equal(
        write_animation(sup_pc2_open, sup_allocator_default(), &gate, "a.obj", 0, &error),
        SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "the animation has no frames");
    assert_int_equal(failing_file_count(&disk), 0);
}

static void test_abort_leaves_no_trace(void** state) {
    (void)state;
    check_abort(sup_pc2_open, "a.obj");
}

static void test_memory_does_not_grow_with_frames(void** state) {
    (void)state;
    assert_int_equal(memory_after(sup_pc2_open, "a.obj", 5000),
                     memory_after(sup_pc2_open, "a.obj", 1));
}

/* 1000 frames are more than two buffers, so that writes fail in `frame` as well as in `close`. */
static sup_result write_long(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    return write_animation(sup_pc2_open, allocator, gate, "a.pc2", 1000, error);
}

static void test_every_failure(void** state) {
    (void)state;
    failing_writer pair = {.write = write_long, .count = 2, .names = {"a.obj", "a.pc2"}};
    failing_each_write(FAILING_CALL, &pair);
    pair.fresh = true;
    failing_each_write(FAILING_MEMORY, &pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_obj_text),
        cmocka_unit_test(test_bad_surfaces_are_refused),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_bad_frames_are_refused),
        cmocka_unit_test(test_no_frames_no_files),
        cmocka_unit_test(test_abort_leaves_no_trace),
        cmocka_unit_test(test_memory_does_not_grow_with_frames),
        cmocka_unit_test(test_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
