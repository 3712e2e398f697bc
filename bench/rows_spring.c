/* Rows about the two loops over springs: their forces, and sweeps that mend their lengths. */
#include "cloth.h"

#include "base/memory.h"
#include "blueprint/blueprint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sup_row* new_rows(int32_t count) {
    size_t bytes = (size_t)count * sizeof(sup_row);
    sup_row* rows = aligned_alloc(SUPI_ALIGNMENT, (bytes / SUPI_ALIGNMENT + 1) * SUPI_ALIGNMENT);
    if (rows) memset(rows, 0, bytes);
    return rows;
}

static bool failed(const bench_row* row, const char* why) {
    fprintf(stderr, "supple_bench: %s: %s\n", row->name, why);
    return false;
}

/* ---- Sweeps ---- */

/* Cloth whose springs are all hard: a step falls, and then sweeps mend all lengths, as Bullet does
   it. */
typedef struct sweeps {
    const bench_cloth* cloth;
    supi_arena arena;
    supi_limit_order order;
    supi_limit limit;
    sup_row *x, *v;
} sweeps;

static bool sweep(void* state) {
    sweeps* s = state;
    const float h = (float)BENCH_CLOTH_H, fall = (float)(BENCH_GRAVITY * BENCH_CLOTH_H);
    for (int32_t i = 0; i < s->limit.row_count; i++) {
        sup_row *x = s->x + i, *v = s->v + i;
        v->y -= x->w > 0.0f ? fall : 0.0f;
        x->x += h * v->x;
        x->y += h * v->y;
        x->z += h * v->z;
    }
    supi_limit_run(&s->limit, s->x, s->v);
    return true;
}

static bool read_sweeps(void* state, sup_point* places) {
    const sweeps* s = state;
    const sup_blueprint* print = s->cloth->print;
    for (int32_t i = 0; i < print->info.particle_count; i++) {
        const sup_row* x = s->x + print->row_of[i];
        places[i] = (sup_point){(double)x->x, (double)x->y, (double)x->z};
    }
    return true;
}

static void destroy_sweeps(void* state) {
    sweeps* s = state;
    supi_arena_free(&s->arena);
    free(s->x);
    free(s->v);
    free(s->limit.scratch);
    free(s);
}

/* All springs in one order, as if all were structural. */
static bool order_all(sweeps* s) {
    const sup_blueprint* print = s->cloth->print;
    size_t count = (size_t)print->spring_count;
    sup_spring* all = malloc(count * sizeof *all);
    float* w = calloc((size_t)print->row_count, sizeof *w);
    supi_arena scratch;
    supi_arena_init(&scratch, sup_allocator_default());
    bool done = all && w;
    if (done) {
        memcpy(all, print->springs, count * sizeof *all);
        for (size_t i = 0; i < count; i++) all[i].kind = SUP_SPRING_STRUCT;
        memcpy(w, print->inverse_mass, (size_t)print->info.particle_count * sizeof *w);
        done = supi_limit_order_build(&print->net, all, w, &s->arena, &scratch, &s->order);
    }
    supi_arena_free(&scratch);
    free(all);
    free(w);
    return done;
}

static bool create_sweeps(const bench_cloth* cloth, const bench_net* net, bench_subject* out) {
    const sup_blueprint* print = cloth->print;
    sweeps* s = calloc(1, sizeof *s);
    if (!s) return false;
    s->cloth = cloth;
    supi_arena_init(&s->arena, sup_allocator_default());
    bool good = order_all(s);
    s->x = new_rows(print->row_count);
    s->v = new_rows(print->row_count);
    s->limit = (supi_limit){.kernels = supi_kernels_find(SUP_SIMD_AUTO),
                            .order = &s->order,
                            .row_count = print->row_count,
                            .h = BENCH_CLOTH_H,
                            .longer = 1e-9, /* none at all, in floats */
                            .shorter = 1e-9,
                            .kinds = SUP_LIMIT_STRUCT_SHEAR,
                            .sweeps = BENCH_CLOTH_SWEEPS,
                            .scratch = new_rows(print->row_count)};
    *out = (bench_subject){s, sweep, 1, read_sweeps, destroy_sweeps};
    if (good && s->x && s->v && s->limit.scratch) {
        for (int32_t i = 0; i < net->point_count; i++) s->x[print->row_of[i]] = net->x[i];
        return true;
    }
    destroy_sweeps(s);
    return false;
}

/* How far both are stretched after 2 s, which they swing meanwhile. */
static bool swing(const bench_cloth* cloth, bench_subject* subject, bench_stretch* out) {
    enum { STEPS = 120 };
    sup_point* places = malloc((size_t)cloth->web.point_count * sizeof *places);
    bool good = places != NULL;
    for (int32_t i = 0; i < STEPS && good; i++) good = subject->step(subject->state);
    good = good && subject->read(subject->state, places);
    if (good) *out = bench_stretch_of(&cloth->web, places);
    free(places);
    return good;
}

