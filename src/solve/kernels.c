/* The copies of the kernels that this build has. */
#include "solve/kernels.h"

#include "base/simd_copies.h"

SUPI_SIMD_COPIES(supi_kernels)

bool sup_simd_available(sup_simd simd) { return supi_kernels_find(simd) != NULL; }

const char* sup_simd_name(sup_simd simd) {
    switch (simd) {
    case SUP_SIMD_AUTO: return "auto";
    case SUP_SIMD_SCALAR: return "scalar";
    case SUP_SIMD_SSE2: return "sse2";
    case SUP_SIMD_AVX2: return "avx2";
    case SUP_SIMD_WASM: return "wasm";
    }
    return "unknown";
}
