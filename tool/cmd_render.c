/* supple render: pictures and films of a scene. */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "detail.h"
#include "outputs.h"
#include "progress.h"
#include "range.h"
#include "render/overlay.h"
#include "render/reel.h"
#include "render/renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHEET_MOST 64    /* rows and columns */
#define COVER_LEAST 1e-4 /* bodies that fill less of a picture are hardly seen */
#define SIGHT_LEAST 0.1  /* of those, more must not be hidden by colliders */

typedef struct render_options {
    simulate_options simulate;
    const char *output, *frames, *size, *overlay, *sheet, *replay;
    int32_t frame; /* -1: not given */
    int32_t samples, orbit;
    bool resume, quiet;
} render_options;

static const option options[] = {
    {"output", 'o', "FILE", OPTION_TEXT, offsetof(render_options, output), 0, 0, NULL,
     ".png, numbered frame-%04d.png, .mp4 or .gif (default: SCENE.png here)"},
    {"frame", 'f', "N", OPTION_INTEGER, offsetof(render_options, frame), 0, 1000000, NULL,
     "the frame of a single picture (default: the last)"},
    {"frames", 'n', "A:B", OPTION_TEXT, offsetof(render_options, frames), 0, 0, NULL,
     "the frames of many pictures (default: from 0 to the last)"},
    {"size", 's', "WxH", OPTION_TEXT, offsetof(render_options, size), 0, 0, NULL,
     "pixels, 16 to 8192 each (default 960x540); even for films"},
    {"samples", 0, "N", OPTION_INTEGER, offsetof(render_options, samples), 1, RENDER_SAMPLES_MOST,
     NULL, "rays per pixel (default 16); more give less noise"},
    {"overlay", 0, "LIST", OPTION_TEXT, offsetof(render_options, overlay), 0, 0, NULL,
     "what lies over it, see below: words with commas between them"},
    {"orbit", 0, "DEGREES", OPTION_INTEGER, offsetof(render_options, orbit), -3600, 3600, NULL,
     "turn the camera by this much from the first picture to the last"},
    {"contact-sheet", 0, "RxC", OPTION_TEXT, offsetof(render_options, sheet), 0, 0, NULL,
     "R rows of C evenly spaced frames in one .png"},
    {"resume", 0, NULL, OPTION_FLAG, offsetof(render_options, resume), 0, 0, NULL,
     "keep numbered pictures that are there already, whole and of this size"},
    {"replay", 0, "TAPE", OPTION_TEXT, offsetof(render_options, replay), 0, 0, NULL,
     "go on from the snapshots of a .sup of this scene, with its details"},
    {"threads", 't', "N", OPTION_INTEGER, offsetof(render_options, simulate.threads), 1, 64, NULL,
     "threads that share the work (default 1); the result is the same"},
    {"simd", 0, "WORD", OPTION_WORD, offsetof(render_options, simulate.simd), 0, 0, simd_words,
     "auto, scalar, sse2 or avx2 (default auto); the result is the same"},
    {"quiet", 'q', NULL, OPTION_FLAG, offsetof(render_options, quiet), 0, 0, NULL,
     "no progress bar, no notes, no summary"},
    {.name = NULL}};

/* A rendering under way. */
typedef struct render_job {
    render_options options;
    const char* path; /* of the scene */
    char* name;       /* of the output, where none was given */
    reel reel;
    int32_t rows, columns;        /* of a contact sheet; 0: none */
    int32_t first, last;          /* frames; the same for one picture */
    int32_t picture_count, drawn; /* wanted and drawn or kept */
    int32_t kept;                 /* were there already */
    render_settings settings;
    sup_scene* scene;
    detail_run detail;
    renderer* renderer;
    picture canvas; /* one frame */
    picture sheet;
    progress progress;
    simulate_troubles troubles;
    bool stopped;
} render_job;

static tool_exit fail_error(const sup_error* error) {
    if (error->code == SUP_UNSUPPORTED) return tool_fail(TOOL_MISSING, "%s", error->text);
    return tool_fail_error(error);
}

/* ---- the command line ---- */

