/* Small elements over the rows of a body, triangles and tetrahedra. What an element does to its
   corners is worked out by element, into slots; each row then adds up its own slots in order, so
   that nobody writes where another writes and the sum is the same for every number of workers. */
#ifndef SUPPLE_SOLVE_PATCHES_H
#define SUPPLE_SOLVE_PATCHES_H

#include "base/arena.h"
#include "supple/types.h"

enum { SUPI_PATCH_CORNERS = 4 };

typedef struct supi_patches {
    int32_t count, row_count;
    int32_t* rows;   /* by slot, 4 * element + corner; -1: the fourth of a triangle */
    int32_t* starts; /* by row: its slots are slots[starts[row]] .. (row_count + 1) */
    int32_t* slots;  /* ascending for each row */
} supi_patches;

/* Room for `count` elements over `row_count` rows. False: no memory. */
bool supi_patches_make(supi_arena* arena, int32_t count, int32_t row_count, supi_patches* out);
/* Once the rows of its elements are filled in, of which there may be fewer than there is room for:
   which slots each row has. */
void supi_patches_sort(supi_patches* patches);

#endif
