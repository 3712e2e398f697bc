/* The sweeps of a strain limit, and the velocities after them. */
#include "solve/limit.h"

#include "solve/pieces.h"

#include <string.h>

/* Sweeps end when no spring is beyond the limit by more strain than this. */
#define STRAIN_TOLERANCE 1e-3
/* A bound that no spring reaches. */
#define ANY_LENGTH 1e30f

typedef struct change {
    const supi_limit* limit;
    const sup_row* x;
    sup_row* v;
} change;

static void speed_piece(void* context, int32_t piece, int32_t worker) {
    (void)worker;
    const change* s = context;
    float per_second = (float)(1.0 / s->limit->h);
    int32_t end = supi_piece_end(piece, s->limit->row_count);
    for (int32_t i = piece * SUPI_PIECE_ROWS; i < end; i++) {
        const sup_row *to = s->x + i, *from = s->limit->scratch + i;
        s->v[i].x += (to->x - from->x) * per_second;
        s->v[i].y += (to->y - from->y) * per_second;
        s->v[i].z += (to->z - from->z) * per_second;
    }
}

supi_limit_report supi_limit_run(const supi_limit* limit, sup_row* x, sup_row* v) {
    supi_limit_report report = {0};
    const supi_spring_kernels* kernels = limit->kernels->springs;
    const supi_limit_order* order = limit->order;
    const supi_limit_bounds bounds = {limit->longer > 0.0 ? (float)(1.0 + limit->longer)
                                                          : ANY_LENGTH,
                                      limit->shorter > 0.0 ? (float)(1.0 - limit->shorter) : 0.0f};
    int32_t count = limit->kinds == SUP_LIMIT_STRUCT ? order->struct_count : order->group_count;
    bool enough = false, moved = false;
    memcpy(limit->scratch, x, (size_t)limit->row_count * sizeof *x);
    while (!enough && report.sweeps < limit->sweeps) {
        report.sweeps++;
        report.excess = (double)kernels->limit(order->groups, count, &bounds, x);
        enough = report.excess < STRAIN_TOLERANCE;
        moved = moved || report.excess > 0.0;
    }
    if (!enough) report.excess = (double)kernels->excess(order->groups, count, &bounds, x);
    change moves = {limit, x, v};
    if (moved) supi_pieces_run(limit->tasks, limit->row_count, speed_piece, &moves);
    return report;
}
