/* Rows about cloth as it is used: how long steps take that hold it together while it falls and
   swings for 2 s, and how far it is stretched then. */
#include "cloth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 120 };

/* How Supple moves it, and what stretch it must not exceed. */
typedef struct hold_plan {
    int32_t side, substeps, iterations;
    double tolerance;
    double stretch;         /* N/m */
    double mean;            /* ever; and at the end less than with Bullet */
    double most, most_ever; /* the same: at the end, ever */
} hold_plan;

/* ---- Contestants ---- */

/* What has become of one: the mean time of a step, its stretch at the end and the largest ever. */
typedef struct outcome {
    double seconds;
    bench_stretch end, ever;
} outcome;

static bool step_cloth(void* state) { return bench_cloth_step(state, 1); }

static bool read_cloth(void* state, sup_point* places) {
    const bench_cloth* cloth = state;
    return sup_body_read_particles(cloth->world, cloth->body, places, NULL) == SUP_OK;
}

/* Falls and swings from the start. Keeps the least time of all tries. */
static bool run(const sup_web* web, bench_subject* subject, outcome* out) {
    sup_point* places = malloc((size_t)web->point_count * sizeof *places);
    double seconds = 0.0;
    bool good = places != NULL;
    out->ever = (bench_stretch){0.0, 0.0};
    for (int32_t i = 0; i < STEPS && good; i++) {
        double one = bench_time_mean(subject, 1);
        good = one >= 0.0 && subject->read(subject->state, places);
        if (!good) break;
        seconds += one / STEPS;
        out->end = bench_stretch_of(web, places);
        out->ever.mean = fmax(out->ever.mean, out->end.mean);
        out->ever.most = fmax(out->ever.most, out->end.most);
    }
    if (!(out->seconds <= seconds)) out->seconds = seconds;
    free(places);
    return good;
}

static bool run_both(const hold_plan* plan, outcome* mine, outcome* theirs, sup_simd* simd) {
    bench_cloth_plan cloth_plan = bench_cloth_default(plan->side);
    cloth_plan.substeps = plan->substeps;
    cloth_plan.stretch = plan->stretch;
    cloth_plan.springs.preconditioner = SUP_PRECONDITIONER_LEVELS;
    cloth_plan.springs.iterations = plan->iterations;
    cloth_plan.springs.tolerance = plan->tolerance;
    bench_cloth cloth;
    bench_net net;
    bench_subject bullet;
    if (!bench_cloth_create(&cloth_plan, &cloth)) return false;
    bool done = bench_net_create(&cloth, &net);
    if (done) {
        done = bench_bullet_links_create(&net, &bullet);
        bench_net_destroy(&net);
    }
    if (done) {
        bench_subject supple = {&cloth, step_cloth, 1, read_cloth, NULL};
        done = run(&cloth.web, &supple, mine) && run(&cloth.web, &bullet, theirs);
        bullet.destroy(bullet.state);
    }
    *simd = sup_world_simd(cloth.world);
    bench_cloth_destroy(&cloth);
    return done;
}

/* ---- Rows ---- */

static bool holds(const hold_plan* plan, const outcome* mine, const outcome* theirs) {
    bool alone = mine->ever.mean <= plan->mean && mine->end.most <= plan->most &&
                 mine->ever.most <= plan->most_ever;
    return alone && mine->end.mean < theirs->end.mean && mine->end.most < theirs->end.most;
}

static bool measure(const bench_row* row, bench_figures* out) {
    const hold_plan* plan = row->detail;
    outcome mine = {.seconds = NAN}, theirs = {.seconds = NAN};
    for (int32_t i = 0; i < row->repeats; i++) {
        if (run_both(plan, &mine, &theirs, &out->simd)) continue;
        fprintf(stderr, "supple_bench: %s: a step failed\n", row->name);
        return false;
    }
    out->value = 1e3 * mine.seconds;
    out->reference = 1e3 * theirs.seconds;
    snprintf(out->note, sizeof out->note,
             "stretch after 2 s: mean %.2f %%, most %.0f %% (ever %.2f, %.0f); Bullet %.2f %%, "
             "%.0f %%",
             100.0 * mine.end.mean, 100.0 * mine.end.most, 100.0 * mine.ever.mean,
             100.0 * mine.ever.most, 100.0 * theirs.end.mean, 100.0 * theirs.end.most);
    if (holds(plan, &mine, &theirs)) return true;
    fprintf(stderr, "supple_bench: %s: the cloth does not hold: %s\n", row->name, out->note);
    return false;
}

static const bench_row rows[] = {
    {"cloth.stretch.100x100",
     "implicit steps of 30 iterations on levels, less stretched than by 10 sweeps", "ms/step",
     "Bullet", 1.0, 2.0, 1, SUP_SIMD_AUTO, measure,
     &(const hold_plan){100, 1, 30, 0.03, 1e4, 0.01, 0.2, INFINITY}, 3},
    {"cloth.hold.300x300", "implicit steps on levels hold what 10 sweeps do not", "ms/step",
     "Bullet", 0.0, 0.0, 1, SUP_SIMD_AUTO, measure,
     &(const hold_plan){300, 2, 400, 0.003, 1e5, 0.05, 0.2, 0.2}, 1},
};

const bench_row* bench_rows_cloth(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
