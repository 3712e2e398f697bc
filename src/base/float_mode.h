/* The floating-point mode of a thread: Supple computes with round-to-nearest and denormals,
   whatever its caller has set. */
#ifndef SUPPLE_BASE_FLOAT_MODE_H
#define SUPPLE_BASE_FLOAT_MODE_H

#if defined(__SSE2__)

/* All floats and doubles go through the vector unit here; fenv.h would set the old unit too, which
   costs as much as moving a hundred particles. */
#include <xmmintrin.h>

typedef unsigned int supi_float_mode;

/* The default mode; returns what was there. */
static inline supi_float_mode supi_float_mode_enter(void) {
    supi_float_mode old = _mm_getcsr();
    _mm_setcsr(0x1f80u); /* exceptions masked, to nearest, no flush to zero */
    return old;
}
static inline void supi_float_mode_leave(supi_float_mode old) { _mm_setcsr(old); }

#else

#include <fenv.h>

typedef struct supi_float_mode {
    fenv_t environment;
} supi_float_mode;

static inline supi_float_mode supi_float_mode_enter(void) {
    supi_float_mode old;
    fegetenv(&old.environment);
    fesetenv(FE_DFL_ENV);
    return old;
}
static inline void supi_float_mode_leave(supi_float_mode old) { fesetenv(&old.environment); }

#endif
#endif
