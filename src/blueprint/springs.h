/* The springs of a blueprint. */
#ifndef SUPPLE_BLUEPRINT_SPRINGS_H
#define SUPPLE_BLUEPRINT_SPRINGS_H

#include "blueprint/blueprint.h"

/* Takes over the springs of the definition, once particles and masses stand. */
sup_result supi_springs_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                              supi_arena* scratch, sup_error* error);
/* The net of its springs. False: no memory. */
bool supi_springs_weave(sup_blueprint* blueprint, supi_arena* scratch);
/* The same for new rest places, at which the springs are at rest too. */
bool supi_springs_reshape(sup_blueprint* blueprint, supi_arena* scratch);
/* Is every spring one between two of its rows, and in range? For springs from a file. */
bool supi_springs_fit(const sup_blueprint* blueprint);

#endif
