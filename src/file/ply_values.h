/* The values of a PLY file one after the other, whichever of its three forms they have. */
#ifndef SUPPLE_FILE_PLY_VALUES_H
#define SUPPLE_FILE_PLY_VALUES_H

#include "file/ply_header.h"

typedef struct supi_ply_walk {
    const supi_ply_header* header;
    supi_cursor cursor; /* behind the header at first */
    supi_token token;   /* the last value of an ascii file */
    size_t value_at;    /* the last value of a binary file */
    sup_error* error;
} supi_ply_walk;

/* Refuses the last value: by line and column in ascii, by its offset in binary files. */
sup_result supi_ply_refuse(const supi_ply_walk* walk, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/* Every integer type is exact in a double. Values of a float type may be no number. */
sup_result supi_ply_value(supi_ply_walk* walk, const supi_ply_property* property,
                          supi_ply_type type, double* value);
sup_result supi_ply_skip(supi_ply_walk* walk, const supi_ply_property* property, int64_t count);
/* How many items of a list follow. */
sup_result supi_ply_list(supi_ply_walk* walk, const supi_ply_property* property, int64_t* count);

/* Around the values of a row: in ascii one line, blank lines before it do not count. */
sup_result supi_ply_begin_row(supi_ply_walk* walk, const supi_ply_element* element, int32_t row);
sup_result supi_ply_end_row(supi_ply_walk* walk, const supi_ply_element* element);
/* Behind the last row nothing may follow. */
sup_result supi_ply_end(supi_ply_walk* walk);

#endif
