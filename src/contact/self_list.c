#include "contact/self_list.h"

#include "contact/ellipsoid.h"
#include "contact/vec3.h"
#include "geom/quaternion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Share of the largest contact radius by which more is looked for than is near. */
#define MARGIN 0.5f
/* Runs of up to this many rows compare all with all. */
#define FEW_ROWS 64

typedef struct job {
    supi_self_lists* lists;
    const supi_run* runs;
    const sup_row *x, *v;
} job;

static bool meets_itself(const supi_run* run) {
    return run->self && run->reach > 0 && run->count > 1 && !run->asleep && !run->held;
}

/* ---- Is a list still good? ---- */

/* How the run has moved as a whole since its list was made, by any measure: x -> centre + m (x -
   before). */
typedef struct whole_move {
    float before[3], centre[3], m[9];
} whole_move;

/* The mean turn of its particles; none where that says nothing. */
static void mean_turn(const supi_self_list* list, const supi_run* run, float m[9]) {
    static const double none[4] = {0, 0, 0, 1};
    const sup_quat *then = list->turns.items, *now = run->oriented ? run->oriented->turn : NULL;
    double sum[4] = {0, 0, 0, 0}, matrix[9];
    for (int32_t i = 0; now && i < run->count; i++) {
        const double q[4] = {(double)now[i].x, (double)now[i].y, (double)now[i].z,
                             (double)now[i].w};
        const double back[4] = {-(double)then[i].x, -(double)then[i].y, -(double)then[i].z,
                                (double)then[i].w};
        double turn[4];
        supi_quaternion_product(q, back, turn);
        for (int k = 0; k < 4; k++) sum[k] += turn[3] < 0 ? -turn[k] : turn[k];
    }
    double square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
    double length = sqrt(square);
    for (int k = 0; k < 4; k++) sum[k] = length > 0 ? sum[k] / length : none[k];
    supi_quaternion_matrix(sum, matrix);
    for (int k = 0; k < 9; k++) m[k] = (float)matrix[k];
}

static whole_move move_of(const supi_self_list* list, const supi_run* run, const sup_row* x) {
    const sup_row* places = list->places.items;
    double now[3] = {0}, then[3] = {0};
    whole_move move;
    for (int32_t i = 0; i < run->count; i++) {
        const sup_row* at = &x[run->first + i];
        now[0] += (double)at->x, then[0] += (double)places[i].x;
        now[1] += (double)at->y, then[1] += (double)places[i].y;
        now[2] += (double)at->z, then[2] += (double)places[i].z;
    }
    for (int k = 0; k < 3; k++) {
        move.centre[k] = (float)(now[k] / run->count);
        move.before[k] = (float)(then[k] / run->count);
    }
    mean_turn(list, run, move.m);
    return move;
}

/* Whether no row is further from where the whole took it than half of the margin: then no two have
   come closer by more than all of it. */
static bool has_kept_still(const supi_self_list* list, const supi_run* run, const sup_row* x,
                           const sup_row* v) {
    const sup_row* places = list->places.items;
    const whole_move move = move_of(list, run, x);
    const float *m = move.m, *c = move.centre, *b = move.before;
    float most = 0.49f * MARGIN * run->reach, bound = most * most;
    for (int32_t i = 0; i < run->count; i++) {
        const sup_row *at = &x[run->first + i], *p = &places[i];
        float px = p->x - b[0], py = p->y - b[1], pz = p->z - b[2];
        float dx = at->x - c[0] - (m[0] * px + m[1] * py + m[2] * pz);
        float dy = at->y - c[1] - (m[3] * px + m[4] * py + m[5] * pz);
        float dz = at->z - c[2] - (m[6] * px + m[7] * py + m[8] * pz);
        if (!(dx * dx + dy * dy + dz * dz < bound)) return false;
        if (v[run->first + i].w != p->w) return false;
    }
    return true;
}

static void judge(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    list->near_count = 0;
    list->stale = false;
    if (!meets_itself(run)) return;
    bool same = list->made && list->first == run->first && list->count == run->count &&
                list->version == run->self->version;
    list->stale = !same || !has_kept_still(list, run, j->x, j->v);
}

/* ---- Making lists ---- */

/* Two that are close at rest may come as close again: their shapes are scaled down so that they
   touch there. */
static float rest_scale(const supi_run* run, const sup_row* v, int32_t a, int32_t b) {
    int32_t rows[2] = {a - run->first, b - run->first};
    sup_vec3 d = supi_vec3_minus(run->self->rest[rows[0]], run->self->rest[rows[1]]);
    float square = supi_vec3_dot(d, d), length = sqrtf(square), reach = 0;
    if (!(square >= FLT_MIN)) return 0;
    sup_vec3 n = supi_vec3_scaled(d, 1 / length);
    for (int k = 0; k < 2; k++) {
        const supi_oriented* o = run->oriented;
        if (!o) {
            reach += v[run->first + rows[k]].w;
            continue;
        }
        const sup_row* r = &o->radii[rows[k]];
        supi_ellipsoid e = supi_ellipsoid_at((sup_vec3){0, 0, 0}, (sup_quat){0, 0, 0, 1},
                                             o->axes[rows[k]], (float[3]){r->x, r->y, r->z});
        reach += supi_ellipsoid_reach(&e, n);
    }
    return length < reach ? length / reach : 1;
}

static float square_between(const sup_row* a, const sup_row* b) {
    float dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    return dx * dx + dy * dy + dz * dz;
}

