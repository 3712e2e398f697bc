/* One cluster of particles for tests of the kernels, matched without a world. */
#ifndef SUPPLE_TESTS_SOLVE_CLOUDS_H
#define SUPPLE_TESTS_SOLVE_CLOUDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "blueprint/groups.h"
#include "ref/ref_matrix.h"
#include "ref/ref_random.h"
#include "solve/kernels.h"
#include "solve/plastic.h"

enum { CLOUD_MOST = 256 };

typedef struct cloud {
    int32_t count, padded;
    double mass[CLOUD_MOST]; /* kg, as rounded to w */
    double x[CLOUD_MOST][3]; /* m, as rounded to rows */
    double total, size;      /* kg; m, diameter at rest */
    float qx[CLOUD_MOST], qy[CLOUD_MOST], qz[CLOUD_MOST], w[CLOUD_MOST]; /* in lane order */
    int32_t index[CLOUD_MOST];
    sup_row place[CLOUD_MOST], speed[CLOUD_MOST];
    float residue[3], inertia_floor;
    supi_cluster shape; /* its inverse moments */
    supi_bend bend;
    const supi_plastic* plastic; /* NULL: it has not flowed */
    float* strained;             /* beside it: the elastic map that a match has found (9) */
} cloud;

/* What goals a cloud is matched to. */
typedef struct cloud_goals {
    sup_match_mode mode;
    float beta;
    bool keeps_volume;
} cloud_goals;

static const cloud_goals cloud_rigid = {SUP_MATCH_RIGID, 0.0f, false};

/* The tables that this build and processor have. */
static inline int kernel_tables(const supi_kernels* tables[3]) {
    const sup_simd sets[3] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const supi_kernels* table = supi_kernels_find(sets[i]);
        if (table) tables[count++] = table;
    }
    return count;
}

static inline supi_members cloud_members(const cloud* c, bool indexed) {
    return (supi_members){c->qx, c->qy, c->qz, c->w, indexed ? c->index : NULL};
}

static inline supi_span cloud_span(const cloud* c, const supi_members* members,
                                   const cloud_goals* goals) {
    bool bends = goals->mode == SUP_MATCH_QUADRATIC;
    return (supi_span){members, 0, c->padded, bends ? &c->bend : NULL};
}

/* Rest offsets about the centre of mass, as a blueprint makes them. */
static inline void cloud_rest(cloud* c, int32_t count, double rest[][3], const double* mass) {
    memset(c, 0, sizeof *c);
    c->count = count;
    c->padded = (count + 7) & ~7;
    double centre[3] = {0, 0, 0}, left[3] = {0, 0, 0}, spread = 0.0;
    for (int32_t i = 0; i < count; i++) {
        float w = (float)(mass ? mass[i] : 1.0);
        c->w[supi_lane_order(i)] = w;
        c->mass[i] = (double)w;
        c->total += c->mass[i];
        for (int k = 0; k < 3; k++) centre[k] += c->mass[i] * rest[i][k];
    }
    float* q[3] = {c->qx, c->qy, c->qz};
    for (int32_t i = 0; i < c->padded; i++) {
        c->index[i] = i < count ? i : 0;
        for (int k = 0; k < 3 && i < count; k++) {
            float offset = (float)(rest[i][k] - centre[k] / c->total);
            q[k][supi_lane_order(i)] = offset;
            left[k] += c->mass[i] * (double)offset;
            spread += c->mass[i] * (double)offset * (double)offset;
        }
        for (int32_t j = 0; j < i && i < count; j++) {
            double apart[3];
            for (int k = 0; k < 3; k++) apart[k] = rest[i][k] - rest[j][k];
            c->size = fmax(c->size, ref_length(apart));
        }
    }
    for (int k = 0; k < 3; k++) c->residue[k] = (float)(left[k] / c->total);
    c->inertia_floor = spread > 0.0 ? (float)(2e-10 * spread) : 3e38f;
    supi_members members = cloud_members(c, false);
    c->shape = (supi_cluster){
        .count = count, .end = c->padded, .weight = (float)c->total, .spread = (float)spread};
    supi_shape_build(&members, &c->shape, &c->bend);
}

