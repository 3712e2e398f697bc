/* Where points that hang on tetrahedra are. */
#ifndef SUPPLE_GEOM_EMBED_H
#define SUPPLE_GEOM_EMBED_H

#include "supple/tets.h"

#include <stddef.h>

/* The corners of tetrahedra at rest and now. */
typedef struct supi_embed_pose {
    const sup_vec3* rest;
    const float* moved; /* x, y, z of each */
    size_t stride;      /* floats from one to the next */
} supi_embed_pose;

/* The point with these weights of the corners, and this offset at rest, of a tetrahedron that had a
   volume there. */
sup_vec3 supi_embed_place(const supi_embed_pose* pose, const int32_t tet[4], const sup_row* weights,
                          const sup_vec3* offset);

#endif