static const char* const overlay_words[] = {"particles", "clusters", "contacts",    "velocity",
                                            "strain",    "ids",      "attachments", "sleep",
                                            "levels",    "depths"};
#define OVERLAY_COUNT (sizeof overlay_words / sizeof *overlay_words)

/* "velocity,contacts" as bits; the words stand in the order of render_overlay. */
static tool_exit parse_overlays(const char* text, uint32_t* bits) {
    while (text) {
        size_t length = strcspn(text, ","), word = 0;
        while (word < OVERLAY_COUNT && (strlen(overlay_words[word]) != length ||
                                        strncmp(overlay_words[word], text, length) != 0)) {
            word++;
        }
        if (word == OVERLAY_COUNT) {
            return tool_fail(TOOL_USAGE,
                             "--overlay knows particles, clusters, contacts, depths, attachments, "
                             "velocity, strain, sleep, levels and ids, not \"%.*s\"",
                             (int)length, text);
        }
        *bits |= 1u << word;
        text = text[length] ? text + length + 1 : NULL;
    }
    if (*bits & RENDER_IDS && *bits != RENDER_IDS) {
        return tool_fail(TOOL_USAGE, "--overlay ids is a mask: nothing can lie over it");
    }
    uint32_t colours = *bits & RENDER_COLOURS;
    if ((colours & (colours - 1)) == 0) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "a surface has one colour: choose one of clusters, velocity, "
                                 "strain, sleep and levels");
}

static tool_exit parse_sheet(render_job* job) {
    const char* text = job->options.sheet;
    tool_exit code =
        options_parse_pair("contact-sheet", "RxC", text, 1, SHEET_MOST, &job->rows, &job->columns);
    if (code != TOOL_DONE) return code;
    job->settings.width /= job->columns;
    job->settings.height /= job->rows;
    int32_t width = job->settings.width, height = job->settings.height;
    if (width >= RENDER_SIZE_LEAST && height >= RENDER_SIZE_LEAST) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "--contact-sheet %s leaves cells of %dx%d pixels; at least %dx%d",
                     text, (int)width, (int)height, RENDER_SIZE_LEAST, RENDER_SIZE_LEAST);
}

/* Options that do not go together. */
static tool_exit check_together(const render_job* job) {
    const render_options* o = &job->options;
    bool single = job->reel.kind == REEL_PICTURE && !o->sheet;
    if (o->sheet && job->reel.kind != REEL_PICTURE) {
        return tool_fail(TOOL_USAGE, "--contact-sheet makes one .png");
    }
    if (o->frames && single) {
        return tool_fail(TOOL_USAGE, "--frames needs numbered pictures (frame-%%04d.png), a film "
                                     "or --contact-sheet; for one picture use --frame");
    }
    if (o->frame >= 0 && !single) {
        return tool_fail(TOOL_USAGE, "--frame is for one .png; for more use --frames");
    }
    if (o->resume && job->reel.kind != REEL_NUMBERED) {
        return tool_fail(TOOL_USAGE, "--resume needs numbered pictures (frame-%%04d.png)");
    }
    if (reel_is_film(&job->reel) &&
        (job->settings.width % 2 != 0 || job->settings.height % 2 != 0)) {
        return tool_fail(TOOL_USAGE, "films need an even width and height, not %dx%d",
                         (int)job->settings.width, (int)job->settings.height);
    }
    return TOOL_DONE;
}

/* "scenes/hello.json" gives "hello.png". */
static char* default_name(const char* path) {
    const char* slash = strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0) length -= 5;
    char* made = malloc(length + 5);
    if (made) snprintf(made, length + 5, "%.*s.png", (int)length, name);
    return made;
}

