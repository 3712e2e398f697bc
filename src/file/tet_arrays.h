/* Points and tetrahedra that a reader gathers. */
#ifndef SUPPLE_FILE_TET_ARRAYS_H
#define SUPPLE_FILE_TET_ARRAYS_H

#include "file/cursor.h"
#include "supple/tets.h"

typedef struct supi_tet_arrays {
    const sup_allocator* allocator;
    int32_t point_count, tet_count, point_room, tet_room;
    void* points; /* sup_vec3 (point_room) */
    void* tets;   /* int32_t[4], point ids (tet_room) */
} supi_tet_arrays;

void supi_tet_arrays_free(supi_tet_arrays* arrays);
/* False when memory is short. */
bool supi_tet_arrays_add_point(supi_tet_arrays* arrays, sup_vec3 point);
bool supi_tet_arrays_add_tet(supi_tet_arrays* arrays, const int32_t tet[4]);
/* The next three numbers. */
sup_result supi_tet_arrays_read_place(supi_cursor* cursor, sup_vec3* place, sup_error* error);
/* The next word as an integer. */
sup_result supi_tet_arrays_read_integer(supi_cursor* cursor, const char* what, int64_t low,
                                        int64_t high, int64_t* value, sup_error* error);
/* Mends what was read (sup_tets_mend); says the file's name before what cannot be mended. */
sup_result supi_tet_arrays_finish(supi_tet_arrays* arrays, const char* name, sup_tets* out,
                                  sup_tets_mending* mending, sup_error* error);

#endif
