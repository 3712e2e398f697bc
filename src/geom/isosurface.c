/* Marching tetrahedra. The grid is an octree of cubes: those that hold no surface are left out; the
   smallest, of 8^3 cells, are sampled and cut one after the other. */
#include "geom/isosurface.h"

#include "base/error.h"
#include "base/key_map.h"
#include "base/memory.h"
#include "geom/kuhn.h"
#include "geom/mesh.h"
#include "geom/vector.h"

#include <string.h>

#define CELLS 8             /* of a block, each way */
#define HALF (CELLS / 2)    /* of the parts of a block that may be empty */
#define SAMPLES (CELLS + 1) /* of a block, each way */
#define GRID_MOST (1 << 20)

typedef struct work {
    const sup_allocator* allocator;
    const supi_iso_field* field;
    const void* data; /* of the field, for where the work is */
    const supi_iso_grid* grid;
    sup_error* error;
    int32_t cells[3];
    sup_vec3* points;
    int32_t point_count, point_capacity;
    int32_t* corners;
    int32_t corner_count, corner_capacity;
    /* From its lower end an edge of a tetrahedron goes by one step along some of the axes: bits of
       `way`. Both are the key of its point. */
    supi_key_map edges;
} work;

/* A block and its samples. */
typedef struct block {
    int32_t first[3];
    bool known[SAMPLES * SAMPLES * SAMPLES];
    double value[SAMPLES * SAMPLES * SAMPLES]; /* less iso */
} block;

static int32_t sample_id(int32_t i, int32_t j, int32_t k) {
    return (k * SAMPLES + j) * SAMPLES + i;
}

