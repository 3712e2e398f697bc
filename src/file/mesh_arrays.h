/* The arrays of a mesh that a reader fills. */
#ifndef SUPPLE_FILE_MESH_ARRAYS_H
#define SUPPLE_FILE_MESH_ARRAYS_H

#include "supple/types.h"

/* Zeroed arrays of exactly these sizes, as sup_mesh_free expects them; false when memory is short.
 */
bool supi_mesh_arrays_new(const sup_allocator* allocator, int32_t point_count,
                          int32_t polygon_count, int32_t corner_count, sup_mesh* mesh);
void supi_mesh_arrays_free(sup_mesh* mesh);

#endif
