/* A balanced tree of boxes: every node has two halves of equal count, so its depth is bounded by
   the logarithm of the count, whatever the triangles. */
#include "geom/bvh.h"

#include "base/memory.h"
#include "geom/bounds.h"
#include "geom/sort.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAF 4         /* triangles of a leaf, at most */
#define FEW 48         /* sorted by insertion: cheaper than counting bytes */
#define DEPTH 64       /* more than any tree of 2^31 triangles needs */
#define ROUNDING 1e-6f /* relative: what boxes may lose in float */

/* ---- Building ---- */

typedef struct builder {
    supi_bvh* tree;
    sup_vec3* middles; /* by triangle */
    int32_t *ids, *scratch_ids;
    uint64_t *keys, *scratch_keys;
} builder;

static float coordinate(sup_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* A number that is ordered as the float is. */
static uint64_t ordered(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
}

static int longest_axis(const builder* b, int32_t first, int32_t count) {
    float widest = -1;
    int longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (int32_t i = first; i < first + count; i++) {
            float x = coordinate(b->middles[b->ids[i]], axis);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        float width = 0.5f * high - 0.5f * low;
        if (width > widest) widest = width, longest = axis;
    }
    return longest;
}

static void sort_few(int32_t count, uint64_t* keys, int32_t* ids) {
    for (int32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int32_t id = ids[i], k = i;
        for (; k > 0 && keys[k - 1] > key; k--) keys[k] = keys[k - 1], ids[k] = ids[k - 1];
        keys[k] = key;
        ids[k] = id;
    }
}

static void sort_along(const builder* b, int32_t first, int32_t count, int axis) {
    for (int32_t i = 0; i < count; i++) {
        b->keys[i] = ordered(coordinate(b->middles[b->ids[first + i]], axis));
    }
    if (count <= FEW)
        sort_few(count, b->keys, b->ids + first);
    else
        supi_sort_keys(count, b->keys, b->ids + first, b->scratch_keys, b->scratch_ids);
}

/* Returns the node of a range. */
static int32_t build_node(const builder* b, int32_t first, int32_t count) {
    int32_t index = b->tree->node_count++;
    supi_bvh_node* node = &b->tree->nodes[index];
    if (count <= LEAF) { /* only a whole tree as small as this */
        node->first[0] = first;
        node->count[0] = count;
        node->count[1] = -1;
        return index;
    }
    sort_along(b, first, count, longest_axis(b, first, count));
    int32_t half = count / 2;
    const int32_t firsts[2] = {first, first + half}, counts[2] = {half, count - half};
    for (int k = 0; k < 2; k++) {
        bool leaf = counts[k] <= LEAF;
        node->first[k] = leaf ? firsts[k] : build_node(b, firsts[k], counts[k]);
        node->count[k] = leaf ? counts[k] : 0;
    }
    return index;
}

static void find_middles(const builder* b, const sup_vec3* points, const int32_t* triangles) {
    for (int32_t i = 0; i < b->tree->triangle_count; i++) {
        float middle[3];
        for (int axis = 0; axis < 3; axis++) {
            float low = FLT_MAX, high = -FLT_MAX;
            for (int k = 0; k < 3; k++) {
                float x = coordinate(points[triangles[3 * i + k]], axis);
                low = x < low ? x : low;
                high = x > high ? x : high;
            }
            middle[axis] = 0.5f * low + 0.5f * high;
        }
        b->middles[i] = (sup_vec3){middle[0], middle[1], middle[2]};
        b->ids[i] = i;
    }
}

void supi_bvh_free(supi_bvh* tree) {
    size_t count = (size_t)tree->triangle_count;
    supi_memory_free(tree->allocator, tree->slots, count, sizeof *tree->slots);
    supi_memory_free(tree->allocator, tree->nodes, count, sizeof *tree->nodes);
    *tree = (supi_bvh){0};
}

bool supi_bvh_build(const sup_allocator* allocator, const sup_vec3* points,
                    const int32_t* triangles, int32_t triangle_count, supi_bvh* out) {
    size_t count = (size_t)triangle_count;
    supi_bvh tree = {.allocator = allocator, .triangle_count = triangle_count};
    tree.slots = supi_memory_new(allocator, count, sizeof *tree.slots);
    tree.nodes = supi_memory_new(allocator, count, sizeof *tree.nodes);
    builder b = {.tree = &tree,
                 .middles = supi_memory_new(allocator, count, sizeof(sup_vec3)),
                 .ids = supi_memory_new(allocator, count, sizeof(int32_t)),
                 .scratch_ids = supi_memory_new(allocator, count, sizeof(int32_t)),
                 .keys = supi_memory_new(allocator, count, sizeof(uint64_t)),
                 .scratch_keys = supi_memory_new(allocator, count, sizeof(uint64_t))};
    bool enough =
        tree.slots && tree.nodes && b.middles && b.ids && b.scratch_ids && b.keys && b.scratch_keys;
    if (enough) {
        find_middles(&b, points, triangles);
        build_node(&b, 0, triangle_count);
        for (int32_t i = 0; i < triangle_count; i++) tree.slots[i].id = b.ids[i];
        supi_bvh_refit(&tree, points, triangles);
        *out = tree;
    } else {
        supi_bvh_free(&tree);
    }
    supi_memory_free(allocator, b.middles, count, sizeof(sup_vec3));
    supi_memory_free(allocator, b.ids, count, sizeof(int32_t));
    supi_memory_free(allocator, b.scratch_ids, count, sizeof(int32_t));
    supi_memory_free(allocator, b.keys, count, sizeof(uint64_t));
    supi_memory_free(allocator, b.scratch_keys, count, sizeof(uint64_t));
    return enough;
}

/* ---- Boxes ---- */

static void widen(float low[3], float high[3], const float other_low[3],
                  const float other_high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = other_low[k] < low[k] ? other_low[k] : low[k];
        high[k] = other_high[k] > high[k] ? other_high[k] : high[k];
    }
}

