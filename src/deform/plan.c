/* See plan.h. Children are marked when all of the generation above has been looked at, so each sees
   all its parents: a search that marks and computes at once depends on its order. */
#include "deform/plan.h"

#include <string.h>

#define CROWD 512   /* generations of fewer points are the work of one worker */
#define SEARCHERS 4 /* fewer workers than these search slower together than one alone */
#define CHUNK 512   /* points of a task, a multiple of 8 */
#define PENDING 64  /* points that a worker collects before it asks for places */
#define USUAL_DEGREE 16
#define AHEAD 48 /* places */
#define DUMMY_SHARE 0.0f
#define LISTED 2 /* parents that a search lists; the order of more would matter in sums */

/* An edge that leads down: a row, and above it in the bits the number of its parent in the
   generation above. */
typedef uint64_t way_down;

typedef struct making {
    supi_plan* plan;
    const supi_graph* graph;
    const sup_row* rows;
    supi_tasks* tasks;
    const supi_plan_order* order;
    const int32_t* known;      /* places of rows in the plan of before, or NULL */
    const sup_row* known_rows; /* by such places */
    uint8_t* fresh;            /* by row: 1 until it is reached, 0 where nothing may be */
    int32_t begin, end;        /* places of the generation above, without padding */
    int32_t next;              /* first free place; shared while workers search */
    int32_t below, below_end;
    int32_t* counts;         /* parents of each of the generation below */
    int32_t *firsts, *lasts; /* of them the first and the last that the search finds */
    bool listed; /* the search has told counts and these parents of all, see list_children */
    bool small;  /* and none has more than LISTED */
} making;

static int32_t padded(int32_t places) { return (places + 7) & ~7; }

static int smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Lane of row j of eight: see base/simd.h. */
static int lane_of(int j) { return j / 2 + 4 * (j % 2); }

static bool shared_work(const making* m, int32_t count) {
    return count >= CROWD && supi_tasks_worker_count(m->tasks) > 1;
}

/* ---- The next generation ---- */

/* The row that knows where a point is. */
static inline const sup_row* knowing_row(const making* m, int32_t row) {
    int32_t place = m->known ? m->known[row] : -1;
    return place >= 0 ? m->known_rows + place : m->rows + row;
}

static inline float give_of(const making* m, int32_t row) {
    return m->order->light ? 1.0f : m->rows[row].w;
}

/* Room for `more` ways behind `count`, and one that is written over: where they go, NULL when
   memory is short. */
static way_down* reserve_ways(supi_plan* p, int64_t count, int32_t more) {
    int64_t need = count + more + 1;
    if (need > INT32_MAX) return NULL;
    way_down* ways = supi_column_reserve(&p->ways, p->allocator, (int32_t)need, sizeof *ways);
    return ways ? ways + count : NULL;
}

/* All edges that lead down. Which ones do cannot be foretold, so there is no branch: each is
   written down, and the next one over it unless it did. Bytes tell who is reached, as they stay in
   the cache, where places do not. Returns how many, -1 when memory is short. */
static int32_t list_ways(const making* m) {
    const uint8_t* fresh = m->fresh;
    const int32_t *order = SUPI_PLAN_INTS(m->plan->order), *eights = m->graph->eights;
    const supi_column* ways = &m->plan->ways;
    way_down* way = reserve_ways(m->plan, 0, 8);
    if (!way) return -1;
    const way_down* limit = way + ways->capacity;
    int32_t begin = m->begin, end = m->end;
    for (int32_t at = begin; at < end; at++) {
        int32_t row = order[at], degree = 8;
        uint64_t parent = (uint64_t)(at - begin) << 32;
        const int32_t* beside = eights + 8 * (size_t)row;
        __builtin_prefetch(eights + 8 * (size_t)order[smaller(at + AHEAD, end - 1)]);
        if (beside[0] < 0) {
            beside = m->graph->neighbours + m->graph->starts[row];
            degree = m->graph->starts[row + 1] - m->graph->starts[row];
        }
        if (limit - way <= degree) {
            way = reserve_ways(m->plan, way - (way_down*)ways->items, degree);
            if (!way) return -1;
            limit = (way_down*)ways->items + ways->capacity;
        }
        for (int32_t k = 0; k < 8; k++) {
            *way = parent + (uint32_t)beside[k];
            way += fresh[beside[k]];
        }
        for (int32_t k = 8; k < degree; k++) {
            *way = parent + (uint32_t)beside[k];
            way += fresh[beside[k]];
        }
    }
    return (int32_t)(way - (way_down*)ways->items);
}

