/* supple export: animations from a tape, the same as the run itself would have written. */
#include "commands.h"
#include "outputs.h"
#include "progress.h"
#include "range.h"
#include "tape_input.h"

#include <stdio.h>

typedef struct export_options {
    option_texts outputs;
    const char* frames;
    int32_t glb_poses;
    bool quiet;
} export_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXTS,
     .offset = offsetof(export_options, outputs),
     .help = "write " OUTPUT_ANIMATIONS " or .obj; may be given again"},
    {.name = "frames",
     .letter = 'n',
     .value = "A:B",
     .kind = OPTION_TEXT,
     .offset = offsetof(export_options, frames),
     .help = "from pose A to pose B (default: all)"},
    {.name = "glb-poses",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(export_options, glb_poses),
     .low = 2,
     .high = GLB_POSES,
     .help = "poses that a .glb keeps, evenly spaced (default 120)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(export_options, quiet),
     .help = "no progress bar, no summary"},
    {.name = NULL}};

/* An export under way. */
typedef struct export_job {
    export_options options;
    const char* path;
    sup_tape* tape;
    int32_t first, last; /* poses */
    output_list outputs;
} export_job;

static tool_exit check_names(export_job* job) {
    tool_exit code = outputs_plan(&job->outputs, &job->options.outputs, NULL);
    if (code != TOOL_DONE) return code;
    if (job->outputs.count == 0) {
        return tool_fail(TOOL_USAGE,
                         "export needs an output: -o and a name that ends in " OUTPUT_ANIMATIONS
                         " or .obj");
    }
    if (outputs_tape(&job->outputs)) {
        return tool_fail(TOOL_USAGE, "export writes " OUTPUT_ANIMATIONS " or .obj, no tapes");
    }
    for (int32_t i = 0; i < job->outputs.count; i++) {
        if (!output_writes(&job->outputs.items[i], job->path)) continue;
        return tool_fail(TOOL_USAGE, "%s is the tape itself; it is not overwritten", job->path);
    }
    return TOOL_DONE;
}

static tool_exit choose_frames(export_job* job, const sup_tape_info* info) {
    if (info->frame_count == 0) {
        return tool_fail(TOOL_INPUT, "%s holds no frame", job->path);
    }
    if (!info->whole && !job->options.quiet) {
        tool_note("%s is partial: it ends with frame %d of %d", job->path,
                  (int)info->frame_count - 1, (int)info->planned_count - 1);
    }
    job->last = info->frame_count - 1;
    if (!job->options.frames) return TOOL_DONE;
    tool_exit code = range_parse(job->options.frames, &job->first, &job->last);
    if (code == TOOL_DONE && job->last >= info->frame_count) {
        code = tool_fail(TOOL_USAGE, "frame %d is beyond the end: the tape has the frames 0 to %d",
                         (int)job->last, (int)info->frame_count - 1);
    }
    return code;
}

static tool_exit prepare(export_job* job) {
    tool_exit code = check_names(job);
    if (code == TOOL_DONE) code = tape_open(job->path, &job->tape);
    if (code != TOOL_DONE) return code;
    sup_tape_info info = sup_tape_get_info(job->tape);
    code = choose_frames(job, &info);
    if (code != TOOL_DONE) return code;
    output_source source = {.vertex_count = info.point_count, .fps = info.fps};
    source.surfaces = sup_tape_surfaces(job->tape, &source.surface_count);
    return outputs_open(&job->outputs, &source, job->last - job->first + 1, job->options.glb_poses);
}

static tool_exit copy_frames(export_job* job) {
    progress bar = progress_begin(job->options.quiet);
    tool_exit code = TOOL_DONE;
    for (int32_t frame = job->first; code == TOOL_DONE && frame <= job->last; frame++) {
        sup_error error;
        if (sup_tape_read_frame(job->tape, frame, job->outputs.vertices, &error) != SUP_OK) {
            progress_clear(&bar);
            return tool_fail_error(&error);
        }
        code = outputs_write(&job->outputs, NULL);
        progress_show(&bar, frame - job->first + 1, job->last - job->first + 1);
        if (code == TOOL_DONE && tool_stop_asked()) {
            progress_clear(&bar);
            return tool_fail(TOOL_STOPPED, "stopped at frame %d; nothing is written", (int)frame);
        }
    }
    progress_clear(&bar);
    return code == TOOL_DONE ? outputs_close(&job->outputs, false) : code;
}

static void print_summary(const export_job* job) {
    printf("%d poses, %d to %d\n", (int)(job->last - job->first + 1), (int)job->first,
           (int)job->last);
    outputs_print(&job->outputs, false);
}

static tool_exit run(const tool_command* command, int count, char** words) {
    export_job job = {.options = {.glb_poses = GLB_POSES}};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &job.path, &code)) return code;
    code = prepare(&job);
    if (code == TOOL_DONE) code = copy_frames(&job);
    if (code == TOOL_DONE && !job.options.quiet) print_summary(&job);
    outputs_free(&job.outputs);
    sup_tape_close(job.tape);
    return code;
}

const tool_command command_export = {
    "export",
    "TAPE",
    "make animations from a tape",
    "Reads a tape (.sup) and writes what -o asks for: the same bytes that supple run would\n"
    "have written. A .pc2 or .mdd comes with an .obj of the same name, a .pvd with a .vtu for\n"
    "every pose. A partial tape gives the poses that it holds.",
    options,
    run};
