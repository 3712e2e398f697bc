/* Where a sheet is cut and where it is joined. */
#include "solve/refine.h"

#include "solve/refine_tree.h"

#include <math.h>
#include <string.h>

enum {
    CALM_CHECKS = 8, /* after so many, 32 steps, flat leaves are joined */
    CHANGE_SHARE = 20
};

/* How a point is bent. */
enum { FLAT, CURVED, BENT };

void supi_refine_clear(const supi_refine_grid* g, supi_refine* r) {
    memset(r->level, 0, (size_t)supi_refine_cell_count(g));
    memset(r->calm, 0, (size_t)supi_refine_cell_count(g));
}

/* ---- Levels ---- */

int32_t supi_refine_level_around(const supi_refine_grid* g, const uint8_t* level, int32_t point) {
    int32_t n = supi_tree_side(g, 0) + 1, finest = 0;
    for (int32_t side = 0; side < 4; side++) {
        int32_t beside = supi_tree_level(g, level, point % n - (side & 1), point / n - (side >> 1));
        finest = beside > finest ? beside : finest;
    }
    return finest;
}

static void set_level(const supi_refine_grid* g, supi_refine* r, const int32_t at[2], int32_t size,
                      int32_t level) {
    for (int32_t j = at[1]; j < at[1] + size; j++) {
        int32_t first = j * supi_tree_side(g, 0) + at[0];
        memset(r->level + first, level, (size_t)size);
        memset(r->calm + first, 0, (size_t)size);
    }
}

/* Finest cell beyond edge 0..3 of a leaf, in half 0 or 1 of it; false: there is none. */
static bool beyond(const supi_refine_grid* g, const supi_leaf* leaf, int edge, int32_t half,
                   int32_t at[2]) {
    int k = edge & 1;
    at[k] = edge >> 1 ? leaf->at[k] + leaf->size : leaf->at[k] - 1;
    at[1 - k] = leaf->at[1 - k] + half * (leaf->size / 2);
    return at[k] >= 0 && at[k] < supi_tree_side(g, k);
}

/* Cuts the leaf over a cell, after those beside it that are coarser, as long as `budget` lasts. */
static void cut(const supi_refine_grid* g, supi_refine* r, const int32_t cell[2], int32_t* budget) {
    const supi_leaf leaf = supi_tree_leaf(g, r->level, cell[0], cell[1]);
    for (int edge = 0; edge < 4; edge++) {
        int32_t at[2];
        if (!beyond(g, &leaf, edge, 0, at)) continue;
        if (supi_tree_level(g, r->level, at[0], at[1]) < leaf.level) cut(g, r, at, budget);
        if (supi_tree_level(g, r->level, at[0], at[1]) < leaf.level) return;
    }
    if (*budget <= 0) return;
    set_level(g, r, leaf.at, leaf.size, leaf.level + 1);
    --*budget;
}

/* ---- What is held ---- */

static bool is_held(const supi_refine_grid* g, const uint8_t* held, int32_t row) {
    return !(g->inverse_mass[row] > 0.0f) || (held && held[row]);
}

/* A cell beside a point whose leaf has no corner there; false: it is a corner of all. */
static bool coarse_beside(const supi_refine_grid* g, const uint8_t* level, int32_t point,
                          int32_t cell[2]) {
    int32_t n = supi_tree_side(g, 0) + 1, i = point % n, j = point / n;
    int32_t least = supi_refine_point_level(g->levels, i, j);
    for (int side = 0; side < 4; side++) {
        cell[0] = i - (side & 1);
        cell[1] = j - (side >> 1);
        int32_t beside = supi_tree_level(g, level, cell[0], cell[1]);
        if (beside >= 0 && beside < least) return true;
    }
    return false;
}

int32_t supi_refine_hold(const supi_refine_grid* g, const uint8_t* held, supi_refine* r) {
    int32_t budget = INT32_MAX, cell[2];
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        if (!is_held(g, held, g->row_of[p])) continue;
        while (coarse_beside(g, r->level, p, cell)) cut(g, r, cell, &budget);
    }
    return INT32_MAX - budget;
}

/* What is written at a leaf's first cell is right for all of it; neighbours are looked at from the
   finer one, of which half an edge is enough. */
bool supi_refine_fits(const supi_refine_grid* g, const uint8_t* level) {
    int32_t n = supi_tree_side(g, 0);
    for (int32_t c = 0; c < supi_refine_cell_count(g); c++) {
        if (level[c] > g->levels) return false;
        const supi_leaf leaf = supi_tree_leaf(g, level, c % n, c / n);
        if (level[leaf.cell] != level[c]) return false;
    }
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, level, &leaf);) {
        for (int32_t j = leaf.at[1]; j < leaf.at[1] + leaf.size; j++) {
            for (int32_t i = leaf.at[0]; i < leaf.at[0] + leaf.size; i++) {
                if (level[j * n + i] != leaf.level) return false;
            }
        }
        for (int edge = 0; edge < 4; edge++) {
            int32_t at[2];
            if (!beyond(g, &leaf, edge, 0, at)) continue;
            if (supi_tree_level(g, level, at[0], at[1]) < leaf.level - 1) return false;
        }
    }
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        int32_t cell[2];
        if (is_held(g, NULL, g->row_of[p]) && coarse_beside(g, level, p, cell)) return false;
    }
    return true;
}

