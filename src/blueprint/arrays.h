/* The arrays of a blueprint as a list, for those who copy or compare all of them. */
#ifndef SUPPLE_BLUEPRINT_ARRAYS_H
#define SUPPLE_BLUEPRINT_ARRAYS_H

#include "blueprint/blueprint.h"

enum { SUPI_BLUEPRINT_ARRAYS = 41 };

typedef struct supi_blueprint_array {
    void* pointer; /* to the pointer in the blueprint, which may be NULL */
    int64_t count;
    size_t size; /* bytes of an item; none has padding */
} supi_blueprint_array;

/* All but those that follow from others: bends, slots of the skin, and what a lattice has. */
void supi_blueprint_arrays(sup_blueprint* blueprint,
                           supi_blueprint_array out[SUPI_BLUEPRINT_ARRAYS]);

#endif
