/* Rows about oriented particles, as whole runs: bodies fall on a floor and lie there, trucks crash.
   A step of a row is 1/60 s in 8 substeps, of which no two are alike, so the mean of a run counts;
   all bodies meet themselves, each other and the floor, and nobody sleeps. */
#define _POSIX_C_SOURCE 200809L

#include "contest.h"
#include "frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Runs ---- */

typedef struct run {
    double mean, worst; /* s of a step, the least of all runs each */
    uint64_t hash;      /* at the end */
    sup_simd simd;
} run;

/* False where a body had to be put back: that is not the work to be timed. */
static bool is_whole(const sup_world* world) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind == SUP_EVENT_BODY_RESTORED) return false;
    }
    return true;
}

static bool has_met_another(const sup_world* world) {
    int32_t count;
    const sup_meeting* meetings = sup_world_meetings(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (meetings[i].other.age != 0) return true;
    }
    return false;
}

static double energy_of(const sup_world* world) {
    sup_measures m = sup_world_measure(world);
    return m.kinetic + m.potential;
}

static const char* time_run(const bench_frames_plan* plan, sup_blueprint* print, int32_t threads,
                            clockid_t clock, run* out) {
    sup_world* world = bench_frames_world(plan, print, threads, NULL);
    if (!world) return "the world could not be made";
    double sum = 0.0, worst = 0.0, energy = energy_of(world);
    bool good = true, met = plan->above == 0.0; /* others are to fall onto each other */
    for (int32_t n = 0; n < plan->steps && good; n++) {
        double start = now(clock);
        good = sup_world_step(world, BENCH_FRAME_DT) == SUP_OK && is_whole(world);
        double taken = now(clock) - start;
        met = met || has_met_another(world);
        sum += taken;
        worst = fmax(worst, taken);
    }
    out->mean = fmin(out->mean, sum / plan->steps);
    out->worst = fmin(out->worst, worst);
    out->hash = sup_world_hash(world);
    out->simd = sup_world_simd(world);
    bool grown = !(energy_of(world) <= energy);
    sup_world_destroy(world);
    if (!good) return "a step failed";
    if (!met) return "the bodies never met";
    return grown ? "the bodies gained energy" : NULL;
}

/* How much slower this machine is than that for which budgets were written; 0: failed. */
static double find_slowness(int32_t threads) {
    static const bench_entry entry = BENCH_YARDSTICK;
    bench_contestant yardstick;
    double seconds;
    if (!bench_contestant_create(&entry, &yardstick)) return 0.0;
    bool (*take)(bench_subject*, int32_t, int32_t, double*) =
        threads > 1 ? bench_time : bench_time_work;
    bool timed = take(&yardstick.subject, 1, BENCH_REPEATS, &seconds);
    double points = (double)yardstick.cloud.body_points[yardstick.cloud.body_count];
    bench_contestant_destroy(&yardstick);
    return timed ? fmax(1.0, 1e9 * seconds / (points * BENCH_YARDSTICK_NS)) : 0.0;
}

static void describe(const sup_blueprint* print, char* note, size_t size, double worst) {
    sup_blueprint_info info = sup_blueprint_get_info(print);
    snprintf(note, size, "%d particles, %d links, %d parts, %d vertices; longest step %.3g ms",
             (int)info.particle_count, (int)info.link_count, (int)info.part_count,
             (int)info.vertex_count, worst);
}

static bool end_row(const bench_row* row, sup_blueprint* print, const char* problem) {
    sup_blueprint_release(print);
    if (problem) fprintf(stderr, "supple_bench: %s: %s\n", row->name, problem);
    return !problem;
}

static bool measure_budget(const bench_row* row, bench_figures* out) {
    const bench_frames_plan* plan = row->detail;
    clockid_t clock = row->threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    sup_blueprint* print = bench_frames_print(plan);
    run best = {INFINITY, INFINITY, 0, SUP_SIMD_AUTO};
    double slowness = print ? find_slowness(row->threads) : 0.0;
    const char* problem = slowness > 0.0 ? NULL : "the scene could not be made";
    for (int32_t n = 0; n < row->repeats && !problem; n++) {
        problem = time_run(plan, print, row->threads, clock, &best);
    }
    if (!problem) {
        out->value = 1e3 * best.mean;
        out->reference = plan->budget * slowness;
        out->simd = best.simd;
        describe(print, out->note, sizeof out->note, 1e3 * best.worst);
    }
    return end_row(row, print, problem);
}

/* Two workers beside one, in turn; both must end with the same bits. */
static bool measure_workers(const bench_row* row, bench_figures* out) {
    const bench_frames_plan* plan = row->detail;
    sup_blueprint* print = bench_frames_print(plan);
    run runs[2] = {{INFINITY, INFINITY, 0, SUP_SIMD_AUTO}, {INFINITY, INFINITY, 0, SUP_SIMD_AUTO}};
    const char* problem = print ? NULL : "the scene could not be made";
    for (int32_t n = 0; n < 2 * row->repeats && !problem; n++) {
        int32_t threads = n % 2 ? 1 : row->threads;
        problem = time_run(plan, print, threads, CLOCK_MONOTONIC, &runs[n % 2]);
    }
    if (!problem && runs[0].hash != runs[1].hash) problem = "two workers give other bits than one";
    if (!problem) {
        out->value = 1e3 * runs[0].mean;
        out->reference = 1e3 * runs[1].mean;
        out->simd = runs[0].simd;
        snprintf(out->note, sizeof out->note, "hash %016llx", (unsigned long long)runs[0].hash);
    }
    return end_row(row, print, problem);
}

