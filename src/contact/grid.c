/* Broad phase for particles: boxes of runs along one axis, then sorted cell lists (after Teschner
   et al. 2003) with cells compared by their numbers, so that equal hashes do no harm.

   Which worker finds a pair is left to chance, but the order of the result is not: all pairs are
   sorted. */
#include "contact/grid.h"

#include "contact/cell_number.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Boxes and cells are this much larger than needed, so that rounding loses no pair. */
#define SLACK 1e-5

/* A run with more neighbours tests its particles against the union of their boxes only. */
#define WINDOWS_MAX 8

#define BLOCK_ROWS 64   /* one bit mask */
#define BLOCK_CELLS 32  /* what a worker takes at a time */
#define FOUND_LOCAL 256 /* pairs a worker collects before it asks for room */
#define ENTRIES_MAX (1 << 28)
#define RUNS_EXACT (1 << 24) /* as many runs are told apart as floats */
#define CELLS_PER_ITEM 4     /* a box with fewer cells than that has a bucket for each */
#define FRAME_SLACK 1e-6     /* of places in a common frame, per m from its origin */

/* Where a run's particles may meet a neighbour's, in the run's frame. */
typedef struct window {
    float low[3], high[3];
} window;

/* Up to 64 rows of one run, and which of them are entries. */
typedef struct block {
    uint64_t mask;
    int32_t run, first, count;
    int32_t entry; /* number of its first entry */
    float radius;  /* largest of its entries */
} block;

/* A particle that may meet another, in order of run and row. */
typedef struct entry {
    int32_t cell[3];
    int32_t row, run; /* run -1: out of range */
    uint32_t bucket;
    int32_t cell_id; /* of the cell whose first item it is, or -1 */
} entry;

/* The same in cell order, with all that the distance test needs. */
typedef struct item {
    float x, y, z, radius;
    int32_t entry, row, run;
} item;

/* Items of one grid cell. */
typedef struct cell {
    int32_t at[3];
    int32_t first, end;
    int32_t run; /* of all its items, or -1 */
} cell;

/* A pair as it was found: keys for sorting, least significant first. */
typedef struct found_pair {
    int32_t key[3]; /* entry b, entry a, couple */
} found_pair;

/* What the steps of one search share. */
typedef struct search {
    supi_grid* grid;
    const sup_allocator* allocator;
    supi_tasks* tasks;
    const supi_run* runs;
    int32_t run_count;
    const supi_exemptions* exemptions;
    const sup_row *x, *v;
    float margin;
    bool itself; /* one run that meets itself */

    int32_t couple_count; /* pairs of runs whose boxes meet, sorted; each is run_a << 32 | run_b */
    const uint64_t* couples;
    const int32_t* couple_firsts; /* (run_count + 1) couples by run_a */
    const window *windows, *unions;
    const int32_t* window_firsts; /* (run_count + 1) */
    block* blocks;
    entry* entries;
    item* items;
    cell* cells;
    int32_t* order;   /* in which cells are searched (cell_count) */
    int32_t* buckets; /* first cell of each (bucket_count + 1) */
    found_pair* found;
    int32_t block_count, entry_count, item_count, cell_count, found_capacity;
    uint32_t bucket_count;
    double cell_size;
    bool dense;                     /* each cell has a bucket, those of a row lie together: */
    int32_t low_cell[3], counts[3]; /* the first, and how many there are */
    supi_near_columns columns;      /* of the items, in a common frame */
    float slack;                    /* m, which that may be wrong by */
    _Atomic int64_t found_count;
    _Atomic int32_t skipped;
} search;

/* ---- Runs whose boxes meet ---- */

/* World box of a run, as large as its particles reach. False for runs that meet nobody. */
static bool make_box(const search* s, int32_t run, supi_box* box) {
    const supi_run* r = &s->runs[run];
    if (!(r->reach > 0) || r->count == 0) return false;
    box->id = run;
    for (int k = 0; k < 3; k++) {
        double low = (double)r->low[k], high = (double)r->high[k];
        double grown = (double)r->reach + 0.5 * (double)s->margin;
        grown += SLACK * (grown + fabs(low) + fabs(high));
        box->low[k] = r->anchor[k] + low - grown;
        box->high[k] = r->anchor[k] + high + grown;
        if (!(box->high[k] - box->low[k] <= DBL_MAX)) return false;
    }
    return true;
}

