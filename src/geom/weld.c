/* Welding: points that lie together become one, and the polygons follow. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/vector.h"

/* The points kept so far, in chains by the cell of space they lie in. Cells share chains by hash:
   the distance decides, so a collision costs time only. */
typedef struct cell_table {
    double low[3], size, tolerance;
    size_t mask;    /* chain count - 1, a power of two less one */
    int32_t* heads; /* first point of a chain + 1, 0 for none (mask + 1) */
    int32_t* nexts; /* next point of the chain + 1 (one for each point) */
} cell_table;

static size_t chain_of(const cell_table* cells, const int64_t cell[3]) {
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ (uint64_t)cell[k]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return (size_t)hash & cells->mask;
}

/* Cells are at least 1e-15 of the box, so the index always fits. */
static int64_t cell_index(const cell_table* cells, int axis, double x) {
    return (int64_t)floor((x - cells->low[axis]) / cells->size);
}

/* The lowest kept point within the tolerance of p; -1 for none. */
static int32_t find_lowest(const cell_table* cells, const sup_vec3* points,
                           const int32_t* to_original, const double p[3]) {
    int64_t first[3], last[3], cell[3];
    for (int k = 0; k < 3; k++) {
        first[k] = cell_index(cells, k, p[k] - cells->tolerance);
        last[k] = cell_index(cells, k, p[k] + cells->tolerance);
    }
    int32_t lowest = -1;
    for (cell[2] = first[2]; cell[2] <= last[2]; cell[2]++) {
        for (cell[1] = first[1]; cell[1] <= last[1]; cell[1]++) {
            for (cell[0] = first[0]; cell[0] <= last[0]; cell[0]++) {
                int32_t k = cells->heads[chain_of(cells, cell)] - 1;
                for (; k >= 0; k = cells->nexts[k] - 1) {
                    if (lowest >= 0 && k > lowest) continue;
                    double q[3], apart[3];
                    supi_vector_from(&points[to_original[k]], q);
                    supi_vector_subtract(p, q, apart);
                    if (supi_vector_length(apart) <= cells->tolerance) lowest = k;
                }
            }
        }
    }
    return lowest;
}

/* Fills to_welded and to_original; returns the number of points that stay. */
static int32_t join_points(const sup_mesh* mesh, cell_table* cells, int32_t* to_welded,
                           int32_t* to_original) {
    int32_t count = 0;
    for (int32_t i = 0; i < mesh->point_count; i++) {
        double p[3];
        supi_vector_from(&mesh->points[i], p);
        to_welded[i] = find_lowest(cells, mesh->points, to_original, p);
        if (to_welded[i] >= 0) continue;
        int64_t cell[3];
        for (int k = 0; k < 3; k++) cell[k] = cell_index(cells, k, p[k]);
        size_t chain = chain_of(cells, cell);
        cells->nexts[count] = cells->heads[chain];
        cells->heads[chain] = count + 1;
        to_original[count] = i;
        to_welded[i] = count++;
    }
    return count;
}

/* Writes one polygon without repeated neighbours; returns its corner count, 0 when fewer than 3
   corners differ. */
static int32_t weld_polygon(const int32_t* corners, int32_t count, const int32_t* to_welded,
                            int32_t* out) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t point = to_welded[corners[i]];
        if (kept == 0 || out[kept - 1] != point) out[kept++] = point;
    }
    while (kept > 1 && out[kept - 1] == out[0]) kept--;
    for (int32_t i = 2; i < kept; i++) {
        if (out[i] != out[0] && out[i] != out[1]) return kept;
    }
    return 0;
}

/* What is being made; all arrays are as long as in the original. */
typedef struct weld_draft {
    int32_t point_count, polygon_count;
    int32_t *to_welded, *to_original, *starts, *corners;
} weld_draft;

static void weld_polygons(const sup_mesh* mesh, weld_draft* draft) {
    int32_t end = 0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        int32_t count =
            weld_polygon(mesh->corners + mesh->starts[k], mesh->starts[k + 1] - mesh->starts[k],
                         draft->to_welded, draft->corners + end);
        end += count;
        if (count > 0) draft->starts[++draft->polygon_count] = end;
    }
}

void sup_weld_map_free(sup_weld_map* map) {
    if (!map || !map->allocator) return;
    supi_memory_free(map->allocator, map->to_welded, (size_t)map->original_count, sizeof(int32_t));
    supi_memory_free(map->allocator, map->to_original, (size_t)map->welded_count, sizeof(int32_t));
    *map = (sup_weld_map){0};
}

