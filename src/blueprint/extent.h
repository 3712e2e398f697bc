/* How wide clusters are to a stretch of the body, which makes Young's modulus of a frequency. */
#ifndef SUPPLE_BLUEPRINT_EXTENT_H
#define SUPPLE_BLUEPRINT_EXTENT_H

#include "blueprint/blueprint.h"

/* Unit, the longest direction of the rest shape. */
void supi_extent_direction(const sup_blueprint* blueprint, double along[3]);
/* m^2: mean square of the misfits of cluster c with rigid goals when its particles are stretched by
   1 (100 %) in this direction. Of a symmetric one, that of its offsets; a cluster that lies askew
   turns and evades part of it. All its particles count alike: weights would make those near the
   rim, whose outer particles weigh more, and those with pins seem larger. */
double supi_extent_of(const sup_blueprint* blueprint, int32_t c, const double along[3]);
/* The extent of the blueprint: the middle one of all clusters' along the body; those at the rim,
   which are cut, do not count. False: no memory. */
bool supi_extent_find(sup_blueprint* blueprint);

#endif
