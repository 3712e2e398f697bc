#include "geom/point_tree.h"

#include "geom/union_find.h"
#include "geom/vector.h"

#include <math.h>

enum { LEAF_POINTS = 8 };

static void box_point(supi_point_box* box, const sup_vec3* p, bool first) {
    const float x[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = first || x[k] < box->low[k] ? x[k] : box->low[k];
        box->high[k] = first || x[k] > box->high[k] ? x[k] : box->high[k];
    }
}

static supi_point_box box_both(const supi_point_box* a, const supi_point_box* b) {
    supi_point_box both = *a;
    for (int k = 0; k < 3; k++) {
        both.low[k] = b->low[k] < a->low[k] ? b->low[k] : a->low[k];
        both.high[k] = b->high[k] > a->high[k] ? b->high[k] : a->high[k];
    }
    return both;
}

static supi_point_box* push_level(supi_point_tree* tree, supi_arena* arena, int32_t count) {
    supi_point_box* boxes = supi_arena_push(arena, (size_t)count, sizeof *boxes);
    tree->levels[tree->level_count] = boxes;
    tree->box_counts[tree->level_count++] = count;
    return boxes;
}

bool supi_point_tree_build(supi_arena* arena, int32_t count, const sup_vec3* points,
                           supi_point_tree* out) {
    *out = (supi_point_tree){.points = points, .count = count};
    int32_t boxes = count / LEAF_POINTS + (count % LEAF_POINTS > 0);
    supi_point_box* level = push_level(out, arena, boxes);
    if (!level) return false;
    for (int32_t i = 0; i < count; i++) {
        box_point(level + i / LEAF_POINTS, points + i, i % LEAF_POINTS == 0);
    }
    while (boxes > 1) {
        const supi_point_box* below = level;
        int32_t halves = boxes;
        boxes = halves / 2 + halves % 2;
        level = push_level(out, arena, boxes);
        if (!level) return false;
        for (int32_t i = 0; i < boxes; i++) {
            int32_t second = 2 * i + 1 < halves ? 2 * i + 1 : 2 * i;
            level[i] = box_both(below + 2 * i, below + second);
        }
    }
    return true;
}

double supi_point_square(const sup_vec3* point, const double x[3]) {
    double p[3], d[3];
    supi_vector_from(point, p);
    supi_vector_subtract(p, x, d);
    return supi_vector_dot(d, d);
}

/* Squared distance of x from a box: rounding apart, that of no point in it is less. */
static double box_square(const supi_point_box* box, const double x[3]) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double below = (double)box->low[k] - x[k], above = x[k] - (double)box->high[k];
        double gap = below > above ? below : above;
        square += gap > 0 ? gap * gap : 0;
    }
    return square;
}

typedef struct search {
    const supi_point_tree* tree;
    const double* x;
    int32_t except; /* is not looked at */
    double square;  /* of the nearest so far, or the limit */
    int32_t nearest;
    int32_t* found;
    int32_t found_count;
} search;

static int32_t leaf_end(const supi_point_tree* tree, int32_t leaf) {
    int32_t begin = leaf * LEAF_POINTS, left = tree->count - begin;
    return begin + (left < LEAF_POINTS ? left : LEAF_POINTS);
}

static void look_for_nearest(search* s, int32_t level, int32_t box) {
    const supi_point_tree* tree = s->tree;
    if (level == 0) {
        for (int32_t i = box * LEAF_POINTS; i < leaf_end(tree, box); i++) {
            double square = supi_point_square(tree->points + i, s->x);
            bool better = square < s->square || (square == s->square && i < s->nearest);
            if (i == s->except || !better) continue;
            s->square = square;
            s->nearest = i;
        }
        return;
    }
    int32_t first = 2 * box, count = 2 * box + 1 < tree->box_counts[level - 1] ? 2 : 1;
    double squares[2] = {0, 0};
    for (int32_t i = 0; i < count; i++) {
        squares[i] = box_square(tree->levels[level - 1] + first + i, s->x);
    }
    int32_t nearer = count == 2 && squares[1] < squares[0];
    for (int32_t turn = 0; turn < count; turn++) {
        int32_t i = turn == 0 ? nearer : 1 - nearer;
        if (squares[i] <= s->square) look_for_nearest(s, level - 1, first + i);
    }
}

static void look_within(search* s, int32_t level, int32_t box) {
    const supi_point_tree* tree = s->tree;
    if (!(box_square(tree->levels[level] + box, s->x) <= s->square)) return;
    if (level == 0) {
        for (int32_t i = box * LEAF_POINTS; i < leaf_end(tree, box); i++) {
            double square = supi_point_square(tree->points + i, s->x);
            if (square <= s->square) s->found[s->found_count++] = i;
        }
        return;
    }
    look_within(s, level - 1, 2 * box);
    if (2 * box + 1 < tree->box_counts[level - 1]) look_within(s, level - 1, 2 * box + 1);
}

