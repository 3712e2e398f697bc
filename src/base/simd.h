/* Eight floats at a time, with the same bits in every build: scalar (a struct of eight), SSE2 and
   WebAssembly (two of four), AVX2 (one of eight). Only operations that IEEE 754 rounds exactly; min
   and max are a < b ? a : b; sums go through one written tree. A kernel file (x_kernel.c) is
   compiled once per build and puts SUPI_KERNEL around the names it shows; SUPI_SIMD_SET is the
   sup_simd of the copy. */
#ifndef SUPPLE_BASE_SIMD_H
#define SUPPLE_BASE_SIMD_H

#include "supple/types.h"

#include <math.h>
#include <string.h>

#if defined(SUPI_SIMD_AVX512) /* AVX2, but where a file has more to say */
#define SUPI_SIMD_AVX2 1
#define SUPI_KERNEL(name) name##_avx512
#elif defined(SUPI_SIMD_AVX2)
#define SUPI_KERNEL(name) name##_avx2
#endif
#if defined(SUPI_SIMD_AVX2)
#include <immintrin.h>
#define SUPI_SIMD_SET SUP_SIMD_AVX2
typedef __m256 supi_f8;
#elif defined(SUPI_SIMD_SSE2)
#include <emmintrin.h>
#define SUPI_KERNEL(name) name##_sse2
#define SUPI_SIMD_SET SUP_SIMD_SSE2
typedef __m128 supi_f4;
#elif defined(SUPI_SIMD_WASM)
#include <wasm_simd128.h>
#define SUPI_KERNEL(name) name##_wasm
#define SUPI_SIMD_SET SUP_SIMD_WASM
typedef v128_t supi_f4;
#else
#define SUPI_KERNEL(name) name##_scalar
#define SUPI_SIMD_SET SUP_SIMD_SCALAR
typedef struct supi_f8 {
    float f[8];
} supi_f8;
#endif
#if defined(SUPI_SIMD_SSE2) || defined(SUPI_SIMD_WASM)
#define SUPI_SIMD_FOUR 1
typedef struct supi_f8 {
    supi_f4 lo, hi;
} supi_f8;
#endif

/* A comparison gives all ones or all zeros per lane. */
typedef supi_f8 supi_m8;

/* Eight rows as four registers: register k holds rows 2k and 2k + 1. Transposed to lanes, row j of
   the eight stands in lane j / 2 + 4 (j % 2): the order that costs no shuffles beyond the
   transpose. Columns that meet rows are stored in it. */
typedef struct supi_rows8 {
    supi_f8 r[4];
} supi_rows8;

#define F8_INLINE static inline __attribute__((always_inline, unused))

#if defined(SUPI_SIMD_AVX2)

