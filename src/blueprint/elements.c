/* Clusters from a volume mesh. Elements that share a face share three particles off a line, which
   is what holds clusters together. */
#include "base/error.h"
#include "blueprint/groups.h"
#include "geom/vector.h"

#include <float.h>

/* ---- Elements of the definition ---- */

static sup_result check_element(const sup_blueprint_def* def, int32_t e, int32_t particle_count,
                                sup_error* error) {
    const int32_t* corners = def->elements + (size_t)def->element_corners * (size_t)e;
    for (int32_t i = 0; i < def->element_corners; i++) {
        if (corners[i] < 0 || corners[i] >= particle_count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "element %d names particle %d, there are %d", (int)e,
                                  (int)corners[i], (int)particle_count);
        }
        for (int32_t j = 0; j < i; j++) {
            if (corners[i] != corners[j]) continue;
            return supi_error_set(error, SUP_BAD_ARGUMENT, "element %d names particle %d twice",
                                  (int)e, (int)corners[i]);
        }
    }
    return SUP_OK;
}

static sup_result listed_elements(const sup_blueprint_def* def, const sup_blueprint* b,
                                  supi_arena* scratch, supi_groups* out, sup_error* error) {
    int32_t corners = def->element_corners;
    if (corners != 4 && corners != 8) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "elements have 4 or 8 corners, not %d",
                              (int)corners);
    }
    if (def->element_count < 0 || !def->elements) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "elements need their list");
    }
    if (def->element_count > INT32_MAX / 16) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there are too many elements");
    }
    size_t total = (size_t)corners * (size_t)def->element_count;
    int32_t* groups = supi_arena_push(scratch, total, sizeof *groups);
    int32_t* rows = supi_arena_push(scratch, total, sizeof *rows);
    if (!groups || !rows) return supi_error_memory(error);
    for (int32_t e = 0; e < def->element_count; e++) {
        sup_result result = check_element(def, e, b->info.particle_count, error);
        if (result != SUP_OK) return result;
        for (int32_t i = e * corners; i < (e + 1) * corners; i++) {
            groups[i] = e;
            rows[i] = b->row_of[def->elements[i]];
        }
    }
    return supi_groups_from_pairs(scratch, (int32_t)total, groups, rows, out)
               ? SUP_OK
               : supi_error_memory(error);
}

/* ---- Cells of the filling ---- */

/* How far particles off the lattice may lie from it, in spacings: the filling keeps half of one
   from each face, so that it ends up to one and a half before each of three. */
enum { REACH = 3, ORPHAN_STEPS = 2 };
/* They go along with all that is not this much farther than the nearest, in spacings (and a little
   for rounding): with one cell alone they would fold over their neighbours, which follow another.
 */
static const double sharing = 1.01;

/* Places of the lattice, x fastest. */
typedef struct cell_lattice {
    const sup_blueprint* blueprint;
    double origin[3], spacing;
    int32_t count[3], stride[3], total;
    int32_t* row;    /* particle there, -1: none */
    bool* cell;      /* are all eight from here on there? */
    int32_t* anchor; /* the corner of cells that it goes with: itself, or one near it; -1: none */
} cell_lattice;

static int32_t place_of(const cell_lattice* l, const sup_vec3* point) {
    double p[3];
    int32_t place = 0;
    supi_vector_from(point, p);
    for (int k = 0; k < 3; k++) {
        place += l->stride[k] * (int32_t)floor((p[k] - l->origin[k]) / l->spacing + 0.5);
    }
    return place;
}

/* Index of a place along an axis. */
static int32_t index_of(const cell_lattice* l, int32_t place, int axis) {
    return place / l->stride[axis] % l->count[axis];
}

/* The places around the particles with these ids, which sup_mesh_fill made. */
static sup_result lay_lattice(cell_lattice* l, int32_t first_id, int32_t end_id,
                              supi_arena* scratch, sup_error* error) {
    const sup_blueprint* b = l->blueprint;
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int32_t id = first_id; id < end_id; id++) {
        double p[3];
        supi_vector_from(b->rest + b->row_of[id], p);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    double total = 1.0;
    for (int k = 0; k < 3; k++) total *= floor((high[k] - low[k]) / l->spacing + 0.5) + 1.0;
    if (!(total < INT32_MAX / 8)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the filling is too large for elements");
    }
    l->total = 1;
    for (int k = 0; k < 3; k++) {
        l->origin[k] = low[k];
        l->count[k] = (int32_t)floor((high[k] - low[k]) / l->spacing + 0.5) + 1;
        l->stride[k] = l->total;
        l->total *= l->count[k];
    }
    l->row = supi_arena_push(scratch, (size_t)l->total, sizeof *l->row);
    l->cell = supi_arena_push(scratch, (size_t)l->total, sizeof *l->cell);
    l->anchor = supi_arena_push(scratch, (size_t)l->total, sizeof *l->anchor);
    if (!l->row || !l->cell || !l->anchor) return supi_error_memory(error);
    for (int32_t i = 0; i < l->total; i++) l->row[i] = l->anchor[i] = -1;
    for (int32_t id = first_id; id < end_id; id++) {
        int32_t* row = l->row + place_of(l, b->rest + b->row_of[id]);
        if (*row >= 0) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "floats do not tell particles %d and %d of the filling apart: "
                                  "fill less densely, or nearer to the origin",
                                  (int)b->id_of[*row], (int)id);
        }
        *row = b->row_of[id];
    }
    return SUP_OK;
}

