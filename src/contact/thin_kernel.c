#include "contact/thin_kernels.h"
#include "geom/vec8.h"

#include <math.h>

/* Below this sine, edges count as parallel and triangles as edges. */
#define LEAST_SINE 1e-4f
/* Of the distance that is kept: a gap may close to the first of these at most, slowly opens to it
   when it is less, and is left alone within the last. */
#define FLOOR_SHARE 0.1f
#define OPEN_SHARE 5e-5f
#define SLACK_SHARE 1e-4f
/* Of the gap above the floor that may close in one substep. */
#define CLOSE_SHARE 0.9f

F8_INLINE vec8 cross8(vec8 a, vec8 b) {
    return (vec8){f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y)),
                  f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z)),
                  f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))};
}

F8_INLINE vec8 select8(supi_m8 m, vec8 yes, vec8 no) {
    return (vec8){f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z)};
}

/* ---- Trees ---- */

static void fill_leaf(const supi_thin_tree* tree, int32_t leaf, const sup_row* low,
                      const sup_row* high) {
    supi_thin_node* node = tree->nodes + leaf;
    supi_f8 inf = f8_set(INFINITY);
    supi_f8 none = f8_set(-INFINITY);
    vec8 least = {inf, inf, inf}, most = {none, none, none};
    int32_t left = tree->count - 8 * leaf;
    for (int32_t m = 0; m < tree->size; m++) {
        int32_t at[8];
        for (int32_t k = 0; k < 8; k++) {
            int32_t feature = 8 * leaf + (k < left ? k : left - 1);
            at[k] = tree->first + tree->members[tree->size * feature + m];
        }
        quat8 a = gather8(low, at), b = gather8(high, at);
        least = (vec8){f8_min(least.x, a.x), f8_min(least.y, a.y), f8_min(least.z, a.z)};
        most = (vec8){f8_max(most.x, b.x), f8_max(most.y, b.y), f8_max(most.z, b.z)};
    }
    store8(node->low, least);
    store8(node->high, most);
    for (int32_t k = left; k < 8; k++) {
        for (int i = 0; i < 3; i++) {
            node->low[i][k] = INFINITY;
            node->high[i][k] = -INFINITY;
        }
    }
}

static void fill_lane(const supi_thin_node* below, supi_thin_node* node, int32_t lane) {
    for (int i = 0; i < 3; i++) {
        float low = INFINITY, high = -INFINITY;
        for (int32_t k = 0; below && k < 8; k++) {
            low = below->low[i][k] < low ? below->low[i][k] : low;
            high = below->high[i][k] > high ? below->high[i][k] : high;
        }
        node->low[i][lane] = low;
        node->high[i][lane] = high;
    }
}

static void grow(const supi_thin_tree* tree, const sup_row* low, const sup_row* high) {
    int32_t count = (tree->count + 7) / 8;
    for (int32_t i = 0; i < count; i++) fill_leaf(tree, i, low, high);
    for (int32_t level = 1; level < tree->level_count; level++) {
        const supi_thin_node* below = tree->nodes + tree->starts[level - 1];
        supi_thin_node* nodes = tree->nodes + tree->starts[level];
        for (int32_t i = 0; i < (count + 7) / 8 * 8; i++) {
            fill_lane(i < count ? below + i : NULL, nodes + i / 8, i % 8);
        }
        count = (count + 7) / 8;
    }
}

F8_INLINE int meeting8(const supi_thin_node* node, vec8 low, vec8 high) {
    vec8 least = load8(node->low), most = load8(node->high);
    supi_m8 apart = m8_or(f8_less(most.x, low.x), f8_less(high.x, least.x));
    apart = m8_or(apart, m8_or(f8_less(most.y, low.y), f8_less(high.y, least.y)));
    apart = m8_or(apart, m8_or(f8_less(most.z, low.z), f8_less(high.z, least.z)));
    return ~m8_bits(apart) & 255;
}

static int32_t hits(const supi_thin_tree* tree, const sup_row* low, const sup_row* high,
                    int32_t from, int32_t* out) {
    if (tree->level_count == 0) return 0;
    vec8 least = {f8_set(low->x), f8_set(low->y), f8_set(low->z)};
    vec8 most = {f8_set(high->x), f8_set(high->y), f8_set(high->z)};
    int32_t level = tree->level_count - 1, top = level, count = 0;
    int32_t node[SUPI_THIN_LEVELS] = {0};
    int bits[SUPI_THIN_LEVELS] = {0};
    bits[top] = meeting8(tree->nodes + tree->starts[top], least, most);
    while (level <= top) {
        if (!bits[level]) {
            level++;
            continue;
        }
        int32_t child = 8 * node[level] + __builtin_ctz((unsigned)bits[level]);
        bits[level] &= bits[level] - 1;
        if ((int64_t)(child + 1) << (3 * level) <= from) continue;
        if (level == 0) {
            out[count++] = child;
            continue;
        }
        level--;
        node[level] = child;
        bits[level] = meeting8(tree->nodes + tree->starts[level] + child, least, most);
    }
    return count;
}

