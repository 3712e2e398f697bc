/* See shade.h. Per sample one ray from the eye, one to the lamp, one to the sky; where a soft body
   turns away from the lamp, one more through it. */
#include "render/shade.h"

#include "render/surface.h"
#include "render/vec.h"

/* What a blocked sky ray still brings: light that other surfaces pass on. */
#define BOUNCE 0.22f
/* Share of the lamp's light that a soft body takes in and gives off to all sides. */
#define SOFT 0.35f
/* How much of a glyph shines through surfaces. */
#define XRAY_SPHERE 0.45f
#define XRAY_CONE 0.75f
/* Cones have a dark rim, where they turn away from the eye by more than this cosine. */
#define RIM 0.8f

/* Purposes of random numbers. */
enum { FOR_PIXEL = 0x1234567, FOR_LAMP = 0x89abcde, FOR_SKY = 0x51f15e5 };

typedef struct sample_batch {
    uint32_t seed;
    int32_t first, count; /* samples of this batch */
    ray_batch eye;
    surface surfaces[RAY_LANES];
    sup_vec3 to_lamp[RAY_LANES], to_sky[RAY_LANES];
    float through[RAY_LANES]; /* share of the lamp's light that reaches the place inside the body */
    bool lamp_blocked[RAY_LANES], sky_blocked[RAY_LANES];
} sample_batch;

static void look(const render_stage* stage, sample_batch* b, int32_t x, int32_t y) {
    ray_clear(&b->eye);
    for (int32_t lane = 0; lane < b->count; lane++) {
        float u, v;
        sampler_point(&stage->sampler, b->seed ^ FOR_PIXEL, b->first + lane, &u, &v);
        float right = 2.0f * ((float)x + u) / (float)stage->width - 1.0f;
        float up = 1.0f - 2.0f * ((float)y + v) / (float)stage->height;
        ray_set(&b->eye, lane, stage->camera.from, camera_ray(&stage->camera, right, up), 0.0f,
                INFINITY);
    }
}

/* Chooses where on the lamp and in the sky each sample looks: the sky by the cosine law. */
static void choose_directions(const render_stage* stage, sample_batch* b) {
    for (int32_t lane = 0; lane < b->count; lane++) {
        if (!b->surfaces[lane].there) continue;
        float u, v, x, y;
        sampler_point(&stage->sampler, b->seed ^ FOR_LAMP, b->first + lane, &u, &v);
        sampler_disc(u, v, &x, &y);
        b->to_lamp[lane] = light_ray(&stage->light, x, y);
        sampler_point(&stage->sampler, b->seed ^ FOR_SKY, b->first + lane, &u, &v);
        sampler_disc(u, v, &x, &y);
        sup_vec3 across, other, normal = b->surfaces[lane].normal;
        vec_frame(normal, &across, &other);
        float rest = 1.0f - x * x - y * y;
        sup_vec3 out = vec_scale(normal, sqrtf(rest > 0.0f ? rest : 0.0f));
        b->to_sky[lane] = vec_along(vec_along(out, across, x), other, y);
    }
}

/* Where a soft body turns away from the lamp, light comes through it: less the longer the way.
   Fills `lamp` with the rays that must be free for that, from where they leave the body. */
