#include "contact/pair_list.h"

#include "contact/beside.h"

#include <math.h>
#include <string.h>

/* How many calls a list should last, and what that may cost: shares of the largest contact radius
   that rows may go. */
#define LIFE 12
#define LEAST_ROOM 0.05f
#define MOST_ROOM 0.4f

#define RUNS_AT_ONCE 16 /* what a worker takes at a time */

/* A run as it was when the list was made. */
typedef struct home {
    supi_run run;
    bool meets; /* it has couples: its rows are watched, of others their box */
} home;

typedef struct job {
    supi_pair_lists* lists;
    const supi_run* runs;
    int32_t run_count;
    const supi_exemptions* exemptions;
    const sup_row *x, *v;
} job;

/* ---- Is the list still good? ---- */

static bool is_same(const supi_run* a, const supi_run* b) {
    return a->first == b->first && a->count == b->count && a->reach == b->reach &&
           a->asleep == b->asleep && a->held == b->held &&
           a->filter.category == b->filter.category && a->filter.mask == b->filter.mask;
}

static bool are_exemptions_same(const supi_pair_lists* lists, const supi_exemptions* e) {
    int32_t count = e ? e->couple_count : 0;
    if (count != lists->exempt_count) return false;
    return count == 0 ||
           memcmp(lists->exempt.items, e->couples, (size_t)count * sizeof *e->couples) == 0;
}

/* m, how far a run is outside of the box where it was, at most along each axis. */
static float box_drift(const supi_run* then, const supi_run* now) {
    float most = 0;
    for (int k = 0; k < 3; k++) {
        float shift = (float)(now->anchor[k] - then->anchor[k]);
        float below = then->low[k] - (now->low[k] + shift);
        float above = now->high[k] + shift - then->high[k];
        most = below > most ? below : most;
        most = above > most ? above : most;
    }
    return most;
}

static void measure(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const home* homes = j->lists->homes.items;
    const sup_row* rows = j->lists->rows.items;
    float* drifts = j->lists->drifts.items;
    int32_t end = (index + 1) * RUNS_AT_ONCE;
    for (int32_t i = index * RUNS_AT_ONCE; i < j->run_count && i < end; i++) {
        const supi_run *now = &j->runs[i], *then = &homes[i].run;
        drifts[i] = INFINITY;
        if (!is_same(now, then)) continue;
        if (!homes[i].meets) {
            drifts[i] = box_drift(then, now);
            continue;
        }
        float shift[3];
        for (int k = 0; k < 3; k++) shift[k] = (float)(now->anchor[k] - then->anchor[k]);
        drifts[i] = j->lists->kernels->drift(rows + now->first, now->count, j->x + now->first,
                                             j->v + now->first, shift);
    }
}

/* Has nobody gone further than there is room? A little less, for rounding. */
static bool is_good(const job* j, supi_tasks* tasks) {
    supi_pair_lists* lists = j->lists;
    if (!lists->made || lists->run_count != j->run_count) return false;
    if (!are_exemptions_same(lists, j->exemptions)) return false;
    supi_tasks_run(tasks, (j->run_count + RUNS_AT_ONCE - 1) / RUNS_AT_ONCE, measure, (void*)j);
    const float* drifts = lists->drifts.items;
    lists->drift = 0;
    for (int32_t i = 0; i < j->run_count; i++) {
        if (!(drifts[i] < INFINITY)) return false;
        lists->drift = drifts[i] > lists->drift ? drifts[i] : lists->drift;
    }
    return lists->drift < 0.98f * lists->room;
}

/* ---- Making it ---- */

/* By how fast rows have gone lately. */
static float room_for(const supi_pair_lists* lists, float reach) {
    float room = lists->age > 0 ? LIFE * lists->drift / (float)lists->age : 0;
    room = room < MOST_ROOM * reach ? room : MOST_ROOM * reach;
    return room > LEAST_ROOM * reach ? room : LEAST_ROOM * reach;
}

static bool remember(const job* j, const sup_allocator* allocator) {
    supi_pair_lists* lists = j->lists;
    int32_t rows = 0, exempt = j->exemptions ? j->exemptions->couple_count : 0;
    for (int32_t i = 0; i < j->run_count; i++) {
        int32_t end = j->runs[i].first + j->runs[i].count;
        rows = end > rows ? end : rows;
    }
    home* homes = supi_column_reserve(&lists->homes, allocator, j->run_count, sizeof *homes);
    sup_row* places = supi_column_reserve(&lists->rows, allocator, rows, sizeof *places);
    uint64_t* couples = supi_column_reserve(&lists->exempt, allocator, exempt, sizeof *couples);
    if (!homes || !places || !couples ||
        !supi_column_reserve(&lists->drifts, allocator, j->run_count, sizeof(float))) {
        return false;
    }
    for (int32_t i = 0; i < j->run_count; i++) homes[i] = (home){j->runs[i], false};
    const supi_sweep* sweep = &lists->grid.sweep;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        homes[sweep->couples[i] >> 32].meets = true;
        homes[(uint32_t)sweep->couples[i]].meets = true;
    }
    for (int32_t i = 0; i < j->run_count; i++) {
        if (!homes[i].meets) continue;
        int32_t first = j->runs[i].first;
        for (int32_t k = first; k < first + j->runs[i].count; k++) {
            places[k] = (sup_row){j->x[k].x, j->x[k].y, j->x[k].z, j->v[k].w};
        }
    }
    if (exempt > 0) memcpy(couples, j->exemptions->couples, (size_t)exempt * sizeof *couples);
    lists->exempt_count = exempt;
    lists->run_count = j->run_count;
    return true;
}

