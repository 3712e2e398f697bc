/* Pulling: as many passes as the shortest edge wants, each over all generations
   (Bobrovsky and Romanovsky 1999, with what they left open decided). */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "deform/clay.h"
#include "deform/insert.h"
#include "deform/press.h"
#include "deform/split.h"
#include "geom/sort.h"
#include "geom/vector.h"

#include <string.h>

#define CROWD 64  /* batches of a generation that several workers share */
#define CHUNK 64  /* batches of a task */
#define TINY 1e-7 /* of the mean edge: nearer points are in one place */
#define PULL_MOST 1e6f

sup_pull_def sup_pull_default(void) {
    return (sup_pull_def){.size = sizeof(sup_pull_def),
                          .transfer = 0.9,
                          .transverse = 0.5,
                          .beta = 0.25,
                          .split_budget = 256,
                          .squeezed = 0.4};
}

sup_pull_def sup_pull_seed(void) {
    sup_pull_def def = sup_pull_default();
    def.transverse = 0.0;
    return def;
}

static bool changes_edges(const sup_pull_def* d) {
    return d->split > 0.0 || d->squeeze != SUP_SQUEEZE_KEEP;
}

static sup_result check_pull(const sup_pull_def* d, sup_error* error) {
    if (d->size != sizeof *d)
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the definition is not from sup_pull_default");
    const supi_range ranges[] = {
        {"transfer", d->transfer, 0.0, 1.0},
        {"transverse", d->transverse, 0.0, 1.0},
        {"beta", d->beta, 0.05, 0.5},
        {"passes", d->passes, 0, 1000},
        {"depth", d->depth, 0, INT32_MAX},
        {"lengths", (int)d->lengths, SUP_PULL_CLAY, SUP_PULL_MEMORY},
        {"sums", (int)d->sums, SUP_PULL_ORDERED, SUP_PULL_REPRODUCIBLE},
        {"split", d->split, d->split != 0.0 ? 1.1 : 0.0, 4.0},
        {"split_budget", d->split_budget, 1, 1 << 20},
        {"point_limit", d->point_limit, 0, 1 << 30},
        {"splits", (int)d->splits, SUP_SPLIT_AFTER, SUP_SPLIT_WITHIN},
        {"squeeze", (int)d->squeeze, SUP_SQUEEZE_KEEP, SUP_SQUEEZE_SPLIT},
        {"squeezed", d->squeezed, 0.1, 0.9},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result == SUP_OK && d->fade && d->depth == 0)
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "fade wants a depth");
    if (result == SUP_OK && d->remember && changes_edges(d))
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "remember is for pulls without split and squeeze");
    return result;
}

/* ---- Sources ---- */

static sup_result check_sources(const sup_clay* s, int32_t count, const int32_t* points,
                                const sup_vec3* by, sup_error* error) {
    if (count < 0) return supi_error_set(error, SUP_BAD_ARGUMENT, "count is below 0");
    for (int32_t i = 0; i < count; i++) {
        if (points[i] < 0 || points[i] >= s->fabric.graph.point_count)
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "points[%d] is %d, but there are %d points", (int)i,
                                  (int)points[i], (int)s->fabric.graph.point_count);
        if (!(fabsf(by[i].x) <= PULL_MOST && fabsf(by[i].y) <= PULL_MOST &&
              fabsf(by[i].z) <= PULL_MOST))
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "displacements[%d] is not a length within 1e6 m", (int)i);
    }
    return SUP_OK;
}

/* By id; of one id the last. */
static bool sort_sources(sup_clay* s, int32_t count, const int32_t* points) {
    for (int k = 0; k < 2; k++) {
        if (!supi_column_reserve(&s->keys[k], s->allocator, count, sizeof(uint64_t)) ||
            !supi_column_reserve(&s->picks[k], s->allocator, count, sizeof(int32_t)))
            return false;
    }
    if (!supi_column_reserve(&s->sources, s->allocator, count, sizeof(int32_t)) ||
        !supi_column_reserve(&s->pulls, s->allocator, count, sizeof(sup_vec3)))
        return false;
    uint64_t* keys = s->keys[0].items;
    int32_t* picks = s->picks[0].items;
    for (int32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)points[i];
        picks[i] = i;
    }
    supi_sort_keys(count, keys, picks, s->keys[1].items, s->picks[1].items);
    return true;
}

