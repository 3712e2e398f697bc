/* Saving a mesh in every format: read back by our own readers, the bytes, the refusals, and every
   failure of memory and files. */
#include "failing_files.h"

#include <math.h>

#include "supple/files.h"
#include "supple/mesh.h"

static const char* const endings[] = {"out.obj", "out.ply", "out.stl",
                                      "out.glb", "out.vtu", "out.usda"};
#define ENDING_COUNT (sizeof endings / sizeof endings[0])

/* A house: a closed prism over a pentagon (front and back), five quads around it. Its places are no
   round numbers, and one of them is no plain one either. */
static sup_vec3 house_points[] = {
    {-1.1f, 0, 1.7f}, {1.3f, 0, 1.7f}, {1.3f, 0.9f, 1.7f}, {0.1f, 2.3f, 1.7f}, {-1.1f, 1, 1.7f},
    {-1.1f, 0, -2},   {1.3f, 0, -2},   {1.3f, 0.9f, -2},   {0.1f, 2.3f, -2},   {-1.1f, 1, -2},
};
static int32_t house_starts[] = {0, 5, 10, 14, 18, 22, 26, 30};
static int32_t house_corners[] = {0, 1, 2, 3, 4, 9, 8, 7, 6, 5, 0, 5, 6, 1, 1,
                                  6, 7, 2, 2, 7, 8, 3, 3, 8, 9, 4, 4, 9, 5, 0};

static sup_mesh house(void) {
    return (sup_mesh){.point_count = 10,
                      .polygon_count = 7,
                      .corner_count = 30,
                      .points = house_points,
                      .starts = house_starts,
                      .corners = house_corners};
}

/* One polygon of 300 corners: more than a byte counts. */
enum { WHEEL = 300 };
static sup_vec3 wheel_points[WHEEL];
static int32_t wheel_starts[] = {0, WHEEL}, wheel_corners[WHEEL];

static sup_mesh wheel(void) {
    for (int i = 0; i < WHEEL; i++) {
        double angle = 6.28318530718 * i / WHEEL;
        wheel_points[i] = (sup_vec3){(float)cos(angle), (float)sin(angle), 1e-20f};
        wheel_corners[i] = i;
    }
    return (sup_mesh){.point_count = WHEEL,
                      .polygon_count = 1,
                      .corner_count = WHEEL,
                      .points = wheel_points,
                      .starts = wheel_starts,
                      .corners = wheel_corners};
}

/* Saves on a disk in memory and loads what is there. */
static sup_mesh there_and_back(const char* path, const sup_mesh* mesh) {
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_error error = {0};
    sup_mesh back = {0};
    if (sup_mesh_save(NULL, &gate, path, mesh, &error) != SUP_OK ||
        sup_mesh_load(NULL, &gate, path, &back, &error) != SUP_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(failing_file_count(&disk), 1);
    failing_wipe(&disk);
    return back;
}

static void polygons_and_points_stay(void** state) {
    (void)state;
    static const char* const paths[] = {"a.obj", "a.ply", "A.PLY", "a.Obj"};
    sup_mesh meshes[] = {house(), wheel()};
    for (int k = 0; k < 2; k++) {
        const sup_mesh* mesh = &meshes[k];
        for (int i = 0; i < 4; i++) {
            sup_mesh back = there_and_back(paths[i], mesh);
            assert_int_equal(back.point_count, mesh->point_count);
            assert_int_equal(back.polygon_count, mesh->polygon_count);
            assert_int_equal(back.corner_count, mesh->corner_count);
            assert_memory_equal(back.points, mesh->points, 12 * (size_t)mesh->point_count);
            assert_memory_equal(back.starts, mesh->starts, 4 * (size_t)(mesh->polygon_count + 1));
            assert_memory_equal(back.corners, mesh->corners, 4 * (size_t)mesh->corner_count);
            sup_mesh_free(&back);
        }
    }
}

/* The corners of the triangles that a mesh must become: fans, in the order of the polygons. */
static int fan_corners(const sup_mesh* mesh, int32_t* corners) {
    int count = 0;
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        for (int32_t c = mesh->starts[p] + 2; c < mesh->starts[p + 1]; c++) {
            corners[count++] = mesh->corners[mesh->starts[p]];
            corners[count++] = mesh->corners[c - 1];
            corners[count++] = mesh->corners[c];
        }
    }
    return count;
}

static void triangles_lie_where_the_polygons_were(void** state) {
    (void)state;
    static const char* const paths[] = {"a.glb", "a.stl"};
    sup_mesh meshes[] = {house(), wheel()};
    for (int k = 0; k < 2; k++) {
        const sup_mesh* mesh = &meshes[k];
        int32_t corners[3 * WHEEL];
        int count = fan_corners(mesh, corners);
        for (int i = 0; i < 2; i++) {
            sup_mesh back = there_and_back(paths[i], mesh);
            assert_int_equal(back.point_count, mesh->point_count);
            assert_int_equal(back.polygon_count, count / 3);
            assert_int_equal(back.corner_count, count);
            for (int c = 0; c < count; c++) {
                assert_memory_equal(&back.points[back.corners[c]], &mesh->points[corners[c]], 12);
            }
            /* STL has no points of its own: theirs are as their triangles come. */
            if (i == 0) {
                assert_memory_equal(back.points, mesh->points, 12 * (size_t)mesh->point_count);
            }
            sup_mesh_free(&back);
        }
    }
}