int32_t supi_point_tree_nearest(const supi_point_tree* tree, const double x[3], int32_t except,
                                double* square) {
    search s = {.tree = tree, .x = x, .except = except, .square = INFINITY};
    look_for_nearest(&s, tree->level_count - 1, 0);
    *square = s.square;
    return s.nearest;
}

int32_t supi_point_tree_nearest_from(const supi_point_tree* tree, const double x[3], int32_t guess,
                                     double* square) {
    search s = {.tree = tree,
                .x = x,
                .except = -1,
                .square = supi_point_square(tree->points + guess, x),
                .nearest = guess};
    look_for_nearest(&s, tree->level_count - 1, 0);
    *square = s.square;
    return s.nearest;
}

int32_t supi_point_tree_within(const supi_point_tree* tree, const double x[3], double limit,
                               int32_t* out) {
    search s = {.tree = tree, .x = x, .square = limit, .found = out};
    look_within(&s, tree->level_count - 1, 0);
    return s.found_count;
}

/* ---- Joining ---- */

typedef struct joining {
    const supi_point_tree* tree;
    double limit;
    int32_t* parent;
} joining;

/* A box of the tree and its points. */
typedef struct node {
    const supi_point_box* box;
    int32_t level, index, begin, end;
} node;

static node node_at(const supi_point_tree* tree, int32_t level, int32_t index) {
    int64_t size = (int64_t)LEAF_POINTS << level, end = (index + 1) * size;
    return (node){tree->levels[level] + index, level, index, (int32_t)(index * size),
                  end < tree->count ? (int32_t)end : tree->count};
}

/* The nodes of the level below; returns how many. */
static int32_t split(const supi_point_tree* tree, const node* n, node out[2]) {
    int32_t first = 2 * n->index, count = first + 1 < tree->box_counts[n->level - 1] ? 2 : 1;
    for (int32_t i = 0; i < count; i++) out[i] = node_at(tree, n->level - 1, first + i);
    return count;
}

/* No point of one box is nearer to one of the other, and none farther: rounding keeps the order. */
static double least_square(const supi_point_box* a, const supi_point_box* b) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double above = (double)b->low[k] - (double)a->high[k];
        double below = (double)a->low[k] - (double)b->high[k];
        double gap = above > below ? above : below;
        square += gap > 0 ? gap * gap : 0;
    }
    return square;
}

static double most_square(const supi_point_box* a, const supi_point_box* b) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double above = (double)b->high[k] - (double)a->low[k];
        double below = (double)a->high[k] - (double)b->low[k];
        double span = above > below ? above : below;
        square += span * span;
    }
    return square;
}

/* Is the box so small that all in it are near each other? */
static bool is_small(const joining* j, const node* n) {
    return most_square(n->box, n->box) < j->limit;
}

static void join_points(const joining* j, const node* a, const node* b) {
    for (int32_t i = a->begin; i < a->end; i++) {
        double x[3];
        supi_vector_from(j->tree->points + i, x);
        for (int32_t k = b->begin; k < b->end; k++) {
            if (supi_point_square(j->tree->points + k, x) < j->limit) {
                supi_union_join(j->parent, i, k);
            }
        }
    }
}

/* Each of the two has been joined within. */
static void join_between(const joining* j, const node* a, const node* b) {
    if (!(least_square(a->box, b->box) < j->limit)) return;
    if (is_small(j, a) && is_small(j, b)) {
        if (supi_union_root(j->parent, a->begin) == supi_union_root(j->parent, b->begin)) return;
        if (most_square(a->box, b->box) < j->limit) {
            supi_union_join(j->parent, a->begin, b->begin);
            return;
        }
    }
    if (a->level == 0 && b->level == 0) {
        join_points(j, a, b);
        return;
    }
    node parts[2];
    bool first = a->level >= b->level;
    int32_t count = split(j->tree, first ? a : b, parts);
    for (int32_t i = 0; i < count; i++) join_between(j, parts + i, first ? b : a);
}

static void join_within(const joining* j, const node* n) {
    if (is_small(j, n)) {
        for (int32_t i = n->begin + 1; i < n->end; i++) supi_union_join(j->parent, n->begin, i);
    } else if (n->level == 0) {
        join_points(j, n, n);
    } else {
        node parts[2];
        int32_t count = split(j->tree, n, parts);
        for (int32_t i = 0; i < count; i++) join_within(j, parts + i);
        if (count == 2) join_between(j, parts, parts + 1);
    }
}

void supi_point_tree_join(const supi_point_tree* tree, double limit, int32_t* parent) {
    const joining j = {tree, limit, parent};
    const node root = node_at(tree, tree->level_count - 1, 0);
    join_within(&j, &root);
}