static tool_exit read_options(render_job* job) {
    const render_options* o = &job->options;
    job->settings = renderer_default();
    job->settings.samples = o->samples;
    job->settings.threads = o->simulate.threads;
    tool_exit code = TOOL_DONE;
    if (o->size) {
        code = options_parse_pair("size", "WxH", o->size, RENDER_SIZE_LEAST, RENDER_SIZE_MOST,
                                  &job->settings.width, &job->settings.height);
    }
    if (code == TOOL_DONE && o->sheet) code = parse_sheet(job);
    if (code == TOOL_DONE) code = parse_overlays(o->overlay, &job->settings.overlays);
    if (code == TOOL_DONE && o->frames) code = range_parse(o->frames, &job->first, &job->last);
    if (code != TOOL_DONE) return code;
    const char* given = o->output;
    if (!given) given = job->name = default_name(job->path);
    if (!given) return tool_fail(TOOL_MEMORY, "out of memory");
    sup_error error;
    if (reel_plan(&job->reel, given, &error) != SUP_OK) {
        return tool_fail(TOOL_USAGE, "%s", error.text);
    }
    return check_together(job);
}

/* ---- what will be drawn ---- */

/* The last frame that there is: a tape that is repeated may end before the scene. */
static int32_t find_end(const render_job* job) {
    int32_t frames = sup_scene_get_info(job->scene).frames, most = detail_frames(&job->detail);
    return most < frames ? most : frames;
}

static tool_exit choose_frames(render_job* job) {
    const render_options* o = &job->options;
    int32_t end = find_end(job);
    bool cut = end < sup_scene_get_info(job->scene).frames;
    bool single = job->reel.kind == REEL_PICTURE && !o->sheet;
    if (single) {
        job->first = job->last = o->frame >= 0 ? o->frame : end;
    } else if (!o->frames) {
        job->last = end;
    }
    if (job->last > end) {
        return tool_fail(TOOL_USAGE, "frame %d is beyond the end: %s has %d frames", (int)job->last,
                         cut ? o->replay : "the scene", (int)end);
    }
    if (cut && !o->quiet && o->frame < 0 && !o->frames) {
        tool_note("%s ends at frame %d, and so does what is drawn", o->replay, (int)end);
    }
    /* No frame twice: cells of a sheet that has more of them stay black. */
    int32_t cells = job->rows * job->columns;
    job->picture_count = job->last - job->first + 1;
    if (cells > 0 && cells < job->picture_count) job->picture_count = cells;
    return TOOL_DONE;
}

/* The frame of picture i: all in turn, or evenly spaced. */
static int32_t frame_of(const render_job* job, int32_t i) {
    if (job->rows == 0) return job->first + i;
    if (job->picture_count == 1) return job->last;
    int64_t span = job->last - job->first, gaps = job->picture_count - 1;
    return job->first + (int32_t)((2 * span * i + gaps) / (2 * gaps));
}

static double orbit_of(const render_job* job, int32_t i) {
    if (job->picture_count == 1) return job->options.orbit;
    return (double)job->options.orbit * i / job->picture_count;
}

static tool_exit check_files(const render_job* job) {
    output_list none = {.count = 0};
    tool_exit code = TOOL_DONE;
    int32_t count = job->reel.kind == REEL_NUMBERED ? job->picture_count : 1;
    for (int32_t i = 0; code == TOOL_DONE && i < count; i++) {
        char* file = reel_file(&job->reel, job->first + i);
        if (!file) return tool_fail(TOOL_MEMORY, "out of memory");
        code = outputs_check_writable(file);
        if (code == TOOL_DONE) code = outputs_check_inputs(&none, file, job->scene);
        free(file);
    }
    return code;
}

/* With --resume: is the picture of this frame there already? */
static bool is_kept(const render_job* job, int32_t frame) {
    return job->options.resume &&
           reel_has(&job->reel, frame, job->settings.width, job->settings.height);
}

/* Then there is nothing to simulate. */
static bool all_kept(const render_job* job) {
    int32_t i = 0;
    while (i < job->picture_count && is_kept(job, frame_of(job, i))) i++;
    return i == job->picture_count;
}

/* ---- simulating ---- */

static tool_exit step(render_job* job, sup_scene* scene) {
    tool_exit code = simulate_step(scene);
    if (code == TOOL_DONE) code = detail_repeat(&job->detail, scene);
    if (code != TOOL_DONE) return code;
    simulate_watch(&job->troubles, scene, &job->progress);
    return TOOL_DONE;
}

/* Goes on from a snapshot of the tape that is repeated. Contacts are of the last step and in no
   snapshot: where they are drawn, that step is done. */
