/* Rows about the implicit step of springs: cloth that has swung for a while, solved from dv = 0
   over and over, so that every call does the same. */
#include "cloth.h"

#include "base/memory.h"
#include "blueprint/blueprint.h"
#include "solve/implicit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SWINGS = 60,             /* steps before */
    ITERATIONS_MAX = 100000, /* more than anything needs */
    ITERATIONS_SHARED = 500  /* of steps that are shared out: enough to time, and floats may end
                                short of the residual in cloth of 300 x 300 */
};

/* What a row solves. */
typedef struct task {
    int32_t side; /* particles along one of the cloth */
    bool levels;  /* of the preconditioner */
} task;

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
                        const bench_row* row, int32_t threads, bench_subject* out) {
    const sup_blueprint* print = cloth->print;
    const task* what = row->detail;
    size_t bytes =
        supi_implicit_scratch_size(&print->net) + 6 * (size_t)print->row_count * sizeof(sup_row);
    solo* s = calloc(1, sizeof *s);
    char* memory = aligned_alloc(SUPI_ALIGNMENT, (bytes / SUPI_ALIGNMENT + 1) * SUPI_ALIGNMENT);
    bool good = s && memory;
    if (good) {
        s->cloth = cloth;
        s->memory = memory;
        place_rows(s, net, memory);
        good = threads == 1 ||
               supi_tasks_create(sup_allocator_default(), threads, NULL, &s->tasks, NULL) == SUP_OK;
        s->step =
            (supi_implicit){.kernels = supi_kernels_find(SUP_SIMD_AUTO),
                            .tasks = s->tasks,
                            .net = &print->net,
                            .force = s->force,
                            .h = (float)BENCH_CLOTH_H,
                            .drag = (float)drag,
                            .levels = what->levels,
                            .tolerance = RESIDUAL,
                            .iterations = row->threads > 1 ? ITERATIONS_SHARED : ITERATIONS_MAX,
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

/* Changes of velocity by id. */
static void read_solo(const solo* s, sup_vec3* dv) {
    const sup_blueprint* print = s->cloth->print;
    for (int32_t i = 0; i < print->info.particle_count; i++) {
        const sup_row* own = s->dv + print->row_of[i];
        dv[i] = (sup_vec3){own->x, own->y, own->z};
    }
}

/* Tolerances are lowered until the residual proper is small enough: Supple looks at its own in the
   norm of the preconditioner, and Eigen at one that it adds up as it goes. */
#define NEXT_TOLERANCE 0.9
#define LEAST_TOLERANCE 1e-6

static bool tune_supple(solo* s, const bench_subject* judge, sup_vec3* dv) {
    double* tolerance = &s->step.tolerance;
    for (*tolerance = 4.0 * RESIDUAL; *tolerance > LEAST_TOLERANCE; *tolerance *= NEXT_TOLERANCE) {
        if (!take_step(s)) return false;
        read_solo(s, dv);
        if (bench_eigen_implicit_residual(judge, dv) <= RESIDUAL) return true;
    }
    return false;
}

static bool create_eigen(const bench_net* net, double drag, sup_vec3* dv, bench_subject* out) {
    for (double t = RESIDUAL; t > LEAST_TOLERANCE; t *= NEXT_TOLERANCE) {
        if (!bench_eigen_implicit_create(net, drag, t, out)) return false;
        if (out->step(out->state)) {
            bench_eigen_implicit_read(out, dv);
            if (bench_eigen_implicit_residual(out, dv) <= RESIDUAL) return true;
        }
        out->destroy(out->state);
    }
    return false;
}

static bool time_beside(const bench_row* row, bench_subject subjects[2], sup_vec3* dv,
                        bench_figures* out) {
    solo* s = subjects[0].state;
    double seconds[2], residuals[2];
    if (!tune_supple(s, &subjects[1], dv) || !bench_time_work(subjects, 2, row->repeats, seconds)) {
        return false;
    }
    read_solo(s, dv);
    residuals[0] = bench_eigen_implicit_residual(&subjects[1], dv);
    bench_eigen_implicit_read(&subjects[1], dv);
    residuals[1] = bench_eigen_implicit_residual(&subjects[1], dv);
    snprintf(out->note, sizeof out->note, "residuals %.2g and %.2g, %d and %d iterations",
             residuals[0], residuals[1], (int)s->report.iterations,
             (int)bench_eigen_implicit_iterations(&subjects[1]));
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    out->simd = s->step.kernels->simd;
    return true;
}

static bool beside_eigen(const bench_row* row, const bench_cloth* cloth, const bench_net* net,
                         double drag, bench_figures* out) {
    bench_subject subjects[2];
    sup_vec3* dv = malloc((size_t)net->point_count * sizeof *dv);
    bool made = dv && create_solo(cloth, net, drag, row, 1, &subjects[0]), done = false;
    if (made && create_eigen(net, drag, dv, &subjects[1])) {
        done = time_beside(row, subjects, dv, out);
        subjects[1].destroy(subjects[1].state);
    }
    if (made) destroy(subjects[0].state);
    free(dv);
    if (!done) {
        fprintf(stderr, "supple_bench: %s: a step failed, or its residual stays large\n",
                row->name);
    }
    return done;
}

/* ---- Beside one worker ---- */

static bool beside_one_worker(const bench_row* row, const bench_cloth* cloth, const bench_net* net,
                              double drag, bench_figures* out) {
    bench_subject subjects[2];
    double seconds[2];
    int32_t made = 0;
    while (made < 2 &&
           create_solo(cloth, net, drag, row, made ? 1 : row->threads, &subjects[made])) {
        made++;
    }
    bool done = made == 2 && bench_time(subjects, 2, row->repeats, seconds);
    if (done) {
        const solo* s = subjects[0].state;
        snprintf(out->note, sizeof out->note, "%d iterations", (int)s->report.iterations);
        out->value = 1e3 * seconds[0];
        out->reference = 1e3 * seconds[1];
        out->simd = s->step.kernels->simd;
    } else {
        fprintf(stderr, "supple_bench: %s: a step failed\n", row->name);
    }
    while (made > 0) destroy(subjects[--made].state);
    return done;
}

/* ---- Rows ---- */

static bool measure(const bench_row* row, bench_figures* out) {
    const task* what = row->detail;
    const bench_cloth_plan plan = bench_cloth_default(what->side);
    bench_cloth cloth;
    bench_net net;
    if (!bench_cloth_create(&plan, &cloth)) return false;
    bool done = bench_cloth_step(&cloth, SWINGS) && bench_net_create(&cloth, &net);
    if (done) {
        done = (row->threads > 1 ? beside_one_worker : beside_eigen)(row, &cloth, &net,
                                                                     plan.springs.drag, out);
        bench_net_destroy(&net);
    }
    bench_cloth_destroy(&cloth);
    return done;
}

#define EIGEN_ROW(name, about, levels)                                                             \
    {                                                                                              \
        name, "implicit step of cloth of 59,002 springs to a residual of 1e-4, " about, "ms/step", \
            "Eigen", 4.0, 15.0, 1, SUP_SIMD_AUTO, measure, &(const task){100, levels}, 6           \
    }
#define WORKERS_ROW(side, floor)                                                                   \
    {                                                                                              \
        "implicit.workers." #side "x" #side, "two workers beside one, the same step", "ms/step",   \
            "one worker", floor, 1.9, 2, SUP_SIMD_AUTO, measure, &(const task){side, false}, 10    \
    }

static const bench_row rows[] = {
    EIGEN_ROW("implicit.100x100", "beside an assembled matrix", false),
    EIGEN_ROW("implicit.levels.100x100", "the same with levels as preconditioner", true),
    WORKERS_ROW(100, 1.6),
    WORKERS_ROW(300, 1.2),
};

const bench_row* bench_rows_implicit(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
