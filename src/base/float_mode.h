/* The floating-point mode of a thread: a step runs with round-to-nearest and denormals, whatever
 * its caller has set. */
#ifndef SUPPLE_BASE_FLOAT_MODE_H
#define SUPPLE_BASE_FLOAT_MODE_H

#if defined(__SSE2__)
#include <xmmintrin.h>
typedef unsigned int supi_float_mode;
/* All exceptions masked, nearest, no flush to zero. Returns what was there. */
static inline supi_float_mode supi_float_mode_enter(void) {
    supi_float_mode old = _mm_getcsr();
    _mm_setcsr(0x1f80u);
    return old;
}
static inline void supi_float_mode_leave(supi_float_mode old) { _mm_setcsr(old); }
#else
typedef int supi_float_mode;
static inline supi_float_mode supi_float_mode_enter(void) { return 0; }
static inline void supi_float_mode_leave(supi_float_mode old) { (void)old; }
#endif

#endif
