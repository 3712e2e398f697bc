/* Tetrahedra cut open, as tetrahedra and as a picture. */
#ifndef SUPPLE_TOOL_MESH_PICTURE_H
#define SUPPLE_TOOL_MESH_PICTURE_H

#include "memory_file.h"
#include "supple/tets.h"
#include "tool.h"

/* Those whose middle has z below that of the box low..high. `kept` (NULL, or room for all): which
   these were. Refused where there are none. */
sup_result mesh_cut(const sup_tets* tets, const sup_mesh_report* box, sup_tets* out, int32_t* kept,
                    sup_error* error);

/* Pixels of a picture. */
#define MESH_PICTURE_X 960
#define MESH_PICTURE_Y 720

/* Whether a picture of `input` can be drawn to `path`; if not, that has been said. TOOL_MISSING
   where this build cannot draw. */
tool_exit mesh_picture_check(const char* input, const char* path);
/* Draws a scene; it and its meshes are files in memory, the scene the last one. Failures have been
   said; TOOL_STOPPED: a signal came. */
tool_exit mesh_picture_scene(int32_t count, memory_file* files, const char* path);
/* Draws them cut open, so that those inside are seen, the outside in another colour. Failures have
   been said. */
tool_exit mesh_picture_draw(const sup_tets* tets, const sup_mesh_report* box, const char* path);

#endif
