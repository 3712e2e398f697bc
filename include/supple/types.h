/* Plain structs that rooms and users exchange. */
#ifndef SUPPLE_TYPES_H
#define SUPPLE_TYPES_H

#include "supple/base.h"

typedef struct sup_vec3 {
    float x, y, z;
} sup_vec3;

/* A place in the world, metres. Double, so that a body 10 km away moves as one at the origin. */
typedef struct sup_point {
    double x, y, z;
} sup_point;

/* A rotation (x, y, z, w), unit length. */
typedef struct sup_quat {
    float x, y, z, w;
} sup_quat;

/* Four floats that are fetched together: (x, y, z, inverse mass) or (vx, vy, vz, radius). 16-byte
 * aligned. */
typedef struct sup_row {
    float x, y, z, w;
} sup_row;

/* A polygon mesh, or a cloud of points where polygon_count is 0. Polygon k has the corners
   corners[starts[k]] .. corners[starts[k+1]-1], seen counter-clockwise from outside. Arrays belong
   to the mesh and came from `allocator`; sup_mesh_free gives them back. */
typedef struct sup_mesh {
    const sup_allocator* allocator;
    int32_t point_count, polygon_count, corner_count;
    sup_vec3* points; /* m (point_count) */
    int32_t* starts;  /* (polygon_count + 1) */
    int32_t* corners; /* point ids (corner_count) */
    uint32_t ignored; /* sup_mesh_ignored: what the file held that a mesh has no place for */
} sup_mesh;

typedef enum sup_mesh_ignored {
    SUP_MESH_SKINS = 1,     /* bones and weights: the mesh stands as it was modelled */
    SUP_MESH_ANIMATIONS = 2 /* the mesh stands still; sup_clip_load may read how it moves */
} sup_mesh_ignored;

/* Handles: slot and age. All zero is null; a handle of something that is gone is found out. */
typedef struct sup_body {
    uint32_t slot, age;
} sup_body;
typedef struct sup_collider {
    uint32_t slot, age;
} sup_collider;
typedef struct sup_attachment {
    uint32_t slot, age;
} sup_attachment;

/* Which level of detail a body has from the end of the step to `frame` on; `body` counts as in its
 * scene. */
typedef struct sup_detail_choice {
    int32_t frame, body, level;
} sup_detail_choice;

/* Two things meet if each one's mask has a bit of the other's category. */
typedef struct sup_filter {
    uint32_t category, mask; /* defaults 1 and all bits */
} sup_filter;

#endif
