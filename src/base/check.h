/* Range checks of definitions. */
#ifndef SUPPLE_BASE_CHECK_H
#define SUPPLE_BASE_CHECK_H

#include "base/error.h"

typedef struct supi_range {
    const char* name;
    double value, least, most;
} supi_range;

/* Refuses the first value outside its range; NaN is outside every range. */
static inline sup_result supi_check_ranges(const supi_range* ranges, size_t count,
                                           sup_error* error) {
    for (size_t i = 0; i < count; i++) {
        const supi_range* r = ranges + i;
        if (!(r->value >= r->least && r->value <= r->most)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "%s is out of its range", r->name);
        }
    }
    return SUP_OK;
}

#endif
