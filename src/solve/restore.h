/* Momenta of a body of oriented particles. */
#ifndef SUPPLE_SOLVE_RESTORE_H
#define SUPPLE_SOLVE_RESTORE_H

#include "solve/frame.h"

/* May this turn (rad/s) be given back in a substep h? It is at most as much as a body loses that
   turns by 0.4 rad in it, or by 130 rad/s in 1/480 s. More comes from thin bodies that tumble:
   momentum given back about an axis with little inertia would drive them faster and faster. They
   get none. */
static inline bool supi_restore_gives(double h, const double turn[3]) {
    const double widest = 0.02 / h, most = widest < 3.0 ? widest : 3.0;
    return turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] <= most * most;
}

/* From sums about a reference point to what brings the momenta back: a shift u of all rows and a
   turn o about the middle, both in this substep. */
void supi_restore_find(const double s[SUPI_FRAME_SUM_COUNT], const float reference[3], double h,
                       float u[3], float o[3], float middle[3]);

/* Moves and turns all rows as one, so that the body has the momenta of the start of the substep:
   what rounding and matching have cost it. */
void supi_restore_momenta(const supi_frame_net* net, const supi_frame_rest* rest,
                          const supi_frame_drive* drive, const supi_kernels* kernels,
                          const supi_frame_rows* rows);

#endif
