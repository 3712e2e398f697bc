/* The tetrahedra of a lattice that hold a surface and what is inside of it. Every point of the
   surface lies in one of them. */
#include "geom/tet.h"

#include "geom/triangle.h"
#include "geom/vector.h"

#define TOUCH 1e-9 /* of a cell: what is no further away touches */

/* ---- Triangle against tetrahedron ---- */

typedef struct tet_shape {
    double corner[4][3];
    double slack;
} tet_shape;

/* An axis of no length separates nothing. */
static bool separates(const double axis[3], const tet_shape* tet, const supi_triangle* t) {
    double low = INFINITY, high = -INFINITY, other_low = INFINITY, other_high = -INFINITY;
    for (int k = 0; k < 4; k++) {
        double x = supi_vector_dot(axis, tet->corner[k]);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    for (int k = 0; k < 3; k++) {
        double x = supi_vector_dot(axis, t->corner[k]);
        other_low = x < other_low ? x : other_low;
        other_high = x > other_high ? x : other_high;
    }
    double slack = tet->slack * supi_vector_length(axis);
    return other_low > high + slack || low > other_high + slack;
}

/* Separating axes: the normals of both and the products of their edges. */
static bool touches(const tet_shape* tet, const supi_triangle* t) {
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double edges[6][3], axis[3], side[3];
    if (separates(t->normal, tet, t)) return false;
    for (int e = 0; e < 6; e++)
        supi_vector_subtract(tet->corner[ends[e][1]], tet->corner[ends[e][0]], edges[e]);
    static const int normals[4][2] = {{0, 1}, {0, 2}, {1, 2}, {3, 4}};
    for (int k = 0; k < 4; k++) {
        supi_vector_cross(edges[normals[k][0]], edges[normals[k][1]], axis);
        if (separates(axis, tet, t)) return false;
    }
    for (int k = 0; k < 3; k++) {
        supi_vector_subtract(t->corner[(k + 1) % 3], t->corner[k], side);
        for (int e = 0; e < 6; e++) {
            supi_vector_cross(side, edges[e], axis);
            if (separates(axis, tet, t)) return false;
        }
    }
    return true;
}

/* ---- The lattice ---- */

typedef struct caging {
    const supi_tet_lattice* lattice;
    uint16_t* kept; /* by cell: the bit of each of its 12 tetrahedra */
} caging;

static size_t cell_of(const caging* c, const int32_t at[3]) {
    const int32_t* n = c->lattice->bcc.cells;
    return ((size_t)at[2] * (size_t)n[1] + (size_t)at[1]) * (size_t)n[0] + (size_t)at[0];
}

static void keep_inside(caging* c, const int32_t at[3], int32_t axis, int32_t i) {
    int32_t nodes[4][3];
    bool inside = false;
    supi_bcc_tet(at, axis, i, nodes);
    for (int k = 0; k < 4; k++)
        inside |= c->lattice->sides[supi_bcc_node(&c->lattice->bcc, nodes[k])] < 0;
    if (inside) c->kept[cell_of(c, at)] |= (uint16_t)(1u << (4 * axis + i));
}

static void keep_touched(caging* c, const int32_t at[3], int32_t axis, const supi_triangle* t) {
    const supi_bcc* bcc = &c->lattice->bcc;
    for (int32_t i = 0; i < 4; i++) {
        uint16_t bit = (uint16_t)(1u << (4 * axis + i));
        if (c->kept[cell_of(c, at)] & bit) continue;
        int32_t nodes[4][3];
        tet_shape tet = {.slack = TOUCH * bcc->cell};
        supi_bcc_tet(at, axis, i, nodes);
        for (int k = 0; k < 4; k++) supi_bcc_place(bcc, nodes[k], tet.corner[k]);
        if (touches(&tet, t)) c->kept[cell_of(c, at)] |= bit;
    }
}

/* Each tetrahedron lies in two cells; it is looked at from both. */
static void keep_around(caging* c, const int32_t at[3], const supi_triangle* t) {
    const int32_t* cells = c->lattice->bcc.cells;
    for (int32_t axis = 0; axis < 3; axis++) {
        int32_t before[3] = {at[0], at[1], at[2]};
        before[axis]--;
        if (at[axis] + 1 < cells[axis]) keep_touched(c, at, axis, t);
        if (before[axis] >= 0) keep_touched(c, before, axis, t);
    }
}

static void keep_triangle(caging* c, const supi_triangle* t) {
    const supi_bcc* bcc = &c->lattice->bcc;
    int32_t first[3], last[3], at[3];
    double middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (0.5 + TOUCH) * bcc->cell;
        first[k] = (int32_t)floor((t->low[k] - bcc->origin[k]) / bcc->cell - TOUCH);
        last[k] = (int32_t)floor((t->high[k] - bcc->origin[k]) / bcc->cell + TOUCH);
    }
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++) {
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                for (int k = 0; k < 3; k++)
                    middle[k] = bcc->origin[k] + bcc->cell * ((double)at[k] + 0.5);
                if (supi_triangle_touches_box(t, middle, half)) keep_around(c, at, t);
            }
        }
    }
}