static void grid_place(const work* w, const int32_t at[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = w->grid->low[k] + w->grid->spacing * at[k];
}

/* --- Points on edges --- */

/* How far along an edge the surface passes. */
static double crossing(const work* w, const double from[3], const double way[3], double a,
                       double b) {
    double at[3], t = supi_kuhn_chord(a, b);
    for (int k = 0; k < 3; k++) at[k] = from[k] + t * way[k];
    return supi_kuhn_refine(t, a, b, w->field->value(w->data, at) - w->grid->iso);
}

/* The point on the edge from a lower to an upper grid point of a block; -1 when memory is short. */
static int32_t edge_point(work* w, const block* b, const int32_t lower[3], int32_t way) {
    uint64_t key = (uint64_t)way;
    int32_t at[3];
    for (int k = 2; k >= 0; k--) {
        at[k] = b->first[k] + lower[k];
        key = key << 20 | (uint64_t)at[k];
    }
    int32_t known = supi_key_map_find(&w->edges, key);
    if (known >= 0) return known;
    if (!supi_memory_grow(w->allocator, (void**)&w->points, &w->point_capacity, w->point_count + 1,
                          sizeof *w->points) ||
        !supi_key_map_add(&w->edges, w->allocator, key, w->point_count)) {
        return -1;
    }
    double from[3], step[3];
    int32_t upper[3];
    grid_place(w, at, from);
    for (int k = 0; k < 3; k++) {
        upper[k] = lower[k] + (way >> k & 1);
        step[k] = way >> k & 1 ? w->grid->spacing : 0;
    }
    double t = crossing(w, from, step, b->value[sample_id(lower[0], lower[1], lower[2])],
                        b->value[sample_id(upper[0], upper[1], upper[2])]);
    w->points[w->point_count] =
        supi_vector_round(from[0] + t * step[0], from[1] + t * step[1], from[2] + t * step[2]);
    return w->point_count++;
}

/* --- Triangles --- */

static bool add_triangle(work* w, int32_t a, int32_t b, int32_t c, bool turned) {
    if (a < 0 || b < 0 || c < 0) return false;
    if (!supi_memory_grow(w->allocator, (void**)&w->corners, &w->corner_capacity,
                          w->corner_count + 3, sizeof *w->corners)) {
        return false;
    }
    w->corners[w->corner_count++] = a;
    w->corners[w->corner_count++] = turned ? c : b;
    w->corners[w->corner_count++] = turned ? b : c;
    return true;
}

static bool cut_cell(work* w, const block* b, const int32_t cell[3], int32_t inside) {
    supi_kuhn_triangle triangles[SUPI_KUHN_MOST];
    int32_t count = supi_kuhn_cut(inside, triangles), p[3];
    for (int32_t n = 0; n < count; n++) {
        const supi_kuhn_triangle* t = triangles + n;
        for (int c = 0; c < 3; c++) {
            int32_t lower[3];
            for (int k = 0; k < 3; k++) lower[k] = cell[k] + (t->low[c] >> k & 1);
            p[c] = edge_point(w, b, lower, t->way[c]);
        }
        if (!add_triangle(w, p[0], p[1], p[2], t->turned)) return false;
    }
    return true;
}

/* --- Blocks --- */

static sup_result refuse_place(const work* w, const char* why, const double p[3]) {
    return supi_error_set(w->error, SUP_BAD_ARGUMENT, "%s at (%.6g, %.6g, %.6g)", why, p[0], p[1],
                          p[2]);
}

/* Samples a part of a block that is not known yet; the inside must end before the grid does. */
static sup_result sample(work* w, block* b, const int32_t first[3]) {
    for (int32_t k = first[2]; k <= first[2] + HALF; k++) {
        for (int32_t j = first[1]; j <= first[1] + HALF; j++) {
            for (int32_t i = first[0]; i <= first[0] + HALF; i++) {
                int32_t id = sample_id(i, j, k);
                if (b->known[id]) continue;
                const int32_t at[3] = {b->first[0] + i, b->first[1] + j, b->first[2] + k};
                double place[3];
                grid_place(w, at, place);
                b->known[id] = true;
                b->value[id] = w->field->value(w->data, place) - w->grid->iso;
                if (!(b->value[id] > 0)) continue;
                for (int axis = 0; axis < 3; axis++) {
                    if (at[axis] > 0 && at[axis] < w->cells[axis]) continue;
                    return refuse_place(w, "the inside reaches the end of the grid", place);
                }
            }
        }
    }
    return SUP_OK;
}

/* Looks at the middle of the edges along the axes whose ends are both outside and near the surface:
   a sheet thinner than a cell shows there. An edge that only grazes the surface has values that
   change little along it. Gaps are not looked for: every fork has a place that is too narrow. */
static sup_result look_between(const work* w, const block* b, const int32_t first[3]) {
    static const int32_t steps[3] = {1, SAMPLES, SAMPLES * SAMPLES};
    double reach = w->grid->steepness * w->grid->spacing;
    if (!(reach > 0)) return SUP_OK;
    for (int32_t n = 0; n < HALF * HALF * HALF; n++) {
        const int32_t at[3] = {first[0] + n % HALF, first[1] + n / HALF % HALF,
                               first[2] + n / (HALF * HALF)};
        int32_t id = sample_id(at[0], at[1], at[2]);
        double here = b->value[id];
        for (int axis = 0; axis < 3; axis++) {
            double there = b->value[id + steps[axis]], place[3];
            if (here > 0 || there > 0 || -here - there >= reach) continue;
            for (int k = 0; k < 3; k++) {
                double part = k == axis ? 0.5 : 0;
                place[k] = w->grid->low[k] + w->grid->spacing * (b->first[k] + at[k] + part);
            }
            double middle = w->field->value(w->data, place) - w->grid->iso;
            if (!(middle > 0) || 2 * middle - here - there < 0.5 * reach) continue;
            return refuse_place(w, "the grid is too coarse: a sheet slips through it", place);
        }
    }
    return SUP_OK;
}

/* The ball around a cube of cells. */
static double ball_around(const work* w, const int32_t first[3], int32_t cells, double middle[3]) {
    double half = 0.5 * w->grid->spacing * cells;
    grid_place(w, first, middle);
    for (int k = 0; k < 3; k++) middle[k] += half;
    return 1.7320508075688774 * half;
}

static bool is_empty(const work* w, const int32_t first[3], int32_t cells) {
    if (!w->field->empty) return false;
    double middle[3], radius = ball_around(w, first, cells, middle);
    return w->field->empty(w->data, middle, radius);
}

/* The data to use in a cube of cells. The ball is a little wider, so that rounding leaves no place
   of the cube out. */
static const void* focus(const work* w, int32_t level, const int32_t first[3], int32_t cells) {
    if (!w->field->focus) return w->data;
    double middle[3], radius = ball_around(w, first, cells, middle);
    return w->field->focus(w->field->scratch, level, w->data, middle, 1.000001 * radius);
}

static sup_result cut_part(work* w, const block* b, const int32_t first[3]) {
    for (int32_t n = 0; n < HALF * HALF * HALF; n++) {
        const int32_t cell[3] = {first[0] + n % HALF, first[1] + n / HALF % HALF,
                                 first[2] + n / (HALF * HALF)};
        int32_t inside = 0;
        for (int corner = 0; corner < 8; corner++) {
            int32_t id = sample_id(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                                   cell[2] + (corner >> 2));
            if (b->value[id] > 0) inside |= 1 << corner;
        }
        if (inside == 0 || inside == 255) continue;
        if (!cut_cell(w, b, cell, inside)) return supi_error_memory(w->error);
    }
    return SUP_OK;
}

static sup_result cut_block(work* w, const int32_t first[3], block* b) {
    memcpy(b->first, first, sizeof b->first);
    memset(b->known, 0, sizeof b->known);
    sup_result result = SUP_OK;
    const void *all = w->data, *here = focus(w, 0, first, CELLS);
    for (int32_t part = 0; result == SUP_OK && part < 8; part++) {
        const int32_t inner[3] = {HALF * (part & 1), HALF * (part >> 1 & 1), HALF * (part >> 2)};
        const int32_t at[3] = {first[0] + inner[0], first[1] + inner[1], first[2] + inner[2]};
        w->data = here;
        if (is_empty(w, at, HALF)) continue;
        w->data = focus(w, 1, at, HALF);
        result = sample(w, b, inner);
        if (result == SUP_OK) result = look_between(w, b, inner);
        if (result == SUP_OK) result = cut_part(w, b, inner);
    }
    w->data = all;
    return result;
}

/* Cuts all blocks in a cube of `cells` cells each way. */
static sup_result descend(work* w, const int32_t first[3], int32_t cells, block* b) {
    for (int k = 0; k < 3; k++) {
        if (first[k] >= w->cells[k]) return SUP_OK;
    }
    if (is_empty(w, first, cells)) return SUP_OK;
    if (cells == CELLS) return cut_block(w, first, b);
    sup_result result = SUP_OK;
    int32_t half = cells / 2;
    for (int part = 0; result == SUP_OK && part < 8; part++) {
        const int32_t next[3] = {first[0] + half * (part & 1), first[1] + half * (part >> 1 & 1),
                                 first[2] + half * (part >> 2)};
        result = descend(w, next, half, b);
    }
    return result;
}

/* --- The whole --- */

static sup_result check_grid(const supi_iso_grid* grid, int32_t cells[3], sup_error* error) {
    if (!(grid->spacing > 0) || !(fabs(grid->iso) < INFINITY)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the spacing of a grid must be above 0 and its value finite");
    }
    for (int k = 0; k < 3; k++) {
        double size = grid->high[k] - grid->low[k], most = size / grid->spacing;
        if (!(size > 0) || !(fabs(grid->low[k]) < 1e7) || !(fabs(grid->high[k]) < 1e7)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "the box of a grid is empty or too far");
        }
        if (!(most <= GRID_MOST - CELLS)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the spacing %.3g m is too fine for a grid of %.3g m",
                                  grid->spacing, size);
        }
        cells[k] = (int32_t)most + 1;
    }
    return SUP_OK;
}