/* May anything happen between two runs whose boxes meet? */
static bool may_meet(const search* s, uint64_t couple) {
    const supi_run *a = &s->runs[couple >> 32], *b = &s->runs[(uint32_t)couple];
    if ((a->asleep || a->held) && (b->asleep || b->held)) return false;
    return (a->ways & b->ways) == 0 && supi_filters_meet(a->filter, b->filter);
}

/* Drops those that may not meet. */
static void drop_couples(search* s) {
    supi_sweep* sweep = &s->grid->sweep;
    const uint64_t* exempt = s->exemptions ? s->exemptions->couples : NULL;
    int32_t count = s->exemptions ? s->exemptions->couple_count : 0, next = 0, kept = 0;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        uint64_t couple = sweep->couples[i];
        while (next < count && exempt[next] < couple) next++;
        bool apart = next < count && exempt[next] == couple;
        if (!apart && may_meet(s, couple)) sweep->couples[kept++] = couple;
    }
    sweep->couple_count = kept;
}

static bool sweep_boxes(search* s) {
    supi_sweep* sweep = &s->grid->sweep;
    supi_box* boxes = supi_sweep_boxes(sweep, s->allocator, s->run_count);
    if (!boxes) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < s->run_count; i++) count += make_box(s, i, &boxes[count]);
    if (!supi_sweep_run(sweep, s->allocator, count)) return false;
    drop_couples(s);
    return true;
}

static bool find_couples(search* s) {
    const supi_sweep* sweep = &s->grid->sweep;
    if (!sweep_boxes(s)) return false;
    int32_t* firsts = supi_column_reserve(&s->grid->couple_firsts, s->allocator, s->run_count + 1,
                                          sizeof *firsts);
    if (!firsts) return false;
    int32_t run = 0;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        for (; run <= (int32_t)(sweep->couples[i] >> 32); run++) firsts[run] = i;
    }
    for (; run <= s->run_count; run++) firsts[run] = sweep->couple_count;
    s->couple_count = sweep->couple_count;
    s->couples = sweep->couples;
    s->couple_firsts = firsts;
    return true;
}

/* The only couple of a run that meets itself. */
static bool couple_with_itself(search* s) {
    static const uint64_t itself = 0;
    int32_t* firsts = supi_column_reserve(&s->grid->couple_firsts, s->allocator, 2, sizeof *firsts);
    if (!firsts) return false;
    firsts[0] = 0;
    firsts[1] = 1;
    s->couples = &itself;
    s->couple_count = s->run_count;
    s->couple_firsts = firsts;
    return true;
}

