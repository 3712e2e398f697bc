/* Which of the copies of a table of kernels this build and processor have: scalar and those of the
   processor, or the one of WebAssembly. */
#ifndef SUPPLE_BASE_SIMD_COPIES_H
#define SUPPLE_BASE_SIMD_COPIES_H

#include "supple/supple.h"

#ifdef SUPPLE_HAVE_AVX2
#define SUPI_WITH_AVX2(code) code
#else
#define SUPI_WITH_AVX2(code)
#endif
#ifdef SUPPLE_HAVE_SSE2
#define SUPI_WITH_SSE2(code) code
#else
#define SUPI_WITH_SSE2(code)
#endif
#ifdef SUPPLE_HAVE_WASM
#define SUPI_WITH_WASM(code) code
#define SUPI_WITH_SCALAR(code)
#else
#define SUPI_WITH_WASM(code)
#define SUPI_WITH_SCALAR(code) code
#endif

/* Defines name_find(simd): the copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL. Tables
   are of the type `name` too. */
#define SUPI_SIMD_COPIES(name)                                                                     \
    SUPI_WITH_AVX2(extern const name name##_avx2;)                                                 \
    SUPI_WITH_SSE2(extern const name name##_sse2;)                                                 \
    SUPI_WITH_WASM(extern const name name##_wasm;)                                                 \
    SUPI_WITH_SCALAR(extern const name name##_scalar;)                                             \
    const name* name##_find(sup_simd simd) {                                                       \
        bool any = simd == SUP_SIMD_AUTO;                                                          \
        SUPI_WITH_AVX2(if ((any || simd == SUP_SIMD_AVX2) &&                                       \
                           __builtin_cpu_supports("avx2")) return &name##_avx2;)                   \
        SUPI_WITH_SSE2(if (any || simd == SUP_SIMD_SSE2) return &name##_sse2;)                     \
        SUPI_WITH_WASM(if (any || simd == SUP_SIMD_WASM) return &name##_wasm;)                     \
        SUPI_WITH_SCALAR(if (any || simd == SUP_SIMD_SCALAR) return &name##_scalar;)               \
        return NULL;                                                                               \
    }

#endif
