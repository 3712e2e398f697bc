/* The copies of the kernels of deformers that this build has. */
#include "base/simd_copies.h"
#include "deform/maps.h"
#include "deform/sweep.h"

SUPI_SIMD_COPIES(supi_sweep_kernels)
SUPI_SIMD_COPIES(supi_map_kernels)
