/* Reading PLY: three formats, all types, every refusal in its place. */
#include "sweeps.h"

#include <math.h>
#include <stdio.h>

#include "supple/files.h"
#include "supple/mesh.h"

static sup_result read_ply(const sup_allocator* allocator, const uint8_t* bytes, size_t size,
                           sup_error* error) {
    sup_mesh mesh;
    sup_result result = sup_ply_parse(allocator, "f", bytes, size, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

/* A file in the making: the same calls write ascii or binary. */
typedef enum file_format { ASCII, LITTLE, BIG } file_format;
typedef struct file_maker {
    file_format format;
    size_t size, data_at;
    uint8_t bytes[4096];
} file_maker;

static void put_text(file_maker* file, const char* text) {
    memcpy(file->bytes + file->size, text, strlen(text));
    file->size += strlen(text);
}

static void put_bits(file_maker* file, uint64_t bits, int size) {
    for (int i = 0; i < size; i++) {
        int shift = file->format == LITTLE ? 8 * i : 8 * (size - 1 - i);
        file->bytes[file->size++] = (uint8_t)(bits >> shift);
    }
}

static void put_int(file_maker* file, int64_t value, int size) {
    char text[32];
    snprintf(text, sizeof text, "%lld ", (long long)value);
    if (file->format == ASCII) put_text(file, text);
    if (file->format != ASCII) put_bits(file, (uint64_t)value, size);
}

static void put_float(file_maker* file, float value) {
    char text[32];
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    snprintf(text, sizeof text, "%.9g ", (double)value);
    if (file->format == ASCII) put_text(file, text);
    if (file->format != ASCII) put_bits(file, bits, 4);
}

static void put_double(file_maker* file, double value) {
    char text[32];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    snprintf(text, sizeof text, "%.17g ", value);
    if (file->format == ASCII) put_text(file, text);
    if (file->format != ASCII) put_bits(file, bits, 8);
}

static void end_row(file_maker* file) {
    if (file->format == ASCII) put_text(file, "\n");
}

static void begin(file_maker* file, file_format format, const char* header) {
    static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    *file = (file_maker){.format = format};
    put_text(file, "ply\nformat ");
    put_text(file, names[format]);
    put_text(file, " 1.0\n");
    put_text(file, header);
    put_text(file, "end_header\n");
    file->data_at = file->size;
}

/* Two faces over four points, among elements and properties of all types that nobody asked for. */
static void make_rich(file_maker* file, file_format format) {
    begin(file, format,
          "comment made by hand \xE9\nobj_info any\nelement material 2\nproperty list ushort "
          "double a\n"
          "property int8 b\nelement face 2\nproperty uchar flag\n"
          "property list uint8 uint16 vertex_indices\nproperty list int float uv\n"
          "element vertex 4\nproperty short x\nproperty uint id\nproperty float64 z\n"
          "property float32 y\nproperty list char uint more\nelement last 1\nproperty int32 n\n");
    for (int i = 0; i < 2; i++) {
        put_int(file, 2 * i, 2);
        for (int k = 0; k < 2 * i; k++) put_double(file, 0.1 * k);
        put_int(file, -5, 1);
        end_row(file);
    }
    for (int i = 0; i < 2; i++) {
        put_int(file, 200, 1);
        put_int(file, 4 - i, 1);
        for (int k = 0; k < 4 - i; k++) put_int(file, (k + i) % 4, 2);
        put_int(file, 1, 4);
        put_float(file, 0.5f);
        end_row(file);
    }
    for (int i = 0; i < 4; i++) {
        put_int(file, 300 * i - 400, 2);
        put_int(file, 4000000000 + i, 4);
        put_double(file, 0.1 * i);
        put_float(file, -1.5f * (float)i);
        put_int(file, i == 2 ? 2 : 0, 1);
        for (int k = 0; i == 2 && k < 2; k++) put_int(file, 7, 4);
        end_row(file);
    }
    put_int(file, -70000, 4);
    end_row(file);
}

static void all_formats_give_the_same_mesh(void** state) {
    (void)state;
    for (file_format format = ASCII; format <= BIG; format++) {
        file_maker file;
        make_rich(&file, format);
        sup_mesh mesh;
        sup_error error = {0};
        sup_result result = sup_ply_parse(NULL, "f", file.bytes, file.size, &mesh, &error);
        if (result != SUP_OK) print_message("%s\n", error.text);
        assert_int_equal(result, SUP_OK);
        const int32_t starts[] = {0, 4, 7}, corners[] = {0, 1, 2, 3, 1, 2, 3};
        assert_int_equal(mesh.point_count, 4);
        assert_int_equal(mesh.polygon_count, 2);
        assert_int_equal(mesh.corner_count, 7);
        assert_memory_equal(mesh.starts, starts, sizeof starts);
        assert_memory_equal(mesh.corners, corners, sizeof corners);
        for (int i = 0; i < 4; i++) {
            assert_true(mesh.points[i].x == (float)(300 * i - 400));
            assert_true(mesh.points[i].y == -1.5f * (float)i);
            assert_true(mesh.points[i].z == (float)(0.1 * i));
        }
        sup_mesh_free(&mesh);
    }
}

#define VERTEX "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACE "element face 1\nproperty list uchar int vertex_index\n"
#define HEADER "ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

static void layout_of_ascii_is_free_where_it_is_harmless(void** state) {
    (void)state;
    const char* texts[] = {
        HEADER POINTS "3 0 1 2",
        HEADER "\n" POINTS "\r\n\n  3\t0 1 2 \r\n\n \n",
        "ply\r\nformat ascii 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\n"
        "property float z\r\nelement face 1\r\nproperty list uchar int vertex_index\r\n"
        "end_header\r\n" POINTS "3 0 1 2\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sup_error error = {0};
        sup_result result =
            read_ply(sup_allocator_default(), (const uint8_t*)texts[i], strlen(texts[i]), &error);
        if (result != SUP_OK) print_message("%s\n", error.text);
        assert_int_equal(result, SUP_OK);
    }
}

static void wrong_headers_are_refused_in_their_place(void** state) {
    (void)state;
#define START "ply\nformat ascii 1.0\n"
    static const sweep_refusal refusals[] = {
        {"", 1, 1, "f:1:1: the file is empty"},
        {"solid", 1, 1, "f:1:1: the first line of the file is not \"ply\""},
        {" ply\n", 1, 1, "f:1:1: the first line of the file is not \"ply\""},
        {"ply x\n", 1, 1, "f:1:1: the first line of the file is not \"ply\""},
        {"ply", 1, 4, "f:1:4: the file ends before \"end_header\""},
        {"ply\nformat ascii 1.0\n", 3, 1, "f:3:1: the file ends before \"end_header\""},
        {"ply\n\n", 2, 1, "f:2:1: end of line: a header has no blank lines"},
        {"ply\nelement vertex 1\n", 2, 1, "f:2:1: \"element\": the format must stand before this"},
        {"ply\nformat text 1.0\n", 2, 8,
         "f:2:8: \"text\": a format is ascii, binary_little_endian or binary_big_endian"},
        {"ply\nformat ascii 2.0\n", 2, 14, "f:2:14: \"2.0\": the version must be 1.0"},
        {"ply\nformat ascii\n", 2, 13, "f:2:13: end of line: the version must be 1.0"},
        {"ply\nformat ascii 1.0 x\n", 2, 18, "f:2:18: \"x\": the line should have ended"},
        {START "format ascii 1.0\n", 3, 1,
         "f:3:1: \"format\": the format stands here a second time"},
        {START "elements vertex 1\n", 3, 1,
         "f:3:1: \"elements\": a header has format, comment, obj_info, element, property and "
         "end_header"},
        {START "element\n", 3, 8, "f:3:8: end of line: a name is missing"},
        {START "element vertex -1\n", 3, 16,
         "f:3:16: \"-1\": a count is an integer from 0 to 2147483647"},
        {START "element vertex 2147483648\n", 3, 16,
         "f:3:16: \"2147483648\": a count is an integer from 0 to 2147483647"},
        {START "element vertex 3x\n", 3, 16,
         "f:3:16: \"3x\": a count is an integer from 0 to 2147483647"},
        {START VERTEX "element vertex 3\n", 7, 9,
         "f:7:9: \"vertex\": this element stands here a second time"},
        {START "property float x\n", 3, 1, "f:3:1: \"property\": no element stands before it"},
        {START "element vertex 1\nproperty real x\n", 4, 10,
         "f:4:10: \"real\": a type is char, uchar, short, ushort, int, uint, float or double"},
        {START "element vertex 1\nproperty float\n", 4, 15,
         "f:4:15: end of line: a name is missing"},
        {START "element vertex 1\nproperty float x\nproperty int x\n", 5, 14,
         "f:5:14: \"x\": this property stands here a second time"},
        {START "element vertex 1\nproperty list uchar float x\n", 4, 27,
         "f:4:27: \"x\": a coordinate must not be a list"},
        {START "element a 1\nproperty list float int b\n", 4, 25,
         "f:4:25: \"b\": the count of a list must have an integer type"},
        {START "element face 1\nproperty list uchar float vertex_index\n", 4, 27,
         "f:4:27: \"vertex_index\": this must be a list of an integer type"},
        {START "element face 1\nproperty int vertex_index\n", 4, 14,
         "f:4:14: \"vertex_index\": this must be a list of an integer type"},
        {START FACE "property list uchar int vertex_indices\n", 5, 25,
         "f:5:25: \"vertex_indices\": the face has a list of vertices already"},
        {START FACE "end_header\n", 5, 1, "f:5:1: the header has no element \"vertex\""},
        {START VERTEX
         "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" POINTS
         "3 0 1 2\n",
         7, 9, "f:7:9: strips of triangles are not read"},
        {START "element vertex 1\nproperty float x\nproperty float z\n" FACE "end_header\n", 3, 9,
         "f:3:9: the element \"vertex\" has no property \"y\""},
        {START VERTEX "element face 1\nproperty int a\nend_header\n", 7, 9,
         "f:7:9: the element \"face\" has no property \"vertex_indices\""},
        {START VERTEX FACE "element odd 0\nend_header\n" POINTS "3 0 1 2\n", 9, 9,
         "f:9:9: \"odd\": the element has no properties"},
        {START
         "element vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
         3, 9, "f:3:9: a mesh needs a \"vertex\", but there are 0"},
    };
    sweep_refusals(read_ply, refusals, sizeof refusals / sizeof *refusals);
}

static void wrong_ascii_data_is_refused_in_its_place(void** state) {
    (void)state;
    static const sweep_refusal refusals[] = {
        {HEADER "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", 11, 5,
         "f:11:5: \"nan\" stands where a finite number should"},
        {HEADER "0 0 1e39\n1 0 0\n0 1 0\n3 0 1 2\n", 10, 5,
         "f:10:5: 1e39 is beyond the range of a float"},
        {HEADER "0 0 0\n1 0\n0 1 0\n3 0 1 2\n     ", 11, 4, "f:11:4: the line ends inside \"z\""},
        {HEADER "0 0 0 7\n1 0 0\n0 1 0\n3 0 1 2\n", 10, 7,
         "f:10:7: the line of this \"vertex\" should have ended"},
        {HEADER POINTS "3 0 1\n   ", 13, 6, "f:13:6: the line ends inside \"vertex_index\""},
        {HEADER POINTS "3 0 1 2 0\n", 13, 9, "f:13:9: the line of this \"face\" should have ended"},
        {HEADER POINTS "2 0 1\n", 13, 1, "f:13:1: a face has 3 or more corners, but this one 2"},
        {HEADER POINTS "3 0 1 3\n", 13, 7, "f:13:7: vertex index 3 is out of the range 0 to 2"},
        {HEADER POINTS "3 0 -1 2\n", 13, 5, "f:13:5: vertex index -1 is out of the range 0 to 2"},
        {HEADER POINTS "3 0 1.0 2\n", 13, 5,
         "f:13:5: \"1.0\" is not an integer from -2147483648 to 2147483647"},
        {HEADER POINTS "256 0 1 2\n", 13, 1, "f:13:1: \"256\" is not an integer from 0 to 255"},
        {HEADER POINTS "3 0 1 2\n\n 4\n", 15, 2, "f:15:2: the file goes on after its last element"},
        {HEADER POINTS "  \n", 14, 1, "f:14:1: the file ends after 0 of 1 times \"face\""},
        {HEADER "0 0 0\n1 0 0\n", 3, 9,
         "f:3:9: 3 times \"vertex\" cannot fit into the 12 bytes after the header"},
        {START VERTEX FACE "element a 1\nproperty list char int b\nend_header\n" POINTS
                           "3 0 1 2\n-1\n",
         16, 1, "f:16:1: a list has 0 or more items, but this one -1"},
    };
    sweep_refusals(read_ply, refusals, sizeof refusals / sizeof *refusals);
}

/* A triangle in binary; `x` is the first coordinate, `count` and `index` the first two numbers of
   the face. */
static void make_triangle(file_maker* file, file_format format, float x, int count, int index) {
    begin(file, format, VERTEX FACE);
    for (int i = 0; i < 9; i++) put_float(file, i == 0 ? x : (float)i);
    put_int(file, count, 1);
    for (int i = 0; i < 3; i++) put_int(file, i == 0 ? index : i, 4);
}

static void wrong_binary_data_is_refused_at_its_byte(void** state) {
    (void)state;
    static const struct {
        float x;
        int count, index, size_change, at;
        const char* message;
    } cases[] = {
        {NAN, 3, 0, 0, 0, "a coordinate is not finite or beyond the range of a float"},
        {-INFINITY, 3, 0, 0, 0, "a coordinate is not finite or beyond the range of a float"},
        {0, 2, 0, 0, 36, "a face has 3 or more corners, but this one 2"},
        {0, 3, 3, 0, 37, "vertex index 3 is out of the range 0 to 2"},
        {0, 3, -2, 0, 37, "vertex index -2 is out of the range 0 to 2"},
        {0, 4, 0, 0, 49, "the file ends inside \"vertex_index\""},
        {0, 3, 0, -1, 45, "the file ends inside \"vertex_index\""},
        {0, 3, 0, 1, 49, "the file goes on after its last element"},
    };
    test_allocator counter;
    test_allocator_init(&counter);
    for (file_format format = LITTLE; format <= BIG; format++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            file_maker file;
            sup_error error;
            char wanted[256];
            make_triangle(&file, format, cases[i].x, cases[i].count, cases[i].index);
            size_t size = file.size + (size_t)cases[i].size_change;
            assert_int_equal(sweep_read(&counter, read_ply, file.bytes, size, &error),
                             SUP_BAD_FILE);
            snprintf(wanted, sizeof wanted, "f: byte %zu: %s", file.data_at + (size_t)cases[i].at,
                     cases[i].message);
            assert_string_equal(error.text, wanted);
            assert_int_equal(error.line, 0);
            assert_int_equal(counter.calls, 0); /* the fault was seen before memory was asked for */
        }
    }
}

static void doubles_beyond_float_are_refused(void** state) {
    (void)state;
    file_maker file;
    begin(&file, LITTLE,
          "element vertex 1\nproperty double x\nproperty char y\nproperty char z\n" FACE);
    put_double(&file, 1e39);
    put_bits(&file, 0, 2);
    put_bits(&file, 3, 1);
    put_bits(&file, 0, 8);
    put_bits(&file, 0, 4);
    sup_error error;
    assert_int_equal(read_ply(sup_allocator_default(), file.bytes, file.size, &error),
                     SUP_BAD_FILE);
    assert_non_null(strstr(error.text, "beyond the range of a float"));
}

static void lying_counts_get_no_memory(void** state) {
    (void)state;
    static const char* const headers[] = {
        "element vertex 2147483647\nproperty float x\nproperty float y\nproperty float z\n" FACE,
        VERTEX "element face 2147483647\nproperty list uchar int vertex_index\n",
        VERTEX FACE "element more 2147483647\nproperty list uint double a\n",
    };
    test_allocator counter;
    test_allocator_init(&counter);
    for (file_format format = ASCII; format <= BIG; format++) {
        for (int i = 0; i < 3; i++) {
            file_maker file;
            sup_error error;
            begin(&file, format, headers[i]);
            for (int k = 0; k < 100; k++) put_text(&file, "0 0 0\n");
            assert_int_equal(sweep_read(&counter, read_ply, file.bytes, file.size, &error),
                             SUP_BAD_FILE);
            assert_non_null(strstr(error.text, "cannot fit into the 600 bytes"));
            assert_int_equal(counter.calls, 0);
        }
    }
    /* A list that claims four thousand million items is skipped in no time. */
    file_maker file;
    sup_error error;
    begin(&file, LITTLE, "element more 1\nproperty list uint double a\n" VERTEX FACE);
    put_bits(&file, UINT32_MAX, 4);
    for (int k = 0; k < 100; k++) put_bits(&file, 0, 8);
    assert_int_equal(sweep_read(&counter, read_ply, file.bytes, file.size, &error), SUP_BAD_FILE);
    assert_non_null(strstr(error.text, "the file ends inside \"a\""));
}

static void headers_are_limited(void** state) {
    (void)state;
    static char text[32768];
    sup_error error;
    for (int properties = 0; properties < 2; properties++) {
        strcpy(text, START);
        if (properties) strcat(text, "element a 0\n");
        for (int i = 0; i < 300; i++) {
            size_t size = strlen(text);
            snprintf(text + size, sizeof text - size,
                     properties ? "property char p%d\n" : "element e%d 0\n", i);
        }
        assert_int_equal(
            read_ply(sup_allocator_default(), (const uint8_t*)text, strlen(text), &error),
            SUP_BAD_FILE);
        assert_string_equal(
            error.text, properties ? "f:260:1: \"property\": a header has at most 256 properties"
                                   : "f:67:1: \"element\": a header has at most 64 elements");
    }
}

static void damage_is_survived(void** state) {
    (void)state;
    for (file_format format = ASCII; format <= BIG; format++) {
        file_maker file;
        make_rich(&file, format);
        int good = sweep_prefixes(read_ply, file.bytes, file.size);
        /* Text may lose its last newline, blank and digits (a skipped value is any word); binary
           data nothing. */
        assert_int_equal(good, format == ASCII ? 7 : 0);
        assert_true(sweep_damage(read_ply, file.bytes, file.size) > (int)file.size);
        assert_true(sweep_memory(read_ply, file.bytes, file.size) == 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_give_the_same_mesh),
        cmocka_unit_test(layout_of_ascii_is_free_where_it_is_harmless),
        cmocka_unit_test(wrong_headers_are_refused_in_their_place),
        cmocka_unit_test(wrong_ascii_data_is_refused_in_its_place),
        cmocka_unit_test(wrong_binary_data_is_refused_at_its_byte),
        cmocka_unit_test(doubles_beyond_float_are_refused),
        cmocka_unit_test(lying_counts_get_no_memory),
        cmocka_unit_test(headers_are_limited),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
