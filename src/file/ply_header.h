/* The header of a PLY file: which numbers of which type its data holds, and which of them a mesh
   wants. */
#ifndef SUPPLE_FILE_PLY_HEADER_H
#define SUPPLE_FILE_PLY_HEADER_H

#include "file/cursor.h"

#define SUPI_PLY_ELEMENTS 64
#define SUPI_PLY_PROPERTIES 256

typedef enum supi_ply_format {
    SUPI_PLY_ASCII,
    SUPI_PLY_LITTLE_ENDIAN,
    SUPI_PLY_BIG_ENDIAN
} supi_ply_format;

typedef enum supi_ply_type {
    SUPI_PLY_INT8,
    SUPI_PLY_UINT8,
    SUPI_PLY_INT16,
    SUPI_PLY_UINT16,
    SUPI_PLY_INT32,
    SUPI_PLY_UINT32,
    SUPI_PLY_FLOAT32,
    SUPI_PLY_FLOAT64
} supi_ply_type;

typedef enum supi_ply_role {
    SUPI_PLY_SKIPPED,
    SUPI_PLY_X,
    SUPI_PLY_Y,
    SUPI_PLY_Z,
    SUPI_PLY_CORNERS
} supi_ply_role;

typedef struct supi_ply_property {
    supi_token name;
    supi_ply_type type; /* of the value, or of each item of a list */
    bool is_list;
    supi_ply_type count_type; /* of a list */
    supi_ply_role role;
} supi_ply_property;

typedef struct supi_ply_element {
    supi_token name;
    int32_t count;
    int32_t property_count;
    const supi_ply_property* properties;
} supi_ply_element;

/* Elements point to the properties inside: the header stays where it was read. */
typedef struct supi_ply_header {
    supi_ply_format format;
    int32_t element_count, property_count;
    supi_ply_element elements[SUPI_PLY_ELEMENTS];
    supi_ply_property properties[SUPI_PLY_PROPERTIES];
    int32_t point_count, polygon_count;
} supi_ply_header;

/* Reads up to the first byte of the data. Refuses also counts that the bytes after the header
   cannot hold. */
sup_result supi_ply_header_read(supi_cursor* cursor, supi_ply_header* header, sup_error* error);

bool supi_ply_type_is_integer(supi_ply_type type);
size_t supi_ply_type_size(supi_ply_type type); /* bytes in binary data */

#endif
