/* From where the points of a skin are back to where they were at rest: to paint on a body that has
   moved, to look up a texture, to pick. In double; places are relative to base and origin as those
   of the frames are. */
#ifndef SUPPLE_SKIN_UNDO_H
#define SUPPLE_SKIN_UNDO_H

#include "skin/carriers.h"
#include "skin/kernels.h"

/* The frames of a pose, and the same as dual quaternions; NULL: the skin is blended linearly. */
typedef struct supi_skin_blend {
    const supi_skin_frame* frames;
    const supi_skin_dual* duals;
} supi_skin_blend;

/* Which place at rest the `count` (at least 1) slots take to `place`. Where they flatten the
   neighbourhood, and none or many would do, it is the one that the strongest slot alone takes
   there, and the call returns false. */
bool supi_skin_undo(const supi_skin_blend* blend, int32_t count, const supi_slot* slots,
                    const double place[3], double rest[3]);

/* The same for places whose weights are not known, by all carriers of a skin. */
typedef struct supi_skin_search {
    supi_skin_blend blend;
    supi_carriers* rest; /* the caller's, as are frames and origin */
    supi_carriers now;   /* relative to the base */
    const float* origin;
    int32_t most;
    double near; /* m: no more than this is left to go */
} supi_skin_search;

/* `size`: of the body, m; `most`: slots of a point, as it was bound. `rest` and `pose` name the
   same particles. False when memory is short. */
bool supi_skin_search_build(supi_carriers* rest, int32_t most, double size,
                            const supi_skin_pose* pose, const supi_skin_blend* blend,
                            const float origin[3], const float base[3], supi_arena* arena,
                            supi_skin_search* out);

/* Finds the place at rest, by 32 steps at most. False where these do not come to an end, or the
   frames there flatten all: then it is what the nearest carrier alone takes there. */
bool supi_skin_search_find(supi_skin_search* search, const double place[3], double rest[3]);

#endif
