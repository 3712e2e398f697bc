/* Triangle soup: triangles that come as the places of their corners and name no points. Corners at
   exactly the same place become one point. */
#ifndef SUPPLE_FILE_SOUP_H
#define SUPPLE_FILE_SOUP_H

#include "base/arena.h"
#include "supple/types.h"

typedef struct supi_soup_corner {
    uint32_t place[3]; /* bits of x, y and z; 0 has no sign */
    int32_t number;    /* in the order of the file */
} supi_soup_corner;

typedef struct supi_soup {
    supi_arena store;
    int32_t corner_count;
    supi_soup_corner *corners, *spare; /* room for the corners of all triangles */
} supi_soup;

/* Room for so many triangles, at most INT32_MAX / 3; false when memory is short. Free it also
   then. */
bool supi_soup_begin(supi_soup* soup, const sup_allocator* allocator, int32_t triangle_count);
void supi_soup_free(supi_soup* soup);

/* Three calls make a triangle. The place is finite. */
void supi_soup_add(supi_soup* soup, const float place[3]);

/* The triangles that have three different corners, and their points, in the order in which both
   came; the mesh is empty when there are none. Takes linear time whatever the places are. */
sup_result supi_soup_join(supi_soup* soup, sup_mesh* out, sup_error* error);

#endif