static void fill_slot(supi_bvh_slot* slot, const sup_vec3* points, const int32_t* triangles) {
    double normal[3];
    int32_t id = slot->id < 0 ? ~slot->id : slot->id;
    for (int k = 0; k < 3; k++) slot->corners[k] = points[triangles[3 * id + k]];
    slot->id = supi_facet_normal(slot->corners, normal) ? id : ~id;
}

/* An empty box, so that whatever it is widened by is what it becomes. */
static void fill_box(const supi_bvh* tree, const supi_bvh_node* node, int half, float low[3],
                     float high[3]) {
    for (int k = 0; k < 3; k++) low[k] = FLT_MAX, high[k] = -FLT_MAX;
    for (int32_t i = 0; i < node->count[half]; i++) {
        for (int k = 0; k < 3; k++) {
            sup_vec3 p = tree->slots[node->first[half] + i].corners[k];
            const float at[3] = {p.x, p.y, p.z};
            widen(low, high, at, at);
        }
    }
    if (node->count[half] != 0) return;
    const supi_bvh_node* below = &tree->nodes[node->first[half]];
    for (int k = 0; k < 2; k++) widen(low, high, below->low[k], below->high[k]);
}

void supi_bvh_refit(supi_bvh* tree, const sup_vec3* points, const int32_t* triangles) {
    for (int32_t i = 0; i < tree->triangle_count; i++) {
        fill_slot(&tree->slots[i], points, triangles);
    }
    for (int32_t i = tree->node_count - 1; i >= 0; i--) {
        supi_bvh_node* node = &tree->nodes[i];
        for (int k = 0; k < 2; k++) fill_box(tree, node, k, node->low[k], node->high[k]);
    }
}

void supi_bvh_bounds(const supi_bvh* tree, float low[3], float high[3]) {
    const supi_bvh_node* root = &tree->nodes[0];
    for (int k = 0; k < 3; k++) low[k] = root->low[0][k], high[k] = root->high[0][k];
    widen(low, high, root->low[1], root->high[1]);
}

/* ---- Nearest ---- */

typedef struct nearest_search {
    const supi_bvh* tree;
    double x[3];
    float at[3];  /* x, rounded: for boxes */
    double slack; /* m, what that may have lost */
    float bound;  /* squared; boxes further away hold nothing of use */
    int32_t triangle;
    supi_facet_point* best;
} nearest_search;

