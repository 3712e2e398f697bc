/* One tetrahedron: is a point in it, does another meet it? */
#ifndef SUPPLE_CONTACT_TET_TEST_H
#define SUPPLE_CONTACT_TET_TEST_H

#include "contact/vec3.h"

/* Weights this close to 0 count as 0. */
#define SUPI_TET_BAND 1e-5

typedef enum supi_tet_side {
    SUPI_TET_FLAT,    /* the tetrahedron has no volume to speak of: nothing is in it */
    SUPI_TET_OUTSIDE, /* of it */
    SUPI_TET_INSIDE,
    SUPI_TET_TOUCHING /* on a side of it that is outside */
} supi_tet_side;

/* The weights of `p` by the corners at x[tet[0..3]], which add up to 1: p is their mean by these
   weights, also in a tetrahedron inside out, which *inverted tells of. `outer`: bit k where the
   side across from corner k is part of the surface. */
supi_tet_side supi_tet_locate(const sup_row* x, const int32_t tet[4], uint8_t outer,
                              const double p[3], double weights[4], bool* inverted);

/* Whether two tetrahedra have a volume in common, by separating axes: 4 + 4 normals and 36 products
   of edges. Touching is not meeting. */
bool supi_tet_meet(const sup_vec3 a[4], const sup_vec3 b[4]);

#endif
