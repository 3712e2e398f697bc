/* Nearest neighbours by boxes around stretches of the Morton curve: an implicit binary tree, box k
   around the boxes 2k and 2k + 1, whose leaves are a few points each. */
#include "geom/nearest.h"

#include "base/memory.h"
#include "geom/morton.h"
#include "geom/vector.h"

#include <float.h>

enum { LEAF_POINTS = 8, MOST_LEVELS = 32 };

typedef struct box {
    double low[3], high[3];
} box;

typedef struct box_tree {
    const sup_allocator* allocator;
    int32_t count, leaf_count; /* a power of two leaves; the last ones may be empty */
    int32_t* order;            /* point by place on the curve */
    double (*places)[3];       /* m, in this order */
    box* boxes;                /* (2 leaf_count), the root is box 1 */
} box_tree;

static void tree_free(box_tree* t) {
    size_t count = (size_t)t->count;
    supi_memory_free(t->allocator, t->order, count, sizeof *t->order);
    supi_memory_free(t->allocator, t->places, count, sizeof *t->places);
    supi_memory_free(t->allocator, t->boxes, 2 * (size_t)t->leaf_count, sizeof *t->boxes);
}

/* Points of a leaf begin here and end where those of the next begin. */
static int32_t leaf_start(const box_tree* t, int32_t leaf) {
    int64_t start = (int64_t)leaf * LEAF_POINTS;
    return start < t->count ? (int32_t)start : t->count;
}

static void widen(box* b, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        b->low[k] = low[k] < b->low[k] ? low[k] : b->low[k];
        b->high[k] = high[k] > b->high[k] ? high[k] : b->high[k];
    }
}

static void fill_boxes(box_tree* t) {
    const box empty = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (int32_t k = 2 * t->leaf_count - 1; k > 0; k--) {
        box* b = &t->boxes[k];
        *b = empty;
        int32_t leaf = k - t->leaf_count;
        for (int32_t i = leaf_start(t, leaf); leaf >= 0 && i < leaf_start(t, leaf + 1); i++) {
            widen(b, t->places[i], t->places[i]);
        }
        for (int child = 0; leaf < 0 && child < 2; child++) {
            const box* half = &t->boxes[2 * k + child];
            widen(b, half->low, half->high);
        }
    }
}

static bool tree_build(box_tree* t, const sup_vec3* points) {
    for (t->leaf_count = 1; t->leaf_count < (t->count + LEAF_POINTS - 1) / LEAF_POINTS;) {
        t->leaf_count *= 2;
    }
    size_t count = (size_t)t->count;
    t->order = supi_memory_new(t->allocator, count, sizeof *t->order);
    t->places = supi_memory_new(t->allocator, count, sizeof *t->places);
    t->boxes = supi_memory_new(t->allocator, 2 * (size_t)t->leaf_count, sizeof *t->boxes);
    if (!t->order || !t->places || !t->boxes) return false;
    if (!supi_morton_order(t->allocator, t->count, &points->x, 3, t->order)) return false;
    for (int32_t i = 0; i < t->count; i++) supi_vector_from(points + t->order[i], t->places[i]);
    fill_boxes(t);
    return true;
}

static double box_square(const box* b, const double x[3]) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = b->low[k] - x[k], above = x[k] - b->high[k];
        double gap = below > above ? below : above;
        if (gap > 0) square += gap * gap;
    }
    return square;
}

/* The least squared distance of point `self` from the others of a leaf, or `best`. */
static double leaf_square(const box_tree* t, int32_t leaf, int32_t self, double best) {
    for (int32_t i = leaf_start(t, leaf); i < leaf_start(t, leaf + 1); i++) {
        double d[3];
        supi_vector_subtract(t->places[i], t->places[self], d);
        double square = supi_vector_dot(d, d);
        if (i != self && square < best) best = square;
    }
    return best;
}

/* Near boxes first; rounding keeps the order of distances, so no box with a nearer point is left
   out. */
static double nearest_square(const box_tree* t, int32_t self) {
    const double* x = t->places[self];
    double best = leaf_square(t, self / LEAF_POINTS, self, INFINITY);
    int32_t waiting[MOST_LEVELS], count = 0;
    waiting[count++] = 1;
    while (count > 0) {
        int32_t k = waiting[--count];
        if (!(box_square(&t->boxes[k], x) < best)) continue;
        if (k >= t->leaf_count) {
            best = leaf_square(t, k - t->leaf_count, self, best);
            continue;
        }
        bool left = box_square(&t->boxes[2 * k], x) < box_square(&t->boxes[2 * k + 1], x);
        waiting[count++] = left ? 2 * k + 1 : 2 * k;
        waiting[count++] = left ? 2 * k : 2 * k + 1;
    }
    return best;
}

bool supi_nearest_mean(const sup_allocator* allocator, int32_t count, const sup_vec3* points,
                       double* mean) {
    *mean = 0.0;
    if (count < 2) return true;
    box_tree tree = {.allocator = allocator, .count = count};
    bool built = tree_build(&tree, points);
    double sum = 0.0;
    for (int32_t i = 0; built && i < count; i++) sum += sqrt(nearest_square(&tree, i));
    tree_free(&tree);
    *mean = sum / count;
    return built;
}
