/* See renderer.h. */
#include "render/renderer.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "render/ids.h"
#include "render/overlay.h"
#include "render/shade.h"
#include "render/sight.h"
#include "render/vec.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct renderer {
    render_settings settings;
    sup_scene* scene;
    camera_stand stand;
    double sight; /* share of what it should see */
    render_geometry geometry;
    overlay overlay;
    ray_tracer *tracer, *glyph_tracer;
    supi_tasks* tasks;
    render_stage stage;
};

const char* renderer_missing(void) {
    return tracer_missing() ? tracer_missing() : picture_missing();
}

bool renderer_available(void) { return renderer_missing() == NULL; }

render_settings renderer_default(void) {
    return (render_settings){.width = 960, .height = 540, .samples = 16, .threads = 1};
}

static bool is_empty(const double low[3], const double high[3]) {
    return !(low[0] < high[0]) && !(low[1] < high[1]) && !(low[2] < high[2]);
}

/* The box of body i; false: it has gone. */
static bool body_box(sup_scene* scene, int32_t i, double low[3], double high[3]) {
    sup_body body = sup_scene_get_body(scene, i, NULL);
    return sup_body_bounds(sup_scene_world(scene), body, low, high) == SUP_OK;
}

void renderer_widen(sup_scene* scene, double low[3], double high[3]) {
    bool first = is_empty(low, high);
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        double a[3], b[3];
        if (!body_box(scene, i, a, b)) continue;
        for (int k = 0; k < 3; k++) {
            low[k] = first || a[k] < low[k] ? a[k] : low[k];
            high[k] = first || b[k] > high[k] ? b[k] : high[k];
        }
        first = false;
    }
}

/* 1, 2 or 5 times a power of ten, at most `x`. */
static double round_length(double x) {
    double unit = 1;
    while (unit > x) unit /= 10;
    while (unit * 10 <= x) unit *= 10;
    return unit * (x >= 5 * unit ? 5 : x >= 2 * unit ? 2 : 1);
}

static double distance(const double a[3], const double b[3]) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

/* An automatic camera goes up where colliders hide what it should see. */
static sup_result look_over_walls(renderer* r, const sup_scene_camera* camera, double aspect,
                                  sup_error* error) {
    const render_settings* s = &r->settings;
    r->sight = 1;
    if (camera->given || r->geometry.solid_count == 0) return SUP_OK;
    sight_scene scene = {.geometry = &r->geometry,
                         .tracer = r->tracer,
                         .camera = *camera,
                         .aspect = aspect,
                         .around = s->around};
    memcpy(scene.low, s->low, sizeof scene.low);
    memcpy(scene.high, s->high, sizeof scene.high);
    if (!geometry_update(&r->geometry, r->scene)) return supi_error_memory(error);
    return sight_choose(&scene, &r->stand, &r->sight, error);
}

static sup_result set_up(renderer* r, sup_error* error) {
    render_settings* s = &r->settings;
    if (is_empty(s->low, s->high)) renderer_widen(r->scene, s->low, s->high);
    double aspect = (double)s->width / s->height;
    sup_scene_camera given = sup_scene_get_camera(r->scene);
    r->stand = camera_choose(&given, s->low, s->high, aspect, s->around, 0);
    double away = distance(r->stand.from, r->stand.look_at), reach = 0.7 * away;
    if (!geometry_create(&r->geometry, r->scene, r->stand.look_at, 60 * (reach + away)) ||
        !sampler_create(&r->stage.sampler, s->samples)) {
        return supi_error_memory(error);
    }
    sup_result result = tracer_create(&r->tracer, error);
    if (result == SUP_OK) result = look_over_walls(r, &given, aspect, error);
    if (result != SUP_OK) return result;
    /* How large the looked-at part of the world is follows from the camera alone: then all pictures
       of a scene have the same grid and mist. */
    reach = 0.7 * distance(r->stand.from, r->stand.look_at);
    render_stage* stage = &r->stage;
    stage->width = s->width;
    stage->height = s->height;
    stage->samples = s->samples;
    stage->reach = (float)reach;
    stage->grid = (float)round_length(reach / 8);
    stage->geometry = &r->geometry;
    stage->camera = camera_at(&r->stand, 0, aspect, r->geometry.origin);
    stage->light = light_create(sup_scene_get_info(r->scene).background, stage->camera.ahead);
    r->overlay.kinds = s->overlays;
    result = tracer_create(&r->glyph_tracer, error);
    if (result == SUP_OK) {
        result = supi_tasks_create(sup_allocator_default(), s->threads, NULL, &r->tasks, error);
    }
    stage->tracer = r->tracer;
    return result;
}

sup_result renderer_create(const render_settings* settings, sup_scene* scene, renderer** out,
                           sup_error* error) {
    *out = NULL;
    if (!renderer_available()) {
        return supi_error_set(error, SUP_UNSUPPORTED, "this build cannot draw: it lacks %s",
                              renderer_missing());
    }
    uint32_t colours = settings->overlays & RENDER_COLOURS;
    int32_t width = settings->width, height = settings->height, samples = settings->samples;
    bool fits = width >= RENDER_SIZE_LEAST && width <= RENDER_SIZE_MOST &&
                height >= RENDER_SIZE_LEAST && height <= RENDER_SIZE_MOST && samples >= 1 &&
                samples <= RENDER_SAMPLES_MOST;
    if (!fits || (colours & (colours - 1)) != 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "pictures like this cannot be drawn");
    }
    renderer* made = supi_memory_new(sup_allocator_default(), 1, sizeof *made);
    if (!made) return supi_error_memory(error);
    made->settings = *settings;
    made->scene = scene;
    sup_result result = set_up(made, error);
    if (result != SUP_OK) {
        renderer_free(made);
        return result;
    }
    *out = made;
    return SUP_OK;
}

