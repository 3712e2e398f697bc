#include "contact/self_list.h"

#include "contact/ellipsoid.h"
#include "contact/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How many calls a list should last, and what that may cost: shares of the largest contact radius
   that rows may stray. */
#define LIFE 12
#define LEAST_ROOM 0.15f
#define MOST_ROOM 1.0f

/* Runs of up to this many rows compare their boxes of eight, all with all. */
/* Candidates behind the last one that are read with it. */
#define SPARE 7
enum { FEW_ROWS = 4096, FEW_BLOCKS = FEW_ROWS / 8 };

typedef struct job {
    supi_self_lists* lists;
    const supi_run* runs;
    const sup_row *x, *v;
} job;

static bool meets_itself(const supi_run* run) {
    return run->self && run->reach > 0 && run->count > 1 && !run->asleep && !run->held;
}

/* ---- Who is near now ---- */

static supi_close_rows rows_of(const job* j, int32_t index) {
    return (supi_close_rows){&j->runs[index], j->x, j->v, j->lists->kernels};
}

static void sift(const job* j, int32_t index) {
    static const float none[3] = {0, 0, 0};
    supi_self_list* list = &j->lists->lists[index];
    list->near = list->near_store.items;
    list->sifted = supi_close_fits(&j->runs[index]);
    if (list->sifted) {
        supi_close_rows rows = rows_of(j, index);
        list->near_count = supi_close_find(&list->close, &rows, list->near);
        return;
    }
    list->near_count =
        j->lists->kernels->sift(list->kept.items, list->kept_count, j->x, none, list->near);
}

/* ---- Is a list still good? ---- */

/* Scales follow from sizes. */
static bool is_resized(const supi_self_list* list) {
    const supi_near_block* blocks = list->blocks.items;
    for (int32_t i = 0; i < list->count; i++) {
        if (!(blocks[i / 8].strayed[i % 8] <= FLT_MAX)) return true;
    }
    return false;
}

/* A small run: its list is made anew at once, unless other pairs may meet than did. */
static void judge_close(const job* j, int32_t index, bool same) {
    supi_self_list* list = &j->lists->lists[index];
    supi_close_rows rows = rows_of(j, index);
    list->close.made = list->close.made && same;
    bool holds = supi_close_holds(&list->close, &rows);
    list->stale = !list->close.made || (!holds && supi_close_resized(&list->close, list->count));
    if (list->stale) return;
    if (!holds) supi_close_make(&list->close, &rows);
    sift(j, index);
}

/* What the next run will need: its rows are far from those of this one, and to wait for them takes
   longer than to look at a small run. */
static void send_for(const job* j, int32_t index) {
    const supi_run* run = &j->runs[index];
    if (index + 1 < j->lists->run_count) {
        supi_memory_send_for(&j->lists->lists[index + 1], sizeof *j->lists->lists);
    }
    if (index >= j->lists->run_count || !supi_close_fits(run)) return;
    const supi_self_list* list = &j->lists->lists[index];
    size_t rows = (size_t)run->count * sizeof *j->x;
    supi_memory_send_for(j->x + run->first, rows);
    supi_memory_send_for(j->v + run->first, rows);
    supi_memory_send_for(run->oriented->turn, rows);
    supi_close_send_for(&list->close);
}

static void judge(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    send_for(j, index + 1);
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    list->near_count = 0;
    list->stale = false;
    if (!meets_itself(run)) return;
    bool same = list->made && list->first == run->first && list->count == run->count &&
                list->version == run->self->version;
    if (supi_close_fits(run)) {
        judge_close(j, index, same);
        return;
    }
    const sup_quat* turn = run->oriented ? run->oriented->turn : NULL;
    list->age++;
    /* who is no further from where the whole took it than it has room has come no closer to
       anybody than by the room of both */
    list->stale =
        !same || !j->lists->kernels->stray(list->blocks.items, run->count, j->x + run->first,
                                           j->v + run->first, turn, false);
    list->known = same && list->stale && !is_resized(list) ? list->kept_count : 0;
    if (!list->stale) sift(j, index); /* while its rows are at hand */
}

