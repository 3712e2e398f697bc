/* The linear blend of eight points in lanes: the frames that they follow are summed, and what comes
   of it moves places and turns directions. Only kernel files include it.

   The sums are the same whatever other points stand in the batch, but for the sign of a zero:
   frames ascend, and those that a point does not follow add nothing. */
#ifndef SUPPLE_SKIN_BLEND_LANES_H
#define SUPPLE_SKIN_BLEND_LANES_H

#include "skin/batch_lanes.h"

#ifdef SUPI_SIMD_AVX512

/* Frames of eight points, columns a, b, c, t: x and y of a column share a register. */
typedef struct blend_lanes {
    __m512 xy[4];
    supi_f8 z[4];
} blend_lanes;

F8_INLINE __m512 both_halves(const float* p) { return _mm512_broadcast_f32x8(f8_load(p)); }
F8_INLINE supi_f8 low_half(__m512 a) { return _mm512_castps512_ps256(a); }
F8_INLINE supi_f8 high_half(__m512 a) { return _mm512_extractf32x8_ps(a, 1); }
F8_INLINE __m512 wide_madd(__m512 a, __m512 b, __m512 c) {
    return _mm512_add_ps(_mm512_mul_ps(a, b), c);
}

/* Two entries of a frame, one for each half. */
F8_INLINE __m512i entry_pair(int low, int high) {
    return _mm512_inserti64x4(_mm512_set1_epi32(low), _mm256_set1_epi32(high), 1);
}

F8_INLINE blend_lanes blend_frames(const supi_skin_plan* plan, int32_t batch,
                                   const supi_skin_frame* frames) {
    const int32_t *frame = plan->frames + plan->starts[batch],
                  *end = plan->frames + plan->starts[batch + 1];
    const float* weights = plan->weights + 8 * (size_t)plan->starts[batch];
    /* x and y of the four columns, then z of two each */
    const __m512i pairs[6] = {entry_pair(0, 1),   entry_pair(4, 5), entry_pair(8, 9),
                              entry_pair(12, 13), entry_pair(2, 6), entry_pair(10, 14)};
    __m512 sums[6], columns = _mm512_loadu_ps(frames[*frame].columns), w = both_halves(weights);
    for (int k = 0; k < 6; k++) {
        sums[k] = _mm512_mul_ps(w, _mm512_permutexvar_ps(pairs[k], columns));
    }
    for (frame++, weights += 8; frame < end; frame++, weights += 8) {
        columns = _mm512_loadu_ps(frames[*frame].columns);
        w = both_halves(weights);
        for (int k = 0; k < 6; k++) {
            sums[k] = wide_madd(w, _mm512_permutexvar_ps(pairs[k], columns), sums[k]);
        }
    }
    blend_lanes blend = {
        {sums[0], sums[1], sums[2], sums[3]},
        {low_half(sums[4]), high_half(sums[4]), low_half(sums[5]), high_half(sums[5])}};
    return blend;
}

/* Without the translation, of the columns of eight points at p. */
F8_INLINE lanes3 blend_turn(const blend_lanes* blend, const float* p) {
    __m512 xy = _mm512_mul_ps(blend->xy[0], both_halves(p));
    supi_f8 z = f8_mul(blend->z[0], f8_load(p));
    for (int c = 1; c < 3; c++) {
        xy = wide_madd(blend->xy[c], both_halves(p + 8 * c), xy);
        z = f8_madd(blend->z[c], f8_load(p + 8 * c), z);
    }
    lanes3 turned = {low_half(xy), high_half(xy), z};
    return turned;
}

F8_INLINE lanes3 blend_shift(const blend_lanes* blend) {
    lanes3 shift = {low_half(blend->xy[3]), high_half(blend->xy[3]), blend->z[3]};
    return shift;
}

#else

/* Frames of eight points: columns a, b, c, t. */
typedef struct blend_lanes {
    supi_f8 m[12];
} blend_lanes;

F8_INLINE blend_lanes blend_frames(const supi_skin_plan* plan, int32_t batch,
                                   const supi_skin_frame* frames) {
    const int32_t *frame = plan->frames + plan->starts[batch],
                  *end = plan->frames + plan->starts[batch + 1];
    const float* weights = plan->weights + 8 * (size_t)plan->starts[batch];
    blend_lanes blend;
    const float* columns = frames[*frame].columns;
    supi_f8 w = f8_load(weights);
    for (int k = 0; k < 12; k++) blend.m[k] = f8_mul(w, f8_set(columns[4 * (k / 3) + k % 3]));
    for (frame++, weights += 8; frame < end; frame++, weights += 8) {
        columns = frames[*frame].columns;
        w = f8_load(weights);
        for (int k = 0; k < 12; k++) {
            blend.m[k] = f8_madd(w, f8_set(columns[4 * (k / 3) + k % 3]), blend.m[k]);
        }
    }
    return blend;
}

/* Without the translation, of the columns of eight points at p. */
F8_INLINE lanes3 blend_turn(const blend_lanes* blend, const float* p) {
    supi_f8 v[3];
    for (int k = 0; k < 3; k++) v[k] = f8_mul(blend->m[k], f8_load(p));
    for (int c = 1; c < 3; c++) {
        for (int k = 0; k < 3; k++) v[k] = f8_madd(blend->m[3 * c + k], f8_load(p + 8 * c), v[k]);
    }
    lanes3 turned = {v[0], v[1], v[2]};
    return turned;
}

F8_INLINE lanes3 blend_shift(const blend_lanes* blend) {
    lanes3 shift = {blend->m[9], blend->m[10], blend->m[11]};
    return shift;
}

#endif

F8_INLINE lanes3 blend_place(const blend_lanes* blend, const float* p) {
    lanes3 v = blend_turn(blend, p), shift = blend_shift(blend);
    lanes3 place = {f8_add(v.x, shift.x), f8_add(v.y, shift.y), f8_add(v.z, shift.z)};
    return place;
}

#endif
