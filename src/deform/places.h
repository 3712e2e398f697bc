/* The one check of points that come from outside. */
#ifndef SUPPLE_DEFORM_PLACES_H
#define SUPPLE_DEFORM_PLACES_H

#include "base/error.h"
#include "supple/types.h"

#include <math.h>

#define SUPI_PLACES_FAR 1e9f /* m; squares of coordinates must be floats */

static inline sup_result supi_places_check(const char* name, int32_t count, const sup_vec3* points,
                                           sup_error* error) {
    for (int32_t i = 0; i < count; i++) {
        sup_vec3 p = points[i];
        if (!(fabsf(p.x) <= SUPI_PLACES_FAR && fabsf(p.y) <= SUPI_PLACES_FAR &&
              fabsf(p.z) <= SUPI_PLACES_FAR))
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "%s[%d] is not a place within 1e9 m of the origin", name, (int)i);
    }
    return SUP_OK;
}

#endif