static double length_of(sup_vec3 by) {
    double d[3];
    supi_vector_from(&by, d);
    return supi_vector_length(d);
}

static void take_sources(sup_clay* s, int32_t count, const int32_t* points, const sup_vec3* by,
                         supi_pull* pull, sup_pull_report* report) {
    const int32_t* picks = s->picks[0].items;
    int32_t* rows = s->sources.items;
    sup_vec3* pulls = s->pulls.items;
    for (int32_t i = 0; i < count; i++) {
        int32_t id = points[picks[i]], row = s->fabric.graph.row_of[id];
        if (i + 1 < count && points[picks[i + 1]] == id) continue;
        if (s->fabric.rows[row].w <= 0.0f) {
            report->ignored++;
            continue;
        }
        rows[pull->count] = row;
        pulls[pull->count++] = by[picks[i]];
        double length = length_of(by[picks[i]]);
        if (length > pull->most) pull->most = length;
    }
    pull->rows = rows;
    pull->by = pulls;
}

/* ---- Passes ---- */

static int32_t passes_for(double length, double beta, double shortest) {
    double passes = ceil(length / (beta * shortest) - 1e-9);
    return passes > 1e6 ? 1000000 : passes < 1.0 ? 1 : (int32_t)passes;
}

static void measure_shortest(sup_clay* s) {
    bool with_zero;
    supi_plan_bring_back(&s->plan, s->fabric.rows);
    s->shortest = supi_fabric_shortest(&s->fabric, &with_zero);
    s->drift = with_zero ? -1.0 : 0.0; /* an edge without length may get a tiny one */
}

/* The shortest edge is measured again only where that could change the answer. */
int32_t supi_pull_passes(sup_clay* s, const supi_pull* pull, double length, int32_t most,
                         bool* capped) {
    double beta = pull->def->beta;
    if (pull->def->passes > 0) return pull->def->passes < most ? pull->def->passes : most;
    bool known = s->drift >= 0.0 && s->drift < s->shortest &&
                 passes_for(length, beta, s->shortest - s->drift) ==
                     passes_for(length, beta, s->shortest + s->drift);
    if (!known) measure_shortest(s);
    if (s->shortest <= 0.0) return 1;
    int32_t passes = passes_for(length, beta, s->shortest);
    *capped = *capped || passes > most;
    return passes < most ? passes : most;
}

/* What passes over a plan need beside it. */
static bool make_rooms(sup_clay* s, const supi_plan* plan, bool remember) {
    int32_t room = plan->widest + 8; /* one more row, which does not move */
    for (int k = 0; k < 2; k++) {
        if (!supi_column_reserve(&s->places[k], s->allocator, room, sizeof(sup_row)) ||
            !supi_column_reserve(&s->steps[k], s->allocator, room, sizeof(sup_row)))
            return false;
    }
    int32_t end = SUPI_PLAN_INTS(plan->levels)[plan->level_count];
    return !remember || supi_column_reserve(&s->moved, s->allocator, end, sizeof(sup_row));
}

bool supi_pull_prepare(sup_clay* s, const supi_pull* pull) {
    const sup_pull_def* def = pull->def;
    const supi_plan_order order = {
        .source_count = pull->count,
        .sources = pull->rows,
        .depth = def->depth > 0 ? def->depth : INT32_MAX,
        .pins_block = def->pins_block,
        .transfers = s->fabric.transfers,
        .rests = def->lengths == SUP_PULL_MEMORY ? s->fabric.rests : NULL,
        .before = &s->plan,
        .light = s->fabric.light,
    };
    bool fits = supi_plan_fits(&s->plan, &order);
    if (!fits && !supi_plan_make(&s->spare, &s->fabric.graph, s->fabric.rows, s->tasks, &order))
        return false;
    if (!make_rooms(s, fits ? &s->plan : &s->spare, def->remember)) {
        s->spare.ready = false;
        return false;
    }
    if (!fits) {
        supi_plan_leave(&s->plan, &s->spare, s->fabric.graph.point_count, s->fabric.rows);
        supi_plan old = s->plan;
        s->plan = s->spare;
        s->spare = old;
        s->spare.ready = s->pulled = s->remembers = false;
    }
    if (def->remember)
        memset(s->moved.items, 0,
               (size_t)SUPI_PLAN_INTS(s->plan.levels)[s->plan.level_count] * sizeof(sup_row));
    return true;
}

