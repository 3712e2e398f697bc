/* A lattice of tetrahedra is laid over the particles at rest, and each of its nodes goes to the
   particle nearest to it. What is folded flat by that goes; what stays fills the body, and its
   edges are those between neighbours. A map of nodes carries the outside of the lattice to the
   outside of what it makes, so whatever is inside of that lies in a tetrahedron at least. */
#include "contact/tet_stand.h"

#include "geom/bcc.h"
#include "geom/sort.h"
#include "geom/tet.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define REACH 1.2 /* spacings from a particle up to which nodes count */
#define AXIS_BITS 21
#define MOST_CELLS ((1 << AXIS_BITS) - 8)
#define MOST_POINTS (1 << AXIS_BITS)
#define FLAT 1e-3   /* of a cube of the spacing: less volume is none */
#define FILLED 0.15 /* cubes of the spacing for each particle: a body of less volume has none */
#define NOBODY (-1)
#define MOST_ITEMS (INT32_MAX / 2) /* of a list that is sorted */

/* Nodes of a cell are its low corner and its middle. */
typedef struct sketch {
    supi_arena* scratch;
    const supi_tet_particles* particles;
    double low[3], cell;
    int32_t cell_count;
    uint64_t* cells;       /* ascending */
    int32_t (*nearest)[2]; /* by cell: particles of its nodes, or NOBODY */
    int32_t tet_count, folded_count;
    int32_t* tets;   /* of some volume */
    int32_t* folded; /* of four particles, but flat or inside out */
    bool beyond;     /* all bounds */
} sketch;

static bool give_up(sketch* s) {
    s->beyond = true;
    return false;
}

/* ---- Cells and the particles of their nodes ---- */

static uint64_t cell_key(const int32_t at[3]) {
    return (uint64_t)(uint32_t)at[2] << 2 * AXIS_BITS | (uint64_t)(uint32_t)at[1] << AXIS_BITS |
           (uint32_t)at[0];
}

static void cell_at(uint64_t key, int32_t at[3]) {
    for (int k = 0; k < 3; k++) at[k] = (int32_t)(key >> k * AXIS_BITS & (MOST_POINTS - 1));
}

/* Squared distance of a particle from the low corner (0) or the middle (1) of a cell. */
static double square_to(const sketch* s, int32_t row, const int32_t at[3], int node) {
    double p[3], sum = 0.0;
    supi_vector_from(&s->particles->rest[row], p);
    for (int k = 0; k < 3; k++) {
        double d = p[k] - (s->low[k] + s->cell * ((double)at[k] + 0.5 * node));
        sum += d * d;
    }
    return sum;
}

static bool reaches(const sketch* s, int32_t row, const int32_t at[3]) {
    double most = REACH * s->cell * REACH * s->cell;
    return square_to(s, row, at, 0) <= most || square_to(s, row, at, 1) <= most;
}

/* Goes over the cells that a particle reaches; fills their keys where there are any. */
static int64_t visit_cells(const sketch* s, int32_t row, uint64_t* keys, int32_t* ids) {
    double p[3];
    int32_t home[3], at[3];
    int64_t count = 0;
    supi_vector_from(&s->particles->rest[row], p);
    for (int k = 0; k < 3; k++) home[k] = (int32_t)floor((p[k] - s->low[k]) / s->cell);
    for (at[2] = home[2] - 2; at[2] <= home[2] + 2; at[2]++) {
        for (at[1] = home[1] - 2; at[1] <= home[1] + 2; at[1]++) {
            for (at[0] = home[0] - 2; at[0] <= home[0] + 2; at[0]++) {
                if (!reaches(s, row, at)) continue;
                if (keys) keys[count] = cell_key(at), ids[count] = row;
                count++;
            }
        }
    }
    return count;
}

