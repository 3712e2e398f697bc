/* Which nodes of a lattice are inside of a surface. Blocks of them that the surface does not touch
   share one answer, so that the cost is that of the surface, not of its box. */
#include "geom/tet.h"

#include "geom/vector.h"

#define ON_SURFACE 1e-9 /* of a cell */
#define CERTAIN 0.3     /* from 1/2: winding numbers of an open surface that a block may share */

typedef struct sorting {
    const supi_sdf* sdf;
    supi_tet_lattice* lattice;
    bool closed;
} sorting;

static double winding(const sorting* s, const double x[3]) {
    return supi_winding_number(&s->sdf->tree, s->sdf->halves, x);
}

/* The corner of a cell and its middle; cells go one beyond the last for its corners. */
static void each_node(const sorting* s, const int32_t low[3], const int32_t high[3],
                      void (*act)(const sorting* s, const int32_t node[3], int8_t side),
                      int8_t side) {
    int32_t at[3];
    for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                for (int32_t middle = 0; middle < 2; middle++) {
                    int32_t node[3];
                    for (int k = 0; k < 3; k++) node[k] = 2 * at[k] + middle;
                    if (supi_bcc_has(&s->lattice->bcc, node)) act(s, node, side);
                }
            }
        }
    }
}

static void set(const sorting* s, const int32_t node[3], int8_t side) {
    s->lattice->sides[supi_bcc_node(&s->lattice->bcc, node)] = side;
}

static void look(const sorting* s, const int32_t node[3], int8_t side) {
    double x[3], zero = ON_SURFACE * s->lattice->bcc.cell;
    supi_bcc_place(&s->lattice->bcc, node, x);
    if (supi_sdf_distance(s->sdf, x, zero) < zero)
        side = 0;
    else
        side = supi_sdf_inside(s->sdf, x) ? -1 : 1;
    set(s, node, side);
}

static void sort_block(const sorting* s, const int32_t low[3], const int32_t high[3]) {
    const supi_bcc* bcc = &s->lattice->bcc;
    double middle[3], half[3];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        half[k] = 0.25 * bcc->cell * (2.0 * (high[k] - low[k]) - 1.0);
        middle[k] = bcc->origin[k] + bcc->cell * low[k] + half[k];
        if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
    }
    double radius = 1.001 * supi_vector_length(half);
    if (supi_sdf_distance(s->sdf, middle, radius) >= radius) {
        double number = winding(s, middle);
        if (s->closed || fabs(number - 0.5) > CERTAIN) {
            each_node(s, low, high, set, number > 0.5 ? -1 : 1);
            return;
        }
    }
    if (high[longest] - low[longest] == 1) {
        each_node(s, low, high, look, 0);
        return;
    }
    int32_t end[3] = {high[0], high[1], high[2]}, start[3] = {low[0], low[1], low[2]};
    end[longest] = start[longest] = low[longest] + (high[longest] - low[longest]) / 2;
    sort_block(s, low, end);
    sort_block(s, start, high);
}

bool supi_tet_lattice_sort(supi_arena* arena, const supi_sdf* sdf, bool closed,
                           supi_tet_lattice* lattice) {
    const supi_bcc* bcc = &lattice->bcc;
    lattice->sides = supi_arena_push(arena, (size_t)supi_bcc_node_count(bcc), sizeof(int8_t));
    if (!lattice->sides) return false;
    const int32_t low[3] = {0, 0, 0};
    const int32_t high[3] = {bcc->cells[0] + 1, bcc->cells[1] + 1, bcc->cells[2] + 1};
    const sorting s = {sdf, lattice, closed};
    sort_block(&s, low, high);
    return true;
}