/* Each group begins at a multiple of eight, so that kernels may go beyond the end of one. */
static bool keep(const job* j, const sup_allocator* allocator) {
    supi_pair_lists* lists = j->lists;
    const supi_grid* grid = &lists->grid;
    int64_t room = (int64_t)grid->pair_count + (int64_t)7 * grid->group_count;
    if (room > INT32_MAX) return false;
    supi_candidate* kept =
        supi_column_reserve(&lists->kept, allocator, (int32_t)room, sizeof *kept);
    supi_pair_group* groups =
        supi_column_reserve(&lists->kept_groups, allocator, grid->group_count, sizeof *groups);
    if (!kept || !groups ||
        !supi_column_reserve(&lists->near_store, allocator, (int32_t)room, sizeof *kept) ||
        !supi_column_reserve(&lists->group_store, allocator, grid->group_count, sizeof *groups)) {
        return false;
    }
    int32_t first = 0;
    for (int32_t i = 0; i < grid->group_count; i++) {
        groups[i] = grid->groups[i];
        groups[i].first = first;
        for (int32_t k = 0; k < (groups[i].count + 7) / 8 * 8; k++) {
            int32_t at = k < groups[i].count ? k : 0;
            supi_pair pair = grid->pairs[grid->groups[i].first + at];
            kept[first + k] = (supi_candidate){pair, 1, j->v[pair.a].w + j->v[pair.b].w};
        }
        first += (groups[i].count + 7) / 8 * 8;
    }
    lists->kept_count = grid->group_count;
    return true;
}

static sup_result find_pairs(const job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_pair_lists* lists = j->lists;
    float margin = 2 * lists->room;
    if (supi_beside_fits(j->runs, j->run_count)) {
        return supi_beside_find(&lists->grid, allocator, tasks, lists->kernels, j->runs,
                                j->run_count, j->exemptions, j->x, j->v, margin);
    }
    return supi_grid_find(&lists->grid, allocator, tasks, j->runs, j->run_count, j->exemptions,
                          j->x, j->v, margin);
}

static sup_result make(const job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_pair_lists* lists = j->lists;
    float reach = 0;
    for (int32_t i = 0; i < j->run_count; i++) {
        reach = j->runs[i].reach > reach ? j->runs[i].reach : reach;
    }
    lists->room = room_for(lists, reach);
    lists->age = 0;
    lists->made = false;
    lists->anew = true;
    if (find_pairs(j, allocator, tasks) != SUP_OK || !remember(j, allocator) ||
        !keep(j, allocator)) {
        return SUP_NO_MEMORY;
    }
    lists->made = true;
    return SUP_OK;
}

/* ---- Who is near now ---- */

static void sift(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    supi_pair_lists* lists = j->lists;
    const supi_pair_group* kept = (const supi_pair_group*)lists->kept_groups.items + index;
    supi_pair_group* group = &lists->groups[index];
    const double *from = j->runs[kept->run_a].anchor, *to = j->runs[kept->run_b].anchor;
    float offset[3];
    for (int k = 0; k < 3; k++) offset[k] = (float)(to[k] - from[k]);
    *group = *kept;
    group->count = lists->kernels->sift((const supi_candidate*)lists->kept.items + kept->first,
                                        kept->count, j->x, offset, lists->near + kept->first);
}

static void sift_all(const job* j, supi_tasks* tasks) {
    supi_pair_lists* lists = j->lists;
    lists->near = lists->near_store.items;
    lists->groups = lists->group_store.items;
    supi_tasks_run(tasks, lists->kept_count, sift, (void*)j);
    for (int32_t i = 0; i < lists->kept_count; i++) {
        if (lists->groups[i].count == 0) continue;
        lists->pair_count += lists->groups[i].count;
        lists->groups[lists->group_count++] = lists->groups[i];
    }
}

sup_result supi_pair_lists_find(supi_pair_lists* lists, const sup_allocator* allocator,
                                supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                                const supi_exemptions* exemptions, const sup_row* x,
                                const sup_row* v) {
    job j = {lists, runs, run_count, exemptions, x, v};
    if (!lists->kernels) lists->kernels = supi_near_kernels_find(SUP_SIMD_AUTO);
    lists->pair_count = lists->group_count = 0;
    lists->age++;
    lists->anew = false;
    if (!is_good(&j, tasks) && make(&j, allocator, tasks) != SUP_OK) return SUP_NO_MEMORY;
    sift_all(&j, tasks);
    return SUP_OK;
}

void supi_pair_lists_forget(supi_pair_lists* lists) { lists->made = false; }

void supi_pair_lists_free(supi_pair_lists* lists, const sup_allocator* allocator) {
    supi_column* stores[] = {&lists->kept,        &lists->kept_groups, &lists->near_store,
                             &lists->group_store, &lists->homes,       &lists->rows,
                             &lists->drifts,      &lists->exempt};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    supi_grid_free(&lists->grid, allocator);
    *lists = (supi_pair_lists){0};
}