/* Adds a pair, unless its scale keeps it apart. There is room for it. */
static void keep(supi_self_list* list, const supi_run* run, const job* j, supi_pair pair) {
    float scale = rest_scale(run, j->v, pair.a, pair.b);
    float sum = scale * (j->v[pair.a].w + j->v[pair.b].w) + MARGIN * run->reach;
    if (!(scale > 0) || !(square_between(&j->x[pair.a], &j->x[pair.b]) < sum * sum)) return;
    ((supi_pair*)list->kept.items)[list->kept_count] = pair;
    ((float*)list->kept_scales.items)[list->kept_count++] = scale;
}

/* Who is made of few rows: all against all. */
static void make_small(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    if (!list->stale || run->count > FEW_ROWS) return;
    list->kept_count = 0;
    for (int32_t a = run->first; a < run->first + run->count; a++) {
        if (!(j->v[a].w > 0)) continue;
        for (int32_t b = a + 1; b < run->first + run->count; b++) {
            float sum = j->v[a].w + j->v[b].w + MARGIN * run->reach;
            if (!(j->v[b].w > 0) || !(square_between(&j->x[a], &j->x[b]) < sum * sum)) continue;
            if (supi_self_spares(run->self, a - run->first, b - run->first)) continue;
            keep(list, run, j, (supi_pair){a, b});
        }
    }
}

static bool reserve(supi_self_list* list, const sup_allocator* allocator, int32_t rows,
                    int32_t pairs) {
    return supi_column_reserve(&list->places, allocator, rows, sizeof(sup_row)) &&
           supi_column_reserve(&list->turns, allocator, rows, sizeof(sup_quat)) &&
           supi_column_reserve(&list->kept, allocator, pairs, sizeof(supi_pair)) &&
           supi_column_reserve(&list->kept_scales, allocator, pairs, sizeof(float)) &&
           supi_column_reserve(&list->near_store, allocator, pairs, sizeof(supi_pair)) &&
           supi_column_reserve(&list->scale_store, allocator, pairs, sizeof(float));
}

/* Through the grid, one after the other: its own steps are shared by the workers. */
static bool make_large(const job* j, const sup_allocator* allocator, supi_tasks* tasks,
                       int32_t index) {
    const supi_run* run = &j->runs[index];
    supi_self_list* list = &j->lists->lists[index];
    supi_grid* grid = &j->lists->grid;
    if (supi_grid_find_self(grid, allocator, tasks, run, j->x, j->v, MARGIN * run->reach) !=
            SUP_OK ||
        !reserve(list, allocator, run->count, grid->pair_count)) {
        return false;
    }
    list->kept_count = 0;
    for (int32_t i = 0; i < grid->pair_count; i++) keep(list, run, j, grid->pairs[i]);
    return true;
}

static bool make_stale(const job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_self_lists* lists = j->lists;
    lists->made = 0;
    for (int32_t i = 0; i < lists->run_count; i++) {
        supi_self_list* list = &lists->lists[i];
        int32_t rows = j->runs[i].count;
        if (!list->stale) continue;
        lists->made++;
        list->made = false;
        if (!(rows > FEW_ROWS ? make_large(j, allocator, tasks, i)
                              : reserve(list, allocator, rows, rows * (rows - 1) / 2))) {
            return false;
        }
    }
    if (lists->made > 0) supi_tasks_run(tasks, lists->run_count, make_small, (void*)j);
    for (int32_t i = 0; i < lists->run_count; i++) {
        supi_self_list* list = &lists->lists[i];
        const supi_run* run = &j->runs[i];
        if (!list->stale) continue;
        sup_row* places = list->places.items;
        if (run->oriented) {
            memcpy(list->turns.items, run->oriented->turn, (size_t)run->count * sizeof(sup_quat));
        }
        for (int32_t k = 0; k < run->count; k++) {
            places[k] = j->x[run->first + k];
            places[k].w = j->v[run->first + k].w;
        }
        list->first = run->first;
        list->count = run->count;
        list->version = run->self->version;
        list->made = true;
    }
    return true;
}

/* ---- Who is near now ---- */

static void sift(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    supi_self_list* list = &j->lists->lists[index];
    if (!meets_itself(&j->runs[index])) return;
    const supi_pair* kept = list->kept.items;
    const float* scales = list->kept_scales.items;
    list->near = list->near_store.items;
    list->scales = list->scale_store.items;
    for (int32_t i = 0; i < list->kept_count; i++) {
        supi_pair pair = kept[i];
        float sum = scales[i] * (j->v[pair.a].w + j->v[pair.b].w);
        if (!(square_between(&j->x[pair.a], &j->x[pair.b]) < sum * sum)) continue;
        list->near[list->near_count] = pair;
        list->scales[list->near_count++] = scales[i];
    }
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
    lists->lists = all;
    lists->run_count = run_count;
    job j = {lists, runs, x, v};
    supi_tasks_run(tasks, run_count, judge, &j);
    if (!make_stale(&j, allocator, tasks)) return SUP_NO_MEMORY;
    supi_tasks_run(tasks, run_count, sift, &j);
    return SUP_OK;
}

void supi_self_lists_forget(supi_self_lists* lists) {
    supi_self_list* all = lists->store.items;
    for (int32_t i = 0; i < lists->store.capacity; i++) all[i].made = false;
}

void supi_self_lists_free(supi_self_lists* lists, const sup_allocator* allocator) {
    supi_self_list* all = lists->store.items;
    for (int32_t i = 0; i < lists->store.capacity; i++) {
        supi_column* stores[] = {&all[i].kept,  &all[i].kept_scales, &all[i].places,
                                 &all[i].turns, &all[i].near_store,  &all[i].scale_store};
        for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
            supi_column_free(stores[k], allocator);
        }
    }
    supi_column_free(&lists->store, allocator);
    supi_grid_free(&lists->grid, allocator);
    *lists = (supi_self_lists){0};
}