static void set_bound(nearest_search* search, double square) {
    if (search->slack > 0.0) {
        double reach = sqrt(square) + search->slack;
        square = reach * reach;
    }
    /* Squares that overflow are infinite too, and not beyond this bound. */
    search->bound = square < (double)FLT_MAX ? (float)square * (1 + ROUNDING) + FLT_MIN : INFINITY;
}

static void look_nearest(nearest_search* search, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        const supi_bvh_slot* slot = &search->tree->slots[i];
        supi_facet_point point;
        if (slot->id < 0) continue;
        supi_facet_nearest(slot->corners, search->x, &point);
        if (point.square > search->best->square ||
            (point.square == search->best->square && slot->id >= search->triangle)) {
            continue;
        }
        *search->best = point;
        search->triangle = slot->id;
        set_bound(search, point.square);
    }
}

static bool find_nearest(nearest_search* search) {
    const supi_bvh* tree = search->tree;
    struct {
        float square;
        int32_t node;
    } stack[DEPTH];
    int top = 0;
    stack[top].square = 0;
    stack[top++].node = 0;
    while (top > 0) {
        top--;
        if (stack[top].square > search->bound) continue;
        const supi_bvh_node* node = &tree->nodes[stack[top].node];
        const float squares[2] = {supi_bounds_square(node->low[0], node->high[0], search->at),
                                  supi_bounds_square(node->low[1], node->high[1], search->at)};
        /* The nearer half last on the stack, so that it is looked at first. */
        int near = squares[1] < squares[0];
        for (int turn = 0; turn < 2; turn++) {
            int k = turn == 0 ? near : 1 - near;
            if (node->count[k] <= 0 || squares[k] > search->bound) continue;
            look_nearest(search, node->first[k], node->count[k]);
        }
        for (int turn = 0; turn < 2; turn++) {
            int k = turn == 0 ? 1 - near : near;
            if (node->count[k] != 0 || squares[k] > search->bound) continue;
            stack[top].square = squares[k];
            stack[top++].node = node->first[k];
        }
    }
    return search->triangle >= 0;
}

bool supi_bvh_nearest(const supi_bvh* tree, sup_vec3 x, float limit, int32_t* triangle,
                      supi_facet_point* out) {
    nearest_search search = {.tree = tree, .at = {x.x, x.y, x.z}, .triangle = -1, .best = out};
    supi_vector_from(&x, search.x);
    out->square = (double)limit * (double)limit;
    set_bound(&search, out->square);
    bool found = find_nearest(&search);
    *triangle = search.triangle;
    return found;
}

bool supi_bvh_nearest_to(const supi_bvh* tree, const double x[3], double limit, int32_t* triangle,
                         supi_facet_point* out) {
    nearest_search search = {.tree = tree, .triangle = -1, .best = out};
    for (int k = 0; k < 3; k++) {
        search.x[k] = x[k];
        search.at[k] = (float)x[k];
        search.slack += fabs(x[k]) * (double)ROUNDING;
    }
    out->square = limit * limit;
    set_bound(&search, out->square);
    bool found = find_nearest(&search);
    *triangle = search.triangle;
    return found;
}

/* ---- Crossing ---- */

typedef struct cross_search {
    const supi_bvh* tree;
    double from[3], to[3];
    double end[3]; /* of what is left of the way: the first crossing so far */
    double t, weights[3];
    int32_t triangle;
} cross_search;

static void look_cross(cross_search* search, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        const supi_bvh_slot* slot = &search->tree->slots[i];
        double t, weights[3];
        if (slot->id < 0 || !supi_facet_cross(slot->corners, search->from, search->to, &t, weights))
            continue;
        if (t > search->t || (t == search->t && slot->id >= search->triangle)) continue;
        search->t = t;
        search->triangle = slot->id;
        for (int k = 0; k < 3; k++) {
            search->weights[k] = weights[k];
            search->end[k] = search->from[k] + t * (search->to[k] - search->from[k]);
        }
    }
}

/* How far along the way the middle of a half lies; only the order counts. */
static double along(const supi_bvh_node* node, int half, const cross_search* search) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += ((double)node->low[half][k] + (double)node->high[half][k]) *
               (search->to[k] - search->from[k]);
    }
    return sum;
}

