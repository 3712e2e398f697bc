/* Filling a closed surface with the points of a cubic lattice. The winding number decides what is
   inside; as it changes only across the surface, lattice points that reach each other without
   crossing it share one decision. */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/sdf.h"
#include "geom/triangle.h"
#include "geom/vector.h"

#define LATTICE_LIMIT 4000000
#define SAMPLES 8 /* winding numbers averaged where the surface contradicts itself */
#define MANY 1000 /* triangles: from here on far ones are seen together */

/* Marks of a lattice point. BLOCKED << axis: the surface cuts the edge to the next point along that
   axis. */
enum { BLOCKED = 1, CLOSE = 8, SEEN = 16, INSIDE = 32 };

typedef struct fill_lattice {
    double origin[3], spacing;
    double slack; /* what counts as touching, m */
    int32_t count[3], stride[3], total;
    uint8_t* marks; /* (total) */
} fill_lattice;

/* What is done to the lattice points around each triangle: those from `below` under to `above` over
   its box. */
typedef struct fill_probe {
    double below[3], above;
    double limit; /* of the distance: close points */
    int axis;     /* of the lattice edges: cuts */
    void (*act)(const struct fill_probe* probe, fill_lattice* lattice,
                const supi_triangle* triangle, int32_t id, const double p[3]);
} fill_probe;

static double coordinate(const fill_lattice* lattice, int axis, int32_t index) {
    return lattice->origin[axis] + lattice->spacing * (double)index;
}

static void lattice_point(const fill_lattice* lattice, int32_t id, double p[3]) {
    for (int k = 2; k >= 0; k--) {
        p[k] = coordinate(lattice, k, id / lattice->stride[k]);
        id %= lattice->stride[k];
    }
}

/* --- Lattice points near a triangle --- */

/* A run of lattice indices; empty when first > last. */
typedef struct span {
    int32_t first, last;
} span;

/* The indices with coordinates from low to high. */
static span find_span(const fill_lattice* lattice, int axis, double low, double high) {
    int32_t count = lattice->count[axis];
    double from = ceil((low - lattice->origin[axis]) / lattice->spacing);
    double to = floor((high - lattice->origin[axis]) / lattice->spacing);
    span found = {0, count - 1};
    if (from > 0.0) found.first = from < count ? (int32_t)from : count;
    if (to < count - 1) found.last = to >= 0.0 ? (int32_t)to : -1;
    return found;
}

/* How far along axis w a point within reach of the triangle can be from its plane; 0 for a sliver,
   whose normal is mostly rounding. */
static double plane_reach(const fill_lattice* lattice, const supi_triangle* t,
                          const fill_probe* probe, int w) {
    double reach = probe->above, size = 0.0, sum = 0.0;
    for (int k = 0; k < 3; k++) {
        reach = probe->below[k] > reach ? probe->below[k] : reach;
        size = t->high[k] - t->low[k] > size ? t->high[k] - t->low[k] : size;
        sum += fabs(t->normal[k]);
    }
    if (fabs(t->normal[w]) <= 1e-6 * size * size) return 0.0;
    return reach * sum / fabs(t->normal[w]) + lattice->slack;
}

/* Acts on the points around a triangle. Rows run along the main axis w of its normal and are cut to
   what can be within reach of its plane: a large slanted triangle costs its area, not its box. */
