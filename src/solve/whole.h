/* Conjugate gradients find last how a body moves as a whole: springs do not resist that. Where they
   are so stiff that their rounding outweighs gravity, the search would end before. */
#ifndef SUPPLE_SOLVE_WHOLE_H
#define SUPPLE_SOLVE_WHOLE_H

#include "solve/spring.h"

/* Of a body that nothing holds: shifts all velocities alike, so that the residual has no sum along
   axes that are not locked. `rows`: of A, which does no more to a shift than to multiply it by
   their masses. */
void supi_whole_shift(const supi_spring_rows8* rows, int32_t row_count, int32_t locked, sup_row* r,
                      sup_row* dv);

#endif
