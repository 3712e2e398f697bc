/* The polygons of a surface: whether they can be trusted, and how they are cut into triangles. */
#ifndef SUPPLE_FILE_POLYGONS_H
#define SUPPLE_FILE_POLYGONS_H

#include "supple/files.h"

/* A mesh as the surface of files that want a name and a colour; the spheres of a cloud are small in
   its box. */
sup_surface supi_polygons_of(const sup_mesh* mesh);

/* Is it drawn as spheres, for want of polygons? */
static inline bool supi_polygons_is_cloud(const sup_surface* surface) {
    return surface->polygon_count == 0;
}

/* Refuses polygons of fewer than 3 corners and corners that are no points. `name` begins the
   message. */
sup_result supi_polygons_check(const sup_surface* surface, const char* name, sup_error* error);

/* A polygon of n corners is cut into a fan of n - 2 triangles about its first corner. */
int64_t supi_polygons_triangle_count(const sup_surface* surface);

/* The triangles one after the other: begin with {surface}, false after the last. */
typedef struct supi_triangles {
    const sup_surface* surface;
    int32_t polygon;
    int32_t cut; /* triangles of this polygon so far */
} supi_triangles;
bool supi_triangles_next(supi_triangles* at, int32_t corners[3]);

#endif
