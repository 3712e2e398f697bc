/* Surfaces as one Wavefront OBJ. */
#ifndef SUPPLE_FILE_OBJ_WRITE_H
#define SUPPLE_FILE_OBJ_WRITE_H

#include "base/file_io.h"
#include "supple/files.h"

/* Puts a whole file. `points` are those of all surfaces one after the other, finite; the order
   stays. `comment` goes into the first line; NULL: none. */
void supi_obj_put(supi_writer* out, int32_t surface_count, const sup_surface* surfaces,
                  const sup_vec3* points, const char* comment);

#endif
