#include "geom/point_tree.h"

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

int32_t supi_point_tree_within(const supi_point_tree* tree, const double x[3], double limit,
                               int32_t* out) {
    search s = {.tree = tree, .x = x, .square = limit, .found = out};
    look_within(&s, tree->level_count - 1, 0);
    return s.found_count;
}
