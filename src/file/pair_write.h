/* An animation as a pair of files: an OBJ with the polygons and a cache with the points of every
   frame. Blender's Mesh Cache modifier and others play such pairs. */
#ifndef SUPPLE_FILE_PAIR_WRITE_H
#define SUPPLE_FILE_PAIR_WRITE_H

#include "base/file_io.h"
#include "file/animation.h"

/* One cache format. */
typedef struct supi_pair_format {
    const char* ending;  /* ".pc2"; as long as ".obj" */
    const char* comment; /* of the OBJ */
    /* Puts what stands before the frames; `animation` has none yet. */
    void (*put_header)(supi_writer* cache, const sup_animation* animation);
    void (*put_points)(supi_writer* cache, const sup_vec3* points, size_t count);
    /* Corrects what is known only at the end. NULL: nothing. */
    void (*patch)(supi_writer* cache, const sup_animation* animation);
} supi_pair_format;

/* def->path ends in .obj or the ending of the format, in small or capital letters, and is one of
   both files; the other one has the same stem and its ending in small letters. Where frames are
   announced, closing with fewer fails. */
sup_result supi_pair_open(const supi_pair_format* format, const supi_animation_def* def,
                          sup_animation** out, sup_error* error);

#endif