/* Gives children their places, in the order in which they are found. Again without a branch; and
   who comes next depends on bytes alone, so that the processor need not wait for places. */
static void place_children(making* m, int32_t count, const way_down* ways) {
    int32_t *places = SUPI_PLAN_INTS(m->plan->places), *order = SUPI_PLAN_INTS(m->plan->order);
    uint8_t* fresh = m->fresh;
    int32_t next = m->next, *firsts = m->firsts, first = next;
    for (int32_t i = 0; i < count; i++) {
        uint32_t row = (uint32_t)ways[i];
        order[next] = (int32_t)row;
        firsts[next - first] = (int32_t)(ways[i] >> 32);
        next += fresh[row];
        fresh[row] = 0;
    }
    for (int32_t place = m->next; place < next; place++) {
        int32_t row = order[place];
        places[row] = place;
        if (m->known) {
            __builtin_prefetch(m->known + row);
        } else {
            __builtin_prefetch(m->rows + row);
        }
    }
    m->next = next;
}

static void count_ways(const making* m, int32_t count, const way_down* ways) {
    const int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    memset(m->counts, 0, (size_t)(m->next - m->below) * sizeof *m->counts);
    for (int32_t i = 0; i < count; i++) m->counts[places[(uint32_t)ways[i]] - m->below]++;
}

/* Lists the first and the last parent of children as if all batches had LISTED columns. Where both
   are one there is no other; and where all ways lead from these two, nobody has more. */
static void list_children(making* m, int32_t count, const way_down* ways, int32_t* listed) {
    const int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    int32_t children = m->next - m->below, none = padded(m->end - m->begin), known = children;
    int32_t *lasts = m->lasts, *firsts = m->firsts, *counts = m->counts;
    for (int32_t i = 0; i < count; i++)
        lasts[places[(uint32_t)ways[i]] - m->below] = (int32_t)(ways[i] >> 32);
    for (int32_t c = children; c < padded(children); c++) firsts[c] = lasts[c] = none;
    for (int32_t c = 0; c < padded(children); c += 8, listed += LISTED * 8) {
        for (int j = 0; j < 8; j++) {
            int32_t first = firsts[c + j], last = lasts[c + j], more = first != last;
            listed[j] = first;
            listed[8 + j] = more ? last : none;
            counts[c + j] = 1 + more;
            known += more;
        }
    }
    m->listed = true;
    m->small = known == count;
    if (!m->small) count_ways(m, count, ways);
}

static bool reserve_columns(supi_plan* p, int64_t count) {
    if (count > INT32_MAX / 8) return false;
    int32_t need = (int32_t)(8 * count);
    return supi_column_reserve(&p->parents, p->allocator, need, sizeof(int32_t)) &&
           (!p->weighted || supi_column_reserve(&p->weights, p->allocator, need, sizeof(float))) &&
           (!p->resting || supi_column_reserve(&p->rests, p->allocator, need, sizeof(float)));
}

static bool reserve_counts(making* m, int32_t children) {
    supi_plan* p = m->plan;
    if (children > INT32_MAX / 3 - 8) return false;
    int32_t room = padded(children + 1); /* one is written over until it is a child */
    m->counts = supi_column_reserve(&p->counts, p->allocator, 3 * room, sizeof(int32_t));
    if (!m->counts) return false;
    m->firsts = m->counts + room;
    m->lasts = m->firsts + room;
    return true;
}

static bool search_alone(making* m) {
    supi_plan* p = m->plan;
    int32_t count = list_ways(m), first = SUPI_PLAN_INTS(p->columns)[m->below / 8];
    if (count < 0) return false;
    if (!reserve_counts(m, count) || !reserve_columns(p, first + LISTED * ((int64_t)count / 8 + 1)))
        return false;
    place_children(m, count, p->ways.items);
    list_children(m, count, p->ways.items, SUPI_PLAN_INTS(p->parents) + 8 * (size_t)first);
    return true;
}

