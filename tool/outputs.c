/* See outputs.h. */
#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include "base/memory.h"
#include "file/ending.h"
#include "series_output.h"
#include "tape_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No path of the system is longer. */
#define PATH_ROOM 4200

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
                         S_ISDIR(at.st_mode)   ? "a folder"
                         : S_ISLNK(at.st_mode) ? "a link, not a plain file"
                                               : "not a plain file");
    } else if (access(folder, W_OK | X_OK) != 0) {
        code = tool_fail(TOOL_SYSTEM, "cannot create %s: %s", path, strerror(errno));
    }
    free(folder);
    return code;
}

tool_exit outputs_check_mesh(const char* path) {
    tool_exit code = TOOL_DONE;
    if (supi_ending_is(path, ".obj")) {
        char* cache = strdup(path);
        if (!cache) return tool_fail(TOOL_MEMORY, "out of memory");
        supi_ending_set(cache, ".pc2");
        if (access(cache, F_OK) == 0) {
            code = tool_fail(TOOL_INPUT,
                             "cannot write %s alone: %s beside it is the motion of another", path,
                             cache);
        }
        free(cache);
    }
    return code == TOOL_DONE ? outputs_check_writable(path) : code;
}

/* What an ending asks for. */
typedef struct output_form {
    const char* ending;
    output_kind kind;
    const char* files[2]; /* endings of what is written; NULL: none */
} output_form;

static const output_form forms[] = {
    {".glb", OUTPUT_GLB, {".glb", NULL}},   {".obj", OUTPUT_PC2, {".obj", ".pc2"}},
    {".pc2", OUTPUT_PC2, {".obj", ".pc2"}}, {".mdd", OUTPUT_MDD, {".obj", ".mdd"}},
    {".pvd", OUTPUT_PVD, {".pvd", NULL}},   {".usda", OUTPUT_USDA, {".usda", NULL}},
    {".sup", OUTPUT_TAPE, {".sup", NULL}},  {".ply", OUTPUT_PLY, {NULL, NULL}},
};

static const output_form* form_of(const char* path) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (supi_ending_is(path, forms[i].ending)) return &forms[i];
    }
    return NULL;
}

static tool_exit plan_one(output* one, const char* path) {
    const output_form* form = form_of(path);
    if (!form) {
        return tool_fail(
            TOOL_USAGE, "cannot write %s: the name must end in " OUTPUT_ANIMATIONS ", .obj or .sup",
            path);
    }
    one->path = path;
    one->kind = form->kind;
    for (int i = 0; i < 2 && form->files[i]; i++) {
        char* file = strdup(path);
        if (!file) return tool_fail(TOOL_MEMORY, "out of memory");
        supi_ending_set(file, form->files[i]);
        one->files[one->file_count++] = file;
        tool_exit code = outputs_check_writable(file);
        if (code != TOOL_DONE) return code;
    }
    return TOOL_DONE;
}

/* Has it a file for each frame? */
static const char* frame_ending(const output* one) {
    return one->kind == OUTPUT_PVD ? ".vtu" : one->kind == OUTPUT_PLY ? ".ply" : NULL;
}

/* The name of a frame of NAME.pvd or NAME.ply: NAME, then `tail`. */
static void name_frame(const output* one, const char* tail, char name[PATH_ROOM]) {
    snprintf(name, PATH_ROOM, "%.*s%s", (int)strlen(one->path) - 4, one->path, tail);
}

/* Is it called NAME-000000.vtu or .ply, with any number? */
static bool is_frame(const output* one, const char* path) {
    const char *dash = strrchr(name_of(path), '-'), *digit = dash;
    if (!dash) return false;
    do {
        digit++;
    } while (*digit >= '0' && *digit <= '9');
    char name[PATH_ROOM];
    name_frame(one, dash, name);
    return digit - dash > 6 && strcmp(digit, frame_ending(one)) == 0 &&
           outputs_same_file(name, path);
}

bool output_writes(const output* one, const char* path) {
    for (int32_t i = 0; i < one->file_count; i++) {
        if (outputs_same_file(one->files[i], path)) return true;
    }
    return frame_ending(one) && is_frame(one, path);
}

/* No file may be written by two of them. */
static tool_exit check_pair(const output* one, const output* other) {
    for (int32_t i = 0; i < one->file_count; i++) {
        if (!output_writes(other, one->files[i])) continue;
        return tool_fail(TOOL_USAGE, "%s and %s both write %s; give one of them another name",
                         other->path, one->path, one->files[i]);
    }
    if (!frame_ending(one) || !frame_ending(other)) return TOOL_DONE;
    char name[PATH_ROOM], tail[32];
    snprintf(tail, sizeof tail, "-000000%s", frame_ending(one));
    name_frame(one, tail, name);
    if (!output_writes(other, name)) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "%s and %s both write %s; give one of them another name",
                     other->path, one->path, name);
}

