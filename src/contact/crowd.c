/* Counting sorts, twice: of rows by their cells, and of pairs by their lower rows. A worker does a
   share of the keys: so nobody writes where another does. For its cells it looks at all rows, which
   keep their order; pairs go to the list of their share as they are found. */
#include "contact/crowd.h"

#include "contact/cell_number.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define CELLS_PER_ROW 4 /* at most, in the box */
#define BLOCK_ROWS 4096 /* what a worker takes at a time */
#define BLOCK_LINES 4   /* lines of cells, likewise */
#define FOUND_LOCAL 256 /* pairs of a share that a worker collects before it asks for room */
#define AHEAD 16        /* pairs whose rows are sent for before they are wanted */
#define PICKED 256      /* rows that a share looks at at a time */
#define SHARES_MAX 8    /* of keys */
#define LINES_BESIDE 5  /* of cells: the own one, and four of the eight around it */
#define ROWS_MAX (1 << 28)

/* Cells are this much larger than needed, and by that much more for each cell along an axis, so
   that rounding loses no pair. */
#define SLACK 1e-5
#define SLACK_PER_CELL 1e-6

/* The cells of a box. */
typedef struct lattice {
    float low[3], inverse; /* m, 1/m */
    int32_t counts[3];
    int32_t total;
} lattice;

typedef struct job {
    supi_crowd* crowd;
    const supi_near_kernels* kernels;
    const supi_self* self;
    const sup_row *x, *v; /* of the run */
    int32_t count;        /* of rows */
    int32_t first;        /* of the run */
    float margin;
    lattice box;
    int32_t shares;
    int32_t sums[SHARES_MAX]; /* what a share has of what is sorted */
    int32_t* cells;           /* by row; -1: meets nobody */
    int32_t* starts;          /* (total + 1) the first item of a cell */
    int32_t* order;           /* rows by item: in the order of their cells */
    sup_row* places;          /* by item, with radii */
    supi_near_columns columns;
    supi_pair* found;       /* rows from 0, a < b: of each share after each other */
    int32_t found_capacity; /* of one share */
    uint32_t scale;         /* a row times this, over 2^32, is the share of its pairs */
    int32_t found_counts[SHARES_MAX], item_count;
    int32_t* firsts; /* (count + 1) by row: the first of its mates */
    int32_t* mates;
    _Atomic int64_t wanted[SHARES_MAX];
} job;

/* ---- The box ---- */

/* Is a side of the run's box, in cells, no larger than cells can be numbered, and near enough to
   the origin? */
static bool is_numbered(const supi_run* run, int axis, double size) {
    double low = (double)run->low[axis], high = (double)run->high[axis], at = run->anchor[axis];
    return low <= high && fabs(at + low) < size * SUPI_CELL_RANGE / 2 &&
           fabs(at + high) < size * SUPI_CELL_RANGE / 2;
}

static bool make_lattice(const supi_run* run, float margin, lattice* out) {
    double size = (2 * (double)run->reach + (double)margin) * (1 + SLACK), most = 1, cells = 1;
    if (!(run->reach > 0) || !(size > 0) || run->count > ROWS_MAX) return false;
    for (int k = 0; k < 3; k++) {
        double side = ((double)run->high[k] - (double)run->low[k]) / size;
        if (!is_numbered(run, k, size)) return false;
        most = side > most ? side : most;
    }
    size *= 1 + SLACK_PER_CELL * most;
    out->inverse = (float)(1 / size);
    for (int k = 0; k < 3; k++) {
        double side = ((double)run->high[k] - (double)run->low[k]) / size;
        out->low[k] = run->low[k];
        out->counts[k] = (int32_t)side + 1;
        cells *= out->counts[k];
    }
    if (!(cells < CELLS_PER_ROW * (double)run->count)) return false;
    out->total = (int32_t)cells;
    return true;
}

bool supi_crowd_fits(const supi_run* run, float margin) {
    lattice box;
    return make_lattice(run, margin, &box);
}

static int32_t number_along(const lattice* box, int axis, float x) {
    float number = (x - box->low[axis]) * box->inverse, last = (float)(box->counts[axis] - 1);
    number = number < last ? number : last;
    return number > 0 ? (int32_t)number : 0;
}

static bool takes_part(const sup_row* x, const sup_row* v) {
    float sum = x->x + x->y + x->z;
    return v->w > 0 && sum == sum;
}

