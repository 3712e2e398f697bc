/* Boxes of floats, as trees of boxes ask about them. */
#ifndef SUPPLE_GEOM_BOUNDS_H
#define SUPPLE_GEOM_BOUNDS_H

#include "supple/types.h"

#include <math.h>

/* Squared distance of x from the box; relative error below 1e-6. */
static inline float supi_bounds_square(const float low[3], const float high[3], const float x[3]) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float below = low[k] - x[k], above = x[k] - high[k];
        float gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        square += gap * gap;
    }
    return square;
}

/* Whether the way from..to may touch the box: separating axes (Ericson 2005), with some room for
   rounding, so that nothing in the box is missed. */
static inline bool supi_bounds_meet(const float low[3], const float high[3], const double from[3],
                                    const double to[3]) {
    double half[3], way[3], off[3], reach[3], room = 0.0;
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * ((double)low[k] + (double)high[k]);
        half[k] = 0.5 * ((double)high[k] - (double)low[k]);
        way[k] = 0.5 * (to[k] - from[k]);
        off[k] = 0.5 * (to[k] + from[k]) - middle;
        room += half[k] + fabs(way[k]) + fabs(off[k]) + fabs(middle);
    }
    room *= 1e-12;
    for (int k = 0; k < 3; k++) {
        half[k] += room;
        reach[k] = fabs(way[k]) + room;
        if (fabs(off[k]) > half[k] + reach[k]) return false;
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double apart = fabs(off[i] * way[j] - off[j] * way[i]);
        if (apart > half[i] * reach[j] + half[j] * reach[i]) return false;
    }
    return true;
}

#endif
