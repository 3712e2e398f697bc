/* STL: both forms, joined corners, refusals in their places, damage and bounds. */
#include "sweeps.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "supple/files.h"
#include "supple/mesh.h"

/* A tetrahedron: its corners join to four points. */
#define FACET(a, b, c)                                                                             \
    "  facet normal 0 0 1\n    outer loop\n      vertex " a "\n      vertex " b                    \
    "\n      vertex " c "\n    endloop\n  endfacet\n"
#define O "0 0 0"
#define X "1 0 0"
#define Y "0 1 0"
#define Z "0 0 1"
#define TETRAHEDRON FACET(O, Y, X) FACET(O, X, Z) FACET(O, Z, Y) FACET(X, Y, Z)
#define TEXT "solid a tetrahedron\n" TETRAHEDRON "endsolid a tetrahedron\n"

static sup_result read_stl(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    sup_result result = sup_stl_parse(allocator, "f", bytes, size, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static sup_mesh parse(const void* bytes, size_t size) {
    sup_mesh mesh = {0};
    sup_error error = {0};
    sup_result result = sup_stl_parse(NULL, "f", bytes, size, &mesh, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return mesh;
}

static sup_mesh parse_text(const char* text) { return parse(text, strlen(text)); }

/* ---- binary files ---- */

typedef struct binary {
    size_t size;
    uint8_t data[84 + 50 * 64];
} binary;

static void put_u32(uint8_t* at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void put_float(uint8_t* at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(at, bits);
}

static binary begin_binary(const char* title) {
    binary file = {.size = 84};
    memcpy(file.data, title, strlen(title));
    return file;
}

/* Corners by their numbers in `places`. */
static void add_facet(binary* file, const float (*places)[3], int a, int b, int c) {
    const int corners[3] = {a, b, c};
    uint8_t* at = file->data + file->size;
    put_float(at, NAN); /* the normal and the attribute do not matter */
    for (int i = 0; i < 9; i++) put_float(at + 12 + 4 * i, places[corners[i / 3]][i % 3]);
    at[48] = 0xAB;
    file->size += 50;
    put_u32(file->data + 80, (uint32_t)((file->size - 84) / 50));
}

static const float simplex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static binary tetrahedron(const char* title) {
    binary file = begin_binary(title);
    add_facet(&file, simplex, 0, 2, 1);
    add_facet(&file, simplex, 0, 1, 3);
    add_facet(&file, simplex, 0, 3, 2);
    add_facet(&file, simplex, 1, 2, 3);
    return file;
}

/* ---- what is read ---- */

/* Points come in the order in which they are first met: O, Y, X, Z. */
static void check_tetrahedron(sup_mesh* mesh) {
    static const sup_vec3 points[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    static const int32_t corners[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3};
    assert_int_equal(mesh->point_count, 4);
    assert_int_equal(mesh->polygon_count, 4);
    assert_int_equal(mesh->corner_count, 12);
    assert_memory_equal(mesh->points, points, sizeof points);
    assert_memory_equal(mesh->corners, corners, sizeof corners);
    for (int i = 0; i <= 4; i++) assert_int_equal(mesh->starts[i], 3 * i);
    assert_int_equal(mesh->ignored, 0);
    assert_null(sup_mesh_note(mesh));
    sup_mesh_free(mesh);
}

static void both_forms_are_read(void** state) {
    (void)state;
    sup_mesh mesh = parse_text(TEXT);
    check_tetrahedron(&mesh);
    static const char* const titles[] = {"made by hand", "solid it is not", "solid"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        binary file = tetrahedron(titles[i]);
        mesh = parse(file.data, file.size);
        check_tetrahedron(&mesh);
    }
}

static void text_may_look_in_many_ways(void** state) {
    (void)state;
    static const char* const texts[] = {
        "solid\n" TETRAHEDRON "endsolid",
        " \n\tSOLID  with a name of facet endsolid\r\n" TETRAHEDRON "EndSolid x\r\n \n",
        "solid a\n" FACET(O, Y, X) FACET(O, X, Z) "endsolid a\nsolid b\n" FACET(O, Z, Y)
            FACET(X, Y, Z) "endsolid b\n",
        "solid a\nendsolid a\nsolid b\n" TETRAHEDRON "endsolid",
        "solid\nFACET NORMAL nan -nan(ind) inf OUTER LOOP VERTEX 0 0. -0 vertex +0 1e0 0\n"
        "vertex 1.0E+00 0e9 .0 endloop EndFacet\n" FACET(O, X, Z) FACET(O, Z, Y)
            FACET(X, Y, Z) "endsolid",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sup_mesh mesh = parse_text(texts[i]);
        check_tetrahedron(&mesh);
    }
}

/* Neighbours in the last bit stay apart, both zeros are one, and their sign is gone. */
static void only_equal_places_join(void** state) {
    (void)state;
    float places[5][3] = {{0, 0, 0}, {-0.0f, 1, 0}, {1, -0.0f, 0}, {0, -0.0f, -0.0f}, {0, 1, 0}};
    places[4][1] = nextafterf(1, 2);
    binary file = begin_binary("");
    add_facet(&file, (const float(*)[3])places, 0, 1, 2);
    add_facet(&file, (const float(*)[3])places, 3, 4, 2);
    sup_mesh mesh = parse(file.data, file.size);
    assert_int_equal(mesh.point_count, 4);
    static const int32_t corners[6] = {0, 1, 2, 0, 3, 2};
    assert_memory_equal(mesh.corners, corners, sizeof corners);
    for (int32_t i = 0; i < 4; i++) {
        assert_false(signbit(mesh.points[i].x) || signbit(mesh.points[i].y) ||
                     signbit(mesh.points[i].z));
    }
    assert_true(mesh.points[3].y == nextafterf(1, 2));
    sup_mesh_free(&mesh);
}

/* A triangle that loses a corner goes, and so do the points that only it has. */
static void flat_triangles_are_left_out(void** state) {
    (void)state;
    sup_mesh mesh = parse_text("solid\n" FACET(Z, Z, "9 9 9") FACET(O, X, Y) FACET(X, "8 8 8", X)
                                   FACET("7 7 7", "6 6 6", "6 6 6")
                                       FACET("5 5 5", "5 5 5", "5 5 5") "endsolid");
    assert_int_equal(mesh.point_count, 3);
    assert_int_equal(mesh.polygon_count, 1);
    assert_true(mesh.points[1].x == 1 && mesh.points[2].y == 1);
    sup_mesh_free(&mesh);
}

/* ---- refusals ---- */

#define START "solid a\n  facet normal 0 0 1\n"

static void faults_of_text_are_refused_in_their_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {"", 1, 1, "f:1:1: the file is empty"},
        {"\xEF\xBB\xBF" TEXT, 1, 1, "f:1:1: the file starts with a byte-order mark"},
        {"solid", 1, 6, "f:1:6: the end of the file stands where \"facet\" or \"endsolid\" should"},
        {"solid a\nendsolid a\n", 1, 1, "f:1:1: a mesh needs a triangle, but the file has none"},
        {"solid a\n" FACET(O, O, X) "endsolid\n", 1, 1,
         "f:1:1: a mesh needs a triangle, but all have two corners at one place"},
        {"solid a\n" FACET(O, X, Y), 9, 1,
         "f:9:1: the end of the file stands where \"facet\" or \"endsolid\" should"},
        {"solid a\n  face normal", 2, 3,
         "f:2:3: \"face\" stands where \"facet\" or \"endsolid\" should"},
        {"solid a\n facet\n  norm 0 0 1", 3, 3, "f:3:3: \"norm\" stands where \"normal\" should"},
        {"solid a\n facet normal 0 0", 2, 18,
         "f:2:18: the end of the file stands where a number of the normal should"},
        {"solid a\n facet normal 0 0 outer loop\n", 2, 25,
         "f:2:25: \"loop\" stands where \"outer\" should"},
        {START "outer\nvertex", 4, 1, "f:4:1: \"vertex\" stands where \"loop\" should"},
        {START "outer loop\nvertices", 4, 1, "f:4:1: \"vertices\" stands where \"vertex\" should"},
        {START "outer loop\nvertex 0 0\n", 5, 1,
         "f:5:1: the end of the file stands where a coordinate should"},
        {START "outer loop\nvertex 0 0\nvertex", 5, 1,
         "f:5:1: \"vertex\" stands where a finite number should"},
        {START "outer loop\nvertex 0 nan 0", 4, 10,
         "f:4:10: \"nan\" stands where a finite number should"},
        {START "outer loop\nvertex 0 -inf 0", 4, 10,
         "f:4:10: \"-inf\" stands where a finite number should"},
        {START "outer loop\nvertex 0 0 1e39", 4, 12, "f:4:12: 1e39 is beyond the range of a float"},
        {START "outer loop\nvertex 0 0 0,5", 4, 12,
         "f:4:12: \"0,5\" stands where a finite number should"},
        {START "outer loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0", 7, 1,
         "f:7:1: \"vertex\" stands where \"endloop\" should"},
        {START "outer loop\nvertex 0 0 0\nvertex 0 0 0\nendloop", 6, 1,
         "f:6:1: \"endloop\" stands where \"vertex\" should"},
        {START "outer loop vertex 0 0 0 vertex 0 0 0 vertex 0 0 0 endloop endsolid", 3, 59,
         "f:3:59: \"endsolid\" stands where \"endfacet\" should"},
        {TEXT "  facet", 31, 3, "f:31:3: \"facet\" stands where \"solid\" should"},
        {"hello", 0, 0,
         "f: byte 5: the file ends inside its header of 84 bytes; text would begin with "
         "\"solid\""},
    };
    sweep_refusals(read_stl, refusals, sizeof refusals / sizeof *refusals);
}

static void refuse(const binary* file, size_t size, const char* message) {
    test_allocator counter;
    test_allocator_init(&counter);
    sup_error error;
    assert_int_equal(sweep_read(&counter, read_stl, file->data, size, &error), SUP_BAD_FILE);
    assert_string_equal(error.text, message);
    assert_int_equal(error.line, 0);
}

static void faults_of_binary_are_refused_in_their_place(void** state) {
    (void)state;
    binary file = tetrahedron("solid in name only");
    refuse(&file, 83,
           "f: byte 83: the file ends inside its header of 84 bytes; text would begin with "
           "\"solid\"");
    refuse(&file, 84, "f: byte 80: the header announces 4 triangles = 284 bytes, the file has 84");
    refuse(&file, 283,
           "f: byte 80: the header announces 4 triangles = 284 bytes, the file has 283");
    refuse(&file, 285,
           "f: byte 80: the header announces 4 triangles = 284 bytes, the file has 285");
    put_u32(file.data + 80, UINT32_MAX);
    refuse(&file, 284,
           "f: byte 80: the header announces 4294967295 triangles = 214748364834 bytes, the file "
           "has 284");
    static const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        file = tetrahedron("x");
        put_float(file.data + 84 + 50 + 12 + 16, odd[i]);
        refuse(&file, file.size, "f: byte 162: a coordinate must be finite");
    }
    file = begin_binary("nothing");
    refuse(&file, 84, "f: byte 80: a mesh needs a triangle, but the file has none");
    add_facet(&file, simplex, 1, 2, 1);
    refuse(&file, file.size,
           "f: byte 84: a mesh needs a triangle, but all have two corners at one place");
}

static void damage_is_survived(void** state) {
    (void)state;
    static const char text[] = "solid a\n" FACET(O, Y, X) "endsolid a\n";
    size_t size = sizeof text - 1;
    const uint8_t* bytes = (const uint8_t*)text;
    /* whole without the last line end, and without the name that "endsolid" may have */
    assert_int_equal(sweep_prefixes(read_stl, bytes, size), 3);
    assert_true(sweep_damage(read_stl, bytes, size) > (int)size);
    binary file = tetrahedron("solid");
    assert_int_equal(sweep_prefixes(read_stl, file.data, file.size), 0);
    assert_true(sweep_damage(read_stl, file.data, file.size) > 4 * 20);
    assert_true(sweep_memory(read_stl, bytes, size) > 3);
    assert_true(sweep_memory(read_stl, file.data, file.size) > 3);
}

/* ---- bounds ---- */

static double seconds_of(const uint8_t* bytes, size_t size, int32_t points, int32_t triangles) {
    test_allocator counter;
    sup_mesh mesh;
    sup_error error = {0};
    clock_t start = clock();
    sup_result result =
        sup_stl_parse(test_allocator_init(&counter), "f", bytes, size, &mesh, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    assert_int_equal(mesh.point_count, points);
    assert_int_equal(mesh.polygon_count, triangles);
    assert_true(counter.peak <= 64 * (long long)size + (1 << 20));
    sup_mesh_free(&mesh);
    assert_int_equal(counter.blocks, 0);
    return seconds;
}

/* Whatever the corners are, time and memory stay in proportion: the same few, all different, and
   such as agree in all bits of x and y and in most of z. */
static void time_and_memory_stay_proportional(void** state) {
    (void)state;
    enum { TRIANGLES = 100000 };
    size_t size = 84 + 50 * (size_t)TRIANGLES;
    uint8_t* bytes = calloc(size, 1);
    assert_non_null(bytes);
    put_u32(bytes + 80, TRIANGLES);
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t i = 0; i < 3 * TRIANGLES; i++) {
            uint8_t* at = bytes + 84 + 50 * (size_t)(i / 3) + 12 + 12 * (size_t)(i % 3);
            uint32_t number = kind == 0 ? (uint32_t)i % 3 : (uint32_t)i;
            put_float(at, kind == 2 ? 1.0f : (float)(number & 1023));
            put_float(at + 4, kind == 2 ? 1.0f : (float)(number >> 10));
            put_u32(at + 8, kind == 2 ? number : 0);
        }
        int32_t points = kind == 0 ? 3 : 3 * TRIANGLES;
        assert_true(seconds_of(bytes, size, points, TRIANGLES) < 5);
    }
    free(bytes);
    char* text = malloc(64 + 90 * (size_t)TRIANGLES);
    assert_non_null(text);
    size = (size_t)sprintf(text, "solid\n");
    for (int32_t i = 0; i < TRIANGLES; i++) {
        size += (size_t)sprintf(text + size,
                                "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 "
                                "%d 0 endloop endfacet ",
                                i % 9 + 1);
    }
    size += (size_t)sprintf(text + size, "endsolid");
    assert_true(seconds_of((uint8_t*)text, size, 11, TRIANGLES) < 5);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_are_read),
        cmocka_unit_test(text_may_look_in_many_ways),
        cmocka_unit_test(only_equal_places_join),
        cmocka_unit_test(flat_triangles_are_left_out),
        cmocka_unit_test(faults_of_text_are_refused_in_their_place),
        cmocka_unit_test(faults_of_binary_are_refused_in_their_place),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(time_and_memory_stay_proportional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
