/* See graph.h. */
#include "deform/graph.h"

#include "base/error.h"
#include "geom/morton.h"

#include <string.h>

static bool make_room(supi_arena* arena, supi_graph* g) {
    size_t points = (size_t)g->point_count, edges = (size_t)g->edge_count;
    g->row_of = supi_arena_push(arena, points, sizeof *g->row_of);
    g->id_of = supi_arena_push(arena, points, sizeof *g->id_of);
    g->starts = supi_arena_push(arena, points + 1, sizeof *g->starts);
    g->neighbours = supi_arena_push(arena, 2 * edges, sizeof *g->neighbours);
    g->eights = supi_arena_push(arena, points, 8 * sizeof *g->eights);
    g->edge_of = supi_arena_push(arena, 2 * edges, sizeof *g->edge_of);
    g->edges = supi_arena_push(arena, 2 * edges, sizeof *g->edges);
    return g->row_of && g->id_of && g->starts && g->neighbours && g->eights && g->edge_of &&
           g->edges;
}

static void fill_rows(const sup_adjacency* beside, supi_graph* g) {
    int32_t n = g->point_count;
    for (int32_t row = 0; row < n; row++) g->row_of[g->id_of[row]] = row;
    for (int32_t row = 0; row < n; row++) {
        int32_t id = g->id_of[row];
        g->starts[row + 1] = g->starts[row] + beside->starts[id + 1] - beside->starts[id];
        for (int32_t k = beside->starts[id], at = g->starts[row]; k < beside->starts[id + 1]; k++)
            g->neighbours[at++] = g->row_of[beside->neighbours[k]];
    }
}

static void fill_eights(supi_graph* g) {
    for (int32_t row = 0; row < g->point_count; row++) {
        int32_t first = g->starts[row], degree = g->starts[row + 1] - first;
        int32_t* eight = g->eights + 8 * (size_t)row;
        for (int k = 0; k < 8; k++) eight[k] = k < degree ? g->neighbours[first + k] : row;
        if (degree > 8) eight[0] = -1;
    }
}

/* Edges are sorted by lower, then higher id, so each meets the neighbours of both its ends in their
   order: at its lower end those above it, at its higher end those below, which stand first. */
static void fill_edges(const sup_adjacency* beside, int32_t* cursors, supi_graph* g) {
    memcpy(g->edges, beside->edges, 2 * (size_t)g->edge_count * sizeof *g->edges);
    for (int32_t e = 0; e < g->edge_count; e++) { /* as the higher end */
        int32_t row = g->row_of[g->edges[2 * e + 1]];
        g->edge_of[g->starts[row] + cursors[row]++] = e;
    }
    for (int32_t e = 0; e < g->edge_count; e++) {
        int32_t row = g->row_of[g->edges[2 * e]];
        g->edge_of[g->starts[row] + cursors[row]++] = e;
    }
}

sup_result supi_graph_build(supi_arena* arena, const sup_mesh* mesh, bool keep_order,
                            supi_graph* out, sup_error* error) {
    sup_adjacency beside;
    sup_result result = sup_mesh_adjacency(arena->allocator, mesh, &beside, error);
    if (result != SUP_OK) return result;
    supi_graph g = {.point_count = mesh->point_count, .edge_count = beside.edge_count};
    int32_t* cursors = supi_arena_push(arena, (size_t)g.point_count, sizeof *cursors);
    bool done = cursors && make_room(arena, &g);
    if (done && keep_order) {
        for (int32_t i = 0; i < g.point_count; i++) g.id_of[i] = i;
    } else if (done) {
        done = supi_morton_order(arena->allocator, g.point_count, &mesh->points->x, 3, g.id_of);
    }
    if (done) {
        fill_rows(&beside, &g);
        fill_eights(&g);
        fill_edges(&beside, cursors, &g);
        *out = g;
    }
    sup_adjacency_free(&beside);
    return done ? SUP_OK : supi_error_memory(error);
}