/* ---- Skins ---- */

typedef struct wearer {
    sup_world* world;
    sup_body body;
    sup_vec3* vertices;
} wearer;

static bool read_vertices(void* state) {
    const wearer* w = state;
    return sup_body_read_vertices(w->world, w->body, NULL, w->vertices) == SUP_OK;
}

/* Reads the drawn vertices of the first body in the middle of its run. */
static const char* time_skin(const bench_row* row, sup_blueprint* print, double* seconds) {
    const bench_frames_plan* plan = row->detail;
    wearer w = {0};
    bench_subject subject = {&w, read_vertices, 1, NULL, NULL};
    const char* problem = NULL;
    w.vertices = calloc((size_t)sup_blueprint_get_info(print).vertex_count, sizeof *w.vertices);
    w.world = bench_frames_world(plan, print, 1, &w.body);
    if (!w.vertices || !w.world) problem = "the world could not be made";
    for (int32_t n = 0; n < plan->steps && !problem; n++) {
        if (sup_world_step(w.world, BENCH_FRAME_DT) != SUP_OK) problem = "a step failed";
    }
    if (!problem && !bench_time_work(&subject, 1, row->repeats, seconds)) problem = "not readable";
    if (w.world) sup_world_destroy(w.world);
    free(w.vertices);
    return problem;
}

static bool measure_skin(const bench_row* row, bench_figures* out) {
    const bench_frames_plan* plan = row->detail;
    sup_blueprint* print = bench_frames_print(plan);
    double seconds = 0.0, slowness = print ? find_slowness(1) : 0.0;
    const char* problem = slowness > 0.0 ? time_skin(row, print, &seconds) : "no scene";
    if (!problem) {
        out->value = 1e3 * seconds;
        out->reference = plan->budget * slowness;
        snprintf(out->note, sizeof out->note, "%d vertices on %d particles",
                 (int)sup_blueprint_get_info(print).vertex_count,
                 (int)sup_blueprint_get_info(print).particle_count);
    }
    return end_row(row, print, problem);
}

/* ---- The table ---- */

#define SQUID(bodies, steps, ms)                                                                   \
    &(const bench_frames_plan) {                                                                   \
        SUP_MODEL_SQUID, 1.0, 320, 7, 1.6, bodies, 0.2, 0.35 * (bodies - 1), steps, ms             \
    }
#define LIONFISH(steps, ms)                                                                        \
    &(const bench_frames_plan) { SUP_MODEL_LIONFISH, 1.0, 1030, 12, 1.6, 1, 0.0, 0.0, steps, ms }
#define TRUCK(bodies, steps, ms)                                                                   \
    &(const bench_frames_plan) { SUP_MODEL_TRUCK, 1.09, 320, 8, 1.6, bodies, 0.0, 0.0, steps, ms }
#define SQUIDLETS(ms)                                                                              \
    &(const bench_frames_plan) { SUP_MODEL_SQUID, 0.25, 30, 12, 2.05, 1000, 0.9, 0.0, 60, ms }

#define RUN(name, text, goal, threads, plan, repeats)                                              \
    {                                                                                              \
        "frame." name, text, "ms/step", "budget", 1.0, goal, threads, SUP_SIMD_AUTO,               \
            measure_budget, plan, repeats                                                          \
    }
#define SKIN(name, text, plan)                                                                     \
    {                                                                                              \
        "frame.skin." name, text, "ms", "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, measure_skin, plan,  \
            BENCH_REPEATS                                                                          \
    }

static const bench_row rows[] = {
    RUN("squid", "a squid of 300 particles and 750 links falls, 2 s", 0.0, 1, SQUID(1, 120, 0.5),
        5),
    RUN("squids3", "three of them fall onto each other", 0.0, 1, SQUID(3, 120, 1.5), 5),
    RUN("lionfish", "a lionfish of 1,000 particles and 3,500 links falls, 2 s", 0.0, 1,
        LIONFISH(120, 2.0), 5),
    RUN("trucks", "two trucks of five rigid parts and 300 particles crash at 20 m/s, 2 s", 0.0, 1,
        TRUCK(2, 120, 1.2), 5),
    RUN("1000x30", "1,000 bodies of 31 particles and 75 links fall, 1 s, two workers", 2.0, 2,
        SQUIDLETS(16.0), 3),
    {"frame.workers.1000x30", "the same, two workers beside one", "ms/step", "one worker", 1.6, 1.9,
     2, SUP_SIMD_AUTO, measure_workers, SQUIDLETS(0.0), 3},
    SKIN("squid", "reading 5,000 drawn vertices of the squid", SQUID(1, 60, 0.06)),
    SKIN("lionfish", "reading 30,000 drawn vertices of the lionfish", LIONFISH(60, 0.4)),
    SKIN("truck", "reading 63,000 drawn vertices of a truck", TRUCK(1, 60, 0.8)),
};

const bench_row* bench_rows_frames(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
