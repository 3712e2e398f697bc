/* Elements that stand in a list twice. */
#ifndef SUPPLE_GEOM_TWINS_H
#define SUPPLE_GEOM_TWINS_H

#include <stdint.h>

#include "supple/base.h"

/* Refuses elements of which one has the corners of an earlier one, in whatever order, and names the
   first such two. `what`: "tetrahedra". Elements have an even number of corners, up to 8, none
   below 0; those that name one twice are passed over. */
sup_result supi_twins_check(const sup_allocator* allocator, const char* what, int32_t count,
                            int32_t corners, const int32_t* elements, sup_error* error);

/* Puts the numbers of elements in an order where those of the same corners stand together, the
   first in the list first. Corners as above. False when memory is short. */
bool supi_twins_order(const sup_allocator* allocator, int32_t count, int32_t corners,
                      const int32_t* elements, int32_t* ids);

#endif
