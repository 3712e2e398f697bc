/* The elements of a PLY file as structs: tables say which properties become which member. */
#ifndef SUPPLE_FILE_PLY_ROWS_H
#define SUPPLE_FILE_PLY_ROWS_H

#include "base/arena.h"
#include "file/ply_header.h"

typedef enum supi_ply_kind {
    SUPI_PLY_NUMBER,  /* float */
    SUPI_PLY_WHOLE,   /* int32_t */
    SUPI_PLY_LIST,    /* of int32_t: supi_ply_rows.items, its offset is not looked at */
    SUPI_PLY_OPTIONAL /* float; where the file has no such property it is `low` */
} supi_ply_kind;

typedef struct supi_ply_field {
    const char* name; /* NULL at the end */
    supi_ply_kind kind;
    size_t offset;    /* in the struct */
    double low, high; /* of the value */
    const char* of;   /* names an element: values are numbers of its rows, from 0 on. NULL: none */
} supi_ply_field;

typedef struct supi_ply_table {
    const char* element;
    size_t size; /* of the struct */
    const supi_ply_field* fields;
} supi_ply_table;

typedef struct supi_ply_rows {
    int32_t count; /* 0 where the file has no such element */
    void* rows;    /* structs (count) */
    int32_t item_count;
    int32_t* starts; /* items of row i: starts[i] .. starts[i + 1] - 1 (count + 1) */
    int32_t* items;  /* of all lists (item_count) */
} supi_ply_rows;

/* Reads the elements of `tables`, each with all fields that are not optional and at most one list;
   other elements and properties are skipped. Refuses values out of range, with their place. Arrays
   lie in `store`. */
sup_result supi_ply_rows_read(supi_arena* store, const char* name, const uint8_t* bytes,
                              size_t size, int32_t table_count, const supi_ply_table* tables,
                              supi_ply_rows* out, sup_error* error);

#endif
