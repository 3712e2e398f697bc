/* What follows from the levels of a sheet's cells: states, masses, springs and their net. */
#include "geom/vector.h"
#include "solve/refine_tree.h"

#include <math.h>
#include <string.h>

/* Sides of springs that a row can have: along four lines two springs of each length, the finer and
   the coarser cells beside it, once over one and once over two cells, and four diagonals. */
enum { SIDES = 20 };

/* ---- Rooms ---- */

int32_t supi_refine_cell_count(const supi_refine_grid* g) {
    return supi_tree_side(g, 0) * supi_tree_side(g, 1);
}

int32_t supi_refine_point_count(const supi_refine_grid* g) {
    return (supi_tree_side(g, 0) + 1) * (supi_tree_side(g, 1) + 1);
}

int32_t supi_refine_point_level(int32_t levels, int32_t i, int32_t j) {
    int32_t level = levels;
    for (int32_t size = 2; level > 0 && !((i | j) & (size - 1)); size *= 2) level--;
    return level;
}

/* No state has more springs than the finest: joining four cells takes at least twelve springs away
   and brings no more than twelve. */
static int32_t most_springs(const supi_refine_grid* g) {
    int32_t n = supi_tree_side(g, 0), m = supi_tree_side(g, 1);
    return 6 * n * m + n + m;
}

bool supi_refine_push(supi_arena* arena, const supi_refine_grid* g, supi_refine* r) {
    size_t cells = (size_t)supi_refine_cell_count(g), points = (size_t)supi_refine_point_count(g);
    size_t rows = (size_t)g->row_count;
    int32_t columns = SIDES * (g->row_count / 8);
    *r = (supi_refine){.spring_room = most_springs(g)};
    r->level = supi_arena_push(arena, cells, sizeof *r->level);
    r->calm = supi_arena_push(arena, cells, sizeof *r->calm);
    r->was_level = supi_arena_push(arena, cells, sizeof *r->was_level);
    r->state = supi_arena_push(arena, points, sizeof *r->state);
    r->bends = supi_arena_push(arena, points, sizeof *r->bends);
    r->was = supi_arena_push(arena, points, sizeof *r->was);
    r->mass = supi_arena_push(arena, rows, sizeof *r->mass);
    r->inverse = supi_arena_push(arena, rows, sizeof *r->inverse);
    r->loose = supi_arena_push(arena, rows, sizeof *r->loose);
    r->momentum = supi_arena_push(arena, rows, sizeof *r->momentum);
    r->weights = supi_arena_push(arena, rows, sizeof *r->weights);
    r->ties = supi_arena_push(arena, points, sizeof *r->ties);
    r->springs = supi_arena_push(arena, (size_t)r->spring_room, sizeof *r->springs);
    r->rooms.used = supi_arena_push(arena, rows, sizeof *r->rooms.used);
    r->rooms.columns = supi_arena_push(arena, rows / 8 + 1, sizeof *r->rooms.columns);
    r->net = (supi_spring_net){.row_count = g->row_count, .column_count = columns};
    return r->level && r->calm && r->was_level && r->state && r->bends && r->was && r->mass &&
           r->inverse && r->loose && r->momentum && r->weights && r->ties && r->springs &&
           r->rooms.used && r->rooms.columns && supi_net_push(arena, columns, &r->rooms);
}

/* ---- States ---- */

static void mark_corners(const supi_refine_grid* g, supi_refine* r) {
    memset(r->state, SUPI_POINT_ABSENT, (size_t)supi_refine_point_count(g));
    r->leaf_count = r->deepest = 0;
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, r->level, &leaf);) {
        for (int32_t c = 0; c < 4; c++) {
            r->state[supi_tree_corner(g, &leaf, 0, c & 1, c >> 1)] = SUPI_POINT_ACTIVE;
        }
        r->leaf_count++;
        r->deepest = leaf.level > r->deepest ? leaf.level : r->deepest;
    }
}

