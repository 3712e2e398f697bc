/* Meshes of a glTF file: primitives with their points, indices and morph targets. */
#include "base/error.h"
#include "file/gltf_scene.h"

/* --- structure --- */

/* The accessor of the points in an object of attributes; NULL when there is none. */
static sup_result read_positions(const supi_gltf* gltf, const supi_json* attributes,
                                 const supi_gltf_accessor** positions) {
    int32_t index;
    sup_result result = supi_gltf_index(gltf, attributes, "POSITION", gltf->accessor_count, &index);
    if (result == SUP_OK) *positions = index < 0 ? NULL : &gltf->accessors[index];
    return result;
}

/* The number of targets is that of the first primitive. */
static sup_result read_targets(supi_gltf* gltf, supi_gltf_mesh* mesh,
                               supi_gltf_primitive* primitive) {
    supi_gltf_table table;
    sup_result result = supi_gltf_table_read(gltf, primitive->place, "targets", &table);
    if (result != SUP_OK) return result;
    if (primitive == mesh->primitives) mesh->target_count = table.count;
    if (table.count != mesh->target_count) {
        return supi_gltf_fail(gltf, primitive->place,
                              "the primitive has %d targets, but the first one of its mesh has %d",
                              (int)table.count, (int)mesh->target_count);
    }
    primitive->targets =
        supi_arena_push(&gltf->store, (size_t)table.count, sizeof *primitive->targets);
    if (!primitive->targets) return supi_error_memory(gltf->error);
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_positions(gltf, table.rows[i], &primitive->targets[i]);
    }
    return result;
}

static sup_result read_primitive(supi_gltf* gltf, const supi_json* place, supi_gltf_mesh* mesh,
                                 supi_gltf_primitive* primitive) {
    const supi_json* attributes;
    int32_t indices;
    int64_t mode = SUPI_GLTF_TRIANGLES;
    primitive->place = place;
    sup_result result = supi_gltf_needed(gltf, place, "attributes", SUPI_JSON_OBJECT, &attributes);
    if (result == SUP_OK) result = read_positions(gltf, attributes, &primitive->positions);
    if (result == SUP_OK) {
        result = supi_gltf_index(gltf, place, "indices", gltf->accessor_count, &indices);
    }
    if (result == SUP_OK) result = supi_gltf_integer(gltf, place, "mode", 0, 6, &mode);
    if (result == SUP_OK) result = read_targets(gltf, mesh, primitive);
    if (result != SUP_OK) return result;
    primitive->indices = indices < 0 ? NULL : &gltf->accessors[indices];
    primitive->mode = (int32_t)mode;
    return SUP_OK;
}

/* Primitives that differ in their material only often lie over the same points. */
static bool same_points(const supi_gltf_mesh* mesh, const supi_gltf_primitive* a,
                        const supi_gltf_primitive* b) {
    if (a->positions != b->positions) return false;
    for (int32_t i = 0; i < mesh->target_count; i++) {
        if (a->targets[i] != b->targets[i]) return false;
    }
    return true;
}

static sup_result read_mesh(supi_gltf* gltf, const supi_json* place, supi_gltf_mesh* mesh) {
    supi_gltf_table table;
    bool given;
    mesh->place = place;
    sup_result result = supi_gltf_table_read(gltf, place, "primitives", &table);
    if (result != SUP_OK) return result;
    if (table.count == 0) return supi_gltf_fail(gltf, place, "the mesh has no primitives");
    mesh->primitives = supi_arena_push(&gltf->store, (size_t)table.count, sizeof *mesh->primitives);
    if (!mesh->primitives) return supi_error_memory(gltf->error);
    mesh->primitive_count = table.count;
    for (int32_t i = 0; i < table.count; i++) {
        supi_gltf_primitive* primitive = &mesh->primitives[i];
        result = read_primitive(gltf, table.rows[i], mesh, primitive);
        if (result != SUP_OK) return result;
        primitive->shares_points = i > 0 && same_points(mesh, primitive, primitive - 1);
    }
    mesh->weights =
        supi_arena_push(&gltf->store, (size_t)mesh->target_count, sizeof *mesh->weights);
    if (!mesh->weights) return supi_error_memory(gltf->error);
    return supi_gltf_numbers(gltf, place, "weights", mesh->target_count, mesh->weights, &given);
}