static void number_rows(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    const lattice* box = &j->box;
    int32_t end = j->count - index * BLOCK_ROWS < BLOCK_ROWS ? j->count : (index + 1) * BLOCK_ROWS;
    for (int32_t i = index * BLOCK_ROWS; i < end; i++) {
        const sup_row* x = &j->x[i];
        int32_t line = number_along(box, 2, x->z) * box->counts[1] + number_along(box, 1, x->y);
        int32_t cell = line * box->counts[0] + number_along(box, 0, x->x);
        j->cells[i] = takes_part(x, &j->v[i]) ? cell : -1;
    }
}

/* ---- Items: rows in the order of their cells ---- */

/* The keys first .. end - 1 of `count` are a share. */
static void cut_share(const job* j, int32_t count, int32_t share, int32_t* first, int32_t* end) {
    *first = (int32_t)((int64_t)count * share / j->shares);
    *end = (int32_t)((int64_t)count * (share + 1) / j->shares);
}

/* Where each key begins, from how often it is there; the next share begins at the sum. */
static int32_t add_up(int32_t* tally, int32_t first, int32_t end) {
    int32_t sum = 0;
    for (int32_t k = first; k < end; k++) {
        int32_t own = tally[k];
        tally[k] = sum;
        sum += own;
    }
    return sum;
}

static void shift(int32_t* tally, int32_t first, int32_t end, int32_t by) {
    for (int32_t k = first; k < end && by > 0; k++) tally[k] += by;
}

/* Sums of shares become where they begin; returns that of all. */
static int32_t begin_shares(job* j) {
    int32_t sum = 0;
    for (int32_t k = 0; k < j->shares; k++) {
        int32_t own = j->sums[k];
        j->sums[k] = sum;
        sum += own;
    }
    return sum;
}

/* Those of PICKED rows from `from` on whose cells are among the `width` from `first` on; how many
   there are. Without a branch: rows of a heap come in any order, so nobody could foretell it. */
static int32_t pick_rows(const job* j, int32_t from, int32_t first, uint32_t width,
                         int32_t picked[PICKED]) {
    int32_t end = j->count - from < PICKED ? j->count : from + PICKED, found = 0;
    for (int32_t i = from; i < end; i++) {
        picked[found] = i;
        found += (uint32_t)(j->cells[i] - first) < width;
    }
    return found;
}

static void count_cells(void* context, int32_t share, int32_t worker) {
    (void)worker;
    job* j = context;
    int32_t first, end;
    cut_share(j, j->box.total, share, &first, &end);
    memset(j->starts + first, 0, (size_t)(end - first) * sizeof *j->starts);
    uint32_t width = (uint32_t)(end - first);
    for (int32_t from = 0; from < j->count; from += PICKED) {
        int32_t picked[PICKED], found = pick_rows(j, from, first, width, picked);
        for (int32_t k = 0; k < found; k++) j->starts[j->cells[picked[k]]]++;
    }
    j->sums[share] = add_up(j->starts, first, end);
}

/* Starts go on to the ends meanwhile, and back afterwards. */
static void place_rows(void* context, int32_t share, int32_t worker) {
    (void)worker;
    job* j = context;
    int32_t first, end;
    cut_share(j, j->box.total, share, &first, &end);
    shift(j->starts, first, end, j->sums[share]);
    uint32_t width = (uint32_t)(end - first);
    for (int32_t from = 0; from < j->count; from += PICKED) {
        int32_t picked[PICKED], found = pick_rows(j, from, first, width, picked);
        for (int32_t k = 0; k < found; k++) {
            int32_t i = picked[k], to = j->starts[j->cells[i]]++;
            j->order[to] = i;
            j->places[to] = (sup_row){j->x[i].x, j->x[i].y, j->x[i].z, j->v[i].w};
        }
    }
    for (int32_t k = end - 1; k > first; k--) j->starts[k] = j->starts[k - 1];
    if (end > first) j->starts[first] = j->sums[share];
}

static void fill_columns(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const job* j = context;
    float* to = j->crowd->columns.items;
    ptrdiff_t room = j->columns.y - j->columns.x;
    int32_t left = j->item_count - index * BLOCK_ROWS;
    int32_t end = left < BLOCK_ROWS ? j->item_count : (index + 1) * BLOCK_ROWS;
    for (int32_t i = index * BLOCK_ROWS; i < end; i++) {
        to[i] = j->places[i].x;
        to[room + i] = j->places[i].y;
        to[2 * room + i] = j->places[i].z;
        to[3 * room + i] = j->places[i].w;
    }
}

