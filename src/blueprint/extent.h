/* How wide clusters are to a stretch of the body, which makes Young's modulus of a frequency. */
#ifndef SUPPLE_BLUEPRINT_EXTENT_H
#define SUPPLE_BLUEPRINT_EXTENT_H

#include "blueprint/blueprint.h"

/* m^2: mean square of the misfits of cluster c with rigid goals when its particles are stretched by
   1 (100 %) in the direction in which the body is longest around it. Of a symmetric one, that of
   its offsets; a cluster that lies askew turns and evades part of it. All its particles count
   alike: weights would make those near the rim, whose outer particles weigh more, and those with
   pins seem larger. */
double supi_extent_of(const sup_blueprint* blueprint, int32_t c);
/* The extent of the blueprint: the middle one of its clusters'; those at the rim, which are cut, do
   not count. False: no memory. */
bool supi_extent_find(sup_blueprint* blueprint);

#endif