/* ---- Closest points ---- */

/* The best answer so far. */
typedef struct nearest8 {
    vec8 way; /* from b to a */
    supi_f8 square;
    supi_f8 share[4];
} nearest8;

/* A point, from which `to` leads to the start of a segment along d: the share of the segment where
   it is nearest, and the way from there to the point. */
F8_INLINE supi_f8 segment8(vec8 to, vec8 d, vec8* way) {
    supi_f8 length = dot8(d, d), zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_m8 some = f8_less(zero, length);
    supi_f8 t = f8_div(f8_sub(zero, dot8(to, d)), f8_select(some, length, one));
    t = f8_select(some, f8_min(f8_max(t, zero), one), zero);
    vec8 back = along8(to, t, d);
    *way = (vec8){f8_sub(zero, back.x), f8_sub(zero, back.y), f8_sub(zero, back.z)};
    return t;
}

F8_INLINE void better8(nearest8* best, vec8 way, const supi_f8 share[4]) {
    supi_f8 square = dot8(way, way);
    supi_m8 is = f8_less(square, best->square);
    best->way = select8(is, way, best->way);
    best->square = f8_select(is, square, best->square);
    for (int k = 0; k < 4; k++) best->share[k] = f8_select(is, share[k], best->share[k]);
}

/* Takes the answer of the inside, where normal and sign are exact however near the two are, or else
   the best of all others. */
F8_INLINE void answer8(supi_thin_block* block, const nearest8* best, supi_m8 inside, vec8 across,
                       supi_f8 apart, const supi_f8 share[4], float out[8]) {
    supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_f8 length = f8_sqrt(dot8(across, across)), outer = f8_sqrt(best->square);
    supi_m8 clear = m8_or(inside, f8_less(f8_set(1e-18f), outer));
    supi_f8 by = f8_select(inside, length, f8_select(clear, outer, one));
    supi_f8 distance = f8_select(inside, f8_div(f8_abs(apart), by), outer);
    vec8 turned = {f8_flip(across.x, apart), f8_flip(across.y, apart), f8_flip(across.z, apart)};
    vec8 n = select8(inside, turned, best->way);
    n = (vec8){f8_div(n.x, by), f8_div(n.y, by), f8_div(n.z, by)};
    vec8 none = {zero, zero, zero};
    store8(block->normal, select8(clear, n, none));
    for (int k = 0; k < 4; k++) {
        supi_f8 s = f8_select(inside, share[k], best->share[k]);
        f8_store(block->share[k], f8_select(clear, s, zero));
    }
    f8_store(out, f8_select(clear, distance, f8_set(-1.0f)));
}

static void faces(supi_thin_block* block, const sup_row* x, float apart[8]) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f), minus = f8_set(-1.0f);
    vec8 a = vector8(gather8(x, block->at[1]));
    vec8 p = minus8(vector8(gather8(x, block->at[0])), a);
    vec8 e1 = minus8(vector8(gather8(x, block->at[2])), a);
    vec8 e2 = minus8(vector8(gather8(x, block->at[3])), a);
    vec8 n = cross8(e1, e2);
    supi_f8 nn = dot8(n, n),
            least = f8_mul(f8_mul(dot8(e1, e1), dot8(e2, e2)), f8_set(LEAST_SINE * LEAST_SINE));
    supi_m8 flat = f8_less(least, nn);
    supi_f8 by = f8_select(flat, nn, one);
    supi_f8 v = f8_div(dot8(cross8(p, e2), n), by), w = f8_div(dot8(cross8(e1, p), n), by);
    supi_f8 u = f8_sub(f8_sub(one, v), w);
    supi_m8 inside =
        m8_and(m8_and(flat, f8_less(zero, u)), m8_and(f8_less(zero, v), f8_less(zero, w)));
    supi_f8 within[4] = {one, f8_sub(zero, u), f8_sub(zero, v), f8_sub(zero, w)};

    nearest8 best = {.square = f8_set(INFINITY)};
    best.way = (vec8){zero, zero, zero};
    for (int k = 0; k < 4; k++) best.share[k] = zero;
    vec8 way, none = {zero, zero, zero};
    supi_f8 t = segment8(minus8(none, p), e1, &way);
    better8(&best, way, (supi_f8[4]){one, f8_sub(t, one), f8_sub(zero, t), zero});
    t = segment8(minus8(none, p), e2, &way);
    better8(&best, way, (supi_f8[4]){one, f8_sub(t, one), zero, f8_sub(zero, t)});
    t = segment8(minus8(e1, p), minus8(e2, e1), &way);
    better8(&best, way, (supi_f8[4]){one, zero, f8_sub(t, one), f8_mul(minus, t)});
    answer8(block, &best, inside, n, dot8(p, n), within, apart);
}

