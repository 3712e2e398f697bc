/* supple run: simulates a scene and writes what -o asks for. */
#include "commands.h"
#include "detail.h"
#include "emit.h"
#include "outputs.h"
#include "progress.h"
#include "stats.h"
#include "tape_output.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct run_options {
    simulate_options simulate;
    option_texts outputs;
    const char *stats, *replay;
    int32_t glb_poses;
    bool resume, json, quiet;
} run_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXTS,
     .offset = offsetof(run_options, outputs),
     .help = "write " OUTPUT_ANIMATIONS " or .sup; may be given again"},
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
    {.name = "resume",
     .kind = OPTION_FLAG,
     .offset = offsetof(run_options, resume),
     .help = "go on with the .sup that an earlier run has begun"},
    {.name = "replay",
     .value = "TAPE",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, replay),
     .help = "change details when a .sup of this scene did, whatever the clock says"},
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
    int32_t resumed;      /* the frame where the run went on; -1: it began at the start */
    bool complete;        /* the tape was there already */
    output_list outputs;
    frame_stats stats;
    detail_run detail;
    progress progress;
    double seconds; /* simulating and writing */
    simulate_troubles troubles;
} run_job;

static tool_exit write_frame(run_job* job) {
    stats_write(&job->stats, job->scene, job->done);
    if (job->outputs.count == 0) return TOOL_DONE;
    sup_result result = sup_scene_read_vertices(job->scene, job->outputs.vertices);
    if (result != SUP_OK) return tool_fail(tool_exit_for(result), "a body of the scene is gone");
    return outputs_write(&job->outputs, sup_scene_world(job->scene));
}

static tool_exit simulate(run_job* job) {
    double start = tool_seconds();
    tool_exit code = job->resumed < 0 ? write_frame(job) : TOOL_DONE;
    while (code == TOOL_DONE && job->done < job->frames && !tool_stop_asked()) {
        code = simulate_step(job->scene);
        if (code != TOOL_DONE) break;
        job->done++;
        output* tape = outputs_tape(&job->outputs);
        code = detail_step(&job->detail, job->scene, job->done, tape ? tape->recorder : NULL);
        if (code != TOOL_DONE) break;
        simulate_watch(&job->troubles, job->scene, &job->progress);
        code = write_frame(job);
        progress_show(&job->progress, job->done, job->frames);
    }
    progress_clear(&job->progress);
    if (code == TOOL_DONE) code = outputs_close(&job->outputs, job->done < job->frames);
    if (code == TOOL_DONE) code = stats_close(&job->stats);
    job->seconds = tool_seconds() - start;
    return code;
}

/* ---- the summary ---- */

static bool is_stopped(const run_job* job) { return job->done < job->frames; }

static void emit_files(const run_job* job, emitter* out) {
    emit_open(out, "files", "[");
    for (int32_t i = 0; i < job->outputs.count; i++) {
        const output* one = &job->outputs.items[i];
        for (int32_t k = 0; k < one->file_count && !one->left_out; k++) {
            char name[4200];
            snprintf(name, sizeof name, "%s%s", one->files[k], output_tail(one, is_stopped(job)));
            emit_text(out, NULL, name);
        }
    }
    if (job->options.stats) emit_text(out, NULL, job->options.stats);
    emit_close(out, ']');
}

static void print_json(const run_job* job, const sup_scene_info* info, uint64_t hash) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "scene", sup_scene_file(job->scene, 0));
    emit_integer(&out, "bodies", info->body_count);
    emit_integer(&out, "particles", info->particle_count);
    emit_integer(&out, "frames", job->done);
    if (job->resumed >= 0) emit_integer(&out, "resumed_from", job->resumed);
    emit_bool(&out, "stopped", is_stopped(job));
    emit_number(&out, "time", sup_world_time(sup_scene_world(job->scene)));
    emit_number(&out, "seconds", job->seconds);
    emit_integer(&out, "bodies_put_back", job->troubles.restored);
    emit_integer(&out, "substeps_needed", job->troubles.substeps_needed);
    if (info->budget_ms > 0 || job->detail.made > 0) {
        emit_integer(&out, "detail_changes", job->detail.made);
    }
    emit_hash(&out, "hash", hash);
    emit_files(job, &out);
    emit_close(&out, '}');
}

