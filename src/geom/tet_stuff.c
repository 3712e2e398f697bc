/* Isosurface stuffing (Labelle and Shewchuk 2007) of a body-centred lattice: nodes near the surface
   move onto it, tetrahedra that it still crosses are cut. Corners get numbers, and each quad is cut
   through its smallest, so neighbours agree. */
#include "geom/tet.h"

#include "geom/vector.h"

#define STEPS 12       /* halvings of an edge */
#define CROSSINGS 16   /* of an edge that are looked at one by one */
#define SNAP_LONG 0.25 /* of an edge: a cut nearer than this draws the node */
#define SNAP_SHORT 0.41
#define LONG 1.0 /* of a cell */
#define SHORT 0.8660254037844386

typedef struct stuffing {
    const supi_sdf* sdf;
    const supi_tet_lattice* lattice;
    int32_t count;       /* nodes that take part: those inside and on, and their neighbours */
    int32_t* numbers;    /* by node: its number + 1, 0: takes no part */
    int32_t* nodes;      /* by number */
    int8_t* sides;       /* by number; 0 once snapped */
    int32_t cut_count;   /* cuts have the numbers after the nodes */
    int32_t* cuts;       /* by number and own way: number of the cut, 0: none */
    double* shares;      /* by cut: where on its edge, seen from the owner */
    double (*places)[3]; /* of nodes, then of cuts */
    int32_t tet_count;
    int32_t* tets; /* NULL while they are counted */
} stuffing;

static bool neighbour(const stuffing* s, const int32_t node[3], int32_t way, int32_t out[3]) {
    supi_bcc_way(way, out);
    for (int k = 0; k < 3; k++) out[k] += node[k];
    return supi_bcc_has(&s->lattice->bcc, out);
}

static int32_t number_of(const stuffing* s, const int32_t node[3]) {
    return s->numbers[supi_bcc_node(&s->lattice->bcc, node)] - 1;
}

/* ---- Nodes ---- */

static void mark_nodes(stuffing* s, int32_t total) {
    const supi_bcc* bcc = &s->lattice->bcc;
    for (int32_t id = 0; id < total; id++) {
        int32_t node[3], other[3];
        if (s->lattice->sides[id] > 0 || !supi_bcc_name(bcc, id, node)) continue;
        s->numbers[id] = 1;
        for (int32_t w = 0; s->lattice->sides[id] < 0 && w < SUPI_BCC_WAYS; w++) {
            if (neighbour(s, node, w, other)) s->numbers[supi_bcc_node(bcc, other)] = 1;
        }
    }
    for (int32_t id = 0; id < total; id++) {
        if (s->numbers[id]) s->numbers[id] = ++s->count;
    }
}

static bool number_nodes(supi_arena* arena, stuffing* s) {
    const supi_bcc* bcc = &s->lattice->bcc;
    int32_t total = (int32_t)supi_bcc_node_count(bcc);
    s->numbers = supi_arena_push(arena, (size_t)total, sizeof *s->numbers);
    if (!s->numbers) return false;
    mark_nodes(s, total);
    size_t count = (size_t)s->count;
    s->nodes = supi_arena_push(arena, count, sizeof *s->nodes);
    s->sides = supi_arena_push(arena, count, sizeof *s->sides);
    s->cuts = supi_arena_push(arena, SUPI_BCC_OWN * count, sizeof *s->cuts);
    if (!s->nodes || !s->sides || !s->cuts) return false;
    for (int32_t id = 0; id < total; id++) {
        if (!s->numbers[id]) continue;
        s->nodes[s->numbers[id] - 1] = id;
        s->sides[s->numbers[id] - 1] = s->lattice->sides[id];
    }
    return true;
}

/* ---- Cuts ---- */

/* Whether the surface crosses the edge of a node along one of its own ways. */
static bool is_cut(const stuffing* s, int32_t number, int32_t way, int32_t node[3],
                   int32_t other[3]) {
    supi_bcc_name(&s->lattice->bcc, s->nodes[number], node);
    if (s->sides[number] == 0 || !neighbour(s, node, way, other)) return false;
    int32_t end = number_of(s, other);
    return end >= 0 && s->sides[number] * s->sides[end] < 0;
}

