/* OBJ + PC2: the polygons once as text, then every frame as raw floats. Blender's Mesh Cache
   modifier and others play the pair. PC2 is a 32-byte header and frame_count * point_count * 3
   little-endian floats. */
#include <string.h>

#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "base/number.h"
#include "file/animation.h"

#define FRAME_COUNT_OFFSET 28

_Static_assert(sizeof(sup_vec3) == 3 * sizeof(float), "points are written as plain floats");

typedef struct pc2 {
    sup_animation base;
    supi_writer obj, cache;
} pc2;

static void put_float_text(supi_writer* writer, float value) {
    char text[32];
    supi_writer_put(writer, text, (size_t)supi_number_write_float(value, text));
}

/* One word: blanks would end the name, a backslash would join lines, # would start a comment. */
static void put_word(supi_writer* writer, const char* name) {
    for (const char* c = name; *c; c++) {
        bool plain = (unsigned char)*c > ' ' && *c != 127 && *c != '\\' && *c != '#';
        supi_writer_put(writer, plain ? c : "_", 1);
    }
}

/* Surfaces are groups (g) of one object, not objects (o): importers split objects, and then the
   cache, which holds the points of all surfaces, would fit none of them. */
static void put_obj(supi_writer* obj, const sup_animation* animation, const sup_vec3* points) {
    supi_writer_print(obj, "# Supple %s: the first frame of the .pc2 of the same name\n",
                      sup_version());
    for (int32_t i = 0; i < animation->point_count; i++) {
        supi_writer_put(obj, "v ", 2);
        put_float_text(obj, points[i].x);
        supi_writer_put(obj, " ", 1);
        put_float_text(obj, points[i].y);
        supi_writer_put(obj, " ", 1);
        put_float_text(obj, points[i].z);
        supi_writer_put(obj, "\n", 1);
    }
    int64_t first = 1;
    for (int32_t k = 0; k < animation->surface_count; k++) {
        const sup_surface* surface = &animation->surfaces[k];
        supi_writer_put(obj, "g ", 2);
        put_word(obj, surface->name);
        supi_writer_put(obj, "\n", 1);
        for (int32_t p = 0; p < surface->polygon_count; p++) {
            supi_writer_put(obj, "f", 1);
            for (int32_t c = surface->starts[p]; c < surface->starts[p + 1]; c++) {
                supi_writer_print(obj, " %lld", (long long)(first + surface->corners[c]));
            }
            supi_writer_put(obj, "\n", 1);
        }
        first += surface->point_count;
    }
}

/* One sample per frame, from frame 0; the number of frames is patched in at the end. */
static void put_header(supi_writer* cache, int32_t point_count) {
    static const char signature[12] = "POINTCACHE2";
    static const float start_and_rate[2] = {0.0f, 1.0f};
    supi_writer_put(cache, signature, sizeof signature);
    supi_writer_put_u32(cache, 1);
    supi_writer_put_u32(cache, (uint32_t)point_count);
    supi_writer_put_floats(cache, start_and_rate, 2);
    supi_writer_put_u32(cache, 0);
}

static sup_result pc2_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    pc2* self = (pc2*)animation;
    if (animation->frame_count == 0) put_obj(&self->obj, animation, points);
    supi_writer_put_floats(&self->cache, &points->x, 3 * (size_t)animation->point_count);
    sup_result result = supi_writer_check(&self->obj, error);
    return result != SUP_OK ? result : supi_writer_check(&self->cache, error);
}

static sup_result pc2_finish(sup_animation* animation, sup_error* error) {
    pc2* self = (pc2*)animation;
    supi_writer_patch_u32(&self->cache, FRAME_COUNT_OFFSET, (uint32_t)animation->frame_count);
    return supi_writer_commit_pair(&self->obj, &self->cache, error);
}

static void pc2_release(sup_animation* animation) {
    pc2* self = (pc2*)animation;
    supi_writer_abort(&self->obj);
    supi_writer_abort(&self->cache);
}

/* Begins both files, whose names are `stem`, a dot and the ending. */
static sup_result begin_files(pc2* self, const sup_allocator* allocator, const sup_file_gate* files,
                              const char* path, size_t stem, sup_error* error) {
    size_t size = stem + sizeof ".obj";
    char* name = supi_memory_new(allocator, size, 1);
    if (!name) return supi_error_memory(error);
    memcpy(name, path, stem);
    memcpy(name + stem, ".obj", sizeof ".obj");
    sup_result result = supi_writer_begin(&self->obj, files, allocator, name, error);
    if (result == SUP_OK) {
        memcpy(name + stem, ".pc2", sizeof ".pc2");
        result = supi_writer_begin(&self->cache, files, allocator, name, error);
    }
    supi_memory_free(allocator, name, size, 1);
    return result;
}

sup_result sup_pc2_open(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, int32_t surface_count, const sup_surface* surfaces,
                        double fps, sup_animation** out, sup_error* error) {
    static const supi_animation_kind kind = {sizeof(pc2), pc2_frame, pc2_finish, pc2_release};
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    if (!path || !out) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "path and out must not be NULL");
    }
    size_t length = strlen(path), stem = length < 4 ? 0 : length - 4;
    if (stem == 0 || (strcmp(path + stem, ".obj") != 0 && strcmp(path + stem, ".pc2") != 0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: the name of the file must end in .obj or .pc2", path);
    }
    sup_animation* animation = NULL;
    sup_result result =
        supi_animation_new(&kind, allocator, surface_count, surfaces, fps, &animation, error);
    if (result != SUP_OK) return result;
    result = begin_files((pc2*)animation, allocator, files, path, stem, error);
    if (result == SUP_OK) put_header(&((pc2*)animation)->cache, animation->point_count);
    if (result != SUP_OK) {
        sup_animation_abort(animation);
        return result;
    }
    *out = animation;
    return SUP_OK;
}
