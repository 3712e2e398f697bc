/* Files of other programs: meshes in, animations out. */
#ifndef SUPPLE_FILES_H
#define SUPPLE_FILES_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `allocator` and `files` may be NULL everywhere here: the default ones are used. */

/* A mesh from bytes. `name` stands in messages. Readers refuse, never guess; memory stays
   proportional to size. OBJ: v, f with 3 or more corners (v, v/t, v//n, v/t/n, negative indices);
   other known statements are skipped. PLY: ascii, binary_little_endian, binary_big_endian; vertex x
   y z, face vertex_indices or vertex_index. */
SUP_API sup_result sup_obj_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);
SUP_API sup_result sup_ply_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);

/* A mesh from a file, by the ending of its name (.obj, .ply). */
SUP_API sup_result sup_mesh_load(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, sup_mesh* out, sup_error* error);

/* One drawn surface of an animation: its polygons are fixed, its points move. Arrays are only read
 * during the call. */
typedef struct sup_surface {
    const char* name;
    int32_t point_count, polygon_count;
    const int32_t* starts;  /* (polygon_count + 1) */
    const int32_t* corners; /* (starts[polygon_count]) */
    float colour[3];        /* linear RGB, 0..1 */
    float roughness;        /* 0..1 */
} sup_surface;

/* An animation that is written frame by frame. Open, one `frame` call per frame with the points of
   all surfaces one after the other, then close. Nothing has its final name before close returns
   SUP_OK; `abort` leaves no trace. */
typedef struct sup_animation sup_animation;

/* One .obj with the polygons of all surfaces (rest = the first frame) and one .pc2 with every
   frame. `path` ends in .obj or .pc2; both files get that stem. Memory does not grow with frames.
 */
SUP_API sup_result sup_pc2_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, sup_animation** out,
                                sup_error* error);
/* One .glb: a node and a mesh with morph targets per surface, polygons as triangles. At most `kept`
   frames (2..120) of `frame_count` become targets, evenly spaced with the first and the last;
   players interpolate the rest. */
SUP_API sup_result sup_glb_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, int32_t frame_count,
                                int32_t kept, sup_animation** out, sup_error* error);
SUP_API sup_result sup_animation_frame(sup_animation* animation, const sup_vec3* points,
                                       sup_error* error);
/* Writes what is left and frees the animation, also on failure. A GLB that got fewer frames than
 * announced holds those. */
SUP_API sup_result sup_animation_close(sup_animation* animation, sup_error* error);
SUP_API void sup_animation_abort(sup_animation* animation);

#ifdef __cplusplus
}
#endif
#endif
