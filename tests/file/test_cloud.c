/* Clouds: points without polygons, read from every format that holds them and written beside a
   surface into every animation. */
#include "small_animation.h"
#include "sweeps.h"

#include "supple/mesh.h"

#include <float.h>

/* --- reading --- */

static const float places[] = {0, 0, 0, 1, 0.5f, 0, -1, 2, 3};

static void is_cloud(sup_mesh* mesh, int32_t point_count) {
    assert_int_equal(mesh->point_count, point_count);
    assert_int_equal(mesh->polygon_count, 0);
    assert_int_equal(mesh->corner_count, 0);
    assert_int_equal(mesh->starts[0], 0);
    assert_memory_equal(mesh->points, places, 12 * (size_t)point_count);
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, mesh, &report, NULL), SUP_OK);
    assert_int_equal(report.unused_point_count, point_count);
    assert_false(report.closed);
    sup_mesh_free(mesh);
}

static void vertices_without_faces(void** state) {
    (void)state;
#define PLY "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
#define YZ "property float y\nproperty float z\n"
#define ROWS "end_header\n0 0 0\n1 0.5 0\n-1 2 3\n"
    static const char* const objs[] = {"v 0 0 0\nv 1 0.5 0\nv -1 2 3\n",
                                       "v 0 0 0\nv 1 0.5 0\nv -1 2 3\np 1 2 3\nl 1 2\n"};
    static const char* const plys[] = {
        PLY YZ ROWS, PLY YZ "element face 0\nproperty list uchar int vertex_indices\n" ROWS,
        PLY YZ "element tristrips 0\nproperty list int int vertex_indices\n" ROWS};
    sup_mesh mesh;
    for (size_t i = 0; i < sizeof objs / sizeof *objs; i++) {
        const uint8_t* bytes = (const uint8_t*)objs[i];
        assert_int_equal(sup_obj_parse(NULL, "f", bytes, strlen(objs[i]), &mesh, NULL), SUP_OK);
        is_cloud(&mesh, 3);
    }
    for (size_t i = 0; i < sizeof plys / sizeof *plys; i++) {
        const uint8_t* bytes = (const uint8_t*)plys[i];
        assert_int_equal(sup_ply_parse(NULL, "f", bytes, strlen(plys[i]), &mesh, NULL), SUP_OK);
        is_cloud(&mesh, 3);
    }
}

/* --- writing --- */

static const int32_t flag_starts[] = {0, 3}, flag_corners[] = {0, 1, 2}, nothing[] = {0};
static const sup_surface both[] = {
    {"flag", 3, 1, flag_starts, flag_corners, {1, 0, 0}, 1, 0, false},
    {"swarm", 2, 0, nothing, nothing, {0, 1, 0}, 1, 0.25f, false},
};
enum { ALL_POINTS = 5, FRAMES = 3 };

static void swarm_at(int frame, sup_vec3 points[ALL_POINTS]) {
    for (int i = 0; i < ALL_POINTS; i++) {
        points[i] = (sup_vec3){(float)i, 0.5f * (float)(frame * (i + 1)), (float)(i % 2)};
    }
}

/* Writes the animation and closes it. */
static void write_both(sup_animation* animation) {
    for (int frame = 0; frame < FRAMES; frame++) {
        sup_vec3 points[ALL_POINTS];
        swarm_at(frame, points);
        assert_int_equal(sup_animation_frame(animation, points, NULL), SUP_OK);
    }
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
}

static void check_clip(const sup_file_gate* gate, const char* mesh_path, const char* clip_path) {
    sup_mesh mesh;
    sup_clip clip;
    assert_int_equal(sup_mesh_load(NULL, gate, mesh_path, &mesh, NULL), SUP_OK);
    assert_int_equal(mesh.point_count, ALL_POINTS);
    assert_int_equal(mesh.polygon_count, 1);
    assert_memory_equal(mesh.corners, flag_corners, sizeof flag_corners);
    sup_mesh_free(&mesh);
    assert_int_equal(sup_clip_load(NULL, gate, clip_path, 30, &clip, NULL), SUP_OK);
    assert_int_equal(clip.point_count, ALL_POINTS);
    assert_int_equal(clip.frame_count, FRAMES);
    for (int frame = 0; frame < FRAMES; frame++) {
        sup_vec3 points[ALL_POINTS];
        swarm_at(frame, points);
        assert_memory_equal(clip.points + frame * ALL_POINTS, points, sizeof points);
    }
    sup_clip_free(&clip);
}

