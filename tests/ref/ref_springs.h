/* Springs in double: forces, three tangents, and a linearised implicit step without any of the
   tricks of the kernels. */
#ifndef SUPPLE_TESTS_REF_SPRINGS_H
#define SUPPLE_TESTS_REF_SPRINGS_H

#include "supple/spring.h"

typedef enum ref_tangent {
    REF_TANGENT_EXACT,
    REF_TANGENT_PROJECTED, /* never pushes sideways */
    REF_TANGENT_WRONG      /* with the sign and the factor of a misprint that is well known */
} ref_tangent;

/* Force on the end `a`: d and speed are those of the other end, seen from here. No length may be
   tiny. */
void ref_spring_force(const sup_spring* spring, const double d[3], const double speed[3],
                      double force[3]);
/* Its derivatives by the place and the velocity of the end `a`, row-major. */
void ref_spring_stiffness(const sup_spring* spring, const double d[3], ref_tangent tangent,
                          double k[9]);
void ref_spring_damping(const sup_spring* spring, const double d[3], double c[9]);

/* A body of springs. */
typedef struct ref_springs {
    int32_t count, spring_count;
    const sup_spring* springs;
    double *x, *v; /* m, m/s (3 count) */
    double* mass;  /* kg (count); 0: pinned, keeps its velocity */
} ref_springs;

/* Copies of rows; pinned where the inverse mass is 0. */
ref_springs ref_springs_new(int32_t count, const sup_row* x, const sup_row* v,
                            const sup_spring* springs, int32_t spring_count);
void ref_springs_free(ref_springs* body);

/* Sets f (3 count). */
void ref_springs_forces(const ref_springs* body, double* f);

typedef struct ref_implicit {
    double h, drag, gravity[3], tolerance;
    int32_t iterations;
    ref_tangent tangent;
} ref_implicit;

/* y = A p at the present state. */
void ref_implicit_apply(const ref_springs* body, const ref_implicit* step, const double* p,
                        double* y);
/* b of the substep. */
void ref_implicit_right_side(const ref_springs* body, const ref_implicit* step, double* b);
/* One substep by conjugate gradients from dv = 0, which stop at negative curvature: returns whether
   they met it. */
bool ref_implicit_step(ref_springs* body, const ref_implicit* step);

#endif
