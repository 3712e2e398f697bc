/* Bodies on a lattice within a substep: sums over the clusters' boxes, and what these ask of the
   nodes. Planes lie across the longest axis of the lattice, slabs across the second longest: work
   that workers can share, as the slices of one pass do not touch each other. */
#ifndef SUPPLE_WORLD_LATTICE_H
#define SUPPLE_WORLD_LATTICE_H

#include "world/world.h"

int32_t supi_lattice_planes(const sup_blueprint* blueprint);
int32_t supi_lattice_slabs(const sup_blueprint* blueprint);

/* The row of the world whose place and velocity the sums of cluster c refer to. */
static inline int32_t supi_lattice_reference(const supi_body* body, int32_t c) {
    return body->row + body->blueprint->lattice->refers[c];
}

/* First planes, then slabs: afterwards each cell has the sums over the nodes around it. */
void supi_lattice_sum_plane(const sup_world* world, const supi_state* from, const supi_body* body,
                            int32_t plane);
void supi_lattice_sum_slab(const sup_world* world, const supi_state* from, const supi_body* body,
                           int32_t slab);
/* Those of cluster c, as `moments` makes them. */
void supi_lattice_sums(const sup_world* world, const supi_body* body, int32_t c,
                       double sums[SUPI_SUM_COUNT]);

/* Once the world's goals stand, first slabs, then planes: afterwards each cell has what the
 * clusters around it ask. */
void supi_lattice_ask_slab(const sup_world* world, const supi_state* from, const supi_body* body,
                           int32_t slab);
void supi_lattice_ask_plane(const sup_world* world, const supi_state* from, const supi_body* body,
                            int32_t plane);
/* Rows begin .. end-1 to the end of the substep. */
void supi_lattice_move(const sup_world* world, const supi_state* from, const supi_body* body,
                       int32_t begin, int32_t end, supi_extent* box);

/* The mean of the goals of a row, relative to the anchor. */
void supi_lattice_goal(const sup_world* world, const supi_body* body, int32_t row, float to[3]);

#endif