/* Index of the couple, or -1: rounding can let particles meet whose boxes do not. */
static int32_t couple_of(const search* s, int32_t a, int32_t b) {
    int32_t low = s->couple_firsts[a], high = s->couple_firsts[a + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int32_t at = (int32_t)(uint32_t)s->couples[middle];
        if (at == b) return middle;
        if (at < b)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* ---- Windows: where a run may meet its neighbours ---- */

/* The box of `other`, as large as both reach, in the frame of `run`. */
static window make_window(const search* s, int32_t run, int32_t other) {
    const supi_run *r = &s->runs[run], *o = &s->runs[other];
    window w;
    for (int k = 0; k < 3; k++) {
        double grown = (double)r->reach + (double)o->reach + (double)s->margin;
        double low = (double)o->low[k], high = (double)o->high[k];
        double shift = o->anchor[k] - r->anchor[k];
        grown += SLACK * (grown + fabs(low) + fabs(high) + fabs(shift));
        w.low[k] = (float)(low + shift - grown);
        w.high[k] = (float)(high + shift + grown);
    }
    return w;
}

static void unite(window* sum, const window* w) {
    for (int k = 0; k < 3; k++) {
        sum->low[k] = w->low[k] < sum->low[k] ? w->low[k] : sum->low[k];
        sum->high[k] = w->high[k] > sum->high[k] ? w->high[k] : sum->high[k];
    }
}

static bool make_windows(search* s) {
    supi_grid* grid = s->grid;
    int32_t runs = s->run_count;
    int32_t* firsts =
        supi_column_reserve(&grid->window_firsts, s->allocator, runs + 1, sizeof *firsts);
    window* windows =
        supi_column_reserve(&grid->windows, s->allocator, 2 * s->couple_count, sizeof *windows);
    window* unions = supi_column_reserve(&grid->unions, s->allocator, runs, sizeof *unions);
    if (!firsts || !windows || !unions) return false;

    memset(firsts, 0, (size_t)(runs + 1) * sizeof *firsts);
    for (int32_t i = 0; i < s->couple_count; i++) {
        firsts[s->couples[i] >> 32]++;
        firsts[(uint32_t)s->couples[i]]++;
    }
    int32_t sum = 0;
    for (int32_t i = 0; i <= runs; i++) sum += firsts[i], firsts[i] = sum;
    /* Each window is put before the others of its run, so that the ends become the firsts. */
    for (int32_t i = 0; i < s->couple_count; i++) {
        int32_t a = (int32_t)(s->couples[i] >> 32), b = (int32_t)(uint32_t)s->couples[i];
        windows[--firsts[a]] = make_window(s, a, b);
        windows[--firsts[b]] = make_window(s, b, a);
    }
    for (int32_t i = 0; i < runs; i++) {
        if (firsts[i] == firsts[i + 1]) continue;
        unions[i] = windows[firsts[i]];
        for (int32_t k = firsts[i] + 1; k < firsts[i + 1]; k++) unite(&unions[i], &windows[k]);
    }
    s->window_firsts = firsts;
    s->windows = windows;
    s->unions = unions;
    return true;
}

static bool in_window(const window* w, const sup_row* x) {
    return (x->x >= w->low[0]) & (x->x <= w->high[0]) & (x->y >= w->low[1]) & (x->y <= w->high[1]) &
           (x->z >= w->low[2]) & (x->z <= w->high[2]);
}

/* ---- Entries: particles in a window ---- */

static bool in_any_window(const search* s, int32_t run, const sup_row* x) {
    if (!in_window(&s->unions[run], x)) return false;
    int32_t first = s->window_firsts[run], end = s->window_firsts[run + 1];
    if (end - first > WINDOWS_MAX) return true;
    for (int32_t k = first; k < end; k++) {
        if (in_window(&s->windows[k], x)) return true;
    }
    return false;
}

static void mask_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const search* s = context;
    block* b = &s->blocks[index];
    const sup_row *x = s->x + b->first, *v = s->v + b->first;
    b->mask = 0;
    b->radius = 0;
    for (int32_t i = 0; i < b->count; i++) {
        if (!(v[i].w > 0) || !in_any_window(s, b->run, &x[i])) continue;
        b->mask |= UINT64_C(1) << i;
        b->radius = v[i].w > b->radius ? v[i].w : b->radius;
    }
}

static bool make_blocks(search* s) {
    int64_t need = 0;
    for (int32_t i = 0; i < s->run_count; i++) {
        if (s->window_firsts[i] == s->window_firsts[i + 1]) continue;
        need += (s->runs[i].count + BLOCK_ROWS - 1) / BLOCK_ROWS;
    }
    if (need > INT32_MAX) return false;
    s->blocks = supi_column_reserve(&s->grid->blocks, s->allocator, (int32_t)need, sizeof(block));
    if (!s->blocks) return false;
    for (int32_t i = 0; i < s->run_count; i++) {
        if (s->window_firsts[i] == s->window_firsts[i + 1]) continue;
        for (int32_t done = 0; done < s->runs[i].count; done += BLOCK_ROWS) {
            int32_t left = s->runs[i].count - done;
            s->blocks[s->block_count++] = (block){.run = i,
                                                  .first = s->runs[i].first + done,
                                                  .count = left < BLOCK_ROWS ? left : BLOCK_ROWS};
        }
    }
    return true;
}

static bool find_cell(const search* s, const double anchor[3], const sup_row* x, int32_t at[3]) {
    const float place[3] = {x->x, x->y, x->z};
    for (int k = 0; k < 3; k++) {
        double number = floor((anchor[k] + (double)place[k]) / s->cell_size);
        if (!(fabs(number) < SUPI_CELL_RANGE)) return false;
        at[k] = (int32_t)number;
    }
    return true;
}

static void fill_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    search* s = context;
    const block* b = &s->blocks[index];
    entry* to = &s->entries[b->entry];
    for (uint64_t mask = b->mask; mask; mask &= mask - 1) {
        int32_t row = b->first + __builtin_ctzll(mask);
        to->row = row;
        to->run = b->run;
        if (find_cell(s, s->runs[b->run].anchor, &s->x[row], to->cell)) {
            to->bucket = supi_cell_hash(to->cell) & (s->bucket_count - 1);
        } else {
            to->run = -1;
            atomic_fetch_add_explicit(&s->skipped, 1, memory_order_relaxed);
        }
        to++;
    }
}