static bool reserve_items(job* j, const sup_allocator* allocator) {
    supi_crowd* crowd = j->crowd;
    int64_t room = (int64_t)j->count + 8;
    if (4 * room > INT32_MAX) return false;
    j->cells = supi_column_reserve(&crowd->cells, allocator, j->count, sizeof *j->cells);
    j->starts = supi_column_reserve(&crowd->starts, allocator, CELLS_PER_ROW * j->count + 1,
                                    sizeof *j->starts);
    j->order = supi_column_reserve(&crowd->order, allocator, j->count, sizeof *j->order);
    j->places = supi_column_reserve(&crowd->places, allocator, j->count, sizeof *j->places);
    float* to = supi_column_reserve(&crowd->columns, allocator, (int32_t)(4 * room), sizeof *to);
    if (!j->cells || !j->starts || !j->order || !j->places || !to) return false;
    j->columns =
        (supi_near_columns){.x = to, .y = to + room, .z = to + 2 * room, .radius = to + 3 * room};
    return true;
}

static bool sort_rows(job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    if (!reserve_items(j, allocator)) return false;
    supi_tasks_run(tasks, (j->count + BLOCK_ROWS - 1) / BLOCK_ROWS, number_rows, j);
    supi_tasks_run(tasks, j->shares, count_cells, j);
    j->item_count = begin_shares(j);
    supi_tasks_run(tasks, j->shares, place_rows, j);
    j->starts[j->box.total] = j->item_count;
    supi_tasks_run(tasks, (j->item_count + BLOCK_ROWS - 1) / BLOCK_ROWS, fill_columns, j);
    return true;
}

/* ---- Pairs as they are found ---- */

typedef struct collector {
    job* job;
    int32_t counts[SHARES_MAX];
    supi_pair pairs[SHARES_MAX][FOUND_LOCAL];
    int32_t items[FOUND_LOCAL + 8];
} collector;

/* Takes room in the common array. What does not fit is only counted, and searched again with more
   room. */
static void flush(collector* c, int32_t share) {
    job* j = c->job;
    int32_t count = c->counts[share];
    int64_t at = atomic_fetch_add_explicit(&j->wanted[share], count, memory_order_relaxed);
    if (at + count <= j->found_capacity) {
        memcpy(j->found + (int64_t)share * j->found_capacity + at, c->pairs[share],
               (size_t)count * sizeof **c->pairs);
    }
    c->counts[share] = 0;
}

/* Item `own` and those near it in the spans, which hold no more than there is local room for. */
static void collect(collector* c, int32_t own, const supi_near_span* spans, int32_t span_count) {
    const job* j = c->job;
    int32_t found = j->kernels->near_in(&j->columns, own, spans, span_count, j->margin, c->items);
    int32_t row = j->order[own];
    for (int32_t k = 0; k < j->shares; k++) {
        if (c->counts[k] + found > FOUND_LOCAL) flush(c, k);
    }
    for (int32_t k = 0; k < found; k++) {
        int32_t other = j->order[c->items[k]];
        int32_t lower = row < other ? row : other; /* without a branch: nobody can foretell it */
        int32_t share = (int32_t)((uint64_t)lower * j->scale >> 32);
        c->pairs[share][c->counts[share]++] = (supi_pair){lower, row ^ other ^ lower};
    }
}

/* The same, however much they hold, which is `total`. */
static void collect_all(collector* c, int32_t own, const supi_near_span* spans, int32_t span_count,
                        int64_t total) {
    if (total <= FOUND_LOCAL) {
        collect(c, own, spans, span_count);
        return;
    }
    for (int32_t k = 0; k < span_count; k++) {
        for (supi_near_span s = spans[k]; s.first < s.end; s.first += FOUND_LOCAL) {
            int32_t end = s.end - s.first < FOUND_LOCAL ? s.end : s.first + FOUND_LOCAL;
            collect(c, own, &(supi_near_span){s.first, end}, 1);
        }
    }
}

/* A line of cells along the first axis. Half of the 26 cells around a cell are the one after it and
   three in each of four other lines; these lie together. */
