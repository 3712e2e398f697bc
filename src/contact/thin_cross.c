/* Which edges pass through which triangles. */
#include "contact/thin.h"
#include "geom/vector.h"

#include <string.h>

static void apart(const sup_row* a, const sup_row* b, double out[3]) {
    out[0] = (double)a->x - (double)b->x;
    out[1] = (double)a->y - (double)b->y;
    out[2] = (double)a->z - (double)b->z;
}

/* Six times the volume of a tetrahedron, from its first corner. */
static double volume(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    supi_vector_cross(b, c, n);
    return supi_vector_dot(a, n);
}

/* Does the edge p q pass through the inside of the triangle? Touching is not passing. */
static bool passes(const sup_row* p, const sup_row* q, const sup_row* t[3]) {
    double to[3][3], end[3], d[3], e1[3], e2[3];
    apart(t[1], t[0], e1);
    apart(t[2], t[0], e2);
    apart(p, t[0], d);
    apart(q, t[0], end);
    double from = volume(d, e1, e2), past = volume(end, e1, e2);
    if (!((from < 0.0 && past > 0.0) || (from > 0.0 && past < 0.0))) return false;
    apart(q, p, end);
    for (int k = 0; k < 3; k++) apart(t[k], p, to[k]);
    double a = volume(end, to[0], to[1]), b = volume(end, to[1], to[2]),
           c = volume(end, to[2], to[0]);
    return (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0);
}

/* Edges of a through triangles of b: marks the particles of both. */
static void cross(supi_thin* thin, int32_t a, int32_t b, int32_t* hits) {
    const supi_thin_features *f = &thin->bodies[a].features, *g = &thin->bodies[b].features;
    const int32_t first_a = thin->places[a].first, first_b = thin->places[b].first;
    const sup_row *from = thin->start + first_a, *to = thin->start + first_b;
    for (int32_t i = 0; i < f->edge_count; i++) {
        const int32_t* e = f->edges + 2 * (size_t)i;
        const sup_row *p = from + e[0], *q = from + e[1];
        sup_row low = {p->x < q->x ? p->x : q->x, p->y < q->y ? p->y : q->y,
                       p->z < q->z ? p->z : q->z, 0};
        sup_row high = {p->x < q->x ? q->x : p->x, p->y < q->y ? q->y : p->y,
                        p->z < q->z ? q->z : p->z, 0};
        int32_t count = thin->kernels->hits(&thin->places[b].triangles, &low, &high, 0, hits);
        for (int32_t j = 0; j < count; j++) {
            const int32_t* t = g->triangles + 3 * (size_t)hits[j];
            bool common = false;
            for (int k = 0; k < 6; k++) common = common || (a == b && e[k % 2] == t[k / 2]);
            if (common || !passes(p, q, (const sup_row*[]){to + t[0], to + t[1], to + t[2]})) {
                continue;
            }
            thin->counts.crossings++;
            for (int k = 0; k < 2; k++) thin->crossed[first_a + e[k]] = true;
            for (int k = 0; k < 3; k++) thin->crossed[first_b + t[k]] = true;
        }
    }
}

void supi_thin_cross(supi_thin* thin, const uint64_t* couples, int32_t couple_count,
                     int32_t* hits) {
    memset(thin->crossed, 0, (size_t)thin->particle_count * sizeof *thin->crossed);
    for (int32_t i = 0; i < thin->body_count; i++) {
        if (!thin->bodies[i].held) cross(thin, i, i, hits);
    }
    for (int32_t i = 0; i < couple_count; i++) {
        int32_t a = (int32_t)(couples[i] >> 32), b = (int32_t)(couples[i] & 0xffffffff);
        cross(thin, a, b, hits);
        cross(thin, b, a, hits);
    }
}
