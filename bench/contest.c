/* Contests: makes the contestants, times them in turn, and looks whether they did their work. */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Contestants ---- */

static bool create_subject(const bench_entry* entry, const bench_cloud* cloud, bench_subject* out) {
    switch (entry->mover) {
    case MOVER_EIGEN: return bench_eigen_create(cloud, entry->way.mode, out);
    case MOVER_PLAIN: return bench_plain_create(cloud, out);
    case MOVER_TRAFFIC: return bench_traffic_create(cloud, out);
    case MOVER_BULLET_MATCH: return bench_bullet_create(cloud, BENCH_BULLET_MATCH, out);
    case MOVER_BULLET_STEP: return bench_bullet_create(cloud, BENCH_BULLET_STEP, out);
    case MOVER_BULLET_WORLD: return bench_bullet_create(cloud, BENCH_BULLET_WORLD, out);
    case MOVER_SUPPLE: break;
    }
    return bench_supple_create(cloud, &entry->way, out);
}

bool bench_contestant_create(const bench_entry* entry, bench_contestant* out) {
    bench_plan plan = entry->scene
                          ? *entry->scene
                          : bench_plan_cubes(entry->body_count, entry->point_count, entry->cuts);
    if (!bench_cloud_create(&plan, &out->cloud)) return false;
    if (create_subject(entry, &out->cloud, &out->subject)) return true;
    bench_cloud_destroy(&out->cloud);
    return false;
}

void bench_contestant_destroy(bench_contestant* who) {
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

bool bench_contestant_whole(const bench_contestant* who) {
    const bench_cloud* cloud = &who->cloud;
    sup_point* places = malloc(cloud->body_points[cloud->body_count] * sizeof(sup_point));
    bool whole = places && who->subject.read(who->subject.state, places);
    for (int32_t b = 0; b < cloud->body_count && whole; b++) {
        whole =
            holds_together(places + cloud->body_points[b], bench_shape_of(cloud, b)->point_count);
    }
    free(places);
    return whole;
}

/* ---- Times ---- */

typedef struct result {
    double seconds; /* least of a step */
    double points;  /* that it moves */
} result;

/* Times all entries, and tells the kernels of the first. */
static bool time_entries(const bench_row* row, result* results, sup_simd* simd) {
    const bench_contest* contest = row->detail;
    bench_contestant contestants[BENCH_ENTRIES_MAX];
    bench_subject subjects[BENCH_ENTRIES_MAX];
    double seconds[BENCH_ENTRIES_MAX];
    int32_t made = 0;
    while (made < contest->count &&
           bench_contestant_create(&contest->entries[made], &contestants[made])) {
        subjects[made] = contestants[made].subject;
        made++;
    }
    /* Of one thread, the time that it computes: whoever else is busy does not count. */
    bool (*time_subjects)(bench_subject*, int32_t, int32_t, double*) =
        row->threads > 1 ? bench_time : bench_time_work;
    const char* problem = NULL;
    if (made < contest->count) {
        problem = "the bodies could not be made";
    } else if (!time_subjects(subjects, made, row->repeats, seconds)) {
        problem = "a step failed";
    }
    for (int32_t k = 0; k < made && !problem; k++) {
        const bench_cloud* cloud = &contestants[k].cloud;
        results[k] = (result){seconds[k], (double)cloud->body_points[cloud->body_count]};
        if (!bench_contestant_whole(&contestants[k])) problem = "a body lost its shape";
    }
    if (!problem) *simd = bench_supple_simd(&subjects[0]);
    for (int32_t k = 0; k < made; k++) bench_contestant_destroy(&contestants[k]);
    if (problem) fprintf(stderr, "supple_bench: %s: %s\n", row->name, problem);
    return !problem;
}

/* ---- From seconds to figures ---- */

static double ns_per_point(const result* r) { return 1e9 * r->seconds / r->points; }

bool bench_measure_points(const bench_row* row, bench_figures* out) {
    const bench_contest* contest = row->detail;
    result results[BENCH_ENTRIES_MAX];
    if (!time_entries(row, results, &out->simd)) return false;
    out->value = ns_per_point(&results[0]);
    out->reference = contest->allowance * ns_per_point(&results[1]);
    return true;
}

bool bench_measure_step(const bench_row* row, bench_figures* out) {
    const bench_contest* contest = row->detail;
    result results[BENCH_ENTRIES_MAX];
    if (!time_entries(row, results, &out->simd)) return false;
    out->value = 1e3 * results[0].seconds;
    out->reference = contest->allowance * 1e3 * results[1].seconds;
    return true;
}

bool bench_measure_budget(const bench_row* row, bench_figures* out) {
    const bench_contest* contest = row->detail;
    result results[BENCH_ENTRIES_MAX];
    if (!time_entries(row, results, &out->simd)) return false;
    double slowness = ns_per_point(&results[1]) / BENCH_YARDSTICK_NS;
    out->value = 1e3 * results[0].seconds;
    out->reference = contest->allowance * fmax(1.0, slowness);
    return true;
}

bool bench_measure_spread(const bench_row* row, bench_figures* out) {
    const bench_contest* contest = row->detail;
    result results[BENCH_ENTRIES_MAX];
    if (!time_entries(row, results, &out->simd)) return false;
    double least = INFINITY, most = 0.0;
    for (int32_t k = 0; k < contest->count; k++) {
        double cost = ns_per_point(&results[k]);
        least = fmin(least, cost);
        most = fmax(most, cost);
    }
    out->value = most / least;
    out->reference = contest->allowance;
    return true;
}