static void pass_through(const render_stage* stage, sample_batch* b, ray_batch* lamp) {
    ray_batch inner;
    ray_clear(&inner);
    bool any = false;
    for (int32_t lane = 0; lane < b->count; lane++) {
        const surface* s = b->surfaces + lane;
        bool faces = s->there && vec_dot(s->normal, b->to_lamp[lane]) > 0.0f;
        b->through[lane] = faces ? 1.0f : 0.0f;
        if (!s->there || s->depth <= 0.0f || faces) continue;
        ray_set(&inner, lane, s->behind, b->to_lamp[lane], s->margin, 20.0f * s->depth);
        any = true;
    }
    if (!any) return;
    ray_hits exits;
    tracer_find(stage->tracer, &inner, &exits);
    for (int32_t lane = 0; lane < b->count; lane++) {
        if (!inner.valid[lane]) continue;
        const surface* s = b->surfaces + lane;
        bool hit = exits.target[lane] == RAY_TRIANGLE;
        bool same = hit && stage->geometry->triangle_material[exits.index[lane]] == s->material;
        /* Nothing on the way: a sheet without thickness. Something else: it lies in the way. */
        if (hit && !same) continue;
        float way = hit ? exits.distance[lane] : 0.0f, fade = 1.0f + way / s->depth;
        b->through[lane] = 1.0f / (fade * fade);
        ray_set(lamp, lane, vec_along(s->behind, b->to_lamp[lane], way + 2.0f * s->margin),
                b->to_lamp[lane], s->margin, INFINITY);
    }
}

static void find_shadows(const render_stage* stage, sample_batch* b) {
    ray_batch lamp, sky;
    ray_clear(&lamp);
    ray_clear(&sky);
    pass_through(stage, b, &lamp);
    for (int32_t lane = 0; lane < b->count; lane++) {
        const surface* s = b->surfaces + lane;
        if (!s->there) continue;
        if (vec_dot(s->normal, b->to_lamp[lane]) > 0.0f) {
            ray_set(&lamp, lane, s->place, b->to_lamp[lane], s->margin, INFINITY);
        }
        ray_set(&sky, lane, s->place, b->to_sky[lane], s->margin, 3.0f * stage->reach);
    }
    tracer_block(stage->tracer, &lamp, b->lamp_blocked);
    tracer_block(stage->tracer, &sky, b->sky_blocked);
}

/* Light that a slightly rough coat throws back (Walter et al. 2007, with Schlick's Fresnel). The
   lamp's own width goes into the roughness, so that its picture is smooth. */
static float gloss(const surface* s, sup_vec3 lamp, float facing) {
    sup_vec3 half = vec_unit(vec_add(lamp, s->view));
    float alpha = s->roughness * s->roughness + 0.03f, a2 = alpha * alpha;
    float nh = vec_dot(s->normal, half), nv = vec_dot(s->normal, s->view),
          vh = vec_dot(s->view, half);
    if (nh <= 0.0f || facing <= 0.0f) return 0.0f;
    nv = nv > 0.05f ? nv : 0.05f;
    float d = nh * nh * (a2 - 1.0f) + 1.0f, k = 0.5f * alpha;
    float shadowing = (nv * (1.0f - k) + k) * (facing * (1.0f - k) + k);
    float away = 1.0f - clamp01(vh), q = away * away;
    float fresnel = 0.04f + 0.96f * q * q * away;
    return fresnel * facing * a2 / (4.0f * d * d * shadowing);
}

/* The sky in the coat, stronger at the rim; one direction stands for all. */
static sup_vec3 sheen(const render_stage* stage, const surface* s) {
    float nv = clamp01(vec_dot(s->normal, s->view)), away = 1.0f - nv, q = away * away;
    sup_vec3 mirrored = vec_subtract(vec_scale(s->normal, 2.0f * nv), s->view);
    float smooth = 1.0f - s->roughness;
    float fresnel = (0.04f + (0.1f + 0.5f * smooth) * q * q * away) * (0.25f + 0.75f * smooth);
    return vec_scale(light_sky(&stage->light, mirrored), fresnel);
}

