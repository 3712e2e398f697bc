/* Checks that all shapes share. */
#ifndef SUPPLE_GEOM_SHAPES_H
#define SUPPLE_GEOM_SHAPES_H

#include "supple/base.h"

/* `what` begins the message: "the radius of a torus". */
sup_result supi_shapes_check_size(const char* what, double size, sup_error* error);
sup_result supi_shapes_check_count(const char* what, int32_t count, int32_t low, int32_t high,
                                   sup_error* error);

#endif
