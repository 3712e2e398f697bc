/* What every volume mesh must be. */
#ifndef SUPPLE_TESTS_GEOM_TETS_H
#define SUPPLE_TESTS_GEOM_TETS_H

#include "geom/meshes.h"
#include "supple/tets.h"

#include <string.h>

static inline double tet_volume(const sup_tets* tets, int32_t t, double rows[3][3]) {
    const int32_t* tet = tets->tets + 4 * t;
    for (int k = 0; k < 3; k++) {
        const sup_vec3 *a = &tets->points[tet[0]], *b = &tets->points[tet[k + 1]];
        rows[k][0] = (double)b->x - (double)a->x;
        rows[k][1] = (double)b->y - (double)a->y;
        rows[k][2] = (double)b->z - (double)a->z;
    }
    return (rows[0][0] * (rows[1][1] * rows[2][2] - rows[1][2] * rows[2][1]) -
            rows[0][1] * (rows[1][0] * rows[2][2] - rows[1][2] * rows[2][0]) +
            rows[0][2] * (rows[1][0] * rows[2][1] - rows[1][1] * rows[2][0])) /
           6;
}

static inline int compare_sides(const void* a, const void* b) {
    return memcmp(a, b, 3 * sizeof(int32_t));
}

/* Positive volumes, ids in range and all used, sides shared by at most two, and those of one alone
   are the outside. */
static inline void check_tets(const sup_tets* tets) {
    static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    int32_t(*list)[3] = malloc(4 * (size_t)tets->tet_count * sizeof *list);
    bool* used = calloc((size_t)tets->point_count, sizeof *used);
    assert_true(tets->tet_count > 0);
    for (int32_t t = 0; t < tets->tet_count; t++) {
        double rows[3][3];
        for (int k = 0; k < 4; k++) {
            int32_t p = tets->tets[4 * t + k];
            assert_true(p >= 0 && p < tets->point_count);
            used[p] = true;
        }
        assert_true(tet_volume(tets, t, rows) > 0);
        for (int s = 0; s < 4; s++) {
            int32_t* side = list[4 * t + s];
            for (int k = 0; k < 3; k++) {
                int32_t p = tets->tets[4 * t + sides[s][k]], at = k;
                for (; at > 0 && side[at - 1] > p; at--) side[at] = side[at - 1];
                side[at] = p;
            }
        }
    }
    for (int32_t p = 0; p < tets->point_count; p++) assert_true(used[p]);
    int32_t outside = 0, count = 4 * tets->tet_count;
    qsort(list, (size_t)count, sizeof *list, compare_sides);
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && !compare_sides(list[first], list[end]); end++) continue;
        assert_true(end - first <= 2);
        outside += end - first == 1;
    }
    assert_int_equal(outside, tets->triangle_count);
    free(list);
    free(used);
}

static inline sup_tets_report measure(const sup_tets* tets) {
    sup_tets_report report;
    assert_int_equal(sup_tets_measure(NULL, tets, &report, NULL), SUP_OK);
    return report;
}

/* The least barycentric coordinate of a place in a tetrahedron. */
static inline double cover_by(const sup_tets* tets, int32_t t, sup_vec3 place) {
    double r[3][3], b[4], least;
    const sup_vec3* a = &tets->points[tets->tets[4 * t]];
    double volume = 6 * tet_volume(tets, t, r);
    double d[3] = {(double)place.x - (double)a->x, (double)place.y - (double)a->y,
                   (double)place.z - (double)a->z};
    b[0] = 1;
    for (int k = 0; k < 3; k++) {
        const double *u = r[(k + 1) % 3], *v = r[(k + 2) % 3];
        b[k + 1] = (d[0] * (u[1] * v[2] - u[2] * v[1]) + d[1] * (u[2] * v[0] - u[0] * v[2]) +
                    d[2] * (u[0] * v[1] - u[1] * v[0])) /
                   volume;
        b[0] -= b[k + 1];
    }
    least = b[0];
    for (int k = 1; k < 4; k++) least = b[k] < least ? b[k] : least;
    return least;
}

/* The largest of these over all tetrahedra. */
static inline double cover(const sup_tets* tets, sup_vec3 place) {
    double best = -1e30;
    for (int32_t t = 0; t < tets->tet_count; t++) {
        double least = cover_by(tets, t, place);
        best = least > best ? least : best;
    }
    return best;
}

#endif
