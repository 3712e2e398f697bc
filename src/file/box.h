/* The box around points, which several formats store beside them. */
#ifndef SUPPLE_FILE_BOX_H
#define SUPPLE_FILE_BOX_H

#include "supple/types.h"

/* There is at least one point. */
static inline void supi_box_of(const sup_vec3* points, int32_t count, sup_vec3* low,
                               sup_vec3* high) {
    *low = *high = points[0];
    for (int32_t i = 1; i < count; i++) {
        sup_vec3 p = points[i], l = *low, h = *high;
        *low = (sup_vec3){p.x < l.x ? p.x : l.x, p.y < l.y ? p.y : l.y, p.z < l.z ? p.z : l.z};
        *high = (sup_vec3){p.x > h.x ? p.x : h.x, p.y > h.y ? p.y : h.y, p.z > h.z ? p.z : h.z};
    }
}

#endif
