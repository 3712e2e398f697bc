/* Bodies whose drawn surface hangs on tetrahedra: where these end, and how far from what is drawn.
 */
#ifndef SUPPLE_BLUEPRINT_HANG_H
#define SUPPLE_BLUEPRINT_HANG_H

#include "blueprint/blueprint.h"

/* Refuses what does not go with such a skin. */
sup_result supi_hang_check(const sup_blueprint_def* def, sup_error* error);
/* Once tetrahedra and points of the skin stand: contact radii, depths and normals of the particles
   outside, volume and density. */
sup_result supi_hang_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                           supi_arena* scratch, sup_error* error);
/* The same after the rest shape has changed; radii and density stay. */
sup_result supi_hang_renew(sup_blueprint* blueprint, supi_arena* scratch, sup_error* error);
/* Hangs the skin on the tetrahedra. */
sup_result supi_hang_bind(sup_blueprint* blueprint, supi_arena* scratch, sup_error* error);

#endif
