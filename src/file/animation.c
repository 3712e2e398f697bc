/* The animation calls that are the same for every format. */
#include "file/animation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/polygons.h"

/* Wide enough for every use, narrow enough that times in float stay finite and distinct. */
#define LEAST_FPS 1e-6
#define MOST_FPS 1e6
/* Up to here two neighbouring frames always have different times in float. */
#define FRAME_LIMIT (1 << 22)

supi_animation_def supi_animation_define(const sup_allocator* allocator, const sup_file_gate* files,
                                         const char* path, int32_t surface_count,
                                         const sup_surface* surfaces, double fps) {
    return (supi_animation_def){.allocator = allocator,
                                .files = files,
                                .path = path,
                                .surface_count = surface_count,
                                .surfaces = surfaces,
                                .fps = fps};
}

void supi_animation_announce(supi_animation_def* def, int32_t frame_count) {
    def->counted = true;
    def->frame_count = frame_count;
}

/* --- checks --- */

static bool is_unit(float value) { return value >= 0.0f && value <= 1.0f; }

static sup_result check_surface(const sup_surface* surface, int32_t number, sup_error* error) {
    const char* fault = NULL;
    if (!surface->name || surface->name[0] == 0) {
        fault = "it has no name";
    } else if (surface->point_count < 1 || surface->polygon_count < 0) {
        fault = "it has no points, or a negative number of polygons";
    } else if (!surface->starts || !surface->corners) {
        fault = "starts and corners must not be NULL";
    } else if (!is_unit(surface->colour[0]) || !is_unit(surface->colour[1]) ||
               !is_unit(surface->colour[2]) || !is_unit(surface->roughness)) {
        fault = "colour and roughness must be within 0 .. 1";
    } else if (!(surface->point_radius >= 0.0f && surface->point_radius <= FLT_MAX)) {
        fault = "the radius of its points must be finite and not below 0";
    }
    if (!fault && surface->changes) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the polygons of \"%.100s\" change from frame to frame, which this "
                              "format cannot hold: write a series of .ply files, or draw its "
                              "particles (\"surface\": false)",
                              surface->name);
    }
    if (fault) return supi_error_set(error, SUP_BAD_ARGUMENT, "surface %d: %s", number, fault);
    char name[32];
    snprintf(name, sizeof name, "surface %d", (int)number);
    return supi_polygons_check(surface, name, error);
}

static sup_result check_surfaces(int32_t count, const sup_surface* surfaces, sup_error* error) {
    if (count < 1 || !surfaces) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "an animation needs at least one surface");
    }
    int64_t points = 0, corners = 0;
    for (int32_t k = 0; k < count; k++) {
        sup_result result = check_surface(&surfaces[k], k, error);
        if (result != SUP_OK) return result;
        points += surfaces[k].point_count;
        corners += surfaces[k].starts[surfaces[k].polygon_count];
    }
    if (points > INT32_MAX || corners > INT32_MAX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the surfaces have too many points");
    }
    return SUP_OK;
}

static sup_result check_definition(const supi_animation_def* def, sup_error* error) {
    if (def->path[0] == 0) return supi_error_set(error, SUP_BAD_ARGUMENT, "the path is empty");
    if (def->counted && (def->frame_count < 1 || def->frame_count > FRAME_LIMIT)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: the number of frames must be within 1 .. %d", def->path,
                              FRAME_LIMIT);
    }
    if (!(def->fps >= LEAST_FPS && def->fps <= MOST_FPS)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "frames per second must be within 0.000001 .. 1000000");
    }
    return check_surfaces(def->surface_count, def->surfaces, error);
}

/* Finds the first bad point, and says whose it is. */
static sup_result check_points(const sup_animation* animation, const sup_vec3* points,
                               sup_error* error) {
    for (int32_t k = 0; k < animation->surface_count; k++) {
        const sup_surface* surface = &animation->surfaces[k];
        for (int32_t i = 0; i < surface->point_count; i++) {
            if (isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z)) continue;
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "frame %d, surface %d (%.100s): point %d is not finite",
                                  animation->frame_count, k, surface->name, i);
        }
        points += surface->point_count;
    }
    return SUP_OK;
}

static bool fits_float(double value) { return value >= -FLT_MAX && value <= FLT_MAX; }

sup_result supi_animation_check_moves(const sup_animation* animation, const sup_vec3* from,
                                      const sup_vec3* to, double scale, const char* whose,
                                      sup_error* error) {
    for (int32_t i = 0; i < animation->point_count; i++) {
        if (fits_float(((double)to[i].x - from[i].x) * scale) &&
            fits_float(((double)to[i].y - from[i].y) * scale) &&
            fits_float(((double)to[i].z - from[i].z) * scale)) {
            continue;
        }
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "frame %d: point %d is too far from its place in %s",
                              animation->frame_count, i, whose);
    }
    return SUP_OK;
}

