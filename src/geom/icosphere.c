/* Icosphere: every triangle of an icosahedron cut into four, again and again, its points pushed out
   to the sphere. */
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/shapes.h"
#include "geom/topology.h"
#include "geom/vector.h"

#define GOLDEN 1.618033988749895

/* The three mirror planes of the axes are mirror planes of the solid. */
static const double icosahedron_points[12][3] = {
    {-1.0, GOLDEN, 0.0}, {1.0, GOLDEN, 0.0}, {-1.0, -GOLDEN, 0.0}, {1.0, -GOLDEN, 0.0},
    {0.0, -1.0, GOLDEN}, {0.0, 1.0, GOLDEN}, {0.0, -1.0, -GOLDEN}, {0.0, 1.0, -GOLDEN},
    {GOLDEN, 0.0, -1.0}, {GOLDEN, 0.0, 1.0}, {-GOLDEN, 0.0, -1.0}, {-GOLDEN, 0.0, 1.0}};

static const int32_t icosahedron_corners[60] = {
    0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
    4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
    6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};

static void normalise(double p[3]) {
    double length = supi_vector_length(p);
    for (int k = 0; k < 3; k++) p[k] /= length;
}

/* Triangles of the next level; each edge gets its middle as point old_count + edge. The meshes here
   have no points of their own: those are in `unit`, in double. */
static void divide(const sup_mesh* mesh, const supi_edges* edges, int32_t old_count,
                   int32_t* middles, double (*unit)[3], sup_mesh* finer) {
    for (int32_t e = 0; e < edges->edge_count; e++) {
        int32_t side = edges->sides[edges->starts[e]];
        const double* a = unit[mesh->corners[side]];
        const double* b = unit[mesh->corners[edges->next[side]]];
        double* middle = unit[old_count + e];
        for (int k = 0; k < 3; k++) middle[k] = a[k] + b[k];
        normalise(middle);
        for (int32_t s = edges->starts[e]; s < edges->starts[e + 1]; s++) {
            middles[edges->sides[s]] = old_count + e;
        }
    }
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t *c = mesh->corners + 3 * k, *m = middles + 3 * k;
        const int32_t four[12] = {c[0], m[0], m[2], c[1], m[1], m[0],
                                  c[2], m[2], m[1], m[0], m[1], m[2]};
        memcpy(finer->corners + 12 * k, four, sizeof four);
    }
    for (int32_t k = 0; k <= finer->polygon_count; k++) finer->starts[k] = 3 * k;
}

/* Replaces the mesh by the next level; false (nothing changed) when memory is short. */
static bool refine(sup_mesh* mesh, double (*unit)[3], int32_t* point_count) {
    const sup_allocator* allocator = mesh->allocator;
    size_t corners = (size_t)mesh->corner_count;
    supi_edges edges;
    sup_mesh finer;
    if (!supi_topology_edges(allocator, mesh, &edges)) return false;
    int32_t* middles = supi_memory_new(allocator, corners, sizeof(int32_t));
    bool enough = middles && supi_mesh_new(allocator, 0, 4 * mesh->polygon_count,
                                           4 * mesh->corner_count, &finer);
    if (enough) {
        divide(mesh, &edges, *point_count, middles, unit, &finer);
        *point_count += edges.edge_count;
        sup_mesh_free(mesh);
        *mesh = finer;
    }
    supi_memory_free(allocator, middles, corners, sizeof(int32_t));
    supi_topology_free(&edges);
    return enough;
}

/* The triangles, and in `unit` the points of the unit sphere. */
static bool build(const sup_allocator* allocator, int32_t subdivisions, double (*unit)[3],
                  sup_mesh* out) {
    sup_mesh mesh;
    if (!supi_mesh_new(allocator, 0, 20, 60, &mesh)) return false;
    memcpy(mesh.corners, icosahedron_corners, sizeof icosahedron_corners);
    for (int32_t k = 0; k <= 20; k++) mesh.starts[k] = 3 * k;
    int32_t point_count = 12;
    memcpy(unit, icosahedron_points, sizeof icosahedron_points);
    for (int32_t i = 0; i < 12; i++) normalise(unit[i]);
    for (int32_t level = 0; level < subdivisions; level++) {
        if (!refine(&mesh, unit, &point_count)) {
            sup_mesh_free(&mesh);
            return false;
        }
    }
    *out = mesh;
    return true;
}

sup_result sup_mesh_icosphere(const sup_allocator* allocator, double radius, int32_t subdivisions,
                              sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, out);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = supi_shapes_check_size("the radius of an icosphere", radius, error);
    if (result == SUP_OK) {
        result =
            supi_shapes_check_count("the subdivisions of an icosphere", subdivisions, 0, 8, error);
    }
    if (result != SUP_OK) return result;
    int32_t point_count = 10 * (1 << 2 * subdivisions) + 2;
    size_t size = (size_t)point_count;
    double(*unit)[3] = supi_memory_new(allocator, size, sizeof *unit);
    sup_vec3* points = supi_memory_new(allocator, size, sizeof *points);
    sup_mesh mesh;
    bool enough = unit && points && build(allocator, subdivisions, unit, &mesh);
    if (enough) {
        for (int32_t i = 0; i < point_count; i++) {
            points[i] =
                supi_vector_round(radius * unit[i][0], radius * unit[i][1], radius * unit[i][2]);
        }
        supi_memory_free(allocator, mesh.points, 0, sizeof *points);
        mesh.points = points;
        mesh.point_count = point_count;
        *out = mesh;
    } else {
        supi_memory_free(allocator, points, size, sizeof *points);
    }
    supi_memory_free(allocator, unit, size, sizeof *unit);
    return enough ? SUP_OK : supi_error_memory(error);
}