static bool time_sweeps(const bench_row* row, const bench_cloth* cloth, bench_subject subjects[2],
                        bench_figures* out) {
    bench_stretch stretch[2];
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        if (!swing(cloth, &subjects[k], &stretch[k])) return failed(row, "a step failed");
    }
    if (!bench_time_work(subjects, 2, row->repeats, seconds)) return failed(row, "a step failed");
    double swept = (double)cloth->web.spring_count * BENCH_CLOTH_SWEEPS;
    out->value = 1e9 * seconds[0] / swept;
    out->reference = 1e9 * seconds[1] / swept;
    out->simd = ((sweeps*)subjects[0].state)->limit.kernels->simd;
    snprintf(out->note, sizeof out->note,
             "stretch after 2 s: mean %.1f %%, most %.0f %%; Bullet %.1f %%, %.0f %%",
             100.0 * stretch[0].mean, 100.0 * stretch[0].most, 100.0 * stretch[1].mean,
             100.0 * stretch[1].most);
    return true;
}

static bool sweep_net(const bench_row* row, const bench_cloth* cloth, const bench_net* net,
                      bench_figures* out) {
    bench_subject subjects[2];
    bool done = false;
    if (!create_sweeps(cloth, net, &subjects[0])) return failed(row, "no memory");
    if (bench_bullet_links_create(net, &subjects[1])) {
        done = time_sweeps(row, cloth, subjects, out);
        subjects[1].destroy(subjects[1].state);
    }
    subjects[0].destroy(subjects[0].state);
    return done;
}

static bool measure_sweep(const bench_row* row, bench_figures* out) {
    const bench_cloth_plan plan = bench_cloth_default(*(const int32_t*)row->detail);
    bench_cloth cloth;
    bench_net net;
    if (!bench_cloth_create(&plan, &cloth)) return false;
    bool done = bench_net_create(&cloth, &net);
    if (done) {
        done = sweep_net(row, &cloth, &net, out);
        bench_net_destroy(&net);
    }
    bench_cloth_destroy(&cloth);
    return done;
}

/* ---- Forces ---- */

typedef struct pulls {
    bench_cloth cloth;
    const supi_kernels* kernels;
    sup_row *x, *v, *f;
} pulls;

static bool pull(void* state) {
    pulls* p = state;
    const supi_spring_net* net = &p->cloth.print->net;
    p->kernels->springs->forces(net, 0, net->row_count / 8, p->x, p->v, p->f, NULL);
    return true;
}

static void destroy_pulls(void* state) {
    pulls* p = state;
    bench_cloth_destroy(&p->cloth);
    free(p->x);
    free(p->v);
    free(p->f);
    free(p);
}

static bool create_pulls(int32_t side, sup_simd simd, bench_subject* out) {
    const bench_cloth_plan plan = bench_cloth_default(side);
    pulls* p = calloc(1, sizeof *p);
    if (!p || !bench_cloth_create(&plan, &p->cloth)) {
        free(p);
        return false;
    }
    const sup_blueprint* print = p->cloth.print;
    p->kernels = supi_kernels_find(simd);
    p->x = new_rows(print->row_count);
    p->v = new_rows(print->row_count);
    p->f = new_rows(print->row_count);
    *out = (bench_subject){p, pull, 1, NULL, destroy_pulls};
    if (p->kernels && p->x && p->v && p->f) {
        for (int32_t i = 0; i < print->info.particle_count; i++) {
            const sup_vec3* rest = print->rest + i; /* sheared a little */
            p->x[i] = (sup_row){rest->x, 0.01f * rest->x, 1.01f * rest->z, print->inverse_mass[i]};
            p->v[i] = (sup_row){rest->z, rest->x, 0.0f, 0.0f};
        }
        return true;
    }
    destroy_pulls(p);
    return false;
}

/* One or two nets, or one and two copies of kernels. */
typedef struct pull_plan {
    int32_t sides[2];
    sup_simd simd[2];
    double allowance;
} pull_plan;

/* ns per spring of both. */
static bool time_pulls(const bench_row* row, double ns[2], sup_simd* simd) {
    const pull_plan* plan = row->detail;
    bench_subject subjects[2];
    double seconds[2];
    int32_t made = 0;
    while (made < 2 && create_pulls(plan->sides[made], plan->simd[made], &subjects[made])) {
        made++;
    }
    bool done = made == 2 && bench_time_work(subjects, 2, row->repeats, seconds);
    for (int32_t k = 0; k < made; k++) {
        const pulls* p = subjects[k].state;
        if (done) ns[k] = 1e9 * seconds[k] / (double)p->cloth.web.spring_count;
        if (k == 0) *simd = p->kernels->simd;
        destroy_pulls(subjects[k].state);
    }
    return done || failed(row, "could not be made");
}

