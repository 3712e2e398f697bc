/* The drawn surface of soft substance, on demand. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/mesh.h"
#include "supple/mesh.h"
#include "world/blobs.h"

/* The surface that was just found, in arrays of the caller's. */
static sup_result write_surface(const sup_world* world, const supi_body* body,
                                const supi_blob_field* field, const double origin[3],
                                sup_mesh* mesh, sup_vec3** normals, sup_error* error) {
    supi_blob_surface* s = &body->soft->drawn;
    sup_mesh made;
    sup_vec3* directions = NULL;
    if (!supi_mesh_take(world->allocator, s->point_count, s->triangle_count, 3 * s->triangle_count,
                        &made)) {
        return supi_error_memory(error);
    }
    if (normals && s->point_count > 0) {
        directions = supi_memory_take(world->allocator, (size_t)s->point_count, sizeof *directions);
        if (!directions) {
            sup_mesh_free(&made);
            return supi_error_memory(error);
        }
    }
    supi_blob_mesh out = {.points = made.points, .normals = directions, .corners = made.corners};
    for (int k = 0; k < 3; k++) out.shift[k] = body->anchor[k] - origin[k];
    supi_blob_surface_write(s, world->tasks, supi_blob_field_kernels_find(world->kernels->simd),
                            field, &out);
    for (int32_t t = 0; t <= s->triangle_count; t++) made.starts[t] = 3 * t;
    *mesh = made;
    if (normals) *normals = directions;
    return SUP_OK;
}

sup_result sup_body_find_surface(const sup_world* world, sup_body handle, const double origin[3],
                                 sup_mesh* mesh, sup_vec3** normals, sup_error* error) {
    SUPI_NEED(error, world, mesh);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!body->soft) return supi_error_set(error, SUP_BAD_ARGUMENT, SUPI_NO_BLOB);
    supi_float_mode mode = supi_float_mode_enter();
    supi_blob_field field = supi_blobs_field(world, body);
    sup_result result =
        supi_blob_surface_find(&body->soft->drawn, world->allocator, world->tasks,
                               supi_blob_field_kernels_find(world->kernels->simd), &field)
            ? write_surface(world, body, &field, origin, mesh, normals, error)
            : supi_error_memory(error);
    supi_float_mode_leave(mode);
    return result;
}
