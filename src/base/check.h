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

/* Refuses the first of the pointers that is NULL. `names` are theirs, with ", " between them. */
static inline sup_result supi_check_given(const void* const* pointers, size_t count,
                                          const char* call, const char* names, sup_error* error) {
    for (size_t i = 0; i < count; i++) {
        int length = 0;
        while (names[length] != ',' && names[length] != 0) length++;
        if (!pointers[i]) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "%s: %.*s must not be NULL", call,
                                  length, names);
        }
        if (names[length] == ',') names += length + 2;
    }
    return SUP_OK;
}

/* At the head of a public call: leaves it where one of the pointers that it cannot do without is
   NULL. */
#define SUPI_NEED(error, ...)                                                                      \
    do {                                                                                           \
        const void* const given_[] = {__VA_ARGS__};                                                \
        if (supi_check_given(given_, sizeof given_ / sizeof *given_, __func__, #__VA_ARGS__,       \
                             error) != SUP_OK) {                                                   \
            return SUP_BAD_ARGUMENT;                                                               \
        }                                                                                          \
    } while (0)

#endif
