/* Pairs of a small run with shapes of its own that may meet itself. Most spheres that overlap hold
   ellipsoids that do not, and these stay apart for a while, however the whole moves and turns. So
   all pairs are looked at with room to spare, and each that is kept knows how far it is apart:
   until its two rows have moved or turned as far against the whole, it is not looked at again. A
   cache and nothing else: which pairs overlap does not depend on when it was made. */
#ifndef SUPPLE_CONTACT_CLOSE_LIST_H
#define SUPPLE_CONTACT_CLOSE_LIST_H

#include "base/column.h"
#include "contact/near.h"

/* All zero is an empty one. */
typedef struct supi_close_list {
    int32_t count, age; /* calls since it was made */
    bool made;
    bool shares; /* the scales that its run knows, instead of its own */
    supi_column kept, apart, blocks;
    supi_column scales; /* by pair of rows: of both shapes, 0 where they never meet */
} supi_close_list;

/* The run that it is of, and where its rows are now. */
typedef struct supi_close_rows {
    const supi_run* run;
    const sup_row *x, *v;
    const supi_near_kernels* kernels;
} supi_close_rows;

static inline bool supi_close_fits(const supi_run* run) {
    return run->oriented && run->count <= SUPI_NEAR_SPAN;
}

/* From the scales of one row to those of the next. */
static inline int32_t supi_close_stride(int32_t rows) { return (rows + 7) / 8 * 8; }

/* Room for a run of so many rows; false: no memory. What was in it is gone. */
bool supi_close_reserve(supi_close_list* list, const sup_allocator* allocator, int32_t rows,
                        bool shares);

/* May those that are not in it still not meet? Fills in how far rows have strayed. */
bool supi_close_holds(supi_close_list* list, const supi_close_rows* rows);
/* Has a row another radius than when it was made? */
bool supi_close_resized(const supi_close_list* list, int32_t rows);

/* Makes it anew, from its scales. */
void supi_close_make(supi_close_list* list, const supi_close_rows* rows);

/* Those that may overlap now, in order; how many there are. Only after it was found to hold, or
   made. */
int32_t supi_close_find(const supi_close_list* list, const supi_close_rows* rows,
                        supi_candidate* out);

/* Has the cache bring what will be looked at first. Another worker may be at work on it. */
void supi_close_send_for(const supi_close_list* list);

void supi_close_free(supi_close_list* list, const sup_allocator* allocator);

/* Present outlines of all rows of a run; up to seven more are written. */
void supi_close_outlines(const supi_close_rows* rows, supi_outline* out);

#endif