static void visit(fill_lattice* lattice, const supi_triangle* t, const fill_probe* probe) {
    const double *n = t->normal, *a = t->corner[0];
    int w = 0;
    for (int k = 1; k < 3; k++) w = fabs(n[k]) > fabs(n[w]) ? k : w;
    int u = (w + 1) % 3, v = (w + 2) % 3;
    double thick = plane_reach(lattice, t, probe, w);
    span spans[3];
    for (int k = 0; k < 3; k++) {
        spans[k] = find_span(lattice, k, t->low[k] - probe->below[k], t->high[k] + probe->above);
    }
    for (int32_t i = spans[u].first; i <= spans[u].last; i++) {
        for (int32_t j = spans[v].first; j <= spans[v].last; j++) {
            double p[3];
            p[u] = coordinate(lattice, u, i);
            p[v] = coordinate(lattice, v, j);
            span row = spans[w];
            if (thick > 0.0) {
                double plane = a[w] - (n[u] * (p[u] - a[u]) + n[v] * (p[v] - a[v])) / n[w];
                span near = find_span(lattice, w, plane - thick, plane + thick);
                if (near.first > row.first) row.first = near.first;
                if (near.last < row.last) row.last = near.last;
            }
            for (int32_t k = row.first; k <= row.last; k++) {
                p[w] = coordinate(lattice, w, k);
                int32_t id =
                    i * lattice->stride[u] + j * lattice->stride[v] + k * lattice->stride[w];
                probe->act(probe, lattice, t, id, p);
            }
        }
    }
}

static void visit_all(fill_lattice* lattice, const sup_mesh* mesh, const fill_probe* probe) {
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            supi_triangle t =
                supi_triangle_from(&mesh->points[corners[0]], &mesh->points[corners[i - 1]],
                                   &mesh->points[corners[i]]);
            visit(lattice, &t, probe);
        }
    }
}

static void mark_close(const fill_probe* probe, fill_lattice* lattice, const supi_triangle* t,
                       int32_t id, const double p[3]) {
    if (lattice->marks[id] & CLOSE) return;
    if (supi_triangle_distance2(t, p) < probe->limit * probe->limit) lattice->marks[id] |= CLOSE;
}

/* The edge as a box a little thicker than rounding, so that no cut is ever missed. */
static void mark_cut(const fill_probe* probe, fill_lattice* lattice, const supi_triangle* t,
                     int32_t id, const double p[3]) {
    uint8_t blocked = (uint8_t)(BLOCKED << probe->axis);
    if (lattice->marks[id] & (blocked | CLOSE)) return;
    double centre[3], half[3];
    for (int k = 0; k < 3; k++) {
        double along = k == probe->axis ? 0.5 * lattice->spacing : 0.0;
        centre[k] = p[k] + along;
        half[k] = along + lattice->slack;
    }
    if (supi_triangle_touches_box(t, centre, half)) lattice->marks[id] |= blocked;
}

/* First the points closer than `limit`, then the cuts between the others. */
static void mark_surface(fill_lattice* lattice, const sup_mesh* mesh, double limit) {
    fill_probe close = {{limit, limit, limit}, limit, limit, 0, mark_close};
    visit_all(lattice, mesh, &close);
    for (int axis = 0; axis < 3; axis++) {
        double slack = lattice->slack;
        fill_probe cut = {{slack, slack, slack}, slack, 0.0, axis, mark_cut};
        cut.below[axis] += lattice->spacing;
        visit_all(lattice, mesh, &cut);
    }
}

/* --- Inside --- */

/* All points that the seed reaches without crossing the surface; returns their number. */
static int32_t flood(fill_lattice* lattice, int32_t seed, int32_t* queue) {
    int32_t count = 1;
    queue[0] = seed;
    lattice->marks[seed] |= SEEN;
    for (int32_t i = 0; i < count; i++) {
        int32_t id = queue[i];
        for (int k = 0; k < 3; k++) {
            int32_t stride = lattice->stride[k], place = id / stride % lattice->count[k];
            uint8_t blocked = (uint8_t)(BLOCKED << k);
            int32_t up = id + stride, down = id - stride;
            if (place + 1 < lattice->count[k] && !(lattice->marks[id] & blocked) &&
                !(lattice->marks[up] & (CLOSE | SEEN))) {
                lattice->marks[up] |= SEEN;
                queue[count++] = up;
            }
            if (place > 0 && !(lattice->marks[down] & (blocked | CLOSE | SEEN))) {
                lattice->marks[down] |= SEEN;
                queue[count++] = down;
            }
        }
    }
    return count;
}

