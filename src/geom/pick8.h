/* Which of eight lanes are wanted, as a list of their numbers without a branch. */
#ifndef SUPPLE_GEOM_PICK8_H
#define SUPPLE_GEOM_PICK8_H

#include "base/simd.h"

/* The numbers from `first` on whose bits are set, in order; all eight places are written. */
F8_INLINE int32_t pick8(int bits, int32_t first, int32_t* out) {
#if defined(SUPI_SIMD_AVX2)
    /* by four bits: the bytes of those that are set, one after the other */
    static const int8_t order[16][16] = {
#define ONE(k) 4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3
#define NONE -1, -1, -1, -1
        {NONE, NONE, NONE, NONE},       {ONE(0), NONE, NONE, NONE},
        {ONE(1), NONE, NONE, NONE},     {ONE(0), ONE(1), NONE, NONE},
        {ONE(2), NONE, NONE, NONE},     {ONE(0), ONE(2), NONE, NONE},
        {ONE(1), ONE(2), NONE, NONE},   {ONE(0), ONE(1), ONE(2), NONE},
        {ONE(3), NONE, NONE, NONE},     {ONE(0), ONE(3), NONE, NONE},
        {ONE(1), ONE(3), NONE, NONE},   {ONE(0), ONE(1), ONE(3), NONE},
        {ONE(2), ONE(3), NONE, NONE},   {ONE(0), ONE(2), ONE(3), NONE},
        {ONE(1), ONE(2), ONE(3), NONE}, {ONE(0), ONE(1), ONE(2), ONE(3)}};
#undef ONE
#undef NONE
    __m128i low = _mm_add_epi32(_mm_set1_epi32(first), _mm_setr_epi32(0, 1, 2, 3));
    __m128i high = _mm_add_epi32(low, _mm_set1_epi32(4));
    int32_t count = __builtin_popcount((unsigned)bits & 15);
    low = _mm_shuffle_epi8(low, _mm_loadu_si128((const __m128i*)order[bits & 15]));
    high = _mm_shuffle_epi8(high, _mm_loadu_si128((const __m128i*)order[bits >> 4]));
    _mm_storeu_si128((__m128i*)out, low);
    _mm_storeu_si128((__m128i*)(out + count), high);
    return count + __builtin_popcount((unsigned)bits >> 4);
#else
    int32_t count = 0;
    for (int32_t k = 0; k < 8; k++) {
        out[count] = first + k;
        count += bits >> k & 1;
    }
    return count;
#endif
}

#endif
