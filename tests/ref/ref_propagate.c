/* See ref_propagate.h. */
#include "ref/ref_propagate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int32_t edge_of(const sup_adjacency* beside, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int32_t e = 0; e < beside->edge_count; e++) {
        if (beside->edges[2 * e] == low && beside->edges[2 * e + 1] == high) return e;
    }
    return -1;
}

/* Formula 7 for one parent. */
static void hand_on(const ref_propagate* s, const sup_adjacency* beside, const double* points,
                    const double* moved, int32_t p, int32_t c, double* out) {
    int32_t edge = s->transfers || s->rests ? edge_of(beside, p, c) : 0;
    double k = s->transfers ? s->transfers[edge] : s->transfer;
    double e[3], q[3];
    for (int i = 0; i < 3; i++) {
        e[i] = points[3 * p + i] - points[3 * c + i];
        q[i] = e[i] + moved[3 * p + i];
    }
    double l = sqrt(dot(e, e)), r = sqrt(dot(q, q)), wanted = s->rests ? s->rests[edge] : l;
    for (int i = 0; i < 3; i++) {
        double along = r > 0.0 ? (r - wanted) * q[i] / r : l > 0.0 ? -wanted * e[i] / l : 0.0;
        out[i] = k * ((1.0 - s->transverse) * along + s->transverse * moved[3 * p + i]);
    }
}

static void move_child(const ref_propagate* s, const sup_adjacency* beside, const double* points,
                       double* moved, const int32_t* levels, int32_t c, int32_t level) {
    double sum[3] = {0.0, 0.0, 0.0}, a[3];
    int parents = 0;
    for (int32_t n = beside->starts[c]; n < beside->starts[c + 1]; n++) {
        int32_t p = beside->neighbours[n];
        if (levels[p] != level) continue;
        hand_on(s, beside, points, moved, p, c, a);
        for (int i = 0; i < 3; i++) sum[i] += a[i];
        parents++;
    }
    double give = s->masses ? 1.0 / (1.0 + s->masses[c]) : 1.0;
    for (int i = 0; i < 3; i++) moved[3 * c + i] = give / parents * sum[i];
}

void ref_propagate_pass(const ref_propagate* s, const sup_adjacency* beside, double* points,
                        int count, const int32_t* sources, const double* by, double* moved,
                        int32_t* levels) {
    int32_t n = beside->point_count, begin = 0, end = 0;
    int32_t* queue = malloc((size_t)n * sizeof *queue);
    int32_t* own_levels = malloc((size_t)n * sizeof *own_levels);
    double* own_moved = calloc((size_t)n * 3, sizeof *own_moved);
    for (int32_t i = 0; i < n; i++) own_levels[i] = -1;
    for (int i = 0; i < count; i++) {
        queue[end++] = sources[i];
        own_levels[sources[i]] = 0;
        memcpy(own_moved + 3 * sources[i], by + 3 * i, 3 * sizeof *by);
    }
    for (int32_t level = 0; begin < end && (s->depth == 0 || level < s->depth); level++) {
        int32_t last = end;
        for (int32_t at = begin; at < last; at++) {
            for (int32_t k = beside->starts[queue[at]]; k < beside->starts[queue[at] + 1]; k++) {
                int32_t c = beside->neighbours[k];
                if (own_levels[c] >= 0) continue;
                own_levels[c] = level + 1;
                queue[end++] = c;
                /* only the parent that found the child has handed something on */
                if (s->early_marking)
                    hand_on(s, beside, points, own_moved, queue[at], c, own_moved + 3 * c);
            }
        }
        for (int32_t at = last; !s->early_marking && at < end; at++)
            move_child(s, beside, points, own_moved, own_levels, queue[at], level);
        begin = last;
    }
    for (int32_t i = 0; i < 3 * n; i++) points[i] += own_moved[i];
    if (moved) memcpy(moved, own_moved, (size_t)n * 3 * sizeof *moved);
    if (levels) memcpy(levels, own_levels, (size_t)n * sizeof *levels);
    free(queue);
    free(own_levels);
    free(own_moved);
}
