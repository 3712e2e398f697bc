/* Exact tests with one or two tetrahedra. Places are taken relative to a corner first. */
#include "contact/tet_test.h"

#include "geom/tet.h"
#include "geom/vector.h"

/* Below this share of the cube of the longest edge a determinant counts as 0. */
#define FLAT 1e-9

/* An axis this short, as the square of a share of the edges it came from, has no direction. */
#define NO_AXIS 1e-12f

/* What rounding may add to an overlap, as a share of the size. */
#define GAP_ROUNDING 1e-6f

supi_tet_side supi_tet_locate(const sup_row* x, const int32_t tet[4], uint8_t outer,
                              const double p[3], double weights[4], bool* inverted) {
    double c[4][3], edge[3], normal[3][3], longest = 0.0, at[3];
    for (int k = 0; k < 4; k++) supi_vector_of_row(&x[tet[k]], c[k]);
    for (int k = 0; k < 4; k++) {
        for (int j = k + 1; j < 4; j++) {
            supi_vector_subtract(c[j], c[k], edge);
            double square = supi_vector_dot(edge, edge);
            longest = square > longest ? square : longest;
        }
    }
    for (int k = 1; k < 4; k++) supi_vector_subtract(c[k], c[0], c[k]);
    supi_vector_subtract(p, c[0], at);
    for (int k = 0; k < 3; k++) {
        supi_vector_cross(c[1 + (k + 1) % 3], c[1 + (k + 2) % 3], normal[k]);
    }
    double det = supi_vector_dot(c[1], normal[0]);
    if (!(fabs(det) >= FLAT * longest * sqrt(longest)) || det == 0.0) return SUPI_TET_FLAT;
    *inverted = det < 0.0;
    weights[0] = 1.0;
    for (int k = 0; k < 3; k++) {
        weights[k + 1] = supi_vector_dot(at, normal[k]) / det;
        weights[0] -= weights[k + 1];
    }
    bool touching = false;
    for (int k = 0; k < 4; k++) {
        if (!(weights[k] >= -SUPI_TET_BAND)) return SUPI_TET_OUTSIDE;
        touching |= (outer >> k & 1) && weights[k] < SUPI_TET_BAND;
    }
    return touching ? SUPI_TET_TOUCHING : SUPI_TET_INSIDE;
}

/* ---- Two of them ---- */

static void span(const sup_vec3 points[4], sup_vec3 axis, float* low, float* high) {
    *low = *high = supi_vec3_dot(points[0], axis);
    for (int k = 1; k < 4; k++) {
        float at = supi_vec3_dot(points[k], axis);
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

/* `least`: the square of an axis that has no direction; `size`: how far the places reach. */
static bool apart(const sup_vec3 a[4], const sup_vec3 b[4], sup_vec3 axis, float least,
                  float size) {
    float square = supi_vec3_dot(axis, axis), low[2], high[2];
    if (!(square > least)) return false;
    span(a, axis, &low[0], &high[0]);
    span(b, axis, &low[1], &high[1]);
    float gap = low[1] - high[0] > low[0] - high[1] ? low[1] - high[0] : low[0] - high[1];
    return gap >= -GAP_ROUNDING * size * sqrtf(square);
}

static const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

static void edges_of(const sup_vec3 points[4], sup_vec3 out[6]) {
    for (int k = 0; k < 6; k++) {
        out[k] = supi_vec3_minus(points[edges[k][1]], points[edges[k][0]]);
    }
}

static sup_vec3 side_normal(const sup_vec3 points[4], int side) {
    const int32_t* corner = supi_tet_sides[side];
    return supi_vec3_cross(supi_vec3_minus(points[corner[1]], points[corner[0]]),
                           supi_vec3_minus(points[corner[2]], points[corner[0]]));
}

static float longest_square(const sup_vec3* vectors, int count) {
    float longest = 0;
    for (int k = 0; k < count; k++) {
        float square = supi_vec3_dot(vectors[k], vectors[k]);
        longest = square > longest ? square : longest;
    }
    return longest;
}

bool supi_tet_meet(const sup_vec3 a[4], const sup_vec3 b[4]) {
    sup_vec3 own[4], other[4], own_edges[6], other_edges[6];
    for (int k = 0; k < 4; k++) {
        own[k] = supi_vec3_minus(a[k], a[0]);
        other[k] = supi_vec3_minus(b[k], a[0]);
    }
    edges_of(own, own_edges);
    edges_of(other, other_edges);
    float reach = longest_square(own, 4), away = longest_square(other, 4);
    float size = sqrtf(reach > away ? reach : away);
    float square = longest_square(own_edges, 6), other_square = longest_square(other_edges, 6);
    for (int side = 0; side < 4; side++) {
        if (apart(own, other, side_normal(own, side), NO_AXIS * square * square, size) ||
            apart(own, other, side_normal(other, side), NO_AXIS * other_square * other_square,
                  size)) {
            return false;
        }
    }
    for (int k = 0; k < 36; k++) {
        sup_vec3 axis = supi_vec3_cross(own_edges[k / 6], other_edges[k % 6]);
        if (apart(own, other, axis, NO_AXIS * square * other_square, size)) return false;
    }
    return true;
}
