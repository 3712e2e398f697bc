/* What the files about meshes share: room for one, its check, its box, the size of
   its polygons. */
#ifndef SUPPLE_GEOM_MESH_H
#define SUPPLE_GEOM_MESH_H

#include "supple/mesh.h"

/* The allocator that a public function was given, or the default one for NULL. */
const sup_allocator* supi_mesh_allocator(const sup_allocator* allocator);

/* A mesh with zeroed arrays of these sizes; false (nothing changed) when memory is short. */
bool supi_mesh_new(const sup_allocator* allocator, int32_t point_count, int32_t polygon_count,
                   int32_t corner_count, sup_mesh* out);

/* The same with arrays of anything, which the caller writes whole. */
bool supi_mesh_take(const sup_allocator* allocator, int32_t point_count, int32_t polygon_count,
                    int32_t corner_count, sup_mesh* out);

/* Refuses what sup_mesh_create refuses. A sup_mesh is a plain struct, so a user may have filled it
   by hand. */
sup_result supi_mesh_check(const sup_mesh* mesh, sup_error* error);

/* The box of all points; all zero without points. */
void supi_mesh_bounds(const sup_mesh* mesh, double low[3], double high[3]);

/* Whether a closed surface is inside out; a leaf of two sides has no volume but rounding. */
static inline bool supi_mesh_inside_out(const sup_mesh_report* report) {
    return report->volume < -1e-9 * report->area * report->mean_edge;
}

/* The normal of a polygon, as long as twice its area. It is a fan about its first corner whose
   normals add up before their length is taken, so a flat polygon need not be convex. */
void supi_mesh_normal(const sup_mesh* mesh, int32_t polygon, double out[3]);

/* The volume inside a closed surface, m^3; measured from a place in its midst, where the terms are
   smallest. */
double supi_mesh_volume(const sup_mesh* mesh, const double middle[3]);

#endif
