/* First part of a blueprint: where its particles are and what they weigh. */
#ifndef SUPPLE_BLUEPRINT_PARTICLES_H
#define SUPPLE_BLUEPRINT_PARTICLES_H

#include "blueprint/blueprint.h"

/* Fills rows, maps, masses, radii and the drawn surface. `scratch` holds what only the build needs;
 *edges (pairs of rows, *edge_count of them) are the welded surface's. */
sup_result supi_particles_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                                supi_arena* scratch, int32_t** edges, int32_t* edge_count,
                                sup_error* error);

/* The parts of it that follow from the rest places: size and centre; and the outward normals of a
   closed surface whose point i is the row row_of[i] (false: no memory). */
sup_result supi_particles_measure(sup_blueprint* blueprint, sup_error* error);
bool supi_particles_outward(sup_blueprint* blueprint, const sup_mesh* surface,
                            const int32_t* row_of, supi_arena* scratch);

#endif
