/* Blueprints whose particles are the nodes of a cubic lattice, with a cluster around each. */
#ifndef SUPPLE_BLUEPRINT_LATTICE_H
#define SUPPLE_BLUEPRINT_LATTICE_H

#include "blueprint/blueprint.h"
#include "solve/lattice.h"

enum { SUPI_LATTICE_CELLS = 1 << 24 }; /* at most; a step needs 128 bytes for each */

/* Finds the lattice of particles that stand, and makes the clusters. */
sup_result supi_lattice_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                              supi_arena* scratch, sup_error* error);

/* What follows from the rows and from reach, size, spacing, cells and weights of a lattice: its
   grid, all about its clusters, and what bodies know of their rows' clusters. */
sup_result supi_lattice_derive(sup_blueprint* blueprint, sup_error* error);

/* Into how many pieces the nodes fall that no chain of clusters holds together, and the first
   row of the second, or -1. False: no memory. */
bool supi_lattice_find_pieces(const sup_blueprint* blueprint, supi_arena* scratch, int32_t* count,
                              int32_t* loose);

uint64_t supi_lattice_hash(const sup_blueprint* blueprint, uint64_t hash);

#endif
