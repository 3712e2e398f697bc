/* Rows of a body in pieces that workers share. The cuts follow from the number of rows alone. */
#ifndef SUPPLE_SOLVE_PIECES_H
#define SUPPLE_SOLVE_PIECES_H

#include "base/tasks.h"

enum { SUPI_PIECE_ROWS = 1024 };

static inline int32_t supi_piece_count(int32_t row_count) {
    return (row_count + SUPI_PIECE_ROWS - 1) / SUPI_PIECE_ROWS;
}

static inline int32_t supi_piece_end(int32_t piece, int32_t row_count) {
    int32_t left = row_count - piece * SUPI_PIECE_ROWS;
    return piece * SUPI_PIECE_ROWS + (left < SUPI_PIECE_ROWS ? left : SUPI_PIECE_ROWS);
}

/* task(context, piece, worker) for each piece; without `tasks`, which may be NULL, in order. */
static inline void supi_pieces_run(supi_tasks* tasks, int32_t row_count, supi_task* task,
                                   void* context) {
    supi_tasks_each(tasks, supi_piece_count(row_count), task, context);
}

#endif