static void settle(making* m, int32_t count, const int32_t* found) {
    int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t first = __atomic_fetch_add(&m->next, count, __ATOMIC_RELAXED);
    for (int32_t i = 0; i < count; i++) {
        places[found[i]] = first + i;
        order[first + i] = found[i];
    }
}

/* Who gets which place is left to chance here; sums over parents go by ids and do not see it. */
static void search_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    const int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t found[PENDING], count = 0;
    int32_t begin = m->begin + index * CHUNK, end = smaller(m->end, begin + CHUNK);
    for (int32_t at = begin; at < end; at++) {
        int32_t row = order[at];
        for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++) {
            int32_t other = m->graph->neighbours[n];
            if (!__atomic_load_n(&m->fresh[other], __ATOMIC_RELAXED)) continue;
            if (!__atomic_exchange_n(&m->fresh[other], 0, __ATOMIC_RELAXED)) continue;
            found[count++] = other;
            if (count < PENDING) continue;
            settle(m, count, found);
            count = 0;
        }
    }
    settle(m, count, found);
}

static bool search(making* m) {
    int32_t count = m->end - m->begin;
    m->listed = m->small = false;
    if (shared_work(m, count) && supi_tasks_worker_count(m->tasks) >= SEARCHERS) {
        supi_tasks_run(m->tasks, (count + CHUNK - 1) / CHUNK, search_chunk, m);
        return reserve_counts(m, m->next - m->below);
    }
    return search_alone(m);
}

/* ---- Its parents ---- */

static bool is_parent(const making* m, int32_t row) {
    int32_t place = SUPI_PLAN_INTS(m->plan->places)[row];
    return (uint32_t)(place - m->begin) < (uint32_t)(m->end - m->begin);
}

static int32_t count_parents(const making* m, int32_t row) {
    int32_t count = 0;
    for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++)
        count += is_parent(m, m->graph->neighbours[n]);
    return count;
}

/* Numbers of edges, beside those of parents. */
static void fill_numbers(const making* m, int32_t row, int32_t column, int j) {
    const supi_plan_order* o = m->order;
    float *weights = m->plan->weights.items, *rests = m->plan->rests.items;
    for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++) {
        if (!is_parent(m, m->graph->neighbours[n])) continue;
        size_t at = 8 * (size_t)column++ + (size_t)lane_of(j);
        int32_t edge = m->graph->edge_of[n];
        weights[at] = o->transfers ? o->transfers[edge] : 1.0f;
        if (o->rests) rests[at] = o->rests[edge];
    }
}

/* The parents of a row, in the order of their ids; returns how many. Which neighbours are parents
   cannot be foretold, so there is no branch: `out` has room for one of each. */
static inline int32_t list_parents(const making* m, int32_t row, int32_t* out) {
    const int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    const int32_t* neighbours = m->graph->neighbours;
    uint32_t first = (uint32_t)m->begin, width = (uint32_t)(m->end - m->begin);
    int32_t count = 0;
    for (int32_t n = m->graph->starts[row], end = m->graph->starts[row + 1]; n < end; n++) {
        uint32_t above = (uint32_t)places[neighbours[n]] - first;
        out[count] = (int32_t)above;
        count += above < width;
    }
    return count;
}

/* The same where a row has more neighbours than there is room for; eight apart. */
static int32_t list_many_parents(const making* m, int32_t row, int32_t* parents) {
    int32_t count = 0;
    for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++) {
        int32_t other = m->graph->neighbours[n];
        if (!is_parent(m, other)) continue;
        parents[8 * (size_t)count++] = SUPI_PLAN_INTS(m->plan->places)[other] - m->begin;
    }
    return count;
}

/* Who has fewer parents than others of its eight names one that does not move. */
static void fill_up(making* m, int32_t column, int j, int32_t count, int32_t most) {
    int32_t* parents = SUPI_PLAN_INTS(m->plan->parents) + 8 * (size_t)column;
    for (int32_t k = count; k < most; k++) {
        parents[8 * (size_t)k + (size_t)j] = padded(m->end - m->begin);
        if (!m->plan->weighted) continue;
        size_t at = 8 * (size_t)(column + k) + (size_t)lane_of(j);
        ((float*)m->plan->weights.items)[at] = 0.0f;
        if (m->plan->resting) ((float*)m->plan->rests.items)[at] = 0.0f;
    }
}

