/* Stores past the cache, for what is too large to stay there. Only kernel files include it. */
#ifndef SUPPLE_BASE_SIMD_STREAM_H
#define SUPPLE_BASE_SIMD_STREAM_H

#include "base/simd.h"

/* At a multiple of 32 bytes; plain stores where the machine has no others (F8_STREAMS 0). Other
   threads see what was stored so after f8_settle. */
#if defined(SUPI_SIMD_AVX2)
enum { F8_STREAMS = 1 };
F8_INLINE void f8_stream(float* p, supi_f8 a) { _mm256_stream_ps(p, a); }
F8_INLINE void f8_settle(void) { _mm_sfence(); }
#elif defined(SUPI_SIMD_SSE2)
enum { F8_STREAMS = 1 };
F8_INLINE void f8_stream(float* p, supi_f8 a) {
    _mm_stream_ps(p, a.lo);
    _mm_stream_ps(p + 4, a.hi);
}
F8_INLINE void f8_settle(void) { _mm_sfence(); }
#else
enum { F8_STREAMS = 0 };
F8_INLINE void f8_stream(float* p, supi_f8 a) { f8_store(p, a); }
F8_INLINE void f8_settle(void) {}
#endif

#endif
