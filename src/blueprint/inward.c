/* Normals are weighted by the angles of triangles at the point: they do not depend on how a surface
   is cut into triangles. */
#include "blueprint/inward.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/vector.h"

#define STEP_IN 1e-3 /* of the mean edge: where a way begins, clear of the triangles around it */

int32_t supi_inward_cut(const sup_mesh* mesh, int32_t* out) {
    int32_t count = 0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        for (int32_t c = mesh->starts[k] + 1; c + 1 < mesh->starts[k + 1]; c++, count++) {
            if (!out) continue;
            out[3 * count] = mesh->corners[mesh->starts[k]];
            out[3 * count + 1] = mesh->corners[c];
            out[3 * count + 2] = mesh->corners[c + 1];
        }
    }
    return count;
}

/* Adds a triangle to the normals of its corners; returns the sum of its edges. */
static double add_triangle(supi_inward* inward, const int32_t triangle[3]) {
    double corner[3][3], edge[3][3], normal[3], sum = 0.0;
    for (int k = 0; k < 3; k++) supi_vector_from(&inward->points[triangle[k]], corner[k]);
    for (int k = 0; k < 3; k++) {
        supi_vector_subtract(corner[(k + 1) % 3], corner[k], edge[k]);
        sum += supi_vector_length(edge[k]);
    }
    supi_vector_cross(edge[0], edge[1], normal);
    double length = supi_vector_length(normal);
    if (length == 0.0) return sum;
    for (int k = 0; k < 3; k++) {
        double angle = supi_atan2(length, -supi_vector_dot(edge[k], edge[(k + 2) % 3]));
        double* at = inward->normals[triangle[k]];
        for (int i = 0; i < 3; i++) at[i] += angle * (normal[i] / length);
    }
    return sum;
}

bool supi_inward_build(const sup_allocator* allocator, int32_t point_count, const sup_vec3* points,
                       int32_t triangle_count, const int32_t* triangles, supi_inward* out) {
    supi_inward inward = {.allocator = allocator,
                          .point_count = point_count,
                          .triangle_count = triangle_count,
                          .points = points,
                          .triangles = triangles};
    inward.normals = supi_memory_new(allocator, (size_t)point_count, sizeof *inward.normals);
    if (!inward.normals ||
        !supi_bvh_build(allocator, points, triangles, triangle_count, &inward.tree)) {
        supi_inward_free(&inward);
        return false;
    }
    double sum = 0.0;
    for (int32_t t = 0; t < triangle_count; t++) sum += add_triangle(&inward, triangles + 3 * t);
    for (int32_t p = 0; p < point_count; p++) {
        double* normal = inward.normals[p];
        double length = supi_vector_length(normal);
        for (int k = 0; k < 3; k++) normal[k] = length > 0.0 ? normal[k] / length : 0.0;
    }
    float low[3], high[3];
    supi_bvh_bounds(&inward.tree, low, high);
    for (int k = 0; k < 3; k++) inward.far += (double)high[k] - (double)low[k];
    inward.mean_edge = sum / (3.0 * triangle_count);
    *out = inward;
    return true;
}

void supi_inward_free(supi_inward* inward) {
    supi_memory_free(inward->allocator, inward->normals, (size_t)inward->point_count,
                     sizeof *inward->normals);
    supi_bvh_free(&inward->tree);
    *inward = (supi_inward){0};
}

bool supi_inward_cast(const supi_inward* inward, int32_t point, int32_t* triangle, double* distance,
                      double weights[3]) {
    double p[3], from[3], to[3], t, begin = STEP_IN * inward->mean_edge;
    const double* normal = inward->normals[point];
    if (supi_vector_dot(normal, normal) == 0.0) return false;
    supi_vector_from(&inward->points[point], p);
    for (int k = 0; k < 3; k++) {
        from[k] = p[k] - begin * normal[k];
        to[k] = p[k] - inward->far * normal[k];
    }
    if (!supi_bvh_cross(&inward->tree, supi_vector_round(from[0], from[1], from[2]),
                        supi_vector_round(to[0], to[1], to[2]), triangle, &t, weights)) {
        return false;
    }
    *distance = begin + t * (inward->far - begin);
    return true;
}