/* Corner i of the cell that begins at a place. */
static int32_t corner_of(const cell_lattice* l, int32_t place, int i) {
    return place + (i & 1) * l->stride[0] + (i >> 1 & 1) * l->stride[1] + (i >> 2) * l->stride[2];
}

/* Marks full cells and what their corners are; returns how many there are. */
static int32_t find_cells(cell_lattice* l) {
    int32_t found = 0;
    for (int32_t place = 0; place < l->total; place++) {
        bool full = true;
        for (int k = 0; k < 3; k++) full = full && index_of(l, place, k) + 1 < l->count[k];
        for (int i = 0; full && i < 8; i++) full = l->row[corner_of(l, place, i)] >= 0;
        l->cell[place] = full;
        found += full;
        for (int i = 0; full && i < 8; i++) {
            l->anchor[corner_of(l, place, i)] = corner_of(l, place, i);
        }
    }
    return found;
}

/* Particles of the lattice in no full cell go with a neighbour, or its neighbour, along the axes:
   no gap lies between these. */
static bool anchor_orphans(cell_lattice* l, supi_arena* scratch) {
    int32_t* next = supi_arena_push(scratch, (size_t)l->total, sizeof *next);
    if (!next) return false;
    for (int step = 0; step < ORPHAN_STEPS; step++) {
        for (int32_t place = 0; place < l->total; place++) {
            next[place] = l->anchor[place];
            for (int k = 0; k < 3 && l->row[place] >= 0; k++) {
                int32_t at = index_of(l, place, k), stride = l->stride[k];
                if (next[place] < 0 && at > 0) next[place] = l->anchor[place - stride];
                if (next[place] < 0 && at + 1 < l->count[k]) {
                    next[place] = l->anchor[place + stride];
                }
            }
        }
        int32_t* swap = l->anchor;
        l->anchor = next;
        next = swap;
    }
    return true;
}

/* Pairs of cell and row while they are counted (no room) and then collected. */
typedef struct cell_pairs {
    int64_t count;
    int32_t *cells, *rows;
} cell_pairs;

/* Adds a row to all cells around a corner. */
static void join_cells(const cell_lattice* l, int32_t corner, int32_t row, cell_pairs* pairs) {
    for (int i = 0; i < 8; i++) {
        bool there = true;
        for (int k = 0; k < 3; k++) there = there && index_of(l, corner, k) >= (i >> k & 1);
        if (!there) continue;
        int32_t cell = 2 * corner - corner_of(l, corner, i);
        if (!l->cell[cell]) continue;
        if (pairs->cells) {
            pairs->cells[pairs->count] = cell;
            pairs->rows[pairs->count] = row;
        }
        pairs->count++;
    }
}

/* A particle of the lattice: a corner of cells, or with what its neighbours go with. */
static bool join_place(const cell_lattice* l, int32_t place, cell_pairs* pairs) {
    int32_t row = l->row[place];
    if (l->anchor[place] < 0) return false;
    join_cells(l, l->anchor[place], row, pairs);
    for (int k = 0; k < 3 && l->anchor[place] != place; k++) {
        int32_t at = index_of(l, place, k), stride = l->stride[k];
        int32_t below = at > 0 ? l->anchor[place - stride] : -1;
        int32_t above = at + 1 < l->count[k] ? l->anchor[place + stride] : -1;
        if (below >= 0) join_cells(l, below, row, pairs);
        if (above >= 0) join_cells(l, above, row, pairs);
    }
    return true;
}

/* The places within reach of a particle off the lattice, seen from half a spacing inside of the
   surface, where the lattice may begin: the nearest from there is not across a gap. */
typedef struct surroundings {
    double p[3];
    int32_t first[3], last[3]; /* by axis; none: last < first */
} surroundings;

static surroundings look_around(const cell_lattice* l, int32_t row) {
    const sup_blueprint* b = l->blueprint;
    surroundings s = {.last = {-1, -1, -1}};
    supi_vector_from(b->rest + row, s.p);
    double outward[3] = {0, 0, 0};
    if (b->outward) supi_vector_from(b->outward + row, outward);
    for (int k = 0; k < 3; k++) s.p[k] -= 0.5 * l->spacing * outward[k];
    for (int k = 0; k < 3; k++) {
        double at = floor((s.p[k] - l->origin[k]) / l->spacing);
        if (!(at >= -REACH - 1 && at <= l->count[k] + REACH)) continue;
        s.first[k] = (int32_t)at - REACH > 0 ? (int32_t)at - REACH : 0;
        s.last[k] = (int32_t)at + REACH < l->count[k] ? (int32_t)at + REACH : l->count[k] - 1;
    }
    return s;
}

