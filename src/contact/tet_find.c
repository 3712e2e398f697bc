/* Points are stored in cells, tetrahedra ask the cells of their boxes (Teschner et al. 2003). Cells
   and boxes are floats in one common frame, a little larger than needed; who is inside is decided
   in double in the frame of the tetrahedron.

   Which worker finds a hit is left to chance, but the order of the result is not: all are sorted.
 */
#include "contact/tet_find.h"

#include "contact/tet_test.h"
#include "geom/sort.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define BLOCK_TETS 64
#define FOUND_LOCAL 64 /* hits a worker collects before it asks for room */
#define LARGE_CELLS 64 /* a tetrahedron that covers more cells asks the coarse ones */
#define COARSE 4       /* how much larger these are */
#define MIXED 2        /* bodies are of mixed sizes if mean edges differ by more than this factor */
#define SLACK 1e-5     /* of boxes of bodies */
#define FRAME_SLACK 4.8e-7f /* of places in the common frame, per m from its origin */

typedef struct body_box {
    float low[3], high[3]; /* in its own frame */
    bool finite;
    bool meets; /* another body's box, or itself */
    supi_tet_window window;
    int32_t first_point, first_tet; /* numbers among those of all bodies */
} body_box;

typedef struct tet_block {
    int32_t body, first, count;
} tet_block;

typedef struct found_hit {
    uint64_t key; /* number of the point << 32 | number of the tetrahedron */
    supi_tet_hit hit;
} found_hit;

typedef struct search {
    supi_tet_finder* finder;
    const sup_allocator* allocator;
    supi_tasks* tasks;
    const supi_tet_kernels* kernels;
    const supi_tet_body* bodies;
    int32_t body_count;
    const supi_tet_rules* rules;
    body_box* boxes;
    tet_block* blocks;
    int32_t block_count;
    const supi_cell_list* cells;
    int64_t* large; /* body << 32 | tetrahedron */
    found_hit* found;
    int32_t found_capacity;
    _Atomic int64_t found_count;
    _Atomic int32_t large_count, skipped;
} search;

/* ---- Bodies whose boxes meet ---- */

static void box_body(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const search* s = context;
    const supi_tet_body* body = &s->bodies[index];
    body_box* box = &s->boxes[index];
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX}, sum = 0;
    for (int32_t i = 0; i < body->form->point_count; i++) {
        const float at[3] = {body->x[i].x, body->x[i].y, body->x[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
            sum += at[k] - at[k]; /* no number where a place is none */
        }
    }
    memcpy(box->low, low, sizeof low);
    memcpy(box->high, high, sizeof high);
    box->finite = sum == 0 && body->form->point_count > 0;
    box->meets = body->self && !body->still;
}

static bool is_deep(const search* s, uint64_t ids) {
    int32_t i = supi_seek(s->rules->deep, s->rules->deep_count, ids);
    return i < s->rules->deep_count && s->rules->deep[i] == ids;
}

static uint64_t ids_of(const search* s, uint64_t couple) {
    const supi_tet_body *a = &s->bodies[couple >> 32], *b = &s->bodies[(uint32_t)couple];
    return (uint64_t)a->id << 32 | (uint32_t)b->id;
}

static bool may_meet(const search* s, uint64_t couple) {
    const supi_tet_body *a = &s->bodies[couple >> 32], *b = &s->bodies[(uint32_t)couple];
    return !(a->still && b->still) && supi_filters_meet(a->filter, b->filter) &&
           !supi_exemptions_part(s->rules->exempt, ids_of(s, couple));
}

/* Does one of them have an inside? */
static bool can_hold(const search* s, uint64_t couple) {
    return supi_tet_solid(&s->bodies[couple >> 32]) ||
           supi_tet_solid(&s->bodies[(uint32_t)couple]) || is_deep(s, ids_of(s, couple));
}

