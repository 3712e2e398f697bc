/* Clusters from a volume mesh. Elements that share a face share three particles off a line, which
   is what holds clusters together. */
#include "base/error.h"
#include "blueprint/filling.h"
#include "blueprint/groups.h"
#include "geom/twins.h"
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
    sup_result result = supi_twins_check(scratch->allocator, "elements", def->element_count,
                                         corners, def->elements, error);
    if (result != SUP_OK) return result;
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

/* Sites of the filling, and the cells that begin there. */
typedef struct cell_lattice {
    supi_filling filling;
    bool* cell;      /* are all eight from here on there? */
    int32_t* anchor; /* the corner of cells that it goes with: itself, or one near it; -1: none */
} cell_lattice;

/* The site on the lower (0) or upper (1) side of one along an axis; -1: none. */
static int32_t beside(const cell_lattice* l, int32_t site, int axis, int side) {
    return site < 0 ? -1 : l->filling.beside[site][2 * axis + side];
}

/* Corner i of the cell that begins (side 1) or ends (side 0) at a site; -1: there is none, and so
   no full cell. */
static int32_t corner_of(const cell_lattice* l, int32_t site, int i, int side) {
    for (int k = 0; k < 3; k++) {
        if (i >> k & 1) site = beside(l, site, k, side);
    }
    return site;
}

/* Marks full cells and what their corners are; returns how many there are. */
static int32_t find_cells(cell_lattice* l) {
    int32_t found = 0;
    for (int32_t site = 0; site < l->filling.count; site++) l->anchor[site] = -1;
    for (int32_t site = 0; site < l->filling.count; site++) {
        bool full = true;
        for (int i = 1; full && i < 8; i++) full = corner_of(l, site, i, 1) >= 0;
        l->cell[site] = full;
        found += full;
        for (int i = 0; full && i < 8; i++) {
            int32_t corner = corner_of(l, site, i, 1);
            l->anchor[corner] = corner;
        }
    }
    return found;
}

static sup_result lay_cells(cell_lattice* l, const sup_blueprint* b, int32_t count, double spacing,
                            supi_arena* scratch, sup_error* error) {
    l->cell = supi_arena_push(scratch, (size_t)count, sizeof *l->cell);
    l->anchor = supi_arena_push(scratch, (size_t)count, sizeof *l->anchor);
    if (!l->cell || !l->anchor || !supi_filling_lay(b, count, spacing, scratch, &l->filling)) {
        return supi_error_memory(error);
    }
    for (int32_t site = 1; site < count; site++) { /* sites ascend, unless rounding lost them */
        if (l->filling.keys[site] > l->filling.keys[site - 1]) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "floats do not tell particles %d and %d of the filling apart: fill "
                              "less densely, or nearer to the origin",
                              (int)(l->filling.first_id + site - 1),
                              (int)(l->filling.first_id + site));
    }
    if (find_cells(l) > 0) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the filling has no cell of 8 particles: fill more densely, or choose "
                          "cubes");
}

/* Particles of the lattice in no full cell go with a neighbour, or its neighbour, along the axes:
   no gap lies between these. */