static sup_result make_mesh(const work* w, sup_mesh* out) {
    sup_mesh mesh;
    int32_t triangles = w->corner_count / 3;
    if (!supi_mesh_new(w->allocator, w->point_count, triangles, w->corner_count, &mesh)) {
        return supi_error_memory(w->error);
    }
    if (triangles > 0) {
        memcpy(mesh.points, w->points, sizeof *w->points * (size_t)w->point_count);
        memcpy(mesh.corners, w->corners, sizeof *w->corners * (size_t)w->corner_count);
    }
    for (int32_t t = 0; t <= triangles; t++) mesh.starts[t] = 3 * t;
    *out = mesh;
    return SUP_OK;
}

sup_result supi_isosurface_mesh(const sup_allocator* allocator, const supi_iso_field* field,
                                const supi_iso_grid* grid, sup_mesh* out, sup_error* error) {
    work w = {.allocator = supi_mesh_allocator(allocator),
              .field = field,
              .data = field->data,
              .grid = grid,
              .error = error};
    sup_result result = check_grid(grid, w.cells, error);
    if (result != SUP_OK) return result;
    const int32_t first[3] = {0, 0, 0};
    int32_t cells = CELLS;
    while (cells < w.cells[0] || cells < w.cells[1] || cells < w.cells[2]) cells *= 2;
    block* b = supi_memory_new(w.allocator, 1, sizeof *b);
    bool enough = b && supi_key_map_clear(&w.edges, w.allocator);
    result = enough ? descend(&w, first, cells, b) : supi_error_memory(error);
    if (result == SUP_OK) result = make_mesh(&w, out);
    supi_key_map_free(&w.edges, w.allocator);
    supi_memory_free(w.allocator, b, 1, sizeof *b);
    supi_memory_free(w.allocator, w.points, (size_t)w.point_capacity, sizeof *w.points);
    supi_memory_free(w.allocator, w.corners, (size_t)w.corner_capacity, sizeof *w.corners);
    return result;
}