F8_INLINE supi_f8 f8_set(float a) { return _mm256_set1_ps(a); }
F8_INLINE supi_f8 f8_load(const float* p) { return _mm256_loadu_ps(p); }
F8_INLINE void f8_store(float* p, supi_f8 a) { _mm256_storeu_ps(p, a); }
F8_INLINE supi_f8 f8_add(supi_f8 a, supi_f8 b) { return _mm256_add_ps(a, b); }
F8_INLINE supi_f8 f8_sub(supi_f8 a, supi_f8 b) { return _mm256_sub_ps(a, b); }
F8_INLINE supi_f8 f8_mul(supi_f8 a, supi_f8 b) { return _mm256_mul_ps(a, b); }
F8_INLINE supi_f8 f8_div(supi_f8 a, supi_f8 b) { return _mm256_div_ps(a, b); }
F8_INLINE supi_f8 f8_sqrt(supi_f8 a) { return _mm256_sqrt_ps(a); }
F8_INLINE supi_f8 f8_min(supi_f8 a, supi_f8 b) { return _mm256_min_ps(a, b); }
F8_INLINE supi_f8 f8_max(supi_f8 a, supi_f8 b) { return _mm256_max_ps(a, b); }
F8_INLINE supi_f8 f8_abs(supi_f8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
/* a, negated where b has a minus sign. */
F8_INLINE supi_f8 f8_flip(supi_f8 a, supi_f8 b) {
    return _mm256_xor_ps(a, _mm256_and_ps(b, _mm256_set1_ps(-0.0f)));
}
F8_INLINE supi_m8 f8_less(supi_f8 a, supi_f8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
F8_INLINE supi_m8 m8_and(supi_m8 a, supi_m8 b) { return _mm256_and_ps(a, b); }
F8_INLINE supi_m8 m8_or(supi_m8 a, supi_m8 b) { return _mm256_or_ps(a, b); }
F8_INLINE supi_f8 f8_select(supi_m8 m, supi_f8 yes, supi_f8 no) {
    return _mm256_blendv_ps(no, yes, m);
}
/* One bit per lane. */
F8_INLINE int m8_bits(supi_m8 m) { return _mm256_movemask_ps(m); }

F8_INLINE float f8_sum(supi_f8 a) {
    __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}

/* Eight of them at once. */
#define SUPI_F8_SUMS 1
F8_INLINE void f8_sums(const supi_f8 a[8], float out[8]) {
    __m256 halves[4], quarters[2];
    for (int k = 0; k < 4; k++) {
        halves[k] = _mm256_add_ps(_mm256_permute2f128_ps(a[2 * k], a[2 * k + 1], 0x20),
                                  _mm256_permute2f128_ps(a[2 * k], a[2 * k + 1], 0x31));
    }
    for (int k = 0; k < 2; k++) {
        quarters[k] = _mm256_add_ps(_mm256_shuffle_ps(halves[2 * k], halves[2 * k + 1], 0x44),
                                    _mm256_shuffle_ps(halves[2 * k], halves[2 * k + 1], 0xee));
    }
    __m256 sums = _mm256_add_ps(_mm256_shuffle_ps(quarters[0], quarters[1], 0x88),
                                _mm256_shuffle_ps(quarters[0], quarters[1], 0xdd));
    __m128 even = _mm256_castps256_ps128(sums), odd = _mm256_extractf128_ps(sums, 1);
    _mm_storeu_ps(out, _mm_unpacklo_ps(even, odd));
    _mm_storeu_ps(out + 4, _mm_unpackhi_ps(even, odd));
}

F8_INLINE supi_f8 pair_load(const sup_row* a, const sup_row* b) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(&a->x)), _mm_loadu_ps(&b->x),
                                1);
}
F8_INLINE void pair_store(sup_row* a, sup_row* b, supi_f8 pair) {
    _mm_storeu_ps(&a->x, _mm256_castps256_ps128(pair));
    _mm_storeu_ps(&b->x, _mm256_extractf128_ps(pair, 1));
}
/* The same row (x, y, z, w) in both halves of a register of rows. */
F8_INLINE supi_f8 f8_row(float x, float y, float z, float w) {
    return _mm256_setr_ps(x, y, z, w, x, y, z, w);
}
/* Transposes four registers of row pairs to four of lanes, and back: it is its own inverse but for
 * the order of shuffles. */
F8_INLINE void rows8_to_lanes(supi_rows8 a, supi_f8* x, supi_f8* y, supi_f8* z, supi_f8* w) {
    __m256 t0 = _mm256_unpacklo_ps(a.r[0], a.r[2]), t1 = _mm256_unpackhi_ps(a.r[0], a.r[2]);
    __m256 t2 = _mm256_unpacklo_ps(a.r[1], a.r[3]), t3 = _mm256_unpackhi_ps(a.r[1], a.r[3]);
    *x = _mm256_unpacklo_ps(t0, t2);
    *y = _mm256_unpackhi_ps(t0, t2);
    *z = _mm256_unpacklo_ps(t1, t3);
    *w = _mm256_unpackhi_ps(t1, t3);
}
F8_INLINE supi_rows8 rows8_from_lanes(supi_f8 x, supi_f8 y, supi_f8 z, supi_f8 w) {
    __m256 t0 = _mm256_unpacklo_ps(x, z), t1 = _mm256_unpackhi_ps(x, z);
    __m256 t2 = _mm256_unpacklo_ps(y, w), t3 = _mm256_unpackhi_ps(y, w);
    supi_rows8 rows = {{_mm256_unpacklo_ps(t0, t2), _mm256_unpackhi_ps(t0, t2),
                        _mm256_unpacklo_ps(t1, t3), _mm256_unpackhi_ps(t1, t3)}};
    return rows;
}

#elif defined(SUPI_SIMD_FOUR)

/* ---- Four lanes, as the machine has them ---- */

