/* Rows about shape matching: bodies of one rigid cluster each, stepped by sup_world_step. A step of
 * a row is one substep of 1/60 s. */
#include "cloud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum mover { MOVER_SUPPLE, MOVER_EIGEN, MOVER_PLAIN } mover;

/* Who moves how many bodies of how many points. The references know scheme S on one thread only. */
typedef struct entry {
    int32_t body_count, point_count;
    mover mover;
    sup_scheme scheme;
    int32_t threads;
    sup_simd simd;
} entry;

enum { ENTRIES_MAX = 3 };

/* What a row times: the value comes first. */
typedef struct contest {
    int32_t count;
    entry entries[ENTRIES_MAX];
    double allowance; /* factor on the reference's time; for a row without a second entry the
                         reference itself */
} contest;

/* ---- Subjects ---- */

typedef struct contestant {
    bench_cloud cloud;
    bench_subject subject;
} contestant;

static bool create_subject(const entry* who, const bench_cloud* cloud, bench_subject* out) {
    switch (who->mover) {
    case MOVER_EIGEN: return bench_eigen_create(cloud, out);
    case MOVER_PLAIN: return bench_plain_create(cloud, out);
    case MOVER_SUPPLE: break;
    }
    return bench_supple_create(cloud, who->scheme, who->threads, who->simd, out);
}

static bool create_contestant(const entry* who, contestant* out) {
    if (!bench_cloud_create(who->body_count, who->point_count, &out->cloud)) return false;
    if (create_subject(who, &out->cloud, &out->subject)) return true;
    bench_cloud_destroy(&out->cloud);
    return false;
}

static void destroy_contestant(contestant* who) {
    who->subject.destroy(who->subject.state);
    bench_cloud_destroy(&who->cloud);
}

/* Are all points of a body of 1 m still near its middle? Bodies may drift: single-precision sums
 * push them a little. */
static bool holds_together(const sup_point* places, int32_t count) {
    double middle[3] = {0};
    for (int32_t n = 0; n < count; n++) {
        middle[0] += places[n].x / count;
        middle[1] += places[n].y / count;
        middle[2] += places[n].z / count;
    }
    for (int32_t n = 0; n < count; n++) {
        double x = places[n].x - middle[0], y = places[n].y - middle[1],
               z = places[n].z - middle[2];
        if (!(x * x + y * y + z * z < 4.0)) return false;
    }
    return true;
}

/* Bodies that flew apart or are not numbers any more do not do the work that is timed. */
static bool is_whole(const contestant* who) {
    size_t points = (size_t)who->cloud.point_count, bodies = (size_t)who->cloud.body_count;
    sup_point* places = malloc(points * bodies * sizeof(sup_point));
    bool whole = places && who->subject.read(who->subject.state, places);
    for (size_t b = 0; b < bodies && whole; b++) {
        whole = holds_together(places + b * points, who->cloud.point_count);
    }
    free(places);
    return whole;
}

/* Least seconds a step of every entry, and the kernels of the first. */
static bool time_entries(const bench_row* row, double* seconds, sup_simd* simd) {
    const contest* plan = row->detail;
    contestant contestants[ENTRIES_MAX];
    bench_subject subjects[ENTRIES_MAX];
    int32_t made = 0;
    while (made < plan->count && create_contestant(&plan->entries[made], &contestants[made])) {
        subjects[made] = contestants[made].subject;
        made++;
    }
    /* Of one thread, the time that it computes: whoever else is busy does not count. */
    bool (*time_subjects)(bench_subject*, int32_t, int32_t, double*) =
        row->threads > 1 ? bench_time : bench_time_work;
    const char* problem = NULL;
    if (made < plan->count) {
        problem = "the bodies could not be made";
    } else if (!time_subjects(subjects, made, row->repeats, seconds)) {
        problem = "a step failed";
    }
    for (int32_t k = 0; k < made && !problem; k++) {
        if (!is_whole(&contestants[k])) problem = "a body lost its shape";
    }
    if (!problem) *simd = bench_supple_simd(&subjects[0]);
    for (int32_t k = 0; k < made; k++) destroy_contestant(&contestants[k]);
    if (problem) fprintf(stderr, "supple_bench: %s: %s\n", row->name, problem);
    return !problem;
}

/* ---- From seconds to figures ---- */

static double ns_per_point(const entry* who, double seconds) {
    return 1e9 * seconds / ((double)who->body_count * who->point_count);
}

static bool measure_points(const bench_row* row, bench_figures* out) {
    const contest* plan = row->detail;
    double seconds[ENTRIES_MAX];
    if (!time_entries(row, seconds, &out->simd)) return false;
    out->value = ns_per_point(&plan->entries[0], seconds[0]);
    out->reference = plan->allowance * ns_per_point(&plan->entries[1], seconds[1]);
    return true;
}

