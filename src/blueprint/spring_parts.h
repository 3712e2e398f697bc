/* What springs hold together, and what they leave out. */
#ifndef SUPPLE_BLUEPRINT_SPRING_PARTS_H
#define SUPPLE_BLUEPRINT_SPRING_PARTS_H

#include "blueprint/blueprint.h"

/* Particles that springs or clusters join belong to one part. */
typedef struct supi_spring_parts {
    int32_t count;          /* of parts of two particles or more */
    int32_t examples[2];    /* particle ids of the first two parts, the lowest of each; -1: none */
    int32_t isolated_count; /* particles of no spring, where springs alone hold the body */
    int32_t isolated;       /* the lowest id of them; -1: none */
} supi_spring_parts;

/* False: no memory. */
bool supi_spring_parts_find(const sup_blueprint* blueprint, supi_arena* scratch,
                            supi_spring_parts* out);

#endif