static void search_line(collector* c, int32_t line) {
    static const int8_t others[LINES_BESIDE][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    const job* j = c->job;
    const lattice* box = &j->box;
    int32_t width = box->counts[0], y = line % box->counts[1], z = line / box->counts[1], count = 0;
    const int32_t* starts[LINES_BESIDE];
    for (int k = 0; k < LINES_BESIDE; k++) {
        int32_t to_y = y + others[k][0], to_z = z + others[k][1];
        if (to_y < 0 || to_y >= box->counts[1] || to_z >= box->counts[2]) continue;
        starts[count++] = j->starts + (ptrdiff_t)(to_z * box->counts[1] + to_y) * width;
    }
    for (int32_t x = 0; x < width; x++) {
        int32_t before = x > 0 ? x - 1 : 0, after = x + 1 < width ? x + 2 : x + 1;
        supi_near_span spans[LINES_BESIDE];
        int64_t beside = 0;
        for (int32_t k = 1; k < count; k++) {
            spans[k] = (supi_near_span){starts[k][before], starts[k][after]};
            beside += starts[k][after] - starts[k][before];
        }
        for (int32_t own = starts[0][x]; own < starts[0][x + 1]; own++) {
            spans[0] = (supi_near_span){own + 1, starts[0][after]};
            collect_all(c, own, spans, count, beside + starts[0][after] - own);
        }
    }
}

static void search_lines(void* context, int32_t index, int32_t worker) {
    (void)worker;
    job* j = context;
    collector c;
    c.job = j;
    memset(c.counts, 0, sizeof c.counts);
    int32_t lines = j->box.counts[1] * j->box.counts[2];
    for (int32_t k = index * BLOCK_LINES; k < lines && k < (index + 1) * BLOCK_LINES; k++) {
        search_line(&c, k);
    }
    for (int32_t k = 0; k < j->shares; k++) flush(&c, k);
}

static bool find_pairs(job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_column* store = &j->crowd->found;
    int32_t lines = j->box.counts[1] * j->box.counts[2];
    int64_t need = j->item_count / j->shares + 1; /* of the share with the most */
    for (;;) {
        if (need * j->shares > INT32_MAX) return false;
        j->found =
            supi_column_reserve(store, allocator, (int32_t)(need * j->shares), sizeof *j->found);
        if (!j->found) return false;
        j->found_capacity = store->capacity / j->shares;
        for (int32_t k = 0; k < j->shares; k++) {
            atomic_store_explicit(&j->wanted[k], 0, memory_order_relaxed);
        }
        supi_tasks_run(tasks, (lines + BLOCK_LINES - 1) / BLOCK_LINES, search_lines, j);
        need = 0;
        for (int32_t k = 0; k < j->shares; k++) {
            int64_t wanted = j->wanted[k];
            need = wanted > need ? wanted : need;
        }
        if (need > j->found_capacity) continue;
        for (int32_t k = 0; k < j->shares; k++) j->found_counts[k] = (int32_t)j->wanted[k];
        return true;
    }
}

/* ---- Pairs in their order ---- */

/* The rows first .. end - 1 whose pairs are a share. */
static void cut_rows(const job* j, int32_t share, int32_t* first, int32_t* end) {
    uint64_t low = (((uint64_t)share << 32) + j->scale - 1) / j->scale;
    uint64_t high = (((uint64_t)(share + 1) << 32) + j->scale - 1) / j->scale;
    *first = low < (uint64_t)j->count ? (int32_t)low : j->count;
    *end = share + 1 < j->shares && high < (uint64_t)j->count ? (int32_t)high : j->count;
}

static void count_mates(void* context, int32_t share, int32_t worker) {
    (void)worker;
    job* j = context;
    const supi_pair* found = j->found + (int64_t)share * j->found_capacity;
    int32_t first, end, *firsts = j->firsts;
    cut_rows(j, share, &first, &end);
    memset(firsts + first, 0, (size_t)(end - first) * sizeof *firsts);
    for (int32_t i = 0; i < j->found_counts[share]; i++) firsts[found[i].a]++;
    j->sums[share] = add_up(firsts, first, end);
}

/* Sorts numbers that differ. A few of them, as they mostly are, go where as many are below. */
static void sort_mates(int32_t* of, int32_t count) {
    enum { FEW = 8 };
    if (count > FEW) {
        for (int32_t i = 1; i < count; i++) {
            int32_t moving = of[i], to = i;
            for (; to > 0 && of[to - 1] > moving; to--) of[to] = of[to - 1];
            of[to] = moving;
        }
        return;
    }
    int32_t copy[FEW];
    for (int32_t i = 0; i < count; i++) copy[i] = of[i];
    for (int32_t i = 0; i < count; i++) {
        int32_t below = 0;
        for (int32_t k = 0; k < count; k++) below += copy[k] < copy[i];
        of[below] = copy[i];
    }
}

static void scatter_mates(const job* j, int32_t share) {
    const supi_pair* found = j->found + (int64_t)share * j->found_capacity;
    int32_t *firsts = j->firsts, *mates = j->mates, count = j->found_counts[share];
    for (int32_t i = 0; i < count; i++) {
        /* rows of a heap come in any order: they are sent for some time before */
        if (i + AHEAD < count) __builtin_prefetch(&firsts[found[i + AHEAD].a]);
        mates[firsts[found[i].a]++] = found[i].b;
    }
}

/* The mates of a share's rows in order, without those that are spared; `sums` says how many pairs
   are left. Firsts become the ends of what is left. */
static void place_mates(void* context, int32_t share, int32_t worker) {
    (void)worker;
    job* j = context;
    int32_t first, end;
    cut_rows(j, share, &first, &end);
    int32_t begin = j->sums[share], left = begin;
    shift(j->firsts, first, end, begin);
    scatter_mates(j, share);
    for (int32_t a = first, from = begin; a < end; a++) {
        int32_t to = j->firsts[a];
        sort_mates(j->mates + from, to - from);
        for (; from < to; from++) {
            if (!supi_self_spares(j->self, a, j->mates[from])) j->mates[left++] = j->mates[from];
        }
        j->firsts[a] = left;
    }
    j->sums[share] = left - begin;
}

/* Where the shares' mates begin was overwritten by how many are left: it is where all that were
   found of lower rows end. */
typedef struct listing {
    job* job;
    int32_t begins[SHARES_MAX]; /* of mates */
} listing;

static void list_pairs(void* context, int32_t share, int32_t worker) {
    (void)worker;
    const listing* l = context;
    const job* j = l->job;
    int32_t first, end, from = l->begins[share], next = j->sums[share];
    cut_rows(j, share, &first, &end);
    for (int32_t a = first; a < end; a++) {
        for (; from < j->firsts[a]; from++) {
            j->crowd->pairs[next++] = (supi_pair){j->first + a, j->first + j->mates[from]};
        }
    }
}

static bool sort_pairs(job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_crowd* crowd = j->crowd;
    j->firsts = supi_column_reserve(&crowd->firsts, allocator, j->count, sizeof *j->firsts);
    int64_t found = 0;
    for (int32_t k = 0; k < j->shares; k++) found += j->found_counts[k];
    if (found > INT32_MAX) return false;
    j->mates = supi_column_reserve(&crowd->mates, allocator, (int32_t)found, sizeof *j->mates);
    crowd->pairs =
        supi_column_reserve(&crowd->pair_store, allocator, (int32_t)found, sizeof *crowd->pairs);
    if (!j->firsts || !j->mates || !crowd->pairs) return false;
    supi_tasks_run(tasks, j->shares, count_mates, j);
    begin_shares(j);
    listing all = {.job = j};
    memcpy(all.begins, j->sums, sizeof all.begins);
    supi_tasks_run(tasks, j->shares, place_mates, j);
    crowd->pair_count = begin_shares(j);
    supi_tasks_run(tasks, j->shares, list_pairs, &all);
    return true;
}

sup_result supi_crowd_find(supi_crowd* crowd, const sup_allocator* allocator, supi_tasks* tasks,
                           const supi_near_kernels* kernels, const supi_run* run, const sup_row* x,
                           const sup_row* v, float margin) {
    int32_t workers = supi_tasks_worker_count(tasks);
    job j = {.crowd = crowd,
             .kernels = kernels,
             .self = run->self,
             .x = x + run->first,
             .v = v + run->first,
             .count = run->count,
             .first = run->first,
             .margin = margin,
             .shares = workers < SHARES_MAX ? workers : SHARES_MAX};
    j.scale = (uint32_t)(((uint64_t)j.shares << 32) / ((uint64_t)j.count + (uint64_t)j.shares));
    crowd->pair_count = 0;
    if (!make_lattice(run, margin, &j.box)) return SUP_OK;
    bool done = sort_rows(&j, allocator, tasks) && find_pairs(&j, allocator, tasks) &&
                sort_pairs(&j, allocator, tasks);
    return done ? SUP_OK : SUP_NO_MEMORY;
}

void supi_crowd_free(supi_crowd* crowd, const sup_allocator* allocator) {
    supi_column* stores[] = {&crowd->cells,  &crowd->starts,  &crowd->order,
                             &crowd->places, &crowd->columns, &crowd->found,
                             &crowd->firsts, &crowd->mates,   &crowd->pair_store};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    *crowd = (supi_crowd){0};
}
