/* A mesh as a value: made, checked, moved and given back. */
#include "geom/mesh.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/vector.h"

const sup_allocator* supi_mesh_allocator(const sup_allocator* allocator) {
    return allocator ? allocator : sup_allocator_default();
}

bool supi_mesh_take(const sup_allocator* allocator, int32_t point_count, int32_t polygon_count,
                    int32_t corner_count, sup_mesh* out) {
    sup_mesh mesh = {.allocator = allocator,
                     .point_count = point_count,
                     .polygon_count = polygon_count,
                     .corner_count = corner_count};
    mesh.points = supi_memory_take(allocator, (size_t)point_count, sizeof(sup_vec3));
    mesh.starts = supi_memory_take(allocator, (size_t)polygon_count + 1, sizeof(int32_t));
    mesh.corners = supi_memory_take(allocator, (size_t)corner_count, sizeof(int32_t));
    if (!mesh.points || !mesh.starts || !mesh.corners) {
        sup_mesh_free(&mesh);
        return false;
    }
    *out = mesh;
    return true;
}

bool supi_mesh_new(const sup_allocator* allocator, int32_t point_count, int32_t polygon_count,
                   int32_t corner_count, sup_mesh* out) {
    if (!supi_mesh_take(allocator, point_count, polygon_count, corner_count, out)) return false;
    memset(out->points, 0, (size_t)point_count * sizeof *out->points);
    memset(out->starts, 0, ((size_t)polygon_count + 1) * sizeof *out->starts);
    memset(out->corners, 0, (size_t)corner_count * sizeof *out->corners);
    return true;
}

void sup_mesh_free(sup_mesh* mesh) {
    if (!mesh || !mesh->allocator) return;
    supi_memory_free(mesh->allocator, mesh->points, (size_t)mesh->point_count, sizeof(sup_vec3));
    supi_memory_free(mesh->allocator, mesh->starts, (size_t)mesh->polygon_count + 1,
                     sizeof(int32_t));
    supi_memory_free(mesh->allocator, mesh->corners, (size_t)mesh->corner_count, sizeof(int32_t));
    *mesh = (sup_mesh){0};
}

static sup_result check_polygons(const sup_mesh* mesh, sup_error* error) {
    if (mesh->starts[0] != 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the first polygon must start at corner 0");
    }
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        int64_t size = (int64_t)mesh->starts[k + 1] - mesh->starts[k];
        if (size < 3) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "polygon %d has %lld corners, it needs at least 3", (int)k,
                                  (long long)size);
        }
    }
    if (mesh->starts[mesh->polygon_count] != mesh->corner_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the polygons end at corner %d, but there are %d corners",
                              (int)mesh->starts[mesh->polygon_count], (int)mesh->corner_count);
    }
    for (int32_t k = 0; k < mesh->corner_count; k++) {
        if (mesh->corners[k] < 0 || mesh->corners[k] >= mesh->point_count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "corner %d names point %d, but there are %d points", (int)k,
                                  (int)mesh->corners[k], (int)mesh->point_count);
        }
    }
    return SUP_OK;
}

sup_result supi_mesh_check(const sup_mesh* mesh, sup_error* error) {
    if (mesh->point_count < 0 || mesh->polygon_count < 0 || mesh->corner_count < 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a mesh has a negative count");
    }
    if ((mesh->point_count > 0 && !mesh->points) || !mesh->starts ||
        (mesh->corner_count > 0 && !mesh->corners)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "an array of the mesh is missing");
    }
    for (int32_t i = 0; i < mesh->point_count; i++) {
        const sup_vec3* p = &mesh->points[i];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "point %d is not finite", (int)i);
        }
    }
    return check_polygons(mesh, error);
}

