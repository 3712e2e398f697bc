/* The implicit solver stops early, and its linear springs resist turns that real ones do not: what
   it leaves must neither push nor turn a body that nothing holds. */
#ifndef SUPPLE_WORLD_SPRING_MOMENTUM_H
#define SUPPLE_WORLD_SPRING_MOMENTUM_H

#include "world/world.h"

/* Before a step of h: what every particle has and what forces give to it, kg m/s. */
void supi_momentum_expect(const supi_body* body, float h, const sup_row* v, sup_row* wanted);
/* After it: gives the body what it lacks of the sum. Where `turns`, of the sum about its middle
   too, with arms as they are now: springs of implicit Euler pull along where they are then. */
void supi_momentum_keep(const supi_body* body, float h, const sup_row* wanted, bool turns,
                        sup_row* x, sup_row* v);

#endif