sup_result supi_gltf_meshes_read(supi_gltf* gltf, supi_gltf_scene* scene) {
    supi_gltf_table table;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "meshes", &table);
    if (result != SUP_OK) return result;
    scene->meshes = supi_arena_push(&gltf->store, (size_t)table.count, sizeof *scene->meshes);
    if (!scene->meshes) return supi_error_memory(gltf->error);
    scene->mesh_count = table.count;
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_mesh(gltf, table.rows[i], &scene->meshes[i]);
    }
    return result;
}

/* --- checks before the first use --- */

static sup_result check_points(supi_gltf* gltf, const supi_gltf_accessor* points, int32_t count) {
    bool whole = points->component != SUPI_GLTF_FLOAT;
    if (points->width != 3 || (whole && !gltf->quantized) || points->component == SUPI_GLTF_UINT) {
        return supi_gltf_fail(gltf, points->place, "\"POSITION\" must be VEC3 of floats");
    }
    if (points->count != count) {
        return supi_gltf_fail(gltf, points->place, "the target has %d points, its primitive %d",
                              (int)points->count, (int)count);
    }
    return supi_gltf_accessor_check(gltf, points);
}

static sup_result check_indices(supi_gltf* gltf, const supi_gltf_accessor* indices) {
    bool whole = indices->component == SUPI_GLTF_UBYTE || indices->component == SUPI_GLTF_USHORT ||
                 indices->component == SUPI_GLTF_UINT;
    if (indices->width != 1 || !whole || indices->normalized) {
        return supi_gltf_fail(gltf, indices->place,
                              "\"indices\" must be SCALAR of unsigned integers");
    }
    return supi_gltf_accessor_check(gltf, indices);
}

static sup_result check_mode(const supi_gltf* gltf, const supi_gltf_primitive* primitive) {
    static const char* const others[] = {"", "lines", "a loop of lines", "a strip of lines"};
    if (primitive->mode == SUPI_GLTF_POINTS) return SUP_OK;
    if (primitive->mode < SUPI_GLTF_TRIANGLES) {
        return supi_gltf_fail(gltf, primitive->place,
                              "the primitive is %s; only points, triangles, their "
                              "strips and fans make a mesh",
                              others[primitive->mode]);
    }
    int32_t count = supi_gltf_index_count(primitive);
    bool whole = primitive->mode == SUPI_GLTF_TRIANGLES ? count % 3 == 0 : count >= 3;
    if (whole) return SUP_OK;
    return supi_gltf_fail(gltf, primitive->place, "%d corners do not make whole triangles",
                          (int)count);
}

static sup_result check_primitive(supi_gltf* gltf, const supi_gltf_primitive* primitive,
                                  int32_t target_count) {
    const supi_gltf_accessor* positions = primitive->positions;
    if (!positions) return supi_gltf_fail(gltf, primitive->place, "\"POSITION\" is missing");
    sup_result result = primitive->indices ? check_indices(gltf, primitive->indices) : SUP_OK;
    if (result == SUP_OK) result = check_mode(gltf, primitive);
    if (result == SUP_OK) result = check_points(gltf, positions, positions->count);
    for (int32_t i = 0; i < target_count && result == SUP_OK; i++) {
        const supi_gltf_accessor* target = primitive->targets[i];
        if (target) result = check_points(gltf, target, positions->count);
    }
    return result;
}

sup_result supi_gltf_mesh_check(supi_gltf* gltf, supi_gltf_mesh* mesh) {
    for (int32_t i = 0; i < mesh->primitive_count && !mesh->checked; i++) {
        sup_result result = check_primitive(gltf, &mesh->primitives[i], mesh->target_count);
        if (result != SUP_OK) return result;
    }
    mesh->checked = true;
    return SUP_OK;
}