static bool measure_pull(const bench_row* row, bench_figures* out) {
    const pull_plan* plan = row->detail;
    double ns[2];
    if (!time_pulls(row, ns, &out->simd)) return false;
    out->value = ns[0];
    out->reference = plan->allowance > 0.0 ? plan->allowance : ns[1];
    return true;
}

static bool measure_pull_spread(const bench_row* row, bench_figures* out) {
    const pull_plan* plan = row->detail;
    double ns[2];
    if (!time_pulls(row, ns, &out->simd)) return false;
    out->value = fmax(ns[0], ns[1]) / fmin(ns[0], ns[1]);
    out->reference = plan->allowance;
    snprintf(out->note, sizeof out->note, "%.2f and %.2f ns/spring", ns[0], ns[1]);
    return true;
}

/* ---- Forces beside a copy of the same bytes ---- */

enum { COPY_BYTES = 64 << 20 };

static bool copy(void* state) {
    char* bytes = state;
    memcpy(bytes, bytes + COPY_BYTES, COPY_BYTES);
    __asm__ volatile("" : : "r"(bytes) : "memory"); /* nobody reads it, and still it is wanted */
    return true;
}

/* Bytes of a pass over the springs, read and written once. */
static double bytes_of(const supi_spring_net* given) {
    const supi_spring_net* net = given->once;
    double side = sizeof *net->other + 3 * sizeof(float), row = 4 * sizeof(sup_row);
    return 8.0 * (double)net->column_count * side + (double)net->row_count * row;
}

static bool measure_memory(const bench_row* row, bench_figures* out) {
    const pull_plan* plan = row->detail;
    bench_subject subjects[2];
    double seconds[2];
    char* bytes = malloc(2 * (size_t)COPY_BYTES);
    if (!bytes || !create_pulls(plan->sides[0], plan->simd[0], &subjects[0])) {
        free(bytes);
        return failed(row, "no memory");
    }
    memset(bytes, 1, 2 * (size_t)COPY_BYTES);
    subjects[1] = (bench_subject){bytes, copy, 1, NULL, NULL};
    const pulls* p = subjects[0].state;
    bool done = bench_time_work(subjects, 2, row->repeats, seconds);
    if (done) {
        double springs = p->cloth.web.spring_count, bandwidth = 2.0 * COPY_BYTES / seconds[1];
        double least = bytes_of(&p->cloth.print->net) / bandwidth;
        out->value = 1e9 * seconds[0] / springs;
        out->reference = 1e9 * plan->allowance * least / springs;
        out->simd = p->kernels->simd;
        snprintf(out->note, sizeof out->note, "%.1f bytes/spring, a copy %.1f GB/s",
                 bytes_of(&p->cloth.print->net) / springs, 1e-9 * bandwidth);
    }
    destroy_pulls(subjects[0].state);
    free(bytes);
    return done;
}

/* ---- Rows ---- */

#define AUTO SUP_SIMD_AUTO

static const bench_row rows[] = {
    {"spring.sweep.100x100",
     "10 sweeps over 59,002 springs and the fall before, beside soft bodies", "ns/spring", "Bullet",
     2.5, 4.0, 1, AUTO, measure_sweep, &(const int32_t){100}, 20},
    {"spring.sweep.300x300",
     "10 sweeps over 537,002 springs and the fall before, beside soft bodies", "ns/spring",
     "Bullet", 3.5, 5.0, 1, AUTO, measure_sweep, &(const int32_t){300}, 8},
    {"spring.forces.100x100", "forces of 59,002 springs", "ns/spring", "at most", 1.0, 1.67, 1,
     AUTO, measure_pull, &(const pull_plan){{100, 100}, {AUTO, AUTO}, 2.0}, BENCH_REPEATS},
    {"spring.forces.scalar", "forces of 59,002 springs, beside the scalar copy of the loop",
     "ns/spring", "scalar", 0.0, 0.0, 1, AUTO, measure_pull,
     &(const pull_plan){{100, 100}, {AUTO, SUP_SIMD_SCALAR}, 0.0}, BENCH_REPEATS},
    {"spring.forces.scaling", "dearer over cheaper spring of 10,000 and 100,000", "x", "at most",
     1.0, 0.0, 1, AUTO, measure_pull_spread, &(const pull_plan){{42, 131}, {AUTO, AUTO}, 1.25},
     BENCH_REPEATS},
    {"spring.forces.memory", "forces of 1,000,000 springs, beside 1.5 times a copy of their bytes",
     "ns/spring", "1.5 x copy", 1.0, 0.0, 1, AUTO, measure_memory,
     &(const pull_plan){{410, 0}, {AUTO, AUTO}, 1.5}, 20},
};

const bench_row* bench_rows_spring(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