/* Where the box of all cells has few of them, they are buckets themselves. */
static void number_cells(search* s) {
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int32_t i = 0; i < s->entry_count; i++) {
        const entry* e = &s->entries[i];
        for (int k = 0; e->run >= 0 && k < 3; k++) {
            low[k] = e->cell[k] < low[k] ? e->cell[k] : low[k];
            high[k] = e->cell[k] > high[k] ? e->cell[k] : high[k];
        }
    }
    double cells = 1.0;
    for (int k = 0; k < 3; k++) cells *= (double)high[k] - (double)low[k] + 1.0;
    s->dense = s->item_count > 0 && cells < CELLS_PER_ITEM * (double)s->item_count &&
               s->run_count <= RUNS_EXACT && !s->itself;
    if (!s->dense) return;
    for (int k = 0; k < 3; k++) {
        s->low_cell[k] = low[k];
        s->counts[k] = high[k] - low[k] + 1;
    }
    s->bucket_count = (uint32_t)cells;
    for (int32_t i = 0; i < s->entry_count; i++) {
        entry* e = &s->entries[i];
        if (e->run < 0) continue;
        int32_t row = (e->cell[2] - low[2]) * s->counts[1] + e->cell[1] - low[1];
        e->bucket = (uint32_t)(row * s->counts[0] + e->cell[0] - low[0]);
    }
}

static bool make_entries(search* s) {
    if (!make_blocks(s)) return false;
    supi_tasks_run(s->tasks, s->block_count, mask_block, s);
    int64_t count = 0;
    float radius = 0;
    for (int32_t i = 0; i < s->block_count; i++) {
        block* b = &s->blocks[i];
        b->entry = (int32_t)count;
        count += __builtin_popcountll(b->mask);
        if (count > ENTRIES_MAX) return false;
        radius = b->radius > radius ? b->radius : radius;
    }
    s->entry_count = (int32_t)count;
    s->entries =
        supi_column_reserve(&s->grid->entries, s->allocator, s->entry_count, sizeof(entry));
    if (!s->entries) return false;
    s->cell_size = (2 * (double)radius + (double)s->margin) * (1 + SLACK);
    for (s->bucket_count = 2; s->bucket_count < 2 * (uint32_t)count;) s->bucket_count *= 2;
    supi_tasks_run(s->tasks, s->block_count, fill_block, s);
    s->item_count = s->entry_count - s->skipped;
    number_cells(s);
    return true;
}

/* ---- Cells ---- */

static int compare_cells(const int32_t a[3], const int32_t b[3]) {
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    }
    return 0;
}

static const int32_t* cell_of(const search* s, const item* i) { return s->entries[i->entry].cell; }

/* Brings items of one cell together. Buckets are short; items of equal cells keep their order. */
static void sort_bucket(const search* s, int32_t first, int32_t end) {
    for (int32_t i = first + 1; i < end; i++) {
        item moving = s->items[i];
        int32_t to = i;
        while (to > first &&
               compare_cells(cell_of(s, &s->items[to - 1]), cell_of(s, &moving)) > 0) {
            s->items[to] = s->items[to - 1];
            to--;
        }
        if (to != i) s->items[to] = moving;
    }
}