sup_result sup_mesh_create(const sup_allocator* allocator, int32_t point_count,
                           const sup_vec3* points, int32_t polygon_count, const int32_t* starts,
                           const int32_t* corners, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, out);
    if (point_count < 0 || polygon_count < 0 || (!starts && polygon_count > INT32_MAX / 3)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a mesh cannot have %d points and %d polygons", (int)point_count,
                              (int)polygon_count);
    }
    int32_t corner_count = starts ? starts[polygon_count] : 3 * polygon_count;
    if (corner_count < 0 || (corner_count > 0 && !corners) || (point_count > 0 && !points)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "an array of the mesh is missing");
    }
    sup_mesh mesh;
    if (!supi_mesh_new(supi_mesh_allocator(allocator), point_count, polygon_count, corner_count,
                       &mesh)) {
        return supi_error_memory(error);
    }
    if (point_count > 0) memcpy(mesh.points, points, (size_t)point_count * sizeof *points);
    if (corner_count > 0) memcpy(mesh.corners, corners, (size_t)corner_count * sizeof *corners);
    for (int32_t k = 0; k <= polygon_count; k++) mesh.starts[k] = starts ? starts[k] : 3 * k;
    sup_result result = supi_mesh_check(&mesh, error);
    if (result == SUP_OK) {
        *out = mesh;
    } else {
        sup_mesh_free(&mesh);
    }
    return result;
}

static void reverse_polygon(int32_t* corners, int32_t count) {
    for (int32_t i = 1, j = count - 1; i < j; i++, j--) {
        int32_t swap = corners[i];
        corners[i] = corners[j];
        corners[j] = swap;
    }
}

void sup_mesh_transform(sup_mesh* mesh, const double scale[3], const double rotation[4],
                        const double offset[3]) {
    double w = rotation[3];
    for (int32_t i = 0; i < mesh->point_count; i++) {
        double p[3], once[3], twice[3];
        supi_vector_from(&mesh->points[i], p);
        for (int k = 0; k < 3; k++) p[k] *= scale[k];
        /* q p q* = p + 2 w (r x p) + 2 r x (r x p) with q = (r, w). */
        supi_vector_cross(rotation, p, once);
        supi_vector_cross(rotation, once, twice);
        for (int k = 0; k < 3; k++) p[k] += 2.0 * (w * once[k] + twice[k]) + offset[k];
        mesh->points[i] = supi_vector_round(p[0], p[1], p[2]);
    }
    /* A mirror turns the surface inside out; turning the polygons round keeps outward outward. */
    bool mirrors = ((scale[0] < 0.0) != (scale[1] < 0.0)) != (scale[2] < 0.0);
    for (int32_t k = 0; mirrors && k < mesh->polygon_count; k++) {
        reverse_polygon(mesh->corners + mesh->starts[k], mesh->starts[k + 1] - mesh->starts[k]);
    }
}

void supi_mesh_bounds(const sup_mesh* mesh, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) low[k] = high[k] = 0.0;
    for (int32_t i = 0; i < mesh->point_count; i++) {
        double p[3];
        supi_vector_from(&mesh->points[i], p);
        for (int k = 0; k < 3; k++) {
            if (i == 0 || p[k] < low[k]) low[k] = p[k];
            if (i == 0 || p[k] > high[k]) high[k] = p[k];
        }
    }
}

void supi_mesh_normal(const sup_mesh* mesh, int32_t polygon, double out[3]) {
    const int32_t* corners = mesh->corners + mesh->starts[polygon];
    double a[3], ab[3], c[3], ac[3], turn[3];
    for (int k = 0; k < 3; k++) out[k] = 0.0;
    supi_vector_from(&mesh->points[corners[0]], a);
    supi_vector_from(&mesh->points[corners[1]], ab);
    supi_vector_subtract(ab, a, ab);
    for (int32_t i = 2; i < mesh->starts[polygon + 1] - mesh->starts[polygon]; i++) {
        supi_vector_from(&mesh->points[corners[i]], c);
        supi_vector_subtract(c, a, ac);
        supi_vector_cross(ab, ac, turn);
        for (int k = 0; k < 3; k++) out[k] += turn[k], ab[k] = ac[k];
    }
}

double supi_mesh_volume(const sup_mesh* mesh, const double middle[3]) {
    double volume = 0.0;
    for (int32_t polygon = 0; polygon < mesh->polygon_count; polygon++) {
        double a[3], normal[3];
        supi_vector_from(&mesh->points[mesh->corners[mesh->starts[polygon]]], a);
        supi_vector_subtract(a, middle, a);
        supi_mesh_normal(mesh, polygon, normal);
        volume += supi_vector_dot(a, normal) / 6.0;
    }
    return volume;
}