static bool find_couples(search* s) {
    supi_sweep* sweep = &s->finder->sweep;
    supi_box* boxes = supi_sweep_boxes(sweep, s->allocator, s->body_count);
    if (!boxes) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < s->body_count; i++) {
        const body_box* own = &s->boxes[i];
        if (!own->finite) {
            s->skipped += s->bodies[i].form->point_count;
            continue;
        }
        supi_box* box = &boxes[count++];
        box->id = i;
        for (int k = 0; k < 3; k++) {
            double low = (double)own->low[k], high = (double)own->high[k];
            double grown = SLACK * (fabs(low) + fabs(high));
            box->low[k] = s->bodies[i].anchor[k] + low - grown;
            box->high[k] = s->bodies[i].anchor[k] + high + grown;
        }
    }
    if (!supi_sweep_run(sweep, s->allocator, count)) return false;
    int32_t kept = 0;
    for (int32_t i = 0; i < sweep->couple_count; i++) {
        uint64_t couple = sweep->couples[i];
        if (may_meet(s, couple) && can_hold(s, couple)) sweep->couples[kept++] = couple;
    }
    sweep->couple_count = kept;
    s->finder->couples = sweep->couples;
    s->finder->couple_count = kept;
    return true;
}

/* ---- The common frame ---- */

/* Its origin: the middle of all bodies. */
static void find_origin(const search* s, double origin[3]) {
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int32_t i = 0; i < s->body_count; i++) {
        if (!s->boxes[i].finite) continue;
        for (int k = 0; k < 3; k++) {
            double from = s->bodies[i].anchor[k] + (double)s->boxes[i].low[k];
            double to = s->bodies[i].anchor[k] + (double)s->boxes[i].high[k];
            low[k] = from < low[k] ? from : low[k];
            high[k] = to > high[k] ? to : high[k];
        }
    }
    for (int k = 0; k < 3; k++) origin[k] = low[k] <= high[k] ? 0.5 * low[k] + 0.5 * high[k] : 0.0;
}

/* Lets body `a` look where `b` is. */
static void widen(search* s, int32_t a, int32_t b) {
    supi_tet_window* window = &s->boxes[a].window;
    const body_box* other = &s->boxes[b];
    float slack = window->slack + other->window.slack;
    for (int k = 0; k < 3; k++) {
        float low = other->low[k] + other->window.shift[k] - slack;
        float high = other->high[k] + other->window.shift[k] + slack;
        window->low[k] = low < window->low[k] ? low : window->low[k];
        window->high[k] = high > window->high[k] ? high : window->high[k];
    }
    s->boxes[a].meets = true;
}

static void make_windows(search* s) {
    double origin[3];
    find_origin(s, origin);
    for (int32_t i = 0; i < s->body_count; i++) {
        body_box* box = &s->boxes[i];
        float far = 0;
        for (int k = 0; k < 3; k++) {
            float shift = (float)(s->bodies[i].anchor[k] - origin[k]);
            float low = fabsf(box->low[k]), high = fabsf(box->high[k]);
            float most = (low > high ? low : high) + fabsf(shift);
            far = most > far ? most : far;
            box->window.shift[k] = shift;
            box->window.low[k] = FLT_MAX;
            box->window.high[k] = -FLT_MAX;
        }
        box->window.slack = FRAME_SLACK * far;
        box->meets = box->meets && box->finite;
    }
    for (int32_t i = 0; i < s->body_count; i++) {
        if (s->boxes[i].meets) widen(s, i, i);
    }
    for (int32_t i = 0; i < s->finder->couple_count; i++) {
        int32_t a = (int32_t)(s->finder->couples[i] >> 32);
        int32_t b = (int32_t)(uint32_t)s->finder->couples[i];
        widen(s, a, b);
        widen(s, b, a);
    }
}

/* ---- Points in cells ---- */

/* Edge of a cell: the mean over all edges, or the median over tetrahedra where bodies are of mixed
   sizes. */
static bool cell_size(search* s, float factor, float* size) {
    uint64_t* keys = supi_column_reserve(&s->finder->keys, s->allocator, s->body_count, 8);
    int32_t* ids = supi_column_reserve(&s->finder->ids, s->allocator, s->body_count, 4);
    uint64_t* other_keys =
        supi_column_reserve(&s->finder->scratch_keys, s->allocator, s->body_count, 8);
    int32_t* other_ids =
        supi_column_reserve(&s->finder->scratch_ids, s->allocator, s->body_count, 4);
    if (!keys || !ids || !other_keys || !other_ids) return false;
    double sum = 0.0, edges = 0.0, least = DBL_MAX, most = 0.0;
    int64_t tets = 0, passed = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < s->body_count; i++) {
        const supi_tet_form* form = s->bodies[i].form;
        if (!s->boxes[i].meets || s->bodies[i].points_only || !(form->edge > 0)) continue;
        double edge = (double)form->edge;
        uint32_t bits;
        memcpy(&bits, &form->edge,
               sizeof bits); /* positive floats are in the order of their bits */
        keys[count] = bits;
        ids[count++] = i;
        sum += edge * form->edge_count;
        edges += form->edge_count;
        tets += form->tet_count;
        least = edge < least ? edge : least;
        most = edge > most ? edge : most;
    }
    *size = edges > 0.0 ? (float)(sum / edges) : 1;
    if (most > MIXED * least) {
        supi_sort_keys(count, keys, ids, other_keys, other_ids);
        for (int32_t i = 0; i < count && 2 * passed < tets; i++) {
            passed += s->bodies[ids[i]].form->tet_count;
            *size = s->bodies[ids[i]].form->edge;
        }
    }
    *size *= factor;
    return true;
}

