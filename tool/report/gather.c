/* What a report is about: loading, measuring and drawing its scenes. */
#include "by_name.h"
#include "render/renderer.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

tool_exit report_load(report* r) {
    for (int32_t k = 0; k < r->side_count; k++) {
        report_side* side = &r->sides[k];
        tool_exit code = simulate_load(&r->options.simulate, side->path, &side->scene);
        if (code != TOOL_DONE) return code;
        side->frames = r->options.simulate.frames;
        if (side->frames == 0) side->frames = sup_scene_get_info(side->scene).frames;
        side->poster.frame = r->options.poster < 0 ? side->frames / 3 : r->options.poster;
        if (side->poster.frame > side->frames) {
            return tool_fail(TOOL_USAGE, "--poster %d is past the last frame of %s, %d",
                             (int)side->poster.frame, side->path, (int)side->frames);
        }
        r->total += side->frames;
    }
    if (renderer_available() && !r->options.no_pictures) r->total *= 2;
    return TOOL_DONE;
}

tool_exit report_stopped(report* r) {
    progress_clear(&r->progress);
    return tool_fail(TOOL_STOPPED, "stopped; no report is written");
}

/* One step, with the bar and an ear for signals. */
static tool_exit step(report* r, sup_scene* scene) {
    tool_exit code = simulate_step(scene);
    if (code != TOOL_DONE) return code;
    progress_show(&r->progress, ++r->done, r->total);
    return tool_stop_asked() ? report_stopped(r) : TOOL_DONE;
}

/* ---- numbers ---- */

static tool_exit note_frame(report_side* side) {
    const sup_world* world = sup_scene_world(side->scene);
    sup_measures measures = sup_world_measure(world);
    sup_profile profile = sup_world_profile(world);
    int64_t clusters = sup_scene_get_info(side->scene).cluster_count;
    renderer_widen(side->scene, side->low, side->high);
    double parts[BY_NAME_MOST][PART_COUNT];
    by_name_measure(side->scene, parts);
    if (columns_add(&side->numbers, &measures, clusters, &profile,
                    (const double(*)[PART_COUNT])parts))
        return TOOL_DONE;
    return tool_fail(TOOL_MEMORY, "out of memory");
}

static tool_exit measure_side(report* r, report_side* side) {
    if (r->side_count > 1) side->troubles.scene = side->path;
    side->numbers.name_count = by_name_count(side->scene);
    by_name_list(side->scene, side->numbers.names);
    tool_exit code = note_frame(side);
    for (int32_t frame = 1; code == TOOL_DONE && frame <= side->frames; frame++) {
        code = step(r, side->scene);
        if (code != TOOL_DONE) break;
        simulate_watch(&side->troubles, side->scene, &r->progress);
        code = note_frame(side);
    }
    side->hash = sup_world_hash(sup_scene_world(side->scene));
    return code;
}

tool_exit report_measure(report* r) {
    tool_exit code = TOOL_DONE;
    for (int32_t k = 0; code == TOOL_DONE && k < r->side_count; k++) {
        code = measure_side(r, &r->sides[k]);
    }
    return code;
}

/* ---- pictures ---- */

/* Draws pictures of one size. */
typedef struct easel {
    renderer* renderer;
    picture canvas;
} easel;

static void easel_free(easel* e) {
    renderer_free(e->renderer);
    picture_free(&e->canvas);
}

/* Pictures are the poster's size divided by `divisor`. */
static tool_exit easel_create(const report* r, const report_side* side, sup_scene* scene,
                              int32_t divisor, easel* out) {
    render_settings settings = renderer_default();
    settings.width = r->options.width / divisor;
    settings.height = r->options.height / divisor;
    settings.samples = r->options.samples;
    settings.threads = r->options.simulate.threads;
    memcpy(settings.low, side->low, sizeof settings.low);
    memcpy(settings.high, side->high, sizeof settings.high);
    sup_error error;
    *out = (easel){0};
    if (!picture_create(&out->canvas, settings.width, settings.height)) {
        return tool_fail(TOOL_MEMORY, "out of memory");
    }
    sup_result result = renderer_create(&settings, scene, &out->renderer, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

static tool_exit draw(report* r, easel* e, report_picture* out) {
    sup_error error;
    render_watch watch = {.stop_asked = tool_stop_asked};
    sup_result result = renderer_draw(e->renderer, &e->canvas, &watch, &error);
    if (result == SUP_OK && watch.stopped) return report_stopped(r);
    if (result == SUP_OK) result = picture_encode_png(&e->canvas, &out->png, &out->size, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

/* Evenly spaced, the first and the last with them; a short run has fewer. */
static void choose_sheet(report_side* side) {
    for (int32_t i = 0; i < REPORT_SHEET; i++) {
        int32_t frame = (int32_t)((int64_t)side->frames * i / (REPORT_SHEET - 1));
        bool again = side->sheet_count > 0 && side->sheet[side->sheet_count - 1].frame == frame;
        if (!again) side->sheet[side->sheet_count++].frame = frame;
    }
}

/* Draws what is shown of this frame. */
static tool_exit draw_frame(report* r, report_side* side, easel* large, easel* small,
                            int32_t frame) {
    tool_exit code = TOOL_DONE;
    if (side->poster.frame == frame) code = draw(r, large, &side->poster);
    for (int32_t i = 0; code == TOOL_DONE && i < side->sheet_count; i++) {
        if (side->sheet[i].frame == frame) code = draw(r, small, &side->sheet[i]);
    }
    return code;
}

static tool_exit draw_frames(report* r, report_side* side, sup_scene* scene) {
    easel large, small = {0};
    tool_exit code = easel_create(r, side, scene, 1, &large);
    if (code == TOOL_DONE) code = easel_create(r, side, scene, 2, &small);
    if (code == TOOL_DONE) code = draw_frame(r, side, &large, &small, 0);
    for (int32_t frame = 1; code == TOOL_DONE && frame <= side->frames; frame++) {
        code = step(r, scene);
        if (code == TOOL_DONE) code = draw_frame(r, side, &large, &small, frame);
    }
    easel_free(&large);
    easel_free(&small);
    return code;
}

static tool_exit draw_side(report* r, report_side* side) {
    sup_scene* scene;
    tool_exit code = simulate_load(&r->options.simulate, side->path, &scene);
    if (code != TOOL_DONE) return code;
    choose_sheet(side);
    code = draw_frames(r, side, scene);
    sup_scene_free(scene);
    return code;
}

tool_exit report_draw(report* r) {
    if (r->options.no_pictures) {
        snprintf(r->no_pictures, sizeof r->no_pictures, "--no-pictures was given");
        return TOOL_DONE;
    }
    if (!renderer_available()) {
        snprintf(r->no_pictures, sizeof r->no_pictures, "supple was built without %s",
                 renderer_missing());
        return TOOL_DONE;
    }
    tool_exit code = TOOL_DONE;
    for (int32_t k = 0; code == TOOL_DONE && k < r->side_count; k++) {
        code = draw_side(r, &r->sides[k]);
    }
    return code;
}

void report_free(report* r) {
    for (int32_t k = 0; k < r->side_count; k++) {
        report_side* side = &r->sides[k];
        columns_free(&side->numbers);
        if (side->poster.png) picture_free_bytes(side->poster.png);
        for (int32_t i = 0; i < side->sheet_count; i++) {
            if (side->sheet[i].png) picture_free_bytes(side->sheet[i].png);
        }
        sup_scene_free(side->scene);
    }
}
