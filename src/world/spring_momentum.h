/* The implicit solver stops early, and its linear springs resist turns that real ones do not: what
   it leaves must neither push nor turn a body that nothing holds. */
#ifndef SUPPLE_WORLD_SPRING_MOMENTUM_H
#define SUPPLE_WORLD_SPRING_MOMENTUM_H

#include "world/world.h"

/* What a body should have after a step. */
typedef struct supi_momentum {
    const sup_row* before;   /* m/s: velocities at the start of the step */
    double push[3], turn[3]; /* N s, N m s about its middle: what forces give to it. Those within it
                                cancel out only where they act */
} supi_momentum;

/* Before a step of h; copies v to `before`. */
supi_momentum supi_momentum_expect(const supi_body* body, float h, const sup_row* x,
                                   const sup_row* v, sup_row* before);
/* After it: gives the body what it lacks of the sum. Where `turns`, of the sum about its middle
   too, with arms as they are now: springs of implicit Euler pull along where they are then. */
void supi_momentum_keep(const supi_body* body, float h, const supi_momentum* wanted, bool turns,
                        sup_row* x, sup_row* v);

#endif
