/* Slow twins of the integrators, in double: any system of coordinates with masses and forces, and
   damped springs as such a system. */
#ifndef SUPPLE_TESTS_REF_INTEGRATORS_H
#define SUPPLE_TESTS_REF_INTEGRATORS_H

#include "supple/spring.h"

enum { REF_COORDINATES = 192 };

typedef void ref_forces(const void* context, const double* x, const double* v, double* f);

typedef struct ref_system {
    int count;                            /* of coordinates */
    double inverse_mass[REF_COORDINATES]; /* 0: stays */
    double x[REF_COORDINATES], v[REF_COORDINATES];
    double last; /* s: position Verlet, the step before */
    ref_forces* forces;
    const void* context;
} ref_system;

/* One step by the textbook. Position Verlet leaves the velocity of the middle of the step; the
   implicit one is solved by Newton's method with differences. */
void ref_system_step(ref_system* system, sup_integrator integrator, double h);

/* Context of ref_spring_list_forces: particle i has the coordinates 3 i .. 3 i + 2. */
typedef struct ref_spring_list {
    const ref_system* system;
    const sup_spring* springs; /* with lengths and damping */
    int count;
    double gravity[3];
    bool unprojected; /* wrong: damps all of the relative velocity, so that spins fade */
} ref_spring_list;

void ref_spring_list_forces(const void* springs, const double* x, const double* v, double* f);

#endif