static inline void cloud_put(cloud* c, int32_t i, const double x[3], const double v[3]) {
    c->place[i] = (sup_row){(float)x[0], (float)x[1], (float)x[2], (float)(1.0 / c->mass[i])};
    c->speed[i] = (sup_row){(float)v[0], (float)v[1], (float)v[2], 0.01f};
    c->x[i][0] = (double)c->place[i].x;
    c->x[i][1] = (double)c->place[i].y;
    c->x[i][2] = (double)c->place[i].z;
}

static inline void cloud_offset(const cloud* c, int32_t i, double q[3]) {
    int32_t at = supi_lane_order(i);
    q[0] = (double)c->qx[at];
    q[1] = (double)c->qy[at];
    q[2] = (double)c->qz[at];
}

static inline void cloud_velocity(const cloud* c, int32_t i, double v[3]) {
    v[0] = (double)c->speed[i].x;
    v[1] = (double)c->speed[i].y;
    v[2] = (double)c->speed[i].z;
}

/* sum m a, and sum m (x - c) x a */
static inline void cloud_moments(const cloud* c, double a[][3], double linear[3],
                                 double angular[3]) {
    double centre[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        linear[k] = angular[k] = 0.0;
        for (int32_t i = 0; i < c->count; i++) centre[k] += c->mass[i] * c->x[i][k] / c->total;
    }
    for (int32_t i = 0; i < c->count; i++) {
        double p[3], turn[3];
        for (int k = 0; k < 3; k++) p[k] = c->x[i][k] - centre[k];
        ref_cross(p, a[i], turn);
        for (int k = 0; k < 3; k++) {
            linear[k] += c->mass[i] * a[i][k];
            angular[k] += c->mass[i] * turn[k];
        }
    }
}

/* A random cloud of about unit size with masses from 0.5 to 1.5 kg. */
static inline void cloud_random(cloud* c, int32_t count, uint64_t* seed) {
    double rest[CLOUD_MOST][3], mass[CLOUD_MOST];
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) rest[i][k] = 0.4 * ref_random(seed);
        mass[i] = 1.0 + 0.5 * ref_random(seed);
    }
    cloud_rest(c, count, rest, mass);
}

/* One match from the warm start q; q becomes the rotation found. */
static inline supi_goal cloud_match_to(const cloud_goals* goals, const cloud* c,
                                       const supi_kernels* table, const supi_pull* pull,
                                       supi_cluster_kind kind, const float xref[3], float q[4]) {
    supi_members members = cloud_members(c, false);
    supi_span span = cloud_span(c, &members, goals);
    float sums[SUPI_SUM_COUNT] = {0};
    table->moments(&span, c->place, c->speed, pull, kind, xref, sums);
    supi_match8 m = {.h = pull->h,
                     .damped = kind == SUPI_CLUSTER_DAMPED,
                     .mode = goals->mode,
                     .plastic = c->plastic != NULL};
    for (int lane = 0; lane < 8; lane++) {
        for (int k = 0; c->plastic && k < 6; k++) {
            m.stretch[k][lane] = c->plastic->rounded[k];
            m.unstretch[k][lane] = c->plastic->inverse[k];
        }
        for (int k = 0; k < SUPI_SUM_COUNT; k++) m.sums[k][lane] = sums[k];
        for (int k = 0; k < 3; k++) m.residue[k][lane] = c->residue[k];
        for (int k = 0; k < 4; k++) m.rotation[k][lane] = q[k];
        for (int k = 0; k < 6; k++) m.inverse[k][lane] = c->shape.inverse[k];
        for (int k = 0; k < 6; k++) m.null[k][lane] = c->shape.null[k];
        for (int k = 0; k < 45; k++) m.bend_inverse[k][lane] = c->bend.inverse[k];
        for (int k = 0; k < SUPI_BEND_TERMS; k++) m.bend_residue[k][lane] = c->bend.residue[k];
        m.bend_scale[lane] = c->bend.scale;
        m.beta[lane] = goals->beta;
        m.volume[lane] = goals->keeps_volume ? 1.0f : 0.0f;
        m.weight[lane] = (float)c->total;
        m.inertia_floor[lane] = c->inertia_floor;
    }
    table->match(&m);
    supi_goal goal;
    for (int k = 0; k < 9; k++) goal.matrix[k] = m.matrix[k][0];
    for (int k = 0; k < 18; k++) goal.bend[k] = m.bend[k][0];
    for (int k = 0; k < 3; k++) {
        goal.shift[k] = m.shift[k][0];
        goal.xref[k] = xref[k];
        goal.offset[k] = m.offset[k][0];
        goal.velocity[k] = m.velocity[k][0];
        goal.spin[k] = m.spin[k][0];
    }
    for (int k = 0; k < 4; k++) q[k] = m.rotation[k][0];
    for (int k = 0; c->plastic && k < 9; k++) c->strained[k] = m.strained[k][0];
    return goal;
}

