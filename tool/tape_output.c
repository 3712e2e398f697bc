/* See tape_output.h. */
#define _POSIX_C_SOURCE 200809L

#include "tape_output.h"

#include "base/file_io.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a tape says about the scene it is of. */
typedef struct tape_scene {
    supi_bytes text; /* of the scene file */
    uint64_t hash;   /* of that and of all files that it names */
} tape_scene;

static void scene_free(tape_scene* about) {
    supi_bytes_free(sup_allocator_default(), &about->text);
}

static tool_exit scene_read(const sup_scene* scene, tape_scene* out) {
    const char* path;
    *out = (tape_scene){.hash = supi_hash_begin()};
    for (int32_t i = 0; (path = sup_scene_file(scene, i)) != NULL; i++) {
        supi_bytes bytes;
        sup_error error;
        sup_result result =
            supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, &bytes, &error);
        if (result != SUP_OK) {
            scene_free(out);
            return tool_fail_error(&error);
        }
        out->hash = supi_hash_bytes(out->hash, bytes.data, bytes.size);
        if (i == 0) {
            out->text = bytes;
        } else {
            supi_bytes_free(sup_allocator_default(), &bytes);
        }
    }
    return TOOL_DONE;
}

tool_exit tape_scene_hash(const sup_scene* scene, uint64_t* hash) {
    tape_scene about;
    tool_exit code = scene_read(scene, &about);
    if (code != TOOL_DONE) return code;
    *hash = about.hash;
    scene_free(&about);
    return TOOL_DONE;
}

static sup_tape_def define(const sup_scene* scene, const tape_scene* about, int32_t poses) {
    sup_tape_def def = sup_tape_default();
    def.fps = sup_scene_get_info(scene).fps;
    def.frame_count = poses;
    def.surfaces = sup_scene_surfaces(scene, &def.surface_count);
    def.scene = about->text.data;
    def.scene_size = about->text.size;
    def.scene_hash = about->hash;
    return def;
}

tool_exit tape_begin(sup_scene* scene, const char* path, int32_t poses, sup_recorder** recorder) {
    tape_scene about;
    tool_exit code = scene_read(scene, &about);
    if (code != TOOL_DONE) return code;
    sup_tape_def def = define(scene, &about, poses);
    sup_error error;
    sup_result result = sup_recorder_open(&def, path, sup_scene_world(scene), recorder, &error);
    scene_free(&about);
    if (result == SUP_OK) return TOOL_DONE;
    *recorder = NULL;
    return tool_fail_error(&error);
}

static void note_replacing(void) {
    tool_note("without --resume the run begins anew and replaces it");
}

tool_exit tape_go_on(sup_scene* scene, const char* path, int32_t poses, bool quiet,
                     sup_recorder** recorder, int32_t* frame) {
    tape_scene about;
    tool_exit code = scene_read(scene, &about);
    if (code != TOOL_DONE) return code;
    sup_tape_def def = define(scene, &about, poses);
    sup_error error;
    sup_result result =
        sup_recorder_resume(&def, path, sup_scene_world(scene), recorder, frame, &error);
    scene_free(&about);
    if (result == SUP_OK) return TOOL_DONE;
    *recorder = NULL;
    if (result == SUP_NOT_FOUND) {
        if (!quiet) tool_note("%s: the run begins at frame 0", error.text);
        return TOOL_DONE;
    }
    code = tool_fail_error(&error);
    if (code == TOOL_INPUT && result != SUP_BUSY) note_replacing();
    return code;
}

tool_exit tape_is_done(sup_scene* scene, const char* path, int32_t poses, bool* done) {
    *done = false;
    if (access(path, F_OK) != 0) return TOOL_DONE;
    uint64_t hash;
    tool_exit code = tape_scene_hash(scene, &hash);
    if (code != TOOL_DONE) return code;
    sup_tape* tape;
    sup_error error;
    if (sup_tape_open(NULL, NULL, path, &tape, &error) != SUP_OK) return TOOL_DONE;
    sup_tape_info info = sup_tape_get_info(tape);
    bool other = info.scene_hash != hash;
    bool longer = info.whole && !other && info.planned_count != poses;
    *done = info.whole && !other && info.frame_count == poses && info.planned_count == poses &&
            info.start_hash == sup_world_hash(sup_scene_world(scene)) &&
            sup_tape_check(tape, &error) == SUP_OK;
    sup_tape_close(tape);
    if (!other && !longer) return TOOL_DONE;
    code = other ? tool_fail(TOOL_INPUT,
                             "%s belongs to another scene, or its files have changed since", path)
                 : tool_fail(TOOL_INPUT, "%s is complete with %d frames, not %d", path,
                             (int)info.planned_count - 1, (int)poses - 1);
    note_replacing();
    return code;
}

bool tape_is_begun(const char* path) {
    size_t size = strlen(path) + sizeof ".part";
    char* part = malloc(size);
    if (!part) return false;
    snprintf(part, size, "%s.part", path);
    bool there = access(part, F_OK) == 0;
    free(part);
    return there;
}