/* ---- Making lists ---- */

/* Room for so many pairs, in the list before too: it is the next one. */
static bool reserve_pairs(supi_self_list* list, const sup_allocator* allocator, int32_t pairs) {
    if (pairs > INT32_MAX - SPARE) return false;
    int32_t need = pairs + SPARE;
    return supi_column_reserve(&list->kept, allocator, need, sizeof(supi_candidate)) &&
           supi_column_reserve(&list->kept_before, allocator, need, sizeof(supi_candidate)) &&
           supi_column_reserve(&list->near_store, allocator, need, sizeof(supi_candidate));
}

/* Those that a run knows are for rows that all have a radius. */
static bool knows_scales(const supi_run* run, const sup_row* v) {
    bool all = run->self->scales;
    for (int32_t i = 0; i < run->count && all; i++) all = v[run->first + i].w > 0;
    return all;
}

static bool reserve_rows(supi_self_list* list, const sup_allocator* allocator, const supi_run* run,
                         const sup_row* v) {
    int32_t rows = run->count, blocks = rows / 8 + (rows % 8 > 0);
    if (supi_close_fits(run)) {
        return supi_close_reserve(&list->close, allocator, rows, knows_scales(run, v)) &&
               supi_column_reserve(&list->near_store, allocator, rows * (rows - 1) / 2,
                                   sizeof(supi_candidate));
    }
    return supi_column_reserve(&list->blocks, allocator, blocks, sizeof(supi_near_block)) &&
           supi_column_reserve(&list->boxes, allocator, (blocks + 7) / 8,
                               sizeof(supi_near_boxes)) &&
           reserve_pairs(list, allocator, rows);
}

static float radius_of(const supi_run* run, const sup_row* v, int32_t row) {
    if (!run->oriented) return v[run->first + row].w;
    const sup_row* r = &run->oriented->radii[row];
    float most = r->x > r->y ? r->x : r->y;
    return r->z > most ? r->z : most;
}

/* m, how far a row reaches at rest. */
static float rest_reach(const supi_run* run, const sup_row* v, int32_t row, sup_vec3 n) {
    const supi_oriented* o = run->oriented;
    if (!o) return v[run->first + row].w;
    const sup_row* r = &o->radii[row];
    supi_ellipsoid e = supi_ellipsoid_at((sup_vec3){0, 0, 0}, (sup_quat){0, 0, 0, 1}, o->axes[row],
                                         (float[3]){r->x, r->y, r->z});
    return supi_ellipsoid_reach(&e, n);
}

/* Two that are close at rest may come as close again: their shapes are scaled down so that they
   touch there. */
static float rest_scale(const supi_run* run, const sup_row* v, int32_t a, int32_t b) {
    sup_vec3 d = supi_vec3_minus(run->self->rest[a], run->self->rest[b]);
    float square = supi_vec3_dot(d, d), length = sqrtf(square);
    float most = 1.0001f * (radius_of(run, v, a) + radius_of(run, v, b));
    if (square > most * most) return 1;
    if (!(square >= FLT_MIN)) return 0;
    sup_vec3 n = supi_vec3_scaled(d, 1 / length);
    float reach = rest_reach(run, v, a, n) + rest_reach(run, v, b, n);
    return length < reach ? length / reach : 1;
}

static float square_between(const sup_row* a, const sup_row* b) {
    float dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    return dx * dx + dy * dy + dz * dz;
}

/* A list that grows pair by pair, in order, as far as there is room. */
typedef struct growing {
    const job* job;
    const supi_run* run;
    supi_self_list* list;
    supi_candidate* kept;
    const supi_candidate *known, *known_end; /* of the list before, from here on */
    int32_t count, room;
} growing;

