/* The copies of the kernels that this build has: scalar and those of the processor, or the one of
   WebAssembly. */
#include "solve/kernels.h"

#ifdef SUPPLE_HAVE_SSE2
extern const supi_kernels supi_kernels_sse2;
#endif
#ifdef SUPPLE_HAVE_AVX2
extern const supi_kernels supi_kernels_avx2;
#endif
#ifdef SUPPLE_HAVE_WASM
extern const supi_kernels supi_kernels_wasm;
#else
extern const supi_kernels supi_kernels_scalar;
#endif

const supi_kernels* supi_kernels_find(sup_simd simd) {
#ifdef SUPPLE_HAVE_AVX2
    if ((simd == SUP_SIMD_AUTO || simd == SUP_SIMD_AVX2) && __builtin_cpu_supports("avx2")) {
        return &supi_kernels_avx2;
    }
#endif
#ifdef SUPPLE_HAVE_SSE2
    if (simd == SUP_SIMD_AUTO || simd == SUP_SIMD_SSE2) return &supi_kernels_sse2;
#endif
#ifdef SUPPLE_HAVE_WASM
    if (simd == SUP_SIMD_AUTO || simd == SUP_SIMD_WASM) return &supi_kernels_wasm;
#else
    if (simd == SUP_SIMD_AUTO || simd == SUP_SIMD_SCALAR) return &supi_kernels_scalar;
#endif
    return NULL;
}

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
