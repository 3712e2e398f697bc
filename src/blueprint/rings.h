/* Clusters in tetrahedra: each holds all points within some edges of its middle. Middles are so
   many edges apart at least, and nobody is farther from one: so a point is in about as many
   clusters whatever the reach. */
#ifndef SUPPLE_BLUEPRINT_RINGS_H
#define SUPPLE_BLUEPRINT_RINGS_H

#include "supple/tets.h"

typedef struct supi_rings {
    int32_t count;    /* clusters */
    int32_t* starts;  /* (count + 1) */
    int32_t* members; /* point ids, ascending in each (starts[count]) */
} supi_rings;

sup_result supi_rings_make(const sup_allocator* allocator, const sup_tets* tets, int32_t reach,
                           supi_rings* out, sup_error* error);
void supi_rings_free(const sup_allocator* allocator, supi_rings* rings);

#endif