/* What the surface does between the two ends of an edge, if it is simple: it closes, so the number
   of windings changes where it is crossed and nowhere else. */
typedef struct crossings {
    bool simple; /* 0 windings at one end, 1 at the other, and all crossings seen */
    int32_t count, senses[CROSSINGS];
    double shares[CROSSINGS];
} crossings;

static crossings find_crossings(const stuffing* s, const double from[3], const double to[3],
                                bool inside) {
    crossings c;
    int32_t sum = 0;
    c.count = supi_bvh_cross_all(&s->sdf->tree, from, to, CROSSINGS, c.shares, c.senses);
    for (int32_t i = 0; i < c.count && i < CROSSINGS; i++) sum += c.senses[i];
    c.simple = c.count <= CROSSINGS && sum == (inside ? 1 : -1);
    return c;
}

/* Whether a place on the edge is on the side of its start. */
static bool is_before(const stuffing* s, const crossings* c, double share, const double place[3],
                      bool inside) {
    if (!c->simple) return supi_sdf_inside(s->sdf, place) == inside;
    int32_t sum = 0;
    for (int32_t i = 0; i < c->count; i++) sum += c->shares[i] < share ? c->senses[i] : 0;
    return inside ? sum <= 0 : sum >= 0;
}

static double find_cut(const stuffing* s, const double from[3], const double to[3], bool inside,
                       double place[3]) {
    double low = 0.0, high = 1.0, share = 0.5;
    crossings c = find_crossings(s, from, to, inside);
    for (int step = 0; step <= STEPS; step++) {
        share = 0.5 * (low + high);
        for (int k = 0; k < 3; k++) place[k] = from[k] + share * (to[k] - from[k]);
        if (step == STEPS) break;
        if (is_before(s, &c, share, place, inside))
            low = share;
        else
            high = share;
    }
    return share;
}

static bool cut_edges(supi_arena* arena, stuffing* s) {
    const supi_bcc* bcc = &s->lattice->bcc;
    int32_t node[3], other[3];
    for (int32_t i = 0; i < s->count; i++) {
        for (int32_t w = 0; w < SUPI_BCC_OWN; w++) s->cut_count += is_cut(s, i, w, node, other);
    }
    s->places = supi_arena_push(arena, (size_t)s->count + (size_t)s->cut_count, sizeof *s->places);
    s->shares = supi_arena_push(arena, (size_t)s->cut_count, sizeof *s->shares);
    if (!s->places || !s->shares) return false;
    int32_t cut = 0;
    for (int32_t i = 0; i < s->count; i++) {
        supi_bcc_name(bcc, s->nodes[i], node);
        supi_bcc_place(bcc, node, s->places[i]);
        for (int32_t w = 0; w < SUPI_BCC_OWN; w++) {
            double to[3];
            if (!is_cut(s, i, w, node, other)) continue;
            supi_bcc_place(bcc, other, to);
            s->shares[cut] =
                find_cut(s, s->places[i], to, s->sides[i] < 0, s->places[s->count + cut]);
            s->cuts[SUPI_BCC_OWN * i + w] = s->count + cut++;
        }
    }
    return true;
}

/* The cut on the edge from a node along any way, 0: none; `share` is seen from the node. */
static int32_t cut_along(const stuffing* s, int32_t number, const int32_t node[3], int32_t way,
                         double* share) {
    int32_t other[3], owner = number;
    if (!neighbour(s, node, way, other)) return 0;
    if (way >= SUPI_BCC_OWN) owner = number_of(s, other);
    int32_t cut = owner < 0 ? 0 : s->cuts[SUPI_BCC_OWN * owner + way % SUPI_BCC_OWN];
    if (cut) *share = s->shares[cut - s->count];
    if (cut && way >= SUPI_BCC_OWN) *share = 1.0 - *share;
    return cut;
}

