/* The mesh of a rig as geometry sees it. */
#include "base/memory.h"
#include "base/real.h"
#include "blueprint/fit.h"
#include "geom/mesh.h"
#include "geom/vector.h"
#include "supple/mesh.h"

#include <math.h>

#define LATTICE_MOST 3.5e6 /* points in the box; sup_mesh_fill takes 4 million */
#define LATTICE_LEAST 2e5  /* thin parts want them, and few particles equal shares */

static int32_t triangle_count(const sup_mesh* mesh) {
    return mesh->corner_count - 2 * mesh->polygon_count;
}

/* Fans about first corners, turned round where the surface is inside out. */
static void cut_polygons(const sup_mesh* mesh, bool flip, int32_t* triangles) {
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++, triangles += 3) {
            triangles[0] = corners[0];
            triangles[1] = corners[flip ? i : i - 1];
            triangles[2] = corners[flip ? i - 1 : i];
        }
    }
}

static void sum_areas(supi_rig_shape* shape) {
    double sum = 0.0;
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        const int32_t* ids = shape->triangles + 3 * (size_t)t;
        double a[3], ab[3], ac[3], normal[3];
        supi_vector_from(&shape->points[ids[0]], a);
        supi_vector_from(&shape->points[ids[1]], ab);
        supi_vector_from(&shape->points[ids[2]], ac);
        supi_vector_subtract(ab, a, ab);
        supi_vector_subtract(ac, a, ac);
        supi_vector_cross(ab, ac, normal);
        sum += 0.5 * supi_vector_length(normal);
        shape->sums[t] = sum;
    }
    shape->area = sum;
}

/* Points of no polygon go where one has a corner: they are neither drawn nor in the way. */
static void take_points(const sup_mesh* mesh, sup_vec3* points) {
    int32_t first = mesh->corner_count > 0 ? mesh->corners[0] : 0;
    for (int32_t i = 0; i < mesh->point_count; i++) points[i] = mesh->points[first];
    for (int32_t i = 0; i < mesh->corner_count; i++) {
        points[mesh->corners[i]] = mesh->points[mesh->corners[i]];
    }
}

/* Sizes of the box, and its middle. */
static void measure(const sup_mesh_report* report, supi_rig_shape* shape, double middle[3]) {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, extent[3];
    for (int32_t i = 0; i < shape->point_count; i++) {
        double x[3];
        supi_vector_from(&shape->points[i], x);
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 || x[k] < low[k] ? x[k] : low[k];
            high[k] = i == 0 || x[k] > high[k] ? x[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (low[k] + high[k]);
    supi_vector_subtract(high, low, extent);
    shape->size = supi_vector_length(extent);
    shape->box_volume = 1.0;
    for (int k = 0; k < 3; k++) {
        double least = 1e-3 * shape->size;
        shape->box_volume *= extent[k] > least ? extent[k] : least;
    }
    shape->closed = report->boundary_edge_count == 0 && shape->triangle_count > 0;
    shape->open_edges = report->boundary_edge_count;
}

void supi_rig_shape_free(const sup_allocator* allocator, supi_rig_shape* shape) {
    size_t count = (size_t)shape->triangle_count;
    supi_memory_free(allocator, shape->points, (size_t)shape->point_count, sizeof *shape->points);
    supi_memory_free(allocator, shape->triangles, 3 * count, sizeof *shape->triangles);
    supi_memory_free(allocator, shape->sums, count, sizeof *shape->sums);
    supi_bvh_free(&shape->tree);
    *shape = (supi_rig_shape){0};
}

/* From points that have been joined. */
static sup_result make(const sup_allocator* allocator, const sup_mesh* mesh,
                       const sup_mesh_report* report, supi_rig_shape* out, sup_error* error) {
    supi_rig_shape shape = {.point_count = mesh->point_count,
                            .triangle_count = triangle_count(mesh)};
    size_t count = (size_t)shape.triangle_count;
    shape.points = supi_memory_new(allocator, (size_t)mesh->point_count, sizeof *shape.points);
    shape.triangles = supi_memory_new(allocator, 3 * count, sizeof *shape.triangles);
    shape.sums = supi_memory_new(allocator, count, sizeof *shape.sums);
    bool made = shape.points && shape.triangles && shape.sums;
    if (made) {
        double middle[3];
        take_points(mesh, shape.points);
        measure(report, &shape, middle);
        double volume = supi_mesh_volume(mesh, middle);
        cut_polygons(mesh, volume < 0.0 && shape.closed, shape.triangles);
        sum_areas(&shape);
        shape.volume = shape.closed ? fabs(volume) : 0.0;
        made = count == 0 || supi_bvh_build(allocator, shape.points, shape.triangles,
                                            shape.triangle_count, &shape.tree);
    }
    if (!made) {
        supi_rig_shape_free(allocator, &shape);
        return supi_error_memory(error);
    }
    *out = shape;
    return SUP_OK;
}

sup_result supi_rig_shape_make(const sup_allocator* allocator, const sup_mesh* mesh,
                               supi_rig_shape* out, sup_error* error) {
    sup_mesh welded;
    sup_mesh_report report;
    sup_result result = sup_mesh_weld(allocator, mesh, -1.0, &welded, NULL, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_inspect(allocator, &welded, &report, error);
    if (result == SUP_OK) result = make(allocator, &welded, &report, out, error);
    sup_mesh_free(&welded);
    return result;
}

/* ---- Lattice ---- */

static sup_result fill(sup_rig* rig, double step, sup_error* error) {
    const supi_rig_shape* shape = &rig->shape;
    sup_mesh mesh;
    sup_result result =
        sup_mesh_create(rig->allocator, shape->point_count, shape->points, shape->triangle_count,
                        NULL, shape->triangles, &mesh, error);
    if (result != SUP_OK) return result;
    sup_vec3* points = NULL;
    int32_t count = 0;
    result = sup_mesh_fill(rig->allocator, &mesh, step, 0.0, &points, &count, error);
    sup_mesh_free(&mesh);
    if (result != SUP_OK) return result;
    sup_points_free(rig->allocator, rig->lattice, rig->lattice_count);
    rig->lattice = points;
    rig->lattice_count = count;
    rig->lattice_step = step;
    return SUP_OK;
}

sup_result supi_rig_check_closed(const sup_rig* rig, sup_error* error) {
    if (rig->shape.closed) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the mesh has %d open edge%s: nothing is inside; spray its surface",
                          (int)rig->shape.open_edges, rig->shape.open_edges == 1 ? "" : "s");
}

sup_result supi_rig_lattice(sup_rig* rig, double step, const sup_vec3** points, int32_t* count,
                            sup_error* error) {
    sup_result closed = supi_rig_check_closed(rig, error);
    if (closed != SUP_OK) return closed;
    double finest = supi_cbrt(rig->shape.box_volume / LATTICE_MOST);
    double coarsest = supi_cbrt(rig->shape.box_volume / LATTICE_LEAST);
    step = step > finest ? step : finest;
    step = step < coarsest ? step : coarsest;
    bool there =
        rig->lattice_step > 0.0 && rig->lattice_step <= step && rig->lattice_step >= 0.5 * step;
    sup_result result = there ? SUP_OK : fill(rig, step, error);
    *points = rig->lattice;
    *count = rig->lattice_count;
    return result;
}