/* Who tells winding numbers: a rough surface has many pockets, and asks often. */
typedef struct fill_judge {
    const sup_mesh* mesh;
    bool by_tree; /* not where faces contradict each other, as the mean may be near 1/2 */
    supi_sdf sdf;
} fill_judge;

static bool judge_begin(const sup_allocator* allocator, const sup_mesh* mesh, bool tangled,
                        fill_judge* out) {
    int32_t count = mesh->corner_count - 2 * mesh->polygon_count, next = 0;
    *out = (fill_judge){.mesh = mesh};
    if (tangled || count < MANY) return true;
    size_t size = 3 * (size_t)count;
    int32_t* corners = supi_memory_new(allocator, size, sizeof *corners);
    if (!corners) return false;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        for (int32_t c = mesh->starts[k] + 2; c < mesh->starts[k + 1]; c++) {
            corners[next++] = mesh->corners[mesh->starts[k]];
            corners[next++] = mesh->corners[c - 1];
            corners[next++] = mesh->corners[c];
        }
    }
    const sup_mesh triangles = {.points = mesh->points, .corners = corners, .polygon_count = count};
    out->by_tree = supi_sdf_build(allocator, &triangles, &out->sdf);
    supi_memory_free(allocator, corners, size, sizeof *corners);
    return out->by_tree;
}

static void judge_end(fill_judge* judge) {
    if (judge->by_tree) supi_sdf_free(&judge->sdf);
}

static double judge_winding(const fill_judge* judge, const double p[3]) {
    if (!judge->by_tree) return sup_mesh_winding(judge->mesh, p);
    return supi_winding_number(&judge->sdf.tree, judge->sdf.halves, p);
}

/* Mean winding number of a few points spread over a flooded part; all are equal unless faces
   contradict each other. */
static double part_winding(const fill_lattice* lattice, const fill_judge* judge,
                           const int32_t* queue, int32_t count, int32_t samples) {
    double sum = 0.0;
    if (samples > count) samples = count;
    for (int32_t s = 0; s < samples; s++) {
        double p[3];
        lattice_point(lattice, queue[(int64_t)count * s / samples], p);
        sum += judge_winding(judge, p);
    }
    return sum / samples;
}

/* Marks what is inside; returns how many points that are. */
static int32_t mark_inside(fill_lattice* lattice, const fill_judge* judge, int32_t samples,
                           int32_t* queue) {
    int32_t inside = 0;
    for (int32_t seed = 0; seed < lattice->total; seed++) {
        if (lattice->marks[seed] & (CLOSE | SEEN)) continue;
        int32_t count = flood(lattice, seed, queue);
        if (part_winding(lattice, judge, queue, count, samples) <= 0.5) continue;
        for (int32_t i = 0; i < count; i++) lattice->marks[queue[i]] |= INSIDE;
        inside += count;
    }
    return inside;
}

/* --- The whole --- */

/* The lattice of the box of all corners, with one of its points in the middle. */
static sup_result plan(const sup_mesh* mesh, double spacing, fill_lattice* lattice,
                       sup_error* error) {
    double low[3], high[3], extent[3], total = 1.0;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        double p[3];
        supi_vector_from(&mesh->points[mesh->corners[c]], p);
        for (int k = 0; k < 3; k++) {
            if (c == 0 || p[k] < low[k]) low[k] = p[k];
            if (c == 0 || p[k] > high[k]) high[k] = p[k];
        }
    }
    supi_vector_subtract(high, low, extent);
    for (int k = 0; k < 3; k++) total *= 2.0 * floor(0.5 * extent[k] / spacing) + 1.0;
    if (total > LATTICE_LIMIT) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cannot fill: the spacing is too small for the size of the surface, "
                              "it gives more than %d lattice points",
                              LATTICE_LIMIT);
    }
    *lattice = (fill_lattice){.spacing = spacing, .slack = 1e-6 * supi_vector_length(extent)};
    lattice->total = 1;
    for (int k = 0; k < 3; k++) {
        int32_t half = (int32_t)floor(0.5 * extent[k] / spacing);
        lattice->origin[k] = 0.5 * (low[k] + high[k]) - spacing * (double)half;
        lattice->count[k] = 2 * half + 1;
        lattice->stride[k] = lattice->total;
        lattice->total *= lattice->count[k];
    }
    return SUP_OK;
}