/* The cut that draws a node, 0: none. */
static int32_t find_snap(const stuffing* s, int32_t number) {
    int32_t node[3], found = 0;
    double nearest = LONG;
    supi_bcc_name(&s->lattice->bcc, s->nodes[number], node);
    for (int32_t w = 0; w < SUPI_BCC_WAYS; w++) {
        double share = 0.0;
        bool is_long = w % SUPI_BCC_OWN < SUPI_BCC_LONG;
        int32_t cut = cut_along(s, number, node, w, &share);
        double length = share * (is_long ? LONG : SHORT);
        if (!cut || share >= (is_long ? SNAP_LONG : SNAP_SHORT) || length >= nearest) continue;
        nearest = length;
        found = cut;
    }
    return found;
}

/* All are decided before any has moved. An edge that is still crossed afterwards has two ends that
   have not moved, so its cut stays. */
static bool snap(supi_arena* arena, stuffing* s) {
    int32_t* snaps = supi_arena_push(arena, (size_t)s->count, sizeof *snaps);
    if (!snaps) return false;
    for (int32_t i = 0; i < s->count; i++) snaps[i] = s->sides[i] ? find_snap(s, i) : 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (!snaps[i]) continue;
        for (int k = 0; k < 3; k++) s->places[i][k] = s->places[snaps[i]][k];
        s->sides[i] = 0;
    }
    return true;
}

/* ---- Tetrahedra ---- */

static void emit(stuffing* s, int32_t a, int32_t b, int32_t c, int32_t d) {
    if (s->tets) {
        const int32_t tet[4] = {a, b, c, d};
        for (int k = 0; k < 4; k++) s->tets[4 * s->tet_count + k] = tet[k];
    }
    s->tet_count++;
}

/* A base in a ring, and an apex. */
static void emit_pyramid(stuffing* s, const int32_t base[4], int32_t apex) {
    int first = 0;
    for (int k = 1; k < 4; k++) first = base[k] < base[first] ? k : first;
    const int32_t q[4] = {base[first], base[(first + 1) % 4], base[(first + 2) % 4],
                          base[(first + 3) % 4]};
    emit(s, q[0], q[1], q[2], apex);
    emit(s, q[0], q[2], q[3], apex);
}

/* Two triangles; corner k of one is joined to corner k of the other. */
static void emit_prism(stuffing* s, const int32_t corners[6]) {
    int first = 0;
    for (int k = 1; k < 6; k++) first = corners[k] < corners[first] ? k : first;
    int32_t p[6];
    for (int k = 0; k < 3; k++) {
        int turn = (first + k) % 3;
        p[k] = corners[first < 3 ? turn : turn + 3];
        p[k + 3] = corners[first < 3 ? turn + 3 : turn];
    }
    bool falls = (p[1] < p[5] ? p[1] : p[5]) < (p[2] < p[4] ? p[2] : p[4]);
    if (falls) {
        emit(s, p[0], p[1], p[2], p[5]);
        emit(s, p[0], p[1], p[5], p[4]);
    } else {
        emit(s, p[0], p[1], p[2], p[4]);
        emit(s, p[0], p[4], p[2], p[5]);
    }
    emit(s, p[0], p[4], p[5], p[3]);
}

/* The corners of a tetrahedron by where they are. */
typedef struct corners {
    int32_t inside[4], on[4], outside[4]; /* which of the four */
    int32_t inside_count, on_count, outside_count;
} corners;

static int32_t cut_between(const stuffing* s, const int32_t nodes[4][3], int32_t a, int32_t b) {
    double share;
    return cut_along(s, number_of(s, nodes[a]), nodes[a], supi_bcc_way_between(nodes[a], nodes[b]),
                     &share);
}

static void cut_tet(stuffing* s, const int32_t nodes[4][3], const int32_t ids[4],
                    const corners* c) {
    const int32_t *in = c->inside, *out = c->outside;
    if (c->inside_count == 1) {
        int32_t tet[4] = {ids[in[0]]}, n = 1;
        for (int32_t k = 0; k < c->on_count; k++) tet[n++] = ids[c->on[k]];
        for (int32_t k = 0; k < c->outside_count; k++)
            tet[n++] = cut_between(s, nodes, in[0], out[k]);
        emit(s, tet[0], tet[1], tet[2], tet[3]);
    } else if (c->inside_count == 2 && c->outside_count == 1) {
        const int32_t base[4] = {ids[in[0]], ids[in[1]], cut_between(s, nodes, in[1], out[0]),
                                 cut_between(s, nodes, in[0], out[0])};
        emit_pyramid(s, base, ids[c->on[0]]);
    } else if (c->inside_count == 2) {
        const int32_t prism[6] = {
            ids[in[0]], cut_between(s, nodes, in[0], out[0]), cut_between(s, nodes, in[0], out[1]),
            ids[in[1]], cut_between(s, nodes, in[1], out[0]), cut_between(s, nodes, in[1], out[1])};
        emit_prism(s, prism);
    } else {
        int32_t prism[6];
        for (int k = 0; k < 3; k++) {
            prism[k] = ids[in[k]];
            prism[k + 3] = cut_between(s, nodes, in[k], out[0]);
        }
        emit_prism(s, prism);
    }
}