static bool in_window(const supi_tet_window* w, const supi_cell_entry* e) {
    return (e->x >= w->low[0]) & (e->x <= w->high[0]) & (e->y >= w->low[1]) & (e->y <= w->high[1]) &
           (e->z >= w->low[2]) & (e->z <= w->high[2]);
}

static bool make_entries(search* s, int32_t* out_count) {
    int64_t points = 0, tets = 0, count = 0;
    for (int32_t i = 0; i < s->body_count; i++) {
        s->boxes[i].first_point = (int32_t)points;
        s->boxes[i].first_tet = (int32_t)tets;
        points += s->bodies[i].form->point_count;
        tets += s->bodies[i].form->tet_count;
        if (points > INT32_MAX || tets > INT32_MAX) return false;
    }
    supi_cell_entry* entries =
        supi_column_reserve(&s->finder->entries, s->allocator, (int32_t)points, sizeof *entries);
    if (!entries) return false;
    for (int32_t i = 0; i < s->body_count; i++) {
        const supi_tet_window* window = &s->boxes[i].window;
        if (!s->boxes[i].meets) continue;
        const sup_row* x = s->bodies[i].x;
        for (int32_t p = 0; p < s->bodies[i].form->point_count; p++) {
            if (supi_tet_waits(&s->bodies[i], p)) continue;
            entries[count] = (supi_cell_entry){x[p].x + window->shift[0], x[p].y + window->shift[1],
                                               x[p].z + window->shift[2], p, i};
            count += in_window(window, &entries[count]);
        }
    }
    *out_count = (int32_t)count;
    return true;
}

/* ---- Hits ---- */

typedef struct collector {
    search* search;
    const supi_tet_body* other;
    int32_t body; /* of the tetrahedra */
    int32_t probe_count, found_count;
    struct {
        int32_t body, point, tet;
        double at[3]; /* the point in the frame of the tetrahedra */
    } asked[8];
    supi_tet_probes probes;
    found_hit found[FOUND_LOCAL];
} collector;

/* Takes room in the common array. What does not fit is only counted, and searched again with more
   room. */
static void flush(collector* c) {
    search* s = c->search;
    int64_t at = atomic_fetch_add_explicit(&s->found_count, c->found_count, memory_order_relaxed);
    if (at + c->found_count <= s->found_capacity) {
        memcpy(s->found + at, c->found, (size_t)c->found_count * sizeof *c->found);
    }
    c->found_count = 0;
}

/* Asks the eight, or as many as there are. */
static void ask(collector* c) {
    const search* s = c->search;
    for (int k = c->probe_count; k < 8; k++) {
        for (int j = 0; j < 4; j++) c->probes.corners[j][k] = c->probes.corners[j][0];
        for (int j = 0; j < 3; j++) c->probes.at[j][k] = c->probes.at[j][0];
    }
    int maybe = s->kernels->maybe(c->other->x, &c->probes) & ((1 << c->probe_count) - 1);
    for (; maybe; maybe &= maybe - 1) {
        int k = __builtin_ctz((unsigned)maybe);
        int32_t body = c->asked[k].body, point = c->asked[k].point, tet = c->asked[k].tet;
        double weights[4];
        bool inverted = false;
        supi_tet_side side =
            supi_tet_locate(c->other->x, c->other->form->tets + 4 * tet, c->other->form->outer[tet],
                            c->asked[k].at, weights, &inverted);
        if (side != SUPI_TET_INSIDE && side != SUPI_TET_TOUCHING) continue;
        if (c->found_count == FOUND_LOCAL) flush(c);
        found_hit* found = &c->found[c->found_count++];
        found->key = (uint64_t)(uint32_t)(s->boxes[body].first_point + point) << 32 |
                     (uint32_t)(s->boxes[c->body].first_tet + tet);
        found->hit = (supi_tet_hit){.body = body, .point = point, .other = c->body, .tet = tet};
        for (int j = 0; j < 4; j++) found->hit.weights[j] = (float)weights[j];
        if (side == SUPI_TET_TOUCHING) found->hit.flags |= SUPI_TET_ON_SURFACE;
        if (inverted) found->hit.flags |= SUPI_TET_INVERTED;
    }
    c->probe_count = 0;
}

