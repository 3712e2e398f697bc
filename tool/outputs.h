/* The files a run writes: which kind, whether they may be written, and the writing itself. */
#ifndef SUPPLE_TOOL_OUTPUTS_H
#define SUPPLE_TOOL_OUTPUTS_H

#include "options.h"
#include "supple/scene.h"
#include "supple/tape.h"

typedef enum output_kind {
    OUTPUT_GLB,
    OUTPUT_PC2,
    OUTPUT_MDD,
    OUTPUT_PVD,
    OUTPUT_USDA,
    OUTPUT_PLY,
    OUTPUT_TAPE
} output_kind;

/* For messages and help. An .obj comes with a .pc2 and may stand for it. */
#define OUTPUT_ANIMATIONS ".glb, .pc2, .mdd, .pvd, .usda, .ply"

/* A GLB keeps this many poses unless asked for fewer: the most its writer takes. */
#define GLB_POSES 120

/* One -o. */
typedef struct output {
    output_kind kind;
    const char* path; /* as given */
    int32_t file_count;
    char* files[2];      /* what will be there in the end, but for numbered ones; owned */
    int32_t frame_count; /* numbered files so far: those of a .pvd, or all of a .ply */
    bool left_out;       /* the run was stopped, and this needs all frames */
    sup_animation* animation;
    sup_recorder* recorder; /* of a tape */
} output;

/* What is drawn in all files. */
typedef struct output_source {
    const sup_surface* surfaces;
    int32_t surface_count, vertex_count;
    double fps;
    sup_scene* scene; /* for a tape, and for surfaces that change; NULL: there is none */
} output_source;

typedef struct output_list {
    int32_t count;
    output items[OPTION_TEXTS_LIMIT];
    output_source source;
    sup_vec3* vertices; /* of all surfaces (vertex_count) */
    int32_t vertex_count;
} output_list;

/* Are both the same file, or will they be once written? Links and "./" do not fool it. */
bool outputs_same_file(const char* a, const char* b);
/* Will `path` be one of the files of this output? */
bool output_writes(const output* one, const char* path);

/* Can this name be written: is its folder there and open to us, and is it free or a plain file? A
   failure has been said. */
tool_exit outputs_check_writable(const char* path);
/* The same for a mesh that does not move: an .obj beside an old .pc2 of its name would be taken for
   a pair, and is refused. */
tool_exit outputs_check_mesh(const char* path);
/* Looks at the names alone: endings, folders, one name given twice, a name that the scene reads
   from. `extra` is one more file that will be written (NULL: none). Nothing is opened. Failures
   have been said. */
tool_exit outputs_plan(output_list* outputs, const option_texts* paths, const char* extra);
tool_exit outputs_check_inputs(const output_list* outputs, const char* extra,
                               const sup_scene* scene);

/* Opens all that are not open yet; `poses` is how many outputs_write calls will follow, `glb_poses`
 * how many of them a GLB keeps. */
tool_exit outputs_open(output_list* outputs, const output_source* source, int32_t poses,
                       int32_t glb_poses);
/* Adds the vertices as they stand to every file. `world` is for a tape. */
tool_exit outputs_write(output_list* outputs, const sup_world* world);
/* Gives all files their names. With `stopped`, a tape stays as it is, to be gone on with, and what
   needs all frames is left out, which is said. */
tool_exit outputs_close(output_list* outputs, bool stopped);
/* What stands behind the names of its files: a tape that was stopped is still a NAME.part. */
const char* output_tail(const output* one, bool stopped);
/* Prints the names of what outputs_close has written. */
void outputs_print(const output_list* outputs, bool stopped);
/* The tape among them, or NULL. */
output* outputs_tape(output_list* outputs);
/* Throws away what is still open, but for tapes, and frees. Always the last call. */
void outputs_free(output_list* outputs);

#endif
