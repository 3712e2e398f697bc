/* Choosing the writer of a mesh by the ending of the file's name. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file_io.h"
#include "file/ending.h"
#include "file/obj_write.h"
#include "file/ply_write.h"
#include "file/polygons.h"
#include "file/stl_write.h"
#include "file/vtu_write.h"

/* One pose has no speed; the animation writers want one all the same. */
#define ANY_FPS 60.0

static void put_obj(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    supi_obj_put(out, 1, surface, points, NULL);
}

static void put_vtu(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    supi_vtu_put(out, 1, surface, points, NULL);
}

/* A file without motion is put in one go; glTF and USD are an animation of one frame. */
typedef struct mesh_format {
    const char* ending;
    bool points_alone; /* it can hold points without polygons */
    void (*put)(supi_writer* out, const sup_surface* surface, const sup_vec3* points);
} mesh_format;

static const mesh_format formats[] = {
    {".obj", true, put_obj},       {".ply", true, supi_ply_put}, {".vtu", true, put_vtu},
    {".stl", false, supi_stl_put}, {".glb", true, NULL},         {".usda", true, NULL},
};
#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

static const mesh_format* format_of(const char* path) {
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (supi_ending_is(path, formats[i].ending)) return &formats[i];
    }
    return NULL;
}

/* A sup_mesh is a plain struct, so a user may have filled it by hand. */
static sup_result check_mesh(const char* path, const mesh_format* format, const sup_mesh* mesh,
                             const sup_surface* surface, sup_error* error) {
    const char* fault = NULL;
    if (mesh->point_count < 1 || !mesh->points) {
        fault = "the mesh has no points";
    } else if (mesh->polygon_count < 0 || !surface->starts || !surface->corners) {
        fault = "the mesh lacks its polygons";
    } else if (mesh->polygon_count == 0 && !format->points_alone) {
        fault = "it holds triangles, but the mesh has no polygons; other formats hold clouds";
    } else if (surface->starts[surface->polygon_count] != mesh->corner_count) {
        fault = "the last of the mesh's starts must be its corner_count";
    }
    if (fault) return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: %s", path, fault);
    for (int32_t i = 0; i < mesh->point_count; i++) {
        sup_vec3 p = mesh->points[i];
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: point %d is not finite", path, i);
    }
    return supi_polygons_check(surface, path, error);
}

static sup_result save_alone(const sup_allocator* allocator, const sup_file_gate* files,
                             const char* path, const mesh_format* format,
                             const sup_surface* surface, const sup_vec3* points, sup_error* error) {
    supi_writer out;
    sup_result result = supi_writer_begin(&out, files, allocator, path, error);
    if (result != SUP_OK) return result;
    format->put(&out, surface, points);
    return supi_writer_commit(&out, error);
}

static sup_result save_as_animation(const sup_allocator* allocator, const sup_file_gate* files,
                                    const char* path, const sup_surface* surface,
                                    const sup_vec3* points, sup_error* error) {
    sup_animation* animation = NULL;
    sup_result result =
        supi_ending_is(path, ".glb")
            ? sup_glb_open(allocator, files, path, 1, surface, ANY_FPS, 1, 2, &animation, error)
            : sup_usda_open(allocator, files, path, 1, surface, ANY_FPS, &animation, error);
    if (result != SUP_OK) return result;
    result = sup_animation_frame(animation, points, error);
    if (result == SUP_OK) return sup_animation_close(animation, error);
    sup_animation_abort(animation);
    return result;
}

sup_result sup_mesh_save(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, const sup_mesh* mesh, sup_error* error) {
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    if (!path || !mesh) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "path and mesh must not be NULL");
    }
    const mesh_format* format = format_of(path);
    if (!format) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.200s: the name of a mesh file to write must end in .obj, .ply, "
                              ".stl, .glb, .vtu or .usda",
                              path);
    }
    sup_surface surface = supi_polygons_of(mesh);
    sup_result result = check_mesh(path, format, mesh, &surface, error);
    if (result != SUP_OK) return result;
    if (!format->put)
        return save_as_animation(allocator, files, path, &surface, mesh->points, error);
    return save_alone(allocator, files, path, format, &surface, mesh->points, error);
}