/* Counting sort by bucket; afterwards buckets[b] is the first item of b. */
static void sort_items(search* s) {
    int32_t* ends = s->buckets;
    memset(ends, 0, ((size_t)s->bucket_count + 1) * sizeof *ends);
    for (int32_t i = 0; i < s->entry_count; i++) {
        if (s->entries[i].run >= 0) ends[s->entries[i].bucket]++;
    }
    int32_t sum = 0;
    for (uint32_t b = 0; b <= s->bucket_count; b++) sum += ends[b], ends[b] = sum;
    for (int32_t i = s->entry_count - 1; i >= 0; i--) {
        const entry* e = &s->entries[i];
        if (e->run < 0) continue;
        const sup_row* x = &s->x[e->row];
        s->items[--ends[e->bucket]] = (item){x->x, x->y, x->z, s->v[e->row].w, i, e->row, e->run};
    }
}

static void add_item_to_cells(search* s, int32_t i, bool first_of_bucket) {
    const item* it = &s->items[i];
    const int32_t* at = cell_of(s, it);
    cell* last = s->cell_count > 0 ? &s->cells[s->cell_count - 1] : NULL;
    if (!first_of_bucket && last && compare_cells(last->at, at) == 0) {
        last->end = i + 1;
        if (last->run != it->run) last->run = -1;
        return;
    }
    s->cells[s->cell_count++] = (cell){{at[0], at[1], at[2]}, i, i + 1, it->run};
}

/* Cells in the order of their first entries: neighbours in a body follow each other closely, so
   that the search finds what it looks up still in the cache. */
static void order_cells(search* s) {
    for (int32_t i = 0; i < s->entry_count; i++) s->entries[i].cell_id = -1;
    for (int32_t i = 0; i < s->cell_count; i++) {
        s->entries[s->items[s->cells[i].first].entry].cell_id = i;
    }
    int32_t next = 0;
    for (int32_t i = 0; i < s->entry_count; i++) {
        if (s->entries[i].cell_id >= 0) s->order[next++] = s->entries[i].cell_id;
    }
}

/* Items once more, as lanes like them. */
static bool reserve_columns(search* s) {
    int64_t room = (int64_t)s->item_count + 8;
    if (5 * room > INT32_MAX) return false;
    float* to =
        supi_column_reserve(&s->grid->places, s->allocator, (int32_t)(5 * room), sizeof *to);
    if (!to) return false;
    s->columns = (supi_near_columns){to, to + room, to + 2 * room, to + 3 * room, to + 4 * room};
    return true;
}

static void fill_columns(search* s) {
    int32_t room = s->item_count + 8;
    float *x = s->grid->places.items, *y = x + room, *z = y + room, *radius = z + room,
          *run = radius + room;
    double origin[3], far = 0.0;
    for (int k = 0; k < 3; k++) {
        origin[k] = s->cell_size * ((double)s->low_cell[k] + 0.5 * (double)s->counts[k]);
        far += s->cell_size * (double)s->counts[k];
    }
    double away = 0.0;
    for (int32_t i = 0; i < s->item_count; i++) {
        const item* it = &s->items[i];
        const double* anchor = s->runs[it->run].anchor;
        double shift[3] = {anchor[0] - origin[0], anchor[1] - origin[1], anchor[2] - origin[2]};
        for (int k = 0; k < 3; k++) away = fabs(shift[k]) > away ? fabs(shift[k]) : away;
        x[i] = (float)((double)it->x + shift[0]);
        y[i] = (float)((double)it->y + shift[1]);
        z[i] = (float)((double)it->z + shift[2]);
        radius[i] = it->radius;
        run[i] = (float)it->run;
    }
    s->slack = (float)(FRAME_SLACK * (far + 2.0 * away + s->cell_size));
}

static bool make_cells(search* s) {
    supi_grid* grid = s->grid;
    /* for either kind of search, so that a change of kind needs no memory */
    int64_t most = (int64_t)CELLS_PER_ITEM * s->item_count;
    most = most > s->bucket_count ? most : s->bucket_count;
    s->buckets =
        supi_column_reserve(&grid->buckets, s->allocator, (int32_t)(most + 1), sizeof *s->buckets);
    s->items = supi_column_reserve(&grid->items, s->allocator, s->item_count, sizeof(item));
    s->cells = supi_column_reserve(&grid->cells, s->allocator, s->item_count, sizeof(cell));
    s->order = supi_column_reserve(&grid->order, s->allocator, s->item_count, sizeof *s->order);
    if (!s->buckets || !s->items || !s->cells || !s->order || !reserve_columns(s)) return false;
    sort_items(s);
    if (s->dense) {
        fill_columns(s);
        return true;
    }
    for (uint32_t b = 0; b < s->bucket_count; b++) {
        int32_t first = s->buckets[b], end = s->buckets[b + 1];
        sort_bucket(s, first, end);
        s->buckets[b] = s->cell_count; /* from here on: first cell */
        for (int32_t i = first; i < end; i++) add_item_to_cells(s, i, i == first);
    }
    s->buckets[s->bucket_count] = s->cell_count;
    order_cells(s);
    return true;
}

