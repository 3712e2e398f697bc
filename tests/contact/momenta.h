/* Linear and angular momentum of free spheres, for the tests of hits. */
#ifndef SUPPLE_TESTS_CONTACT_MOMENTA_H
#define SUPPLE_TESTS_CONTACT_MOMENTA_H

#include "contact/ellipsoids.h"
#include "contact/turning.h"

typedef struct momenta {
    double p[3], l[3];       /* kg m/s, kg m^2/s about the origin */
    double p_scale, l_scale; /* the same with everything added up, whatever its direction */
} momenta;

/* Inertias are inverse, at rest, and the same about every axis. */
static inline momenta measure_momenta(int32_t count, const sup_row* x, const sup_row* v,
                                      const sup_row* w, const supi_moments* inertia) {
    momenta m = {0};
    for (int32_t i = 0; i < count; i++) {
        double mass = 1 / (double)x[i].w, at[3], speed[3], spin[3], l[3];
        for (int k = 0; k < 3; k++) {
            at[k] = (double)(&x[i].x)[k];
            speed[k] = (double)(&v[i].x)[k];
            spin[k] = (double)(&w[i].x)[k];
        }
        ref_cross(at, speed, l);
        for (int k = 0; k < 3; k++) {
            m.p[k] += mass * speed[k];
            m.l[k] += mass * l[k] + spin[k] / (double)inertia[i].m[0];
        }
        m.p_scale += mass * ref_length(speed);
        m.l_scale += mass * ref_length(speed) * ref_length(at);
    }
    return m;
}

static inline double distance3(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

#endif
