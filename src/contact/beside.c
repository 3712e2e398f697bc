#include "contact/beside.h"

#define ROWS_MAX 512       /* of a run */
#define COUPLES_AT_ONCE 16 /* what a worker takes at a time */

typedef struct job {
    const supi_near_kernels* kernels;
    const supi_run* runs;
    const sup_row *x, *v;
    float margin;
    const uint64_t* couples;
    int32_t couple_count;
    const int32_t* firsts;   /* by couple: of its masks; by row of its first run those of the */
    uint64_t* masks;         /* spans of the second */
    supi_pair_group* groups; /* by couple */
    supi_pair* pairs;
} job;

bool supi_beside_fits(const supi_run* runs, int32_t run_count) {
    for (int32_t i = 0; i < run_count; i++) {
        if (runs[i].count > ROWS_MAX) return false;
    }
    return true;
}

static int32_t spans_of(const supi_run* run) {
    return (run->count + SUPI_NEAR_SPAN - 1) / SUPI_NEAR_SPAN;
}

static void mask_couple(const job* j, int32_t index) {
    int32_t run_a = (int32_t)(j->couples[index] >> 32),
            run_b = (int32_t)(uint32_t)j->couples[index];
    const supi_run *a = &j->runs[run_a], *b = &j->runs[run_b];
    supi_near_couple couple = {.xa = j->x + a->first,
                               .va = j->v + a->first,
                               .count_a = a->count,
                               .margin = j->margin,
                               .stride = spans_of(b)};
    for (int k = 0; k < 3; k++) couple.offset[k] = (float)(b->anchor[k] - a->anchor[k]);
    int32_t found = 0;
    for (int32_t i = 0; i < couple.stride; i++) {
        int32_t first = SUPI_NEAR_SPAN * i, left = b->count - first;
        couple.xb = j->x + b->first + first;
        couple.vb = j->v + b->first + first;
        couple.count_b = left < SUPI_NEAR_SPAN ? left : SUPI_NEAR_SPAN;
        found += j->kernels->beside(&couple, j->masks + j->firsts[index] + i);
    }
    j->groups[index] = (supi_pair_group){run_a, run_b, 0, found};
}

static void write_couple(const job* j, int32_t index) {
    const supi_pair_group* group = &j->groups[index];
    const supi_run *a = &j->runs[group->run_a], *b = &j->runs[group->run_b];
    const uint64_t* masks = j->masks + j->firsts[index];
    supi_pair* to = j->pairs + group->first;
    if (group->count == 0) return;
    int32_t spans = spans_of(b);
    for (int32_t i = 0; i < a->count * spans; i++) {
        int32_t row = a->first + i / spans, first = b->first + SUPI_NEAR_SPAN * (i % spans);
        for (uint64_t mask = masks[i]; mask; mask &= mask - 1) {
            *to++ = (supi_pair){row, first + __builtin_ctzll(mask)};
        }
    }
}

static void mask_some(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    int32_t first = index * COUPLES_AT_ONCE, end = first + COUPLES_AT_ONCE;
    for (int32_t i = first; i < j->couple_count && i < end; i++) mask_couple(j, i);
}

static void write_some(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    int32_t first = index * COUPLES_AT_ONCE, end = first + COUPLES_AT_ONCE;
    for (int32_t i = first; i < j->couple_count && i < end; i++) write_couple(j, i);
}

/* Room for the masks of all couples. */
static bool reserve_masks(job* j, supi_grid* grid, const sup_allocator* allocator) {
    int64_t count = 0;
    int32_t* firsts =
        supi_column_reserve(&grid->couple_firsts, allocator, j->couple_count, sizeof *firsts);
    if (!firsts) return false;
    for (int32_t i = 0; i < j->couple_count; i++) {
        firsts[i] = (int32_t)count;
        count += (int64_t)j->runs[j->couples[i] >> 32].count *
                 spans_of(&j->runs[(uint32_t)j->couples[i]]);
        if (count > INT32_MAX) return false;
    }
    j->firsts = firsts;
    j->masks = supi_column_reserve(&grid->masks, allocator, (int32_t)count, sizeof *j->masks);
    j->groups =
        supi_column_reserve(&grid->group_store, allocator, j->couple_count, sizeof *j->groups);
    return j->masks && j->groups;
}

static bool reserve_pairs(job* j, supi_grid* grid, const sup_allocator* allocator) {
    int64_t count = 0;
    for (int32_t i = 0; i < j->couple_count; i++) {
        j->groups[i].first = (int32_t)count;
        count += j->groups[i].count;
        if (count > INT32_MAX) return false;
    }
    grid->pair_count = (int32_t)count;
    j->pairs = supi_column_reserve(&grid->pair_store, allocator, (int32_t)count, sizeof *j->pairs);
    return j->pairs != NULL;
}

sup_result supi_beside_find(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_near_kernels* kernels, const supi_run* runs,
                            int32_t run_count, const supi_exemptions* exemptions, const sup_row* x,
                            const sup_row* v, float margin) {
    grid->pair_count = grid->group_count = grid->skipped = 0;
    if (!supi_grid_find_couples(grid, allocator, runs, run_count, exemptions, margin)) {
        return SUP_NO_MEMORY;
    }
    job j = {.kernels = kernels,
             .runs = runs,
             .x = x,
             .v = v,
             .margin = margin,
             .couples = grid->sweep.couples,
             .couple_count = grid->sweep.couple_count};
    int32_t tasks_needed = (j.couple_count + COUPLES_AT_ONCE - 1) / COUPLES_AT_ONCE;
    if (!reserve_masks(&j, grid, allocator)) return SUP_NO_MEMORY;
    supi_tasks_run(tasks, tasks_needed, mask_some, &j);
    if (!reserve_pairs(&j, grid, allocator)) {
        grid->pair_count = 0;
        return SUP_NO_MEMORY;
    }
    supi_tasks_run(tasks, tasks_needed, write_some, &j);
    for (int32_t i = 0; i < j.couple_count; i++) {
        if (j.groups[i].count > 0) j.groups[grid->group_count++] = j.groups[i];
    }
    grid->pairs = j.pairs;
    grid->groups = j.groups;
    return SUP_OK;
}
