/* Momenta of a body of oriented particles. */
#ifndef SUPPLE_SOLVE_RESTORE_H
#define SUPPLE_SOLVE_RESTORE_H

#include "solve/frame.h"

/* Moves and turns all rows as one, so that the body has the momenta of the start of the substep:
   what rounding and matching have cost it. */
void supi_restore_momenta(const supi_frame_net* net, const supi_frame_rest* rest,
                          const supi_frame_drive* drive, const supi_kernels* kernels,
                          const supi_frame_rows* rows);

#endif
