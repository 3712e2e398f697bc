/* supple run: simulates a scene and writes what -o asks for. */
#include "commands.h"
#include "emit.h"
#include "outputs.h"
#include "progress.h"
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

/* A GLB keeps this many poses unless asked for fewer: the most its writer takes. */
#define GLB_POSES 120

typedef struct run_options {
    simulate_options simulate;
    option_texts outputs;
    const char* stats;
    int32_t glb_poses;
    bool json, quiet;
} run_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXTS,
     .offset = offsetof(run_options, outputs),
     .help = "write an animation: .glb, or .obj/.pc2 (a pair); may be given again"},
    SIMULATE_OPTIONS(run_options, simulate),
    {.name = "stats",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, stats),
     .help = "write energies, contacts, times and hash of every frame as JSON"},
    {.name = "glb-poses",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(run_options, glb_poses),
     .low = 2,
     .high = GLB_POSES,
     .help = "poses that a .glb keeps, evenly spaced (default 120)"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(run_options, json),
     .help = "print the summary as JSON"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(run_options, quiet),
     .help = "no progress bar, no notes, no summary"},
    {.name = NULL}};

/* A run under way. */
typedef struct run_job {
    run_options options;
    sup_scene* scene;
    int32_t frames, done; /* steps wanted and taken */
    output_list outputs;
    frame_stats stats;
    progress progress;
    double seconds;          /* simulating and writing */
    int64_t restored;        /* times a body was put back */
    int32_t substeps_needed; /* largest that a body asked for, 0: none did */
} run_job;

static void warn_about(run_job* job, const sup_event* event) {
    const char* name;
    sup_world* world = sup_scene_world(job->scene);
    sup_scene_get_body(job->scene, (int32_t)sup_body_user(world, event->body), &name);
    progress_clear(&job->progress);
    if (event->kind == SUP_EVENT_BODY_RESTORED) {
        tool_warn("frame %d: \"%s\" went out of range and was put back at rest", (int)job->done,
                  name);
    } else {
        tool_warn("\"%s\" is too stiff for these steps; it needs %.0f substeps", name,
                  event->value);
    }
}

/* Says each kind of event once, and counts the rest. */
static void note_events(run_job* job) {
    int32_t count;
    const sup_event* events = sup_world_events(sup_scene_world(job->scene), &count);
    for (int32_t i = 0; i < count; i++) {
        bool restored = events[i].kind == SUP_EVENT_BODY_RESTORED;
        bool said = restored ? job->restored > 0 : job->substeps_needed > 0;
        if (!said && !job->options.quiet) warn_about(job, &events[i]);
        double needed = events[i].value < 1e6 ? events[i].value : 1e6;
        if (restored) {
            job->restored++;
        } else if (needed > job->substeps_needed) {
            job->substeps_needed = (int32_t)needed;
        }
    }
}

static tool_exit write_frame(run_job* job) {
    stats_write(&job->stats, job->scene, job->done);
    return outputs_write(&job->outputs, job->scene);
}

static tool_exit simulate(run_job* job) {
    double start = tool_seconds();
    tool_exit code = write_frame(job);
    while (code == TOOL_DONE && job->done < job->frames && !tool_stop_asked()) {
        code = simulate_step(job->scene);
        if (code != TOOL_DONE) break;
        job->done++;
        note_events(job);
        code = write_frame(job);
        progress_show(&job->progress, job->done, job->frames);
    }
    progress_clear(&job->progress);
    if (code == TOOL_DONE) code = outputs_close(&job->outputs);
    if (code == TOOL_DONE) code = stats_close(&job->stats);
    job->seconds = tool_seconds() - start;
    return code;
}

/* ---- the summary ---- */

