#include "ref/ref_tets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAND 1e-5

static void sub(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static double unit(double a[3]) {
    double length = sqrt(dot(a, a));
    for (int k = 0; k < 3 && length > 0; k++) a[k] /= length;
    return length;
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    double product[3];
    cross(b, c, product);
    return dot(a, product);
}

/* ---- One and two tetrahedra ---- */

bool ref_tets_weights(const double corners[4][3], const double p[3], double weights[4]) {
    double longest = 0, e[4][3];
    for (int i = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++) {
            sub(corners[j], corners[i], e[0]);
            longest = fmax(longest, sqrt(dot(e[0], e[0])));
        }
    }
    for (int k = 1; k < 4; k++) sub(corners[k], corners[0], e[k]);
    double det = triple(e[1], e[2], e[3]);
    if (fabs(det) < 1e-9 * longest * longest * longest) return false;
    /* the volume with the point in place of a corner, by that of the whole */
    for (int k = 0; k < 4; k++) {
        double c[4][3], d[4][3];
        memcpy(c, corners, sizeof c);
        memcpy(c[k], p, sizeof c[k]);
        for (int j = 1; j < 4; j++) sub(c[j], c[0], d[j]);
        weights[k] = triple(d[1], d[2], d[3]) / det;
    }
    return true;
}

static double gap_along(const double a[4][3], const double b[4][3], double axis[3]) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    if (unit(axis) < 1e-9) return -HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        double at = dot(k < 4 ? a[k] : b[k - 4], axis);
        low[k / 4] = fmin(low[k / 4], at);
        high[k / 4] = fmax(high[k / 4], at);
    }
    return fmax(low[1] - high[0], low[0] - high[1]);
}

double ref_tets_gap(const double a[4][3], const double b[4][3]) {
    const double(*both[2])[3] = {a, b};
    double most = -HUGE_VAL, axis[3], e[3], f[3];
    for (int side = 0; side < 8; side++) {
        const double(*c)[3] = both[side / 4];
        int k = side % 4;
        sub(c[(k + 1) % 4], c[k], e);
        sub(c[(k + 2) % 4], c[k], f);
        cross(e, f, axis);
        most = fmax(most, gap_along(a, b, axis));
    }
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
            if (i / 4 >= i % 4 || j / 4 >= j % 4) continue;
            sub(a[i / 4], a[i % 4], e);
            sub(b[j / 4], b[j % 4], f);
            cross(e, f, axis);
            most = fmax(most, gap_along(a, b, axis));
        }
    }
    return most;
}

/* ---- Depth ---- */

static void* need(int32_t count, size_t size) {
    void* block = calloc((size_t)count + 1, size);
    if (!block) abort();
    return block;
}

static bool on_surface(const ref_tets* q, const int32_t* tet, int corner) {
    for (int32_t t = 0; t < q->triangle_count; t++) {
        int found = 0;
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 4; j++) {
                found += j != corner && q->triangles[3 * t + k] == tet[j];
            }
        }
        if (found == 3) return true;
    }
    return false;
}

/* Is a..b beside the box of some points, by more than a hundredth of its sides? */
static bool is_beside(const ref_tets* q, const int32_t* points, int count, const double a[3],
                      const double b[3]) {
    for (int k = 0; k < 3; k++) {
        double low = q->x[points[0]][k], high = low;
        for (int i = 1; i < count; i++) {
            low = fmin(low, q->x[points[i]][k]);
            high = fmax(high, q->x[points[i]][k]);
        }
        double room = 0.01 * (high - low);
        if (fmax(a[k], b[k]) < low - room || fmin(a[k], b[k]) > high + room) return true;
    }
    return false;
}

static bool is_inside(const ref_tets* q, const double p[3]) {
    bool inside = false;
    for (int32_t t = 0; t < q->tet_count; t++) {
        double c[4][3], w[4];
        const int32_t* tet = q->tets + 4 * t;
        if (is_beside(q, tet, 4, p, p)) continue;
        for (int k = 0; k < 4; k++) memcpy(c[k], q->x[tet[k]], sizeof c[k]);
        if (!ref_tets_weights(c, p, w)) continue;
        double least = fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
        if (least < -BAND) continue;
        for (int k = 0; k < 4; k++) {
            if (w[k] < BAND && on_surface(q, tet, k)) return false;
        }
        inside = true;
    }
    return inside;
}

