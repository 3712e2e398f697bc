#include "solve/straight.h"

#include "geom/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- How many there are ---- */

enum {
    FAR_ROWS = 8192, /* places, velocities and forces of so many do not all stay in a cache */
    COST = 3,        /* of a spring ... */
    COST_STRAIGHT = 2,
    COST_FAR = 2 /* ... and how much more one costs that reaches far */
};

/* Springs of a slice that go equally far have one key. */
static uint64_t key_of(int32_t from, int32_t to) {
    return (uint64_t)(from / 8) << 32 | (uint64_t)(to - from);
}

bool supi_straight_measure(int32_t row_count, const int32_t* row_of, int32_t spring_count,
                           const sup_spring* springs, supi_arena* scratch,
                           supi_straight_sums* out) {
    size_t count = (size_t)spring_count;
    uint64_t* keys = supi_arena_push(scratch, 2 * count, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, 2 * count, sizeof *ids);
    const int32_t block = supi_spring_block((row_count + 7) & ~7);
    if (!keys || !ids) return false;
    *out = (supi_straight_sums){0};
    for (int32_t i = 0; i < spring_count; i++) {
        int32_t a = springs[i].a, b = springs[i].b;
        if (row_of) a = row_of[a], b = row_of[b];
        keys[i] = a < b ? key_of(a, b) : key_of(b, a);
        ids[i] = i;
        out->cost += a / block == b / block ? COST : 2 * COST;
        out->cost += abs(a - b) > FAR_ROWS ? COST_FAR : 0;
    }
    supi_sort_keys(spring_count, keys, ids, keys + count, ids + count);
    for (int32_t i = 0, end; i < spring_count; i = end) {
        for (end = i + 1; end < spring_count && keys[end] == keys[i];) end++;
        if (end - i >= 8) out->straight += end - i;
    }
    out->cost -= (COST - COST_STRAIGHT) * out->straight;
    return true;
}

/* ---- Columns ---- */

enum { LEAST = 4 }; /* sides of a straight column */

/* Sides that go equally far. */
typedef struct family {
    int32_t way;
    uint32_t lanes; /* bit k: row k has one */
} family;

typedef struct families {
    int32_t count, taken; /* the first ones have a column */
    int32_t slack[8];     /* by row: how many columns it need not have a side in */
    family of[8 * SUPI_STRAIGHT_WIDEST];
} families;

static int32_t way_of(const supi_straight_slice* s, int32_t at) {
    return s->other[s->sides[at]] - (s->row + (at & 7));
}

static void find_families(const supi_straight_slice* s, families* f) {
    f->count = f->taken = 0;
    for (int k = 0; k < 8; k++) f->slack[k] = s->width;
    for (int32_t at = 0; at < 8 * s->width; at++) {
        if (s->sides[at] < 0) continue;
        int32_t way = way_of(s, at), i = 0;
        f->slack[at & 7]--;
        while (i < f->count && f->of[i].way != way) i++;
        if (i == f->count) f->of[f->count++] = (family){way, 0};
        f->of[i].lanes |= 1u << (at & 7);
    }
}

static int size_of(const family* a) { return __builtin_popcount(a->lanes); }

/* Has every row that lacks such a side columns to spare, and padding a row to go to? */
static bool fits(const supi_straight_slice* s, const families* f, const family* a) {
    int32_t first = s->row + a->way;
    bool good = first >= s->low && first <= s->high - 8;
    for (int k = 0; k < 8; k++) good = good && (a->lanes >> k & 1 || f->slack[k] > 0);
    return good;
}

/* The largest ones first. */
static void take_families(const supi_straight_slice* s, families* f) {
    for (int size = 8; size >= LEAST; size--) {
        for (int32_t i = f->taken; i < f->count; i++) {
            const family chosen = f->of[i];
            if (size_of(&chosen) != size || !fits(s, f, &chosen)) continue;
            for (int k = 0; k < 8; k++) f->slack[k] -= chosen.lanes >> k & 1 ? 0 : 1;
            f->of[i] = f->of[f->taken];
            f->of[f->taken++] = chosen;
        }
    }
}

/* Even ways before odd ones: what one column has just stored in pairs of rows the next does not
   load in other pairs, for which it would have to wait. */
static bool goes_before(const family* a, const family* b) {
    int odd = (a->way & 1) - (b->way & 1);
    return odd != 0 ? odd < 0 : a->way < b->way;
}

static void sort_taken(families* f) {
    for (int32_t i = 1; i < f->taken; i++) {
        const family moved = f->of[i];
        int32_t at = i;
        for (; at > 0 && goes_before(&moved, f->of + at - 1); at--) f->of[at] = f->of[at - 1];
        f->of[at] = moved;
    }
}

int32_t supi_straight_sort(const supi_straight_slice* s) {
    families f;
    int32_t sorted[8 * SUPI_STRAIGHT_WIDEST], next[8];
    find_families(s, &f);
    take_families(s, &f);
    sort_taken(&f);
    for (int32_t at = 0; at < 8 * s->width; at++) sorted[at] = -1;
    for (int k = 0; k < 8; k++) next[k] = f.taken;
    for (int32_t at = 0; at < 8 * s->width; at++) {
        if (s->sides[at] < 0) continue;
        int32_t way = way_of(s, at), lane = at & 7, column = 0;
        while (column < f.taken && f.of[column].way != way) column++;
        /* A second spring to the same row goes with the others. */
        bool first = column < f.taken && sorted[8 * column + lane] < 0;
        sorted[8 * (first ? column : next[lane]++) + lane] = s->sides[at];
    }
    memcpy(s->sides, sorted, 8 * (size_t)s->width * sizeof *sorted);
    return f.taken;
}
