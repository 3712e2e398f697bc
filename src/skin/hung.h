/* Skins that hang on tetrahedra: each point goes where the corners of one of them take it. */
#ifndef SUPPLE_SKIN_HUNG_H
#define SUPPLE_SKIN_HUNG_H

#include "base/arena.h"
#include "geom/embed.h"

/* Points stand in the order of their tetrahedra, so that corners are fetched once for many. */
typedef struct supi_hung {
    int32_t count;
    int32_t* points;   /* which point of the skin it is */
    int32_t* tets;     /* its tetrahedron, ascending */
    sup_row* weights;  /* of the corners of that */
    sup_vec3* offsets; /* m at rest, beside what the weights say: see sup_embedding */
} supi_hung;

/* Hangs points on tetrahedra with a volume each, whose outside is listed in the order of
   sup_tets.triangles. Arrays go to `arena`; `home` (by point) gets the corner that each follows
   most. Refused but for want of memory: tetrahedra without an outside. */
sup_result supi_hung_bind(const sup_tets* tets, int32_t count, const sup_vec3* points,
                          supi_arena* arena, supi_arena* scratch, supi_hung* out, int32_t* home,
                          sup_error* error);

/* Where the points are: `tets` are the corners of all tetrahedra, `rest` and `x` their places at
   rest and now. The fourth entry of each row becomes 0. */
void supi_hung_pose(const supi_hung* hung, const int32_t* tets, const sup_vec3* rest,
                    const sup_row* x, sup_row* out);

#endif
