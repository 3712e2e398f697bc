/* See detail.h. */
#include "detail.h"

#include "tape_input.h"
#include "tape_output.h"

tool_exit detail_replay(detail_run* run, const char* path, sup_scene* scene) {
    uint64_t hash;
    tool_exit code = tape_open(path, &run->tape);
    if (code == TOOL_DONE) code = tape_scene_hash(scene, &hash);
    if (code != TOOL_DONE) return code;
    run->path = path;
    run->choices = sup_tape_choices(run->tape, &run->count);
    sup_tape_info info = sup_tape_get_info(run->tape);
    if (info.scene_hash != hash) {
        return tool_fail(TOOL_INPUT, "%s belongs to another scene, or its files have changed since",
                         path);
    }
    if (info.start_hash != sup_world_hash(sup_scene_world(scene))) {
        return tool_fail(TOOL_INPUT, "%s begins otherwise: another version has recorded it", path);
    }
    if (info.frame_count > 1) return TOOL_DONE;
    return tool_fail(TOOL_INPUT, "%s holds no frame that could be repeated", path);
}

int32_t detail_frames(const detail_run* run) {
    return run->tape ? sup_tape_get_info(run->tape).frame_count - 1 : INT32_MAX;
}

void detail_skip(detail_run* run, int32_t frame) {
    while (run->next < run->count && run->choices[run->next].frame <= frame) run->next++;
}

tool_exit detail_jump(detail_run* run, sup_scene* scene, int32_t frame) {
    sup_world* world = sup_scene_world(scene);
    int32_t at = run->tape ? sup_tape_snapshot_before(run->tape, frame) : -1;
    if (at < 0 || (uint64_t)at <= sup_world_step_count(world)) return TOOL_DONE;
    sup_error error;
    if (sup_tape_restore(run->tape, at, world, &error) != SUP_OK) return tool_fail_error(&error);
    detail_skip(run, at);
    return TOOL_DONE;
}

static tool_exit record(detail_run* run, const sup_detail_choice* choice, sup_recorder* recorder) {
    sup_error error;
    run->made++;
    if (!recorder) return TOOL_DONE;
    sup_result result = sup_recorder_choice(recorder, choice->body, choice->level, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

static tool_exit repeat(detail_run* run, sup_scene* scene, int32_t frame, sup_recorder* recorder) {
    tool_exit code = TOOL_DONE;
    for (; run->next < run->count && code == TOOL_DONE; run->next++) {
        const sup_detail_choice* choice = &run->choices[run->next];
        if (choice->frame != frame) break;
        sup_error error;
        if (sup_scene_set_detail(scene, choice->body, choice->level, &error) != SUP_OK) {
            return tool_fail_error(&error);
        }
        code = record(run, choice, recorder);
    }
    return code;
}

tool_exit detail_step(detail_run* run, sup_scene* scene, int32_t frame, sup_recorder* recorder) {
    if (run->tape) return repeat(run, scene, frame, recorder);
    sup_error error;
    sup_detail_choice choice;
    double ms = sup_world_profile(sup_scene_world(scene)).total;
    if (sup_scene_adapt(scene, ms, &choice, &error) != SUP_OK) return tool_fail_error(&error);
    return choice.body < 0 ? TOOL_DONE : record(run, &choice, recorder);
}

tool_exit detail_repeat(detail_run* run, sup_scene* scene) {
    if (!run->tape) return TOOL_DONE;
    return repeat(run, scene, (int32_t)sup_world_step_count(sup_scene_world(scene)), NULL);
}

void detail_rewind(detail_run* run) { run->next = run->made = 0; }

void detail_close(detail_run* run) {
    sup_tape_close(run->tape);
    *run = (detail_run){0};
}
