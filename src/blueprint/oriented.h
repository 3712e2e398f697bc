/* Oriented particles of a blueprint: their ellipsoids, links and parts. */
#ifndef SUPPLE_BLUEPRINT_ORIENTED_H
#define SUPPLE_BLUEPRINT_ORIENTED_H

#include "blueprint/blueprint.h"

/* Takes over links, parts and ellipsoids of the definition, once particles and masses stand.
   Nothing to do where there are neither links nor parts. */
sup_result supi_oriented_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                               supi_arena* scratch, sup_error* error);
/* What the solver goes through, from the arrays above. */
sup_result supi_oriented_net(sup_blueprint* blueprint, supi_arena* scratch, sup_error* error);
uint64_t supi_oriented_hash(const sup_blueprint* blueprint, uint64_t hash);

/* Memberships of all parts. */
static inline int32_t supi_oriented_member_count(const sup_blueprint* b) {
    return b->part_starts ? b->part_starts[b->part_count] : 0;
}

#endif
