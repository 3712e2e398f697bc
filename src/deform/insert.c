#include "deform/insert.h"

#include "deform/split.h"
#include "geom/sort.h"
#include "geom/vector.h"

#include <string.h>

/* An edge that would end too long. */
typedef struct cut {
    int32_t edge, parent, child; /* numbers of points in their generations */
    double stretch;
} cut;

/* A generation, and the one above it. */
typedef struct front {
    const sup_clay* clay;
    const supi_sweep* sweep;
    int32_t above, above_end; /* places, without padding */
    int32_t first, width;     /* likewise of this one */
} front;

/* The number of a neighbour in the generation above, or -1. */
static int32_t parent_at(const front* f, int32_t neighbour) {
    int32_t row = f->clay->fabric.graph.neighbours[neighbour];
    int32_t place = SUPI_PLAN_INTS(f->clay->plan.places)[row];
    return place >= f->above && place < f->above_end ? place - f->above : -1;
}

static int32_t row_at(const front* f, int32_t child) {
    return SUPI_PLAN_INTS(f->clay->plan.order)[f->first + child];
}

/* ---- Motion of single points, as in sweep.h ---- */

/* The length that `part` of an edge wants; below 0: the one it has. */
static double rest_of(const front* f, int32_t edge, double part) {
    return f->sweep->rests ? part * (double)f->clay->fabric.rests[edge] : -1.0;
}

/* What a parent that moves by d hands on along e, which leads to it. */
static void hand_on(const front* f, int32_t edge, double part, const double e[3], const double d[3],
                    double out[3]) {
    const float* transfers = f->clay->fabric.transfers;
    double weight = transfers ? (double)transfers[edge] : 1.0, rest = rest_of(f, edge, part);
    double q[3], sum[3], pull = 0.0;
    for (int k = 0; k < 3; k++) q[k] = e[k] + d[k];
    for (int k = 0; k < 3; k++) sum[k] = e[k] + q[k];
    double l = supi_vector_length(e), r = supi_vector_length(q);
    const double* along = q;
    if (r > (double)f->sweep->tiny) {
        pull = supi_vector_dot(d, sum) / ((r + l) * r) + (rest >= 0.0 ? (l - rest) / r : 0.0);
    } else if (l > 0.0) { /* it lands on the child: the direction is that of the edge */
        pull = (r - (rest >= 0.0 ? rest : l)) / l;
        along = e;
    } else {
        weight = 0.0;
    }
    double a = weight * (double)f->sweep->along * pull, b = weight * (double)f->sweep->across;
    for (int k = 0; k < 3; k++) out[k] = a * along[k] + b * d[k];
}

/* Half of the way from the child to the parent, and how the parent moves. */
static void half_way(const front* f, int32_t parent, int32_t child, double half[3], double d[3]) {
    double p[3], c[3];
    supi_vector_of_row(&f->sweep->places_above[parent], p);
    supi_vector_of_row(&f->sweep->places[child], c);
    supi_vector_of_row(&f->sweep->moved_above[parent], d);
    for (int k = 0; k < 3; k++) half[k] = 0.5 * (p[k] - c[k]);
}

/* How a point in the middle of the edge follows the parent alone. */
static void move_middle(const front* f, int32_t edge, const double half[3], const double d[3],
                        double out[3]) {
    const supi_fabric* fabric = &f->clay->fabric;
    double give = (double)supi_edge_middle_give(fabric, edge) * (double)f->sweep->fade;
    hand_on(f, edge, 0.5, half, d, out);
    for (int k = 0; k < 3; k++) out[k] *= give;
}

/* Adds in whole multiples of the unit where there is one, so that no order is seen. */
static void add_share(const front* f, const double a[3], double sum[3]) {
    double unit = f->sweep->unit, per_unit = unit > 0.0 ? 1.0 / unit : 0.0;
    for (int k = 0; k < 3; k++)
        sum[k] += unit > 0.0 ? (double)llrint(a[k] * per_unit) * unit : a[k];
}

/* As in passes, less is nothing. */
static float worth_it(double d) { return fabs(d) > 0x1p-62 ? (float)d : 0.0f; }

static void move_child(const front* f, const uint8_t* chosen, int32_t child) {
    const supi_graph* g = &f->clay->fabric.graph;
    int32_t row = row_at(f, child);
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t n = g->starts[row]; n < g->starts[row + 1]; n++) {
        int32_t parent = parent_at(f, n), edge = g->edge_of[n];
        double e[3], d[3], a[3];
        if (parent < 0) continue;
        half_way(f, parent, child, e, d);
        if (chosen[edge]) {
            double middle[3];
            move_middle(f, edge, e, d, middle);
            hand_on(f, edge, 0.5, e, middle, a);
        } else {
            for (int k = 0; k < 3; k++) e[k] *= 2.0;
            hand_on(f, edge, 1.0, e, d, a);
        }
        add_share(f, a, sum);
    }
    sup_row *to = f->sweep->rows + f->first + child, *moved = f->sweep->moved + child;
    const sup_row* from = f->sweep->places + child;
    double share = (double)to->w * (double)f->sweep->fade;
    if (!(share > 0.0)) return; /* pinned */
    sup_vec3 by = {worth_it(share * sum[0]), worth_it(share * sum[1]), worth_it(share * sum[2])};
    *moved = (sup_row){by.x, by.y, by.z, 0.0f};
    *to = (sup_row){from->x + by.x, from->y + by.y, from->z + by.z, to->w};
}

/* ---- Which edges ---- */