static void volume_stays(void** state) {
    (void)state;
    sup_mesh mesh = house();
    sup_mesh_report before, after;
    assert_int_equal(sup_mesh_inspect(NULL, &mesh, &before, NULL), SUP_OK);
    assert_true(before.closed && before.volume > 1);
    for (size_t i = 0; i < 4; i++) {
        sup_mesh back = there_and_back(endings[i], &mesh);
        assert_int_equal(sup_mesh_inspect(NULL, &back, &after, NULL), SUP_OK);
        assert_true(after.closed);
        assert_true(fabs(after.volume - before.volume) < 1e-6 * before.volume);
        sup_mesh_free(&back);
    }
}

/* What a format without a reader of ours begins with. */
static void the_ending_chooses_the_writer(void** state) {
    (void)state;
    static const char* const starts[ENDING_COUNT] = {"# Supple ", "ply\n",  "Supple ",
                                                     "glTF",      "<?xml ", "#usda 1.0\n"};
    sup_mesh mesh = house();
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        assert_int_equal(sup_mesh_save(NULL, &gate, endings[i], &mesh, NULL), SUP_OK);
        const failing_file* file = failing_find(&disk, endings[i]);
        assert_non_null(file);
        assert_true(file->size > 100);
        assert_memory_equal(file->bytes, starts[i], strlen(starts[i]));
        failing_wipe(&disk);
    }
    static const char* const others[] = {"a.gltf", "obj", "", "a.obj.gz", "a.pc2", "a.sup", "a"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        sup_error error = {0};
        assert_int_equal(sup_mesh_save(NULL, &gate, others[i], &mesh, &error), SUP_BAD_ARGUMENT);
        assert_memory_equal(error.text, others[i], strlen(others[i]));
        assert_non_null(strstr(error.text, "must end in .obj, .ply, .stl, .glb, .vtu or .usda"));
        assert_int_equal(failing_file_count(&disk), 0);
    }
}

/* --- bytes --- */

static void ply_bytes(void** state) {
    (void)state;
    static const char* const numbers[] = {"uchar", "int"};
    sup_mesh meshes[] = {house(), wheel()};
    for (int k = 0; k < 2; k++) {
        failing_disk disk = {0};
        sup_file_gate gate = failing_gate(&disk);
        assert_int_equal(sup_mesh_save(NULL, &gate, "a.ply", &meshes[k], NULL), SUP_OK);
        const failing_file* file = failing_find(&disk, "a.ply");
        char header[400];
        int length =
            snprintf(header, sizeof header,
                     "ply\nformat binary_little_endian 1.0\ncomment Supple %s\n"
                     "element vertex %d\nproperty float x\nproperty float y\n"
                     "property float z\nelement face %d\n"
                     "property list %s int vertex_indices\nend_header\n",
                     sup_version(), meshes[k].point_count, meshes[k].polygon_count, numbers[k]);
        assert_memory_equal(file->bytes, header, (size_t)length);
        int body = 12 * meshes[k].point_count + 4 * meshes[k].corner_count +
                   (k == 0 ? 1 : 4) * meshes[k].polygon_count;
        assert_int_equal(file->size, length + body);
        failing_wipe(&disk);
    }
}

static float float_at(const failing_file* file, size_t offset) {
    const uint8_t* b = file->bytes + offset;
    uint32_t bits = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A right triangle, a far and large one whose squares are beyond a float, and one without area. */
static void stl_bytes(void** state) {
    (void)state;
    sup_vec3 points[] = {{0, 0, 0},     {2, 0, 0},         {0, 3, 0},
                         {3e37f, 0, 0}, {3e37f, 2e37f, 0}, {3e37f, 0, 2e37f}};
    int32_t starts[] = {0, 3, 6, 9}, corners[] = {0, 1, 2, 3, 4, 5, 0, 1, 1};
    static const float normals[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 0}};
    sup_mesh mesh = {.point_count = 6,
                     .polygon_count = 3,
                     .corner_count = 9,
                     .points = points,
                     .starts = starts,
                     .corners = corners};
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    assert_int_equal(sup_mesh_save(NULL, &gate, "a.stl", &mesh, NULL), SUP_OK);
    const failing_file* file = failing_find(&disk, "a.stl");
    assert_int_equal(file->size, 84 + 3 * 50);
    assert_memory_equal(file->bytes + 80, "\3\0\0", 4);
    for (size_t t = 0; t < 3; t++) {
        size_t at = 84 + 50 * t;
        for (size_t c = 0; c < 3; c++) {
            assert_true(float_at(file, at + 4 * c) == normals[t][c]);
            const sup_vec3* p = &points[corners[3 * t + c]];
            assert_true(float_at(file, at + 12 + 12 * c) == p->x);
            assert_true(float_at(file, at + 16 + 12 * c) == p->y);
            assert_true(float_at(file, at + 20 + 12 * c) == p->z);
        }
        assert_memory_equal(file->bytes + at + 48, "\0", 2);
    }
    failing_wipe(&disk);
}

