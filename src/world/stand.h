/* Tetrahedra that stand in for bodies that have none: see contact/tet_stand.h. They are made in the
   first step in which a world has two bodies that may meet so, however far apart, as any may become
   fast; bodies of one blueprint share them. */
#ifndef SUPPLE_WORLD_STAND_H
#define SUPPLE_WORLD_STAND_H

#include "world/world.h"

/* False when memory is short. */
bool supi_stand_make(const sup_world* world, supi_body* body);
/* Of a body that has some, as long as it has its blueprint. */
const supi_tet_form* supi_stand_form(const supi_body* body);
void supi_stand_free(const sup_world* world, supi_body* body);

#endif