static void edges(supi_thin_block* block, const sup_row* x, float apart[8]) {
    const supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    vec8 b0 = vector8(gather8(x, block->at[2]));
    vec8 a0 = minus8(vector8(gather8(x, block->at[0])), b0);
    vec8 a1 = minus8(vector8(gather8(x, block->at[1])), b0);
    vec8 d2 = minus8(vector8(gather8(x, block->at[3])), b0), d1 = minus8(a1, a0);
    vec8 none = {zero, zero, zero}, back = minus8(none, a0), n = cross8(d1, d2);
    supi_f8 nn = dot8(n, n),
            least = f8_mul(f8_mul(dot8(d1, d1), dot8(d2, d2)), f8_set(LEAST_SINE * LEAST_SINE));
    supi_m8 skew = f8_less(least, nn);
    supi_f8 by = f8_select(skew, nn, one);
    supi_f8 s = f8_div(dot8(cross8(back, d2), n), by), t = f8_div(dot8(cross8(back, d1), n), by);
    supi_m8 inside =
        m8_and(m8_and(skew, f8_less(zero, s)), m8_and(f8_less(s, one), f8_less(zero, t)));
    inside = m8_and(inside, f8_less(t, one));
    supi_f8 within[4] = {f8_sub(one, s), s, f8_sub(t, one), f8_sub(zero, t)};

    nearest8 best = {.square = f8_set(INFINITY)};
    best.way = none;
    for (int k = 0; k < 4; k++) best.share[k] = zero;
    vec8 way;
    t = segment8(back, d2, &way);
    better8(&best, way, (supi_f8[4]){one, zero, f8_sub(t, one), f8_sub(zero, t)});
    t = segment8(minus8(none, a1), d2, &way);
    better8(&best, way, (supi_f8[4]){zero, one, f8_sub(t, one), f8_sub(zero, t)});
    s = segment8(a0, d1, &way); /* from an end of b: the other way round */
    better8(&best, minus8(none, way), (supi_f8[4]){f8_sub(one, s), s, f8_set(-1.0f), zero});
    s = segment8(minus8(a0, d2), d1, &way);
    better8(&best, minus8(none, way), (supi_f8[4]){f8_sub(one, s), s, zero, f8_set(-1.0f)});
    answer8(block, &best, inside, n, dot8(a0, n), within, apart);
}

/* ---- Gaps ---- */

/* n.x of the four particles, from the first. */
F8_INLINE void heights8(const supi_thin_block* block, const sup_row* x, supi_f8 z[4]) {
    vec8 n = load8(block->normal), first = vector8(gather8(x, block->at[0]));
    z[0] = f8_set(0.0f);
    for (int k = 1; k < 4; k++) {
        z[k] = dot8(minus8(vector8(gather8(x, block->at[k])), first), n);
    }
}

/* What is between all of a and all of b along the normal. */
F8_INLINE supi_f8 gap8(const supi_thin_block* block, bool faces, const sup_row* x) {
    supi_f8 z[4];
    heights8(block, x, z);
    supi_f8 most = f8_max(z[2], z[3]);
    if (faces) return f8_sub(z[0], f8_max(most, z[1]));
    return f8_sub(f8_min(z[0], z[1]), most);
}

static void aim(supi_thin_block* block, bool faces, const sup_row* x) {
    supi_f8 gap = gap8(block, faces, x), distance = f8_load(block->distance);
    supi_f8 floor = f8_mul(f8_set(FLOOR_SHARE), distance);
    supi_f8 close = f8_sub(gap, f8_mul(f8_set(CLOSE_SHARE), f8_sub(gap, floor)));
    supi_f8 open = f8_min(floor, f8_madd(f8_set(OPEN_SHARE), distance, gap));
    supi_f8 keep = f8_select(f8_less(floor, gap), close, open);
    f8_store(block->gap, gap);
    f8_store(block->keep, f8_select(f8_less(distance, f8_set(0.0f)), f8_set(-1.0f), keep));
}

static int32_t near(const supi_thin_block* blocks, int32_t from, int32_t end, const sup_row* x,
                    int* bits) {
    for (; from < end; from++) {
        const supi_thin_block* b = blocks + from;
        supi_f8 z[4], apart = f8_set(0.0f);
        heights8(b, x, z);
        for (int k = 1; k < 4; k++) apart = f8_madd(f8_load(b->share[k]), z[k], apart);
        *bits = m8_bits(f8_less(apart, f8_load(b->distance)));
        if (*bits) break;
    }
    return from;
}

static int32_t tight(const supi_thin_block* blocks, int32_t from, int32_t end, bool faces,
                     const sup_row* x, int* bits) {
    for (; from < end; from++) {
        const supi_thin_block* b = blocks + from;
        supi_f8 slack = f8_mul(f8_set(SLACK_SHARE), f8_load(b->distance));
        *bits = m8_bits(f8_less(gap8(b, faces, x), f8_sub(f8_load(b->keep), slack)));
        if (*bits) break;
    }
    return from;
}

extern const supi_thin_kernels SUPI_KERNEL(supi_thin_kernels);
const supi_thin_kernels SUPI_KERNEL(supi_thin_kernels) = {grow, hits, faces, edges,
                                                          aim,  near, tight};