static void print_json(const run_job* job, const sup_scene_info* info, uint64_t hash) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "scene", sup_scene_file(job->scene, 0));
    emit_integer(&out, "bodies", info->body_count);
    emit_integer(&out, "particles", info->particle_count);
    emit_integer(&out, "frames", job->done);
    emit_bool(&out, "stopped", job->done < job->frames);
    emit_number(&out, "time", sup_world_time(sup_scene_world(job->scene)));
    emit_number(&out, "seconds", job->seconds);
    emit_integer(&out, "bodies_put_back", job->restored);
    emit_integer(&out, "substeps_needed", job->substeps_needed);
    emit_hash(&out, "hash", hash);
    emit_open(&out, "files", "[");
    for (int32_t i = 0; i < job->outputs.count; i++) {
        for (int32_t k = 0; k < job->outputs.items[i].file_count; k++) {
            emit_text(&out, NULL, job->outputs.items[i].files[k]);
        }
    }
    if (job->options.stats) emit_text(&out, NULL, job->options.stats);
    emit_close(&out, ']');
    emit_close(&out, '}');
}

static void print_summary(const run_job* job) {
    sup_scene_info info = sup_scene_get_info(job->scene);
    uint64_t hash = sup_world_hash(sup_scene_world(job->scene));
    if (job->options.json) {
        print_json(job, &info, hash);
    } else if (!job->options.quiet) {
        printf("%d %s of %d %s (%lld particles) in %.2f s: %.1f frames/s\n", (int)job->done,
               job->done == 1 ? "frame" : "frames", (int)info.body_count,
               info.body_count == 1 ? "body" : "bodies", (long long)info.particle_count,
               job->seconds, job->seconds > 0 ? job->done / job->seconds : 0.0);
        printf("hash %016" PRIx64 "\n", hash);
        for (int32_t i = 0; i < job->outputs.count; i++) {
            for (int32_t k = 0; k < job->outputs.items[i].file_count; k++) {
                printf("wrote %s\n", job->outputs.items[i].files[k]);
            }
        }
        if (job->options.stats) printf("wrote %s\n", job->options.stats);
    }
}

/* Everything that can be refused is refused before the first step. */
static tool_exit prepare(run_job* job, const char* path) {
    const run_options* options_given = &job->options;
    tool_exit code = outputs_plan(&job->outputs, &options_given->outputs, options_given->stats);
    if (code == TOOL_DONE) code = simulate_load(&options_given->simulate, path, &job->scene);
    if (code != TOOL_DONE) return code;
    code = outputs_check_inputs(&job->outputs, options_given->stats, job->scene);
    job->frames = options_given->simulate.frames;
    if (job->frames == 0) job->frames = sup_scene_get_info(job->scene).frames;
    if (code == TOOL_DONE) {
        code = outputs_open(&job->outputs, job->scene, job->frames + 1, options_given->glb_poses);
    }
    if (code != TOOL_DONE) return code;
    return stats_open(&job->stats, options_given->stats, job->scene,
                      options_given->simulate.threads);
}

static tool_exit run(const tool_command* command, int count, char** words) {
    run_job job = {.options = {.simulate = {.threads = 1}, .glb_poses = GLB_POSES}};
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &path, &code)) return code;
    code = prepare(&job, path);
    if (code == TOOL_DONE) {
        job.progress = progress_begin(job.options.quiet);
        code = simulate(&job);
    }
    if (code == TOOL_DONE) {
        print_summary(&job);
        if (job.done < job.frames) {
            bool files = job.outputs.count > 0 || job.options.stats;
            code = tool_fail(TOOL_STOPPED, "stopped after frame %d of %d%s", (int)job.done,
                             (int)job.frames,
                             files ? "; the files are whole and end with that frame" : "");
        }
    }
    outputs_free(&job.outputs);
    stats_free(&job.stats);
    sup_scene_free(job.scene);
    return code;
}

const tool_command command_run = {
    "run",
    "SCENE",
    "simulate a scene and write animations",
    "Simulates a scene and writes what -o asks for. Pose 0 is the start; N frames give the\n"
    "poses 0 to N. Files get their names at the very end, and only when all went well.\n"
    "SIGINT (Ctrl-C) and SIGTERM stop after the current frame: the files then hold the\n"
    "poses so far, and the exit code is 5.",
    options,
    run};
