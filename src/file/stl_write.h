/* A mesh as STL. */
#ifndef SUPPLE_FILE_STL_WRITE_H
#define SUPPLE_FILE_STL_WRITE_H

#include "base/file_io.h"
#include "supple/files.h"

/* Puts a whole file, polygons as triangles. Points are finite; those of no polygon are left out. */
void supi_stl_put(supi_writer* out, const sup_surface* surface, const sup_vec3* points);

#endif
