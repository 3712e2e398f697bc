/* Rows without what they have along some axes. */
#ifndef SUPPLE_SOLVE_AXES_H
#define SUPPLE_SOLVE_AXES_H

#include "supple/body.h"

/* `axes`: sum of sup_axis. */
static inline void supi_axes_strip(int32_t axes, sup_row* row) {
    if (axes & SUP_AXIS_X) row->x = 0.0f;
    if (axes & SUP_AXIS_Y) row->y = 0.0f;
    if (axes & SUP_AXIS_Z) row->z = 0.0f;
}

#endif