static growing begin(const job* j, int32_t index) {
    supi_self_list* list = &j->lists->lists[index];
    const supi_candidate* before = list->kept_before.items;
    /* Where memory ran out they have grown one without the other. */
    int32_t kept = list->kept.capacity, near = list->near_store.capacity;
    return (growing){.job = j,
                     .run = &j->runs[index],
                     .list = list,
                     .kept = list->kept.items,
                     .known = before,
                     .known_end = before + list->known,
                     .room = (kept < near ? kept : near) - SPARE};
}

/* What the list before knew need not be found again. */
static float scale_of(growing* g, supi_pair pair) {
    const supi_candidate *c = g->known, *end = g->known_end;
    while (c < end && (c->pair.a < pair.a || (c->pair.a == pair.a && c->pair.b < pair.b))) c++;
    g->known = c;
    if (c < end && c->pair.a == pair.a && c->pair.b == pair.b) return c->scale;
    return rest_scale(g->run, g->job->v, pair.a - g->run->first, pair.b - g->run->first);
}

static float room_of(const growing* g, int32_t row) {
    const supi_near_block* blocks = g->list->blocks.items;
    int32_t local = row - g->run->first;
    return blocks[local / 8].room[local % 8];
}

/* Adds a pair, unless its scale keeps it apart. */
static void add(growing* g, supi_pair pair) {
    const job* j = g->job;
    float scale = scale_of(g, pair), reach = scale * (j->v[pair.a].w + j->v[pair.b].w);
    float sum = reach + room_of(g, pair.a) + room_of(g, pair.b);
    if (!(scale > 0) || !(square_between(&j->x[pair.a], &j->x[pair.b]) < sum * sum)) return;
    if (g->count < g->room) g->kept[g->count] = (supi_candidate){pair, scale, reach};
    g->count++;
}

/* False: there was too little room. */
static bool end(const growing* g) {
    supi_self_list* list = g->list;
    list->kept_count = g->count;
    if (g->count > g->room) return false;
    for (int32_t i = 0; i < SPARE && g->count > 0; i++) g->kept[g->count + i] = g->kept[0];
    return true;
}

/* Takes out of ascending rows those that one never meets; how many are left. `marks` (by row) holds
   a row that is joined to it, plus 1. */
static int32_t leave_out(const supi_self* self, int32_t row, int32_t* marks, int32_t count,
                         int32_t* rows) {
    int32_t left = 0;
    for (int32_t i = self->joined_starts[row]; i < self->joined_starts[row + 1]; i++) {
        marks[self->joined[i]] = row + 1;
    }
    for (int32_t i = 0; i < count; i++) { /* without a branch that nobody could foretell */
        int32_t other = rows[i];
        rows[left] = other;
        left += marks[other] != row + 1;
    }
    if (!self->part_starts) return left;
    count = left;
    left = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t other = rows[i];
        rows[left] = other;
        left += !supi_self_shares_part(self, row, other);
    }
    return left;
}

void supi_self_scales(const supi_run* run, const sup_row* v, float* scales) {
    int32_t stride = supi_close_stride(run->count);
    memset(scales, 0, (size_t)(run->count * stride) * sizeof *scales);
    for (int32_t a = 0; a < run->count; a++) {
        if (v && !(v[run->first + a].w > 0)) continue;
        for (int32_t b = a + 1; b < run->count; b++) {
            bool meet = (!v || v[run->first + b].w > 0) && !supi_self_spares(run->self, a, b);
            if (meet) scales[a * stride + b] = rest_scale(run, v, a, b);
        }
    }
}

static void make_close(const job* j, int32_t index) {
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    if (!list->close.shares) supi_self_scales(run, j->v, list->close.scales.items);
    supi_close_rows rows = rows_of(j, index);
    supi_close_make(&list->close, &rows);
}

