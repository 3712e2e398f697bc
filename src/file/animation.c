/* The animation calls that are the same for every format. */
#include "file/animation.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Wide enough for every use, narrow enough that times in float stay finite and distinct. */
#define LEAST_FPS 1e-6
#define MOST_FPS 1e6

/* --- checks --- */

static bool is_unit(float value) { return value >= 0.0f && value <= 1.0f; }

static sup_result check_polygons(const sup_surface* surface, int32_t number, sup_error* error) {
    const int32_t* starts = surface->starts;
    if (starts[0] != 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "surface %d: starts[0] must be 0", number);
    }
    for (int32_t k = 0; k < surface->polygon_count; k++) {
        if (starts[k + 1] < starts[k] || starts[k + 1] - starts[k] < 3) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "surface %d: polygon %d has fewer than 3 corners", number, k);
        }
        for (int32_t c = starts[k]; c < starts[k + 1]; c++) {
            int32_t corner = surface->corners[c];
            if (corner < 0 || corner >= surface->point_count) {
                return supi_error_set(error, SUP_BAD_ARGUMENT,
                                      "surface %d: polygon %d names point %d, but there are %d",
                                      number, k, corner, surface->point_count);
            }
        }
    }
    return SUP_OK;
}

static sup_result check_surface(const sup_surface* surface, int32_t number, sup_error* error) {
    const char* fault = NULL;
    if (!surface->name || surface->name[0] == 0) {
        fault = "it has no name";
    } else if (surface->point_count < 1 || surface->polygon_count < 1) {
        fault = "it needs at least one point and one polygon";
    } else if (!surface->starts || !surface->corners) {
        fault = "starts and corners must not be NULL";
    } else if (!is_unit(surface->colour[0]) || !is_unit(surface->colour[1]) ||
               !is_unit(surface->colour[2]) || !is_unit(surface->roughness)) {
        fault = "colour and roughness must be within 0 .. 1";
    }
    if (fault) return supi_error_set(error, SUP_BAD_ARGUMENT, "surface %d: %s", number, fault);
    return check_polygons(surface, number, error);
}

static sup_result check_definition(int32_t surface_count, const sup_surface* surfaces, double fps,
                                   sup_error* error) {
    if (surface_count < 1 || !surfaces) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "an animation needs at least one surface");
    }
    if (!(fps >= LEAST_FPS && fps <= MOST_FPS)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "frames per second must be within 0.000001 .. 1000000");
    }
    int64_t points = 0;
    for (int32_t k = 0; k < surface_count; k++) {
        sup_result result = check_surface(&surfaces[k], k, error);
        if (result != SUP_OK) return result;
        points += surfaces[k].point_count;
    }
    if (points > INT32_MAX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the surfaces have too many points");
    }
    return SUP_OK;
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

sup_result supi_animation_new(const supi_animation_kind* kind, const sup_allocator* allocator,
                              int32_t surface_count, const sup_surface* surfaces, double fps,
                              sup_animation** out, sup_error* error) {
    sup_result result = check_definition(surface_count, surfaces, fps, error);
    if (result != SUP_OK) return result;
    sup_animation* animation = supi_memory_new(allocator, 1, kind->size);
    if (!animation) return supi_error_memory(error);
    animation->kind = kind;
    animation->allocator = allocator;
    animation->fps = fps;
    animation->surface_count = surface_count;
    animation->surfaces = supi_memory_new(allocator, (size_t)surface_count, sizeof(sup_surface));
    bool copied = animation->surfaces != NULL;
    for (int32_t k = 0; copied && k < surface_count; k++) {
        copied = copy_surface(allocator, &surfaces[k], &animation->surfaces[k]);
        animation->point_count += surfaces[k].point_count;
    }
    if (!copied) {
        free_animation(animation);
        return supi_error_memory(error);
    }
    *out = animation;
    return SUP_OK;
}

/* --- the public calls --- */

sup_result sup_animation_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    if (!animation || !points) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a frame needs an animation and points");
    }
    if (animation->frame_count == INT32_MAX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the animation has too many frames");
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