static tool_exit jump(render_job* job, sup_scene* scene, int32_t frame) {
    bool contacts = job->settings.overlays & RENDER_OF_CONTACTS;
    return detail_jump(&job->detail, scene, contacts ? frame - 1 : frame);
}

/* Simulates to the last frame, and notes what all pictures share: the box of the motion, and the
   top of the scale of colours. */
static tool_exit survey(render_job* job, sup_scene* scene) {
    uint32_t shown = job->settings.overlays & (RENDER_VELOCITY | RENDER_STRAIN);
    bool box = !sup_scene_get_camera(scene).given;
    scale_tally tally = {0};
    if (!box && !shown) {
        tool_exit code = jump(job, scene, job->last);
        if (code != TOOL_DONE) return code;
    }
    for (int32_t frame = (int32_t)sup_world_step_count(sup_scene_world(scene));; frame++) {
        if (box) renderer_widen(scene, job->settings.low, job->settings.high);
        if (shown && frame >= job->first && !overlay_count(sup_scene_world(scene), shown, &tally)) {
            return tool_fail(TOOL_MEMORY, "out of memory");
        }
        progress_show(&job->progress, frame, job->last);
        job->stopped = tool_stop_asked();
        if (frame == job->last || job->stopped) break;
        tool_exit code = step(job, scene);
        if (code != TOOL_DONE) return code;
    }
    progress_clear(&job->progress);
    job->settings.top = scale_top(&tally);
    return TOOL_DONE;
}

/* One picture comes at the end of its survey; several need the scene from the start again. */
static tool_exit prepare_scene(render_job* job) {
    bool needed = !sup_scene_get_camera(job->scene).given ||
                  job->settings.overlays & (RENDER_VELOCITY | RENDER_STRAIN);
    if (job->picture_count > 1 && !needed) return TOOL_DONE;
    tool_exit code = survey(job, job->scene);
    if (code != TOOL_DONE || job->picture_count == 1 || job->stopped) return code;
    sup_scene_free(job->scene);
    job->scene = NULL;
    detail_rewind(&job->detail);
    return simulate_load(&job->options.simulate, job->path, &job->scene);
}

static tool_exit step_to(render_job* job, int32_t frame) {
    tool_exit code = jump(job, job->scene, frame);
    while (code == TOOL_DONE && !job->stopped &&
           (int64_t)sup_world_step_count(sup_scene_world(job->scene)) < frame) {
        code = step(job, job->scene);
        job->stopped = tool_stop_asked();
    }
    return code;
}

/* ---- drawing ---- */

/* Where a stop was asked for and ffmpeg does not finish the film, the stop is what ended us. */
static tool_exit fail_reel(const render_job* job, const sup_error* error) {
    if (!reel_is_film(&job->reel) || !tool_stop_asked()) return fail_error(error);
    return tool_fail(TOOL_STOPPED, "stopped after %d of %d pictures; nothing was written: %s",
                     (int)job->drawn, (int)job->picture_count, error->text);
}

/* Puts the canvas into its cell. */
static void paste(render_job* job, int32_t i) {
    size_t width = 3 * (size_t)job->canvas.width, height = (size_t)job->canvas.height;
    size_t row = (size_t)(i / job->columns), column = (size_t)(i % job->columns);
    for (size_t y = 0; y < height; y++) {
        size_t at = (row * height + y) * (size_t)job->columns + column;
        memcpy(job->sheet.rgb + at * width, job->canvas.rgb + y * width, width);
    }
}

/* A single picture may take long: the bar shows its rows. */
static void show_rows(void* user, int32_t rows, int32_t total) {
    render_job* job = user;
    progress_show(&job->progress, rows, total);
}

/* A stop leaves a picture half drawn: it is dropped. */
static tool_exit draw_picture(render_job* job, int32_t i) {
    sup_error error;
    bool single = job->picture_count == 1;
    render_watch watch = {tool_stop_asked, single ? show_rows : NULL, job, false};
    renderer_set_orbit(job->renderer, orbit_of(job, i));
    if (renderer_draw(job->renderer, &job->canvas, &watch, &error) != SUP_OK) {
        return fail_error(&error);
    }
    job->stopped = watch.stopped;
    if (job->stopped) return TOOL_DONE;
    if (job->rows > 0) {
        paste(job, i);
        return TOOL_DONE;
    }
    renderer_draw_scale(job->renderer, &job->canvas);
    sup_result result = reel_add(&job->reel, &job->canvas, frame_of(job, i), &error);
    return result == SUP_OK ? TOOL_DONE : fail_reel(job, &error);
}

