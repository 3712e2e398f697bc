/* Reading OBJ: every form of a face, every refusal in its place. */
#include "sweeps.h"

#include "supple/files.h"
#include "supple/mesh.h"

static sup_result read_obj(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    sup_result result = sup_obj_parse(allocator, "f", bytes, size, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static sup_mesh parse(const char* text) {
    sup_mesh mesh;
    sup_error error = {0};
    sup_result result = sup_obj_parse(NULL, "f", (const uint8_t*)text, strlen(text), &mesh, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return mesh;
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static const char sample[] = "# a square in many ways \xE9 \\\n"
                             "mtllib a.mtl\r\n"
                             "o square\n"
                             "v 0 0 0 # first\n"
                             "  v\t1.5e0 0 -0 1.0\r\n"
                             "v 1 \\\n 1 \\\r\n0\n"
                             "\n"
                             "v 0 1 0 0.5 0.5 0.5\n"
                             "vt 0 0\nvn 0 0 1\nvp 1\n"
                             "usemtl grey\ns off\ng a b\n"
                             "f 1 2 3\n"
                             "f 1/1 2/1 3/1 4/1\n"
                             "f 1//1 2//1 3//-1\n"
                             "f 1/1/1 2/-1/1 3/1/1\n"
                             "f -4 -3 \\\n-2 -1 -4\n"
                             "l 1 2\np 1\n"
                             "f 1 2 5\n"
                             "v 7 8 9";

static void every_form_of_face_is_read(void** state) {
    (void)state;
    sup_mesh mesh = parse(sample);
    const int32_t starts[] = {0, 3, 7, 10, 13, 18, 21};
    const int32_t corners[] = {0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 0, 0, 1, 4};
    const sup_vec3 points[] = {{0, 0, 0}, {1.5f, 0, -0.0f}, {1, 1, 0}, {0, 1, 0}, {7, 8, 9}};
    assert_int_equal(mesh.point_count, 5);
    assert_int_equal(mesh.polygon_count, 6);
    assert_int_equal(mesh.corner_count, 21);
    assert_memory_equal(mesh.starts, starts, sizeof starts);
    assert_memory_equal(mesh.corners, corners, sizeof corners);
    assert_memory_equal(mesh.points, points, sizeof points);
    sup_mesh_free(&mesh);
}

static void corners_may_repeat(void** state) {
    (void)state;
    sup_mesh mesh = parse(SQUARE "f 1 1 2 1\n");
    assert_int_equal(mesh.corner_count, 4);
    sup_mesh_free(&mesh);
}

static void numbers_keep_their_last_bit(void** state) {
    (void)state;
    sup_mesh mesh = parse("v 0.1 16777217 3.4028234e38\nv 1e-45 -1e-999 1\nv +.5 1. 0\nf 1 2 3\n");
    assert_true(mesh.points[0].x == 0.1f);
    assert_true(mesh.points[0].y == 16777216.0f);
    assert_true(mesh.points[0].z == 3.4028234e38f);
    assert_true(mesh.points[1].x == 1e-45f);
    assert_true(mesh.points[1].y == 0);
    assert_true(mesh.points[2].x == 0.5f && mesh.points[2].y == 1);
    sup_mesh_free(&mesh);
}

#define KNOWN "; v, f and the others of OBJ are known"

static void faults_are_refused_in_their_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"", 1, 1, "f:1:1: the file is empty"},
        {"\xEF\xBB\xBFv 0 0 0\n", 1, 1, "f:1:1: the file starts with a byte-order mark"},
        {"# nothing\n\n", 3, 1, "f:3:1: the file ends without a vertex"},
        {"vn 0 0 1\n", 2, 1, "f:2:1: the file ends without a vertex"},
        {SQUARE "f 1 2 3\n  hello 1\n", 6, 3, "f:6:3: unknown statement \"hello\"" KNOWN},
        {SQUARE "call a.obj\n", 5, 1, "f:5:1: unknown statement \"call\"" KNOWN},
        {"\x89PNG\x01", 1, 1, "f:1:1: unknown statement \"?PNG?\"" KNOWN},
        {"v 0 0\n", 1, 1, "f:1:1: a vertex has 3, 4 or 6 numbers, but this one 2"},
        {"v 0 0 0\n v 1 2 3 4 5\n", 2, 2, "f:2:2: a vertex has 3, 4 or 6 numbers, but this one 5"},
        {"v 1 2 3 4 5 6 7\n", 1, 15, "f:1:15: a vertex has at most 6 numbers"},
        {"v 0 nan 0\n", 1, 5, "f:1:5: \"nan\" stands where a finite number should"},
        {"v 0 0 -inf\n", 1, 7, "f:1:7: \"-inf\" stands where a finite number should"},
        {"v 0 0 1,5\n", 1, 7, "f:1:7: \"1,5\" stands where a finite number should"},
        {"v 0 0 0x1\n", 1, 7, "f:1:7: \"0x1\" stands where a finite number should"},
        {"v 0 0\\\n 1e39 0\n", 2, 2, "f:2:2: 1e39 is beyond the range of a float"},
        {"v 0 0 0 1e999\n", 1, 9, "f:1:9: 1e999 is beyond the range of a float"},
        {SQUARE "f 1 2\n", 5, 1, "f:5:1: a face has 3 or more corners, but this one 2"},
        {SQUARE "f\n", 5, 1, "f:5:1: a face has 3 or more corners, but this one 0"},
        {SQUARE "f 1 2 5\n", 5, 7, "f:5:7: vertex index 5 is out of the range 1 to 4"},
        {SQUARE "f 1 0 3\n", 5, 5, "f:5:5: vertex index 0 is out of the range 1 to 4"},
        {SQUARE "f -1 -2 -5\nv 0 0 0\n", 5, 9,
         "f:5:9: vertex index -5 is out of the range -4 to -1"},
        {"f 1 2 3\n" SQUARE "f 1 2 99999999999\n", 6, 7,
         "f:6:7: vertex index 99999999999 is out of the range 1 to 4"},
        {"f 1 2 3\n", 1, 3, "f:1:3: vertex index 1, but there is no vertex in the file"},
        {"f -1 2 3\n" SQUARE, 1, 3, "f:1:3: vertex index -1, but there is no vertex before it"},
        {SQUARE "f -999999999999 1 1\n", 5, 3,
         "f:5:3: vertex index -999999999999 is out of the range -4 to -1"},
        {SQUARE "f 1/2/3/4 1 1\n", 5, 3,
         "f:5:3: \"1/2/3/4\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 2/ 3\n", 5, 5,
         "f:5:5: \"2/\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 2// 3\n", 5, 5,
         "f:5:5: \"2//\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 2/0/1 3\n", 5, 5,
         "f:5:5: \"2/0/1\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 /2 3\n", 5, 5,
         "f:5:5: \"/2\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 2.0 3\n", 5, 5,
         "f:5:5: \"2.0\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 99999999999999999999 3\n", 5, 5,
         "f:5:5: \"99999999999999999999\" is not a corner: v, v/t, v//n or v/t/n with indices from "
         "1"},
        {SQUARE "f 1 2 3\r4\n", 5, 7,
         "f:5:7: \"3?4\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
        {SQUARE "f 1 2 3 \\", 5, 9,
         "f:5:9: \"\\\" is not a corner: v, v/t, v//n or v/t/n with indices from 1"},
    };
    sweep_refusals(read_obj, refusals, sizeof refusals / sizeof *refusals);
}

static void a_refusal_leaves_the_mesh_alone(void** state) {
    (void)state;
    sup_mesh mesh, before;
    memset(&mesh, 0x5A, sizeof mesh);
    before = mesh;
    const char text[] = SQUARE "f 1 2 5\n";
    sup_result result =
        sup_obj_parse(NULL, "f", (const uint8_t*)text, sizeof text - 1, &mesh, NULL);
    assert_int_equal(result, SUP_BAD_FILE);
    assert_memory_equal(&mesh, &before, sizeof mesh);
}

static void damage_is_survived(void** state) {
    (void)state;
    const uint8_t* bytes = (const uint8_t*)sample;
    size_t size = sizeof sample - 1;
    assert_true(sweep_prefixes(read_obj, bytes, size) > 0);
    assert_true(sweep_damage(read_obj, bytes, size) > (int)size);
    assert_true(sweep_memory(read_obj, bytes, size) == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_face_is_read),
        cmocka_unit_test(corners_may_repeat),
        cmocka_unit_test(numbers_keep_their_last_bit),
        cmocka_unit_test(faults_are_refused_in_their_place),
        cmocka_unit_test(a_refusal_leaves_the_mesh_alone),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