static void add_probe(collector* c, const supi_cell_entry* entry, int32_t tet) {
    const supi_tet_body *body = &c->search->bodies[entry->body], *other = c->other;
    const int32_t* corners = other->form->tets + 4 * tet;
    const sup_row *x = &body->x[entry->point], *origin = &other->x[corners[0]];
    const float place[3] = {x->x, x->y, x->z}, from[3] = {origin->x, origin->y, origin->z};
    int k = c->probe_count++;
    c->asked[k].body = entry->body;
    c->asked[k].point = entry->point;
    c->asked[k].tet = tet;
    for (int j = 0; j < 3; j++) {
        double at = (double)place[j] + (body->anchor[j] - other->anchor[j]);
        c->asked[k].at[j] = at;
        c->probes.at[j][k] = (float)(at - (double)from[j]);
    }
    for (int j = 0; j < 4; j++) c->probes.corners[j][k] = corners[j];
    if (c->probe_count == 8) ask(c);
}

/* A point may meet its own body, if that meets itself, from outside, and not where it is a corner.
 */
static bool meets_own(const collector* c, int32_t point, int32_t tet) {
    const supi_tet_form* form = c->other->form;
    const int32_t* corners = form->tets + 4 * tet;
    if (!c->other->self || c->other->still ||
        form->fan_starts[point] == form->fan_starts[point + 1])
        return false;
    return corners[0] != point && corners[1] != point && corners[2] != point && corners[3] != point;
}

static bool bodies_meet(const collector* c, int32_t body) {
    int32_t low = body < c->body ? body : c->body, high = body < c->body ? c->body : body;
    uint64_t couple = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    return may_meet(c->search, couple) &&
           (!c->other->form->stands_in || is_deep(c->search, ids_of(c->search, couple)));
}

static void test_entries(collector* c, int32_t first, int32_t end, const int32_t* cell, int32_t tet,
                         const float low[3], const float high[3]) {
    const supi_cell_list* cells = c->search->cells;
    for (int32_t i = first; i < end; i++) {
        const supi_cell_entry* e = &cells->entries[i];
        if (e->body == c->body && !c->other->self) continue;
        bool in = (e->x >= low[0]) & (e->x <= high[0]) & (e->y >= low[1]) & (e->y <= high[1]) &
                  (e->z >= low[2]) & (e->z <= high[2]);
        if (!in || (cell && !supi_cell_list_in(cells, i, cell))) continue;
        if (e->body == c->body ? meets_own(c, e->point, tet) : bodies_meet(c, e->body)) {
            add_probe(c, e, tet);
        }
    }
}

/* All cells of a row lie together; most of them hold points of the body itself alone. */
static void ask_row(collector* c, int32_t at[3], const supi_cell_range* range, int32_t tet,
                    const float low[3], const float high[3]) {
    const supi_cell_list* cells = c->search->cells;
    at[0] = range->first[0];
    int32_t first = supi_cell_list_place(cells, at), end = first + range->last[0] - at[0] + 1;
    bool any = c->other->self;
    for (int32_t p = first; p < end; p++) {
        any |= (cells->owners[p] != c->body) & (cells->owners[p] != SUPI_CELL_EMPTY);
    }
    if (any) {
        test_entries(c, cells->starts[first], cells->starts[end], NULL, tet, low, high);
    }
}

static void ask_hashed_row(collector* c, int32_t at[3], const supi_cell_range* range, int32_t tet,
                           const float low[3], const float high[3]) {
    const supi_cell_list* cells = c->search->cells;
    for (at[0] = range->first[0]; at[0] <= range->last[0]; at[0]++) {
        int32_t place = supi_cell_list_place(cells, at);
        test_entries(c, cells->starts[place], cells->starts[place + 1], at, tet, low, high);
    }
}

