/* The drawn surface of soft substance, on demand. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/mesh.h"
#include "supple/mesh.h"
#include "world/blobs.h"

#include <string.h>

/* Points relative to `origin` instead of the anchor. */
static void copy_points(const supi_body* body, const supi_blob_surface* s, const double origin[3],
                        sup_vec3* out) {
    double shift[3];
    for (int k = 0; k < 3; k++) shift[k] = body->anchor[k] - origin[k];
    for (int32_t i = 0; i < s->point_count; i++) {
        out[i] = (sup_vec3){(float)((double)s->points[i].x + shift[0]),
                            (float)((double)s->points[i].y + shift[1]),
                            (float)((double)s->points[i].z + shift[2])};
    }
}

static sup_result take_surface(const sup_world* world, const supi_body* body,
                               const double origin[3], sup_mesh* mesh, sup_vec3** normals,
                               sup_error* error) {
    const supi_blob_surface* s = &body->soft->drawn;
    size_t points = (size_t)s->point_count;
    sup_mesh made;
    sup_vec3* directions = NULL;
    if (!supi_mesh_new(world->allocator, s->point_count, s->triangle_count, 3 * s->triangle_count,
                       &made)) {
        return supi_error_memory(error);
    }
    if (normals && points > 0) {
        directions = supi_memory_new(world->allocator, points, sizeof *directions);
        if (!directions) {
            sup_mesh_free(&made);
            return supi_error_memory(error);
        }
        memcpy(directions, s->normals, points * sizeof *directions);
    }
    copy_points(body, s, origin, made.points);
    for (int32_t t = 0; t <= s->triangle_count; t++) made.starts[t] = 3 * t;
    if (points > 0) {
        memcpy(made.corners, s->corners, 3 * (size_t)s->triangle_count * sizeof *s->corners);
    }
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
            ? take_surface(world, body, origin, mesh, normals, error)
            : supi_error_memory(error);
    supi_float_mode_leave(mode);
    return result;
}