static bool new_map(const sup_allocator* allocator, const sup_mesh* mesh, const weld_draft* draft,
                    sup_weld_map* out) {
    sup_weld_map map = {.allocator = allocator,
                        .original_count = mesh->point_count,
                        .welded_count = draft->point_count};
    size_t original = (size_t)map.original_count, welded = (size_t)map.welded_count;
    map.to_welded = supi_memory_new(allocator, original, sizeof(int32_t));
    map.to_original = supi_memory_new(allocator, welded, sizeof(int32_t));
    if (!map.to_welded || !map.to_original) {
        sup_weld_map_free(&map);
        return false;
    }
    memcpy(map.to_welded, draft->to_welded, original * sizeof(int32_t));
    memcpy(map.to_original, draft->to_original, welded * sizeof(int32_t));
    *out = map;
    return true;
}

/* Copies the draft into arrays of their final size; false (nothing changed) without memory. */
static bool finish(const sup_allocator* allocator, const sup_mesh* mesh, const weld_draft* draft,
                   sup_mesh* welded, sup_weld_map* map) {
    sup_mesh made;
    if (!supi_mesh_new(allocator, draft->point_count, draft->polygon_count,
                       draft->starts[draft->polygon_count], &made)) {
        return false;
    }
    if (map && !new_map(allocator, mesh, draft, map)) {
        sup_mesh_free(&made);
        return false;
    }
    for (int32_t i = 0; i < made.point_count; i++) {
        made.points[i] = mesh->points[draft->to_original[i]];
    }
    memcpy(made.starts, draft->starts, ((size_t)made.polygon_count + 1) * sizeof(int32_t));
    memcpy(made.corners, draft->corners, (size_t)made.corner_count * sizeof(int32_t));
    *welded = made;
    return true;
}

static cell_table plan_cells(const sup_mesh* mesh, double tolerance) {
    cell_table cells = {.mask = 1};
    double high[3], extent[3];
    supi_mesh_bounds(mesh, cells.low, high);
    supi_vector_subtract(high, cells.low, extent);
    double diagonal = supi_vector_length(extent);
    cells.tolerance = tolerance < 0.0 ? 1e-6 * diagonal : tolerance;
    /* Large enough that most searches stay in one cell, small enough that few points share it. */
    double least = diagonal > 0.0 ? 1e-15 * diagonal : 1.0;
    cells.size = 4.0 * cells.tolerance > least ? 4.0 * cells.tolerance : least;
    while (cells.mask / 2 < (size_t)mesh->point_count) cells.mask = 2 * cells.mask + 1;
    return cells;
}

sup_result sup_mesh_weld(const sup_allocator* allocator, const sup_mesh* mesh, double tolerance,
                         sup_mesh* welded, sup_weld_map* map, sup_error* error) {
    SUPI_NEED(error, mesh, welded);
    allocator = supi_mesh_allocator(allocator);
    if (!isfinite(tolerance)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the weld tolerance is not finite");
    }
    sup_result result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    cell_table cells = plan_cells(mesh, tolerance);
    size_t points = (size_t)mesh->point_count, polygons = (size_t)mesh->polygon_count;
    size_t corners = (size_t)mesh->corner_count;
    cells.heads = supi_memory_new(allocator, cells.mask + 1, sizeof(int32_t));
    cells.nexts = supi_memory_new(allocator, points, sizeof(int32_t));
    weld_draft draft = {0};
    draft.to_welded = supi_memory_new(allocator, points, sizeof(int32_t));
    draft.to_original = supi_memory_new(allocator, points, sizeof(int32_t));
    draft.starts = supi_memory_new(allocator, polygons + 1, sizeof(int32_t));
    draft.corners = supi_memory_new(allocator, corners, sizeof(int32_t));
    bool enough = cells.heads && cells.nexts && draft.to_welded && draft.to_original &&
                  draft.starts && draft.corners;
    if (enough) {
        draft.point_count = join_points(mesh, &cells, draft.to_welded, draft.to_original);
        weld_polygons(mesh, &draft);
        enough = finish(allocator, mesh, &draft, welded, map);
    }
    supi_memory_free(allocator, cells.heads, cells.mask + 1, sizeof(int32_t));
    supi_memory_free(allocator, cells.nexts, points, sizeof(int32_t));
    supi_memory_free(allocator, draft.to_welded, points, sizeof(int32_t));
    supi_memory_free(allocator, draft.to_original, points, sizeof(int32_t));
    supi_memory_free(allocator, draft.starts, polygons + 1, sizeof(int32_t));
    supi_memory_free(allocator, draft.corners, corners, sizeof(int32_t));
    return enough ? SUP_OK : supi_error_memory(error);
}
