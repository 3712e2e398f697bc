/* Making and dropping the arrays of a mesh. */
#include "file/mesh_arrays.h"

#include "base/memory.h"

bool supi_mesh_arrays_new(const sup_allocator* allocator, int32_t point_count,
                          int32_t polygon_count, int32_t corner_count, sup_mesh* mesh) {
    *mesh = (sup_mesh){.allocator = allocator,
                       .point_count = point_count,
                       .polygon_count = polygon_count,
                       .corner_count = corner_count};
    mesh->points = supi_memory_new(allocator, (size_t)point_count, sizeof *mesh->points);
    mesh->starts = supi_memory_new(allocator, (size_t)polygon_count + 1, sizeof *mesh->starts);
    mesh->corners = supi_memory_new(allocator, (size_t)corner_count, sizeof *mesh->corners);
    if (mesh->points && mesh->starts && mesh->corners) return true;
    supi_mesh_arrays_free(mesh);
    return false;
}

void supi_mesh_arrays_free(sup_mesh* mesh) {
    supi_memory_free(mesh->allocator, mesh->points, (size_t)mesh->point_count,
                     sizeof *mesh->points);
    supi_memory_free(mesh->allocator, mesh->starts, (size_t)mesh->polygon_count + 1,
                     sizeof *mesh->starts);
    supi_memory_free(mesh->allocator, mesh->corners, (size_t)mesh->corner_count,
                     sizeof *mesh->corners);
    *mesh = (sup_mesh){0};
}
