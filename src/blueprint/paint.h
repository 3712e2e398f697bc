/* Painted weights of a skin on oriented particles. */
#ifndef SUPPLE_BLUEPRINT_PAINT_H
#define SUPPLE_BLUEPRINT_PAINT_H

#include "blueprint/blueprint.h"

/* Takes over those of the definition, once skin and rows stand. An error names the vertex. */
sup_result supi_paint_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                            supi_arena* scratch, sup_error* error);
/* Are they in order, and such as a skin can have? Their points and rows are in range. */
bool supi_paint_fits(const sup_blueprint* blueprint);

#endif