static void area(const ref_tets* m, int32_t t, double out[3]) {
    double e[3], f[3];
    sub(m->x[m->triangles[3 * t + 1]], m->x[m->triangles[3 * t]], e);
    sub(m->x[m->triangles[3 * t + 2]], m->x[m->triangles[3 * t]], f);
    cross(e, f, out);
}

/* The normal of a point, of all triangles or of those within 45 degrees of `face` (>= 0). */
static bool point_normal(const ref_tets* m, int32_t point, int32_t face, double out[3]) {
    double own[3] = {0, 0, 0}, a[3];
    bool any = false;
    if (face >= 0) area(m, face, own);
    memset(out, 0, 3 * sizeof *out);
    for (int32_t t = 0; t < m->triangle_count; t++) {
        const int32_t* c = m->triangles + 3 * t;
        if (c[0] != point && c[1] != point && c[2] != point) continue;
        area(m, t, a);
        any = true;
        double cosine = dot(a, own) / sqrt(dot(a, a) * dot(own, own));
        if (face >= 0 && cosine < sqrt(0.5) - 1e-6) continue;
        for (int k = 0; k < 3; k++) out[k] += a[k];
    }
    unit(out);
    return any;
}

/* Where from..to crosses a triangle (Moeller & Trumbore 1997). */
static bool hit(const ref_tets* q, int32_t t, const double from[3], const double to[3],
                double out[3]) {
    const int32_t* c = q->triangles + 3 * t;
    double dir[3], e1[3], e2[3], h[3], s[3], k[3];
    sub(to, from, dir);
    sub(q->x[c[1]], q->x[c[0]], e1);
    sub(q->x[c[2]], q->x[c[0]], e2);
    cross(dir, e2, h);
    double d = dot(e1, h);
    if (fabs(d) < 1e-9 * sqrt(dot(e1, e1) * dot(e2, e2) * dot(dir, dir))) return false;
    sub(from, q->x[c[0]], s);
    cross(s, e1, k);
    out[0] = dot(e2, k) / d;
    out[1] = dot(s, h) / d;
    out[2] = dot(dir, k) / d;
    return out[1] >= -BAND && out[2] >= -BAND && out[1] + out[2] <= 1 + BAND && out[0] >= 0 &&
           out[0] <= 1;
}

/* The crossing nearest to `from`, and the normal of the surface there. */
static bool find_way(const ref_tets* q, const double from[3], const double to[3],
                     const ref_depth_rules* rules, double place[3], double normal[3]) {
    double best = 2, h[3], u = 0, v = 0, face[3];
    int32_t at = -1;
    for (int32_t t = 0; t < q->triangle_count; t++) {
        if (!hit(q, t, from, to, h) || !(h[0] < best)) continue;
        best = h[0], u = h[1], v = h[2], at = t;
    }
    if (at < 0) return false;
    double weights[3] = {1 - u - v, u, v};
    memset(normal, 0, 3 * sizeof *normal);
    for (int k = 0; k < 3; k++) place[k] = from[k] + best * (to[k] - from[k]);
    for (int c = 0; c < 3; c++) {
        double n[3];
        point_normal(q, q->triangles[3 * at + c], rules->plain_normals ? -1 : at, n);
        for (int k = 0; k < 3; k++) normal[k] += weights[c] * n[k];
    }
    area(q, at, face);
    unit(face);
    double length = unit(normal);
    if (length < 1e-6 || dot(normal, face) <= 0) memcpy(normal, face, sizeof face);
    return true;
}

typedef struct mean {
    double weight, depth, normal[3], most, likeliest[3], likeliest_depth;
} mean;

static void add(mean* m, double weight, double depth, const double normal[3]) {
    m->weight += weight;
    m->depth += weight * depth;
    for (int k = 0; k < 3; k++) m->normal[k] += weight * normal[k];
    if (weight <= m->most) return;
    m->most = weight;
    m->likeliest_depth = depth;
    memcpy(m->likeliest, normal, sizeof m->likeliest);
}

static void finish(mean* m, bool border, ref_depth* out) {
    for (int k = 0; k < 3; k++) out->normal[k] = m->normal[k] / m->weight;
    out->depth = m->depth / m->weight;
    if (unit(out->normal) < 1e-3) {
        memcpy(out->normal, m->likeliest, sizeof out->normal);
        if (border) out->depth = m->likeliest_depth;
    }
    out->depth = fmax(out->depth, 0);
}