static void move_sources(sup_clay* s, const supi_pull* pull, double part) {
    sup_row *rows = s->plan.rows.items, *places = s->places[0].items, *steps = s->steps[0].items;
    int32_t end = SUPI_PLAN_INTS(s->plan.levels)[1];
    memset(steps, 0, ((size_t)end + 1) * sizeof *steps);
    memset(places, 0, ((size_t)end + 1) * sizeof *places);
    for (int32_t i = 0; i < pull->count; i++) {
        sup_vec3 by = pull->by[i];
        places[i] = rows[i];
        steps[i] = (sup_row){(float)(by.x * part), (float)(by.y * part), (float)(by.z * part), 0};
        rows[i] = (sup_row){rows[i].x + steps[i].x, rows[i].y + steps[i].y, rows[i].z + steps[i].z,
                            rows[i].w};
    }
}

static void remember_level(sup_clay* s, int32_t level, const sup_row* steps) {
    sup_row* moved = s->moved.items;
    int32_t first = SUPI_PLAN_INTS(s->plan.levels)[level];
    for (int32_t i = 0; i < SUPI_PLAN_INTS(s->plan.widths)[level]; i++) {
        sup_row* m = moved + first + i;
        *m = (sup_row){m->x + steps[i].x, m->y + steps[i].y, m->z + steps[i].z, 0.0f};
    }
}

/* 1 up to half the depth, then smoothly down to 0 at its end. */
static float fade_at(const sup_pull_def* def, int32_t generation) {
    if (!def->fade) return 1.0f;
    double half = 0.5 * def->depth, t = (generation - half) / half;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return (float)(1.0 - t * t * (3.0 - 2.0 * t));
}

/* A power of two, so that dividing by it loses nothing. */
static double unit_of(const sup_clay* s, const supi_pull* pull) {
    double unit = 1.0, most = pull->most;
    if (pull->def->sums != SUP_PULL_REPRODUCIBLE) return 0.0;
    if (pull->def->lengths == SUP_PULL_MEMORY) most += 1024.0 * s->fabric.mean_edge;
    while (unit < most) unit *= 2.0;
    return unit * 0x1p-40;
}

typedef struct sweep_job {
    const supi_sweep_kernels* kernels;
    const supi_sweep* sweep;
    int32_t first, end; /* batches */
    int32_t moved;      /* 1: some batch has moved */
} sweep_job;

static void sweep_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    sweep_job* job = context;
    int32_t begin = job->first + index * CHUNK, end = begin + CHUNK;
    if (job->kernels->pass(job->sweep, job->first, begin, end < job->end ? end : job->end))
        __atomic_store_n(&job->moved, 1, __ATOMIC_RELAXED);
}

/* Whether any of the generation moved. */
static bool sweep_level(const sup_clay* s, const supi_sweep* sweep, int32_t level) {
    const int32_t* levels = SUPI_PLAN_INTS(s->plan.levels);
    sweep_job job = {s->kernels, sweep, levels[level] / 8, levels[level + 1] / 8, 0};
    int32_t count = job.end - job.first;
    if (count < CROWD || supi_tasks_worker_count(s->tasks) == 1)
        return s->kernels->pass(sweep, job.first, job.first, job.end);
    supi_tasks_run(s->tasks, (count + CHUNK - 1) / CHUNK, sweep_chunk, &job);
    return job.moved != 0;
}