/* ---- Angles ---- */

static int bend_at(const supi_refine_rules* rules, const sup_row* from, const sup_row* at,
                   const sup_row* to) {
    const double a[3] = {(double)at->x - (double)from->x, (double)at->y - (double)from->y,
                         (double)at->z - (double)from->z};
    const double b[3] = {(double)to->x - (double)at->x, (double)to->y - (double)at->y,
                         (double)to->z - (double)at->z};
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int k = 0; k < 3; k++) {
        aa += a[k] * a[k];
        bb += b[k] * b[k];
        ab += a[k] * b[k];
    }
    double lengths = sqrt(aa) * sqrt(bb);
    if (!(lengths > 0.0)) return FLAT;
    return ab < rules->bent * lengths ? BENT : ab > rules->flat * lengths ? FLAT : CURVED;
}

/* Between leaves of one level that lie one after the other. */
static void find_bends(const supi_refine_grid* g, const supi_refine_rules* rules, const sup_row* x,
                       supi_refine* r) {
    memset(r->bends, FLAT, (size_t)supi_refine_point_count(g));
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, r->level, &leaf);) {
        for (int edge = 0; edge < 4; edge++) {
            int k = edge & 1;
            int32_t far = edge >> 1;
            if (supi_tree_beside(g, r->level, &leaf, k, 1, 0) != leaf.level) continue;
            int32_t from = supi_tree_corner(g, &leaf, k, 0, far);
            int32_t at = supi_tree_corner(g, &leaf, k, 1, far), to = 2 * at - from;
            if (r->state[at] != SUPI_POINT_ACTIVE) continue;
            int bend = bend_at(rules, x + g->row_of[from], x + g->row_of[at], x + g->row_of[to]);
            if (bend > r->bends[at]) r->bends[at] = (uint8_t)bend;
        }
    }
}

/* ---- Joining ---- */

/* The leaf that four of `first`'s level would be, of which it is the first. */
static bool family_of(const supi_refine_grid* g, const supi_refine* r, const supi_leaf* first,
                      supi_leaf* joined) {
    if (first->level == 0 || ((first->at[0] | first->at[1]) & first->size)) return false;
    for (int c = 1; c < 4; c++) {
        if (supi_tree_beside(g, r->level, first, 0, c & 1, c >> 1) != first->level) return false;
    }
    *joined = *first;
    joined->size *= 2;
    joined->level--;
    return true;
}

/* Are all nine points of four leaves flat? */
static bool is_flat(const supi_refine_grid* g, const supi_refine* r, const supi_leaf* first) {
    for (int32_t p = 0; p < 9; p++) {
        if (r->bends[supi_tree_corner(g, first, 0, p % 3, p / 3)] != FLAT) return false;
    }
    return true;
}

/* No cell beside may be two levels finer, no point that would go may be held. */
static bool may_join(const supi_refine_grid* g, const supi_refine* r, const uint8_t* held,
                     const supi_leaf* joined) {
    int32_t half = joined->size / 2;
    for (int edge = 0; edge < 4; edge++) {
        for (int32_t side = 0; side < 2; side++) {
            int32_t at[2];
            if (!beyond(g, joined, edge, side, at)) continue;
            if (supi_tree_level(g, r->level, at[0], at[1]) > joined->level + 1) return false;
        }
    }
    for (int32_t p = 1; p < 9; p++) {
        if (p % 3 != 1 && p / 3 != 1) continue;
        int32_t i = joined->at[0] + p % 3 * half, j = joined->at[1] + p / 3 * half;
        if (is_held(g, held, supi_tree_row(g, i, j))) return false;
    }
    return true;
}

static int32_t join_flat(const supi_refine_grid* g, const uint8_t* held, int32_t budget,
                         supi_refine* r) {
    int32_t changed = 0;
    for (supi_leaf leaf = {.cell = -1}, joined; supi_tree_next(g, r->level, &leaf);) {
        if (!family_of(g, r, &leaf, &joined)) continue;
        uint8_t* calm = r->calm + leaf.cell;
        if (!is_flat(g, r, &leaf)) {
            *calm = 0;
        } else if (*calm < CALM_CHECKS) {
            ++*calm;
        }
        if (*calm < CALM_CHECKS || changed >= budget || !may_join(g, r, held, &joined)) continue;
        set_level(g, r, joined.at, joined.size, joined.level);
        changed += 4;
    }
    return changed;
}

/* ---- Following ---- */

/* Corners of the leaf that point (i, j) lies in, and their weights there. */
static void find_corners(const supi_refine_grid* g, const supi_refine* r, int32_t i, int32_t j,
                         int32_t rows[4], double weights[4]) {
    int32_t n = supi_tree_side(g, 0), m = supi_tree_side(g, 1);
    const supi_leaf leaf = supi_tree_leaf(g, r->level, i < n ? i : n - 1, j < m ? j : m - 1);
    double u = (double)(i - leaf.at[0]) / leaf.size, v = (double)(j - leaf.at[1]) / leaf.size;
    for (int32_t c = 0; c < 4; c++) {
        rows[c] = g->row_of[supi_tree_corner(g, &leaf, 0, c & 1, c >> 1)];
        weights[c] = (c & 1 ? u : 1.0 - u) * (c >> 1 ? v : 1.0 - v);
    }
}

