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

/* What is to be written, as the public calls take it. */
typedef struct supi_animation_def {
    const sup_allocator* allocator; /* NULL: the default one */
    const sup_file_gate* files;     /* NULL: the default one */
    const char* path;
    int32_t surface_count;
    const sup_surface* surfaces;
    double fps;
    bool counted;        /* the number of frames is known beforehand, */
    int32_t frame_count; /* and this is it */
} supi_animation_def;

supi_animation_def supi_animation_define(const sup_allocator* allocator, const sup_file_gate* files,
                                         const char* path, int32_t surface_count,
                                         const sup_surface* surfaces, double fps);
/* For formats that have to know how many frames there will be. */
void supi_animation_announce(supi_animation_def* def, int32_t frame_count);

struct sup_animation {
    const supi_animation_kind* kind;
    const sup_allocator* allocator;
    const sup_file_gate* files;
    int32_t surface_count, point_count; /* points of all surfaces together */
    sup_surface* surfaces;              /* own copies (surface_count) */
    double fps;
    int32_t announced;   /* frames to come; 0: any number */
    int32_t frame_count; /* frames taken so far */
};

/* Checks the definition and makes a zeroed writer of kind->size bytes with its copies. `out` is
   what the public call got, and is only checked. */
sup_result supi_animation_new(const supi_animation_kind* kind, const supi_animation_def* def,
                              sup_animation* const* out, sup_animation** animation,
                              sup_error* error);
/* The end of every open: hands the animation over if its files were begun, else frees it. */
sup_result supi_animation_begun(sup_animation* animation, sup_result result, sup_animation** out);

/* Refuses a frame in which a point is so far from where it was that the difference times `scale` is
   beyond a float. `whose` says where it was: "the first frame". */
sup_result supi_animation_check_moves(const sup_animation* animation, const sup_vec3* from,
                                      const sup_vec3* to, double scale, const char* whose,
                                      sup_error* error);

#endif
