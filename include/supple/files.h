/* Files of other programs: meshes and clips in, meshes and animations out. */
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
   y z, face vertex_indices or vertex_index. A file of points without faces is a cloud: a mesh with
   polygon_count 0. */
SUP_API sup_result sup_obj_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);
SUP_API sup_result sup_ply_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);
/* STL: text or binary, whichever the bytes are. The corners of its triangles that lie at exactly
   the same place become one point; triangles that lose a corner by that are left out. Normals and
   attributes are skipped. */
SUP_API sup_result sup_stl_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);

/* GLB or the JSON of glTF 2.0, whichever the bytes are: the triangles, strips, fans and points of
   the scene (the one that the file names, else its first), depth first, as one mesh in the places
   that its nodes give them; a cloud where there are points alone. Every primitive brings all its
   points in their order; one over the same points as the one before brings none. Morph targets
   stand as their weights say; skins and animations are ignored, and out->ignored tells of them;
   triangles that name a point twice are left out. Strides, sparse accessors and integer points
   (KHR_mesh_quantization) are read; other required extensions are refused by name, but for those of
   materials, textures and lights. Buffers are base64 in data URIs or lie beside `name`, never above
   its folder, and are read through `files`. A file that unfolds (by instances, zeros that are not
   stored, keys of an animation) to more than 64 bytes for each of its own and 1 MiB is refused.
   Lines and columns in messages are those of the JSON. */
SUP_API sup_result sup_glb_parse(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* name, const uint8_t* bytes, size_t size, sup_mesh* out,
                                 sup_error* error);

/* A mesh from a file, by the ending of its name in small or capital letters (.obj, .ply, .stl,
   .glb, .gltf). */
SUP_API sup_result sup_mesh_load(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, sup_mesh* out, sup_error* error);

/* What of the file the mesh has not, as a half sentence for a note: "its skin is ignored". NULL
   where it has all. */
SUP_API const char* sup_mesh_note(const sup_mesh* mesh);

/* A mesh to a file, by the ending of its name (.obj, .ply, .stl, .glb, .vtu, .usda). STL and GLB
   hold triangles, into which polygons are cut; the others keep polygons. Points and their order
   stay, but for STL, which has no points of its own and refuses a cloud. */
SUP_API sup_result sup_mesh_save(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, const sup_mesh* mesh, sup_error* error);

/* Points that move: poses of the same points, linear in between. Two frames of the same time are a
   jump. Arrays belong to the clip and came from `allocator`; sup_clip_free gives them back. */
typedef struct sup_clip {
    const sup_allocator* allocator;
    int32_t frame_count, point_count; /* at least 1 each */
    double* times;                    /* s, never falling (frame_count) */
    sup_vec3* points;                 /* m, frame after frame (frame_count * point_count) */
} sup_clip;

/* A clip from bytes. PC2 counts in frames, of which `fps` are a second. */
SUP_API sup_result sup_pc2_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, double fps, sup_clip* out,
                                 sup_error* error);
/* The points of sup_glb_parse, moved by the one animation of the weights of morph targets, with a
   frame at each of its keys. LINEAR and STEP; a step is a jump. A file without any animation is one
   frame at 0 s. Refused: CUBICSPLINE, several animations of weights, and one that moves the nodes
   of meshes too. */
SUP_API sup_result sup_glb_parse_clip(const sup_allocator* allocator, const sup_file_gate* files,
                                      const char* name, const uint8_t* bytes, size_t size,
                                      sup_clip* out, sup_error* error);
/* A clip from a file, by the ending of its name (.pc2, .glb, .gltf). `fps` is for PC2. */
SUP_API sup_result sup_clip_load(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, double fps, sup_clip* out, sup_error* error);
SUP_API void sup_clip_free(sup_clip* clip);
/* The points at a time (s): the first pose before the first frame, the last after the last, the
   later one at a jump. `points` has room for point_count. */
SUP_API void sup_clip_sample(const sup_clip* clip, double time, sup_vec3* points);

/* One drawn surface of an animation: its polygons are fixed, its points move. Without polygons it
   is a cloud: its points are drawn as spheres. Arrays are only read during the call. */
typedef struct sup_surface {
    const char* name;
    int32_t point_count, polygon_count;
    const int32_t* starts;  /* (polygon_count + 1) */
    const int32_t* corners; /* (starts[polygon_count]) */
    float colour[3];        /* linear RGB, 0..1 */
    float roughness;        /* 0..1 */
    float point_radius;     /* m, of the spheres of a cloud; 0 or more */
    bool changes;           /* a cloud around which a surface is drawn whose polygons change from
                               frame to frame (sup_body_find_surface): animations refuse it */
} sup_surface;

/* An animation that is written frame by frame. Open, one `frame` call per frame with the points of
   all surfaces one after the other, then close. Nothing has its final name before close returns
   SUP_OK; `abort` leaves no trace. */
typedef struct sup_animation sup_animation;

/* One .obj with the polygons of all surfaces (rest = the first frame) and one .pc2 with every
   frame. `path` ends in .obj or .pc2, in small or capital letters, and is one of both; the other
   one has the same stem and its ending in small letters. Memory does not grow with frames. */
SUP_API sup_result sup_pc2_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, sup_animation** out,
                                sup_error* error);
/* One .glb: a node and a mesh with morph targets per surface, polygons as triangles, clouds as
   points. At most `kept`
   frames (2..120) of `frame_count` become targets, evenly spaced with the first and the last;
   players interpolate the rest. */
SUP_API sup_result sup_glb_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, int32_t frame_count,
                                int32_t kept, sup_animation** out, sup_error* error);
/* One .obj as above and one .mdd with every frame. `path` ends in .obj or .mdd; both files get that
   stem. Exactly `frame_count` frames must follow: their times stand before them in the file, and
   closing with fewer fails. */
SUP_API sup_result sup_mdd_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, int32_t frame_count,
                                sup_animation** out, sup_error* error);
/* NAME.pvd, which lists the frames NAME-000000.vtu, NAME-000001.vtu ... with their times, for
   ParaView and VTK. Points carry "displacement" (from the first frame, m) and "velocity" (from the
   frame before, m/s), cells, which are polygons or points of a cloud, the number of their
   "surface". The last part of the name must be UTF-8 without control characters. While the names
   change hands, old files wait aside and there is no .pvd; a failure brings them back. */
SUP_API sup_result sup_pvd_open(const sup_allocator* allocator, const sup_file_gate* files,
                                const char* path, int32_t surface_count,
                                const sup_surface* surfaces, double fps, sup_animation** out,
                                sup_error* error);
/* One .usda: a Mesh, or Points of a cloud, per surface, its points as time samples. Text, about
   three times the size of a PC2: for short clips. Frames wait in a temporary file as large as the
   PC2; memory holds one surface. */
SUP_API sup_result sup_usda_open(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, int32_t surface_count,
                                 const sup_surface* surfaces, double fps, sup_animation** out,
                                 sup_error* error);
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
