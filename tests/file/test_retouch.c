/* A GLB with other points: nodes, uv and bounds are kept in step, and all else is kept. */
#include "file/retouch.h"
#include "sizes.h"
#include "supple/files.h"
#include "supple/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TAIL "\"indices\":2,\"material\":0}]}],\"materials\":[{\"name\":\"red\"}],"

typedef struct change {
    const char *from, *to, *message;
} change;

/* Changes the text of a GLB from make_glb where it stands; `to` is not longer. */
static void change_text(uint8_t* bytes, const change* c) {
    char* text = (char*)bytes + 20;
    char* at = strstr(text, c->from);
    assert_non_null(at);
    assert_true(strlen(c->to) <= strlen(c->from));
    memset(at, ' ', strlen(c->from));
    memcpy(at, c->to, strlen(c->to));
}

/* Three points with uv, seen through a node that stretches x, turns a quarter about y and moves. */
static size_t make_glb(const char* nodes, uint8_t* out) {
    static const float numbers[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25f, 0.5f, 0.75f, 1, 0, 0.125f};
    static const uint16_t indices[4] = {0, 1, 2, 0};
    char json[2000];
    int length = snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"caf\xc3\xa9\"},\n"
        "\"scene\":0,\"scenes\":[{\"nodes\":%s}],\n"
        "\"nodes\":[{\"mesh\":0,\"scale\":[2,1,1],\"rotation\":[0,0.70710678,0,0.70710678],"
        "\"translation\":[5,6,7]},{\"mesh\":0}],\n"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},"
        "\"indices\":2,\"material\":0}]}],\"materials\":[{\"name\":\"red\"}],\n"
        "\"buffers\":[{\"byteLength\":68}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":24},"
        "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":6}],\n"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"max\": [1, 1, 0],\"min\":[0,0,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":3,"
        "\"type\":\"VEC2\"},{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":"
        "\"SCALAR\"}]}",
        nodes);
    while (length % 4 != 0) json[length++] = ' ';
    const uint32_t head[5] = {0x46546c67u, 2, (uint32_t)(12 + 8 + length + 8 + 68),
                              (uint32_t)length, 0x4e4f534au};
    const uint32_t chunk[2] = {68, 0x004e4942u};
    memcpy(out, head, 20);
    memcpy(out + 20, json, (size_t)length);
    memcpy(out + 20 + length, chunk, 8);
    memcpy(out + 28 + length, numbers, 60);
    memcpy(out + 88 + length, indices, 8);
    return head[2];
}

static sup_result retouch(const char* path, const uint8_t* bytes, size_t size, const sup_mesh* mesh,
                          const sup_vec3* points, sup_error* error) {
    supi_writer out;
    const sup_allocator* allocator = sup_allocator_default();
    const sup_file_gate* files = sup_file_gate_default();
    assert_int_equal(supi_writer_begin(&out, files, allocator, path, error), SUP_OK);
    sup_result result =
        supi_glb_retouch(&out, allocator, files, "in.glb", bytes, size, mesh, points, error);
    if (result == SUP_OK) result = supi_writer_commit(&out, error);
    supi_writer_abort(&out);
    return result;
}

static void a_glb_gets_other_points(void** state) {
    (void)state;
    uint8_t bytes[4000];
    size_t size = make_glb("[0]", bytes);
    sup_mesh mesh, after;
    sup_error error;
    char path[500];
    snprintf(path, sizeof path, "%s/retouched.glb", getenv("SUPPLE_TEST_OUTPUT"));
    assert_int_equal(sup_glb_parse(NULL, NULL, "in.glb", bytes, size, &mesh, &error), SUP_OK);
    sup_vec3 points[3] = {mesh.points[0], mesh.points[1], mesh.points[2]};
    points[1].x += 0.25f;
    points[1].y -= 0.5f;
    points[1].z += 3.0f;
    assert_int_equal(retouch(path, bytes, size, &mesh, points, &error), SUP_OK);
    assert_int_equal(sup_mesh_load(NULL, NULL, path, &after, &error), SUP_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(after.points[i].x - points[i].x) < 1e-5f);
        assert_true(fabsf(after.points[i].y - points[i].y) < 1e-5f);
        assert_true(fabsf(after.points[i].z - points[i].z) < 1e-5f);
    }
    supi_bytes now;
    assert_int_equal(
        supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, &now, &error),
        SUP_OK);
    /* uv and indices are the last 32 bytes */
    assert_memory_equal(now.data + now.size - 32, bytes + size - 32, 32);
    char* text = (char*)now.data + 20;
    assert_non_null(strstr(text, "\"min\":[-0.5"));
    assert_non_null(strstr(text, "\"name\":\"red\""));
    assert_non_null(strstr(text, "caf\xc3\xa9"));
    /* nothing moved: the same bytes */
    snprintf(path, sizeof path, "%s/same.glb", getenv("SUPPLE_TEST_OUTPUT"));
    assert_int_equal(retouch(path, bytes, size, &mesh, mesh.points, &error), SUP_OK);
    supi_bytes_free(sup_allocator_default(), &now);
    assert_int_equal(
        supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, &now, &error),
        SUP_OK);
    assert_int_equal(now.size, size);
    assert_memory_equal(now.data, bytes, size);
    supi_bytes_free(sup_allocator_default(), &now);
    sup_mesh_free(&mesh);
    sup_mesh_free(&after);
}