/* --- refusals --- */

static void refused_as(const char* path, const sup_mesh* mesh, const char* message) {
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    test_allocator memory;
    test_allocator_init(&memory);
    sup_error error = {0};
    failing_place(&disk, path, "old");
    assert_int_equal(sup_mesh_save(&memory.table, &gate, path, mesh, &error), SUP_BAD_ARGUMENT);
    char text[200];
    snprintf(text, sizeof text, "%s: %s", path, message);
    assert_string_equal(error.text, text);
    assert_true(failing_holds(&disk, path, "old"));
    assert_int_equal(failing_file_count(&disk), 1);
    assert_int_equal(memory.blocks, 0);
    failing_wipe(&disk);
}

static void bad_meshes_are_refused(void** state) {
    (void)state;
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        const char* path = endings[i];
        sup_mesh mesh = house();
        mesh.point_count = 0;
        refused_as(path, &mesh, "the mesh has no points");
        mesh = house(), mesh.points = NULL;
        refused_as(path, &mesh, "the mesh has no points");
        mesh = house(), mesh.starts = NULL;
        refused_as(path, &mesh, "the mesh lacks its polygons");
        mesh = house(), mesh.corners = NULL;
        refused_as(path, &mesh, "the mesh lacks its polygons");
        mesh = house(), mesh.polygon_count = -1;
        refused_as(path, &mesh, "the mesh lacks its polygons");
        mesh = house(), mesh.corner_count = 29;
        refused_as(path, &mesh, "the last of the mesh's starts must be its corner_count");
        mesh = house(), mesh.point_count = 9;
        refused_as(path, &mesh, "polygon 1 names point 9, but there are 9");
        int32_t starts[8];
        memcpy(starts, house_starts, sizeof starts);
        mesh = house(), mesh.starts = starts;
        starts[3] = 12;
        refused_as(path, &mesh, "polygon 2 has fewer than 3 corners");
        starts[3] = 1000;
        refused_as(path, &mesh, "polygon 2 ends behind the last corner");
        starts[0] = 1;
        refused_as(path, &mesh, "starts[0] must be 0");
        sup_vec3 points[10];
        memcpy(points, house_points, sizeof points);
        points[7].z = NAN;
        mesh = house(), mesh.points = points;
        refused_as(path, &mesh, "point 7 is not finite");
    }
    sup_mesh mesh = house();
    assert_int_equal(sup_mesh_save(NULL, NULL, NULL, &mesh, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_mesh_save(NULL, NULL, "a.obj", NULL, NULL), SUP_BAD_ARGUMENT);
}

static void clouds_go_where_they_can(void** state) {
    (void)state;
    sup_mesh mesh = house();
    mesh.polygon_count = mesh.corner_count = 0;
    mesh.starts = mesh.corners = NULL;
    static const char* const paths[] = {"a.obj", "a.ply", "a.glb"};
    for (int i = 0; i < 3; i++) {
        sup_mesh back = there_and_back(paths[i], &mesh);
        assert_int_equal(back.point_count, mesh.point_count);
        assert_int_equal(back.polygon_count, 0);
        assert_int_equal(back.corner_count, 0);
        assert_memory_equal(back.points, mesh.points, 12 * (size_t)mesh.point_count);
        sup_mesh_free(&back);
    }
    refused_as("a.stl", &mesh,
               "it holds triangles, but the mesh has no polygons; other formats hold clouds");
}

/* --- failures --- */

static const char* failing_path;

static sup_result save_house(const sup_allocator* allocator, const sup_file_gate* gate,
                             sup_error* error) {
    sup_mesh mesh = house();
    return sup_mesh_save(allocator, gate, failing_path, &mesh, error);
}

static void failures_leave_the_old_file(void** state) {
    (void)state;
    static const failing_kind kinds[] = {FAILING_CALL, FAILING_DISK, FAILING_MEMORY};
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        failing_path = endings[i];
        for (int k = 0; k < 3; k++) {
            for (int fresh = 0; fresh < 2; fresh++) {
                failing_writer writer = {
                    .write = save_house, .count = 1, .names = {endings[i]}, .fresh = fresh};
                failing_each_write(kinds[k], &writer);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_and_points_stay),
        cmocka_unit_test(triangles_lie_where_the_polygons_were),
        cmocka_unit_test(volume_stays),
        cmocka_unit_test(the_ending_chooses_the_writer),
        cmocka_unit_test(ply_bytes),
        cmocka_unit_test(stl_bytes),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(clouds_go_where_they_can),
        cmocka_unit_test(failures_leave_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