static bool anchor_orphans(cell_lattice* l, supi_arena* scratch) {
    int32_t* next = supi_arena_push(scratch, (size_t)l->filling.count, sizeof *next);
    if (!next) return false;
    for (int step = 0; step < ORPHAN_STEPS; step++) {
        for (int32_t site = 0; site < l->filling.count; site++) {
            next[site] = l->anchor[site];
            for (int side = 0; side < 6; side++) {
                int32_t other = l->filling.beside[site][side];
                if (next[site] < 0 && other >= 0) next[site] = l->anchor[other];
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
        int32_t cell = corner_of(l, corner, i, 0);
        if (cell < 0 || !l->cell[cell]) continue;
        if (pairs->cells) {
            pairs->cells[pairs->count] = cell;
            pairs->rows[pairs->count] = row;
        }
        pairs->count++;
    }
}

/* A particle of the lattice: a corner of cells, or with what its neighbours go with. */
static bool join_site(const cell_lattice* l, int32_t site, cell_pairs* pairs) {
    int32_t row = supi_filling_row(&l->filling, site);
    if (l->anchor[site] < 0) return false;
    join_cells(l, l->anchor[site], row, pairs);
    for (int side = 0; side < 6 && l->anchor[site] != site; side++) {
        int32_t other = l->filling.beside[site][side];
        if (other >= 0 && l->anchor[other] >= 0) join_cells(l, l->anchor[other], row, pairs);
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
    const supi_filling* f = &l->filling;
    const sup_blueprint* b = f->blueprint;
    surroundings s = {.last = {-1, -1, -1}};
    supi_vector_from(b->rest + row, s.p);
    double outward[3] = {0, 0, 0};
    if (b->outward) supi_vector_from(b->outward + row, outward);
    for (int k = 0; k < 3; k++) s.p[k] -= 0.5 * f->spacing * outward[k];
    for (int k = 0; k < 3; k++) {
        double at = floor((s.p[k] - f->origin[k]) / f->spacing);
        if (!(at >= -REACH - 1 && at <= f->size[k] + REACH)) continue;
        s.first[k] = (int32_t)at - REACH > 0 ? (int32_t)at - REACH : 0;
        s.last[k] = (int32_t)at + REACH < f->size[k] ? (int32_t)at + REACH : f->size[k] - 1;
    }
    return s;
}

/* Square of the distance to an anchored site; DBL_MAX: it is none. */
static double square_to(const cell_lattice* l, const surroundings* s, int32_t site) {
    double q[3], d[3];
    if (site < 0 || l->anchor[site] < 0) return DBL_MAX;
    supi_vector_from(l->filling.blueprint->rest + supi_filling_row(&l->filling, site), q);
    supi_vector_subtract(q, s->p, d);
    return supi_vector_dot(d, d);
}

/* The nearest anchored site, or -1. */
static int32_t nearest_site(const cell_lattice* l, const surroundings* s) {
    const supi_filling* f = &l->filling;
    double nearest = REACH * f->spacing * REACH * f->spacing;
    int32_t best = -1;
    for (int32_t z = s->first[2]; z <= s->last[2]; z++) {
        for (int32_t y = s->first[1]; y <= s->last[1]; y++) {
            int64_t line = y * f->steps[1] + z * f->steps[2];
            int32_t site = supi_filling_seek(f, line + s->first[0]);
            for (; site < f->count && f->keys[site] <= line + s->last[0]; site++) {
                double square = square_to(l, s, site);
                if (square < nearest) nearest = square, best = site;
            }
        }
    }
    return best;
}

/* A particle off the lattice: with what the nearest site and others near it go with. These are
   reached from the nearest along the axes: what is near across a gap is another finger. */
static bool join_near(const cell_lattice* l, int32_t row, cell_pairs* pairs) {
    enum { NEAR = (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1) };
    int32_t near[NEAR], count = 1;
    surroundings s = look_around(l, row);
    near[0] = nearest_site(l, &s);
    if (near[0] < 0) return false;
    double limit = sqrt(square_to(l, &s, near[0])) + sharing * l->filling.spacing;
    for (int32_t i = 0; i < count; i++) {
        join_cells(l, l->anchor[near[i]], row, pairs);
        for (int side = 0; side < 6; side++) {
            int axis = side / 2;
            int32_t at = supi_filling_index(&l->filling, near[i], axis) + (side % 2 ? 1 : -1);
            int32_t site = l->filling.beside[near[i]][side], k = 0;
            if (at < s.first[axis] || at > s.last[axis]) continue;
            if (square_to(l, &s, site) > limit * limit) continue;
            while (k < count && near[k] != site) k++;
            if (k == count) near[count++] = site;
        }
    }
    return true;
}

static sup_result collect_pairs(const cell_lattice* l, cell_pairs* pairs, sup_error* error) {
    const sup_blueprint* b = l->filling.blueprint;
    pairs->count = 0;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t site = id - l->filling.first_id;
        bool inside = site >= 0 && site < l->filling.count;
        bool joined = inside ? join_site(l, site, pairs) : join_near(l, b->row_of[id], pairs);
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
    cell_lattice lattice;
    int32_t count = b->info.particle_count - b->info.surface_particle_count - def->point_count;
    sup_result result = lay_cells(&lattice, b, count, def->fill, scratch, error);
    if (result != SUP_OK) return result;
    if (!anchor_orphans(&lattice, scratch)) return supi_error_memory(error);
    cell_pairs pairs = {0, NULL, NULL};
    result = collect_pairs(&lattice, &pairs, error);
    if (result != SUP_OK) return result;
    pairs.cells = supi_arena_push(scratch, (size_t)pairs.count, sizeof *pairs.cells);
    pairs.rows = supi_arena_push(scratch, (size_t)pairs.count, sizeof *pairs.rows);
    if (!pairs.cells || !pairs.rows) return supi_error_memory(error);
    result = collect_pairs(&lattice, &pairs, error);
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