/* Looks for all parents of a row, whose order matters; returns how many. */
static int32_t fill_child(making* m, int32_t row, int32_t column, int j) {
    int32_t* parents = SUPI_PLAN_INTS(m->plan->parents) + 8 * (size_t)column;
    int32_t count, listed[USUAL_DEGREE];
    if (m->graph->starts[row + 1] - m->graph->starts[row] <= USUAL_DEGREE) {
        count = list_parents(m, row, listed);
        for (int32_t k = 0; k < count; k++) parents[8 * (size_t)k + (size_t)j] = listed[k];
    } else {
        count = list_many_parents(m, row, parents + j);
    }
    if (m->plan->weighted) fill_numbers(m, row, column, j);
    return count;
}

/* All columns of a batch, looked for. */
static void fill_batch(making* m, int32_t batch) {
    const int32_t* columns = SUPI_PLAN_INTS(m->plan->columns);
    const int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t column = columns[batch], most = columns[batch + 1] - column;
    for (int j = 0; j < 8; j++) {
        int32_t place = 8 * batch + j;
        int32_t count = place < m->below_end ? fill_child(m, order[place], column, j) : 0;
        fill_up(m, column, j, count, most);
    }
}

/* Moves what the search has listed to the columns that batches really have, which are behind; only
   those of more parents are looked for. */
static void spread_listed(making* m) {
    const int32_t* columns = SUPI_PLAN_INTS(m->plan->columns);
    const int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t *parents = SUPI_PLAN_INTS(m->plan->parents), first = m->below / 8;
    for (int32_t b = padded(m->below_end) / 8 - 1; b >= first; b--) {
        int32_t column = columns[b], most = columns[b + 1] - column;
        int32_t* from = parents + 8 * ((size_t)columns[first] + LISTED * (size_t)(b - first));
        memmove(parents + 8 * (size_t)column, from, LISTED * 8 * sizeof *from);
        for (int j = 0; most > LISTED && j < 8; j++) {
            int32_t place = 8 * b + j, child = place - m->below, count = LISTED;
            if (place < m->below_end && m->counts[child] > LISTED)
                count = fill_child(m, order[place], column, j);
            fill_up(m, column, j, count, most);
        }
    }
}

/* Rows by place. Some are sent for at a time: they lie anywhere. */
static void fill_rows(making* m, int32_t begin, int32_t end) {
    int32_t *order = SUPI_PLAN_INTS(m->plan->order), last = smaller(end, m->below_end);
    sup_row* rows = m->plan->rows.items;
    for (int32_t first = begin; first < last; first += PENDING) {
        const sup_row* from[PENDING];
        int32_t count = smaller(last - first, PENDING);
        for (int32_t i = 0; i < count; i++) {
            from[i] = knowing_row(m, order[first + i]);
            __builtin_prefetch(from[i]);
        }
        for (int32_t i = 0, place = first; i < count; i++, place++) {
            float share = give_of(m, order[place]) / (float)m->counts[place - m->below];
            rows[place] = *from[i]; /* whole, in one store */
            rows[place].w = share;
        }
    }
    for (int32_t place = m->below_end; place < end; place++) {
        rows[place] = (sup_row){0.0f, 0.0f, 0.0f, DUMMY_SHARE};
        order[place] = -1;
    }
}

static void count_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    int32_t begin = m->below + index * CHUNK, end = smaller(m->below_end, begin + CHUNK);
    for (int32_t place = begin; place < end; place++)
        m->counts[place - m->below] = count_parents(m, SUPI_PLAN_INTS(m->plan->order)[place]);
}

static void fill_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    int32_t begin = m->below + index * CHUNK, end = smaller(padded(m->below_end), begin + CHUNK);
    for (int32_t b = begin / 8; !m->listed && b < end / 8; b++) fill_batch(m, b);
    fill_rows(m, begin, end);
}

