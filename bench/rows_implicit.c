/* Rows about the implicit step of springs: cloth that has swung for a while, solved from dv = 0 over
   and over, so that every call does the same. */
#include "cloth.h"

#include "base/memory.h"
#include "blueprint/blueprint.h"
#include "solve/implicit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SWINGS = 60,            /* steps before */
    ITERATIONS_MAX = 100000 /* more than anything needs */
};

#define RESIDUAL 1e-4 /* |b - A dv| <= RESIDUAL |b| */

/* ---- Supple ---- */

/* A step of `cloth` as it is. */
typedef struct solo {
    const bench_cloth* cloth;
    sup_row *x0, *v0, *x, *v, *dv, *force;
    supi_implicit_scratch scratch;
    void* memory;
    supi_tasks* tasks;
    supi_implicit step;
    supi_implicit_report report;
} solo;

static bool take_step(void* state) {
    solo* s = state;
    size_t bytes = (size_t)s->cloth->print->row_count * sizeof(sup_row);
    memcpy(s->x, s->x0, bytes);
    memcpy(s->v, s->v0, bytes);
    memset(s->dv, 0, bytes);
    s->report = supi_implicit_step(&s->step, &s->scratch, s->x, s->v, s->dv);
    return !s->report.failed;
}

static void destroy(void* state) {
    solo* s = state;
    if (s->tasks) supi_tasks_destroy(s->tasks);
    free(s->memory);
    free(s);
}

static void place_rows(solo* s, const bench_net* net, char* memory) {
    const sup_blueprint* print = s->cloth->print;
    sup_row** const all[] = {&s->x0, &s->v0, &s->x, &s->v, &s->dv, &s->force};
    size_t rows = (size_t)print->row_count, solver = supi_implicit_scratch_size(&print->net);
    s->scratch = supi_implicit_scratch_place(&print->net, memory);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = (sup_row*)(memory + solver) + k * rows;
        memset(*all[k], 0, rows * sizeof(sup_row));
    }
    for (int32_t i = 0; i < net->point_count; i++) {
        int32_t row = print->row_of[i];
        s->x0[row] = net->x[i];
        s->v0[row] = net->v[i];
        s->force[row].y = -(float)BENCH_GRAVITY * print->mass[row];
    }
}

static bool create_solo(const bench_cloth* cloth, const bench_net* net, double drag,
                        int32_t threads, bench_subject* out) {
    const sup_blueprint* print = cloth->print;
    size_t bytes = supi_implicit_scratch_size(&print->net) +
                   6 * (size_t)print->row_count * sizeof(sup_row);
    solo* s = calloc(1, sizeof *s);
    char* memory = aligned_alloc(SUPI_ALIGNMENT, (bytes / SUPI_ALIGNMENT + 1) * SUPI_ALIGNMENT);
    bool good = s && memory;
    if (good) {
        s->cloth = cloth;
        s->memory = memory;
        place_rows(s, net, memory);
        good = threads == 1 || supi_tasks_create(sup_allocator_default(), threads, NULL, &s->tasks, NULL) == SUP_OK;
        s->step = (supi_implicit){.kernels = supi_kernels_find(SUP_SIMD_AUTO),
                                  .tasks = s->tasks,
                                  .net = &print->net,
                                  .force = s->force,
                                  .h = (float)BENCH_CLOTH_H,
                                  .drag = (float)drag,
                                  .tolerance = RESIDUAL,
                                  .iterations = ITERATIONS_MAX,
                                  .newton = 1};
        *out = (bench_subject){s, take_step, 1, NULL, destroy};
    }
    if (good) return true;
    if (s) s->memory = NULL;
    if (s) destroy(s);
    free(memory);
    return false;
}

/* ---- Beside Eigen ---- */

/* |b - A dv| / |b| of Supple's last step, by the matrix of the reference; < 0: no memory. */
static double residual_of(const solo* s, const bench_subject* eigen) {
    const sup_blueprint* print = s->cloth->print;
    sup_vec3* dv = malloc((size_t)print->info.particle_count * sizeof *dv);
    if (!dv) return -1.0;
    for (int32_t i = 0; i < print->info.particle_count; i++) {
        const sup_row* own = s->dv + print->row_of[i];
        dv[i] = (sup_vec3){own->x, own->y, own->z};
    }
    double residual = bench_eigen_implicit_residual(eigen, dv);
    free(dv);
    return residual;
}