tool_exit outputs_plan(output_list* outputs, const option_texts* paths, const char* extra) {
    memset(outputs, 0, sizeof *outputs);
    for (int32_t i = 0; i < paths->count; i++) {
        output* one = &outputs->items[outputs->count++];
        tool_exit code = plan_one(one, paths->items[i]);
        for (int32_t j = 0; code == TOOL_DONE && j < i; j++) {
            code = check_pair(one, &outputs->items[j]);
        }
        if (code != TOOL_DONE) return code;
        if (extra && output_writes(one, extra)) {
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
            clash = clash || output_writes(&outputs->items[i], input);
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

/* The names of all its frames, which nothing may hold but plain files. */
static tool_exit check_frames(const output* one, int32_t poses) {
    tool_exit code = TOOL_DONE;
    for (int32_t pose = 0; code == TOOL_DONE && pose < poses; pose++) {
        char tail[32], name[PATH_ROOM];
        snprintf(tail, sizeof tail, "-%06d%s", (int)pose, frame_ending(one));
        name_frame(one, tail, name);
        code = outputs_check_writable(name);
    }
    return code;
}

static sup_result open_animation(output* one, const output_source* from, int32_t poses,
                                 int32_t glb_poses, sup_error* error) {
    const char* path = one->path;
    int32_t count = from->surface_count;
    const sup_surface* surfaces = from->surfaces;
    double fps = from->fps;
    sup_animation** out = &one->animation;
    switch (one->kind) {
    case OUTPUT_GLB:
        return sup_glb_open(NULL, NULL, path, count, surfaces, fps, poses, glb_poses, out, error);
    case OUTPUT_MDD: return sup_mdd_open(NULL, NULL, path, count, surfaces, fps, poses, out, error);
    case OUTPUT_PVD: return sup_pvd_open(NULL, NULL, path, count, surfaces, fps, out, error);
    case OUTPUT_USDA: return sup_usda_open(NULL, NULL, path, count, surfaces, fps, out, error);
    default: return sup_pc2_open(NULL, NULL, path, count, surfaces, fps, out, error);
    }
}

static tool_exit open_one(output* one, const output_source* from, int32_t poses,
                          int32_t glb_poses) {
    if (one->kind == OUTPUT_TAPE) {
        if (one->recorder) return TOOL_DONE;
        return tape_begin(from->scene, one->path, poses, &one->recorder);
    }
    tool_exit code = frame_ending(one) ? check_frames(one, poses) : TOOL_DONE;
    if (code != TOOL_DONE || one->kind == OUTPUT_PLY) return code;
    sup_error error;
    if (open_animation(one, from, poses, glb_poses, &error) == SUP_OK) return TOOL_DONE;
    one->animation = NULL;
    return tool_fail_error(&error);
}

tool_exit outputs_open(output_list* outputs, const output_source* source, int32_t poses,
                       int32_t glb_poses) {
    if (outputs->count == 0) return TOOL_DONE;
    outputs->source = *source;
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

static tool_exit write_frame(output* one, const output_list* outputs) {
    char tail[32], name[PATH_ROOM];
    snprintf(tail, sizeof tail, "-%06d.ply", (int)one->frame_count++);
    name_frame(one, tail, name);
    return series_write(name, &outputs->source, outputs->vertices);
}

tool_exit outputs_write(output_list* outputs, const sup_world* world) {
    for (int32_t i = 0; i < outputs->count; i++) {
        output* one = &outputs->items[i];
        sup_error error;
        if (one->kind == OUTPUT_PLY) {
            tool_exit code = write_frame(one, outputs);
            if (code != TOOL_DONE) return code;
            continue;
        }
        sup_result result =
            one->kind == OUTPUT_TAPE
                ? sup_recorder_frame(one->recorder, world, outputs->vertices, &error)
                : sup_animation_frame(one->animation, outputs->vertices, &error);
        if (result != SUP_OK) return tool_fail_error(&error);
        if (one->kind == OUTPUT_PVD) one->frame_count++;
    }
    return TOOL_DONE;
}

tool_exit outputs_close(output_list* outputs, bool stopped) {
    for (int32_t i = 0; i < outputs->count; i++) {
        output* one = &outputs->items[i];
        sup_error error;
        sup_result result = SUP_OK;
        if (stopped && one->kind == OUTPUT_MDD) {
            tool_warn("%s is not written: an .mdd needs all its frames", one->path);
            one->left_out = true; /* outputs_free throws it away */
        } else if (one->kind != OUTPUT_TAPE && one->kind != OUTPUT_PLY) {
            result = sup_animation_close(one->animation, &error);
            one->animation = NULL;
        } else if (!stopped && one->kind == OUTPUT_TAPE) {
            result = sup_recorder_close(one->recorder, &error);
            one->recorder = NULL;
        }
        if (result != SUP_OK) return tool_fail_error(&error);
    }
    return TOOL_DONE;
}

const char* output_tail(const output* one, bool stopped) {
    return stopped && one->kind == OUTPUT_TAPE ? ".part" : "";
}

void outputs_print(const output_list* outputs, bool stopped) {
    for (int32_t i = 0; i < outputs->count; i++) {
        const output* one = &outputs->items[i];
        if (one->left_out) continue;
        if (one->kind == OUTPUT_PLY) {
            char name[PATH_ROOM];
            name_frame(one, "-000000.ply", name);
            printf("wrote %d files, %s and on\n", (int)one->frame_count, name);
        }
        for (int32_t k = 0; k < one->file_count; k++) {
            printf("wrote %s%s", one->files[k], output_tail(one, stopped));
            if (one->frame_count > 0) {
                printf(" and %d .vtu %s beside it", (int)one->frame_count,
                       one->frame_count == 1 ? "file" : "files");
            }
            printf("\n");
        }
    }
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