void supi_refine_follow(const supi_refine_grid* g, const supi_refine* r, sup_row* rows) {
    int32_t n = supi_tree_side(g, 0) + 1;
    supi_ties_spread(r->ties, r->tie_count, rows);
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        if (r->state[p] != SUPI_POINT_ABSENT) continue;
        int32_t corner[4];
        double weight[4], sum[3] = {0, 0, 0};
        find_corners(g, r, p % n, p / n, corner, weight);
        for (int c = 0; c < 4; c++) {
            const sup_row* from = rows + corner[c];
            sum[0] += weight[c] * (double)from->x;
            sum[1] += weight[c] * (double)from->y;
            sum[2] += weight[c] * (double)from->z;
        }
        sup_row* to = rows + g->row_of[p];
        *to = (sup_row){(float)sum[0], (float)sum[1], (float)sum[2], to->w};
    }
}

/* ---- Momentum ---- */

static void add_momentum(supi_refine* r, int32_t row, double share, const double p[3]) {
    for (int k = 0; k < 3; k++) r->momentum[row][k] += share * p[k];
}

/* Before cells are joined: what every active row has. */
static void note_momentum(const supi_refine_grid* g, const sup_row* v, supi_refine* r) {
    memcpy(r->was, r->state, (size_t)supi_refine_point_count(g));
    for (int32_t row = 0; row < g->row_count; row++) {
        const double speed[3] = {(double)v[row].x, (double)v[row].y, (double)v[row].z};
        for (int k = 0; k < 3; k++) r->momentum[row][k] = (double)r->mass[row] * speed[k];
    }
}

/* After it: who is active no more has given it to those around, as far as these are active. */
static void give_momentum(const supi_refine_grid* g, sup_row* v, supi_refine* r) {
    int32_t n = supi_tree_side(g, 0) + 1;
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        int32_t corner[4], row = g->row_of[p];
        double weight[4];
        if (r->was[p] != SUPI_POINT_ACTIVE || r->state[p] != SUPI_POINT_ABSENT) continue;
        find_corners(g, r, p % n, p / n, corner, weight);
        for (int c = 0; c < 4; c++) add_momentum(r, corner[c], weight[c], r->momentum[row]);
    }
    for (int32_t i = r->tie_count - 1; i >= 0; i--) {
        const supi_tie* tie = r->ties + i;
        add_momentum(r, tie->a, 0.5, r->momentum[tie->row]);
        add_momentum(r, tie->b, 0.5, r->momentum[tie->row]);
    }
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        int32_t row = g->row_of[p];
        if (r->state[p] != SUPI_POINT_ACTIVE || !(r->inverse[row] > 0.0f)) continue;
        const double* moves = r->momentum[row];
        double mass = (double)r->mass[row];
        v[row] = (sup_row){(float)(moves[0] / mass), (float)(moves[1] / mass),
                           (float)(moves[2] / mass), v[row].w};
    }
}

/* ---- The check ---- */

/* Coarse cells first, so that all of the sheet gets its share of what may change. */
static int32_t cut_bent(const supi_refine_grid* g, int32_t budget, supi_refine* r) {
    int32_t n = supi_tree_side(g, 0) + 1, left = budget;
    memcpy(r->was_level, r->level, (size_t)supi_refine_cell_count(g));
    for (int32_t level = 0; level < g->levels; level++) {
        for (int32_t p = 0; p < supi_refine_point_count(g) && left > 0; p++) {
            if (r->bends[p] != BENT || r->state[p] != SUPI_POINT_ACTIVE) continue;
            for (int32_t side = 0; side < 4 && left > 0; side++) {
                const int32_t cell[2] = {p % n - (side & 1), p / n - (side >> 1)};
                bool was = supi_tree_level(g, r->was_level, cell[0], cell[1]) == level;
                bool is = supi_tree_level(g, r->level, cell[0], cell[1]) == level;
                if (was && is) cut(g, r, cell, &left);
            }
        }
    }
    return budget - left;
}

int32_t supi_refine_check(const supi_refine_grid* g, const supi_refine_rules* rules,
                          const uint8_t* held, const sup_row* x, sup_row* v, supi_refine* r) {
    int32_t budget = r->leaf_count / CHANGE_SHARE > 0 ? r->leaf_count / CHANGE_SHARE : 1;
    find_bends(g, rules, x, r);
    int32_t cuts = cut_bent(g, budget, r);
    if (cuts > 0) supi_refine_make(g, rules, r);
    note_momentum(g, v, r);
    int32_t joined = join_flat(g, held, budget - cuts, r);
    if (joined > 0) {
        supi_refine_make(g, rules, r);
        give_momentum(g, v, r);
    }
    return cuts + joined;
}
