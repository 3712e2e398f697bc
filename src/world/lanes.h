/* Filling the lanes of a match: what the step and those who ask for present frames share. */
#ifndef SUPPLE_WORLD_LANES_H
#define SUPPLE_WORLD_LANES_H

#include "world/lattice.h"

/* What the sums of cluster c are taken about. */
static inline const sup_row* supi_lanes_reference(const supi_state* from, const supi_body* body,
                                                  int32_t c) {
    return body->blueprint->lattice ? from->x + supi_lattice_reference(body, c)
                                    : from->centre + body->cluster + c;
}

/* Puts cluster c of a body into a lane: its sums (those for damping where `damped`, those for
   bending where the body bends), warm start, share of the deformed goal and rest shape. */
void supi_lanes_put(supi_match8* match, int lane, const supi_body* body, int32_t c, bool damped,
                    const double sums[SUPI_SUM_COUNT], const sup_quat* rotation, float beta);

#endif
