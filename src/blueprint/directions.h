/* Normals and tangents of a skin on oriented particles, at rest. */
#ifndef SUPPLE_BLUEPRINT_DIRECTIONS_H
#define SUPPLE_BLUEPRINT_DIRECTIONS_H

#include "blueprint/blueprint.h"

/* Takes over those of the definition, made unit, once the skin stands. An error names the vertex.
 */
sup_result supi_directions_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                                 sup_error* error);
/* Is there a skin for them, and are they unit? */
bool supi_directions_fit(const sup_blueprint* blueprint);
/* The normals that were given, or else those of the polygons; NULL: no memory. */
const sup_vec3* supi_directions_normals(const sup_blueprint* blueprint, supi_arena* scratch);

#endif
