/* Edges of a mesh by sorting its sides, and what they tell: neighbours, holes, tangles, parts. */
#include "geom/topology.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/sort.h"
#include "geom/union_find.h"
#include "geom/vector.h"

void supi_topology_free(supi_edges* edges) {
    size_t count = (size_t)edges->corner_count;
    supi_memory_free(edges->allocator, edges->next, count, sizeof(int32_t));
    supi_memory_free(edges->allocator, edges->sides, count, sizeof(int32_t));
    supi_memory_free(edges->allocator, edges->starts, count + 1, sizeof(int32_t));
    *edges = (supi_edges){0};
}

/* Lists the sides that have a length under the key (lower point, higher point). Returns how many
   there are. */
static int32_t list_sides(const sup_mesh* mesh, supi_edges* edges, uint64_t* keys) {
    int32_t count = 0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        for (int32_t c = mesh->starts[k]; c < mesh->starts[k + 1]; c++) {
            edges->next[c] = c + 1 < mesh->starts[k + 1] ? c + 1 : mesh->starts[k];
            uint64_t a = (uint64_t)mesh->corners[c];
            uint64_t b = (uint64_t)mesh->corners[edges->next[c]];
            if (a == b) continue;
            keys[count] = a < b ? a << 32 | b : b << 32 | a;
            edges->sides[count++] = c;
        }
    }
    return count;
}

bool supi_topology_edges(const sup_allocator* allocator, const sup_mesh* mesh, supi_edges* out) {
    size_t count = (size_t)mesh->corner_count;
    supi_edges edges = {.allocator = allocator, .corner_count = mesh->corner_count};
    edges.next = supi_memory_new(allocator, count, sizeof(int32_t));
    edges.sides = supi_memory_new(allocator, count, sizeof(int32_t));
    edges.starts = supi_memory_new(allocator, count + 1, sizeof(int32_t));
    uint64_t* keys = supi_memory_new(allocator, count, sizeof(uint64_t));
    uint64_t* scratch_keys = supi_memory_new(allocator, count, sizeof(uint64_t));
    int32_t* scratch_sides = supi_memory_new(allocator, count, sizeof(int32_t));
    bool enough =
        edges.next && edges.sides && edges.starts && keys && scratch_keys && scratch_sides;
    if (enough) {
        int32_t side_count = list_sides(mesh, &edges, keys);
        supi_sort_keys(side_count, keys, edges.sides, scratch_keys, scratch_sides);
        for (int32_t s = 0; s < side_count; s++) {
            if (s == 0 || keys[s] != keys[s - 1]) edges.starts[edges.edge_count++] = s;
        }
        edges.starts[edges.edge_count] = side_count;
        *out = edges;
    } else {
        supi_topology_free(&edges);
    }
    supi_memory_free(allocator, keys, count, sizeof(uint64_t));
    supi_memory_free(allocator, scratch_keys, count, sizeof(uint64_t));
    supi_memory_free(allocator, scratch_sides, count, sizeof(int32_t));
    return enough;
}

/* The two points of an edge, lower first. */
static void edge_points(const sup_mesh* mesh, const supi_edges* edges, int32_t edge,
                        int32_t points[2]) {
    int32_t side = edges->sides[edges->starts[edge]];
    int32_t a = mesh->corners[side], b = mesh->corners[edges->next[side]];
    points[0] = a < b ? a : b;
    points[1] = a < b ? b : a;
}

/* --- Adjacency --- */

void sup_adjacency_free(sup_adjacency* adjacency) {
    if (!adjacency || !adjacency->allocator) return;
    size_t ends = 2 * (size_t)adjacency->edge_count;
    supi_memory_free(adjacency->allocator, adjacency->edges, ends, sizeof(int32_t));
    supi_memory_free(adjacency->allocator, adjacency->starts, (size_t)adjacency->point_count + 1,
                     sizeof(int32_t));
    supi_memory_free(adjacency->allocator, adjacency->neighbours, ends, sizeof(int32_t));
    *adjacency = (sup_adjacency){0};
}

/* The edges are sorted, so each point meets its lower neighbours first and all of them in order. */
static void fill_neighbours(sup_adjacency* a) {
    int32_t* starts = a->starts;
    for (int32_t i = 0; i < 2 * a->edge_count; i++) starts[a->edges[i] + 1]++;
    for (int32_t p = 0; p < a->point_count; p++) starts[p + 1] += starts[p];
    for (int32_t i = 0; i < 2 * a->edge_count; i++) {
        a->neighbours[starts[a->edges[i]]++] = a->edges[i ^ 1];
    }
    /* Each start has moved on to the next one: shift them back. */
    for (int32_t p = a->point_count; p > 0; p--) starts[p] = starts[p - 1];
    starts[0] = 0;
}

static sup_result build_adjacency(const sup_allocator* allocator, const sup_mesh* mesh,
                                  const supi_edges* edges, sup_adjacency* out, sup_error* error) {
    if (edges->edge_count > INT32_MAX / 2) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the mesh has too many edges: %d",
                              (int)edges->edge_count);
    }
    sup_adjacency a = {
        .allocator = allocator, .point_count = mesh->point_count, .edge_count = edges->edge_count};
    size_t ends = 2 * (size_t)a.edge_count;
    a.edges = supi_memory_new(allocator, ends, sizeof(int32_t));
    a.starts = supi_memory_new(allocator, (size_t)a.point_count + 1, sizeof(int32_t));
    a.neighbours = supi_memory_new(allocator, ends, sizeof(int32_t));
    if (!a.edges || !a.starts || !a.neighbours) {
        sup_adjacency_free(&a);
        return supi_error_memory(error);
    }
    for (int32_t e = 0; e < a.edge_count; e++) edge_points(mesh, edges, e, a.edges + 2 * e);
    fill_neighbours(&a);
    *out = a;
    return SUP_OK;
}

