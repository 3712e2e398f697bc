/* Columns of a net whose eight other ends are rows one after the other, as along the lines of a
   grid: they are loaded and stored as they lie. */
#ifndef SUPPLE_SOLVE_STRAIGHT_H
#define SUPPLE_SOLVE_STRAIGHT_H

#include "base/arena.h"
#include "solve/spring.h"

/* Wider slices are left as they are. */
enum { SUPI_STRAIGHT_WIDEST = 64 };

/* Springs in an order of rows. */
typedef struct supi_straight_sums {
    int64_t straight; /* those of eight rows of a slice that go equally far */
    int64_t cost;     /* of a pass over all; a spring that is neither straight, far nor between two
                         blocks costs 3 */
} supi_straight_sums;

/* Ends become rows by `row_of` (NULL: they are rows); all lie in 0 .. row_count-1. False: no
   memory. */
bool supi_straight_measure(int32_t row_count, const int32_t* row_of, int32_t spring_count,
                           const sup_spring* springs, supi_arena* scratch, supi_straight_sums* out);

/* Sides of a slice: `sides` has the number of one for each row and column, 8 for each column, or
   -1; other[number] is the row at its other end. */
typedef struct supi_straight_slice {
    int32_t row, width; /* its first row; columns, at most SUPI_STRAIGHT_WIDEST */
    int32_t low, high;  /* other ends may lie in low .. high-1, those of padding too */
    const int32_t* other;
    int32_t* sides;
} supi_straight_slice;

/* Gives rows of the slice their sides in another order, the first columns being straight: side k
   goes to the row k after that of the first, or would, where it is -1. How many. */
int32_t supi_straight_sort(const supi_straight_slice* slice);

/* The row that the first side of a straight column goes to. */
static inline int32_t supi_straight_base(const int32_t* sides, const int32_t* other) {
    int k = 0;
    while (sides[k] < 0) k++;
    return other[sides[k]] - k;
}

#endif
