/* See sampler.h. */
#include "render/sampler.h"

#include <stdlib.h>

bool sampler_create(point_sampler* out, int32_t samples) {
    *out = (point_sampler){.count = 1};
    while (out->count < samples) out->count *= 2;
    out->points = calloc((size_t)out->count, sizeof *out->points);
    if (!out->points) return false;
    for (int32_t i = 0; i < out->count; i++) {
        uint32_t second = 0, direction = 0x80000000u;
        for (uint32_t rest = (uint32_t)i; rest != 0; rest >>= 1) {
            if (rest & 1) second ^= direction;
            direction ^= direction >> 1;
        }
        out->points[i][0] = sampler_reverse((uint32_t)i);
        out->points[i][1] = second;
    }
    return true;
}

void sampler_free(point_sampler* sampler) {
    free(sampler->points);
    sampler->points = NULL;
}
