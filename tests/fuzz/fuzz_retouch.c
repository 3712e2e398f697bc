/* Files written again with other points (PLY, GLB and glTF by how they begin, else OBJ), and OBJ
   with other faces: what comes out must be readable, and be what was meant. */
#include "file/retouch.h"
#include "fuzz/disk.h"
#include "fuzz/meshes.h"
#include "fuzz/stages.h"
#include "supple/deform.h"

#define OUT "d/o"
#define FAR 1e6f /* m: numbers that leave room for a motion */

typedef enum kind { OBJ, PLY, GLB } kind;

static kind kind_of(const uint8_t* data, size_t size) {
    if (size >= 3 && memcmp(data, "ply", 3) == 0) return PLY;
    if (size >= 4 && (data[0] == '{' || memcmp(data, "glTF", 4) == 0)) return GLB;
    return OBJ;
}

static sup_result parse(kind k, const sup_allocator* allocator, const sup_file_gate* gate,
                        const uint8_t* data, size_t size, sup_mesh* mesh, sup_error* error) {
    if (k == PLY) return sup_ply_parse(allocator, "f", data, size, mesh, error);
    if (k == GLB) return sup_glb_parse(allocator, gate, "f", data, size, mesh, error);
    return sup_obj_parse(allocator, "f", data, size, mesh, error);
}

static void check_faces(const sup_mesh* a, const sup_mesh* b) {
    FUZZ_REQUIRE(a->point_count == b->point_count && a->polygon_count == b->polygon_count);
    FUZZ_REQUIRE(a->corner_count == b->corner_count);
    for (int32_t i = 0; i < a->corner_count; i++) FUZZ_REQUIRE(a->corners[i] == b->corners[i]);
    for (int32_t i = 0; i < a->polygon_count; i++) FUZZ_REQUIRE(a->starts[i] == b->starts[i]);
}

/* Reads what was written. Points of a GLB have gone through the frames of its nodes. */
static void check_written(kind k, fuzz_disk* disk, const sup_mesh* meant) {
    const fuzz_disk_file* file = fuzz_disk_find(disk, OUT);
    sup_error error;
    sup_mesh back;
    FUZZ_REQUIRE(file != NULL);
    FUZZ_MUST(parse(k, NULL, &disk->gate, file->data, file->size, &back, &error));
    check_faces(meant, &back);
    for (int32_t i = 0; k != GLB && i < back.point_count; i++) {
        sup_vec3 a = meant->points[i], b = back.points[i];
        FUZZ_REQUIRE(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    sup_mesh_free(&back);
}

/* Every second point moves. */
static void move_points(kind k, fuzz_disk* disk, const uint8_t* data, size_t size,
                        const sup_mesh* mesh) {
    sup_error error = {0};
    sup_mesh meant;
    supi_writer out;
    const sup_allocator* allocator = sup_allocator_default();
    FUZZ_MUST(sup_mesh_create(NULL, mesh->point_count, mesh->points, mesh->polygon_count,
                              mesh->starts, mesh->corners, &meant, &error));
    for (int32_t i = 0; i < meant.point_count; i += 2) {
        sup_vec3* p = &meant.points[i];
        if (fabsf(p->x) < FAR && fabsf(p->y) < FAR) *p = (sup_vec3){p->x + 0.5f, -p->y, p->z};
    }
    FUZZ_MUST(supi_writer_begin(&out, &disk->gate, allocator, OUT, &error));
    sup_result result = SUP_OK;
    if (k == OBJ) supi_obj_retouch(&out, data, size, mesh, meant.points);
    if (k == PLY)
        result = supi_ply_retouch(&out, allocator, "f", data, size, mesh, meant.points, &error);
    if (k == GLB)
        result = supi_glb_retouch(&out, allocator, &disk->gate, "f", data, size, mesh, meant.points,
                                  &error);
    FUZZ_REQUIRE(result == SUP_OK || (k != OBJ && result == SUP_UNSUPPORTED));
    if (result == SUP_OK) {
        FUZZ_MUST(supi_writer_commit(&out, &error));
        check_written(k, disk, &meant);
    }
    supi_writer_abort(&out);
    sup_mesh_free(&meant);
}

/* One point is pulled so far that edges split. */
static void change_faces(fuzz_disk* disk, const uint8_t* data, size_t size, const sup_mesh* mesh) {
    sup_error error = {0};
    supi_obj_detail detail;
    sup_clay_def def = sup_clay_default();
    sup_pull_def pull = sup_pull_default();
    sup_clay* clay;
    const sup_allocator* allocator = sup_allocator_default();
    sup_result result = supi_obj_detail_read(&detail, allocator, "f", data, size, mesh, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    float* values = calloc((size_t)mesh->corner_count + 1, SUPI_OBJ_CORNER * sizeof *values);
    def.values = values;
    def.value_width = SUPI_OBJ_CORNER;
    if (result == SUP_OK) result = sup_clay_create(NULL, mesh, &def, &clay, &error);
    if (result == SUP_OK) {
        sup_mesh after;
        sup_clay_maps maps;
        supi_writer out;
        const int32_t point = mesh->point_count / 2;
        const sup_vec3 by = {0.3f, 1.0f, 2.0f};
        pull.transfer = 0.3;
        pull.split = 1.1;
        pull.split_budget = 16;
        pull.passes = 2;
        pull.squeeze = data[size / 2] & 1 ? SUP_SQUEEZE_COLLAPSE : SUP_SQUEEZE_KEEP;
        FUZZ_MUST(sup_clay_pull(clay, &pull, 1, &point, &by, NULL, &error));
        FUZZ_MUST(sup_clay_mesh(clay, NULL, &after, &maps, &error));
        const supi_obj_change change = {mesh, &after, maps.points, maps.polygons, maps.values};
        FUZZ_MUST(supi_writer_begin(&out, &disk->gate, allocator, OUT, &error));
        FUZZ_REQUIRE(supi_obj_recast(&out, allocator, data, size, &detail, &change));
        FUZZ_MUST(supi_writer_commit(&out, &error));
        supi_writer_abort(&out);
        check_written(OBJ, disk, &after);
        sup_clay_maps_free(&maps);
        sup_mesh_free(&after);
        sup_clay_destroy(clay);
    }
    free(values);
    supi_obj_detail_free(&detail);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_disk disk;
    const sup_file_gate* gate = fuzz_disk_begin(&disk);
    sup_error error = {0};
    sup_mesh mesh;
    kind k = kind_of(data, size);
    if (parse(k, NULL, gate, data, size, &mesh, &error) == SUP_OK) {
        if (mesh.point_count <= FUZZ_MESH_USED) {
            move_points(k, &disk, data, size, &mesh);
            if (k == OBJ) change_faces(&disk, data, size, &mesh);
        }
        sup_mesh_free(&mesh);
    }
    fuzz_disk_end(&disk);
    return 0;
}
