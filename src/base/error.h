/* Filling a sup_error in one line. */
#ifndef SUPPLE_BASE_ERROR_H
#define SUPPLE_BASE_ERROR_H

#include "supple/base.h"

/* Writes code and text into `error` (may be NULL) and returns code: return supi_error_set(...). */
sup_result supi_error_set(sup_error* error, sup_result code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place in a text: prefixes "name:line:column: ". */
sup_result supi_error_at(sup_error* error, const char* name, int32_t line, int32_t column,
                         const char* format, ...) __attribute__((format(printf, 5, 6)));

/* SUP_NO_MEMORY with its standard text. */
sup_result supi_error_memory(sup_error* error);

#endif
