/* Bodies under a skin: which of their particles lie next to the drawn surface, how deep, and which
   way is out. */
#ifndef SUPPLE_BLUEPRINT_RIM_H
#define SUPPLE_BLUEPRINT_RIM_H

#include "blueprint/blueprint.h"

typedef struct supi_rim_source {
    const sup_mesh* welded; /* the drawn surface */
    bool closed;
    int32_t
        filled_count; /* particles of its filling: the first ids, in the order of sup_mesh_fill */
} supi_rim_source;

/* Once the rows stand: copies the points of the skin, and gives the rim its depths, radii and
   normals. *edges: pairs of rows that are neighbours in the lattice of the filling. False when
   memory is short. */
bool supi_rim_build(const sup_blueprint_def* def, const supi_rim_source* source,
                    sup_blueprint* blueprint, supi_arena* scratch, int32_t** edges,
                    int32_t* edge_count);

/* After the rest shape has changed, under a closed surface that has gone along: depths and normals
   of the particles that lay next to it. Contact radii stay. False when memory is short. */
bool supi_rim_renew(sup_blueprint* blueprint, const sup_mesh* surface, supi_arena* scratch);

#endif
