/* Elements that stand in a list twice. */
#ifndef SUPPLE_GEOM_TWINS_H
#define SUPPLE_GEOM_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "supple/base.h"

/* Finds the first of `count` elements whose corners, in whatever order, are those of an earlier
   one: `twins` are the earlier one and itself; none: -1 and -1. Elements have an even number of
   corners, up to 8, none below 0; those that name one twice are passed over. False: no memory. */
bool supi_twins_find(const sup_allocator* allocator, int32_t count, int32_t corners,
                     const int32_t* elements, int32_t twins[2]);

#endif
