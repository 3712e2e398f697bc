/* See plan.h. Children are marked when all of the generation above has been looked at, so each sees
   all its parents: a search that marks and computes at once depends on its order. */
#include "deform/plan.h"

#include <string.h>

#define CROWD 512    /* generations of fewer points are the work of one worker */
#define SEARCHERS 4  /* fewer workers than these search slower together than one alone */
#define CHUNK 512    /* points of a task, a multiple of 8 */
#define CLAIMED (-2) /* found by a worker, not yet in its place */
#define PENDING 64   /* points that a worker collects before it asks for places */
#define USUAL_DEGREE 16
#define AHEAD 24 /* places */
#define DUMMY_SHARE 0.0f
#define LISTED 2 /* parents that a search lists; the order of more would matter in sums */

/* What the search finds out about a child beside its place. */
typedef struct child_slot {
    int32_t count, parents[LISTED]; /* numbers in the generation above */
} child_slot;

/* An edge that leads down: a row, and above it in the bits the number of its parent in the
   generation above. */
typedef uint64_t way_down;

typedef struct making {
    supi_plan* plan;
    const supi_graph* graph;
    const sup_row* rows;
    supi_tasks* tasks;
    const supi_plan_order* order;
    int32_t begin, end; /* places of the generation above, without padding */
    int32_t next;       /* first free place; shared while workers search */
    int32_t below, below_end;
    child_slot* children; /* of the generation below, if one worker has searched; else NULL */
} making;

static int32_t padded(int32_t places) { return (places + 7) & ~7; }

static int smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Lane of row j of eight: see base/simd.h. */
static int lane_of(int j) { return j / 2 + 4 * (j % 2); }

static bool shared_work(const making* m, int32_t count) {
    return count >= CROWD && supi_tasks_worker_count(m->tasks) > 1;
}

/* ---- The next generation ---- */

static bool may_enter(const making* m, int32_t row) {
    return !m->order->pins_block || m->rows[row].w > 0.0f;
}

/* Edges of the generation above. */
static int64_t count_edges(const making* m) {
    const int32_t *order = SUPI_PLAN_INTS(m->plan->order), *starts = m->graph->starts;
    int64_t edges = 0;
    for (int32_t at = m->begin; at < m->end; at++) {
        int32_t first = starts[order[at]], end = starts[order[at] + 1];
        edges += end - first;
    }
    return edges;
}

/* All edges that lead down. Which ones do cannot be foretold, so there is no branch: each is
   written down, and the next one over it unless it did. */
static int32_t list_ways(const making* m, way_down* ways) {
    const int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    const int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    const int32_t *starts = m->graph->starts, *neighbours = m->graph->neighbours;
    bool pins_block = m->order->pins_block;
    size_t count = 0;
    for (int32_t at = m->begin; at < m->end; at++) {
        int32_t row = order[at];
        uint64_t parent = (uint64_t)(at - m->begin) << 32;
        int32_t soon = starts[order[smaller(at + AHEAD, m->end - 1)]];
        __builtin_prefetch(neighbours + soon);
        __builtin_prefetch(neighbours + soon + 8); /* most lists end there */
        for (int32_t n = starts[row], end = starts[row + 1]; n < end; n++) {
            int32_t other = neighbours[n];
            if (pins_block && !may_enter(m, other)) continue;
            ways[count] = parent | (uint32_t)other;
            count += (uint32_t)places[other] >> 31;
        }
    }
    return (int32_t)count;
}

/* Gives children their places, in the order in which they are found, and lists their parents. */
static void follow_ways(making* m, int32_t count, const way_down* ways) {
    int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    child_slot* children = m->plan->children.items;
    int32_t next = m->next;
    for (int32_t i = 0; i < count; i++) {
        int32_t row = (int32_t)(uint32_t)ways[i], place = places[row];
        int32_t fresh = -(int32_t)((uint32_t)place >> 31); /* all bits or none */
        place = (place & ~fresh) | (next & fresh);
        places[row] = place;
        order[next] = row;
        next -= fresh;
        __builtin_prefetch(m->graph->starts + row); /* of interest soon, and they lie anywhere */
        __builtin_prefetch(m->rows + row);
        child_slot* child = &children[place - m->below];
        int32_t before = child->count & ~fresh;
        child->parents[(uint32_t)before % LISTED] = (int32_t)(ways[i] >> 32);
        child->count = before + 1;
    }
    m->next = next;
    m->children = children;
}