/* The middle of an edge that has finer cells on its other side. */
static void hang_middles(const supi_refine_grid* g, const supi_leaf* leaf, supi_refine* r) {
    for (int edge = 0; edge < 4; edge++) {
        int k = edge & 1;
        int32_t far = edge >> 1;
        if (supi_tree_beside(g, r->level, leaf, k, 0, far ? 1 : -1) <= leaf->level) continue;
        int32_t a = supi_tree_corner(g, leaf, k, 0, far), b = supi_tree_corner(g, leaf, k, 1, far);
        int32_t middle = (a + b) / 2;
        r->state[middle] = SUPI_POINT_HANGING;
        r->ties[r->tie_count++] = (supi_tie){g->row_of[middle], g->row_of[a], g->row_of[b]};
    }
}

/* Those on edges of coarse cells first: their points may be the ends of others. */
static void find_ties(const supi_refine_grid* g, supi_refine* r) {
    r->tie_count = 0;
    for (int32_t level = 0; level < r->deepest; level++) {
        for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, r->level, &leaf);) {
            if (leaf.level == level) hang_middles(g, &leaf, r);
        }
    }
}

/* ---- Masses ---- */

static float inverse_of(const supi_refine_grid* g, int32_t row, double mass) {
    return mass > 0.0 && g->inverse_mass[row] > 0.0f ? (float)(1.0 / mass) : 0.0f;
}

static void weigh(const supi_refine_grid* g, supi_refine* r) {
    memset(r->weights, 0, (size_t)g->row_count * sizeof *r->weights);
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, r->level, &leaf);) {
        double quarter = ldexp(g->mass, -2 * leaf.level - 2);
        for (int32_t c = 0; c < 4; c++) {
            r->weights[g->row_of[supi_tree_corner(g, &leaf, 0, c & 1, c >> 1)]] += quarter;
        }
    }
    for (int32_t i = r->tie_count - 1; i >= 0; i--) {
        const supi_tie* tie = r->ties + i;
        double half = 0.5 * r->weights[tie->row];
        r->weights[tie->a] += half;
        r->weights[tie->b] += half;
    }
    r->active_count = 0;
    for (int32_t p = 0; p < supi_refine_point_count(g); p++) {
        int32_t row = g->row_of[p];
        bool active = r->state[p] == SUPI_POINT_ACTIVE;
        r->active_count += active;
        r->mass[row] = active ? (float)r->weights[row] : 0.0f;
        r->loose[row] = inverse_of(g, row, r->weights[row]);
        r->inverse[row] = active ? r->loose[row] : 0.0f;
    }
}

/* ---- Springs ---- */

typedef struct weaver {
    const supi_refine_grid* grid;
    const supi_refine_rules* rules;
    supi_refine* refine;
    int32_t last; /* row that has springs */
} weaver;

/* Between two points; none of no stiffness, but for edges, which other things may want. */
static void add_spring(weaver* w, const supi_leaf* leaf, int32_t from, int32_t to,
                       sup_spring_kind kind, double stiffness) {
    const supi_refine_grid* g = w->grid;
    supi_refine* r = w->refine;
    int32_t a = g->row_of[from], b = g->row_of[to];
    if (!(stiffness > 0.0) && kind != SUP_SPRING_STRUCT) return;
    if (w->rules->doubles) stiffness = ldexp(stiffness, leaf->level);
    double p[3], q[3], inverse = (double)r->loose[a] + (double)r->loose[b];
    supi_vector_from(g->rest + a, p);
    supi_vector_from(g->rest + b, q);
    supi_vector_subtract(q, p, q);
    r->springs[r->spring_count++] = (sup_spring){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .length = (float)supi_vector_length(q),
        .stiffness = (float)stiffness,
        .damping = inverse > 0.0 ? (float)(2.0 * g->damping * sqrt(stiffness / inverse)) : 0.0f,
        .kind = (uint8_t)kind,
    };
    w->last = a > w->last ? a : w->last;
    w->last = b > w->last ? b : w->last;
}

/* Springs of a leaf along side k. Each cell has half of those on its edges; where the cell beside
   is alike, the one that comes first leaves both halves to the other. */