static inline supi_goal cloud_match(const cloud* c, const supi_kernels* table,
                                    const supi_pull* pull, supi_cluster_kind kind,
                                    const float xref[3], float q[4]) {
    return cloud_match_to(&cloud_rigid, c, table, pull, kind, xref, q);
}

/* The velocity change that the goal asks of every particle, m/s. */
static inline void cloud_wishes_to(const cloud_goals* goals, const cloud* c,
                                   const supi_kernels* table, const supi_goal* goal,
                                   const supi_pull* pull, supi_cluster_kind kind,
                                   double wish[][3]) {
    supi_members members = cloud_members(c, true);
    supi_span span = cloud_span(c, &members, goals);
    sup_row asked[CLOUD_MOST];
    table->ask(&span, goal, pull, kind, c->place, c->speed, asked);
    for (int32_t i = 0; i < c->count; i++) {
        wish[i][0] = (double)asked[i].x;
        wish[i][1] = (double)asked[i].y;
        wish[i][2] = (double)asked[i].z;
    }
}

static inline void cloud_wishes(const cloud* c, const supi_kernels* table, const supi_goal* goal,
                                const supi_pull* pull, supi_cluster_kind kind, double wish[][3]) {
    cloud_wishes_to(&cloud_rigid, c, table, goal, pull, kind, wish);
}

/* One substep of the whole cluster in place. */
static inline void cloud_step(cloud* c, const supi_kernels* table, const supi_pull* pull,
                              supi_cluster_kind kind, const float xref[3], float q[4]) {
    supi_goal goal = cloud_match(c, table, pull, kind, xref, q);
    supi_members members = cloud_members(c, false);
    supi_span span = cloud_span(c, &members, &cloud_rigid);
    supi_extent box;
    table->move(&span, &goal, pull, kind, c->place, c->speed, c->place, c->speed, &box, xref, NULL);
    assert_true(box.sane);
}

/* Largest distance from a goal to its particle, in sizes, with a pull of k = 1 that makes wishes
   distances. */
static inline double cloud_worst_miss(const cloud_goals* goals, const cloud* c,
                                      const supi_kernels* table, const supi_pull* unit) {
    float q[4] = {0, 0, 0, 1};
    const float xref[3] = {0.1f, -0.05f, 0.05f};
    double wish[CLOUD_MOST][3], worst = 0.0;
    supi_goal goal = cloud_match_to(goals, c, table, unit, SUPI_CLUSTER_PLAIN, xref, q);
    cloud_wishes_to(goals, c, table, &goal, unit, SUPI_CLUSTER_PLAIN, wish);
    for (int32_t i = 0; i < c->count; i++) worst = fmax(worst, ref_length(wish[i]) / c->size);
    return worst;
}

#endif
