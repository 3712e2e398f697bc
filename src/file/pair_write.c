/* See pair_write.h. */
#include "file/pair_write.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/ending.h"
#include "file/obj_write.h"

typedef struct pair {
    sup_animation base;
    const supi_pair_format* format;
    supi_writer obj, cache;
} pair;

static sup_result pair_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    pair* self = (pair*)animation;
    if (animation->frame_count == 0) {
        supi_obj_put(&self->obj, animation->surface_count, animation->surfaces, points,
                     self->format->comment);
    }
    self->format->put_points(&self->cache, points, (size_t)animation->point_count);
    sup_result result = supi_writer_check(&self->obj, error);
    return result != SUP_OK ? result : supi_writer_check(&self->cache, error);
}

static sup_result pair_finish(sup_animation* animation, sup_error* error) {
    pair* self = (pair*)animation;
    if (animation->frame_count < animation->announced) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: %d frames were announced, but there are only %d",
                              self->cache.path, animation->announced, animation->frame_count);
    }
    if (self->format->patch) self->format->patch(&self->cache, animation);
    return supi_writer_commit_pair(&self->obj, &self->cache, error);
}

static void pair_release(sup_animation* animation) {
    pair* self = (pair*)animation;
    supi_writer_abort(&self->obj);
    supi_writer_abort(&self->cache);
}

/* A name that is nothing but an ending is none. */
static bool is_named(const char* path, const char* ending) {
    return strlen(path) > strlen(ending) &&
           (supi_ending_is(path, ".obj") || supi_ending_is(path, ending));
}

/* The file that `path` names is called so; the other one differs by its ending. */
static sup_result begin_files(pair* self, const char* path, sup_error* error) {
    const sup_allocator* allocator = self->base.allocator;
    const char* const endings[2] = {".obj", self->format->ending};
    supi_writer* const writers[2] = {&self->obj, &self->cache};
    size_t size = strlen(path) + 1;
    char* name = supi_memory_new(allocator, size, 1);
    if (!name) return supi_error_memory(error);
    sup_result result = SUP_OK;
    for (int i = 0; i < 2 && result == SUP_OK; i++) {
        memcpy(name, path, size);
        supi_ending_set(name, endings[i]);
        result = supi_writer_begin(writers[i], self->base.files, allocator, name, error);
    }
    supi_memory_free(allocator, name, size, 1);
    return result;
}

sup_result supi_pair_open(const supi_pair_format* format, const supi_animation_def* def,
                          sup_animation** out, sup_error* error) {
    static const supi_animation_kind kind = {sizeof(pair), pair_frame, pair_finish, pair_release};
    sup_animation* animation = NULL;
    sup_result result = supi_animation_new(&kind, def, out, &animation, error);
    if (result != SUP_OK) return result;
    pair* self = (pair*)animation;
    self->format = format;
    if (is_named(def->path, format->ending)) {
        result = begin_files(self, def->path, error);
    } else {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "%.300s: the name of the file must end in .obj or %s", def->path,
                                format->ending);
    }
    if (result == SUP_OK) format->put_header(&self->cache, animation);
    return supi_animation_begun(animation, result, out);
}
