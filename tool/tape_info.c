/* See tape_info.h. */
#include "tape_info.h"

#include "emit.h"
#include "file/ending.h"
#include "tape_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool tape_info_wanted(const char* path) {
    return supi_ending_is(path, ".sup") || supi_ending_is(path, ".sup.part");
}

/* Frames are counted as `supple run` does: frame 0 is the start, and takes no time. */
static int32_t last_frame(int32_t count) { return count > 0 ? count - 1 : 0; }

/* Texts tell of so many choices. */
enum { CHOICES_SHOWN = 12 };

/* Bodies of a scene are the surfaces of its tape; a tape of something else may have fewer. */
static const char* body_name(const sup_tape* tape, int32_t body) {
    int32_t count;
    const sup_surface* surfaces = sup_tape_surfaces(tape, &count);
    return body < count ? surfaces[body].name : "";
}

static void choices_json(emitter* out, const sup_tape* tape) {
    int32_t count;
    const sup_detail_choice* choices = sup_tape_choices(tape, &count);
    emit_open(out, "choices", "[");
    for (int32_t i = 0; i < count; i++) {
        emit_open(out, NULL, "{ ");
        emit_integer(out, "frame", choices[i].frame);
        emit_integer(out, "body", choices[i].body);
        emit_text(out, "name", body_name(tape, choices[i].body));
        emit_integer(out, "level", choices[i].level);
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

static void choices_text(const sup_tape* tape) {
    int32_t count;
    const sup_detail_choice* choices = sup_tape_choices(tape, &count);
    if (count > 0)
        printf("  details    changed %d %s\n", (int)count, count == 1 ? "time" : "times");
    for (int32_t i = 0; i < count && i < CHOICES_SHOWN; i++) {
        printf("    frame %-6d %s: level %d\n", (int)choices[i].frame,
               body_name(tape, choices[i].body), (int)choices[i].level);
    }
    if (count > CHOICES_SHOWN) printf("    and so on; --json tells all\n");
}

static void tape_json(const char* path, const sup_tape* tape, const sup_tape_info* info) {
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
    choices_json(&out, tape);
    emit_close(&out, '}');
}

static void tape_text(const char* path, const sup_tape* tape, const sup_tape_info* info) {
    int32_t frames = last_frame(info->frame_count);
    printf("%s: tape, %s\n", path, info->whole ? "whole" : "partial");
    printf("  frames     %d of %d at %g per second, %.6g s\n", (int)frames,
           (int)last_frame(info->planned_count), info->fps, frames / info->fps);
    printf("  bodies     %d, %d vertices\n", (int)info->surface_count, (int)info->point_count);
    printf("  snapshots  %d, every %d frames\n", (int)info->snapshot_count,
           (int)info->snapshot_every);
    printf("  size       %.1f MB\n", (double)info->size / 1e6);
    printf("  start      %016" PRIx64 "\n", info->start_hash);
    choices_text(tape);
}

tool_exit tape_info(const char* path, bool json) {
    sup_tape* tape;
    tool_exit code = tape_open(path, &tape);
    if (code != TOOL_DONE) return code;
    sup_tape_info info = sup_tape_get_info(tape);
    (json ? tape_json : tape_text)(path, tape, &info);
    sup_tape_close(tape);
    return TOOL_DONE;
}
