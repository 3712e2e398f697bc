#include "ref/ref_thin.h"

#include <math.h>
#include <stdlib.h>

static void less(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double clamp(double t) { return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t; }

static double from_line(const double p[3], const double a[3], const double d[3], double t) {
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = p[k] - a[k] - t * d[k];
    return sqrt(dot(way, way));
}

static double point_segment(const double p[3], const double a[3], const double b[3]) {
    double d[3], to[3];
    less(b, a, d);
    less(p, a, to);
    double length = dot(d, d);
    return from_line(p, a, d, length > 0.0 ? clamp(dot(to, d) / length) : 0.0);
}

double ref_thin_point_triangle(const double p[3], const double a[3], const double b[3],
                               const double c[3]) {
    double ab[3], ac[3], ap[3], bp[3], cp[3], n[3];
    less(b, a, ab);
    less(c, a, ac);
    less(p, a, ap);
    less(p, b, bp);
    less(p, c, cp);
    double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return sqrt(dot(ap, ap));
    double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return sqrt(dot(bp, bp));
    if (d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return point_segment(p, a, b);
    double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return sqrt(dot(cp, cp));
    if (d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return point_segment(p, a, c);
    if (d3 * d6 - d5 * d4 <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return point_segment(p, b, c);
    cross(ab, ac, n);
    return fabs(dot(ap, n)) / sqrt(dot(n, n));
}

double ref_thin_edge_edge(const double a[3], const double b[3], const double c[3],
                          const double d[3]) {
    double ab[3], cd[3], ca[3];
    less(b, a, ab);
    less(d, c, cd);
    less(a, c, ca);
    double best = point_segment(a, c, d);
    const double others[3] = {point_segment(b, c, d), point_segment(c, a, b),
                              point_segment(d, a, b)};
    for (int k = 0; k < 3; k++) best = others[k] < best ? others[k] : best;
    double aa = dot(ab, ab), cc = dot(cd, cd), ac = dot(ab, cd);
    double det = aa * cc - ac * ac;
    if (!(det > 0.0)) return best;
    double s = (ac * dot(cd, ca) - cc * dot(ab, ca)) / det;
    double t = (aa * dot(cd, ca) - ac * dot(ab, ca)) / det;
    if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) return best;
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = ca[k] + s * ab[k] - t * cd[k];
    double inner = sqrt(dot(way, way));
    return inner < best ? inner : best;
}

int ref_thin_passes(const double p[3], const double q[3], const double a[3], const double b[3],
                    const double c[3]) {
    double dir[3], e1[3], e2[3], h[3], s[3], o[3];
    less(q, p, dir);
    less(b, a, e1);
    less(c, a, e2);
    cross(dir, e2, h);
    double det = dot(e1, h);
    if (det == 0.0) return 0;
    less(p, a, s);
    double u = dot(s, h) / det;
    cross(s, e1, o);
    double v = dot(dir, o) / det, t = dot(e2, o) / det;
    return u > 0.0 && v > 0.0 && u + v < 1.0 && t > 0.0 && t < 1.0;
}

typedef struct box {
    double low[3], high[3];
    const int32_t* rows;
} box;

static int by_low(const void* a, const void* b) {
    double x = ((const box*)a)->low[0], y = ((const box*)b)->low[0];
    return x < y ? -1 : x > y;
}

static box around(const double* places, const int32_t* rows, int32_t count) {
    box out = {.rows = rows};
    for (int k = 0; k < 3; k++) {
        out.low[k] = out.high[k] = places[3 * rows[0] + k];
        for (int32_t i = 1; i < count; i++) {
            double at = places[3 * rows[i] + k];
            if (at < out.low[k]) out.low[k] = at;
            if (at > out.high[k]) out.high[k] = at;
        }
    }
    return out;
}

static int pass_each_other(const double* places, const box* e, const box* t) {
    for (int k = 0; k < 3; k++) {
        if (e->low[k] > t->high[k] || t->low[k] > e->high[k]) return 0;
    }
    for (int i = 0; i < 6; i++) {
        if (e->rows[i % 2] == t->rows[i / 2]) return 0;
    }
    return ref_thin_passes(places + 3 * e->rows[0], places + 3 * e->rows[1],
                           places + 3 * t->rows[0], places + 3 * t->rows[1],
                           places + 3 * t->rows[2]);
}

int32_t ref_thin_crossings(const double* places, const int32_t* edges, int32_t edge_count,
                           const int32_t* triangles, int32_t triangle_count) {
    box* e = malloc((size_t)edge_count * sizeof *e);
    box* t = malloc((size_t)triangle_count * sizeof *t);
    int32_t count = 0, first = 0;
    double widest = 0.0;
    for (int32_t i = 0; i < edge_count; i++) e[i] = around(places, edges + 2 * i, 2);
    for (int32_t i = 0; i < triangle_count; i++) {
        t[i] = around(places, triangles + 3 * i, 3);
        double width = t[i].high[0] - t[i].low[0];
        if (width > widest) widest = width;
    }
    qsort(e, (size_t)edge_count, sizeof *e, by_low);
    qsort(t, (size_t)triangle_count, sizeof *t, by_low);
    for (int32_t i = 0; i < edge_count; i++) {
        while (first < triangle_count && t[first].low[0] < e[i].low[0] - widest) first++;
        for (int32_t j = first; j < triangle_count && t[j].low[0] <= e[i].high[0]; j++) {
            count += pass_each_other(places, e + i, t + j);
        }
    }
    free(e);
    free(t);
    return count;
}