static bool search_alone(making* m) {
    supi_plan* p = m->plan;
    int64_t edges = count_edges(m) + 1;
    if (edges > INT32_MAX ||
        !supi_column_reserve(&p->ways, p->allocator, (int32_t)edges, sizeof(way_down)))
        return false;
    int32_t count = list_ways(m, p->ways.items);
    if (!supi_column_reserve(&p->children, p->allocator, count, sizeof(child_slot))) return false;
    follow_ways(m, count, p->ways.items);
    return true;
}

static void settle(making* m, int32_t count, const int32_t* found) {
    int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t first = __atomic_fetch_add(&m->next, count, __ATOMIC_RELAXED);
    for (int32_t i = 0; i < count; i++) {
        __atomic_store_n(&places[found[i]], first + i, __ATOMIC_RELAXED);
        order[first + i] = found[i];
    }
}

/* Who gets which place is left to chance here; sums over parents go by ids and do not see it. */
static void search_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    int32_t* places = SUPI_PLAN_INTS(m->plan->places);
    const int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t found[PENDING], count = 0;
    int32_t begin = m->begin + index * CHUNK, end = smaller(m->end, begin + CHUNK);
    for (int32_t at = begin; at < end; at++) {
        int32_t row = order[at];
        for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++) {
            int32_t other = m->graph->neighbours[n], unreached = -1;
            if (__atomic_load_n(&places[other], __ATOMIC_RELAXED) != -1) continue;
            if (!may_enter(m, other)) continue;
            if (!__atomic_compare_exchange_n(&places[other], &unreached, CLAIMED, false,
                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                continue;
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
    m->children = NULL;
    if (shared_work(m, count) && supi_tasks_worker_count(m->tasks) >= SEARCHERS) {
        supi_tasks_run(m->tasks, (count + CHUNK - 1) / CHUNK, search_chunk, m);
        return true;
    }
    return search_alone(m);
}

/* ---- Its parents ---- */

static bool is_parent(const making* m, int32_t row) {
    int32_t place = SUPI_PLAN_INTS(m->plan->places)[row];
    return (uint32_t)(place - m->begin) < (uint32_t)(m->end - m->begin);
}

static int32_t count_parents(const making* m, int32_t place) {
    if (m->children) return m->children[place - m->below].count;
    int32_t count = 0, row = SUPI_PLAN_INTS(m->plan->order)[place];
    for (int32_t n = m->graph->starts[row]; n < m->graph->starts[row + 1]; n++)
        count += is_parent(m, m->graph->neighbours[n]);
    return count;
}

/* Even a batch of only children has LISTED columns, which are filled without a branch. */
static void count_batch(making* m, int32_t batch) {
    int32_t most = LISTED;
    for (int32_t at = 8 * batch; at < smaller(8 * batch + 8, m->below_end); at++) {
        int32_t count = count_parents(m, at);
        most = count > most ? count : most;
    }
    SUPI_PLAN_INTS(m->plan->columns)[batch + 1] = most;
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

/* Rows that come soon are sent for: they lie anywhere. */
static void send_for(const making* m, int32_t place) {
    int32_t row = SUPI_PLAN_INTS(m->plan->order)[smaller(place, m->below_end - 1)];
    __builtin_prefetch(m->rows + row);
    if (!m->children) __builtin_prefetch(m->graph->neighbours + m->graph->starts[row]);
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

/* Copied whole, in one store. */
static void divide_by(const sup_row* row, int32_t parents, sup_row* out) {
    float share = row->w / (float)parents;
    *out = *row;
    out->w = share;
}

/* Parents of eight children from `column` on, `most` columns. */
static void fill_batch(making* m, int32_t batch, int32_t column, int32_t most) {
    int32_t* order = SUPI_PLAN_INTS(m->plan->order);
    int32_t* parents = SUPI_PLAN_INTS(m->plan->parents) + 8 * (size_t)column;
    int32_t none = padded(m->end - m->begin);
    const child_slot* slots = m->plan->weighted ? NULL : m->children;
    sup_row* rows = m->plan->rows.items;
    for (int j = 0; j < 8; j++) {
        int32_t place = 8 * batch + j, count = 0;
        if (place >= m->below_end) {
            rows[place] = (sup_row){0.0f, 0.0f, 0.0f, DUMMY_SHARE};
            order[place] = -1;
            fill_up(m, column, j, 0, most);
            continue;
        }
        send_for(m, place + AHEAD);
        if (slots && slots[place - m->below].count <= LISTED) {
            const child_slot* slot = &slots[place - m->below];
            count = LISTED;
            parents[j] = slot->parents[0];
            parents[8 + j] = slot->count == LISTED ? slot->parents[1] : none;
            divide_by(&m->rows[order[place]], slot->count, &rows[place]);
        } else {
            count = fill_child(m, order[place], column, j);
            divide_by(&m->rows[order[place]], count, &rows[place]);
        }
        if (count < most) fill_up(m, column, j, count, most);
    }
}

static bool reserve_columns(supi_plan* p, int32_t count) {
    if (count > INT32_MAX / 8) return false;
    if (!supi_column_reserve(&p->parents, p->allocator, 8 * count, sizeof(int32_t))) return false;
    if (p->weighted && !supi_column_reserve(&p->weights, p->allocator, 8 * count, sizeof(float)))
        return false;
    return !p->resting || supi_column_reserve(&p->rests, p->allocator, 8 * count, sizeof(float));
}

static void count_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    int32_t begin = m->below / 8 + index * (CHUNK / 8);
    int32_t end = smaller(padded(m->below_end) / 8, begin + CHUNK / 8);
    for (int32_t b = begin; b < end; b++) count_batch(m, b);
}

static void fill_chunk(void* context, int32_t index, int32_t worker) {
    (void)worker;
    making* m = context;
    int32_t begin = m->below / 8 + index * (CHUNK / 8);
    int32_t end = smaller(padded(m->below_end) / 8, begin + CHUNK / 8);
    const int32_t* columns = SUPI_PLAN_INTS(m->plan->columns);
    for (int32_t b = begin; b < end; b++) fill_batch(m, b, columns[b], columns[b + 1] - columns[b]);
}

/* By one or by all. */
static void each_chunk(making* m, supi_task* what) {
    int32_t batches = padded(m->below_end - m->below) / 8;
    int32_t chunks = (batches + CHUNK / 8 - 1) / (CHUNK / 8);
    if (shared_work(m, m->below_end - m->below)) {
        supi_tasks_run(m->tasks, chunks, what, m);
    } else {
        for (int32_t i = 0; i < chunks; i++) what(m, i, 0);
    }
}

static bool find_parents(making* m) {
    supi_plan* p = m->plan;
    int32_t first = m->below / 8, end = padded(m->below_end) / 8;
    if (!supi_column_reserve(&p->columns, p->allocator, end + 1, sizeof(int32_t))) return false;
    each_chunk(m, count_chunk);
    int32_t* columns = SUPI_PLAN_INTS(p->columns);
    for (int32_t b = first; b < end; b++) columns[b + 1] += columns[b];
    if (!reserve_columns(p, columns[end])) return false;
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
        rows[i] = row >= 0 ? m->rows[row] : (sup_row){0.0f, 0.0f, 0.0f, DUMMY_SHARE};
        if (row >= 0) SUPI_PLAN_INTS(p->places)[row] = i;
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
    memset(p->places.items, 0xff, (size_t)n * sizeof(int32_t));
    making m = {.plan = p, .graph = graph, .rows = rows, .tasks = tasks, .order = order};
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
        int32_t row = order[i], soon = order[smaller(i + 2 * AHEAD, end - 1)];
        __builtin_prefetch(rows + (soon < 0 ? 0 : soon), 1);
        if (row < 0) continue;
        rows[row] = (sup_row){moved[i].x, moved[i].y, moved[i].z, rows[row].w};
    }
}

void supi_plan_free(supi_plan* p) {
    supi_column* columns[] = {&p->places, &p->order,   &p->levels,  &p->widths,
                              &p->rows,   &p->columns, &p->parents, &p->weights,
                              &p->rests,  &p->sources, &p->ways,    &p->children};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        supi_column_free(columns[i], p->allocator);
    p->ready = false;
}
