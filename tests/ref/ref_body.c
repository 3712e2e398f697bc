#include "ref/ref_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL float
#define NAME(name) name##_single
#include "ref/ref_body_step.h"
#undef REAL
#undef NAME
#define REAL double
#define NAME(name) name##_double
#include "ref/ref_body_step.h"
#undef REAL
#undef NAME

ref_rules ref_rules_default(void) {
    return (ref_rules){.scheme = REF_D, .h = 1.0 / 60.0, .iterations = 6, .epsilon = 1e-4};
}

void ref_body_step(ref_body* body, const ref_rules* rules) {
    if (body->single)
        step_single(body, rules);
    else
        step_double(body, rules);
}

static void* need(int32_t count, size_t size) {
    void* block = calloc((size_t)count + 1, size);
    if (!block) abort();
    return block;
}

static void list_clusters(ref_body* b, const sup_blueprint_def* def) {
    bool whole = def->layout == SUP_CLUSTERS_WHOLE;
    b->cluster_count = whole ? 1 : def->cluster_count;
    int32_t total = whole ? def->point_count : def->cluster_starts[def->cluster_count];
    b->starts = need(b->cluster_count, sizeof *b->starts);
    b->members = need(total, sizeof *b->members);
    for (int32_t c = 0; c <= b->cluster_count; c++) {
        b->starts[c] = whole ? c * total : def->cluster_starts[c];
    }
    for (int32_t m = 0; m < total; m++) {
        b->members[m] = whole ? m : def->cluster_members[m];
        b->cluster_counts[b->members[m]]++;
    }
}

/* Weights, and rest offsets about the weighted centre. */
static void rest_cluster(ref_body* b, const sup_blueprint_def* def, int32_t c) {
    double free_sum = 0, total = 0, centre[3] = {0, 0, 0};
    int32_t free_count = 0, begin = b->starts[c], end = b->starts[c + 1];
    for (int32_t m = begin; m < end; m++) {
        int32_t i = b->members[m];
        b->w[m] = b->combination == REF_AVERAGE ? b->mass[i] / b->cluster_counts[i] : b->mass[i];
        free_sum += b->pinned[i] ? 0 : b->w[m];
        free_count += !b->pinned[i] && b->w[m] > 0;
    }
    for (int32_t m = begin; m < end; m++) {
        if (b->pinned[b->members[m]]) b->w[m] = def->pin_factor * free_sum / free_count;
        total += b->w[m];
        for (int k = 0; k < 3; k++) centre[k] += b->w[m] * b->x[b->members[m]][k];
    }
    for (int32_t m = begin; m < end; m++) {
        for (int k = 0; k < 3; k++) b->q[m][k] = b->x[b->members[m]][k] - centre[k] / total;
    }
}

ref_body* ref_body_create(const sup_blueprint_def* def, ref_combination combination, bool single) {
    ref_body* b = need(1, sizeof *b);
    int32_t count = def->point_count;
    *b = (ref_body){.single = single, .combination = combination, .count = count};
    b->x = need(count, sizeof *b->x);
    b->v = need(count, sizeof *b->v);
    b->want = need(count, sizeof *b->want);
    b->pinned = need(count, sizeof *b->pinned);
    b->mass = need(count, sizeof *b->mass);
    b->cluster_counts = need(count, sizeof *b->cluster_counts);
    for (int32_t i = 0; i < count; i++) {
        b->x[i][0] = (double)def->points[i].x;
        b->x[i][1] = (double)def->points[i].y;
        b->x[i][2] = (double)def->points[i].z;
        b->mass[i] = def->masses ? (double)def->masses[i] : 1.0;
    }
    for (int32_t i = 0; i < def->pin_count; i++) b->pinned[def->pins[i]] = true;
    list_clusters(b, def);
    b->q = need(b->starts[b->cluster_count], sizeof *b->q);
    b->w = need(b->starts[b->cluster_count], sizeof *b->w);
    b->rotation = need(b->cluster_count, sizeof *b->rotation);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        b->rotation[c][3] = 1.0;
        rest_cluster(b, def, c);
    }
    return b;
}

void ref_body_free(ref_body* b) {
    void* blocks[] = {b->x,      b->v,       b->want, b->pinned, b->mass,     b->cluster_counts,
                      b->starts, b->members, b->q,    b->w,      b->rotation, b};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* ---- Rigid fit ---- */

/* The eigenvector of the largest eigenvalue of a symmetric 4x4 matrix, by squaring it often. */
static void leading_vector(double k[4][4], double out[4]) {
    double shift = 0;
    for (int i = 0; i < 16; i++) shift += fabs(k[i / 4][i % 4]);
    if (shift == 0) k[3][3] = shift = 1;          /* all the same: no turn */
    for (int i = 0; i < 4; i++) k[i][i] += shift; /* now none is negative */
    for (int step = 0; step < 40; step++) {
        double square[4][4], trace = 0;
        for (int i = 0; i < 4; i++) trace += k[i][i];
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                square[i][j] = 0;
                for (int l = 0; l < 4; l++) square[i][j] += k[i][l] / trace * (k[l][j] / trace);
            }
        }
        memcpy(k, square, sizeof square);
    }
    int best = 0;
    for (int i = 1; i < 4; i++) best = k[i][i] > k[best][best] ? i : best;
    double length = 0;
    for (int i = 0; i < 4; i++) length += k[best][i] * k[best][i];
    for (int i = 0; i < 4; i++) out[i] = k[best][i] / sqrt(length);
}

static void centre_of(int32_t count, const double* mass, const double (*x)[3], double centre[3]) {
    double total = 0;
    for (int k = 0; k < 3; k++) centre[k] = 0;
    for (int32_t i = 0; i < count; i++) {
        total += mass[i];
        for (int k = 0; k < 3; k++) centre[k] += mass[i] * x[i][k];
    }
    for (int k = 0; k < 3; k++) centre[k] /= total;
}

double ref_fit_distance(int32_t count, const sup_vec3* rest, const double* mass,
                        const double (*x)[3]) {
    double(*q)[3] = need(count, sizeof *q), from[3], to[3], b[3][3] = {{0}}, r[3][3], turn[4];
    for (int32_t i = 0; i < count; i++) {
        q[i][0] = (double)rest[i].x;
        q[i][1] = (double)rest[i].y;
        q[i][2] = (double)rest[i].z;
    }
    centre_of(count, mass, (const double(*)[3])q, from);
    centre_of(count, mass, x, to);
    for (int32_t m = 0; m < count; m++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                b[i][j] += mass[m] * (x[m][i] - to[i]) * (q[m][j] - from[j]);
            }
        }
    }
    double trace = b[0][0] + b[1][1] + b[2][2], k[4][4];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) k[i][j] = b[i][j] + b[j][i] - (i == j ? trace : 0);
        k[i][3] = k[3][i] = b[(i + 2) % 3][(i + 1) % 3] - b[(i + 1) % 3][(i + 2) % 3];
    }
    k[3][3] = trace;
    leading_vector(k, turn);
    matrix_double(turn, r);
    double worst = 0;
    for (int32_t m = 0; m < count; m++) {
        double squared = 0;
        for (int i = 0; i < 3; i++) {
            double e = to[i] - x[m][i];
            for (int j = 0; j < 3; j++) e += r[i][j] * (q[m][j] - from[j]);
            squared += e * e;
        }
        worst = squared > worst ? squared : worst;
    }
    free(q);
    return sqrt(worst);
}
