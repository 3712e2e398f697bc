/* Well spread points in the unit square, other ones for every pixel and purpose, always the same:
   Sobol's first two dimensions, the order shuffled and the bits shifted (Burley 2020). */
#ifndef SUPPLE_TOOL_RENDER_SAMPLER_H
#define SUPPLE_TOOL_RENDER_SAMPLER_H

#include "supple/base.h"

typedef struct point_sampler {
    int32_t count;         /* a power of two */
    uint32_t (*points)[2]; /* (count) */
} point_sampler;

/* For `samples` points a pixel. False: no memory. */
bool sampler_create(point_sampler* out, int32_t samples);
void sampler_free(point_sampler* sampler);

static inline uint32_t sampler_hash(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static inline uint32_t sampler_reverse(uint32_t x) {
    x = __builtin_bswap32(x);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
    x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
    return ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
}

/* Point `index` of the set that `seed` names. */
static inline void sampler_point(const point_sampler* sampler, uint32_t seed, int32_t index,
                                 float* u, float* v) {
    uint32_t shift = sampler_hash(seed), other = sampler_hash(shift);
    uint32_t x = sampler_reverse((uint32_t)index) + other;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    const uint32_t* point = sampler->points[sampler_reverse(x) & ((uint32_t)sampler->count - 1)];
    *u = (float)((point[0] ^ shift) >> 8) * 0x1p-24f;
    *v = (float)((point[1] ^ other) >> 8) * 0x1p-24f;
}

/* From the unit square to the unit disc, areas kept (Shirley and Chiu 1997). */
static inline void sampler_disc(float u, float v, float* x, float* y) {
    float a = 2.0f * u - 1.0f, b = 2.0f * v - 1.0f;
    bool wide = a * a > b * b;
    float radius = wide ? a : b, other = wide ? b : a;
    float angle = radius != 0.0f ? 0.78539816f * (other / radius) : 0.0f, q = angle * angle;
    float cosine = 1.0f - q * (0.5f - q * (1.0f / 24.0f - q / 720.0f));
    float sine = angle * (1.0f - q * (1.0f / 6.0f - q / 120.0f));
    *x = radius * (wide ? cosine : sine);
    *y = radius * (wide ? sine : cosine);
}

#endif