/* Of equally near particles the lowest, as they come in their order. */
static void settle_cells(sketch* s, const uint64_t* keys, const int32_t* rows, int32_t count) {
    double most = REACH * s->cell * REACH * s->cell;
    for (int32_t i = 0; i < count;) {
        int32_t at[3], cell = s->cell_count++;
        double best[2] = {DBL_MAX, DBL_MAX};
        cell_at(keys[i], at);
        s->cells[cell] = keys[i];
        s->nearest[cell][0] = s->nearest[cell][1] = NOBODY;
        for (; i < count && keys[i] == s->cells[cell]; i++) {
            for (int node = 0; node < 2; node++) {
                double square = square_to(s, rows[i], at, node);
                if (square > most || !(square < best[node])) continue;
                best[node] = square;
                s->nearest[cell][node] = rows[i];
            }
        }
    }
}

static bool find_cells(sketch* s) {
    const supi_tet_particles* all = s->particles;
    int64_t need = 0;
    for (int32_t i = 0; i < all->count; i++) {
        if (all->masses[i] > 0) need += visit_cells(s, i, NULL, NULL);
    }
    if (need > MOST_ITEMS) return give_up(s);
    uint64_t* keys = supi_arena_push(s->scratch, 2 * (size_t)need, sizeof *keys);
    int32_t* rows = supi_arena_push(s->scratch, 2 * (size_t)need, sizeof *rows);
    s->cells = supi_arena_push(s->scratch, (size_t)need, sizeof *s->cells);
    s->nearest = supi_arena_push(s->scratch, (size_t)need, sizeof *s->nearest);
    if (!keys || !rows || !s->cells || !s->nearest) return false;
    int64_t count = 0;
    for (int32_t i = 0; i < all->count; i++) {
        if (all->masses[i] > 0) count += visit_cells(s, i, keys + count, rows + count);
    }
    supi_sort_keys((int32_t)need, keys, rows, keys + need, rows + need);
    settle_cells(s, keys, rows, (int32_t)need);
    return true;
}

/* The particle of a node, which is named as in geom/bcc.h. */
static int32_t particle_at(const sketch* s, const int32_t node[3]) {
    int32_t at[3];
    for (int k = 0; k < 3; k++) at[k] = node[k] >> 1;
    uint64_t key = cell_key(at);
    int32_t cell = supi_seek(s->cells, s->cell_count, key);
    return cell < s->cell_count && s->cells[cell] == key ? s->nearest[cell][node[0] & 1] : NOBODY;
}

/* ---- Tetrahedra ---- */

/* Turns it as the lattice has it: positive there. */
static void turn(const int32_t nodes[4][3], int32_t tet[4]) {
    int64_t e[3][3];
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) e[k][j] = nodes[k + 1][j] - nodes[0][j];
    }
    int64_t det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                  e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                  e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    int32_t last = tet[3];
    if (det > 0) return;
    tet[3] = tet[2];
    tet[2] = last;
}

static bool are_four(const int32_t tet[4]) {
    for (int k = 0; k < 4; k++) {
        if (tet[k] == NOBODY) return false;
        for (int j = 0; j < k; j++) {
            if (tet[j] == tet[k]) return false;
        }
    }
    return true;
}

static bool find_tets(sketch* s) {
    size_t most = 12 * (size_t)s->cell_count;
    s->tets = supi_arena_push(s->scratch, 4 * most, sizeof *s->tets);
    s->folded = supi_arena_push(s->scratch, 4 * most, sizeof *s->folded);
    if (!s->tets || !s->folded) return false;
    double cube = s->cell * s->cell * s->cell, volume = 0.0;
    for (size_t i = 0; i < most; i++) {
        int32_t at[3], nodes[4][3], tet[4];
        cell_at(s->cells[i / 12], at);
        supi_bcc_tet(at, (int32_t)(i % 12 / 4), (int32_t)(i % 4), nodes);
        for (int k = 0; k < 4; k++) tet[k] = particle_at(s, nodes[k]);
        if (!are_four(tet)) continue;
        turn(nodes, tet);
        double own = supi_tet_volume(s->particles->rest, tet);
        bool fills = own > FLAT * cube;
        if (fills) volume += own;
        memcpy(fills ? s->tets + 4 * (size_t)s->tet_count++
                     : s->folded + 4 * (size_t)s->folded_count++,
               tet, sizeof tet);
    }
    int32_t present = 0;
    for (int32_t i = 0; i < s->particles->count; i++) present += s->particles->masses[i] > 0;
    if (volume < FILLED * cube * present) s->tet_count = 0;
    return true;
}

