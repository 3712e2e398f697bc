/* The copies of the kernels of contact that this build has. */
#include "base/simd_copies.h"
#include "contact/ellipsoid.h"
#include "contact/near.h"
#include "contact/neighbours.h"
#include "contact/tet_lanes.h"
#include "contact/thin_kernels.h"

SUPI_SIMD_COPIES(supi_ellipsoid_kernels)
SUPI_SIMD_COPIES(supi_near_kernels)
SUPI_SIMD_COPIES(supi_neighbour_kernels)
SUPI_SIMD_COPIES(supi_tet_kernels)
SUPI_SIMD_COPIES(supi_thin_kernels)