static sup_result fill_welded(const sup_allocator* allocator, const sup_mesh* mesh, double spacing,
                              double clearance, bool tangled, sup_vec3** points,
                              int32_t* point_count, sup_error* error) {
    fill_lattice lattice;
    sup_result result = plan(mesh, spacing, &lattice, error);
    if (result != SUP_OK) return result;
    size_t total = (size_t)lattice.total;
    lattice.marks = supi_memory_new(allocator, total, sizeof(uint8_t));
    int32_t* queue = supi_memory_new(allocator, total, sizeof(int32_t));
    sup_vec3* found = NULL;
    fill_judge judge;
    bool judged = judge_begin(allocator, mesh, tangled, &judge);
    if (lattice.marks && queue && judged) {
        /* A point at exactly the clearance stays, one on the surface never does. */
        double limit = clearance - lattice.slack;
        mark_surface(&lattice, mesh, limit > lattice.slack ? limit : lattice.slack);
        int32_t count = mark_inside(&lattice, &judge, tangled ? SAMPLES : 1, queue), next = 0;
        found = supi_memory_new(allocator, (size_t)count, sizeof *found);
        for (int32_t id = 0; found && id < lattice.total; id++) {
            if (!(lattice.marks[id] & INSIDE)) continue;
            double p[3];
            lattice_point(&lattice, id, p);
            found[next++] = supi_vector_round(p[0], p[1], p[2]);
        }
        if (found) *points = found, *point_count = count;
    }
    supi_memory_free(allocator, lattice.marks, total, sizeof(uint8_t));
    supi_memory_free(allocator, queue, total, sizeof(int32_t));
    judge_end(&judge);
    return found ? SUP_OK : supi_error_memory(error);
}

static sup_result check_closed(const sup_mesh* mesh, const sup_mesh_report* report,
                               sup_error* error) {
    if (mesh->polygon_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cannot fill: the surface has no polygon of any size");
    }
    if (report->boundary_edge_count > 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cannot fill: the surface has %d boundary edge%s, it must be closed",
                              (int)report->boundary_edge_count,
                              report->boundary_edge_count == 1 ? "" : "s");
    }
    return SUP_OK;
}

sup_result sup_mesh_fill(const sup_allocator* allocator, const sup_mesh* mesh, double spacing,
                         double clearance, sup_vec3** points, int32_t* point_count,
                         sup_error* error) {
    SUPI_NEED(error, mesh, points, point_count);
    allocator = supi_mesh_allocator(allocator);
    if (!(spacing > 0.0) || !isfinite(spacing)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the spacing of a filling must be above 0");
    }
    if (!(clearance >= 0.0) || !isfinite(clearance)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the clearance of a filling must be 0 or above");
    }
    sup_mesh welded;
    sup_result result = sup_mesh_weld(allocator, mesh, -1.0, &welded, NULL, error);
    if (result != SUP_OK) return result;
    sup_mesh_report report;
    result = sup_mesh_inspect(allocator, &welded, &report, error);
    if (result == SUP_OK) result = check_closed(&welded, &report, error);
    if (result == SUP_OK) {
        result = fill_welded(allocator, &welded, spacing, clearance, report.tangled_edge_count > 0,
                             points, point_count, error);
    }
    sup_mesh_free(&welded);
    return result;
}

void sup_points_free(const sup_allocator* allocator, sup_vec3* points, int32_t point_count) {
    supi_memory_free(supi_mesh_allocator(allocator), points, (size_t)point_count, sizeof *points);
}
