/* The steps of soft substance, and the copies of its kernels that this build has. */
#include "solve/blob.h"

#include "base/simd_copies.h"

#include <math.h>

SUPI_SIMD_COPIES(supi_blob_kernels)

double supi_blob_plan(double h, double spacing, double lightest, double* energy, int32_t* steps) {
    double longest = SUPI_BLOB_STEP * spacing * sqrt(lightest / *energy);
    double need = ceil(h / longest - 1e-9);
    if (need <= SUPI_BLOB_INNER_MOST) {
        *steps = need > 1.0 ? (int32_t)need : 1;
        return need / SUPI_BLOB_INNER_MOST;
    }
    double step = h / SUPI_BLOB_INNER_MOST, pace = SUPI_BLOB_STEP * spacing / step;
    *steps = SUPI_BLOB_INNER_MOST;
    *energy = lightest * pace * pace;
    return need / SUPI_BLOB_INNER_MOST;
}