void supi_pull_pass(sup_clay* s, const supi_pull* pull, double part) {
    const sup_pull_def* def = pull->def;
    const supi_plan* p = &s->plan;
    double transfer = s->fabric.transfers ? 1.0 : def->transfer;
    supi_sweep sweep = {
        .columns = p->columns.items,
        .parents = p->parents.items,
        .weights = p->weighted ? p->weights.items : NULL,
        .rests = p->resting ? p->rests.items : NULL,
        .rows = p->rows.items,
        .along = (float)(transfer * (1.0 - def->transverse)),
        .across = (float)(transfer * def->transverse),
        .tiny = (float)(TINY * s->fabric.mean_edge),
        .unit = unit_of(s, pull),
    };
    move_sources(s, pull, part);
    if (def->remember) remember_level(s, 0, s->steps[0].items);
    for (int32_t level = 1; level < p->level_count; level++) {
        int32_t here = level & 1, end = SUPI_PLAN_INTS(p->levels)[level + 1];
        int32_t width = end - SUPI_PLAN_INTS(p->levels)[level];
        sweep.places_above = s->places[1 - here].items;
        sweep.moved_above = s->steps[1 - here].items;
        sweep.places = s->places[here].items;
        sweep.moved = s->steps[here].items;
        sweep.places[width] = sweep.moved[width] = (sup_row){0.0f, 0.0f, 0.0f, 0.0f};
        sweep.fade = fade_at(def, level);
        bool moved = sweep_level(s, &sweep, level);
        if (pull->inserting) supi_insert_level(pull->inserting, s, &sweep, level);
        if (def->remember) remember_level(s, level, sweep.moved);
        if (!moved && !sweep.rests) return; /* nobody hands on anything any more */
    }
}

static bool pull_plainly(sup_clay* s, const supi_pull* pull, sup_pull_report* report) {
    if (!supi_pull_prepare(s, pull)) return false;
    int32_t most = pull->def->passes > 0 ? pull->def->passes : SUPI_PASSES_MOST;
    int32_t passes = supi_pull_passes(s, pull, pull->most, most, &report->capped);
    for (int32_t i = 0; i < passes; i++) supi_pull_pass(s, pull, 1.0 / passes);
    bool bounded = pull->def->lengths == SUP_PULL_CLAY && s->drift >= 0.0;
    s->drift = bounded ? s->drift + 2.001 * pull->most : -1.0;
    report->passes = passes;
    s->pulled = true;
    s->remembers = pull->def->remember;
    return true;
}

/* Rows are ids in clay that keeps its order. */
bool supi_clay_press(sup_clay* s, const sup_pull_def* def, int32_t count, const int32_t* points,
                     const sup_vec3* by) {
    supi_pull pull = {.def = def, .count = count, .rows = points, .by = by};
    sup_pull_report done = {0};
    for (int32_t i = 0; i < count; i++) {
        double length = length_of(by[i]);
        if (length > pull.most) pull.most = length;
    }
    if (!(pull.most > 0.0)) return true;
    if (!pull_plainly(s, &pull, &done)) return false;
    supi_clay_settle(s);
    supi_plan used = s->plan; /* the next plan is made in the room of this one */
    s->plan = s->spare;
    s->spare = used;
    return true;
}

sup_result sup_clay_pull(sup_clay* clay, const sup_pull_def* def, int32_t count,
                         const int32_t* points, const sup_vec3* displacements,
                         sup_pull_report* report, sup_error* error) {
    SUPI_NEED(error, clay, def);
    if (count > 0) SUPI_NEED(error, points, displacements);
    sup_pull_report done = {0};
    sup_result result = check_pull(def, error);
    if (result == SUP_OK) result = check_sources(clay, count, points, displacements, error);
    if (result != SUP_OK) return result;
    if (!sort_sources(clay, count, points)) return supi_error_memory(error);
    supi_float_mode mode = supi_float_mode_enter();
    supi_pull pull = {.def = def};
    clay->fresh.count = 0;
    take_sources(clay, count, points, displacements, &pull, &done);
    if (pull.most > 0.0) {
        bool pulled = changes_edges(def) ? supi_pull_splitting(clay, &pull, &done)
                                         : pull_plainly(clay, &pull, &done);
        if (!pulled) result = supi_error_memory(error);
        done.reached = clay->plan.reached;
        done.generations = clay->plan.level_count - 1;
    } else {
        clay->pulled = clay->remembers = false; /* nobody has followed */
    }
    supi_float_mode_leave(mode);
    if (result == SUP_OK) supi_clay_tell(clay);
    if (result == SUP_OK && report) *report = done;
    return result;
}
