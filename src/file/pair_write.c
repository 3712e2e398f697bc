/* See pair_write.h. */
#include "file/pair_write.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/obj_write.h"

_Static_assert(sizeof(sup_vec3) == 3 * sizeof(float), "points are written as plain floats");

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
    self->format->put_floats(&self->cache, &points->x, 3 * (size_t)animation->point_count);
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

/* Where the ending begins; 0 when it is none of both, or all there is. */
static size_t find_ending(const char* path, const char* ending) {
    size_t length = strlen(path), stem = length < 4 ? 0 : length - 4;
    bool known = strcmp(path + stem, ".obj") == 0 || strcmp(path + stem, ending) == 0;
    return known ? stem : 0;
}

static sup_result begin_files(pair* self, const char* path, size_t stem, sup_error* error) {
    const sup_allocator* allocator = self->base.allocator;
    size_t size = stem + sizeof ".obj";
    char* name = supi_memory_new(allocator, size, 1);
    if (!name) return supi_error_memory(error);
    memcpy(name, path, stem);
    memcpy(name + stem, ".obj", sizeof ".obj");
    sup_result result = supi_writer_begin(&self->obj, self->base.files, allocator, name, error);
    if (result == SUP_OK) {
        memcpy(name + stem, self->format->ending, sizeof ".obj");
        result = supi_writer_begin(&self->cache, self->base.files, allocator, name, error);
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
    size_t stem = find_ending(def->path, format->ending);
    if (stem == 0) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "%.300s: the name of the file must end in .obj or %s", def->path,
                                format->ending);
    } else {
        result = begin_files(self, def->path, stem, error);
    }
    if (result == SUP_OK) format->put_header(&self->cache, animation);
    return supi_animation_begun(animation, result, out);
}
