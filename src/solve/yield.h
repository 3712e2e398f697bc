/* Springs that are strained too far and stay so: their lengths flow after what is beyond their
   yield. Pure functions on slices. */
#ifndef SUPPLE_SOLVE_YIELD_H
#define SUPPLE_SOLVE_YIELD_H

#include "solve/spring.h"

/* New lengths of the springs begin .. end-1, which are rows apart, after h seconds at the places x.
   Springs that only pull do not get shorter. */
void supi_yield_flow(const sup_spring_yield* yield, double h, const sup_spring* springs,
                     int32_t begin, int32_t end, const sup_row* x, float* lengths);
/* The same lengths as the sides of slices begin .. end-1 of a net see them. */
void supi_yield_spread(const supi_spring_net* net, const sup_spring* springs, int32_t begin,
                       int32_t end, const float* lengths, float* sides);

#endif
