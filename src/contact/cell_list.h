/* Points of many bodies in cubic cells, sorted by counting: all of a cell, or of a row of cells,
   lie together. A box with few cells has a place for each of them; for others the number of a cell
   is hashed, and cells that share a hash are told apart by their numbers. */
#ifndef SUPPLE_CONTACT_CELL_LIST_H
#define SUPPLE_CONTACT_CELL_LIST_H

#include "base/column.h"
#include "contact/cell_number.h"

typedef struct supi_cell_entry {
    float x, y, z;
    int32_t point, body;
} supi_cell_entry;

/* Owners of cells that have none, or several. */
enum { SUPI_CELL_EMPTY = -2, SUPI_CELL_SHARED = -1 };

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_cell_list {
    float low[3], inverse; /* cell of x: floor((x - low) * inverse) */
    int32_t count[3];      /* of cells, where each has a place; else 0 */
    uint32_t mask;         /* of the hash, where it has not */
    int32_t* starts;       /* first entry of each place (places + 1) */
    supi_cell_entry* entries;
    int32_t* owners;              /* by place, where they are not hashed: the body of all entries */
    int32_t (*cells)[3];          /* of the entries, where they are hashed */
    int32_t entry_count, skipped; /* skipped: so far out that their cell has no number */

    supi_column start_store, entry_store, owner_store, cell_store, places, numbers;
} supi_cell_list;

/* How many places `starts` is about: cells, or buckets where they are hashed. */
int32_t supi_cell_list_places(const supi_cell_list* list);
/* Cells of the edge `size` around `count` entries, which stay in their order within a cell. False
   when memory is short. */
bool supi_cell_list_build(supi_cell_list* list, const sup_allocator* allocator,
                          const supi_cell_entry* entries, int32_t count, float size);
void supi_cell_list_free(supi_cell_list* list, const sup_allocator* allocator);

/* False where a coordinate has no cell. */
static inline bool supi_cell_list_number(const supi_cell_list* list, const float x[3],
                                         int32_t at[3]) {
    for (int k = 0; k < 3; k++) {
        if (!supi_cell_floor((x[k] - list->low[k]) * list->inverse, &at[k])) return false;
    }
    return true;
}

/* Where the entries of a cell are; where they are hashed, those of others are among them. */
static inline int32_t supi_cell_list_place(const supi_cell_list* list, const int32_t at[3]) {
    if (list->mask) return (int32_t)(supi_cell_hash(at) & list->mask);
    return (at[2] * list->count[1] + at[1]) * list->count[0] + at[0];
}

/* Cells first .. last along each axis. */
typedef struct supi_cell_range {
    int32_t first[3], last[3];
    double cells; /* how many */
} supi_cell_range;

/* The cells of a box, of those that exist where each has a place. False where there are none, or
   they have no numbers: `skipped` then. */
static inline bool supi_cell_list_range(const supi_cell_list* list, const float low[3],
                                        const float high[3], supi_cell_range* out, bool* skipped) {
    *skipped = !supi_cell_list_number(list, low, out->first) ||
               !supi_cell_list_number(list, high, out->last);
    if (*skipped || list->entry_count == 0) return false;
    out->cells = 1.0;
    for (int k = 0; k < 3; k++) {
        if (!list->mask) {
            if (out->first[k] < 0) out->first[k] = 0;
            if (out->last[k] >= list->count[k]) out->last[k] = list->count[k] - 1;
        }
        if (out->first[k] > out->last[k]) return false;
        out->cells *= (double)out->last[k] - (double)out->first[k] + 1.0;
    }
    return true;
}

/* Whether an entry is one of the cell, where they are hashed. */
static inline bool supi_cell_list_in(const supi_cell_list* list, int32_t entry,
                                     const int32_t at[3]) {
    const int32_t* cell = list->cells[entry];
    return cell[0] == at[0] && cell[1] == at[1] && cell[2] == at[2];
}

#endif
