/* See ids.h. */
#include "render/ids.h"

#include <math.h>

/* Odd, so that no two of 2^24 bodies are alike and none is black; and a golden share of 2^24, so
   that neighbours differ. */
#define SPREAD 0x9e3779u

static void aim(const render_camera* camera, ray_batch* rays, int lane, float right, float up) {
    sup_vec3 from = camera->from, direction = camera_ray(camera, right, up);
    rays->origin[0][lane] = from.x;
    rays->origin[1][lane] = from.y;
    rays->origin[2][lane] = from.z;
    rays->direction[0][lane] = direction.x;
    rays->direction[1][lane] = direction.y;
    rays->direction[2][lane] = direction.z;
    rays->nearest[lane] = 0.0f;
    rays->farthest[lane] = INFINITY;
}

static uint32_t colour_at(const render_geometry* geometry, const ray_hits* hits, int lane) {
    int32_t triangle = hits->index[lane];
    bool body = hits->target[lane] == RAY_TRIANGLE && triangle < geometry->body_triangle_count;
    return body ? ((uint32_t)geometry->triangle_material[triangle] + 1) * SPREAD : 0;
}

void ids_row(const render_stage* stage, int32_t y, uint8_t* rgb) {
    float up = 1.0f - 2.0f * ((float)y + 0.5f) / (float)stage->height;
    for (int32_t first = 0; first < stage->width; first += RAY_LANES) {
        ray_batch rays;
        ray_hits hits;
        for (int lane = 0; lane < RAY_LANES; lane++) {
            float x = (float)(first + lane) + 0.5f;
            rays.valid[lane] = first + lane < stage->width ? -1 : 0;
            aim(&stage->camera, &rays, lane, 2.0f * x / (float)stage->width - 1.0f, up);
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