/* Supple looks at its residual in the norm of the preconditioner: the tolerance is lowered until
   the residual proper is as small as that of the reference must be. */
static bool find_tolerance(solo* s, bench_subject* eigen) {
    if (!eigen->step(eigen->state)) return false;
    for (s->step.tolerance = 4.0 * RESIDUAL; s->step.tolerance > 1e-6; s->step.tolerance *= 0.8) {
        if (!take_step(s)) return false;
        double residual = residual_of(s, eigen);
        if (residual < 0.0) return false;
        if (residual <= RESIDUAL) return true;
    }
    return false;
}

static bool beside_eigen(const bench_row* row, bench_subject subjects[2], bench_figures* out) {
    solo* s = subjects[0].state;
    double seconds[2];
    if (!find_tolerance(s, &subjects[1]) ||
        !bench_time_work(subjects, 2, row->repeats, seconds)) {
        fprintf(stderr, "supple_bench: %s: a step failed, or its residual stays large\n",
                row->name);
        return false;
    }
    double theirs = bench_eigen_implicit_residual(&subjects[1], NULL);
    if (!(theirs <= 1.1 * RESIDUAL)) {
        fprintf(stderr, "supple_bench: %s: Eigen leaves a residual of %g\n", row->name, theirs);
        return false;
    }
    snprintf(out->note, sizeof out->note, "residuals %.2g and %.2g, %d and %d iterations",
             residual_of(s, &subjects[1]), theirs, (int)s->report.iterations,
             (int)bench_eigen_implicit_iterations(&subjects[1]));
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    out->simd = s->step.kernels->simd;
    return true;
}

static bool beside_one_worker(const bench_row* row, bench_subject subjects[2],
                              bench_figures* out) {
    double seconds[2];
    const solo* s = subjects[0].state;
    if (!bench_time(subjects, 2, row->repeats, seconds)) {
        fprintf(stderr, "supple_bench: %s: a step failed\n", row->name);
        return false;
    }
    snprintf(out->note, sizeof out->note, "%d iterations", (int)s->report.iterations);
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    out->simd = s->step.kernels->simd;
    return true;
}

/* ---- Rows ---- */

static bool measure_net(const bench_row* row, const bench_cloth* cloth, const bench_net* net,
                        double drag, bench_figures* out) {
    bench_subject subjects[2];
    bool workers = row->threads > 1, done = false;
    if (!create_solo(cloth, net, drag, row->threads, &subjects[0])) return false;
    if (workers ? create_solo(cloth, net, drag, 1, &subjects[1])
                : bench_eigen_implicit_create(net, drag, RESIDUAL, &subjects[1])) {
        done = (workers ? beside_one_worker : beside_eigen)(row, subjects, out);
        subjects[1].destroy(subjects[1].state);
    }
    subjects[0].destroy(subjects[0].state);
    return done;
}

static bool measure(const bench_row* row, bench_figures* out) {
    const int32_t* side = row->detail;
    const bench_cloth_plan plan = bench_cloth_default(*side);
    bench_cloth cloth;
    bench_net net;
    if (!bench_cloth_create(&plan, &cloth)) return false;
    bool done = bench_cloth_step(&cloth, SWINGS) && bench_net_create(&cloth, &net);
    if (done) {
        done = measure_net(row, &cloth, &net, plan.springs.drag, out);
        bench_net_destroy(&net);
    }
    bench_cloth_destroy(&cloth);
    return done;
}

#define WORKERS_ROW(side, floor)                                                                   \
    {                                                                                              \
        "implicit.workers." #side "x" #side, "two workers beside one, the same step", "ms/step",   \
            "one worker", floor, 1.9, 2, SUP_SIMD_AUTO, measure, &(const int32_t){side}, 10        \
    }

static const bench_row rows[] = {
    {"implicit.100x100",
     "implicit step of cloth of 59,002 springs to a residual of 1e-4, beside an assembled matrix",
     "ms/step", "Eigen", 4.0, 15.0, 1, SUP_SIMD_AUTO, measure, &(const int32_t){100}, 6},
    WORKERS_ROW(100, 1.6),
    WORKERS_ROW(300, 1.2),
};

const bench_row* bench_rows_implicit(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
