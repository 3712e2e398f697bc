/* The copies of the kernels of skins that this build has. */
#include "skin/kernels.h"

#include "base/simd_copies.h"

SUPI_SIMD_COPIES(supi_skin_kernels)