static void stuff_tet(stuffing* s, const int32_t nodes[4][3]) {
    int32_t ids[4];
    corners c = {.inside_count = 0};
    for (int32_t k = 0; k < 4; k++) {
        ids[k] = number_of(s, nodes[k]);
        if (ids[k] < 0) return; /* so none is inside */
        if (s->sides[ids[k]] < 0)
            c.inside[c.inside_count++] = k;
        else if (s->sides[ids[k]] == 0)
            c.on[c.on_count++] = k;
        else
            c.outside[c.outside_count++] = k;
    }
    if (c.inside_count == 0) return;
    if (c.outside_count == 0)
        emit(s, ids[0], ids[1], ids[2], ids[3]);
    else
        cut_tet(s, nodes, ids, &c);
}

static void stuff_cells(stuffing* s) {
    const int32_t* cells = s->lattice->bcc.cells;
    int32_t at[3], nodes[4][3];
    s->tet_count = 0;
    for (at[2] = 0; at[2] < cells[2]; at[2]++) {
        for (at[1] = 0; at[1] < cells[1]; at[1]++) {
            for (at[0] = 0; at[0] < cells[0]; at[0]++) {
                const int32_t middle[3] = {2 * at[0] + 1, 2 * at[1] + 1, 2 * at[2] + 1};
                if (number_of(s, middle) < 0) continue;
                for (int32_t turn = 0; turn < 12; turn++) {
                    if (at[turn / 4] + 1 == cells[turn / 4]) continue;
                    supi_bcc_tet(at, turn / 4, turn % 4, nodes);
                    stuff_tet(s, (const int32_t(*)[3])nodes);
                }
            }
        }
    }
}

/* Corners so that volumes are positive. */
static void turn(stuffing* s) {
    for (int32_t t = 0; t < s->tet_count; t++) {
        int32_t* tet = s->tets + 4 * t;
        double edges[3][3], product[3];
        for (int k = 0; k < 3; k++)
            supi_vector_subtract(s->places[tet[k + 1]], s->places[tet[0]], edges[k]);
        supi_vector_cross(edges[1], edges[2], product);
        if (supi_vector_dot(edges[0], product) >= 0.0) continue;
        int32_t swap = tet[2];
        tet[2] = tet[3];
        tet[3] = swap;
    }
}

bool supi_tet_stuff(supi_arena* arena, const supi_sdf* sdf, const supi_tet_lattice* lattice,
                    supi_tet_draft* out) {
    stuffing s = {.sdf = sdf, .lattice = lattice};
    if (!number_nodes(arena, &s) || !cut_edges(arena, &s) || !snap(arena, &s)) return false;
    stuff_cells(&s);
    s.tets = supi_arena_push(arena, 4 * (size_t)s.tet_count, sizeof *s.tets);
    if (!s.tets) return false;
    stuff_cells(&s);
    turn(&s);
    int32_t total = s.count + s.cut_count;
    const supi_tet_relaxing relaxing = {sdf,     lattice->bcc.cell, s.count, total,
                                        s.sides, s.tet_count,       s.tets,  s.places};
    if (!supi_tet_relax(arena, &relaxing)) return false;
    sup_vec3* points = supi_arena_push(arena, (size_t)total, sizeof *points);
    for (int32_t i = 0; points && i < total; i++)
        points[i] = supi_vector_round(s.places[i][0], s.places[i][1], s.places[i][2]);
    *out = (supi_tet_draft){total, s.tet_count, points, s.tets};
    return points != NULL;
}
