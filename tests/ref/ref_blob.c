#include "ref/ref_blob.h"

#include <math.h>

static double fade(const ref_blob_law* law, double r) {
    double rc = 2.5 * law->spacing, t = (r - 0.8 * rc) / (0.2 * rc);
    t = fmin(fmax(t, 0.0), 1.0);
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

double ref_blob_force(const ref_blob_law* law, double r) {
    double k = law->energy, r0 = law->spacing;
    if (r < 0.8 * r0) return k / r0 * (4.398 + 64.7 * (0.8 - r / r0));
    return k / r * (pow(r0 / r, 8.0) - pow(r0 / r, 4.0)) * fade(law, r);
}

double ref_blob_energy(const ref_blob_law* law, double r) {
    double q = law->spacing / r;
    return law->energy * (pow(q, 8.0) / 8.0 - pow(q, 4.0) / 4.0);
}

void ref_blob_pair(const ref_blob_law* law, const double xa[3], const double va[3],
                   const double xb[3], const double vb[3], double mobility, double busiest,
                   double h, double out[3]) {
    double e[3], dv[3], r = 0.0, speed = 0.0, along = 0.0, rc = 2.5 * law->spacing;
    for (int k = 0; k < 3; k++) {
        e[k] = xa[k] - xb[k];
        dv[k] = va[k] - vb[k];
        r += e[k] * e[k];
    }
    r = sqrt(r);
    for (int k = 0; k < 3; k++) along += dv[k] * e[k] / r;
    for (int k = 0; law->central && k < 3; k++) dv[k] = along * e[k] / r;
    for (int k = 0; k < 3; k++) speed += dv[k] * dv[k];
    double mu = r < rc ? law->friction * (1.0 - r / rc) * (1.0 - r / rc) : 0.0;
    double rub = fmin(mu * sqrt(speed), 0.5 / (busiest * h * mobility));
    if (r >= rc) rub = 0.0;
    if (law->turned) rub = -rub;
    for (int k = 0; k < 3; k++) out[k] = ref_blob_force(law, r) * e[k] / r - rub * dv[k];
}
