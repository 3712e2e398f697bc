/* Blueprints of soft substance. */
#ifndef SUPPLE_BLUEPRINT_BLOB_H
#define SUPPLE_BLUEPRINT_BLOB_H

#include "blueprint/blueprint.h"

/* Over the distance at which particles rest: as far they keep from all else, which is where the
   surface around a lonely one is drawn. */
#define SUPI_BLOB_RADIUS 0.6

/* Refuses what soft substance cannot be or have. */
sup_result supi_blob_check(const sup_blueprint_def* def, sup_error* error);
/* Can a blueprint that was read be one? */
bool supi_blob_fits(const sup_blueprint* blueprint);

#endif