/* The edge from a child to a parent as both have moved, over its first length; 0: not to be cut. */
static double stretch_of(const supi_inserting* s, const front* f, int32_t edge, int32_t parent,
                         int32_t child) {
    double p[3], c[3], d[3], by[3], first = (double)f->clay->fabric.firsts[edge];
    supi_vector_of_row(&f->sweep->places_above[parent], p);
    supi_vector_of_row(&f->sweep->places[child], c);
    supi_vector_of_row(&f->sweep->moved_above[parent], d);
    supi_vector_of_row(&f->sweep->moved[child], by);
    for (int k = 0; k < 3; k++) p[k] = p[k] + d[k] - (c[k] + by[k]);
    double length = supi_vector_length(p);
    return length > s->least && length > s->longest * first && first > 0.0 ? length / first : 0.0;
}

/* Finds them in the order of children; -1: memory is short. */
static int32_t find_cuts(supi_inserting* s, const front* f) {
    const supi_graph* g = &f->clay->fabric.graph;
    int32_t count = 0;
    for (int32_t child = 0; child < f->width; child++) {
        int32_t row = row_at(f, child);
        for (int32_t n = g->starts[row]; n < g->starts[row + 1]; n++) {
            int32_t parent = parent_at(f, n), edge = g->edge_of[n];
            double stretch = parent < 0 ? 0.0 : stretch_of(s, f, edge, parent, child);
            if (!(stretch > 0.0)) continue;
            cut* cuts = supi_column_reserve(&s->cuts, f->clay->allocator, count + 1, sizeof *cuts);
            if (!cuts) return -1;
            cuts[count++] = (cut){edge, parent, child, stretch};
        }
    }
    return count;
}

static bool reserve_sort(supi_inserting* s, const sup_allocator* a, int32_t count) {
    for (int k = 0; k < 2; k++) {
        if (!supi_column_reserve(&s->keys[k], a, count, sizeof(uint64_t)) ||
            !supi_column_reserve(&s->picks[k], a, count, sizeof(int32_t)))
            return false;
    }
    return true;
}

static void sort_picks(supi_inserting* s, int32_t count, bool by_stretch) {
    const cut* cuts = s->cuts.items;
    uint64_t* keys = s->keys[0].items;
    int32_t* picks = s->picks[0].items;
    for (int32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)cuts[picks[i]].edge;
        if (!by_stretch) continue;
        memcpy(&keys[i], &cuts[picks[i]].stretch, sizeof keys[i]);
        keys[i] = ~keys[i]; /* the bits of positive numbers are in their order */
    }
    supi_sort_keys(count, keys, picks, s->keys[1].items, s->picks[1].items);
}

/* Picks the cuts of the greatest stretch, in that order, so that numbers of points and edges decide
   between equals only; how many. */
static int32_t pick_cuts(supi_inserting* s, int32_t count) {
    int32_t* picks = s->picks[0].items;
    for (int32_t i = 0; i < count; i++) picks[i] = i;
    sort_picks(s, count, false);
    sort_picks(s, count, true);
    if (count > s->budget) s->over_budget = true;
    return count < s->budget ? count : s->budget;
}

/* ---- A generation ---- */

static bool insert(supi_inserting* s, const front* f, int32_t count) {
    const cut* cuts = s->cuts.items;
    const int32_t *picks = s->picks[0].items, *edges = f->clay->fabric.graph.edges;
    uint8_t* chosen = s->chosen.items;
    supi_insert* list =
        supi_column_reserve(&s->list, f->clay->allocator, s->count + count, sizeof *list);
    if (!list) return false;
    for (int32_t i = 0; i < count; i++) {
        const cut* c = cuts + picks[i];
        double half[3], d[3], by[3], at[3];
        half_way(f, c->parent, c->child, half, d);
        move_middle(f, c->edge, half, d, by);
        supi_vector_of_row(&f->sweep->places[c->child], at);
        for (int k = 0; k < 3; k++) at[k] += half[k] + by[k];
        list[s->count++] = (supi_insert){{edges[2 * c->edge], edges[2 * c->edge + 1]},
                                         supi_vector_round(at[0], at[1], at[2]),
                                         false};
        chosen[c->edge] = 1;
    }
    for (int32_t i = 0; i < count; i++) move_child(f, chosen, cuts[picks[i]].child);
    s->budget -= count;
    return true;
}

bool supi_insert_begin(supi_inserting* s, const sup_clay* clay, int32_t budget) {
    int32_t edges = clay->fabric.graph.edge_count;
    uint8_t* chosen = supi_column_reserve(&s->chosen, clay->allocator, edges, sizeof *chosen);
    if (!chosen) return false;
    memset(chosen, 0, (size_t)edges);
    s->budget = budget > 0 ? budget : 0;
    s->over_budget = s->failed = false;
    s->count = 0;
    return true;
}

void supi_insert_level(supi_inserting* s, const sup_clay* clay, const supi_sweep* sweep,
                       int32_t level) {
    const int32_t* levels = SUPI_PLAN_INTS(clay->plan.levels);
    const int32_t* widths = SUPI_PLAN_INTS(clay->plan.widths);
    front f = {.clay = clay,
               .sweep = sweep,
               .above = levels[level - 1],
               .above_end = levels[level - 1] + widths[level - 1],
               .first = levels[level],
               .width = widths[level]};
    if (s->failed) return;
    int32_t count = find_cuts(s, &f);
    if (count == 0) return;
    s->failed = count < 0 || !reserve_sort(s, clay->allocator, count) ||
                !insert(s, &f, pick_cuts(s, count));
}

void supi_insert_free(supi_inserting* s, const sup_allocator* allocator) {
    supi_column* columns[] = {&s->list,     &s->cuts,     &s->keys[0], &s->keys[1],
                              &s->picks[0], &s->picks[1], &s->chosen};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        supi_column_free(columns[i], allocator);
}
