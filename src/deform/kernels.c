/* The copies of the kernels of propagation that this build has. */
#include "base/simd_copies.h"
#include "deform/sweep.h"

SUPI_SIMD_COPIES(supi_sweep_kernels)
