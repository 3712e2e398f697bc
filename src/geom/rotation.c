#include "geom/rotation.h"

#include "geom/eigen.h"

#include <math.h>

/* Quaternion form of tr(R^T B): q^T K q with K symmetric. */
static void quaternion_form(const double b[9], double k[16]) {
    double trace = b[0] + b[4] + b[8];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            k[4 * i + j] = b[3 * i + j] + b[3 * j + i] - (i == j ? trace : 0.0);
        }
    }
    double vee[3] = {b[7] - b[5], b[2] - b[6], b[3] - b[1]};
    for (int i = 0; i < 3; i++) k[4 * i + 3] = k[4 * 3 + i] = vee[i];
    k[15] = trace;
}

void supi_rotation_cold(const float b[9], float q[4]) {
    double largest = 0.0;
    for (int i = 0; i < 9; i++) {
        double size = fabs((double)b[i]);
        if (!(size < 1e38)) return;
        largest = size > largest ? size : largest;
    }
    if (largest == 0.0) return;
    double scaled[9], k[16], values[4], vectors[16];
    double norm = 0.0;
    for (int i = 0; i < 9; i++) {
        scaled[i] = (double)b[i] / largest;
        norm += scaled[i] * scaled[i];
    }
    norm = sqrt(norm);
    quaternion_form(scaled, k);
    supi_eigen_symmetric(4, k, values, vectors);

    /* Project q onto the span of the best eigenvectors: one of them, or more where they tie. */
    double best[4] = {0, 0, 0, 0};
    for (int e = 0; e < 4; e++) {
        if (e > 0 && values[0] - values[e] >= 1e-6 * norm) break;
        const double* u = vectors + 4 * e;
        double along = 0.0;
        for (int i = 0; i < 4; i++) along += u[i] * (double)q[i];
        for (int i = 0; i < 4; i++) best[i] += along * u[i];
    }
    double length =
        sqrt(best[0] * best[0] + best[1] * best[1] + best[2] * best[2] + best[3] * best[3]);
    if (length < 1e-6) { /* q is across all of them: as far from the best as can be */
        for (int i = 0; i < 4; i++) best[i] = vectors[i];
        length = 1.0;
    }
    for (int i = 0; i < 4; i++) q[i] = (float)(best[i] / length);
}
