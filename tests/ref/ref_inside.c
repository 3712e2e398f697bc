#include "ref/ref_inside.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 10 }; /* of the box of a body, along each axis */

/* The tetrahedra of a body by cells of its box. */
typedef struct grid {
    const ref_tets* body;
    double low[3], high[3];
    int32_t starts[CELLS * CELLS * CELLS + 1];
    int32_t* tets;
} grid;

static void widen(const double at[3], double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], at[k]);
        high[k] = fmax(high[k], at[k]);
    }
}

static void box_of(const ref_tets* body, const int32_t* points, int32_t count, double low[3],
                   double high[3]) {
    for (int k = 0; k < 3; k++) low[k] = DBL_MAX, high[k] = -DBL_MAX;
    for (int32_t i = 0; i < count; i++) widen(body->x[points ? points[i] : i], low, high);
}

static int32_t cell_along(const grid* g, int k, double at) {
    double part = (at - g->low[k]) / (g->high[k] - g->low[k]) * CELLS;
    return part < 0.0 ? 0 : part >= CELLS ? CELLS - 1 : (int32_t)part;
}

/* Counts the tetrahedra of each cell, or puts them where they belong. */
static void visit_cells(const grid* g, int32_t* counts, int32_t* ends) {
    for (int32_t t = 0; t < g->body->tet_count; t++) {
        double low[3], high[3];
        int32_t from[3], to[3];
        box_of(g->body, g->body->tets + 4 * t, 4, low, high);
        for (int k = 0; k < 3; k++) {
            from[k] = cell_along(g, k, low[k]);
            to[k] = cell_along(g, k, high[k]);
        }
        for (int32_t z = from[2]; z <= to[2]; z++) {
            for (int32_t y = from[1]; y <= to[1]; y++) {
                for (int32_t x = from[0]; x <= to[0]; x++) {
                    int32_t cell = (z * CELLS + y) * CELLS + x;
                    if (counts)
                        counts[cell]++;
                    else
                        g->tets[ends[cell]++] = t;
                }
            }
        }
    }
}

static void build(const ref_tets* body, grid* g) {
    static const int32_t cells = CELLS * CELLS * CELLS;
    int32_t ends[CELLS * CELLS * CELLS], sum = 0;
    g->body = body;
    box_of(body, NULL, body->point_count, g->low, g->high);
    memset(g->starts, 0, sizeof g->starts);
    visit_cells(g, g->starts, NULL);
    for (int32_t i = 0; i <= cells; i++) {
        int32_t own = i < cells ? g->starts[i] : 0;
        g->starts[i] = sum;
        sum += own;
    }
    g->tets = malloc((size_t)sum * sizeof *g->tets);
    memcpy(ends, g->starts, sizeof ends);
    visit_cells(g, NULL, ends);
}

/* How often the surface goes round a point: tetrahedra that are inside out count against others. */
static int windings(const grid* g, const double p[3]) {
    int32_t cell = 0, turns = 0;
    for (int k = 2; k >= 0; k--) {
        if (!(p[k] >= g->low[k] && p[k] <= g->high[k])) return 0;
        cell = cell * CELLS + cell_along(g, k, p[k]);
    }
    for (int32_t i = g->starts[cell]; i < g->starts[cell + 1]; i++) {
        double c[4][3], a[3][3], weights[4];
        for (int k = 0; k < 4; k++) {
            memcpy(c[k], g->body->x[g->body->tets[4 * g->tets[i] + k]], sizeof c[k]);
        }
        if (!ref_tets_weights((const double(*)[3])c, p, weights)) continue;
        if (!(weights[0] > 0 && weights[1] > 0 && weights[2] > 0 && weights[3] > 0)) continue;
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) a[k][j] = c[k + 1][j] - c[0][j];
        }
        double volume = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                        a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                        a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
        turns += volume > 0 ? 1 : -1;
    }
    return turns;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double square_to_segment(const double p[3], const double a[3], const double b[3]) {
    double along[3], from[3], away = 0.0;
    for (int k = 0; k < 3; k++) along[k] = b[k] - a[k], from[k] = p[k] - a[k];
    double length = dot(along, along), t = length > 0 ? dot(from, along) / length : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    for (int k = 0; k < 3; k++) away += (from[k] - t * along[k]) * (from[k] - t * along[k]);
    return away;
}

/* The foot on the plane if it is in the triangle, else the nearest side. */
static double square_to_triangle(const double p[3], const double a[3], const double b[3],
                                 const double c[3]) {
    double e[3], f[3], d[3], n[3];
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k], f[k] = c[k] - a[k], d[k] = p[k] - a[k];
    for (int k = 0; k < 3; k++) {
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    }
    double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), de = dot(d, e), df = dot(d, f);
    double det = ee * ff - ef * ef;
    if (det > 0.0) {
        double u = (ff * de - ef * df) / det, v = (ee * df - ef * de) / det;
        if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) return dot(d, n) * dot(d, n) / dot(n, n);
    }
    return fmin(square_to_segment(p, a, b),
                fmin(square_to_segment(p, b, c), square_to_segment(p, c, a)));
}

static double distance_to_surface(const ref_tets* body, const double p[3]) {
    double best = DBL_MAX;
    for (int32_t t = 0; t < body->triangle_count; t++) {
        const int32_t* corner = body->triangles + 3 * t;
        double low[3], high[3], away = 0.0;
        box_of(body, corner, 3, low, high);
        for (int k = 0; k < 3; k++) {
            double out = fmax(fmax(low[k] - p[k], p[k] - high[k]), 0.0);
            away += out * out;
        }
        if (away >= best) continue;
        best = fmin(best, square_to_triangle(p, body->x[corner[0]], body->x[corner[1]],
                                             body->x[corner[2]]));
    }
    return sqrt(best);
}

ref_inside ref_inside_find(const ref_tets* bodies, int32_t body_count, double limit) {
    ref_inside out = {.body = -1, .point = -1, .other = -1};
    grid* grids = malloc((size_t)body_count * sizeof *grids);
    for (int32_t i = 0; i < body_count; i++) build(&bodies[i], &grids[i]);
    for (int32_t q = 0; q < body_count; q++) {
        for (int32_t p = 0; p < body_count; p++) {
            bool apart = p == q;
            for (int k = 0; k < 3; k++) {
                apart = apart || grids[p].low[k] > grids[q].high[k] ||
                        grids[q].low[k] > grids[p].high[k];
            }
            for (int32_t i = 0; !apart && i < bodies[p].point_count; i++) {
                if (windings(&grids[q], bodies[p].x[i]) <= 0) continue;
                double depth = distance_to_surface(&bodies[q], bodies[p].x[i]);
                out.count++;
                out.deep += depth >= limit;
                if (!(depth > out.deepest)) continue;
                out.deepest = depth;
                out.body = p;
                out.point = i;
                out.other = q;
            }
        }
    }
    for (int32_t i = 0; i < body_count; i++) free(grids[i].tets);
    free(grids);
    return out;
}
