/* See tape_info.h. */
#include "tape_info.h"

#include "emit.h"
#include "file/ending.h"
#include "supple/tape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool tape_info_wanted(const char* path) {
    return supi_ending_is(path, ".sup") || supi_ending_is(path, ".sup.part");
}

/* Frames are counted as `supple run` does: frame 0 is the start, and takes no time. */
static int32_t last_frame(int32_t count) { return count > 0 ? count - 1 : 0; }

static void tape_json(const char* path, const sup_tape_info* info) {
    emitter out = {0};
    emit_open(&out, NULL, "{");
    emit_text(&out, "tape", path);
    emit_bool(&out, "whole", info->whole);
    emit_integer(&out, "frames", last_frame(info->frame_count));
    emit_integer(&out, "planned", last_frame(info->planned_count));
    emit_number(&out, "fps", info->fps);
    emit_number(&out, "seconds", last_frame(info->frame_count) / info->fps);
    emit_integer(&out, "bodies", info->surface_count);
    emit_integer(&out, "vertices", info->point_count);
    emit_integer(&out, "snapshots", info->snapshot_count);
    emit_integer(&out, "snapshot_every", info->snapshot_every);
    emit_integer(&out, "bytes", (int64_t)info->size);
    emit_hash(&out, "scene_hash", info->scene_hash);
    emit_hash(&out, "start_hash", info->start_hash);
    emit_close(&out, '}');
}

static void tape_text(const char* path, const sup_tape_info* info) {
    int32_t frames = last_frame(info->frame_count);
    printf("%s: tape, %s\n", path, info->whole ? "whole" : "partial");
    printf("  frames     %d of %d at %g per second, %.6g s\n", (int)frames,
           (int)last_frame(info->planned_count), info->fps, frames / info->fps);
    printf("  bodies     %d, %d vertices\n", (int)info->surface_count, (int)info->point_count);
    printf("  snapshots  %d, every %d frames\n", (int)info->snapshot_count,
           (int)info->snapshot_every);
    printf("  size       %.1f MB\n", (double)info->size / 1e6);
    printf("  start      %016" PRIx64 "\n", info->start_hash);
}

tool_exit tape_info(const char* path, bool json) {
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    sup_tape* tape;
    sup_error error;
    sup_result result = sup_tape_open(NULL, NULL, path, &tape, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    result = sup_tape_check(tape, &error);
    sup_tape_info info = sup_tape_get_info(tape);
    sup_tape_close(tape);
    if (result != SUP_OK) return tool_fail_error(&error);
    (json ? tape_json : tape_text)(path, &info);
    return TOOL_DONE;
}