static void print_text(const run_job* job, const sup_scene_info* info, uint64_t hash) {
    int32_t steps = job->done - (job->resumed > 0 ? job->resumed : 0);
    if (job->resumed >= 0) printf("went on from frame %d\n", (int)job->resumed);
    printf("%d %s of %d %s (%lld particle%s) in %.2f s: %.1f frames/s\n", (int)steps,
           steps == 1 ? "frame" : "frames", (int)info->body_count,
           info->body_count == 1 ? "body" : "bodies", (long long)info->particle_count,
           info->particle_count == 1 ? "" : "s", job->seconds,
           job->seconds > 0 ? steps / job->seconds : 0.0);
    if (job->detail.made > 0) {
        printf("detail changed %d %s\n", (int)job->detail.made,
               job->detail.made == 1 ? "time" : "times");
    }
    printf("hash %016" PRIx64 "\n", hash);
    outputs_print(&job->outputs, is_stopped(job));
    if (job->options.stats) printf("wrote %s\n", job->options.stats);
}

static void print_summary(const run_job* job) {
    sup_scene_info info = sup_scene_get_info(job->scene);
    uint64_t hash = sup_world_hash(sup_scene_world(job->scene));
    if (job->options.json) {
        print_json(job, &info, hash);
    } else if (!job->options.quiet) {
        print_text(job, &info, hash);
    }
}

/* A tape that needs no run. */
static void print_complete(run_job* job) {
    const char* path = outputs_tape(&job->outputs)->path;
    if (job->options.json) {
        emitter out = {0};
        emit_open(&out, NULL, "{");
        emit_text(&out, "scene", sup_scene_file(job->scene, 0));
        emit_integer(&out, "frames", job->frames);
        emit_bool(&out, "complete", true);
        emit_open(&out, "files", "[");
        emit_text(&out, NULL, path);
        emit_close(&out, ']');
        emit_close(&out, '}');
    } else if (!job->options.quiet) {
        printf("%s is complete already: %d frames\n", path, (int)job->frames);
    }
}

/* ---- the run ---- */

static tool_exit check_tapes(run_job* job) {
    int32_t tapes = 0;
    for (int32_t i = 0; i < job->outputs.count; i++) {
        tapes += job->outputs.items[i].kind == OUTPUT_TAPE;
    }
    if (tapes > 1) return tool_fail(TOOL_USAGE, "a run writes one .sup; this asks for %d", tapes);
    if (!job->options.resume) return TOOL_DONE;
    if (tapes == 0) return tool_fail(TOOL_USAGE, "--resume goes on with a tape: -o NAME.sup");
    if (job->outputs.count == 1 && !job->options.stats) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "--resume goes on with the tape alone: leave the other outputs "
                                 "out, and make them from the tape with supple export");
}

/* With --replay: what a tape has chosen, as far as it goes. */
static tool_exit replay(run_job* job) {
    const char* path = job->options.replay;
    if (!path) return TOOL_DONE;
    for (int32_t i = 0; i < job->outputs.count; i++) {
        if (output_writes(&job->outputs.items[i], path)) {
            return tool_fail(TOOL_USAGE, "%s cannot be repeated and written at once", path);
        }
    }
    tool_exit code = detail_replay(&job->detail, path, job->scene);
    if (code != TOOL_DONE) return code;
    int32_t most = detail_frames(&job->detail);
    if (job->options.simulate.frames > most) {
        return tool_fail(TOOL_INPUT, "%s holds %d frames; it cannot be repeated for %d", path,
                         (int)most, (int)job->options.simulate.frames);
    }
    if (job->options.simulate.frames > 0) return TOOL_DONE;
    if (job->frames != most && !job->options.quiet) {
        tool_note("%s ends at frame %d, and so does the run", path, (int)most);
    }
    job->frames = most;
    return TOOL_DONE;
}

/* With --resume: goes on where the tape ends, or finds that nothing is left to do. */
static tool_exit go_on(run_job* job) {
    output* tape = outputs_tape(&job->outputs);
    bool quiet = job->options.quiet;
    if (!tape || !job->options.resume) return TOOL_DONE;
    tool_exit code = tape_is_done(job->scene, tape->path, job->frames + 1, &job->complete);
    if (code != TOOL_DONE || job->complete) return code;
    code =
        tape_go_on(job->scene, tape->path, job->frames + 1, quiet, &tape->recorder, &job->resumed);
    if (tape->recorder) job->done = job->resumed;
    detail_skip(&job->detail, job->done);
    return code;
}

