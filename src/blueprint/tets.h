/* The tetrahedra of a blueprint, and what follows from them. */
#ifndef SUPPLE_BLUEPRINT_TETS_H
#define SUPPLE_BLUEPRINT_TETS_H

#include "blueprint/blueprint.h"
#include "supple/tets.h"

/* Takes over the tetrahedra of the definition, once particles stand. */
sup_result supi_tets_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                           supi_arena* scratch, sup_error* error);
/* Outside, edges and neighbours of the tetrahedra that are there. False when memory is short. */
bool supi_tets_derive(sup_blueprint* blueprint, supi_arena* scratch);
/* Has every one of them a volume at rest? */
bool supi_tets_sound(const sup_blueprint* blueprint);
/* m^3, at rest. */
double supi_tets_volume(const sup_blueprint* blueprint);
/* The same as geometry; arrays are those of the blueprint, points by row. */
sup_tets supi_tets_view(const sup_blueprint* blueprint);

#endif
