/* Bodies of soft substance in a scene. */
#ifndef SUPPLE_SCENE_BLOB_H
#define SUPPLE_SCENE_BLOB_H

#include "scene/draft.h"

/* Which keys go with it, and which shapes can be filled. */
sup_result supi_blob_draft_check(const supi_reader* reader, const supi_body_draft* body);
/* Fills the mesh, which becomes a cloud; a cloud stays as it is. `volume` becomes what the mesh
   held, m^3, 0: nothing. */
sup_result supi_blob_draft_fill(const supi_reader* reader, const supi_body_draft* draft,
                                sup_mesh* mesh, double* volume);
/* What the blueprint must know of it. */
void supi_blob_draft_take(const supi_body_draft* draft, double volume, sup_blueprint_def* def);
sup_blob_settings supi_blob_draft_settings(const supi_blob_draft* draft);

#endif