/* False: it covers too many cells. */
static bool ask_cells(collector* c, int32_t tet, const float low[3], const float high[3],
                      double most) {
    const supi_cell_list* cells = c->search->cells;
    supi_cell_range range;
    bool skipped;
    if (!supi_cell_list_range(cells, low, high, &range, &skipped)) {
        if (skipped) atomic_fetch_add_explicit(&c->search->skipped, 1, memory_order_relaxed);
        return true;
    }
    if (range.cells > most) return false;
    if (range.cells > (double)cells->entry_count) {
        test_entries(c, 0, cells->entry_count, NULL, tet, low, high);
        return true;
    }
    int32_t at[3];
    for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++) {
        for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++) {
            if (cells->mask)
                ask_hashed_row(c, at, &range, tet, low, high);
            else
                ask_row(c, at, &range, tet, low, high);
        }
    }
    return true;
}

static void search_block(void* context, int32_t index, int32_t worker) {
    (void)worker;
    search* s = context;
    const tet_block* block = &s->blocks[index];
    collector c;
    c.search = s;
    c.body = block->body;
    c.other = &s->bodies[block->body];
    c.probe_count = c.found_count = 0;
    supi_tet_boxes boxes;
    for (int32_t i = 0; i < block->count; i += 8) {
        int32_t first = block->first + i, left = block->count - i < 8 ? block->count - i : 8;
        int mask = s->kernels->boxes(c.other->x, c.other->form->tets + 4 * first, left,
                                     &s->boxes[block->body].window, &boxes);
        for (; mask; mask &= mask - 1) {
            int k = __builtin_ctz((unsigned)mask);
            float low[3], high[3];
            for (int j = 0; j < 3; j++) low[j] = boxes.low[j][k], high[j] = boxes.high[j][k];
            if (ask_cells(&c, first + k, low, high, LARGE_CELLS)) continue;
            int32_t to = atomic_fetch_add_explicit(&s->large_count, 1, memory_order_relaxed);
            s->large[to] = (int64_t)block->body << 32 | (first + k);
        }
    }
    if (c.probe_count > 0) ask(&c);
    flush(&c);
}

static void search_large(void* context, int32_t index, int32_t worker) {
    (void)worker;
    search* s = context;
    collector c;
    c.search = s;
    c.body = (int32_t)(s->large[index] >> 32);
    c.other = &s->bodies[c.body];
    c.probe_count = c.found_count = 0;
    int32_t tet = (int32_t)(uint32_t)s->large[index];
    supi_tet_boxes boxes;
    float low[3], high[3];
    s->kernels->boxes(c.other->x, c.other->form->tets + 4 * tet, 1, &s->boxes[c.body].window,
                      &boxes);
    for (int j = 0; j < 3; j++) low[j] = boxes.low[j][0], high[j] = boxes.high[j][0];
    ask_cells(&c, tet, low, high, DBL_MAX);
    if (c.probe_count > 0) ask(&c);
    flush(&c);
}

static bool make_blocks(search* s, int32_t* tets) {
    int64_t need = 0, all = 0;
    for (int32_t i = 0; i < s->body_count; i++) {
        if (!s->boxes[i].meets || s->bodies[i].points_only) continue;
        need += (s->bodies[i].form->tet_count + BLOCK_TETS - 1) / BLOCK_TETS;
        all += s->bodies[i].form->tet_count;
    }
    s->blocks =
        supi_column_reserve(&s->finder->blocks, s->allocator, (int32_t)need, sizeof *s->blocks);
    if (!s->blocks) return false;
    for (int32_t i = 0; i < s->body_count; i++) {
        if (!s->boxes[i].meets || s->bodies[i].points_only) continue;
        for (int32_t done = 0; done < s->bodies[i].form->tet_count; done += BLOCK_TETS) {
            int32_t left = s->bodies[i].form->tet_count - done;
            s->blocks[s->block_count++] =
                (tet_block){i, done, left < BLOCK_TETS ? left : BLOCK_TETS};
        }
    }
    *tets = (int32_t)all;
    return true;
}