/* By one or by all. */
static void each_chunk(making* m, supi_task* what) {
    int32_t count = m->below_end - m->below, chunks = (count + CHUNK - 1) / CHUNK;
    if (shared_work(m, count)) {
        supi_tasks_run(m->tasks, chunks, what, m);
    } else {
        for (int32_t i = 0; i < chunks; i++) what(m, i, 0);
    }
}

/* Columns of the batches below, as many as the largest family of each has parents; at least LISTED,
   so that what is listed has room. */
static void count_columns(making* m) {
    int32_t* columns = SUPI_PLAN_INTS(m->plan->columns);
    int32_t first = m->below / 8, end = padded(m->below_end) / 8;
    for (int32_t b = first; b < end; b++) {
        int32_t most = LISTED, from = 8 * (b - first);
        int32_t to = m->small ? from : smaller(from + 8, m->below_end - m->below);
        for (int32_t child = from; child < to; child++)
            most = m->counts[child] > most ? m->counts[child] : most;
        columns[b + 1] = columns[b] + most;
    }
}

static bool find_parents(making* m) {
    supi_plan* p = m->plan;
    int32_t end = padded(m->below_end) / 8;
    if (p->weighted) m->listed = false; /* numbers of edges are looked for, and parents with them */
    if (!supi_column_reserve(&p->columns, p->allocator, end + 1, sizeof(int32_t))) return false;
    if (!m->listed) each_chunk(m, count_chunk);
    count_columns(m);
    if (!reserve_columns(p, SUPI_PLAN_INTS(p->columns)[end])) return false;
    if (m->listed && !m->small) spread_listed(m);
    each_chunk(m, fill_chunk);
    return true;
}

/* ---- All generations ---- */

static bool begin_level(supi_plan* p, int32_t first) {
    int32_t level = p->level_count;
    if (!supi_column_reserve(&p->levels, p->allocator, level + 2, sizeof(int32_t)) ||
        !supi_column_reserve(&p->widths, p->allocator, level + 1, sizeof(int32_t)))
        return false;
    SUPI_PLAN_INTS(p->levels)[level] = first;
    return true;
}

static void end_level(supi_plan* p, int32_t first, int32_t end) {
    int32_t level = p->level_count++;
    SUPI_PLAN_INTS(p->widths)[level] = end - first;
    SUPI_PLAN_INTS(p->levels)[level + 1] = padded(end);
    p->reached += end - first;
    if (padded(end) - first > p->widest) p->widest = padded(end) - first;
}

static bool reserve_places(supi_plan* p, int32_t count) {
    return supi_column_reserve(&p->order, p->allocator, count, sizeof(int32_t)) &&
           supi_column_reserve(&p->rows, p->allocator, count, sizeof(sup_row));
}

static bool place_sources(making* m) {
    supi_plan* p = m->plan;
    int32_t count = m->order->source_count, end = padded(count);
    if (!begin_level(p, 0) ||
        !supi_column_reserve(&p->columns, p->allocator, end / 8 + 1, sizeof(int32_t)))
        return false;
    sup_row* rows = p->rows.items;
    for (int32_t i = 0; i < end; i++) {
        int32_t row = i < count ? m->order->sources[i] : -1;
        SUPI_PLAN_INTS(p->order)[i] = row;
        rows[i] = row >= 0 ? *knowing_row(m, row) : (sup_row){0.0f, 0.0f, 0.0f, DUMMY_SHARE};
        if (row < 0) continue;
        rows[i].w = m->rows[row].w;
        SUPI_PLAN_INTS(p->places)[row] = i;
        m->fresh[row] = 0;
    }
    memset(p->columns.items, 0, ((size_t)end / 8 + 1) * sizeof(int32_t));
    end_level(p, 0, count);
    return true;
}

static bool make_levels(making* m) {
    supi_plan* p = m->plan;
    int32_t n = m->graph->point_count;
    if (!reserve_places(p, n + n / 8 + 64) || !place_sources(m)) return false;
    m->end = m->order->source_count;
    while (m->end > m->begin && p->level_count <= m->order->depth) {
        m->below = m->next = padded(m->end);
        int64_t need = (int64_t)m->below + (n - p->reached) + 8;
        if (need > INT32_MAX || !reserve_places(p, (int32_t)need)) return false;
        if (!search(m)) return false;
        m->below_end = m->next;
        if (m->below_end == m->below) return true;
        if (!begin_level(p, m->below) || !find_parents(m)) return false;
        end_level(p, m->below, m->below_end);
        m->begin = m->below;
        m->end = m->below_end;
    }
    return true;
}

