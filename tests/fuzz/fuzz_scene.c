/* Scene files: text -> draft -> world, which is then driven and stepped. Beside the scene lie a
   cube and its clip in every format. */
#include <math.h>

#include "file/json.h"
#include "fuzz/disk.h"
#include "fuzz/stages.h"
#include "scene/draft.h"
#include "supple/scene.h"

/* Larger worlds are built, as far as memory goes, but not stepped: that would only be slow. */
enum { MEMORY = 2 << 20, STEPS = 10, PARTICLES_MOST = 400, SUBSTEPS_MOST = 16, POINTS_MOST = 64 };

#define SCENE "d/s.json"

/* ---- Files ---- */

static void write_frames(sup_animation* animation, const sup_mesh* mesh) {
    sup_vec3 points[8];
    for (int frame = 0; frame < 3; frame++) {
        memcpy(points, mesh->points, sizeof points);
        for (int i = 0; i < 4; i++) points[i].y += 0.1f * (float)frame;
        FUZZ_MUST(sup_animation_frame(animation, points, NULL));
    }
    FUZZ_MUST(sup_animation_close(animation, NULL));
}

static void put_file(const sup_file_gate* gate, const char* path, const char* bytes, size_t size) {
    void* file;
    FUZZ_MUST(gate->open(gate->user, path, SUP_FILE_CREATE, &file));
    FUZZ_MUST(gate->write(gate->user, file, bytes, size));
    FUZZ_MUST(gate->close(gate->user, file));
}

static const char two_tets[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "5 1 1 1\n$EndNodes\n$Elements\n2\n1 4 2 0 0 1 3 2 4\n2 4 2 0 0 2 3 4 5\n$EndElements\n";

/* cube.obj, cube.pc2, cube.glb, the eight voxels of cube.raw and two tetrahedra in the folder of
   the scene, written once. */
static const sup_file_gate* files(void) {
    static fuzz_disk disk;
    if (disk.gate.open) return &disk.gate;
    const sup_file_gate* gate = fuzz_disk_begin(&disk);
    sup_mesh mesh;
    sup_animation* animation;
    FUZZ_MUST(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}, &mesh, NULL));
    sup_surface surface = {.name = "cube",
                           .point_count = mesh.point_count,
                           .polygon_count = mesh.polygon_count,
                           .starts = mesh.starts,
                           .corners = mesh.corners};
    FUZZ_REQUIRE(mesh.point_count == 8);
    FUZZ_MUST(sup_pc2_open(NULL, gate, "d/cube.obj", 1, &surface, 30, &animation, NULL));
    write_frames(animation, &mesh);
    FUZZ_MUST(sup_glb_open(NULL, gate, "d/cube.glb", 1, &surface, 30, 3, 3, &animation, NULL));
    write_frames(animation, &mesh);
    sup_mesh_free(&mesh);
    put_file(gate, "d/cube.raw", "\0\1\1\1\1\1\1\2", 8);
    put_file(gate, "d/two.msh", two_tets, sizeof two_tets - 1);
    return gate;
}

/* ---- Reading ---- */

/* JSON and draft alone: all that is there before the first mesh is made, within the bound of a
   reader. */
static sup_result read_draft(const uint8_t* data, size_t size, sup_error* error) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    supi_json_document document;
    sup_result result = supi_json_parse(allocator, SCENE, data, size, &document, error);
    if (result == SUP_OK) {
        supi_arena store;
        supi_arena_init(&store, allocator);
        supi_reader reader = {SCENE, &store, error};
        supi_scene_draft draft;
        result = supi_draft_read(&reader, document.root, &draft);
        supi_arena_free(&store);
        supi_json_free(&document);
    }
    fuzz_memory_end(&memory);
    return result;
}

/* ---- Using ---- */

static void ask(sup_scene* scene) {
    sup_scene_info info = sup_scene_get_info(scene);
    int32_t surface_count;
    sup_scene_surfaces(scene, &surface_count);
    FUZZ_REQUIRE(surface_count == info.body_count);
    FUZZ_REQUIRE(sup_world_bodies(sup_scene_world(scene), NULL, 0) == info.body_count);
    FUZZ_REQUIRE(sup_world_colliders(sup_scene_world(scene), NULL, 0) == info.collider_count);
    sup_scene_camera camera = sup_scene_get_camera(scene);
    for (int k = 0; k < 3; k++) {
        FUZZ_REQUIRE(isfinite(camera.from[k]) && isfinite(camera.look_at[k]));
    }
    for (int32_t i = -1; i <= info.entry_count; i++)
        FUZZ_REQUIRE(sup_scene_get_entry(scene, i).name);
    for (int32_t i = -1; i <= info.collider_count; i++) {
        sup_vec3 points[POINTS_MOST];
        sup_scene_collider collider = sup_scene_get_collider(scene, i);
        FUZZ_REQUIRE(collider.name);
        if (collider.def.mesh && collider.def.mesh->point_count > POINTS_MOST) continue;
        sup_result result = sup_scene_read_collider_points(scene, i, points);
        FUZZ_REQUIRE((result == SUP_OK) == (collider.def.mesh != NULL));
    }
    for (int32_t i = -1; i <= info.body_count; i++) {
        const char* name;
        sup_scene_get_body(scene, i, &name);
        FUZZ_REQUIRE(name);
    }
    if (info.vertex_count <= POINTS_MOST) {
        sup_vec3 vertices[POINTS_MOST];
        FUZZ_MUST(sup_scene_read_vertices(scene, vertices));
    }
    for (int32_t i = -1; i <= info.attachment_count; i++) {
        double held[3], holder[3];
        FUZZ_REQUIRE(sup_scene_get_attachment(scene, i).name);
        sup_scene_read_attachment(scene, i, held, holder);
    }
    for (int32_t i = 0; sup_scene_note(scene, i); i++) {
        FUZZ_REQUIRE(strncmp(sup_scene_note(scene, i), SCENE ":", strlen(SCENE) + 1) == 0);
    }
    FUZZ_REQUIRE(strcmp(sup_scene_file(scene, 0), SCENE) == 0);
}

static void run(sup_scene* scene) {
    sup_scene_info info = sup_scene_get_info(scene);
    sup_error error = {0};
    if (info.particle_count > PARTICLES_MOST || info.substeps > SUBSTEPS_MOST) return;
    for (int32_t frame = 1; frame <= STEPS; frame++) {
        sup_result result = sup_scene_drive(scene, frame, &error);
        FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
        result = sup_world_step(sup_scene_world(scene), 1.0 / info.fps);
        FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
        if (result != SUP_OK) return;
    }
    fuzz_check_world(sup_scene_world(scene));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sup_error drafted = {0}, error = {0};
    sup_result draft = read_draft(data, size, &drafted);
    fuzz_memory memory;
    sup_scene_options options = sup_scene_options_default();
    options.allocator = fuzz_memory_begin_refusing(&memory, MEMORY);
    options.files = files();
    sup_scene* scene;
    fuzz_mark(&scene, sizeof scene);
    sup_result result = sup_scene_parse(&options, SCENE, data, size, &scene, &error);
    if (draft != SUP_OK) {
        FUZZ_REQUIRE(draft == SUP_BAD_FILE && result == draft);
        FUZZ_REQUIRE(strcmp(error.text, drafted.text) == 0 && error.line > 0);
    }
    if (result == SUP_OK) {
        ask(scene);
        run(scene);
        sup_scene_free(scene);
    } else {
        fuzz_check_refusal(result, &error, SCENE, &scene, sizeof scene);
    }
    fuzz_memory_end(&memory);
    return 0;
}