#if defined(SUPI_SIMD_SSE2)
#define F4_SET _mm_set1_ps
#define F4_ROW _mm_setr_ps
#define F4_LOAD _mm_loadu_ps
#define F4_STORE _mm_storeu_ps
#define F4_ADD _mm_add_ps
#define F4_SUB _mm_sub_ps
#define F4_MUL _mm_mul_ps
#define F4_DIV _mm_div_ps
#define F4_SQRT _mm_sqrt_ps
#define F4_MIN _mm_min_ps
#define F4_MAX _mm_max_ps
#define F4_LESS _mm_cmplt_ps
#define F4_AND _mm_and_ps
#define F4_OR _mm_or_ps
#define F4_XOR _mm_xor_ps
#define F4_BITS _mm_movemask_ps
#define F4_FIRST _mm_cvtss_f32
#define F4_UPPER_HALF(a) _mm_movehl_ps(a, a)
#define F4_SECOND_LANE(a) _mm_shuffle_ps(a, a, 1)
#define F4_TRANSPOSE _MM_TRANSPOSE4_PS
#define F4_ABS(a) _mm_andnot_ps(_mm_set1_ps(-0.0f), a)
#define F4_SELECT(m, yes, no) _mm_or_ps(_mm_and_ps(m, yes), _mm_andnot_ps(m, no))
#else
#define F4_SET wasm_f32x4_splat
#define F4_ROW wasm_f32x4_make
#define F4_LOAD wasm_v128_load
#define F4_STORE wasm_v128_store
#define F4_ADD wasm_f32x4_add
#define F4_SUB wasm_f32x4_sub
#define F4_MUL wasm_f32x4_mul
#define F4_DIV wasm_f32x4_div
#define F4_SQRT wasm_f32x4_sqrt
/* pmin(b, a) is a < b ? a : b, which is also what SSE2 does; wasm_f32x4_min is not. */
#define F4_MIN(a, b) wasm_f32x4_pmin(b, a)
#define F4_MAX(a, b) wasm_f32x4_pmax(b, a)
#define F4_LESS wasm_f32x4_lt
#define F4_AND wasm_v128_and
#define F4_OR wasm_v128_or
#define F4_XOR wasm_v128_xor
#define F4_BITS (int)wasm_i32x4_bitmask
#define F4_FIRST(a) wasm_f32x4_extract_lane(a, 0)
#define F4_UPPER_HALF(a) wasm_i32x4_shuffle(a, a, 2, 3, 2, 3)
#define F4_SECOND_LANE(a) wasm_i32x4_shuffle(a, a, 1, 1, 1, 1)
#define F4_TRANSPOSE(a, b, c, d)                                                                   \
    do {                                                                                           \
        supi_f4 ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);                                         \
        supi_f4 cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);                                         \
        supi_f4 ab_upper = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);                                   \
        supi_f4 cd_upper = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);                                   \
        a = wasm_i64x2_shuffle(ab, cd, 0, 2);                                                      \
        b = wasm_i64x2_shuffle(ab, cd, 1, 3);                                                      \
        c = wasm_i64x2_shuffle(ab_upper, cd_upper, 0, 2);                                          \
        d = wasm_i64x2_shuffle(ab_upper, cd_upper, 1, 3);                                          \
    } while (0)
#define F4_ABS wasm_f32x4_abs
#define F4_SELECT(m, yes, no) wasm_v128_bitselect(yes, no, m)
#endif

/* ---- Eight lanes of two times four ---- */

#define F8_MAP1(name, op)                                                                          \
    F8_INLINE supi_f8 name(supi_f8 a) {                                                            \
        supi_f8 r = {op(a.lo), op(a.hi)};                                                          \
        return r;                                                                                  \
    }
#define F8_MAP2(name, op)                                                                          \
    F8_INLINE supi_f8 name(supi_f8 a, supi_f8 b) {                                                 \
        supi_f8 r = {op(a.lo, b.lo), op(a.hi, b.hi)};                                              \
        return r;                                                                                  \
    }
F8_MAP1(f8_sqrt, F4_SQRT)
F8_MAP1(f8_abs, F4_ABS)
F8_MAP2(f8_add, F4_ADD)
F8_MAP2(f8_sub, F4_SUB)
F8_MAP2(f8_mul, F4_MUL)
F8_MAP2(f8_div, F4_DIV)
F8_MAP2(f8_min, F4_MIN)
F8_MAP2(f8_max, F4_MAX)
F8_MAP2(f8_less, F4_LESS)
F8_MAP2(m8_and, F4_AND)
F8_MAP2(m8_or, F4_OR)
F8_MAP2(f8_xor, F4_XOR)
#undef F8_MAP1
#undef F8_MAP2

