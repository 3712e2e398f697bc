/* The copies of the kernels of skins that this build has. */
#include "skin/kernels.h"

#include "base/simd_copies.h"

SUPI_SIMD_COPIES(supi_skin_kernels)

#ifdef SUPPLE_HAVE_AVX512
extern const supi_skin_kernels supi_skin_kernels_avx512;

const supi_skin_kernels* supi_skin_kernels_wide(void) {
    bool here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq");
    return here ? &supi_skin_kernels_avx512 : NULL;
}

/* AMD's have whole registers since they have this set (Zen 5). Those before take two turns for
   each, Intel's have fewer units for them, and the shuffles of wide blends cost what they save. */
static bool is_wide(void) {
    return __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512vp2intersect");
}
#else
const supi_skin_kernels* supi_skin_kernels_wide(void) { return NULL; }
static bool is_wide(void) { return false; }
#endif

const supi_skin_kernels* supi_skin_kernels_choose(sup_simd simd) {
    const supi_skin_kernels* wide = supi_skin_kernels_wide();
    return simd == SUP_SIMD_AUTO && wide && is_wide() ? wide : supi_skin_kernels_find(simd);
}