/* ---- Outside ---- */

/* A side by its particles, ascending; *odd: they have an odd order in it. */
static uint64_t side_key(const int32_t tet[4], int side, bool* odd) {
    int32_t p[3];
    *odd = false;
    for (int k = 0; k < 3; k++) p[k] = tet[supi_tet_sides[side][k]];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 2; k++) {
            if (p[k] < p[k + 1]) continue;
            int32_t low = p[k + 1];
            p[k + 1] = p[k];
            p[k] = low;
            *odd = !*odd;
        }
    }
    return (uint64_t)(uint32_t)p[0] << 2 * AXIS_BITS | (uint64_t)(uint32_t)p[1] << AXIS_BITS |
           (uint32_t)p[2];
}

/* Sides that do not cancel, of all, folded ones too: only so is the outside closed. */
static bool find_outside(sketch* s, supi_arena* arena, sup_tets* out) {
    size_t count = 4 * ((size_t)s->tet_count + (size_t)s->folded_count), kept = 0;
    if (count > MOST_ITEMS) return give_up(s);
    uint64_t* keys = supi_arena_push(s->scratch, 2 * count, sizeof *keys);
    int32_t* signs = supi_arena_push(s->scratch, 2 * count, sizeof *signs);
    if (!keys || !signs) return false;
    for (size_t i = 0; i < count; i++) {
        size_t t = i / 4, own = (size_t)s->tet_count;
        bool odd;
        keys[i] =
            side_key(t < own ? s->tets + 4 * t : s->folded + 4 * (t - own), (int)(i % 4), &odd);
        signs[i] = odd ? -1 : 1;
    }
    supi_sort_keys((int32_t)count, keys, signs, keys + count, signs + count);
    for (size_t i = 0; i < count;) {
        uint64_t key = keys[i];
        int32_t sum = 0;
        for (; i < count && keys[i] == key; i++) sum += signs[i];
        if (sum != 0) keys[kept] = key, signs[kept++] = sum;
    }
    out->triangles = supi_arena_push(arena, 3 * kept, sizeof *out->triangles);
    if (!out->triangles) return false;
    for (size_t i = 0; i < kept; i++) {
        int32_t p[3];
        cell_at(keys[i], p);
        int32_t* corner = out->triangles + 3 * i;
        corner[0] = p[2];
        corner[1] = p[signs[i] > 0 ? 1 : 0];
        corner[2] = p[signs[i] > 0 ? 0 : 1];
    }
    out->triangle_count = (int32_t)kept;
    return true;
}

/* ---- Edges ---- */

static bool collect_edges(sketch* s, uint64_t** out, int32_t* out_count) {
    size_t most = 2 * (size_t)SUPI_BCC_OWN * (size_t)s->cell_count, count = 0;
    if (most > MOST_ITEMS) return give_up(s);
    uint64_t* keys = supi_arena_push(s->scratch, 2 * most, sizeof *keys);
    int32_t* ids = supi_arena_push(s->scratch, 2 * most, sizeof *ids);
    if (!keys || !ids) return false;
    for (size_t i = 0; i < most; i++) {
        int32_t at[3], way[3], node[3], ends[2];
        int odd = (int)(i / SUPI_BCC_OWN % 2);
        cell_at(s->cells[i / (2 * SUPI_BCC_OWN)], at);
        supi_bcc_way((int32_t)(i % SUPI_BCC_OWN), way);
        for (int k = 0; k < 3; k++) node[k] = 2 * at[k] + odd;
        ends[0] = particle_at(s, node);
        for (int k = 0; k < 3; k++) node[k] += way[k];
        ends[1] = particle_at(s, node);
        if (ends[0] == NOBODY || ends[1] == NOBODY || ends[0] == ends[1]) continue;
        int first = ends[0] < ends[1] ? 0 : 1;
        keys[count++] = (uint64_t)(uint32_t)ends[first] << 32 | (uint32_t)ends[1 - first];
    }
    supi_sort_keys((int32_t)count, keys, ids, keys + most, ids + most);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[kept - 1]) keys[kept++] = keys[i];
    }
    *out = keys;
    *out_count = (int32_t)kept;
    return true;
}