static void make_small(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    const supi_near_kernels* kernels = j->lists->kernels;
    const supi_near_block* blocks = list->blocks.items;
    int32_t picked[FEW_BLOCKS], mates[FEW_ROWS + 7], marks[FEW_ROWS];
    int32_t block_count = (run->count + 7) / 8, picks = 0;
    if (!list->stale || list->made || run->count > FEW_ROWS) return;
    if (supi_close_fits(run)) {
        make_close(j, index);
        list->made = true;
        return;
    }
    memset(marks, 0, (size_t)run->count * sizeof *marks);
    growing g = begin(j, index);
    for (int32_t a = 0; a < run->count; a++) {
        if (a % 8 == 0) picks = kernels->pick(list->boxes.items, block_count, a / 8, picked);
        if (!(j->v[run->first + a].w > 0)) continue;
        int32_t found = kernels->mates(blocks, run->count, picked, picks, a, mates);
        found = leave_out(run->self, a, marks, found, mates);
        for (int32_t i = 0; i < found; i++) {
            add(&g, (supi_pair){run->first + a, run->first + mates[i]});
        }
    }
    list->made = end(&g);
}

/* Through the grid, one after the other: its own steps are shared by the workers. */
static bool make_large(const job* j, const sup_allocator* allocator, supi_tasks* tasks,
                       int32_t index) {
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    supi_grid* grid = &j->lists->grid;
    if (supi_grid_find_self(grid, allocator, tasks, run, j->x, j->v, 2 * MOST_ROOM * run->reach) !=
            SUP_OK ||
        !reserve_pairs(list, allocator, grid->pair_count)) {
        return false;
    }
    growing g = begin(j, index);
    for (int32_t i = 0; i < grid->pair_count; i++) add(&g, grid->pairs[i]);
    list->made = end(&g);
    return true;
}

static float least(const float of[8]) {
    float least = of[0];
    for (int k = 1; k < 8; k++) least = of[k] < least ? of[k] : least;
    return least;
}

static float most(const float of[8]) {
    float most = of[0];
    for (int k = 1; k < 8; k++) most = of[k] > most ? of[k] : most;
    return most;
}

/* m, by how fast a row has strayed lately. */
static float room_for(float strayed, int32_t age, float reach) {
    if (!(strayed <= FLT_MAX)) return LEAST_ROOM * reach;
    float room = LIFE * strayed / (float)age;
    room = room < MOST_ROOM * reach ? room : MOST_ROOM * reach;
    return room > LEAST_ROOM * reach ? room : LEAST_ROOM * reach;
}

/* Eight rows as they are now. */
static void remember_block(const job* j, const supi_run* run, int32_t local, supi_near_block* b) {
    for (int32_t k = 0; k < 8; k++) {
        int32_t row = local + k < run->count ? local + k : run->count - 1;
        const sup_row* at = &j->x[run->first + row];
        b->place[0][k] = at->x;
        b->place[1][k] = at->y;
        b->place[2][k] = at->z;
        b->radius[k] = j->v[run->first + row].w;
        b->reach[k] = b->radius[k] > 0 ? b->radius[k] + b->room[k] : -1;
        if (!run->oriented) continue;
        const sup_quat* q = &run->oriented->turn[row];
        b->turn[0][k] = q->x;
        b->turn[1][k] = q->y;
        b->turn[2][k] = q->z;
        b->turn[3][k] = q->w;
    }
}

static void remember(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    if (!list->stale) return;
    supi_near_boxes* boxes = list->boxes.items;
    for (int32_t i = 0; i < run->count && !supi_close_fits(run); i += 8) {
        supi_near_block* b = (supi_near_block*)list->blocks.items + i / 8;
        supi_near_boxes* box = &boxes[i / 64];
        int32_t lane = i / 8 % 8;
        for (int k = 0; k < 8; k++) {
            float strayed = list->known > 0 ? b->strayed[k] : INFINITY;
            b->room[k] = room_for(strayed, list->age, run->reach);
        }
        remember_block(j, run, i, b);
        for (int c = 0; c < 3; c++) {
            box->low[c][lane] = least(b->place[c]);
            box->high[c][lane] = most(b->place[c]);
        }
        box->reach[lane] = most(b->reach);
    }
    list->first = run->first;
    list->count = run->count;
    list->version = run->self->version;
    list->age = 0;
}

