/* The sweeps of a strain limit, and the velocities after them. */
#include "solve/limit.h"

#include "solve/pieces.h"

#include <string.h>

/* Sweeps end when no spring is beyond the limit by more strain than this. */
#define STRAIN_TOLERANCE 1e-3
/* A bound that no spring reaches. */
#define ANY_LENGTH 1e30f

/* ---- Ties ---- */

/* To a spring, a tied row weighs what its ends weigh as one moves them by it. */
static void loosen(const supi_limit* l, sup_row* x) {
    for (int32_t i = 0; i < l->tie_count; i++) {
        const supi_tie* tie = l->ties + i;
        l->tied[i].w = x[tie->row].w;
        x[tie->row].w = 0.25f * (x[tie->a].w + x[tie->b].w);
    }
}

static void keep_tied(const supi_limit* l, const sup_row* x) {
    for (int32_t i = 0; i < l->tie_count; i++) {
        const sup_row* at = x + l->ties[i].row;
        l->tied[i] = (sup_row){at->x, at->y, at->z, l->tied[i].w};
    }
}

/* What a sweep did to tied rows is done to their ends. */
static void pass_on(const supi_limit* l, sup_row* x) {
    for (int32_t i = l->tie_count - 1; i >= 0; i--) {
        const supi_tie* tie = l->ties + i;
        const sup_row *row = x + tie->row, *was = l->tied + i;
        if (!(row->w > 0.0f)) continue;
        const float d[3] = {row->x - was->x, row->y - was->y, row->z - was->z};
        sup_row* const ends[2] = {x + tie->a, x + tie->b};
        for (int k = 0; k < 2; k++) {
            float share = 0.5f * ends[k]->w / row->w;
            ends[k]->x += share * d[0];
            ends[k]->y += share * d[1];
            ends[k]->z += share * d[2];
        }
    }
    supi_ties_spread(l->ties, l->tie_count, x);
}

static void fasten(const supi_limit* l, sup_row* x) {
    for (int32_t i = 0; i < l->tie_count; i++) x[l->ties[i].row].w = l->tied[i].w;
}

/* ---- Velocities ---- */

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

static supi_limit_bounds bounds_of(const supi_limit* limit) {
    return (supi_limit_bounds){limit->longer > 0.0 ? (float)(1.0 + limit->longer) : ANY_LENGTH,
                               limit->shorter > 0.0 ? (float)(1.0 - limit->shorter) : 0.0f};
}

static int32_t group_count(const supi_limit* limit) {
    const supi_limit_order* order = limit->order;
    return limit->kinds == SUP_LIMIT_STRUCT ? order->struct_count : order->group_count;
}

double supi_limit_excess(const supi_limit* limit, const sup_row* x) {
    const supi_limit_bounds bounds = bounds_of(limit);
    return (double)limit->kernels->springs->excess(limit->order->groups, group_count(limit),
                                                   &bounds, x);
}

supi_limit_report supi_limit_run(const supi_limit* limit, sup_row* x, sup_row* v) {
    supi_limit_report report = {0};
    const supi_spring_kernels* kernels = limit->kernels->springs;
    const supi_limit_order* order = limit->order;
    const supi_limit_bounds bounds = bounds_of(limit);
    int32_t count = group_count(limit);
    bool enough = false, moved = false;
    memcpy(limit->scratch, x, (size_t)limit->row_count * sizeof *x);
    loosen(limit, x);
    while (!enough && report.sweeps < limit->sweeps) {
        report.sweeps++;
        keep_tied(limit, x);
        report.excess = (double)kernels->limit(order->groups, count, &bounds, x);
        pass_on(limit, x);
        enough = report.excess < STRAIN_TOLERANCE;
        moved = moved || report.excess > 0.0;
    }
    if (!enough) report.excess = supi_limit_excess(limit, x);
    fasten(limit, x);
    change moves = {limit, x, v};
    if (moved) supi_pieces_run(limit->tasks, limit->row_count, speed_piece, &moves);
    return report;
}
