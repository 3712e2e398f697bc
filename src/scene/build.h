/* The pieces a draft is turned into, one function each: mesh, picked particles, places of copies,
 * heights. */
#ifndef SUPPLE_SCENE_BUILD_H
#define SUPPLE_SCENE_BUILD_H

#include "scene/draft.h"
#include "supple/files.h"
#include "supple/fit.h"
#include "supple/solid.h"
#include "supple/weave.h"

/* Quaternion (x, y, z, w) of turning about the fixed axes x, then y, then z, by degrees. */
void supi_turn_from_degrees(const double degrees[3], double rotation[4]);
/* First b, then a. */
void supi_turn_product(const double a[4], const double b[4], double out[4]);

/* Path of a mesh file: `file` as it is when absolute, else beside the scene. In the store; NULL
 * when memory is short. */
const char* supi_shape_path(supi_arena* store, const char* scene_path, const char* file);
/* "box", "mesh", ... */
const char* supi_shape_name(const supi_shape_draft* shape);
/* The scaled mesh of a body; `path` is used by mesh files only. The caller frees it. */
sup_result supi_shape_mesh(const supi_reader* reader, const sup_file_gate* files,
                           const supi_body_draft* body, const char* path, sup_mesh* out);

/* May anchors hold some of its particles? Bodies of springs alone that stay whole have them. */
bool supi_weave_anchored(const supi_body_draft* body);
/* The stiffness of the springs of a weave with a modulus, and what is beside them. */
sup_weave_moduli supi_weave_moduli(const supi_weave_draft* weave);
/* The springs of a body with "weave", and the particles that they hold. `mesh` is that of its shape
   where that has one, `path` that of its voxels. The caller frees the web. */
sup_result supi_weave_make(const supi_reader* reader, const sup_file_gate* files,
                           const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                           sup_web* out);

/* Where the key of "springs" stands without which such settings would suit the blueprint; if no one
   key is to blame, where they stand. */
const supi_json* supi_weave_blamed(const supi_body_draft* body, const sup_spring_settings* settings,
                                   const sup_blueprint* blueprint);

/* The oriented particles of a body with "fit", or of the rig at `path` that is its shape. The
   caller frees the rig. */
sup_result supi_fit_make(const supi_reader* reader, const sup_file_gate* files,
                         const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                         sup_rig** out);

/* Its parts, discs and joints. In fit_parts.c. */
sup_result supi_fit_parts(const supi_reader* reader, const supi_body_draft* body, sup_rig* rig);

/* What a rig gives a blueprint: oriented particles, what holds them together, and how their skin
   follows. The rig must stay until the blueprint is made. */
sup_result supi_fit_take(const supi_reader* reader, const supi_body_draft* body, const sup_rig* rig,
                         sup_blueprint_def* def);

/* The tetrahedra of a body with "solid", and what holds them together: those of the file at `path`
   where that has some, else in its mesh. The caller frees the solid. */
sup_result supi_filled_make(const supi_reader* reader, const sup_file_gate* files,
                            const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                            sup_solid** out);
/* How its springs are woven, in the store; NULL when memory is short. */
const supi_weave_draft* supi_filled_weave(const supi_reader* reader, const supi_body_draft* body,
                                          const sup_solid* solid);
/* What it gives a blueprint, as above. */
sup_result supi_filled_take(const supi_reader* reader, const supi_body_draft* body,
                            const sup_solid* solid, sup_blueprint_def* def);

/* Sets marks[id] = value for the particles that a pick means among the rest places; the others keep
   theirs. `owner` is the object in which the pick's keys stand. A box or a sphere without a
   particle is refused. */
sup_result supi_pick_mark(const supi_reader* reader, const supi_json* owner,
                          const supi_pick_draft* pick, int32_t count, const sup_vec3* rest,
                          int32_t value, int32_t* marks);

/* Where the copies of a body go. */
typedef struct supi_pose {
    double position[3], rotation[4];
} supi_pose;
int32_t supi_copies_count(const supi_copies_draft* copies);
/* `poses` has room for all copies. */
sup_result supi_copies_place(const supi_reader* reader, const supi_body_draft* body,
                             supi_pose* poses);

/* Heights along x and along z, and the heights themselves, x fastest. */
void supi_terrain_count(const supi_solid_draft* shape, int32_t count[2]);
void supi_terrain_make(const supi_solid_draft* shape, float* heights);

#endif