/* Lists of small runs; those that turn out to be longer than ever once more. */
static bool make_all_small(const job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    for (bool again = true; again;) {
        again = false;
        supi_tasks_run(tasks, j->lists->run_count, make_small, (void*)j);
        for (int32_t i = 0; i < j->lists->run_count; i++) {
            supi_self_list* list = &j->lists->lists[i];
            if (!list->stale || list->made) continue;
            if (!reserve_pairs(list, allocator, list->kept_count)) return false;
            again = true;
        }
    }
    return true;
}

static bool make_stale(const job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_self_lists* lists = j->lists;
    lists->made = 0;
    for (int32_t i = 0; i < lists->run_count; i++) {
        supi_self_list* list = &lists->lists[i];
        if (!list->stale) continue;
        lists->made++;
        list->made = false;
        supi_column before = list->kept_before;
        list->kept_before = list->kept;
        list->kept = before;
        if (!reserve_rows(list, allocator, &j->runs[i], j->v)) return false;
    }
    if (lists->made == 0) return true;
    supi_tasks_run(tasks, lists->run_count, remember, (void*)j);
    for (int32_t i = 0; i < lists->run_count; i++) {
        bool large = lists->lists[i].stale && j->runs[i].count > FEW_ROWS;
        if (large && !make_large(j, allocator, tasks, i)) return false;
    }
    return make_all_small(j, allocator, tasks);
}

static void sift_stale(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    if (j->lists->lists[index].stale) sift(j, index);
}

sup_result supi_self_lists_find(supi_self_lists* lists, const sup_allocator* allocator,
                                supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                                const sup_row* x, const sup_row* v) {
    bool any = false;
    for (int32_t i = 0; i < run_count && !any; i++) any = meets_itself(&runs[i]);
    if (!any) {
        lists->run_count = 0;
        return SUP_OK;
    }
    int32_t had = lists->store.capacity;
    supi_self_list* all =
        supi_column_reserve(&lists->store, allocator, run_count, sizeof(supi_self_list));
    if (!all) return SUP_NO_MEMORY;
    if (lists->store.capacity > had) {
        memset(all + had, 0, (size_t)(lists->store.capacity - had) * sizeof *all);
    }
    if (!lists->kernels) lists->kernels = supi_near_kernels_find(SUP_SIMD_AUTO);
    lists->lists = all;
    lists->run_count = run_count;
    job j = {lists, runs, x, v};
    supi_tasks_run(tasks, run_count, judge, &j);
    if (!make_stale(&j, allocator, tasks)) return SUP_NO_MEMORY;
    if (lists->made > 0) supi_tasks_run(tasks, run_count, sift_stale, &j);
    return SUP_OK;
}

void supi_self_lists_forget(supi_self_lists* lists) {
    supi_self_list* all = lists->store.items;
    for (int32_t i = 0; i < lists->store.capacity; i++) all[i].made = false;
}

void supi_self_lists_free(supi_self_lists* lists, const sup_allocator* allocator) {
    supi_self_list* all = lists->store.items;
    for (int32_t i = 0; i < lists->store.capacity; i++) {
        supi_column* stores[] = {&all[i].kept, &all[i].kept_before, &all[i].blocks, &all[i].boxes,
                                 &all[i].near_store};
        for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
            supi_column_free(stores[k], allocator);
        }
        supi_close_free(&all[i].close, allocator);
    }
    supi_column_free(&lists->store, allocator);
    supi_grid_free(&lists->grid, allocator);
    *lists = (supi_self_lists){0};
}