static tool_exit draw_all(render_job* job) {
    tool_exit code = TOOL_DONE;
    job->progress = progress_begin(job->options.quiet);
    job->progress.unit = job->picture_count == 1 ? "rows" : "pictures";
    while (code == TOOL_DONE && job->drawn < job->picture_count && !job->stopped) {
        int32_t frame = frame_of(job, job->drawn);
        bool keep = is_kept(job, frame);
        if (!keep) {
            code = step_to(job, frame);
            if (code == TOOL_DONE && !job->stopped) code = draw_picture(job, job->drawn);
            if (code != TOOL_DONE || job->stopped) break;
        }
        job->kept += keep;
        job->drawn++;
        job->stopped = tool_stop_asked() && job->drawn < job->picture_count;
        if (job->picture_count > 1) progress_show(&job->progress, job->drawn, job->picture_count);
    }
    progress_clear(&job->progress);
    if (code != TOOL_DONE) return code;
    sup_error error;
    sup_result result = SUP_OK;
    if (job->rows > 0 && !job->stopped) {
        renderer_draw_scale(job->renderer, &job->sheet);
        result = picture_save(&job->sheet, job->reel.path, &error);
    } else if (job->drawn > 0) {
        result = reel_close(&job->reel, &error);
    }
    return result == SUP_OK ? TOOL_DONE : fail_reel(job, &error);
}

/* A camera that must see bodies far apart, or a long way of theirs, sees little of each. */
static void note_small_bodies(const render_job* job) {
    bool given = sup_scene_get_camera(job->scene).given;
    if (given || job->options.quiet || !(renderer_cover(job->renderer) < COVER_LEAST)) return;
    sup_scene_camera near = renderer_close_up(job->renderer);
    int digits = 0; /* behind the point, as many as tell a hundredth of the distance */
    for (double unit = fabs(near.from[2] - near.look_at[2]) / 100; unit < 1 && digits < 9;) {
        unit *= 10;
        digits++;
    }
    tool_note("the bodies cover less than 1/10000 of the picture: the camera sees all of them in "
              "their whole motion");
    tool_note("to look at one from near by, write into the scene: \"camera\": {\"from\": [%.*f, "
              "%.*f, %.*f], \"look_at\": [%.*f, %.*f, %.*f]}",
              digits, near.from[0], digits, near.from[1], digits, near.from[2], digits,
              near.look_at[0], digits, near.look_at[1], digits, near.look_at[2]);
}

/* An automatic camera that has found no place with a free view. */
static void note_hidden_bodies(const render_job* job) {
    if (job->options.quiet || !(renderer_sight(job->renderer) < SIGHT_LEAST)) return;
    tool_note("colliders hide the bodies from the camera; give the scene a \"camera\" of its own");
}

static tool_exit prepare_drawing(render_job* job) {
    sup_error error;
    job->settings.around = job->options.orbit != 0;
    int32_t width = job->settings.width, height = job->settings.height;
    if (!picture_create(&job->canvas, width, height) ||
        (job->rows > 0 && !picture_create(&job->sheet, width * job->columns, height * job->rows))) {
        return tool_fail(TOOL_MEMORY, "out of memory");
    }
    sup_result result = renderer_create(&job->settings, job->scene, &job->renderer, &error);
    if (result != SUP_OK) return fail_error(&error);
    note_small_bodies(job);
    note_hidden_bodies(job);
    return TOOL_DONE;
}

