/* The surface of a body: made from numbers or read from a file, scaled, checked. */
#include "base/error.h"
#include "scene/build.h"
#include "supple/mesh.h"
#include "supple/tets.h"

#include <string.h>

const char* supi_shape_name(const supi_shape_draft* shape) {
    static const char* const names[] = {"box",  "icosphere", "torus",  "capsule", "grid",
                                        "mesh", "rope",      "voxels", "rig"};
    return shape->kind == SUPI_SHAPE_MODEL ? sup_model_name(shape->model) : names[shape->kind];
}

const char* supi_shape_path(supi_arena* store, const char* scene_path, const char* file) {
    const char* slash = strrchr(scene_path, '/');
    if (file[0] == '/' || !slash) return supi_reader_keep(store, file, strlen(file));
    size_t folder = (size_t)(slash - scene_path) + 1, length = strlen(file);
    char* path = supi_arena_push(store, folder + length + 1, 1);
    if (!path) return NULL;
    memcpy(path, scene_path, folder);
    memcpy(path + folder, file, length);
    return path;
}

/* A surface, or the outside of tetrahedra. */
static sup_result load(const sup_allocator* allocator, const sup_file_gate* files, const char* path,
                       sup_mesh* out, sup_error* error) {
    if (!sup_tets_is_file(path)) return sup_mesh_load(allocator, files, path, out, error);
    sup_tets tets;
    sup_result result = sup_tets_load(allocator, files, path, &tets, NULL, error);
    if (result != SUP_OK) return result;
    result = sup_tets_outside(allocator, &tets, out, error);
    sup_tets_free(&tets);
    return result;
}

static sup_result make(const sup_allocator* allocator, const sup_file_gate* files,
                       const supi_shape_draft* shape, const char* path, sup_mesh* out,
                       sup_error* error) {
    const int32_t* segments = shape->segments;
    switch (shape->kind) {
    case SUPI_SHAPE_BOX: return sup_mesh_box(allocator, shape->size, segments, out, error);
    case SUPI_SHAPE_ICOSPHERE:
        return sup_mesh_icosphere(allocator, shape->radius, shape->subdivisions, out, error);
    case SUPI_SHAPE_TORUS:
        return sup_mesh_torus(allocator, shape->radius, shape->tube, segments[0], segments[1], out,
                              error);
    case SUPI_SHAPE_CAPSULE:
        return sup_mesh_capsule(allocator, shape->radius, shape->length, segments[0], shape->rings,
                                shape->rows, out, error);
    case SUPI_SHAPE_GRID:
        return sup_mesh_grid(allocator, shape->size[0], shape->size[1], segments[0], segments[1],
                             out, error);
    case SUPI_SHAPE_MESH: return load(allocator, files, path, out, error);
    case SUPI_SHAPE_MODEL:
        return sup_mesh_model(allocator, shape->model, shape->detail, out, error);
    case SUPI_SHAPE_ROPE:
    case SUPI_SHAPE_VOXELS:
    case SUPI_SHAPE_RIG: break; /* see weave.c and fit.c */
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown shape");
}

/* A surface that is to be filled must not have holes once its seams are closed. */
static sup_result check_closed(const supi_reader* reader, const supi_body_draft* body,
                               const sup_mesh* mesh) {
    if (body->fill <= 0) return SUP_OK;
    const supi_json* place = supi_reader_place(body->place, "fill");
    if (mesh->polygon_count == 0) {
        return supi_reader_fail(reader, place,
                                "\"fill\" needs a closed surface, but %.200s is a cloud of points",
                                body->shape.file);
    }
    const sup_allocator* allocator = reader->store->allocator;
    sup_mesh welded;
    sup_weld_map map;
    sup_mesh_report report;
    sup_error cause;
    sup_result result = sup_mesh_weld(allocator, mesh, body->weld, &welded, &map, &cause);
    if (result == SUP_OK) {
        result = sup_mesh_inspect(allocator, &welded, &report, &cause);
        sup_mesh_free(&welded);
        sup_weld_map_free(&map);
    }
    if (result != SUP_OK) return supi_reader_wrap(reader, place, &cause);
    if (report.boundary_edge_count == 0) return SUP_OK;
    return supi_reader_fail(reader, place,
                            "\"fill\" needs a closed surface, but this %s has %d open edges",
                            supi_shape_name(&body->shape), (int)report.boundary_edge_count);
}

sup_result supi_shape_mesh(const supi_reader* reader, const sup_file_gate* files,
                           const supi_body_draft* body, const char* path, sup_mesh* out) {
    static const double still[4] = {0, 0, 0, 1}, origin[3] = {0, 0, 0};
    const supi_shape_draft* shape = &body->shape;
    sup_error cause;
    sup_result result = make(reader->store->allocator, files, shape, path, out, &cause);
    if (result != SUP_OK) {
        return supi_reader_wrap(reader, supi_reader_place(shape->place, "file"), &cause);
    }
    sup_mesh_transform(out, body->scale, still, origin);
    result = check_closed(reader, body, out);
    if (result != SUP_OK) sup_mesh_free(out);
    return result;
}
