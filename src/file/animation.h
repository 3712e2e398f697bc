/* What the animation writers share: checked copies of the surfaces, checked frames, one way out. */
#ifndef SUPPLE_FILE_ANIMATION_H
#define SUPPLE_FILE_ANIMATION_H

#include "supple/files.h"

/* One file format. A writer's struct begins with a sup_animation. */
typedef struct supi_animation_kind {
    size_t size; /* bytes of the writer's struct */
    /* Takes one frame; points are finite, and frame_count is still the number of earlier frames. */
    sup_result (*frame)(sup_animation* animation, const sup_vec3* points, sup_error* error);
    /* Writes what is left and gives the files their names; there is at least one frame. */
    sup_result (*finish)(sup_animation* animation, sup_error* error);
    /* Gives back the writer's own memory and removes its temporaries, whatever has happened before.
     */
    void (*release)(sup_animation* animation);
} supi_animation_kind;

struct sup_animation {
    const supi_animation_kind* kind;
    const sup_allocator* allocator;
    int32_t surface_count, point_count; /* points of all surfaces together */
    sup_surface* surfaces;              /* own copies (surface_count) */
    double fps;
    int32_t frame_count; /* frames taken so far */
};

/* Checks the definition and makes a zeroed writer of kind->size bytes with its copies. */
sup_result supi_animation_new(const supi_animation_kind* kind, const sup_allocator* allocator,
                              int32_t surface_count, const sup_surface* surfaces, double fps,
                              sup_animation** out, sup_error* error);

#endif
