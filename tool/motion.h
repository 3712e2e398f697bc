/* A surface from any file that holds one, and its poses where it moves: meshes, clips and tapes
   alike. */
#ifndef SUPPLE_TOOL_MOTION_H
#define SUPPLE_TOOL_MOTION_H

#include "supple/files.h"
#include "supple/mesh.h"
#include "supple/tape.h"
#include "tool.h"

/* What is wanted of a file. */
typedef struct motion_wish {
    const char* path;
    bool moving;   /* its poses, where it has some; else one pose */
    int32_t frame; /* which one; -1: the mesh as the file has it, or its first pose */
    double fps;    /* poses per second; 0: its own */
    double scale;  /* of all lengths */
    double weld;   /* m, after scaling: join points that are so near; below 0: none */
} motion_wish;

typedef struct motion {
    motion_wish wish;
    char* partner; /* NAME.obj of NAME.pc2 or the other way round, where both are read; NULL */
    sup_mesh mesh; /* of all surfaces; in the first pose */
    const sup_surface* surfaces;
    int32_t surface_count;
    int32_t pose_count; /* 1: it stands still */
    int32_t all_poses;  /* of the file, wanted or not */
    int32_t planned;    /* poses of a tape that was cut off, had it gone on; else 0 */
    double fps;         /* poses per second of what moves */

    sup_surface own;  /* of a file that is no tape */
    sup_clip clip;    /* or */
    sup_tape* tape;   /* where the poses come from; none of what stands still */
    bool resampled;   /* poses lie between the frames of the clip */
    sup_weld_map map; /* of welding */
    sup_vec3* raw;    /* a pose before welding (map.original_count) */
} motion;

/* Reads the file. A failure has been said; motion_close is due all the same. */
tool_exit motion_open(motion* m, const motion_wish* wish);
/* The points of a pose, all surfaces one after the other. A failure has been said. */
tool_exit motion_read(motion* m, int32_t pose, sup_vec3* points);
void motion_close(motion* m);

#endif
