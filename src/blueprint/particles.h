/* First part of a blueprint: where its particles are and what they weigh. */
#ifndef SUPPLE_BLUEPRINT_PARTICLES_H
#define SUPPLE_BLUEPRINT_PARTICLES_H

#include "blueprint/blueprint.h"

/* Fills rows, maps, masses, radii and the drawn surface. `scratch` holds what only the build needs;
 *edges (pairs of rows, *edge_count of them) are the welded surface's. */
sup_result supi_particles_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                                supi_arena* scratch, int32_t** edges, int32_t* edge_count,
                                sup_error* error);

#endif