/* adjacent[i * n + j]: points that share a tetrahedron. */
static bool* find_adjacent(const ref_tets* p) {
    bool* adjacent = need(p->point_count * p->point_count, sizeof *adjacent);
    for (int32_t t = 0; t < 16 * p->tet_count; t++) {
        const int32_t* tet = p->tets + 4 * (t / 16);
        int a = t / 4 % 4, b = t % 4;
        if (a != b) adjacent[tet[a] * p->point_count + tet[b]] = true;
    }
    return adjacent;
}

void ref_tets_depths(const ref_tets* p, const ref_tets* q, double edge,
                     const ref_depth_rules* rules, ref_depth* out) {
    int32_t n = p->point_count;
    bool* adjacent = find_adjacent(p);
    int32_t* levels = need(n, sizeof *levels);
    double e = 1e-4 * edge;
    for (int32_t i = 0; i < n; i++) {
        out[i] = (ref_depth){.inside = is_inside(q, p->x[i])};
    }
    for (int32_t i = 0; i < n; i++) {
        mean sum = {0};
        double own[3], place[3], normal[3], to[3];
        if (!out[i].inside) continue;
        bool outer = point_normal(p, i, -1, own);
        for (int32_t j = 0; j < n; j++) {
            if (!adjacent[i * n + j] || out[j].inside) continue;
            if (!find_way(q, p->x[j], p->x[i], rules, place, normal)) continue;
            double facing = outer && !rules->equal_facing ? fmax(1e-4, -dot(normal, own)) : 1;
            sub(place, p->x[i], to);
            add(&sum, facing / fmax(dot(to, to), e * e), dot(to, normal), normal);
        }
        if (sum.weight > 0) finish(&sum, true, &out[i]), levels[i] = 1;
    }
    for (int32_t level = 2, reached = 1; reached > 0; level++) {
        reached = 0;
        for (int32_t i = 0; i < n; i++) {
            mean sum = {0};
            double apart[3];
            if (!out[i].inside || levels[i] > 0) continue;
            for (int32_t j = 0; j < n; j++) {
                if (!adjacent[i * n + j] || levels[j] == 0 || levels[j] >= level) continue;
                sub(p->x[j], p->x[i], apart);
                add(&sum, 1 / fmax(dot(apart, apart), e * e),
                    dot(apart, out[j].normal) + out[j].depth, out[j].normal);
            }
            if (sum.weight > 0) finish(&sum, false, &out[i]), levels[i] = level, reached++;
        }
    }
    free(adjacent);
    free(levels);
}

/* ---- Parts of a body in each other ---- */

static bool all_of(const int32_t* points, int count, const int8_t* parts, int8_t part) {
    for (int k = 0; k < count; k++) {
        if (parts[points[k]] != part) return false;
    }
    return true;
}

static bool in_part(const ref_tets* m, const int8_t* parts, int8_t part, const double p[3]) {
    for (int32_t t = 0; t < m->tet_count; t++) {
        const int32_t* tet = m->tets + 4 * t;
        double c[4][3], w[4];
        if (!all_of(tet, 4, parts, part) || is_beside(m, tet, 4, p, p)) continue;
        for (int k = 0; k < 4; k++) memcpy(c[k], m->x[tet[k]], sizeof c[k]);
        if (!ref_tets_weights(c, p, w)) continue;
        if (fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) >= 0) return true;
    }
    return false;
}

double ref_tets_overlap(const ref_tets* m, const int8_t* parts, const double way[3]) {
    double most = 0, length = sqrt(dot(way, way));
    for (int32_t i = 0; i < m->point_count; i++) {
        int8_t other = (int8_t)(3 - parts[i]);
        double least = 1, to[3], h[3];
        if (parts[i] == 0 || !in_part(m, parts, other, m->x[i])) continue;
        for (int k = 0; k < 3; k++) to[k] = m->x[i][k] + (parts[i] == 1 ? way[k] : -way[k]);
        for (int32_t t = 0; t < m->triangle_count; t++) {
            if (!all_of(m->triangles + 3 * t, 3, parts, other)) continue;
            if (hit(m, t, m->x[i], to, h)) least = fmin(least, h[0]);
        }
        most = fmax(most, least * length);
    }
    return most;
}