/* Everything that can be refused is refused before the first step. */
static tool_exit prepare(run_job* job, const char* path) {
    const run_options* given = &job->options;
    tool_exit code = outputs_plan(&job->outputs, &given->outputs, given->stats);
    if (code == TOOL_DONE) code = check_tapes(job);
    if (code == TOOL_DONE) code = simulate_load(&given->simulate, path, &job->scene);
    if (code != TOOL_DONE) return code;
    if (!given->quiet) simulate_notes(job->scene);
    sup_scene_info info = sup_scene_get_info(job->scene);
    job->frames = given->simulate.frames ? given->simulate.frames : info.frames;
    code = outputs_check_inputs(&job->outputs, given->stats, job->scene);
    if (code == TOOL_DONE) code = replay(job);
    if (code == TOOL_DONE) code = go_on(job);
    if (code != TOOL_DONE || job->complete) return code;
    output_source source = {
        .vertex_count = (int32_t)info.vertex_count, .fps = info.fps, .scene = job->scene};
    source.surfaces = sup_scene_surfaces(job->scene, &source.surface_count);
    const output* tape = outputs_tape(&job->outputs);
    bool replaces = tape && !given->resume && tape_is_begun(tape->path);
    code = outputs_open(&job->outputs, &source, job->frames + 1, given->glb_poses);
    if (code != TOOL_DONE) return code;
    if (replaces && !given->quiet) { /* only now it is sure that no other run is writing it */
        tool_note("%s.part of an earlier run is replaced; --resume would have gone on with it",
                  tape->path);
    }
    return stats_open(&job->stats, given->stats, job->scene, given->simulate.threads);
}

/* What is left of a run that was asked to stop. */
static tool_exit say_stopped(run_job* job) {
    output* tape = outputs_tape(&job->outputs);
    bool files = job->options.stats != NULL;
    for (int32_t i = 0; i < job->outputs.count; i++) {
        const output* one = &job->outputs.items[i];
        files = files || (one->kind != OUTPUT_TAPE && !one->left_out);
    }
    return tool_fail(TOOL_STOPPED, "stopped after frame %d of %d%s%s%s%s", (int)job->done,
                     (int)job->frames, files ? "; the files are whole and end with that frame" : "",
                     tape ? "; --resume goes on with " : "", tape ? tape->path : "",
                     tape ? ".part" : "");
}

static tool_exit run_scene(run_job* job) {
    job->progress = progress_begin(job->options.quiet);
    tool_exit code = simulate(job);
    if (code == TOOL_DONE) {
        print_summary(job);
        return is_stopped(job) ? say_stopped(job) : TOOL_DONE;
    }
    output* tape = outputs_tape(&job->outputs);
    if (tape && tape_is_begun(tape->path)) {
        tool_note("%s.part is kept; --resume goes on with it", tape->path);
    }
    return code;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    run_job job = {.options = {.simulate = {.threads = 1}, .glb_poses = GLB_POSES}, .resumed = -1};
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &path, &code)) return code;
    code = prepare(&job, path);
    if (code == TOOL_DONE && job.complete) {
        print_complete(&job);
    } else if (code == TOOL_DONE) {
        code = run_scene(&job);
    }
    outputs_free(&job.outputs);
    detail_close(&job.detail);
    stats_free(&job.stats);
    sup_scene_free(job.scene);
    return code;
}

const tool_command command_run = {
    "run",
    "SCENE",
    "simulate a scene and write animations",
    "Simulates a scene and writes what -o asks for. Pose 0 is the start; N frames give the\n"
    "poses 0 to N. A .pc2 or .mdd comes with an .obj of the same name, a .pvd with a .vtu for\n"
    "every pose; a .ply becomes NAME-000000.ply and so on, one for every pose, which may hold\n"
    "soft substance too and is there at once. Other files get their names at the very end,\n"
    "and only when all went well.\n"
    "SIGINT (Ctrl-C) and SIGTERM stop after the current frame: the files then hold the\n"
    "poses so far (but for .mdd, which needs all), and the exit code is 5. A tape (.sup) is\n"
    "then left as NAME.sup.part, as after any other end, and --resume goes on with it: the\n"
    "tape becomes the same as if nothing had happened.\n"
    "Where the scene has a \"budget_ms\", levels of detail follow the clock. A tape holds what\n"
    "was chosen, and --replay TAPE gives the same motion again, bit by bit.",
    options,
    run};