F8_INLINE supi_f8 f8_both(supi_f4 lo, supi_f4 hi) {
    supi_f8 r = {lo, hi};
    return r;
}
F8_INLINE supi_f8 f8_set(float a) { return f8_both(F4_SET(a), F4_SET(a)); }
F8_INLINE supi_f8 f8_flip(supi_f8 a, supi_f8 b) { return f8_xor(a, m8_and(b, f8_set(-0.0f))); }
F8_INLINE supi_f8 f8_load(const float* p) { return f8_both(F4_LOAD(p), F4_LOAD(p + 4)); }
F8_INLINE void f8_store(float* p, supi_f8 a) {
    F4_STORE(p, a.lo);
    F4_STORE(p + 4, a.hi);
}
F8_INLINE supi_f8 f8_select(supi_m8 m, supi_f8 yes, supi_f8 no) {
    return f8_both(F4_SELECT(m.lo, yes.lo, no.lo), F4_SELECT(m.hi, yes.hi, no.hi));
}
F8_INLINE int m8_bits(supi_m8 m) { return F4_BITS(m.lo) | F4_BITS(m.hi) << 4; }

F8_INLINE float f8_sum(supi_f8 a) {
    supi_f4 b = F4_ADD(a.lo, a.hi);
    supi_f4 c = F4_ADD(b, F4_UPPER_HALF(b));
    return F4_FIRST(F4_ADD(c, F4_SECOND_LANE(c)));
}

F8_INLINE supi_f8 pair_load(const sup_row* a, const sup_row* b) {
    return f8_both(F4_LOAD(&a->x), F4_LOAD(&b->x));
}
F8_INLINE void pair_store(sup_row* a, sup_row* b, supi_f8 pair) {
    F4_STORE(&a->x, pair.lo);
    F4_STORE(&b->x, pair.hi);
}
F8_INLINE supi_f8 f8_row(float x, float y, float z, float w) {
    return f8_both(F4_ROW(x, y, z, w), F4_ROW(x, y, z, w));
}
F8_INLINE void rows8_to_lanes(supi_rows8 a, supi_f8* x, supi_f8* y, supi_f8* z, supi_f8* w) {
    F4_TRANSPOSE(a.r[0].lo, a.r[1].lo, a.r[2].lo, a.r[3].lo);
    F4_TRANSPOSE(a.r[0].hi, a.r[1].hi, a.r[2].hi, a.r[3].hi);
    *x = a.r[0];
    *y = a.r[1];
    *z = a.r[2];
    *w = a.r[3];
}
F8_INLINE supi_rows8 rows8_from_lanes(supi_f8 x, supi_f8 y, supi_f8 z, supi_f8 w) {
    supi_rows8 rows;
    supi_rows8 lanes = {{x, y, z, w}};
    rows8_to_lanes(lanes, &rows.r[0], &rows.r[1], &rows.r[2], &rows.r[3]);
    return rows;
}

#else

#define F8_EACH(expression)                                                                        \
    supi_f8 r;                                                                                     \
    for (int i = 0; i < 8; i++) r.f[i] = (expression);                                             \
    return r

F8_INLINE float lane_mask(bool yes) {
    uint32_t bits = yes ? 0xffffffffu : 0u;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
F8_INLINE uint32_t lane_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
F8_INLINE float lane_float(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

F8_INLINE supi_f8 f8_set(float a) { F8_EACH(a); }
F8_INLINE supi_f8 f8_load(const float* p) { F8_EACH(p[i]); }
F8_INLINE void f8_store(float* p, supi_f8 a) { memcpy(p, a.f, sizeof a.f); }
F8_INLINE supi_f8 f8_add(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] + b.f[i]); }
F8_INLINE supi_f8 f8_sub(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] - b.f[i]); }
F8_INLINE supi_f8 f8_mul(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] * b.f[i]); }
F8_INLINE supi_f8 f8_div(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] / b.f[i]); }
F8_INLINE supi_f8 f8_sqrt(supi_f8 a) { F8_EACH(sqrtf(a.f[i])); }
F8_INLINE supi_f8 f8_min(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] < b.f[i] ? a.f[i] : b.f[i]); }
F8_INLINE supi_f8 f8_max(supi_f8 a, supi_f8 b) { F8_EACH(a.f[i] > b.f[i] ? a.f[i] : b.f[i]); }
F8_INLINE supi_f8 f8_abs(supi_f8 a) { F8_EACH(fabsf(a.f[i])); }
F8_INLINE supi_f8 f8_flip(supi_f8 a, supi_f8 b) {
    F8_EACH(lane_float(lane_bits(a.f[i]) ^ (lane_bits(b.f[i]) & 0x80000000u)));
}
F8_INLINE supi_m8 f8_less(supi_f8 a, supi_f8 b) { F8_EACH(lane_mask(a.f[i] < b.f[i])); }
F8_INLINE supi_m8 m8_and(supi_m8 a, supi_m8 b) {
    F8_EACH(lane_float(lane_bits(a.f[i]) & lane_bits(b.f[i])));
}
F8_INLINE supi_m8 m8_or(supi_m8 a, supi_m8 b) {
    F8_EACH(lane_float(lane_bits(a.f[i]) | lane_bits(b.f[i])));
}
F8_INLINE supi_f8 f8_select(supi_m8 m, supi_f8 yes, supi_f8 no) {
    F8_EACH(lane_bits(m.f[i]) >> 31 ? yes.f[i] : no.f[i]);
}
F8_INLINE int m8_bits(supi_m8 m) {
    int bits = 0;
    for (int i = 0; i < 8; i++) bits |= (int)(lane_bits(m.f[i]) >> 31) << i;
    return bits;
}

