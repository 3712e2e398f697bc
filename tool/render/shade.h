/* What a pixel sees. */
#ifndef SUPPLE_TOOL_RENDER_SHADE_H
#define SUPPLE_TOOL_RENDER_SHADE_H

#include "render/camera.h"
#include "render/geometry.h"
#include "render/light.h"
#include "render/sampler.h"
#include "render/tracer.h"

/* Spheres and cones that explain a picture. Those behind surfaces shine through. */
typedef struct shade_glyphs {
    const ray_tracer* tracer; /* NULL: none */
    const sup_vec3* sphere_colours;
    const sup_vec3* cone_colours;
} shade_glyphs;

/* Everything that the rays of one picture need. Shared by all threads and changed by none. */
typedef struct render_stage {
    int32_t width, height, samples;
    render_camera camera;
    lighting light;
    point_sampler sampler;
    const render_geometry* geometry;
    const sup_vec3* vertex_colours; /* of bodies, by vertex; NULL: their materials' */
    const ray_tracer* tracer;
    shade_glyphs glyphs;
    float reach; /* m, size of what is looked at */
    float grid;  /* m, spacing of the lines on the ground */
} render_stage;

/* The mean of its samples. */
sup_vec3 shade_pixel(const render_stage* stage, int32_t x, int32_t y);

#endif
