/* See ids.h. */
#include "render/ids.h"

#include <math.h>

/* Odd, so that no two of 2^24 bodies are alike and none is black; and a golden share of 2^24, so
   that neighbours differ. */
#define SPREAD 0x9e3779u

static uint32_t colour_at(const render_geometry* geometry, const ray_hits* hits, int lane) {
    int32_t index = hits->index[lane], body = -1;
    if (hits->target[lane] == RAY_TRIANGLE && index < geometry->soft_triangle_count) {
        body = geometry->triangle_material[index];
    }
    if (hits->target[lane] == RAY_SPHERE && index >= geometry->solid_sphere_count) {
        body = geometry->sphere_material[index];
    }
    return ((uint32_t)body + 1) * SPREAD;
}

void ids_row(const render_stage* stage, int32_t y, uint8_t* rgb) {
    float up = 1.0f - 2.0f * ((float)y + 0.5f) / (float)stage->height;
    for (int32_t first = 0; first < stage->width; first += RAY_LANES) {
        ray_batch rays;
        ray_hits hits;
        ray_clear(&rays);
        for (int lane = 0; lane < RAY_LANES && first + lane < stage->width; lane++) {
            float right = 2.0f * ((float)(first + lane) + 0.5f) / (float)stage->width - 1.0f;
            ray_set(&rays, lane, stage->camera.from, camera_ray(&stage->camera, right, up), 0.0f,
                    INFINITY);
        }
        tracer_find(stage->tracer, &rays, &hits);
        for (int lane = 0; lane < RAY_LANES && rays.valid[lane]; lane++, rgb += 3) {
            uint32_t colour = colour_at(stage->geometry, &hits, lane);
            rgb[0] = (uint8_t)(colour >> 16 & 0xff);
            rgb[1] = (uint8_t)(colour >> 8 & 0xff);
            rgb[2] = (uint8_t)(colour & 0xff);
        }
    }
}
