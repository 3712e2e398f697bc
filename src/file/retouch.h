/* Files of meshes written again with other points: all that a mesh does not hold (textures, groups,
   materials, colours, comments) stays as it was. */
#ifndef SUPPLE_FILE_RETOUCH_H
#define SUPPLE_FILE_RETOUCH_H

#include "base/arena.h"
#include "base/file_io.h"
#include "file/cursor.h"

/* What the faces of an OBJ have beside points. The bytes must outlive it. */
typedef struct supi_obj_detail {
    supi_arena arena;
    int32_t uv_count, normal_count;
    float (*uvs)[3];                      /* of vt */
    float (*normals)[3];                  /* of vn */
    int32_t *corner_uvs, *corner_normals; /* by corner of the mesh; -1: none */
    supi_token *materials, *groups;       /* by polygon: all words of usemtl and g; no text: none */
    supi_token *places,
        *others;         /* by point: its three numbers; what stands behind them, or no text */
    float (*colours)[3]; /* by point: the three numbers behind its place; 0: none */
    bool has_uvs, has_normals;  /* some corner has */
    bool has_colours, coloured; /* some point has; all have */
} supi_obj_detail;

/* `bytes` are those of which sup_obj_parse made the mesh. Refuses indices of vt and vn out of
   range. Free it also after a failure. */
sup_result supi_obj_detail_read(supi_obj_detail* detail, const sup_allocator* allocator,
                                const char* name, const uint8_t* bytes, size_t size,
                                const sup_mesh* mesh, sup_error* error);
void supi_obj_detail_free(supi_obj_detail* detail);
/* Whether these words are the name, or one of them is: a `g` may name several groups. */
bool supi_obj_names_hold(const supi_token* names, const char* name);

/* The same file; only vertices that have moved from mesh->points are written anew. */
void supi_obj_retouch(supi_writer* out, const uint8_t* bytes, size_t size, const sup_mesh* mesh,
                      const sup_vec3* points);

/* A mesh that has become another one: v, vt and vn first, then all other statements and comments in
   their order, each comment on a line of its own. Points that have not moved stay as they stand
   there, and all keep what is behind their places. `corners`: three numbers each of uv, normal and
   colour for each corner of `after`, used where a corner or its point is new. Points of no number
   (-1 in `point_from`) are new. False when memory is short. */
enum { SUPI_OBJ_CORNER = 9 };
typedef struct supi_obj_change {
    const sup_mesh *before, *after;
    const int32_t *point_from, *polygon_from; /* of `after`: ids of `before` */
    const float* corners;
} supi_obj_change;
bool supi_obj_recast(supi_writer* out, const sup_allocator* allocator, const uint8_t* bytes,
                     size_t size, const supi_obj_detail* detail, const supi_obj_change* change);

/* The same for a PLY of any form: the bytes with other numbers x, y, z, where they have moved.
   Integers are refused (SUP_UNSUPPORTED). */
sup_result supi_ply_retouch(supi_writer* out, const sup_allocator* allocator, const char* name,
                            const uint8_t* bytes, size_t size, const sup_mesh* mesh,
                            const sup_vec3* points, sup_error* error);

/* The same for a GLB: points of its binary chunk, and the bounds that belong to them. Refused
   (SUP_UNSUPPORTED): bare JSON, points that are no plain floats or also there compressed, those
   that several nodes show, whose numbers or bytes something else uses too, or whose bounds are not
   three numbers. */
sup_result supi_glb_retouch(supi_writer* out, const sup_allocator* allocator,
                            const sup_file_gate* files, const char* name, const uint8_t* bytes,
                            size_t size, const sup_mesh* mesh, const sup_vec3* points,
                            sup_error* error);

#endif