static bool find_edges(sketch* s, supi_arena* arena, sup_adjacency* out) {
    uint64_t* keys;
    int32_t points = s->particles->count;
    if (!collect_edges(s, &keys, &out->edge_count)) return false;
    size_t ends = 2 * (size_t)out->edge_count;
    out->edges = supi_arena_push(s->scratch, ends, sizeof *out->edges);
    out->starts = supi_arena_push(arena, (size_t)points + 2, sizeof *out->starts);
    out->neighbours = supi_arena_push(arena, ends, sizeof *out->neighbours);
    if (!out->edges || !out->starts || !out->neighbours) return false;
    for (int32_t e = 0; e < out->edge_count; e++) {
        out->edges[2 * e] = (int32_t)(keys[e] >> 32);
        out->edges[2 * e + 1] = (int32_t)(uint32_t)keys[e];
    }
    /* counted one further on, so that filling leaves each start where it belongs */
    for (size_t i = 0; i < ends; i++) out->starts[out->edges[i] + 2]++;
    for (int32_t i = 2; i <= points; i++) out->starts[i] += out->starts[i - 1];
    /* by their higher end first: neighbours come ascending, as edges are sorted by the lower */
    for (int32_t e = 0; e < out->edge_count; e++) {
        out->neighbours[out->starts[out->edges[2 * e + 1] + 1]++] = out->edges[2 * e];
    }
    for (int32_t e = 0; e < out->edge_count; e++) {
        out->neighbours[out->starts[out->edges[2 * e] + 1]++] = out->edges[2 * e + 1];
    }
    return true;
}

/* ---- All of it ---- */

/* False: it is beyond all bounds. */
static bool begin(sketch* s) {
    const supi_tet_particles* all = s->particles;
    double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    s->cell = all->spacing;
    for (int k = 0; k < 3; k++) s->low[k] = DBL_MAX;
    for (int32_t i = 0; i < all->count; i++) {
        double p[3];
        if (!(all->masses[i] > 0)) continue;
        supi_vector_from(&all->rest[i], p);
        for (int k = 0; k < 3; k++) {
            s->low[k] = p[k] < s->low[k] ? p[k] : s->low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    if (!(s->cell > 0.0) || all->count >= MOST_POINTS) return false;
    for (int k = 0; k < 3; k++) {
        if (!((high[k] - s->low[k]) / s->cell < MOST_CELLS)) return false;
        s->low[k] -= 4.0 * s->cell; /* so that no cell has a number below 0 */
    }
    return s->low[0] < high[0];
}

static bool make(sketch* s, supi_arena* arena, sup_tets* tets, sup_adjacency* edges) {
    if (!find_cells(s) || !find_tets(s)) return false;
    tets->tet_count = s->tet_count;
    tets->tets = supi_arena_push(arena, 4 * (size_t)s->tet_count, sizeof *tets->tets);
    if (!tets->tets) return false;
    if (s->tet_count > 0) {
        memcpy(tets->tets, s->tets, 4 * (size_t)s->tet_count * sizeof *tets->tets);
        if (!find_outside(s, arena, tets)) return false;
    }
    return find_edges(s, arena, edges);
}

bool supi_tet_stand_in(supi_arena* arena, supi_arena* scratch, const supi_tet_particles* particles,
                       supi_tet_form* out) {
    sketch s = {.scratch = scratch, .particles = particles};
    sup_tets tets = {.point_count = particles->count, .points = (sup_vec3*)particles->rest};
    sup_adjacency edges = {0};
    s.beyond = !begin(&s);
    if (!s.beyond && !make(&s, arena, &tets, &edges) && !s.beyond) return false;
    if (s.beyond) {
        tets.tet_count = tets.triangle_count = edges.edge_count = 0;
        edges.starts = supi_arena_push(arena, (size_t)particles->count + 2, sizeof *edges.starts);
        if (!edges.starts) return false;
    }
    if (!supi_tet_form_make(arena, &tets, &edges, out)) return false;
    out->stands_in = true;
    out->edge = (float)particles->spacing; /* those across cells say little */
    if (out->tet_count == 0) out->thickness = out->edge;
    return true;
}
