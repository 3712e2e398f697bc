/* Axes along which a body does not move. Forces are stripped of what they have along them, so that
   nothing moves there by itself; what corrections, goals and limits of strain do there is undone.
   The lock takes the push: who pushes is pushed back as by a particle that is free. */
#ifndef SUPPLE_WORLD_LOCK_H
#define SUPPLE_WORLD_LOCK_H

#include "world/world.h"

/* Refuses sets of axes that make no sense, and velocities along them. */
sup_result supi_lock_check(const sup_body_def* def, sup_error* error);

/* Forces or velocities of rows begin .. end-1 have nothing along the locked axes. */
void supi_lock_strip(const supi_body* body, int32_t begin, int32_t end, sup_row* rows);
/* Rows of the body on their way through a step are where it found them, at rest along the axes. */
void supi_lock_hold(const sup_world* world, const supi_body* body, sup_row* x, sup_row* v);
/* The same for all bodies as they are now. */
void supi_lock_hold_all(sup_world* world);

#endif
