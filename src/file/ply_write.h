/* A mesh as PLY. */
#ifndef SUPPLE_FILE_PLY_WRITE_H
#define SUPPLE_FILE_PLY_WRITE_H

#include "base/file_io.h"
#include "supple/files.h"

/* Puts a whole file. Points are finite; their order stays. */
void supi_ply_put(supi_writer* out, const sup_surface* surface, const sup_vec3* points);

#endif