static bool remember_order(supi_plan* p, const supi_plan_order* order) {
    int32_t count = order->source_count;
    if (!supi_column_reserve(&p->sources, p->allocator, count, sizeof(int32_t))) return false;
    if (count > 0) memcpy(p->sources.items, order->sources, (size_t)count * sizeof(int32_t));
    p->source_count = count;
    p->depth = order->depth;
    p->pins_block = order->pins_block;
    p->weighted = order->transfers || order->rests;
    p->resting = order->rests != NULL;
    return true;
}

bool supi_plan_make(supi_plan* p, const supi_graph* graph, const sup_row* rows, supi_tasks* tasks,
                    const supi_plan_order* order) {
    p->ready = false;
    p->reached = p->level_count = p->widest = 0;
    int32_t n = graph->point_count;
    if (!remember_order(p, order) ||
        !supi_column_reserve(&p->places, p->allocator, n, sizeof(int32_t)))
        return false;
    uint8_t* fresh = supi_column_reserve(&p->fresh, p->allocator, n, sizeof *fresh);
    if (!fresh) return false;
    memset(p->places.items, 0xff, (size_t)n * sizeof(int32_t));
    memset(fresh, 1, (size_t)n);
    for (int32_t row = 0; order->pins_block && row < n; row++) fresh[row] = rows[row].w > 0.0f;
    making m = {
        .plan = p, .graph = graph, .rows = rows, .tasks = tasks, .order = order, .fresh = fresh};
    if (order->before->ready) {
        m.known = SUPI_PLAN_INTS(order->before->places);
        m.known_rows = order->before->rows.items;
    }
    p->ready = make_levels(&m);
    return p->ready;
}

bool supi_plan_fits(const supi_plan* p, const supi_plan_order* order) {
    return p->ready && p->source_count == order->source_count && p->depth == order->depth &&
           p->pins_block == order->pins_block &&
           p->weighted == (order->transfers || order->rests) &&
           p->resting == (order->rests != NULL) &&
           memcmp(p->sources.items, order->sources,
                  (size_t)order->source_count * sizeof(int32_t)) == 0;
}

void supi_plan_bring_back(const supi_plan* p, sup_row* rows) {
    if (!p->ready) return;
    const sup_row* moved = p->rows.items;
    const int32_t* order = SUPI_PLAN_INTS(p->order);
    int32_t end = SUPI_PLAN_INTS(p->levels)[p->level_count];
    for (int32_t i = 0; i < end; i++) {
        int32_t row = order[i], soon = order[smaller(i + AHEAD, end - 1)];
        __builtin_prefetch(rows + (soon < 0 ? 0 : soon), 1);
        if (row < 0) continue;
        rows[row] = (sup_row){moved[i].x, moved[i].y, moved[i].z, rows[row].w};
    }
}

void supi_plan_leave(const supi_plan* p, const supi_plan* next, int32_t point_count,
                     sup_row* rows) {
    if (!p->ready || next->reached == point_count) return;
    const sup_row* moved = p->rows.items;
    const int32_t *order = SUPI_PLAN_INTS(p->order), *places = SUPI_PLAN_INTS(next->places);
    int32_t end = SUPI_PLAN_INTS(p->levels)[p->level_count];
    for (int32_t i = 0; i < end; i++) {
        int32_t row = order[i];
        if (row < 0 || places[row] >= 0) continue;
        rows[row] = (sup_row){moved[i].x, moved[i].y, moved[i].z, rows[row].w};
    }
}

void supi_plan_free(supi_plan* p) {
    supi_column* columns[] = {&p->places,  &p->order,   &p->levels,  &p->widths, &p->rows,
                              &p->columns, &p->parents, &p->weights, &p->rests,  &p->sources,
                              &p->ways,    &p->counts,  &p->fresh};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        supi_column_free(columns[i], p->allocator);
    p->ready = false;
}
