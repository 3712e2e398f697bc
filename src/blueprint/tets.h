/* The tetrahedra of a blueprint: what springs may keep the volume of. */
#ifndef SUPPLE_BLUEPRINT_TETS_H
#define SUPPLE_BLUEPRINT_TETS_H

#include "blueprint/blueprint.h"

/* Takes over the tetrahedra of the definition, once particles stand. */
sup_result supi_tets_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                           sup_error* error);

#endif
