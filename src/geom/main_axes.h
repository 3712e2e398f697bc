/* Along which axes a set of places is spread the most and the least. */
#ifndef SUPPLE_GEOM_MAIN_AXES_H
#define SUPPLE_GEOM_MAIN_AXES_H

#include <stdint.h>

/* Writes place i to `at`. */
typedef void supi_place_of(const void* context, int32_t i, double at[3]);

/* Three unit vectors, the one with the widest spread first. */
void supi_main_axes(int32_t count, supi_place_of* place, const void* context, double axes[9]);

#endif
