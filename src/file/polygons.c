/* See polygons.h. */
#include "file/polygons.h"

#include <math.h>

#include "base/error.h"
#include "file/box.h"

/* Radius of a cloud's spheres where nobody tells it, as a share of the diagonal of its box. */
#define POINT_SHARE 0.005

static float point_radius(const sup_mesh* mesh) {
    if (mesh->polygon_count != 0 || mesh->point_count < 1 || !mesh->points) return 0.0f;
    sup_vec3 low, high;
    supi_box_of(mesh->points, mesh->point_count, &low, &high);
    double x = (double)high.x - low.x, y = (double)high.y - low.y, z = (double)high.z - low.z;
    return (float)(POINT_SHARE * sqrt(x * x + y * y + z * z));
}

sup_surface supi_polygons_of(const sup_mesh* mesh) {
    static const int32_t none[1] = {0};
    bool bare = mesh->polygon_count == 0;
    return (sup_surface){.name = "mesh",
                         .point_count = mesh->point_count,
                         .polygon_count = mesh->polygon_count,
                         .starts = bare ? none : mesh->starts,
                         .corners = bare ? none : mesh->corners,
                         .colour = {0.8f, 0.8f, 0.8f},
                         .roughness = 0.5f,
                         .point_radius = point_radius(mesh)};
}

sup_result supi_polygons_check(const sup_surface* surface, const char* name, sup_error* error) {
    const int32_t* starts = surface->starts;
    if (starts[0] != 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: starts[0] must be 0", name);
    }
    for (int32_t k = 0; k < surface->polygon_count; k++) {
        if (starts[k + 1] < starts[k] || starts[k + 1] - starts[k] < 3) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "%.300s: polygon %d has fewer than 3 corners", name, k);
        }
        if (starts[k + 1] > starts[surface->polygon_count]) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "%.300s: polygon %d ends behind the last corner", name, k);
        }
        for (int32_t c = starts[k]; c < starts[k + 1]; c++) {
            int32_t corner = surface->corners[c];
            if (corner < 0 || corner >= surface->point_count) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "%.300s: polygon %d names point %d, but there are %d", name,
                                      k, corner, surface->point_count);
            }
        }
    }
    return SUP_OK;
}

int64_t supi_polygons_triangle_count(const sup_surface* surface) {
    int64_t corners = surface->starts[surface->polygon_count];
    return corners - 2 * (int64_t)surface->polygon_count;
}

bool supi_triangles_next(supi_triangles* at, int32_t corners[3]) {
    const sup_surface* surface = at->surface;
    if (at->polygon == surface->polygon_count) return false;
    const int32_t* polygon = surface->corners + surface->starts[at->polygon];
    int32_t count = surface->starts[at->polygon + 1] - surface->starts[at->polygon];
    corners[0] = polygon[0];
    corners[1] = polygon[at->cut + 1];
    corners[2] = polygon[at->cut + 2];
    at->cut++;
    if (at->cut == count - 2) at->polygon++, at->cut = 0;
    return true;
}
