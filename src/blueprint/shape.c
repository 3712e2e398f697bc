/* What linear and quadratic goals need to know of a cluster's rest shape: pseudo-inverses of its
   moments. In double, rounded once. */
#include "blueprint/extent.h"
#include "blueprint/groups.h"
#include "geom/eigen.h"

#include <math.h>
#include <string.h>

/* Moments below these shares of the largest are no extent, but rounding. */
static const double linear_least = 1e-6, quadratic_least = 1e-5;
/* Keeps the inverse of what is hardly there in bounds; any symmetric inverse keeps momentum. */
static const double quadratic_softening = 1e-6;

/* The rest data of one cluster in lane order. */
typedef struct rest_columns {
    const float *q[3], *w;
    int32_t count;
} rest_columns;

/* xx yy zz xy yz zx of a row-major matrix. */
static void store_symmetric(const double a[9], float out[6]) {
    static const int at[6] = {0, 4, 8, 1, 5, 2};
    for (int k = 0; k < 6; k++) out[k] = (float)a[at[k]];
}

void supi_shape_invert(double moments[9], supi_cluster* cluster) {
    double values[3], vectors[9], inverse[9] = {0}, null[9] = {0};
    supi_eigen_symmetric(3, moments, values, vectors);
    for (int e = 0; e < 3; e++) {
        bool extends = values[e] > linear_least * values[0] && values[e] > 0.0;
        for (int k = 0; k < 9; k++) {
            double product = vectors[3 * e + k / 3] * vectors[3 * e + k % 3];
            if (extends) {
                inverse[k] += product / values[e];
            } else {
                null[k] += product;
            }
        }
    }
    store_symmetric(inverse, cluster->inverse);
    store_symmetric(null, cluster->null);
}

static void invert_moments(const rest_columns* rest, supi_cluster* cluster) {
    double moments[9] = {0};
    for (int32_t i = 0; i < rest->count; i++) {
        int32_t at = supi_lane_order(i);
        for (int k = 0; k < 9; k++) {
            moments[k] +=
                (double)rest->w[at] * (double)rest->q[k / 3][at] * (double)rest->q[k % 3][at];
        }
    }
    supi_shape_invert(moments, cluster);
}

/* The quadratic terms of member i before their mean is taken off, in the float operations of the
 * kernels. */
static void terms_of(const rest_columns* rest, int32_t i, float scale, float out[SUPI_BEND_TERMS]) {
    int32_t at = supi_lane_order(i);
    float x = scale * rest->q[0][at], y = scale * rest->q[1][at], z = scale * rest->q[2][at];
    const float terms[SUPI_BEND_TERMS] = {x * x, y * y, z * z, x * y, y * z, z * x};
    memcpy(out, terms, sizeof terms);
}

static void centre_terms(const rest_columns* rest, double weight, supi_bend* bend) {
    double mean[SUPI_BEND_TERMS] = {0}, left[SUPI_BEND_TERMS] = {0};
    float terms[SUPI_BEND_TERMS];
    for (int32_t i = 0; i < rest->count; i++) {
        terms_of(rest, i, bend->scale, terms);
        double w = (double)rest->w[supi_lane_order(i)];
        for (int k = 0; k < SUPI_BEND_TERMS; k++) mean[k] += w * (double)terms[k] / weight;
    }
    for (int k = 0; k < SUPI_BEND_TERMS; k++) bend->mean[k] = (float)mean[k];
    for (int32_t i = 0; i < rest->count; i++) {
        terms_of(rest, i, bend->scale, terms);
        double w = (double)rest->w[supi_lane_order(i)];
        for (int k = 0; k < SUPI_BEND_TERMS; k++) {
            left[k] += w * (double)(terms[k] - bend->mean[k]) / weight;
        }
    }
    for (int k = 0; k < SUPI_BEND_TERMS; k++) bend->residue[k] = (float)left[k];
}

static void invert_terms(const rest_columns* rest, supi_bend* bend) {
    double moments[81] = {0}, values[9], vectors[81];
    for (int32_t i = 0; i < rest->count; i++) {
        int32_t at = supi_lane_order(i);
        float terms[SUPI_BEND_TERMS];
        double basis[9];
        terms_of(rest, i, bend->scale, terms);
        for (int k = 0; k < 3; k++) basis[k] = (double)(bend->scale * rest->q[k][at]);
        for (int k = 0; k < SUPI_BEND_TERMS; k++) basis[3 + k] = (double)(terms[k] - bend->mean[k]);
        for (int k = 0; k < 81; k++) {
            moments[k] += (double)rest->w[at] * basis[k / 9] * basis[k % 9];
        }
    }
    double sum_of_all = 0.0;
    for (int k = 0; k < 81; k++) sum_of_all += moments[k];
    if (!(fabs(sum_of_all) < 1e150)) return; /* a damaged file's: no inverse, so no bending */
    supi_eigen_symmetric(9, moments, values, vectors);
    for (int i = 0, at = 0; i < 9; i++) {
        for (int j = i; j < 9; j++, at++) {
            double sum = 0.0;
            for (int e = 0; e < 9; e++) {
                if (!(values[e] > quadratic_least * values[0]) || !(values[e] > 0.0)) continue;
                sum += vectors[9 * e + i] * vectors[9 * e + j] /
                       (values[e] + quadratic_softening * values[0]);
            }
            bend->inverse[at] = (float)sum;
        }
    }
}

void supi_shape_build(const supi_members* members, supi_cluster* cluster, supi_bend* bend) {
    const int32_t at = cluster->begin;
    const rest_columns rest = {
        {members->qx + at, members->qy + at, members->qz + at}, members->w + at, cluster->count};
    double weight = (double)cluster->weight, spread = (double)cluster->spread;
    invert_moments(&rest, cluster);
    /* A cluster without extent stays rigid whatever is asked: no terms, no inverse. */
    bend->scale = spread > 0.0 ? (float)sqrt(3.0 * weight / spread) : 0.0f;
    centre_terms(&rest, weight, bend);
    invert_terms(&rest, bend);
}

bool supi_shapes_build(sup_blueprint* b) {
    b->bends = supi_arena_push(&b->arena, (size_t)b->cluster_count, sizeof *b->bends);
    if (!b->bends) return false;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        supi_shape_build(&b->members, b->clusters + c, b->bends + c);
    }
    return supi_extent_find(b);
}