static void caches_and_gltf(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(sup_pc2_open(NULL, &gate, "a.pc2", 2, both, 30, &animation, NULL), SUP_OK);
    write_both(animation);
    check_clip(&gate, "a.obj", "a.pc2");
    char* text = text_of(&disk, "a.obj");
    assert_non_null(strstr(text, "g swarm\np 4\np 5\n"));
    free(text);
    assert_int_equal(sup_mdd_open(NULL, &gate, "b.mdd", 2, both, 30, FRAMES, &animation, NULL),
                     SUP_OK);
    write_both(animation);
    assert_int_equal(sup_glb_open(NULL, &gate, "c.glb", 2, both, 30, FRAMES, 10, &animation, NULL),
                     SUP_OK);
    write_both(animation);
    check_clip(&gate, "c.glb", "c.glb");
    failing_wipe(&disk);
}

/* A swarm alone is a cloud again, also in its poses. */
static void gltf_of_points_alone(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    sup_mesh mesh;
    assert_int_equal(sup_glb_open(NULL, &gate, "a.glb", 1, &both[1], 30, 1, 2, &animation, NULL),
                     SUP_OK);
    assert_int_equal(sup_animation_frame(animation, (const sup_vec3*)places, NULL), SUP_OK);
    assert_int_equal(sup_animation_close(animation, NULL), SUP_OK);
    assert_int_equal(sup_mesh_load(NULL, &gate, "a.glb", &mesh, NULL), SUP_OK);
    is_cloud(&mesh, 2);
    failing_wipe(&disk);
}

static void usd_points(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(sup_usda_open(NULL, &gate, "a.usda", 2, both, 30, &animation, NULL), SUP_OK);
    write_both(animation);
    char* text = text_of(&disk, "a.usda");
    assert_non_null(strstr(text, "    def Mesh \"flag\"\n"));
    assert_non_null(strstr(text, "    def Points \"swarm\"\n"
                                 "    {\n"
                                 "        float3[] extent.timeSamples = {\n"
                                 "            0: [(2.75, -0.25, -0.25), (4.25, 0.25, 1.25)],\n"
                                 "            1: [(2.75, 1.75, -0.25), (4.25, 2.75, 1.25)],\n"
                                 "            2: [(2.75, 3.75, -0.25), (4.25, 5.25, 1.25)],\n"
                                 "        }\n"
                                 "        point3f[] points.timeSamples = {\n"
                                 "            0: [(3, 0, 1), (4, 0, 0)],\n"
                                 "            1: [(3, 2, 1), (4, 2.5, 0)],\n"
                                 "            2: [(3, 4, 1), (4, 5, 0)],\n"
                                 "        }\n"
                                 "        color3f[] primvars:displayColor = [(0, 1, 0)] (\n"
                                 "            interpolation = \"constant\"\n"
                                 "        )\n"
                                 "        float[] widths = [0.5] (\n"
                                 "            interpolation = \"constant\"\n"
                                 "        )\n"
                                 "    }\n"));
    free(text);
    failing_wipe(&disk);
}

/* Extents and widths stay numbers at the end of floats. */
static void usd_of_far_points(void** state) {
    (void)state;
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_vec3 points[2] = {{-FLT_MAX, 0, 0}, {FLT_MAX, FLT_MAX, 0}};
    sup_mesh mesh = {.point_count = 2, .points = points};
    assert_int_equal(sup_mesh_save(NULL, &gate, "a.usda", &mesh, NULL), SUP_OK);
    char* text = text_of(&disk, "a.usda");
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "nan"));
    free(text);
    failing_wipe(&disk);
}

/* The bytes of an array of a .vtu are searched for: cells of the flag, then one for each point. */
static void vtk_vertices(void** state) {
    (void)state;
    static const uint8_t cells[] = {
        20, 0, 0, 0, 0, 0, 0, 0,                                      /* connectivity */
        0,  0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0,  /* corners */
        12, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0,  /* offsets */
        3,  0, 0, 0, 0, 0, 0, 0, 5, 1, 1,                             /* types */
        12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}; /* surfaces */
    failing_disk disk = {0};
    sup_file_gate gate = failing_gate(&disk);
    sup_animation* animation = NULL;
    assert_int_equal(sup_pvd_open(NULL, &gate, "a.pvd", 2, both, 30, &animation, NULL), SUP_OK);
    write_both(animation);
    const failing_file* file = failing_find(&disk, "a-000001.vtu");
    assert_non_null(file);
    char* text = text_of(&disk, "a-000001.vtu");
    assert_non_null(strstr(text, "NumberOfPoints=\"5\" NumberOfCells=\"3\""));
    free(text);
    bool found = false;
    for (size_t at = 0; !found && at + sizeof cells <= file->size; at++) {
        found = memcmp(file->bytes + at, cells, sizeof cells) == 0;
    }
    assert_true(found);
    failing_wipe(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_without_faces), cmocka_unit_test(caches_and_gltf),
        cmocka_unit_test(gltf_of_points_alone),   cmocka_unit_test(usd_points),
        cmocka_unit_test(usd_of_far_points),      cmocka_unit_test(vtk_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
