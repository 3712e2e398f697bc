/* Places in the cells of a grid: is one near? Different cells may share a list: distances decide,
   the list only narrows the search. */
#ifndef SUPPLE_GEOM_CELLS_H
#define SUPPLE_GEOM_CELLS_H

#include "supple/base.h"

typedef struct supi_cells {
    const sup_allocator* allocator;
    double size; /* m, of a cell: no gap that is asked for is larger */
    int32_t count, capacity, next_capacity;
    void* places;       /* double[3] each, in the order in which they came (capacity) */
    void* nexts;        /* the place after it in its list + 1, 0: none (next_capacity) */
    int32_t head_count; /* a power of two */
    int32_t* heads;     /* the first place of a list + 1, 0: none */
} supi_cells;

/* Coordinates over `size` must stay below 2^62. */
void supi_cells_begin(supi_cells* cells, const sup_allocator* allocator, double size);
void supi_cells_free(supi_cells* cells);
/* False when memory is short. */
bool supi_cells_add(supi_cells* cells, const double place[3]);
/* Is no place nearer than `gap`, which is at most the size of a cell? */
bool supi_cells_clear(const supi_cells* cells, const double place[3], double gap);
const double* supi_cells_place(const supi_cells* cells, int32_t i);

#endif