/* Both passes over the tetrahedra; again with more room where there was too little. */
static bool find_hits(search* s, float size, int32_t entry_count) {
    supi_tet_finder* finder = s->finder;
    int32_t tets, need = entry_count, skipped = s->skipped;
    if (!make_blocks(s, &tets)) return false;
    s->large = supi_column_reserve(&finder->large, s->allocator, tets, sizeof *s->large);
    if (!s->large || !supi_cell_list_build(&finder->fine, s->allocator, finder->entries.items,
                                           entry_count, size)) {
        return false;
    }
    skipped += finder->fine.skipped;
    for (;;) {
        s->found = supi_column_reserve(&finder->found, s->allocator, need, sizeof *s->found);
        if (!s->found) return false;
        s->found_capacity = finder->found.capacity;
        s->found_count = 0;
        s->large_count = 0;
        s->skipped = skipped;
        s->cells = &finder->fine;
        supi_tasks_run(s->tasks, s->block_count, search_block, s);
        if (s->large_count > 0) {
            if (!supi_cell_list_build(&finder->coarse, s->allocator, finder->entries.items,
                                      entry_count, COARSE * size)) {
                return false;
            }
            s->cells = &finder->coarse;
            supi_tasks_run(s->tasks, s->large_count, search_large, s);
        }
        int64_t count = s->found_count;
        if (count > INT32_MAX / 2) return false;
        if (count <= s->found_capacity) return true;
        need = (int32_t)count;
    }
}

/* ---- Their order ---- */

static bool sort_hits(search* s) {
    supi_tet_finder* finder = s->finder;
    int32_t count = (int32_t)s->found_count;
    uint64_t* keys = supi_column_reserve(&finder->keys, s->allocator, count, sizeof *keys);
    int32_t* ids = supi_column_reserve(&finder->ids, s->allocator, count, sizeof *ids);
    uint64_t* other_keys =
        supi_column_reserve(&finder->scratch_keys, s->allocator, count, sizeof *keys);
    int32_t* other_ids =
        supi_column_reserve(&finder->scratch_ids, s->allocator, count, sizeof *ids);
    finder->hits =
        supi_column_reserve(&finder->hit_store, s->allocator, count, sizeof *finder->hits);
    if (!keys || !ids || !other_keys || !other_ids || !finder->hits) return false;
    for (int32_t i = 0; i < count; i++) keys[i] = s->found[i].key, ids[i] = i;
    supi_sort_keys(count, keys, ids, other_keys, other_ids);
    for (int32_t i = 0; i < count; i++) {
        const supi_tet_hit* hit = &s->found[ids[i]].hit;
        keys[i] = (uint64_t)(uint32_t)hit->body << 32 | (uint32_t)hit->other;
    }
    supi_sort_keys(count, keys, ids, other_keys, other_ids);
    for (int32_t i = 0; i < count; i++) finder->hits[i] = s->found[ids[i]].hit;
    finder->hit_count = count;
    return true;
}

static bool run(search* s) {
    int32_t entry_count;
    float size;
    s->boxes =
        supi_column_reserve(&s->finder->boxes, s->allocator, s->body_count, sizeof *s->boxes);
    if (!s->boxes) return false;
    supi_tasks_run(s->tasks, s->body_count, box_body, s);
    if (!find_couples(s)) return false;
    make_windows(s);
    return make_entries(s, &entry_count) && cell_size(s, s->rules->cell, &size) &&
           find_hits(s, size, entry_count) && sort_hits(s);
}

supi_tet_rules supi_tet_rules_default(void) { return (supi_tet_rules){.cell = 1, .up = {0, 1, 0}}; }

sup_result supi_tet_find(supi_tet_finder* finder, const sup_allocator* allocator, supi_tasks* tasks,
                         const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                         int32_t body_count, const supi_tet_rules* rules) {
    search s = {.finder = finder,
                .allocator = allocator,
                .tasks = tasks,
                .kernels = kernels,
                .bodies = bodies,
                .body_count = body_count,
                .rules = rules};
    finder->hit_count = finder->couple_count = 0;
    bool done = run(&s);
    finder->skipped = s.skipped;
    finder->large_count = s.large_count;
    return done ? SUP_OK : SUP_NO_MEMORY;
}

void supi_tet_finder_free(supi_tet_finder* finder, const sup_allocator* allocator) {
    supi_column* columns[] = {&finder->boxes,    &finder->blocks,       &finder->entries,
                              &finder->large,    &finder->found,        &finder->keys,
                              &finder->ids,      &finder->scratch_keys, &finder->scratch_ids,
                              &finder->hit_store};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        supi_column_free(columns[i], allocator);
    }
    supi_sweep_free(&finder->sweep, allocator);
    supi_cell_list_free(&finder->fine, allocator);
    supi_cell_list_free(&finder->coarse, allocator);
    *finder = (supi_tet_finder){0};
}
