#include "ref/ref_oscillator.h"

#include <math.h>

void ref_oscillator_step(ref_oscillator* s) {
    s->v -= s->h * s->stiffness / s->mass * (s->x - s->rest);
    s->x += s->h * s->v;
}

void ref_oscillator_map(const ref_oscillator* spring, double map[4]) {
    for (int j = 0; j < 2; j++) {
        ref_oscillator s = *spring;
        s.v = j == 0 ? 1.0 / s.h : 0.0;
        s.x = s.rest + (j == 1 ? 1.0 : 0.0);
        ref_oscillator_step(&s);
        map[j] = s.h * s.v;
        map[2 + j] = s.x - s.rest;
    }
}

void ref_moduli(const double map[4], double moduli[2]) {
    double half = 0.5 * (map[0] + map[3]), det = map[0] * map[3] - map[1] * map[2];
    double inside = half * half - det;
    if (inside < 0.0) {
        moduli[0] = moduli[1] = sqrt(det);
    } else {
        moduli[0] = fabs(half) + sqrt(inside);
        moduli[1] = fabs(fabs(half) - sqrt(inside));
    }
}