/* Everything that can be refused is refused before the first step. */
static tool_exit prepare(render_job* job) {
    if (!renderer_available()) {
        return tool_fail(TOOL_MISSING, "this build cannot draw; install %s and build again",
                         renderer_missing());
    }
    tool_exit code = simulate_load(&job->options.simulate, job->path, &job->scene);
    if (code == TOOL_DONE && !job->options.quiet) simulate_notes(job->scene);
    if (code == TOOL_DONE && job->options.replay) {
        code = detail_replay(&job->detail, job->options.replay, job->scene);
    }
    if (code == TOOL_DONE) code = choose_frames(job);
    if (code == TOOL_DONE) code = check_files(job);
    if (code != TOOL_DONE) return code;
    sup_error error;
    sup_result result = reel_open(&job->reel, job->settings.width, job->settings.height,
                                  sup_scene_get_info(job->scene).fps, tool_stop_asked, &error);
    return result == SUP_OK ? TOOL_DONE : fail_error(&error);
}

static tool_exit make(render_job* job) {
    tool_exit code = prepare(job);
    if (code != TOOL_DONE) return code;
    if (all_kept(job)) {
        job->drawn = job->kept = job->picture_count;
        return TOOL_DONE;
    }
    job->progress = progress_begin(job->options.quiet);
    code = prepare_scene(job);
    if (code == TOOL_DONE && !job->stopped) code = prepare_drawing(job);
    if (code == TOOL_DONE && !job->stopped) code = draw_all(job);
    return code;
}

static tool_exit end_of(const render_job* job, double seconds) {
    bool whole = job->drawn == job->picture_count;
    if (whole && !job->options.quiet) {
        int32_t fresh = job->drawn - job->kept;
        printf("%d %s of %dx%d in %.2f s", (int)fresh, fresh == 1 ? "picture" : "pictures",
               (int)job->settings.width, (int)job->settings.height, seconds);
        if (job->kept > 0) printf(", %d kept", (int)job->kept);
        printf("\nwrote %s\n", job->reel.path);
    }
    if (whole) return TOOL_DONE;
    bool nothing = job->drawn == 0 || job->rows > 0;
    return tool_fail(TOOL_STOPPED, "stopped after %d of %d pictures; %s", (int)job->drawn,
                     (int)job->picture_count,
                     nothing                           ? "nothing was written"
                     : job->reel.kind == REEL_NUMBERED ? "those are whole, --resume goes on"
                                                       : "the film is whole and ends there");
}

static tool_exit run(const tool_command* command, int count, char** words) {
    render_job job = {.options = {.simulate = {.threads = 1},
                                  .frame = -1,
                                  .samples = renderer_default().samples}};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &job.path, &code)) return code;
    double start = tool_seconds();
    code = read_options(&job);
    if (code == TOOL_DONE) code = make(&job);
    if (code == TOOL_DONE) code = end_of(&job, tool_seconds() - start);
    reel_free(&job.reel);
    renderer_free(job.renderer);
    picture_free(&job.canvas);
    picture_free(&job.sheet);
    detail_close(&job.detail);
    sup_scene_free(job.scene);
    free(job.name);
    return code;
}

const tool_command command_render = {
    "render",
    "SCENE",
    "draw pictures and films of a scene",
    "Simulates a scene and draws it with rays. What is drawn follows from the name of -o:\n"
    "  NAME.png             one picture, of --frame\n"
    "  NAME-%04d.png        a picture for each of --frames, numbered\n"
    "  NAME.mp4, NAME.gif   a film of --frames, through ffmpeg; a .gif has at most 25 a second\n"
    "With --contact-sheet, NAME.png holds small pictures side by side; the whole sheet fits into\n"
    "--size. Cells for which there are no frames stay black.\n"
    "The camera is the scene's. Where it gives none, the camera sees the bodies in all of their\n"
    "motion; for that, and for the scales of colours, several pictures simulate the scene twice.\n"
    "The clock changes no level of detail here; --replay TAPE shows what a run has chosen by it,\n"
    "and simulates only from its last snapshot on where nothing of the way there is needed.\n"
    "--overlay takes particles, contacts, depths, attachments; one of the colours clusters,\n"
    "velocity, strain, sleep, levels; or ids, a mask.\n"
    "SIGINT (Ctrl-C) and SIGTERM stop at once and drop the picture that is being drawn: a film "
    "ends\n"
    "before it, numbered pictures are whole, and the exit code is 5. An ffmpeg that then stands\n"
    "still for a second is ended, and its film is lost.",
    options,
    run};