bool supi_bvh_cross(const supi_bvh* tree, sup_vec3 from, sup_vec3 to, int32_t* triangle, double* t,
                    double weights[3]) {
    cross_search search = {.tree = tree, .t = 2.0, .triangle = -1};
    supi_vector_from(&from, search.from);
    supi_vector_from(&to, search.to);
    supi_vector_from(&to, search.end);
    int32_t stack[DEPTH];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const supi_bvh_node* node = &tree->nodes[stack[--top]];
        int near = along(node, 1, &search) < along(node, 0, &search);
        int32_t later = -1;
        for (int turn = 0; turn < 2; turn++) {
            int k = turn == 0 ? near : 1 - near;
            if (node->count[k] < 0 ||
                !supi_bounds_meet(node->low[k], node->high[k], search.from, search.end)) {
                continue;
            }
            if (node->count[k] > 0)
                look_cross(&search, node->first[k], node->count[k]);
            else if (turn == 0)
                later = node->first[k];
            else
                stack[top++] = node->first[k];
        }
        if (later >= 0) stack[top++] = later;
    }
    if (search.triangle < 0) return false;
    *triangle = search.triangle;
    *t = search.t;
    for (int k = 0; k < 3; k++) weights[k] = search.weights[k];
    return true;
}

int32_t supi_bvh_cross_all(const supi_bvh* tree, const double from[3], const double to[3],
                           int32_t most, double* t, int32_t* senses) {
    int32_t stack[DEPTH], count = 0;
    int top = 0;
    double way[3];
    supi_vector_subtract(to, from, way);
    stack[top++] = 0;
    while (top > 0) {
        const supi_bvh_node* node = &tree->nodes[stack[--top]];
        for (int k = 0; k < 2; k++) {
            if (node->count[k] < 0 || !supi_bounds_meet(node->low[k], node->high[k], from, to))
                continue;
            for (int32_t i = node->first[k]; i < node->first[k] + node->count[k]; i++) {
                const supi_bvh_slot* slot = &tree->slots[i];
                double at, weights[3], normal[3];
                if (slot->id < 0 || !supi_facet_cross(slot->corners, from, to, &at, weights))
                    continue;
                supi_facet_normal(slot->corners, normal);
                if (count < most) {
                    t[count] = at;
                    senses[count] = supi_vector_dot(normal, way) > 0.0 ? 1 : -1;
                }
                count++;
            }
            if (node->count[k] == 0) stack[top++] = node->first[k];
        }
    }
    return count;
}

/* ---- All in a box ---- */

static bool overlaps(const float low[3], const float high[3], const float other_low[3],
                     const float other_high[3]) {
    bool meet = true;
    for (int k = 0; k < 3; k++) meet = meet && low[k] <= other_high[k] && other_low[k] <= high[k];
    return meet;
}

static void visit_slot(const supi_bvh_slot* slot, const float low[3], const float high[3],
                       supi_facet_visit* visit, void* context) {
    float own_low[3], own_high[3];
    if (slot->id < 0) return;
    for (int k = 0; k < 3; k++) {
        own_low[k] = own_high[k] = coordinate(slot->corners[0], k);
        for (int i = 1; i < 3; i++) {
            float x = coordinate(slot->corners[i], k);
            own_low[k] = x < own_low[k] ? x : own_low[k];
            own_high[k] = x > own_high[k] ? x : own_high[k];
        }
    }
    if (overlaps(own_low, own_high, low, high)) visit(context, slot->corners);
}

void supi_bvh_visit(const supi_bvh* tree, const float low[3], const float high[3],
                    supi_facet_visit* visit, void* context) {
    int32_t stack[DEPTH];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const supi_bvh_node* node = &tree->nodes[stack[--top]];
        int32_t later = -1;
        for (int k = 0; k < 2; k++) {
            if (node->count[k] < 0 || !overlaps(node->low[k], node->high[k], low, high)) continue;
            for (int32_t i = 0; i < node->count[k]; i++) {
                visit_slot(&tree->slots[node->first[k] + i], low, high, visit, context);
            }
            if (node->count[k] > 0) continue;
            if (later >= 0) stack[top++] = later;
            later = node->first[k];
        }
        if (later >= 0) stack[top++] = later;
    }
}