static const cell* look_up(const search* s, const int32_t at[3]) {
    uint32_t bucket = supi_cell_hash(at) & (s->bucket_count - 1);
    for (int32_t i = s->buckets[bucket]; i < s->buckets[bucket + 1]; i++) {
        const cell* c = &s->cells[i];
        if (c->at[0] == at[0] && c->at[1] == at[1] && c->at[2] == at[2]) return c;
    }
    return NULL;
}

/* ---- Pairs ---- */

typedef struct collector {
    search* search;
    int32_t count;
    found_pair pairs[FOUND_LOCAL];
} collector;

/* Takes room in the common array. What does not fit is counted, and searched again with more. */
static void flush(collector* c) {
    search* s = c->search;
    int64_t at = atomic_fetch_add_explicit(&s->found_count, c->count, memory_order_relaxed);
    if (at + c->count <= s->found_capacity) {
        memcpy(s->found + at, c->pairs, (size_t)c->count * sizeof *c->pairs);
    }
    c->count = 0;
}

/* Two particles of one run that never meet. */
static bool spared(const search* s, const item* a, const item* b) {
    const supi_run* run = &s->runs[a->run];
    return supi_self_spares(run->self, a->row - run->first, b->row - run->first);
}

static void test_pair(collector* c, const item* a, const item* b) {
    const search* s = c->search;
    if (a->run == b->run && !s->itself) return;
    if (s->itself ? a->entry > b->entry : a->run > b->run) {
        const item* swap = a;
        a = b, b = swap;
    }
    float shift[3] = {0, 0, 0};
    if (a->run != b->run) {
        const double *from = s->runs[a->run].anchor, *to = s->runs[b->run].anchor;
        for (int k = 0; k < 3; k++) shift[k] = (float)(to[k] - from[k]);
    }
    float dx = a->x - (b->x + shift[0]), dy = a->y - (b->y + shift[1]),
          dz = a->z - (b->z + shift[2]);
    float sum = a->radius + b->radius + s->margin;
    if (!(dx * dx + dy * dy + dz * dz < sum * sum)) return;
    if (s->itself && spared(s, a, b)) return;
    int32_t couple = s->itself ? 0 : couple_of(s, a->run, b->run);
    if (couple < 0) return;
    if (c->count == FOUND_LOCAL) flush(c);
    c->pairs[c->count++] = (found_pair){{b->entry, a->entry, couple}};
}

static void test_cells(collector* c, const cell* a, const cell* b) {
    const item* items = c->search->items;
    if (a->run >= 0 && a->run == b->run && !c->search->itself) return;
    for (int32_t i = a->first; i < a->end; i++) {
        for (int32_t j = a == b ? i + 1 : b->first; j < b->end; j++) {
            test_pair(c, &items[i], &items[j]);
        }
    }
}

