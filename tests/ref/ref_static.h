/* Springs at rest under held coordinates, in double: Newton's method with conjugate gradients. */
#ifndef SUPPLE_TESTS_REF_STATIC_H
#define SUPPLE_TESTS_REF_STATIC_H

#include "supple/spring.h"

/* Pull of a spring, N, and its unit direction from a to b. */
double ref_static_pull(const sup_spring* spring, const double (*x)[3], double direction[3]);

/* Moves the coordinates that are not held until nothing pulls; returns the largest force that is
   left on one of them, N. */
double ref_static_solve(int32_t point_count, double (*x)[3], const bool (*held)[3],
                        int32_t spring_count, const sup_spring* springs);

#endif