/* --- memory --- */

static void* copy_bytes(const sup_allocator* allocator, const void* from, size_t count,
                        size_t size) {
    void* copy = supi_memory_new(allocator, count, size);
    if (copy) memcpy(copy, from, count * size);
    return copy;
}

/* Copies of the arrays; after a failure the missing ones are NULL. */
static bool copy_surface(const sup_allocator* allocator, const sup_surface* from, sup_surface* to) {
    size_t starts = (size_t)from->polygon_count + 1;
    size_t corners = (size_t)from->starts[from->polygon_count];
    *to = *from;
    to->name = copy_bytes(allocator, from->name, strlen(from->name) + 1, 1);
    to->starts = copy_bytes(allocator, from->starts, starts, sizeof(int32_t));
    /* The length of `corners` is read from `starts` when it is freed. */
    to->corners =
        to->starts ? copy_bytes(allocator, from->corners, corners, sizeof(int32_t)) : NULL;
    return to->name && to->starts && to->corners;
}

static void free_surface(const sup_allocator* allocator, const sup_surface* surface) {
    size_t starts = (size_t)surface->polygon_count + 1;
    if (surface->corners) {
        size_t corners = (size_t)surface->starts[surface->polygon_count];
        supi_memory_free(allocator, (void*)surface->corners, corners, sizeof(int32_t));
    }
    supi_memory_free(allocator, (void*)surface->starts, starts, sizeof(int32_t));
    if (surface->name) {
        supi_memory_free(allocator, (void*)surface->name, strlen(surface->name) + 1, 1);
    }
}

static void free_animation(sup_animation* animation) {
    const sup_allocator* allocator = animation->allocator;
    animation->kind->release(animation);
    for (int32_t k = 0; animation->surfaces && k < animation->surface_count; k++) {
        free_surface(allocator, &animation->surfaces[k]);
    }
    supi_memory_free(allocator, animation->surfaces, (size_t)animation->surface_count,
                     sizeof(sup_surface));
    supi_memory_free(allocator, animation, 1, animation->kind->size);
}

sup_result supi_animation_new(const supi_animation_kind* kind, const supi_animation_def* def,
                              sup_animation* const* out, sup_animation** new_animation,
                              sup_error* error) {
    if (!def->path || !out) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "path and out must not be NULL");
    }
    sup_result result = check_definition(def, error);
    if (result != SUP_OK) return result;
    const sup_allocator* allocator = def->allocator ? def->allocator : sup_allocator_default();
    sup_animation* animation = supi_memory_new(allocator, 1, kind->size);
    if (!animation) return supi_error_memory(error);
    animation->kind = kind;
    animation->allocator = allocator;
    animation->files = def->files ? def->files : sup_file_gate_default();
    animation->fps = def->fps;
    animation->announced = def->counted ? def->frame_count : 0;
    animation->surface_count = def->surface_count;
    animation->surfaces =
        supi_memory_new(allocator, (size_t)def->surface_count, sizeof(sup_surface));
    bool copied = animation->surfaces != NULL;
    for (int32_t k = 0; copied && k < def->surface_count; k++) {
        copied = copy_surface(allocator, &def->surfaces[k], &animation->surfaces[k]);
        animation->point_count += def->surfaces[k].point_count;
    }
    if (!copied) {
        free_animation(animation);
        return supi_error_memory(error);
    }
    *new_animation = animation;
    return SUP_OK;
}

sup_result supi_animation_begun(sup_animation* animation, sup_result result, sup_animation** out) {
    if (result == SUP_OK) {
        *out = animation;
    } else {
        free_animation(animation);
    }
    return result;
}

/* --- the public calls --- */

sup_result sup_animation_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    if (!animation || !points) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a frame needs an animation and points");
    }
    if (animation->frame_count == INT32_MAX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the animation has too many frames");
    }
    if (animation->announced > 0 && animation->frame_count >= animation->announced) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "frame %d: only %d frames were announced",
                              animation->frame_count, animation->announced);
    }
    sup_result result = check_points(animation, points, error);
    if (result == SUP_OK) result = animation->kind->frame(animation, points, error);
    if (result == SUP_OK) animation->frame_count++;
    return result;
}

sup_result sup_animation_close(sup_animation* animation, sup_error* error) {
    if (!animation) return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no animation");
    sup_result result;
    if (animation->frame_count == 0) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the animation has no frames");
    } else {
        result = animation->kind->finish(animation, error);
    }
    free_animation(animation);
    return result;
}

void sup_animation_abort(sup_animation* animation) {
    if (animation) free_animation(animation);
}
