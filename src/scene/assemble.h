/* From the words of a scene file to a world full of bodies. */
#ifndef SUPPLE_SCENE_ASSEMBLE_H
#define SUPPLE_SCENE_ASSEMBLE_H

#include "file/json.h"
#include "scene/scene.h"

/* All particles of a scene together; about 2 GB of memory. */
#define SUPI_PARTICLE_LIMIT 8000000

/* Fills an empty scene. On failure the caller frees it; whatever was made hangs on it. */
sup_result supi_assemble(sup_scene* scene, const sup_scene_options* options, const char* path,
                         const supi_json* root, sup_error* error);

#endif