sup_result sup_mesh_adjacency(const sup_allocator* allocator, const sup_mesh* mesh,
                              sup_adjacency* out, sup_error* error) {
    SUPI_NEED(error, mesh, out);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    supi_edges edges;
    if (!supi_topology_edges(allocator, mesh, &edges)) return supi_error_memory(error);
    result = build_adjacency(allocator, mesh, &edges, out, error);
    supi_topology_free(&edges);
    return result;
}

/* --- Inspection --- */

static void inspect_edges(const sup_mesh* mesh, const supi_edges* edges, sup_mesh_report* report) {
    report->edge_count = edges->edge_count;
    double sum = 0.0;
    for (int32_t e = 0; e < edges->edge_count; e++) {
        int32_t ends[2], first = edges->starts[e], count = edges->starts[e + 1] - first;
        edge_points(mesh, edges, e, ends);
        double a[3], b[3], along[3];
        supi_vector_from(&mesh->points[ends[0]], a);
        supi_vector_from(&mesh->points[ends[1]], b);
        supi_vector_subtract(b, a, along);
        sum += supi_vector_length(along);
        bool same_way = count == 2 && mesh->corners[edges->sides[first]] ==
                                          mesh->corners[edges->sides[first + 1]];
        if (count == 1) report->boundary_edge_count++;
        if (count > 2 || same_way) report->tangled_edge_count++;
    }
    report->mean_edge = edges->edge_count > 0 ? sum / edges->edge_count : 0.0;
    report->closed = mesh->polygon_count > 0 && report->boundary_edge_count == 0 &&
                     report->tangled_edge_count == 0;
}

/* Parts are points joined by sides; `parents` has room for all points. */
static void inspect_parts(const sup_mesh* mesh, const supi_edges* edges, int32_t* parents,
                          sup_mesh_report* report) {
    /* -1 until a polygon uses the point. */
    for (int32_t p = 0; p < mesh->point_count; p++) parents[p] = -1;
    for (int32_t c = 0; c < mesh->corner_count; c++) parents[mesh->corners[c]] = mesh->corners[c];
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        supi_union_join(parents, mesh->corners[c], mesh->corners[edges->next[c]]);
    }
    for (int32_t p = 0; p < mesh->point_count; p++) {
        if (parents[p] == p) report->component_count++;
        if (parents[p] < 0) report->unused_point_count++;
    }
}

/* Corners of one point belong to one fan when their polygons share an edge there. A point with two
   fans or more is where surfaces touch in one point only. `parents` has room for all corners,
   `fans` (zeroed) for all points. */
static void inspect_fans(const sup_mesh* mesh, const supi_edges* edges, int32_t* parents,
                         int32_t* fans, sup_mesh_report* report) {
    for (int32_t c = 0; c < mesh->corner_count; c++) parents[c] = c;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        if (mesh->corners[c] == mesh->corners[edges->next[c]])
            supi_union_join(parents, c, edges->next[c]);
    }
    for (int32_t e = 0; e < edges->edge_count; e++) {
        int32_t first = edges->sides[edges->starts[e]];
        for (int32_t s = edges->starts[e] + 1; s < edges->starts[e + 1]; s++) {
            int32_t side = edges->sides[s];
            bool same_way = mesh->corners[side] == mesh->corners[first];
            supi_union_join(parents, first, same_way ? side : edges->next[side]);
            supi_union_join(parents, edges->next[first], same_way ? edges->next[side] : side);
        }
    }
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        if (parents[c] == c && ++fans[mesh->corners[c]] == 2) report->fan_point_count++;
    }
}

static void inspect_size(const sup_mesh* mesh, sup_mesh_report* report) {
    double middle[3], normal[3];
    supi_mesh_bounds(mesh, report->low, report->high);
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (report->low[k] + report->high[k]);
    for (int32_t polygon = 0; polygon < mesh->polygon_count; polygon++) {
        supi_mesh_normal(mesh, polygon, normal);
        report->area += 0.5 * supi_vector_length(normal);
    }
    if (report->closed) report->volume = supi_mesh_volume(mesh, middle);
}

sup_result sup_mesh_inspect(const sup_allocator* allocator, const sup_mesh* mesh,
                            sup_mesh_report* report, sup_error* error) {
    SUPI_NEED(error, mesh, report);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    size_t points = (size_t)mesh->point_count, corners = (size_t)mesh->corner_count;
    supi_edges edges;
    if (!supi_topology_edges(allocator, mesh, &edges)) return supi_error_memory(error);
    int32_t* parts = supi_memory_new(allocator, points, sizeof(int32_t));
    int32_t* fans = supi_memory_new(allocator, points, sizeof(int32_t));
    int32_t* fan_parents = supi_memory_new(allocator, corners, sizeof(int32_t));
    if (parts && fans && fan_parents) {
        sup_mesh_report found = {0};
        inspect_edges(mesh, &edges, &found);
        inspect_parts(mesh, &edges, parts, &found);
        inspect_fans(mesh, &edges, fan_parents, fans, &found);
        inspect_size(mesh, &found);
        *report = found;
    } else {
        result = supi_error_memory(error);
    }
    supi_memory_free(allocator, parts, points, sizeof(int32_t));
    supi_memory_free(allocator, fans, points, sizeof(int32_t));
    supi_memory_free(allocator, fan_parents, corners, sizeof(int32_t));
    supi_topology_free(&edges);
    return result;
}
