/* The place where a ray meets a surface. */
#ifndef SUPPLE_TOOL_RENDER_SURFACE_H
#define SUPPLE_TOOL_RENDER_SURFACE_H

#include "render/shade.h"

typedef struct surface {
    bool there;
    sup_vec3 place;  /* where rays to the light start: on the smooth surface, outside */
    sup_vec3 behind; /* the same place on the other side */
    sup_vec3 normal; /* smooth, towards the viewer */
    sup_vec3 view;   /* to the viewer */
    sup_vec3 colour;
    float roughness, depth;
    float fog;    /* 0..1: how much of it is lost in the distance */
    float margin; /* m, how far rays keep from the surface */
    int32_t material;
} surface;

surface surface_at(const render_stage* stage, const ray_batch* rays, const ray_hits* hits,
                   int lane);

#endif