/* Goes over all tetrahedra of the lattice that are kept: fills `tets` with nodes unless NULL. */
static int32_t list_kept(const caging* c, int32_t* tets) {
    const int32_t* n = c->lattice->bcc.cells;
    int32_t at[3], count = 0, nodes[4][3];
    for (at[2] = 0; at[2] < n[2]; at[2]++) {
        for (at[1] = 0; at[1] < n[1]; at[1]++) {
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                uint16_t kept = c->kept[cell_of(c, at)];
                for (int32_t turn = 0; kept && turn < 12; turn++) {
                    if (!(kept >> turn & 1)) continue;
                    supi_bcc_tet(at, turn / 4, turn % 4, nodes);
                    for (int k = 0; tets && k < 4; k++)
                        tets[4 * count + k] = supi_bcc_node(&c->lattice->bcc, nodes[k]);
                    count++;
                }
            }
        }
    }
    return count;
}

/* From numbers of nodes to those of points, in the same order. */
static bool number_points(supi_arena* arena, const supi_bcc* bcc, supi_tet_draft* draft) {
    size_t total = (size_t)supi_bcc_node_count(bcc);
    int32_t* numbers = supi_arena_push(arena, total, sizeof *numbers);
    if (!numbers) return false;
    for (int32_t i = 0; i < 4 * draft->tet_count; i++) numbers[draft->tets[i]] = 1;
    for (size_t id = 0; id < total; id++) draft->point_count += numbers[id];
    draft->points = supi_arena_push(arena, (size_t)draft->point_count, sizeof *draft->points);
    if (!draft->points) return false;
    int32_t next = 0;
    for (size_t id = 0; id < total; id++) {
        int32_t node[3];
        double place[3];
        if (!numbers[id]) continue;
        supi_bcc_name(bcc, (int32_t)id, node);
        supi_bcc_place(bcc, node, place);
        draft->points[next] = supi_vector_round(place[0], place[1], place[2]);
        numbers[id] = next++;
    }
    for (int32_t i = 0; i < 4 * draft->tet_count; i++) draft->tets[i] = numbers[draft->tets[i]];
    return true;
}

bool supi_tet_cage(supi_arena* arena, const sup_mesh* triangles, const supi_tet_lattice* lattice,
                   supi_tet_draft* out) {
    const int32_t* n = lattice->bcc.cells;
    caging c = {.lattice = lattice};
    c.kept = supi_arena_push(arena, (size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof *c.kept);
    if (!c.kept) return false;
    int32_t at[3];
    for (at[2] = 0; at[2] < n[2]; at[2]++) {
        for (at[1] = 0; at[1] < n[1]; at[1]++) {
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                for (int32_t turn = 0; turn < 12; turn++)
                    if (at[turn / 4] + 1 < n[turn / 4]) keep_inside(&c, at, turn / 4, turn % 4);
            }
        }
    }
    for (int32_t t = 0; t < triangles->polygon_count; t++) {
        const int32_t* corners = triangles->corners + 3 * t;
        supi_triangle triangle =
            supi_triangle_from(&triangles->points[corners[0]], &triangles->points[corners[1]],
                               &triangles->points[corners[2]]);
        keep_triangle(&c, &triangle);
    }
    supi_tet_draft draft = {.tet_count = list_kept(&c, NULL)};
    draft.tets = supi_arena_push(arena, 4 * (size_t)draft.tet_count, sizeof *draft.tets);
    if (!draft.tets) return false;
    list_kept(&c, draft.tets);
    if (!number_points(arena, &lattice->bcc, &draft)) return false;
    *out = draft;
    return true;
}
