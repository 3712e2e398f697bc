/* PLY, binary_little_endian 1.0: a header of text, the points, then the corners of each polygon
   behind their number. That number is a byte where it fits, which is the form every reader knows. A
   cloud is points alone. */
#include "file/ply_write.h"

#include "file/polygons.h"

static bool numbers_fit_bytes(const sup_surface* surface) {
    for (int32_t k = 0; k < surface->polygon_count; k++) {
        if (surface->starts[k + 1] - surface->starts[k] > UINT8_MAX) return false;
    }
    return true;
}

static void put_header(supi_writer* out, const sup_surface* surface, bool bytes) {
    supi_writer_print(out,
                      "ply\nformat binary_little_endian 1.0\ncomment Supple %s\n"
                      "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n",
                      sup_version(), (int)surface->point_count);
    if (!supi_polygons_is_cloud(surface)) {
        supi_writer_print(out, "element face %d\nproperty list %s int vertex_indices\n",
                          (int)surface->polygon_count, bytes ? "uchar" : "int");
    }
    supi_writer_print(out, "end_header\n");
}

void supi_ply_put(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    bool bytes = numbers_fit_bytes(surface);
    put_header(out, surface, bytes);
    supi_writer_put_points(out, points, (size_t)surface->point_count);
    for (int32_t k = 0; k < surface->polygon_count; k++) {
        int32_t first = surface->starts[k], end = surface->starts[k + 1];
        if (bytes) {
            uint8_t number = (uint8_t)(end - first);
            supi_writer_put(out, &number, 1);
        } else {
            supi_writer_put_u32(out, (uint32_t)(end - first));
        }
        for (int32_t c = first; c < end; c++) {
            supi_writer_put_u32(out, (uint32_t)surface->corners[c]);
        }
    }
}