static sup_vec3 radiance(const render_stage* stage, const sample_batch* b, int32_t lane) {
    const surface* s = b->surfaces + lane;
    const lighting* light = &stage->light;
    sup_vec3 inside = vec_multiply(s->colour, s->colour);
    /* What lies in shadow still gets light from coloured things around it: its own kind of colour.
     */
    sup_vec3 sky = light_sky(light, b->to_sky[lane]);
    sup_vec3 sum = vec_multiply(
        sky, b->sky_blocked[lane] ? vec_scale(vec_add(s->colour, inside), BOUNCE) : s->colour);
    sum = vec_add(sum, vec_scale(sheen(stage, s), b->sky_blocked[lane] ? 0.3f : 1.0f));
    if (!b->lamp_blocked[lane]) {
        float facing = vec_dot(s->normal, b->to_lamp[lane]);
        float soft = s->depth > 0.0f ? SOFT : 0.0f, through = b->through[lane];
        sup_vec3 lit = vec_scale(vec_mix(s->colour, inside, 0.4f), soft * through);
        if (facing > 0.0f) {
            float coat = gloss(s, light->lamp, vec_dot(s->normal, light->lamp));
            lit = vec_along(lit, s->colour, (1.0f - soft) * facing);
            lit = vec_add(lit, (sup_vec3){coat, coat, coat});
        }
        sum = vec_add(sum, vec_multiply(lit, light->lamp_colour));
    }
    return s->fog > 0.0f ? vec_mix(sum, light_backdrop(light, vec_scale(s->view, -1.0f)), s->fog)
                         : sum;
}

/* Lays spheres and cones over what the eye rays have seen, lit from the eye. */
static void add_glyphs(const render_stage* stage, const sample_batch* b, const ray_hits* seen,
                       sup_vec3 colours[RAY_LANES]) {
    ray_hits hits;
    tracer_find(stage->glyphs.tracer, &b->eye, &hits);
    for (int32_t lane = 0; lane < b->count; lane++) {
        if (hits.target[lane] == RAY_NOTHING) continue;
        bool sphere = hits.target[lane] == RAY_SPHERE;
        sup_vec3 colour = sphere ? stage->glyphs.sphere_colours[hits.index[lane]]
                                 : stage->glyphs.cone_colours[hits.index[lane]];
        float facing =
            fabsf(vec_dot(vec_unit(ray_normal(&hits, lane)), ray_direction(&b->eye, lane)));
        if (!sphere && facing < RIM) colour = (sup_vec3){0.01f, 0.01f, 0.01f};
        bool hidden =
            seen->target[lane] != RAY_NOTHING && seen->distance[lane] < hits.distance[lane];
        colours[lane] = vec_mix(colours[lane], vec_scale(colour, 0.35f + 0.75f * facing),
                                !hidden  ? 1.0f
                                : sphere ? XRAY_SPHERE
                                         : XRAY_CONE);
    }
}

static sup_vec3 shade_batch(const render_stage* stage, sample_batch* b, int32_t x, int32_t y) {
    look(stage, b, x, y);
    ray_hits seen;
    tracer_find(stage->tracer, &b->eye, &seen);
    bool any = false;
    for (int32_t lane = 0; lane < b->count; lane++) {
        b->surfaces[lane] = surface_at(stage, &b->eye, &seen, lane);
        any = any || b->surfaces[lane].there;
    }
    if (any) {
        choose_directions(stage, b);
        find_shadows(stage, b);
    }
    sup_vec3 colours[RAY_LANES], sum = {0, 0, 0};
    for (int32_t lane = 0; lane < b->count; lane++) {
        colours[lane] = b->surfaces[lane].there
                            ? radiance(stage, b, lane)
                            : light_backdrop(&stage->light, ray_direction(&b->eye, lane));
    }
    if (stage->glyphs.tracer) add_glyphs(stage, b, &seen, colours);
    for (int32_t lane = 0; lane < b->count; lane++) sum = vec_add(sum, colours[lane]);
    return sum;
}

sup_vec3 shade_pixel(const render_stage* stage, int32_t x, int32_t y) {
    sample_batch batch;
    batch.seed = sampler_hash((uint32_t)x + sampler_hash((uint32_t)y));
    sup_vec3 sum = {0, 0, 0};
    for (int32_t first = 0; first < stage->samples; first += RAY_LANES) {
        int32_t left = stage->samples - first;
        batch.first = first;
        batch.count = left < RAY_LANES ? left : RAY_LANES;
        sum = vec_add(sum, shade_batch(stage, &batch, x, y));
    }
    return vec_scale(sum, 1.0f / (float)stage->samples);
}