/* Half of the 26 cells around a cell; the other half sees this one as its neighbour. */
static const int8_t half_stencil[13][3] = {
    {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
    {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

static void search_cells(void* context, int32_t index, int32_t worker) {
    (void)worker;
    search* s = context;
    collector c;
    c.search = s;
    c.count = 0;
    int32_t first = index * BLOCK_CELLS, end = first + BLOCK_CELLS;
    if (end > s->cell_count) end = s->cell_count;
    for (int32_t i = first; i < end; i++) {
        const cell* a = &s->cells[s->order[i]];
        test_cells(&c, a, a);
        for (int k = 0; k < 13; k++) {
            const int32_t at[3] = {a->at[0] + half_stencil[k][0], a->at[1] + half_stencil[k][1],
                                   a->at[2] + half_stencil[k][2]};
            const cell* b = look_up(s, at);
            if (b) test_cells(&c, a, b);
        }
    }
    flush(&c);
}

/* Item i against items first .. end - 1: lanes sort out who is surely too far. */
static void test_items(collector* c, int32_t i, int32_t first, int32_t end) {
    const search* s = c->search;
    for (; first < end; first += 64) {
        int32_t count = end - first < 64 ? end - first : 64;
        uint64_t near = s->grid->kernels->close(&s->columns, i, first, count, s->margin + s->slack);
        for (; near; near &= near - 1) {
            test_pair(c, &s->items[i], &s->items[first + __builtin_ctzll(near)]);
        }
    }
}

/* A row of cells along the first axis. Half of the 26 cells around a cell are the one after it and
   three in each of four other rows; these lie together. */
static void search_row(void* context, int32_t index, int32_t worker) {
    (void)worker;
    static const int8_t others[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    search* s = context;
    collector c;
    c.search = s;
    c.count = 0;
    int32_t width = s->counts[0], y = index % s->counts[1], z = index / s->counts[1];
    const int32_t* row = s->buckets + (ptrdiff_t)index * width;
    for (int32_t x = 0; x < width; x++) {
        int32_t before = x > 0 ? x - 1 : 0, after = x + 1 < width ? x + 1 : x;
        for (int32_t i = row[x]; i < row[x + 1]; i++) test_items(&c, i, i + 1, row[after + 1]);
        for (int k = 0; row[x] < row[x + 1] && k < 4; k++) {
            int32_t to_y = y + others[k][0], to_z = z + others[k][1];
            if (to_y < 0 || to_y >= s->counts[1] || to_z >= s->counts[2]) continue;
            const int32_t* other = s->buckets + (ptrdiff_t)(to_z * s->counts[1] + to_y) * width;
            for (int32_t i = row[x]; i < row[x + 1]; i++) {
                test_items(&c, i, other[before], other[after + 1]);
            }
        }
    }
    flush(&c);
}

static bool find_pairs(search* s) {
    supi_column* store = &s->grid->found;
    int32_t need = s->item_count;
    for (;;) {
        /* The second half is scratch for sorting. */
        if (!supi_column_reserve(store, s->allocator, 2 * need, sizeof(found_pair))) return false;
        s->found = store->items;
        s->found_capacity = store->capacity / 2;
        atomic_store_explicit(&s->found_count, 0, memory_order_relaxed);
        int32_t blocks = (s->cell_count + BLOCK_CELLS - 1) / BLOCK_CELLS;
        if (s->dense)
            supi_tasks_run(s->tasks, s->counts[1] * s->counts[2], search_row, s);
        else
            supi_tasks_run(s->tasks, blocks, search_cells, s);
        int64_t count = s->found_count;
        if (count > INT32_MAX / 2) return false;
        if (count <= s->found_capacity) return true;
        need = (int32_t)count;
    }
}

/* Stable counting sort by one of the keys. */
static void sort_by(const found_pair* from, found_pair* to, int32_t count, int key, int32_t* tally,
                    int32_t values) {
    memset(tally, 0, (size_t)values * sizeof *tally);
    for (int32_t i = 0; i < count; i++) tally[from[i].key[key]]++;
    int32_t sum = 0;
    for (int32_t k = 0; k < values; k++) sum += tally[k], tally[k] = sum;
    for (int32_t i = count - 1; i >= 0; i--) to[--tally[from[i].key[key]]] = from[i];
}

/* Writes the pairs, sorted by couple, entry a, entry b, as rows and groups. */
static bool write_pairs(search* s) {
    supi_grid* grid = s->grid;
    int32_t count = (int32_t)s->found_count;
    int32_t values = s->entry_count > s->couple_count ? s->entry_count : s->couple_count;
    int32_t* tally = supi_column_reserve(&grid->tally, s->allocator, values, sizeof *tally);
    supi_pair* pairs =
        supi_column_reserve(&grid->pair_store, s->allocator, count, sizeof(supi_pair));
    supi_pair_group* groups = supi_column_reserve(&grid->group_store, s->allocator, s->couple_count,
                                                  sizeof(supi_pair_group));
    if (!tally || !pairs || !groups) return false;
    found_pair *found = s->found, *scratch = s->found + s->found_capacity;
    sort_by(found, scratch, count, 0, tally, s->entry_count);
    sort_by(scratch, found, count, 1, tally, s->entry_count);
    if (s->couple_count > 1) {
        sort_by(found, scratch, count, 2, tally, s->couple_count);
        found = scratch;
    }

    int32_t group_count = 0, couple = -1;
    for (int32_t i = 0; i < count; i++) {
        const int32_t* key = found[i].key;
        pairs[i] = (supi_pair){s->entries[key[1]].row, s->entries[key[0]].row};
        if (key[2] != couple) {
            couple = key[2];
            uint64_t runs = s->couples[couple];
            groups[group_count++] =
                (supi_pair_group){(int32_t)(runs >> 32), (int32_t)(uint32_t)runs, i, 0};
        }
        groups[group_count - 1].count++;
    }
    grid->pairs = pairs;
    grid->groups = groups;
    grid->pair_count = count;
    grid->group_count = group_count;
    return true;
}

static sup_result find_all(search* s) {
    supi_grid* grid = s->grid;
    grid->pair_count = grid->group_count = grid->skipped = 0;
    if (!grid->kernels) grid->kernels = supi_near_kernels_find(SUP_SIMD_AUTO);
    if (!(s->itself ? couple_with_itself(s) : find_couples(s))) return SUP_NO_MEMORY;
    if (s->couple_count == 0) return SUP_OK;
    if (!make_windows(s) || !make_entries(s)) return SUP_NO_MEMORY;
    grid->skipped = s->skipped;
    if (!make_cells(s) || !find_pairs(s) || !write_pairs(s)) return SUP_NO_MEMORY;
    return SUP_OK;
}

sup_result supi_grid_find(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                          const supi_run* runs, int32_t run_count,
                          const supi_exemptions* exemptions, const sup_row* x, const sup_row* v,
                          float margin) {
    search s = {.grid = grid,
                .allocator = allocator,
                .tasks = tasks,
                .runs = runs,
                .run_count = run_count,
                .exemptions = exemptions,
                .x = x,
                .v = v,
                .margin = margin};
    return find_all(&s);
}

bool supi_grid_find_couples(supi_grid* grid, const sup_allocator* allocator, const supi_run* runs,
                            int32_t run_count, const supi_exemptions* exemptions, float margin) {
    search s = {.grid = grid,
                .allocator = allocator,
                .runs = runs,
                .run_count = run_count,
                .exemptions = exemptions,
                .margin = margin};
    return sweep_boxes(&s);
}

/* One run that fills its box well. */
static sup_result find_crowd(search* s) {
    supi_grid* grid = s->grid;
    supi_crowd* crowd = &grid->crowd;
    if (!grid->kernels) grid->kernels = supi_near_kernels_find(SUP_SIMD_AUTO);
    sup_result result = supi_crowd_find(crowd, s->allocator, s->tasks, grid->kernels, s->runs, s->x,
                                        s->v, s->margin);
    grid->skipped = 0;
    grid->pairs = crowd->pairs;
    grid->groups = &grid->own_group;
    grid->own_group = (supi_pair_group){0, 0, 0, crowd->pair_count};
    grid->pair_count = crowd->pair_count;
    grid->group_count = crowd->pair_count > 0;
    return result;
}

sup_result supi_grid_find_self(supi_grid* grid, const sup_allocator* allocator, supi_tasks* tasks,
                               const supi_run* run, const sup_row* x, const sup_row* v,
                               float margin) {
    search s = {.grid = grid,
                .allocator = allocator,
                .tasks = tasks,
                .runs = run,
                .run_count = 1,
                .x = x,
                .v = v,
                .margin = margin,
                .itself = true};
    return supi_crowd_fits(run, margin) ? find_crowd(&s) : find_all(&s);
}

void supi_grid_free(supi_grid* grid, const sup_allocator* allocator) {
    supi_column* stores[] = {
        &grid->couple_firsts, &grid->windows,     &grid->window_firsts, &grid->unions,
        &grid->blocks,        &grid->entries,     &grid->buckets,       &grid->items,
        &grid->cells,         &grid->order,       &grid->found,         &grid->tally,
        &grid->pair_store,    &grid->group_store, &grid->masks,         &grid->places};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    supi_sweep_free(&grid->sweep, allocator);
    supi_crowd_free(&grid->crowd, allocator);
    *grid = (supi_grid){0};
}