/* Square of the distance to an anchored place; DBL_MAX: it is none. */
static double square_to(const cell_lattice* l, const surroundings* s, int32_t place) {
    double q[3], d[3];
    if (l->anchor[place] < 0) return DBL_MAX;
    supi_vector_from(l->blueprint->rest + l->row[place], q);
    supi_vector_subtract(q, s->p, d);
    return supi_vector_dot(d, d);
}

/* The nearest anchored place, or -1. */
static int32_t nearest_place(const cell_lattice* l, const surroundings* s) {
    double nearest = REACH * l->spacing * REACH * l->spacing;
    int32_t best = -1;
    for (int32_t z = s->first[2]; z <= s->last[2]; z++) {
        for (int32_t y = s->first[1]; y <= s->last[1]; y++) {
            for (int32_t x = s->first[0]; x <= s->last[0]; x++) {
                int32_t place = x + y * l->stride[1] + z * l->stride[2];
                double square = square_to(l, s, place);
                if (square < nearest) nearest = square, best = place;
            }
        }
    }
    return best;
}

/* A particle off the lattice: with what the nearest place and others near it go with. These are
   reached from the nearest along the axes: what is near across a gap is another finger. */
static bool join_near(const cell_lattice* l, int32_t row, cell_pairs* pairs) {
    enum { NEAR = (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1) };
    int32_t near[NEAR], count = 1;
    surroundings s = look_around(l, row);
    near[0] = nearest_place(l, &s);
    if (near[0] < 0) return false;
    double limit = sqrt(square_to(l, &s, near[0])) + sharing * l->spacing;
    for (int32_t i = 0; i < count; i++) {
        join_cells(l, l->anchor[near[i]], row, pairs);
        for (int side = 0; side < 6; side++) {
            int axis = side / 2, step = side % 2 ? 1 : -1;
            int32_t at = index_of(l, near[i], axis) + step;
            int32_t place = near[i] + step * l->stride[axis], k = 0;
            if (at < s.first[axis] || at > s.last[axis]) continue;
            if (square_to(l, &s, place) > limit * limit) continue;
            while (k < count && near[k] != place) k++;
            if (k == count) near[count++] = place;
        }
    }
    return true;
}

static sup_result collect_pairs(const cell_lattice* l, int32_t first_id, int32_t end_id,
                                cell_pairs* pairs, sup_error* error) {
    const sup_blueprint* b = l->blueprint;
    pairs->count = 0;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t row = b->row_of[id];
        bool inside = id >= first_id && id < end_id;
        bool joined =
            inside ? join_place(l, place_of(l, b->rest + row), pairs) : join_near(l, row, pairs);
        if (joined) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "particle %d is too far from all full cells of the filling: fill "
                              "more densely, or choose cubes",
                              (int)id);
    }
    if (pairs->count <= INT32_MAX / 2) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the cells give too many memberships");
}

static sup_result filled_elements(const sup_blueprint_def* def, const sup_blueprint* b,
                                  supi_arena* scratch, supi_groups* out, sup_error* error) {
    cell_lattice lattice = {.blueprint = b, .spacing = def->fill};
    int32_t first_id = b->info.surface_particle_count;
    int32_t end_id = b->info.particle_count - def->point_count, cells = 0;
    if (end_id > first_id) {
        sup_result result = lay_lattice(&lattice, first_id, end_id, scratch, error);
        if (result != SUP_OK) return result;
        cells = find_cells(&lattice);
    }
    if (cells == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the filling has no cell of 8 particles: fill more densely, or "
                              "choose cubes");
    }
    if (!anchor_orphans(&lattice, scratch)) return supi_error_memory(error);
    cell_pairs pairs = {0, NULL, NULL};
    sup_result result = collect_pairs(&lattice, first_id, end_id, &pairs, error);
    if (result != SUP_OK) return result;
    pairs.cells = supi_arena_push(scratch, (size_t)pairs.count, sizeof *pairs.cells);
    pairs.rows = supi_arena_push(scratch, (size_t)pairs.count, sizeof *pairs.rows);
    if (!pairs.cells || !pairs.rows) return supi_error_memory(error);
    result = collect_pairs(&lattice, first_id, end_id, &pairs, error);
    if (result != SUP_OK) return result;
    return supi_groups_from_pairs(scratch, (int32_t)pairs.count, pairs.cells, pairs.rows, out)
               ? SUP_OK
               : supi_error_memory(error);
}

sup_result supi_elements_build(const sup_blueprint_def* def, const sup_blueprint* blueprint,
                               supi_arena* scratch, supi_groups* out, sup_error* error) {
    if (def->element_count != 0) return listed_elements(def, blueprint, scratch, out, error);
    if (def->fill > 0) return filled_elements(def, blueprint, scratch, out, error);
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "clusters of elements need a list of these, or a filled surface");
}