static void points_that_are_shown_twice_are_refused(void** state) {
    (void)state;
    uint8_t bytes[4000];
    size_t size = make_glb("[0,1]", bytes);
    sup_mesh mesh;
    sup_error error;
    char path[500];
    snprintf(path, sizeof path, "%s/refused.glb", getenv("SUPPLE_TEST_OUTPUT"));
    assert_int_equal(sup_glb_parse(NULL, NULL, "in.glb", bytes, size, &mesh, &error), SUP_OK);
    assert_int_equal(mesh.point_count, 6);
    for (int moved = 0; moved < 6; moved += 5) {
        sup_vec3 points[6];
        memcpy(points, mesh.points, sizeof points);
        points[moved].x += 1.0f;
        assert_int_equal(retouch(path, bytes, size, &mesh, points, &error), SUP_UNSUPPORTED);
        assert_non_null(strstr(error.text, "several times"));
    }
    sup_mesh_free(&mesh);
}

/* What would be changed beside the points, or would contradict them. */
static void points_that_others_use_are_refused(void** state) {
    (void)state;
    static const change changes[] = {
        {"\"byteOffset\":36,\"byteLength\":24", "\"byteOffset\":28,\"byteLength\":24", "bytes"},
        {"\"TEXCOORD_0\":1", "\"NORMAL\":0", "used elsewhere"},
        {"\"name\":\"red\"", "\"output\":0", "used elsewhere"},
        {"{\"mesh\":0}],", "{}],", NULL},
        {"\"material\":0", "\"targets\":[]", NULL},
        {"[1, 1, 0]", "[1, 1]", "bounds"},
        {"[1, 1, 0]", "[1,[],0]", "bounds"},
        {"[1, 1, 0]", "7", "bounds"},
        {TAIL, "\"extensions\":{\"KHR_draco_mesh_compression\":{}}}]}],", "compressed"},
        {TAIL, "\"extensions\":{\"EXT_meshopt_compression\":{}}}]}],", "compressed"},
    };
    char path[500];
    snprintf(path, sizeof path, "%s/used.glb", getenv("SUPPLE_TEST_OUTPUT"));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t bytes[4000] = {0};
        size_t size = make_glb("[0]", bytes);
        sup_mesh mesh;
        sup_error error = {SUP_OK, 0, 0, ""};
        change_text(bytes, &changes[i]);
        sup_result result = sup_glb_parse(NULL, NULL, "in.glb", bytes, size, &mesh, &error);
        if (result != SUP_OK) fail_msg("%zu: %s", i, error.text);
        sup_vec3 points[3] = {mesh.points[0], mesh.points[1], mesh.points[2]};
        assert_int_equal(retouch(path, bytes, size, &mesh, points, &error), SUP_OK);
        points[1].x += 0.25f;
        result = retouch(path, bytes, size, &mesh, points, &error);
        if (changes[i].message) {
            if (result != SUP_UNSUPPORTED || !strstr(error.text, changes[i].message))
                fail_msg("%zu: %d, %s", i, (int)result, error.text);
        } else if (result != SUP_OK) {
            fail_msg("%zu: %s", i, error.text);
        }
        sup_mesh_free(&mesh);
        remove(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_glb_gets_other_points),
        cmocka_unit_test(points_that_are_shown_twice_are_refused),
        cmocka_unit_test(points_that_others_use_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