static bool measure_step(const bench_row* row, bench_figures* out) {
    const contest* plan = row->detail;
    double seconds[ENTRIES_MAX];
    if (!time_entries(row, seconds, &out->simd)) return false;
    out->value = 1e3 * seconds[0];
    out->reference = plan->count > 1 ? plan->allowance * 1e3 * seconds[1] : plan->allowance;
    return true;
}

/* Dearest point over cheapest point. */
static bool measure_spread(const bench_row* row, bench_figures* out) {
    const contest* plan = row->detail;
    double seconds[ENTRIES_MAX];
    if (!time_entries(row, seconds, &out->simd)) return false;
    double least = INFINITY, most = 0.0;
    for (int32_t k = 0; k < plan->count; k++) {
        double cost = ns_per_point(&plan->entries[k], seconds[k]);
        least = fmin(least, cost);
        most = fmax(most, cost);
    }
    out->value = most / least;
    out->reference = plan->allowance;
    return true;
}

/* ---- The rows ---- */

#define SUPPLE(bodies, points, scheme, threads, simd)                                              \
    { bodies, points, MOVER_SUPPLE, scheme, threads, simd }
#define SUPPLE_S(bodies, points) SUPPLE(bodies, points, SUP_SCHEME_S, 1, SUP_SIMD_AUTO)
#define OTHER(bodies, points, mover)                                                               \
    { bodies, points, mover, SUP_SCHEME_S, 1, SUP_SIMD_AUTO }

#define AGAINST(bodies, points, mover)                                                             \
    &(const contest) { 2, {SUPPLE_S(bodies, points), OTHER(bodies, points, mover)}, 1.0 }

#define RIGID_ROW(suffix, text, bodies, points, floor)                                             \
    {"cluster.rigid." suffix,                                                                      \
     "rigid matching, " text ", beside plain Eigen",                                               \
     "ns/point",                                                                                   \
     "Eigen",                                                                                      \
     floor,                                                                                        \
     16.0,                                                                                         \
     1,                                                                                            \
     SUP_SIMD_AUTO,                                                                                \
     measure_points,                                                                               \
     AGAINST(bodies, points, MOVER_EIGEN),                                                         \
     BENCH_REPEATS},                                                                               \
    {                                                                                              \
        "cluster.rigid." suffix ".c", "rigid matching, " text ", beside plain C", "ns/point",      \
            "plain C", 0.0, 0.0, 1, SUP_SIMD_AUTO, measure_points,                                 \
            AGAINST(bodies, points, MOVER_PLAIN), BENCH_REPEATS                                    \
    }

static const bench_row rows[] = {
    RIGID_ROW("64", "16 bodies x 64 points", 16, 64, 4.0),
    RIGID_ROW("1000", "1,000 points", 1, 1000, 9.0),
    RIGID_ROW("10000", "10,000 points", 1, 10000, 9.0),
    RIGID_ROW("100000", "100,000 points", 1, 100000, 9.0),
    {"cluster.damped.10000", "scheme D beside 1.8 times the time of scheme S, 10,000 points",
     "ns/point", "1.8 x scheme S", 1.0, 1.2, 1, SUP_SIMD_AUTO, measure_points,
     &(const contest){
         2, {SUPPLE(1, 10000, SUP_SCHEME_D, 1, SUP_SIMD_AUTO), SUPPLE_S(1, 10000)}, 1.8},
     BENCH_REPEATS},
    {"cluster.simd.10000", "AVX2 kernels beside SSE2 kernels, 10,000 points", "ns/point", "SSE2",
     1.4, 0.0, 1, SUP_SIMD_AVX2, measure_points,
     &(const contest){2,
                      {SUPPLE(1, 10000, SUP_SCHEME_S, 1, SUP_SIMD_AVX2),
                       SUPPLE(1, 10000, SUP_SCHEME_S, 1, SUP_SIMD_SSE2)},
                      1.0},
     BENCH_REPEATS},
    {"cluster.workers.4000x64", "two workers beside one, 4,000 bodies x 64 points, scheme D",
     "ms/step", "one worker", 1.6, 1.9, 2, SUP_SIMD_AUTO, measure_step,
     &(const contest){2,
                      {SUPPLE(4000, 64, SUP_SCHEME_D, 2, SUP_SIMD_AUTO),
                       SUPPLE(4000, 64, SUP_SCHEME_D, 1, SUP_SIMD_AUTO)},
                      1.0},
     BENCH_REPEATS},
    {"cluster.budget.4000x64", "4,000 bodies x 64 points, scheme D, in 4 ms a step", "ms/step",
     "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure_step,
     &(const contest){1, {SUPPLE(4000, 64, SUP_SCHEME_D, 1, SUP_SIMD_AUTO)}, 4.0}, BENCH_REPEATS},
    {"cluster.scaling", "dearest over cheapest point among 1,000, 10,000 and 100,000", "x",
     "at most", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure_spread,
     &(const contest){3, {SUPPLE_S(1, 1000), SUPPLE_S(1, 10000), SUPPLE_S(1, 100000)}, 1.25},
     BENCH_REPEATS},
};

const bench_row* bench_rows_cluster(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