/* ---- how well the bodies are seen ---- */

double renderer_cover(const renderer* r) {
    const render_camera* camera = &r->stage.camera;
    /* Of the picture, at distance 1. */
    double area = 4 * (double)vec_length(camera->right) * (double)vec_length(camera->up), sum = 0;
    for (int32_t i = 0; i < sup_scene_get_info(r->scene).body_count; i++) {
        double low[3], high[3], centre[3];
        if (!body_box(r->scene, i, low, high)) continue;
        for (int k = 0; k < 3; k++) centre[k] = (low[k] + high[k]) / 2;
        double share = distance(low, high) / distance(centre, r->stand.from);
        sum += share * share / area;
    }
    return sum;
}

sup_scene_camera renderer_close_up(const renderer* r) {
    double low[3], high[3], best_low[3] = {0}, best_high[3] = {0};
    for (int32_t i = 0; i < sup_scene_get_info(r->scene).body_count; i++) {
        if (!body_box(r->scene, i, low, high)) continue;
        if (distance(low, high) <= distance(best_low, best_high)) continue;
        memcpy(best_low, low, sizeof low);
        memcpy(best_high, high, sizeof high);
    }
    sup_scene_camera camera = sup_scene_get_camera(r->scene);
    double aspect = (double)r->settings.width / r->settings.height;
    camera.given = false;
    camera_stand stand = camera_choose(&camera, best_low, best_high, aspect, false, 0);
    memcpy(camera.from, stand.from, sizeof camera.from);
    memcpy(camera.look_at, stand.look_at, sizeof camera.look_at);
    return camera;
}

double renderer_sight(const renderer* r) { return r->sight; }

void renderer_set_orbit(renderer* r, double degrees) { r->settings.orbit = degrees; }

typedef struct draw_job {
    const render_stage* stage;
    bool ids;
    picture* out;
    render_watch* watch; /* NULL: nobody */
    atomic_int rows;     /* that are drawn */
} draw_job;

/* False: it was stopped. One pixel of many samples takes a while, so each looks. */
static bool draw_pixels(const draw_job* job, int32_t row) {
    uint8_t* rgb = job->out->rgb + 3 * (size_t)row * (size_t)job->out->width;
    if (job->ids) {
        ids_row(job->stage, row, rgb);
        return true;
    }
    for (int32_t x = 0; x < job->out->width; x++, rgb += 3) {
        if (job->watch && job->watch->stop_asked()) return false;
        light_bytes(&job->stage->light, shade_pixel(job->stage, x, row), rgb);
    }
    return true;
}

/* Worker 0 is the calling thread. */
static void draw_row(void* context, int32_t row, int32_t worker) {
    draw_job* job = context;
    render_watch* watch = job->watch;
    if (!draw_pixels(job, row)) return;
    int rows = atomic_fetch_add(&job->rows, 1) + 1;
    if (watch && watch->show && worker == 0) watch->show(watch->user, rows, job->out->height);
}

static sup_result build_glyphs(renderer* r, sup_error* error) {
    overlay* o = &r->overlay;
    if (!overlay_update(o, r->scene, &r->stage, r->settings.top)) return supi_error_memory(error);
    r->stage.vertex_colours = o->vertex_colours;
    bool any = o->sphere_count > 0 || o->cone_count > 0;
    r->stage.glyphs =
        (shade_glyphs){any ? r->glyph_tracer : NULL, o->sphere_colours, o->cone_colours};
    if (!any) return SUP_OK;
    tracer_shapes shapes = {.sphere_count = o->sphere_count,
                            .spheres = o->spheres,
                            .cone_count = o->cone_count,
                            .cones = (const sup_row(*)[2])o->cones};
    return tracer_build(r->glyph_tracer, &shapes, error);
}

sup_result renderer_draw(renderer* r, picture* out, render_watch* watch, sup_error* error) {
    double aspect = (double)r->settings.width / r->settings.height;
    render_geometry* g = &r->geometry;
    r->stage.camera = camera_at(&r->stand, r->settings.orbit, aspect, g->origin);
    if (!geometry_update(g, r->scene)) return supi_error_memory(error);
    int32_t blocking, seen;
    geometry_order_planes(g, r->stage.camera.from, r->stage.light.lamp, &blocking, &seen);
    tracer_shapes shapes = {.triangle_count = seen,
                            .blocking_count = blocking,
                            .triangles = (const int32_t(*)[3])g->triangles,
                            .vertex_count = g->vertex_count,
                            .vertices = g->vertices,
                            .sphere_count = g->sphere_count,
                            .spheres = g->spheres};
    sup_result result = build_glyphs(r, error);
    if (result == SUP_OK) result = tracer_build(r->tracer, &shapes, error);
    if (result != SUP_OK) return result;
    draw_job job = {&r->stage, (r->settings.overlays & RENDER_IDS) != 0, out, watch, 0};
    supi_tasks_run(r->tasks, out->height, draw_row, &job);
    if (watch) watch->stopped = job.rows < out->height;
    return SUP_OK;
}

void renderer_draw_scale(const renderer* r, picture* out) {
    if (r->overlay.kinds & RENDER_VELOCITY) scale_draw(out, r->overlay.top, "m/s");
    if (r->overlay.kinds & RENDER_STRAIN) scale_draw(out, r->overlay.top, "strain");
}

void renderer_free(renderer* r) {
    if (!r) return;
    if (r->tasks) supi_tasks_destroy(r->tasks);
    tracer_free(r->tracer);
    tracer_free(r->glyph_tracer);
    overlay_free(&r->overlay);
    sampler_free(&r->stage.sampler);
    geometry_free(&r->geometry);
    supi_memory_free(sup_allocator_default(), r, 1, sizeof *r);
}
