/* A mesh file for every pose, NAME-000000.ply and so on: for surfaces whose polygons change. */
#ifndef SUPPLE_TOOL_SERIES_OUTPUT_H
#define SUPPLE_TOOL_SERIES_OUTPUT_H

#include "outputs.h"

/* Writes one pose: all surfaces as one mesh, those that change as they are now in the scene, which
   may be NULL where none does. A failure has been said. */
tool_exit series_write(const char* path, const output_source* from, const sup_vec3* vertices);

#endif