static void weave_along(weaver* w, const supi_leaf* leaf, int k) {
    const supi_refine_grid* g = w->grid;
    const uint8_t* level = w->refine->level;
    int32_t own = leaf->level;
    bool ahead = supi_tree_beside(g, level, leaf, k, 1, 0) == own;
    for (int32_t far = 0; far < 2; far++) {
        int32_t a = supi_tree_corner(g, leaf, k, 0, far), b = supi_tree_corner(g, leaf, k, 1, far);
        bool alike = supi_tree_beside(g, level, leaf, k, 0, far ? 1 : -1) == own;
        bool alike_ahead = alike && supi_tree_beside(g, level, leaf, k, 1, far ? 1 : -1) == own;
        if (!(far && alike)) {
            add_spring(w, leaf, a, b, SUP_SPRING_STRUCT, (alike ? 1.0 : 0.5) * g->stretch[k]);
        }
        if (ahead && !(far && alike_ahead)) {
            add_spring(w, leaf, a, 2 * b - a, SUP_SPRING_BEND,
                       (alike_ahead ? 1.0 : 0.5) * g->bend[k]);
        }
    }
}

static void weave(weaver* w) {
    const supi_refine_grid* g = w->grid;
    w->refine->spring_count = 0;
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, w->refine->level, &leaf);) {
        for (int k = 0; k < 2; k++) weave_along(w, &leaf, k);
        add_spring(w, &leaf, supi_tree_corner(g, &leaf, 0, 0, 0),
                   supi_tree_corner(g, &leaf, 0, 1, 1), SUP_SPRING_SHEAR, g->shear);
        add_spring(w, &leaf, supi_tree_corner(g, &leaf, 0, 1, 0),
                   supi_tree_corner(g, &leaf, 0, 0, 1), SUP_SPRING_SHEAR, g->shear);
    }
}

/* ---- Triangles ---- */

/* Corners and hanging middles around a leaf, in halves of its side. A middle comes first if there
   is one: no fan from there has a triangle without area. Returns how many. */
static int32_t go_around(const supi_refine_grid* g, const supi_refine* r, const supi_leaf* leaf,
                         int32_t at[8][2]) {
    static const int32_t corners[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    int32_t ring[8][2], count = 0, first = 0;
    for (int e = 0; e < 4; e++) {
        const int32_t *a = corners[e], *b = corners[(e + 1) % 4];
        bool hangs =
            supi_tree_beside(g, r->level, leaf, e & 1, 0, e == 1 || e == 2 ? 1 : -1) > leaf->level;
        for (int k = 0; k < 2; k++) ring[count][k] = a[k];
        count++;
        if (!hangs) continue;
        first = count;
        for (int k = 0; k < 2; k++) ring[count][k] = (a[k] + b[k]) / 2;
        count++;
    }
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) at[i][k] = ring[(first + i) % count][k];
    }
    return count;
}

static int32_t row_at(const supi_refine_grid* g, const supi_leaf* leaf, const int32_t at[2]) {
    return supi_tree_row(g, leaf->at[0] + at[0] * leaf->size / 2,
                         leaf->at[1] + at[1] * leaf->size / 2);
}

int32_t supi_refine_faces(const supi_refine_grid* g, const supi_refine* r, int32_t* rows,
                          float* masses) {
    int32_t count = 0;
    for (supi_leaf leaf = {.cell = -1}; supi_tree_next(g, r->level, &leaf);) {
        int32_t at[8][2], around = go_around(g, r, &leaf, at);
        for (int32_t i = 1; i + 1 < around; i++) {
            int32_t* face = rows + 4 * count;
            int32_t eighths = (at[i][0] - at[0][0]) * (at[i + 1][1] - at[0][1]) -
                              (at[i][1] - at[0][1]) * (at[i + 1][0] - at[0][0]);
            face[0] = row_at(g, &leaf, at[0]);
            face[1] = row_at(g, &leaf, at[i]);
            face[2] = row_at(g, &leaf, at[i + 1]);
            face[3] = -1;
            masses[count++] = (float)(ldexp(g->mass, -2 * leaf.level - 3) * eighths);
        }
    }
    return count;
}

/* ---- All of it ---- */

void supi_refine_make(const supi_refine_grid* g, const supi_refine_rules* rules, supi_refine* r) {
    mark_corners(g, r);
    find_ties(g, r);
    weigh(g, r);
    weaver w = {g, rules, r, 0};
    weave(&w);
    const supi_net_source source = {.row_count = (w.last + 8) & ~7,
                                    .spring_count = r->spring_count,
                                    .springs = r->springs,
                                    .inverse_mass = r->loose,
                                    .rest = g->rest};
    supi_net_cut(&source, &r->rooms);
    r->net = supi_net_fill(&source, &r->rooms);
}
