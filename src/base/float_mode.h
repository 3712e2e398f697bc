/* The floating-point mode of a thread: Supple computes with round-to-nearest and denormals,
 * whatever its caller has set. */
#ifndef SUPPLE_BASE_FLOAT_MODE_H
#define SUPPLE_BASE_FLOAT_MODE_H

#include <fenv.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef struct supi_float_mode {
    fenv_t environment;
} supi_float_mode;

/* The default mode; returns what was there. */
static inline supi_float_mode supi_float_mode_enter(void) {
    supi_float_mode old;
    fegetenv(&old.environment);
    fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
    _mm_setcsr(0x1f80u); /* some C libraries leave the flush bits of the vector unit alone */
#endif
    return old;
}
static inline void supi_float_mode_leave(supi_float_mode old) { fesetenv(&old.environment); }

#endif
