/* Points of many bodies in cubic cells, sorted by counting: all of a cell, or of a row of cells,
   lie together. A box with few cells has a place for each of them; for others the number of a cell
   is hashed, and cells that share a hash are told apart by their numbers. */
#ifndef SUPPLE_CONTACT_CELL_LIST_H
#define SUPPLE_CONTACT_CELL_LIST_H

#include "base/column.h"

typedef struct supi_cell_entry {
    float x, y, z;
    int32_t point, body;
} supi_cell_entry;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_cell_list {
    float low[3], inverse; /* cell of x: floor((x - low) * inverse) */
    int32_t count[3];      /* of cells, where each has a place; else 0 */
    uint32_t mask;         /* of the hash, where it has not */
    int32_t* starts;       /* first entry of each place (places + 1) */
    supi_cell_entry* entries;
    int32_t (*cells)[3];          /* of the entries, where they are hashed */
    int32_t entry_count, skipped; /* skipped: so far out that their cell has no number */

    supi_column start_store, entry_store, cell_store, places, numbers;
} supi_cell_list;

/* Cells of the edge `size` around `count` entries, which stay in their order within a cell. False
   when memory is short. */
bool supi_cell_list_build(supi_cell_list* list, const sup_allocator* allocator,
                          const supi_cell_entry* entries, int32_t count, float size);
void supi_cell_list_free(supi_cell_list* list, const sup_allocator* allocator);

/* Cells first .. last along each axis. */
typedef struct supi_cell_range {
    int32_t first[3], last[3];
    double cells; /* how many */
} supi_cell_range;

/* The cells of a box, of those that exist where each has a place. False where there are none, or
   they have no numbers: `skipped` then. */
bool supi_cell_list_range(const supi_cell_list* list, const float low[3], const float high[3],
                          supi_cell_range* out, bool* skipped);

/* The entries of cell (i, j, k), or of all cells from i to `last` at once where cells have places;
   *step: how many cells that were. Where entries are hashed, those of other cells are among
   them. */
void supi_cell_list_row(const supi_cell_list* list, const int32_t at[3], int32_t last,
                        int32_t* first, int32_t* end, int32_t* step);

static inline bool supi_cell_list_in(const supi_cell_list* list, int32_t entry,
                                     const int32_t at[3]) {
    const int32_t* cell = list->cells[entry];
    return cell[0] == at[0] && cell[1] == at[1] && cell[2] == at[2];
}

#endif
