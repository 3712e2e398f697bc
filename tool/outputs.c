/* See outputs.h. */
#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include "base/memory.h"
#include "file/ending.h"
#include "tape_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

/* "." for a name without a folder; the caller frees. */
static char* folder_of(const char* path) {
    const char* slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static const char* name_of(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool outputs_same_file(const char* a, const char* b) {
    struct stat x, y;
    if (stat(a, &x) == 0 && stat(b, &y) == 0) return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    if (strcmp(name_of(a), name_of(b)) != 0) return false;
    char* folder_a = folder_of(a);
    char* folder_b = folder_of(b);
    bool same = folder_a && folder_b && stat(folder_a, &x) == 0 && stat(folder_b, &y) == 0 &&
                x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    free(folder_a);
    free(folder_b);
    return same;
}

/* A device or a link would be replaced. A folder that cannot be written would show only when the
   work is done: files are made beside the name and take it at the end. */
tool_exit outputs_check_writable(const char* path) {
    struct stat at;
    char* folder = folder_of(path);
    if (!folder) return tool_fail(TOOL_MEMORY, "out of memory");
    bool there = stat(folder, &at) == 0 && S_ISDIR(at.st_mode);
    tool_exit code = TOOL_DONE;
    if (!there) {
        code = tool_fail(TOOL_INPUT, "cannot write %s: there is no folder %s", path, folder);
    } else if (lstat(path, &at) == 0 && !S_ISREG(at.st_mode)) {
        code = tool_fail(TOOL_INPUT, "cannot write %s: it is %s", path,
                         S_ISDIR(at.st_mode) ? "a folder" : "not a plain file");
    } else if (access(folder, W_OK | X_OK) != 0) {
        code = tool_fail(TOOL_SYSTEM, "cannot create %s: %s", path, strerror(errno));
    }
    free(folder);
    return code;
}

static tool_exit plan_one(output* one, const char* path) {
    one->path = path;
    if (supi_ending_is(path, ".glb")) {
        one->kind = OUTPUT_GLB;
        one->files[one->file_count++] = strdup(path);
    } else if (supi_ending_is(path, ".obj") || supi_ending_is(path, ".pc2")) {
        one->kind = OUTPUT_PC2;
        for (; one->file_count < 2; one->file_count++) {
            char* file = strdup(path);
            if (file) memcpy(file + strlen(file) - 4, one->file_count ? ".pc2" : ".obj", 4);
            one->files[one->file_count] = file;
        }
    } else if (supi_ending_is(path, ".sup")) {
        one->kind = OUTPUT_TAPE;
        one->files[one->file_count++] = strdup(path);
    } else {
        return tool_fail(TOOL_USAGE,
                         "cannot write %s: the name must end in .glb, .obj, .pc2 or .sup", path);
    }
    for (int32_t i = 0; i < one->file_count; i++) {
        if (!one->files[i]) return tool_fail(TOOL_MEMORY, "out of memory");
        tool_exit code = outputs_check_writable(one->files[i]);
        if (code != TOOL_DONE) return code;
    }
    return TOOL_DONE;
}

static bool writes(const output* one, const char* path) {
    for (int32_t i = 0; i < one->file_count; i++) {
        if (outputs_same_file(one->files[i], path)) return true;
    }
    return false;
}

tool_exit outputs_plan(output_list* outputs, const option_texts* paths, const char* extra) {
    memset(outputs, 0, sizeof *outputs);
    for (int32_t i = 0; i < paths->count; i++) {
        output* one = &outputs->items[outputs->count++];
        tool_exit code = plan_one(one, paths->items[i]);
        if (code != TOOL_DONE) return code;
        for (int32_t j = 0; j < i; j++) {
            const output* other = &outputs->items[j];
            if (!writes(other, one->files[0])) continue;
            return tool_fail(TOOL_USAGE, "%s and %s are the same output%s", other->path, one->path,
                             one->kind == OUTPUT_PC2 ? " (an .obj comes with its .pc2)" : "");
        }
        if (extra && writes(one, extra)) {
            return tool_fail(TOOL_USAGE, "%s is to be written twice", extra);
        }
    }
    return extra ? outputs_check_writable(extra) : TOOL_DONE;
}

tool_exit outputs_check_inputs(const output_list* outputs, const char* extra,
                               const sup_scene* scene) {
    const char* input;
    for (int32_t k = 0; (input = sup_scene_file(scene, k)) != NULL; k++) {
        bool clash = extra && outputs_same_file(extra, input);
        for (int32_t i = 0; i < outputs->count; i++) {
            clash = clash || writes(&outputs->items[i], input);
        }
        if (clash)
            return tool_fail(TOOL_USAGE, "%s is read by the scene; it is not overwritten", input);
    }
    return TOOL_DONE;
}

/* ---- writing ---- */

output* outputs_tape(output_list* outputs) {
    for (int32_t i = 0; i < outputs->count; i++) {
        if (outputs->items[i].kind == OUTPUT_TAPE) return &outputs->items[i];
    }
    return NULL;
}

static tool_exit open_one(output* one, const output_source* from, int32_t poses,
                          int32_t glb_poses) {
    if (one->kind == OUTPUT_TAPE) {
        if (one->recorder) return TOOL_DONE;
        return tape_begin(from->scene, one->path, poses, &one->recorder);
    }
    const sup_allocator* memory = sup_allocator_default();
    const sup_file_gate* files = sup_file_gate_default();
    sup_error error;
    sup_result result =
        one->kind == OUTPUT_GLB
            ? sup_glb_open(memory, files, one->path, from->surface_count, from->surfaces, from->fps,
                           poses, glb_poses, &one->animation, &error)
            : sup_pc2_open(memory, files, one->path, from->surface_count, from->surfaces, from->fps,
                           &one->animation, &error);
    if (result == SUP_OK) return TOOL_DONE;
    one->animation = NULL;
    return tool_fail_error(&error);
}

tool_exit outputs_open(output_list* outputs, const output_source* source, int32_t poses,
                       int32_t glb_poses) {
    if (outputs->count == 0) return TOOL_DONE;
    outputs->vertex_count = source->vertex_count;
    outputs->vertices = supi_memory_new(sup_allocator_default(), (size_t)outputs->vertex_count,
                                        sizeof *outputs->vertices);
    if (!outputs->vertices) return tool_fail(TOOL_MEMORY, "out of memory");
    tool_exit code = TOOL_DONE;
    for (int32_t i = 0; code == TOOL_DONE && i < outputs->count; i++) {
        code = open_one(&outputs->items[i], source, poses, glb_poses);
    }
    return code;
}

tool_exit outputs_write(output_list* outputs, const sup_world* world) {
    for (int32_t i = 0; i < outputs->count; i++) {
        output* one = &outputs->items[i];
        sup_error error;
        sup_result result =
            one->kind == OUTPUT_TAPE
                ? sup_recorder_frame(one->recorder, world, outputs->vertices, &error)
                : sup_animation_frame(one->animation, outputs->vertices, &error);
        if (result != SUP_OK) return tool_fail_error(&error);
    }
    return TOOL_DONE;
}

tool_exit outputs_close(output_list* outputs, bool stopped) {
    for (int32_t i = 0; i < outputs->count; i++) {
        output* one = &outputs->items[i];
        sup_error error;
        sup_result result = SUP_OK;
        if (one->kind != OUTPUT_TAPE) {
            result = sup_animation_close(one->animation, &error);
            one->animation = NULL;
        } else if (!stopped) {
            result = sup_recorder_close(one->recorder, &error);
            one->recorder = NULL;
        }
        if (result != SUP_OK) return tool_fail_error(&error);
    }
    return TOOL_DONE;
}

void outputs_free(output_list* outputs) {
    for (int32_t i = 0; i < outputs->count; i++) {
        output* one = &outputs->items[i];
        if (one->animation) sup_animation_abort(one->animation);
        sup_recorder_stop(one->recorder);
        for (int32_t k = 0; k < one->file_count; k++) free(one->files[k]);
    }
    supi_memory_free(sup_allocator_default(), outputs->vertices, (size_t)outputs->vertex_count,
                     sizeof *outputs->vertices);
}
