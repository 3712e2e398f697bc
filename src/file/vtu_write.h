/* Surfaces as one VTK XML unstructured grid (.vtu). */
#ifndef SUPPLE_FILE_VTU_WRITE_H
#define SUPPLE_FILE_VTU_WRITE_H

#include "base/file_io.h"
#include "supple/files.h"
#include "supple/tets.h"

/* What makes a still frame a frame of an animation. */
typedef struct supi_vtu_motion {
    const sup_vec3* first;  /* the points in the first frame */
    const sup_vec3* before; /* the points in the frame before */
    double fps;
} supi_vtu_motion;

/* Puts a whole file. `points` are those of all surfaces one after the other, finite; the order
   stays. Cells carry the number of their "surface"; with `motion` (NULL: none) points carry
   "displacement" and "velocity". Points and corners of all surfaces are at most INT32_MAX each. */
void supi_vtu_put(supi_writer* out, int32_t surface_count, const sup_surface* surfaces,
                  const sup_vec3* points, const supi_vtu_motion* motion);

/* Puts a whole file of tetrahedra. */
void supi_vtu_put_tets(supi_writer* out, const sup_tets* tets);

#endif
