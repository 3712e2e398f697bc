/* Body files: a rig as JSON, with its arrays in a PLY file beside it and its mesh in a file of its
   own. */
#ifndef SUPPLE_SCENE_BODY_FILE_H
#define SUPPLE_SCENE_BODY_FILE_H

#include "file/ply_rows.h"
#include "scene/reader.h"
#include "supple/fit.h"

/* How the rig was made, as the file says it. */
typedef struct supi_made_draft {
    const supi_json* place;
    int32_t where; /* sup_spray_where */
    double spacing;
    int32_t seed;
} supi_made_draft;

typedef struct supi_body_file {
    const supi_json* place;
    const char* schema;
    int32_t version;
    const char *mesh, *arrays; /* as the file names them; mesh: NULL where there is none */
    double stiffness;
    supi_made_draft made;
} supi_body_file;

extern const supi_table supi_body_file_table;

/* What a file of arrays holds. */
typedef struct supi_particle_row {
    float x, y, z, mass;
    float rotation[4], radii[3];
    float turn_radius, stiffness;
    float nx, ny, nz;
    int32_t flags;
} supi_particle_row;

enum { SUPI_BODY_PARTICLES, SUPI_BODY_LINKS, SUPI_BODY_PARTS, SUPI_BODY_WEIGHTS, SUPI_BODY_TABLES };
/* Rows: supi_particle_row, sup_link, sup_rig_plastic with lists of members, sup_skin_weight. */
extern const supi_ply_table supi_body_arrays[SUPI_BODY_TABLES];

/* Files that a body file names, as paths that lead there; NULL: none. */
typedef struct supi_body_paths {
    const char *mesh, *arrays;
} supi_body_paths;

/* A rig from the bytes of a body file that lies at `path`. `paths` (may be NULL) lie in `store`,
   from whose allocator the rig comes too. Errors in the other files stand behind the place that
   names them. */
sup_result supi_body_file_parse(supi_arena* store, const sup_file_gate* files, const char* path,
                                const uint8_t* bytes, size_t size, supi_body_paths* paths,
                                sup_rig** out, sup_error* error);

#endif
