/* STL, binary: 80 bytes that must not begin with "solid", as a text would, the number of triangles,
   then for each one its normal, its three places and two spare bytes. */
#include "file/stl_write.h"

#include <math.h>

#include "file/polygons.h"

#define HEADER_SIZE 80

/* Of unit length; all zero for a triangle without area. Double, so that squares of far points do
   not overflow. */
static sup_vec3 normal_of(const sup_vec3 p[3]) {
    double ax = (double)p[1].x - p[0].x, ay = (double)p[1].y - p[0].y, az = (double)p[1].z - p[0].z;
    double bx = (double)p[2].x - p[0].x, by = (double)p[2].y - p[0].y, bz = (double)p[2].z - p[0].z;
    double x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx;
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return (sup_vec3){0, 0, 0};
    return (sup_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
}

static void put_header(supi_writer* out) {
    uint64_t start = out->written;
    supi_writer_print(out, "Supple %s, metres", sup_version());
    while (out->result == SUP_OK && out->written - start < HEADER_SIZE) {
        supi_writer_put(out, "", 1);
    }
}

void supi_stl_put(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    put_header(out);
    supi_writer_put_u32(out, (uint32_t)supi_polygons_triangle_count(surface));
    supi_triangles at = {surface, 0, 0};
    for (int32_t corners[3]; supi_triangles_next(&at, corners);) {
        sup_vec3 places[3] = {points[corners[0]], points[corners[1]], points[corners[2]]};
        sup_vec3 normal = normal_of(places);
        supi_writer_put_points(out, &normal, 1);
        supi_writer_put_points(out, places, 3);
        supi_writer_put(out, "\0", 2);
    }
}
