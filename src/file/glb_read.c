/* GLB and glTF as a mesh: the triangles of all parts of the scene in one; where all parts are
   points, a cloud. The indices are walked twice: first to check and count them, then, with arrays
   of the exact size, to fill them. */
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "file/gltf_scene.h"
#include "file/mesh_arrays.h"
#include "supple/files.h"

typedef struct glb_reader {
    supi_gltf gltf;
    supi_gltf_scene scene;
    sup_mesh* mesh; /* NULL in the first walk */
    int64_t triangle_count;
} glb_reader;

/* A transform that mirrors turns the triangles round. */
static bool is_mirrored(const double m[12]) {
    double determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                         m[2] * (m[4] * m[9] - m[5] * m[8]);
    return determinant < 0;
}

/* Which of the indices are the corners of triangle k. Every second one of a strip runs backwards.
 */
static void triangle_at(int32_t mode, int32_t k, int32_t at[3]) {
    bool backwards = mode == SUPI_GLTF_STRIP && k % 2 == 1;
    int32_t first = mode == SUPI_GLTF_TRIANGLES ? 3 * k : k;
    at[0] = mode == SUPI_GLTF_FAN ? 0 : first;
    at[1] = first + (backwards ? 2 : 1);
    at[2] = first + (backwards ? 1 : 2);
}

/* Triangles without area by their indices, as strips have them at their joints, are left out. */
static void put_triangle(glb_reader* reader, const int32_t corners[3]) {
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) return;
    if (reader->mesh) {
        int32_t start = reader->mesh->starts[reader->triangle_count];
        memcpy(reader->mesh->corners + start, corners, 3 * sizeof *corners);
        reader->mesh->starts[reader->triangle_count + 1] = start + 3;
    }
    reader->triangle_count++;
}

/* The indices of a part as numbers in the scratch. */
static sup_result read_indices(const glb_reader* reader, const supi_gltf_part* part) {
    const supi_gltf_primitive* primitive = part->primitive;
    int32_t count = supi_gltf_index_count(primitive), points = primitive->positions->count;
    double* indices = reader->scene.scratch;
    for (int32_t i = 0; i < count; i++) indices[i] = primitive->indices ? 0 : i;
    if (!primitive->indices) return SUP_OK;
    supi_gltf_accessor_add(primitive->indices, 1, indices);
    for (int32_t i = 0; i < count; i++) {
        if (indices[i] < points) continue;
        return supi_gltf_fail(&reader->gltf, primitive->indices->place,
                              "index %d is %lld, but there are %d points", (int)i,
                              (long long)indices[i], (int)points);
    }
    return SUP_OK;
}

static sup_result read_triangles(glb_reader* reader) {
    reader->triangle_count = 0;
    for (int32_t p = 0; p < reader->scene.part_count; p++) {
        const supi_gltf_part* part = &reader->scene.parts[p];
        sup_result result = read_indices(reader, part);
        if (result != SUP_OK) return result;
        const double* indices = reader->scene.scratch;
        bool mirrored = is_mirrored(part->node->to_scene);
        int32_t count = supi_gltf_triangle_count(part->primitive);
        for (int32_t k = 0; k < count; k++) {
            int32_t at[3], corners[3];
            triangle_at(part->primitive->mode, k, at);
            for (int i = 0; i < 3; i++) {
                int32_t index = at[mirrored ? 2 * i % 3 : i]; /* 0, 2, 1 */
                corners[i] = part->first_point + (int32_t)indices[index];
            }
            put_triangle(reader, corners);
        }
    }
    return SUP_OK;
}

static bool has_cloud(const supi_gltf_scene* scene) {
    for (int32_t p = 0; p < scene->part_count; p++) {
        if (scene->parts[p].primitive->mode == SUPI_GLTF_POINTS) return true;
    }
    return false;
}

static sup_result read_points(const glb_reader* reader) {
    for (int32_t p = 0; p < reader->scene.part_count; p++) {
        const supi_gltf_part* part = &reader->scene.parts[p];
        if (part->primitive->shares_points) continue;
        sup_result result =
            supi_gltf_part_pose(&reader->gltf, &reader->scene, part, part->node->weights,
                                reader->mesh->points + part->first_point);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

/* What the file tells of bones and of time, which a mesh does not know. */
static uint32_t find_ignored(const glb_reader* reader) {
    const supi_json* animations = supi_json_find(reader->gltf.json.root, "animations");
    bool moves = animations && animations->child_count > 0;
    return (reader->scene.has_skins ? SUP_MESH_SKINS : 0u) | (moves ? SUP_MESH_ANIMATIONS : 0u);
}

static sup_result read_mesh(glb_reader* reader, sup_mesh* mesh) {
    const supi_gltf* gltf = &reader->gltf;
    sup_result result = supi_gltf_scene_read(&reader->gltf, &reader->scene);
    if (result == SUP_OK) result = read_triangles(reader);
    if (result != SUP_OK) return result;
    if (reader->triangle_count == 0 && !has_cloud(&reader->scene)) {
        return supi_gltf_fail(gltf, gltf->json.root, "the scene has no triangles and no points");
    }
    if (reader->triangle_count > INT32_MAX / 3) {
        return supi_gltf_fail(gltf, gltf->json.root, "the scene has too many triangles");
    }
    int32_t triangles = (int32_t)reader->triangle_count;
    if (!supi_mesh_arrays_new(gltf->allocator, reader->scene.point_count, triangles, 3 * triangles,
                              mesh)) {
        return supi_error_memory(gltf->error);
    }
    mesh->ignored = find_ignored(reader);
    reader->mesh = mesh;
    read_triangles(reader); /* cannot fail: the same bytes have just passed */
    result = read_points(reader);
    if (result != SUP_OK) supi_mesh_arrays_free(mesh);
    return result;
}

sup_result sup_glb_parse(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* name, const uint8_t* bytes, size_t size, sup_mesh* out,
                         sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    glb_reader reader = {0};
    sup_mesh mesh;
    sup_result result = supi_gltf_open(&reader.gltf, allocator, files, name, bytes, size, error);
    if (result == SUP_OK) result = read_mesh(&reader, &mesh);
    result = supi_gltf_close(&reader.gltf, result);
    if (result != SUP_OK) return result;
    *out = mesh;
    out->allocator = allocator;
    return SUP_OK;
}