F8_INLINE float f8_sum(supi_f8 a) {
    float b0 = a.f[0] + a.f[4], b1 = a.f[1] + a.f[5], b2 = a.f[2] + a.f[6], b3 = a.f[3] + a.f[7];
    return (b0 + b2) + (b1 + b3);
}

F8_INLINE supi_f8 pair_load(const sup_row* a, const sup_row* b) {
    supi_f8 r = {{a->x, a->y, a->z, a->w, b->x, b->y, b->z, b->w}};
    return r;
}
F8_INLINE void pair_store(sup_row* a, sup_row* b, supi_f8 pair) {
    memcpy(a, pair.f, sizeof *a);
    memcpy(b, pair.f + 4, sizeof *b);
}
F8_INLINE supi_f8 f8_row(float x, float y, float z, float w) {
    supi_f8 r = {{x, y, z, w, x, y, z, w}};
    return r;
}
F8_INLINE void rows8_to_lanes(supi_rows8 a, supi_f8* x, supi_f8* y, supi_f8* z, supi_f8* w) {
    for (int i = 0; i < 8; i++) {
        const float* row = a.r[i & 3].f + (i >= 4 ? 4 : 0);
        x->f[i] = row[0];
        y->f[i] = row[1];
        z->f[i] = row[2];
        w->f[i] = row[3];
    }
}
F8_INLINE supi_rows8 rows8_from_lanes(supi_f8 x, supi_f8 y, supi_f8 z, supi_f8 w) {
    supi_rows8 rows;
    for (int i = 0; i < 8; i++) {
        float* row = rows.r[i & 3].f + (i >= 4 ? 4 : 0);
        row[0] = x.f[i];
        row[1] = y.f[i];
        row[2] = z.f[i];
        row[3] = w.f[i];
    }
    return rows;
}
#undef F8_EACH

#endif

#if !defined(SUPI_F8_SUMS)
F8_INLINE void f8_sums(const supi_f8 a[8], float out[8]) {
    for (int k = 0; k < 8; k++) out[k] = f8_sum(a[k]);
}
#endif

/* a * b + c, rounded twice. */
F8_INLINE supi_f8 f8_madd(supi_f8 a, supi_f8 b, supi_f8 c) { return f8_add(f8_mul(a, b), c); }

/* Eight rows in order, or at eight places: one loader for streams and gathers. */
F8_INLINE supi_rows8 rows8_load(const sup_row* p) {
    supi_rows8 rows;
    for (int k = 0; k < 4; k++) rows.r[k] = f8_load(&p[2 * k].x);
    return rows;
}
F8_INLINE supi_rows8 rows8_gather(const sup_row* base, const int32_t* at) {
    supi_rows8 rows;
    for (int k = 0; k < 4; k++) rows.r[k] = pair_load(base + at[2 * k], base + at[2 * k + 1]);
    return rows;
}
F8_INLINE void rows8_scatter(sup_row* base, const int32_t* at, supi_rows8 rows) {
    for (int k = 0; k < 4; k++) pair_store(base + at[2 * k], base + at[2 * k + 1], rows.r[k]);
}
F8_INLINE void rows8_store(sup_row* p, supi_rows8 rows) {
    for (int k = 0; k < 4; k++) f8_store(&p[2 * k].x, rows.r[k]);
}
/* Has the cache bring eight rows, which may lie beyond their array. */
F8_INLINE void rows8_send_for(const sup_row* p) {
    __builtin_prefetch(p);
    __builtin_prefetch(p + 4);
}

#endif
