/* From the words of a scene file to a world full of bodies. */
#ifndef SUPPLE_SCENE_ASSEMBLE_H
#define SUPPLE_SCENE_ASSEMBLE_H

#include "file/json.h"
#include "scene/scene.h"
#include "supple/solid.h"
#include "supple/weave.h"

/* All particles of a scene together; about 2 GB of memory. */
#define SUPI_PARTICLE_LIMIT 8000000

/* Fills an empty scene. On failure the caller frees it; whatever was made hangs on it. */
sup_result supi_assemble(sup_scene* scene, const sup_scene_options* options, const char* path,
                         const supi_json* root, sup_error* error);

/* ---- its parts ---- */

/* A body of the file and its copies; names are there. */
sup_result supi_assemble_body(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, sup_scene_entry* entry);
sup_result supi_assemble_collider(sup_scene* scene, const supi_reader* reader,
                                  const supi_collider_draft* draft, int32_t index);
/* All bodies and colliders are there. */
sup_result supi_assemble_attachment(sup_scene* scene, const supi_reader* reader,
                                    const supi_attachment_draft* draft, int32_t position);
/* Names for everything; arrays are there. */
sup_result supi_assemble_names(sup_scene* scene, const supi_reader* reader,
                               const supi_scene_draft* draft);

/* Something new with a motion, of which only kind and index are set; NULL when memory is short. */
supi_driven* supi_assemble_driven(sup_scene* scene, supi_driven_kind kind, int32_t index);
/* The path of a file that the scene names, remembered; NULL when memory is short. */
const char* supi_assemble_path(sup_scene* scene, const char* file);
/* Bits from their numbers; `absent` where none are given. */
uint32_t supi_assemble_bits(const supi_list* numbers, uint32_t absent);
/* Linear colour in float. */
void supi_assemble_colour(const double linear[3], float colour[3]);

/* ---- notes ---- */

/* Adds a sentence about something at a place of the file, unless it is there already. False when
 * memory is short. */
bool supi_notes_add(sup_scene* scene, const supi_json* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/* Tells what of the file of a mesh the scene has no use for. `place` is the object that names the
 * file. False when memory is short. */
bool supi_notes_mesh(sup_scene* scene, const supi_json* place, const char* file,
                     const sup_mesh* mesh);
/* The same of what a weave had to mend. */
bool supi_notes_web(sup_scene* scene, const supi_body_draft* draft, const sup_web* web);
/* The same of a solid: what an open surface weighs. */
bool supi_notes_solid(sup_scene* scene, const supi_body_draft* draft, const sup_solid* solid);
/* Tells which settings of a body do nothing, or something that is easily overlooked. False when
 * memory is short. */
bool supi_notes_body(sup_scene* scene, const supi_body_draft* draft,
                     const sup_blueprint* blueprint);
/* Notes each of the keys that stands in `place`, and why it does nothing. False when memory is
 * short. */
bool supi_notes_idle(sup_scene* scene, const supi_json* place, const char* const* keys,
                     const char* why);
/* The same of all keys of a body that another one makes idle; and of the wind of a scene. */
bool supi_notes_keys(sup_scene* scene, const supi_body_draft* draft,
                     const sup_blueprint* blueprint);
bool supi_notes_wind(sup_scene* scene, const supi_scene_draft* draft);
/* Tells what of the clusters of a body looks like a mistake; the rest is for who asks. */
sup_result supi_notes_clusters(sup_scene* scene, const supi_reader* reader,
                               const supi_body_draft* draft, const sup_blueprint* blueprint);
/* Looks for bodies that begin deep inside each other or inside colliders. False when memory is
 * short. */
bool supi_overlap_note(sup_scene* scene, const supi_scene_draft* draft);

#endif
