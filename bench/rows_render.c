/* Rows about pictures: the hello scene in the middle of its fall, drawn over and over. */
#include "bench.h"
#include "render/renderer.h"
#include "supple/scene.h"

#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 16, FALL_FRAMES = 60, DRAWINGS_MAX = 2, SLOW_REPEATS = 10 };

/* One way to draw; the value of a row comes first. */
typedef struct drawing {
    int32_t width, height, threads;
} drawing;

typedef struct contest {
    int32_t count;
    drawing drawings[DRAWINGS_MAX];
    double budget; /* ms, the reference of a row with one drawing */
} contest;

typedef struct easel {
    sup_scene* scene;
    renderer* renderer;
    picture picture;
} easel;

/* ---- Subjects ---- */

static bool draw(void* state) {
    easel* e = state;
    sup_error error = {0};
    return renderer_draw(e->renderer, &e->picture, NULL, &error) == SUP_OK;
}

static void destroy(void* state) {
    easel* e = state;
    renderer_free(e->renderer);
    picture_free(&e->picture);
    sup_scene_free(e->scene);
    free(e);
}

static sup_result load_falling(sup_scene** out, sup_error* error) {
    sup_result result = sup_scene_load(NULL, BENCH_SCENES "/hello.json", out, error);
    if (result != SUP_OK) return result;
    double dt = 1.0 / sup_scene_get_info(*out).fps;
    for (int32_t n = 0; n < FALL_FRAMES && result == SUP_OK; n++) {
        result = sup_world_step(sup_scene_world(*out), dt);
    }
    return result;
}

static sup_result set_up(easel* e, const drawing* how, sup_error* error) {
    render_settings settings = renderer_default();
    settings.width = how->width;
    settings.height = how->height;
    settings.samples = SAMPLES;
    settings.threads = how->threads;
    sup_result result = load_falling(&e->scene, error);
    if (result != SUP_OK) return result;
    if (!picture_create(&e->picture, how->width, how->height)) return SUP_NO_MEMORY;
    return renderer_create(&settings, e->scene, &e->renderer, error);
}

static bool create_subject(const drawing* how, bench_subject* out) {
    sup_error error = {0};
    easel* e = calloc(1, sizeof(*e));
    if (!e) return false;
    sup_result result = set_up(e, how, &error);
    if (result != SUP_OK) {
        fprintf(stderr, "supple_bench: %s: %s\n", sup_result_name(result), error.text);
        destroy(e);
        return false;
    }
    *out = (bench_subject){e, draw, 1, NULL, destroy};
    return true;
}

/* ---- Figures ---- */

static bool measure(const bench_row* row, bench_figures* out) {
    const contest* plan = row->detail;
    bench_subject subjects[DRAWINGS_MAX];
    double seconds[DRAWINGS_MAX];
    int32_t made = 0;
    while (made < plan->count && create_subject(&plan->drawings[made], &subjects[made])) made++;
    bool timed = made == plan->count && bench_time(subjects, made, row->repeats, seconds);
    for (int32_t k = 0; k < made; k++) subjects[k].destroy(subjects[k].state);
    if (!timed) {
        fprintf(stderr, "supple_bench: %s: the pictures could not be drawn\n", row->name);
        return false;
    }
    out->value = 1e3 * seconds[0];
    out->reference = plan->count > 1 ? 1e3 * seconds[1] : plan->budget;
    out->simd = SUP_SIMD_AUTO;
    return true;
}

static const bench_row rows[] = {
    {"render.hello.640x360", "one picture of the hello scene, 16 samples, two threads, in 1 s",
     "ms", "budget", 1.0, 0.0, 2, SUP_SIMD_AUTO, measure,
     &(const contest){1, {{640, 360, 2}}, 1000.0}, SLOW_REPEATS},
    {"render.workers", "two threads beside one, the same picture at 640x360", "ms", "one thread",
     1.7, 0.0, 2, SUP_SIMD_AUTO, measure, &(const contest){2, {{640, 360, 2}, {640, 360, 1}}, 0.0},
     SLOW_REPEATS},
};

const bench_row* bench_rows_render(int32_t* count) {
    /* a build without Embree has nothing to time */
    *count = renderer_available() ? (int32_t)(sizeof(rows) / sizeof(rows[0])) : 0;
    return rows;
}
