/* One mass on a spring in double, and how fast a linear step of it grows. */
#ifndef SUPPLE_TESTS_REF_OSCILLATOR_H
#define SUPPLE_TESTS_REF_OSCILLATOR_H

/* Semi-implicit Euler: v' = v - (h k / m)(x - rest), x' = x + h v'. */
typedef struct ref_oscillator {
    double mass, stiffness, rest, h; /* kg, N/m, m, s */
    double x, v;                     /* m, m/s */
} ref_oscillator;

void ref_oscillator_step(ref_oscillator* spring);

/* The linear map of one step on (h v, x - rest), row-major, measured by two steps. */
void ref_oscillator_map(const ref_oscillator* spring, double map[4]);

/* Moduli of the eigenvalues of a 2x2 matrix, the larger one first. */
void ref_moduli(const double map[4], double moduli[2]);

#endif
