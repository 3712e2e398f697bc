/* Blueprints of cloth that is cut where it bends. */
#ifndef SUPPLE_BLUEPRINT_SHEET_H
#define SUPPLE_BLUEPRINT_SHEET_H

#include "blueprint/blueprint.h"

/* Refuses particles that are no grid as the definition tells it; fine where it tells none. */
sup_result supi_sheet_check(const sup_blueprint_def* def, int32_t particle_count,
                            const sup_vec3* points, sup_error* error);
/* Puts ids of coarse points before those of finer ones, so that what is active lies together.
   False: no memory. */
bool supi_sheet_order(const sup_refine_grid* refine, int32_t count, int32_t* ids,
                      supi_arena* scratch);
/* Takes over what the definition tells, once masses and rows stand. */
void supi_sheet_take(const sup_blueprint_def* def, sup_blueprint* blueprint);
/* What follows from the rest of the blueprint. */
void supi_sheet_derive(sup_blueprint* blueprint);
/* Does it fit the particles? For one from a file. */
bool supi_sheet_fits(const sup_blueprint* blueprint);
uint64_t supi_sheet_hash(const sup_blueprint* blueprint, uint64_t hash);

#endif
