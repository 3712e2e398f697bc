/* Clusters by overlapping cubes. Space is divided, not the point set: a cube that two fingers pass
 * becomes two clusters. */
#include "base/error.h"
#include "base/number.h"
#include "blueprint/groups.h"
#include "geom/point_tree.h"
#include "geom/sort.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct cube_lattice {
    double origin[3], edge, stride;
} cube_lattice;

/* Cubes [origin + c stride, origin + c stride + edge) that contain x; rounding must not make one
 * below the first. */
static void cube_range(const cube_lattice* l, int axis, double x, int32_t* first, int32_t* last) {
    double offset = x - l->origin[axis];
    *last = (int32_t)floor(offset / l->stride);
    *first = (int32_t)floor((offset - l->edge) / l->stride) + 1;
    if (*first < 0) *first = 0;
}

/* Pairs (cube, row), ordered by cube and then row. */
static sup_result assign_rows(const cube_lattice* l, const sup_blueprint* b, supi_arena* scratch,
                              int32_t* pair_count, uint64_t** cubes, int32_t** rows,
                              sup_error* error) {
    int64_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        int32_t used = 0;
        for (int32_t row = 0; row < b->info.particle_count; row++) {
            double p[3];
            int32_t first[3], last[3];
            supi_vector_from(b->rest + row, p);
            for (int k = 0; k < 3; k++) cube_range(l, k, p[k], &first[k], &last[k]);
            if (pass == 0) {
                total += (int64_t)(last[0] - first[0] + 1) * (last[1] - first[1] + 1) *
                         (last[2] - first[2] + 1);
                continue;
            }
            for (int32_t x = first[0]; x <= last[0]; x++) {
                for (int32_t y = first[1]; y <= last[1]; y++) {
                    for (int32_t z = first[2]; z <= last[2]; z++) {
                        (*cubes)[used] = (uint64_t)x << 42 | (uint64_t)y << 21 | (uint64_t)z;
                        (*rows)[used++] = row;
                    }
                }
            }
        }
        if (pass == 1) break;
        if (total > INT32_MAX / 2) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "the cubes give too many memberships");
        }
        *pair_count = (int32_t)total;
        *cubes = supi_arena_push(scratch, (size_t)total, sizeof **cubes);
        *rows = supi_arena_push(scratch, (size_t)total, sizeof **rows);
        if (!*cubes || !*rows) return supi_error_memory(error);
    }
    uint64_t* other_cubes = supi_arena_push(scratch, (size_t)total, sizeof **cubes);
    int32_t* other_rows = supi_arena_push(scratch, (size_t)total, sizeof **rows);
    if (!other_cubes || !other_rows) return supi_error_memory(error);
    supi_sort_keys(*pair_count, *cubes, *rows, other_cubes, other_rows);
    return SUP_OK;
}

/* Who hangs on whom inside a cube: mesh edges, and for particles off the surface whoever is near.
 */
typedef struct neighbourhood {
    const sup_blueprint* blueprint;
    int32_t* starts; /* by row */
    int32_t* neighbours;
    int32_t* label;       /* by row: local index in the cube at work, -1 outside */
    double reach;         /* m, for particles off the surface */
    int32_t inside_count; /* lattice particles: their ids follow those of the surface */
} neighbourhood;

static bool neighbourhood_build(const sup_blueprint* b, const int32_t* edges, int32_t edge_count,
                                supi_arena* scratch, neighbourhood* n) {
    int32_t rows = b->info.particle_count;
    n->blueprint = b;
    n->starts = supi_arena_push(scratch, (size_t)rows + 2, sizeof(int32_t));
    n->neighbours = supi_arena_push(scratch, 2 * (size_t)edge_count, sizeof(int32_t));
    n->label = supi_arena_push(scratch, (size_t)rows, sizeof(int32_t));
    if (!n->starts || !n->neighbours || !n->label) return false;
    for (int32_t i = 0; i < 2 * edge_count; i++) n->starts[edges[i] + 2]++;
    for (int32_t r = 0; r < rows; r++) n->starts[r + 2] += n->starts[r + 1];
    for (int32_t i = 0; i < 2 * edge_count; i++) {
        n->neighbours[n->starts[edges[i] + 1]++] = edges[i ^ 1];
    }
    for (int32_t r = 0; r < rows; r++) n->label[r] = -1;
    return true;
}

static bool on_surface(const sup_blueprint* b, int32_t row) {
    return b->id_of[row] < b->info.surface_particle_count;
}

/* Does a row off the surface hang on a near one of the surface, seen by `d`? A lattice particle
   sees the surface from inside only: what faces it from across a gap is another finger. */
static bool hangs_on(const neighbourhood* n, int32_t row, int32_t other, const double d[3]) {
    const sup_blueprint* b = n->blueprint;
    bool lattice = b->id_of[row] - b->info.surface_particle_count < n->inside_count;
    if (!lattice || !b->outward) return true;
    double outward[3];
    supi_vector_from(b->outward + other, outward);
    return supi_vector_dot(outward, d) >= 0;
}

/* The rows of one cube off the surface. */
typedef struct inner_rows {
    int32_t count;
    int32_t* places; /* among the rows of the cube */
    sup_vec3* points;
    int32_t* parent;
    int32_t* near; /* room for those near one of the surface */
    supi_point_tree tree;
} inner_rows;

static bool inner_rows_find(const neighbourhood* n, int32_t count, const int32_t* rows,
                            supi_arena* scratch, inner_rows* out) {
    const sup_blueprint* b = n->blueprint;
    size_t most = (size_t)count;
    *out = (inner_rows){.places = supi_arena_push(scratch, most, sizeof *out->places),
                        .points = supi_arena_push(scratch, most, sizeof *out->points),
                        .parent = supi_arena_push(scratch, most, sizeof *out->parent),
                        .near = supi_arena_push(scratch, most, sizeof *out->near)};
    if (!out->places || !out->points || !out->parent || !out->near) return false;
    for (int32_t i = 0; i < count; i++) {
        if (on_surface(b, rows[i])) continue;
        out->places[out->count] = i;
        out->parent[out->count] = out->count;
        out->points[out->count++] = b->rest[rows[i]];
    }
    return out->count == 0 || supi_point_tree_build(scratch, out->count, out->points, &out->tree);
}

/* Rows off the surface hang on each other, and on those of the surface. */
static void connect_inner(const neighbourhood* n, int32_t count, const int32_t* rows,
                          const inner_rows* inner, int32_t* parent) {
    const sup_blueprint* b = n->blueprint;
    double limit = n->reach * n->reach;
    supi_point_tree_join(&inner->tree, limit, inner->parent);
    for (int32_t i = 0; i < inner->count; i++) {
        int32_t root = supi_union_root(inner->parent, i);
        supi_union_join(parent, inner->places[i], inner->places[root]);
    }
    for (int32_t i = 0; i < count; i++) {
        if (!on_surface(b, rows[i])) continue;
        double p[3];
        supi_vector_from(b->rest + rows[i], p);
        int32_t found = supi_point_tree_within(&inner->tree, p, limit, inner->near);
        for (int32_t k = 0; k < found; k++) {
            int32_t place = inner->places[inner->near[k]];
            double q[3], d[3];
            supi_vector_from(b->rest + rows[place], q);
            supi_vector_subtract(p, q, d);
            if (supi_vector_dot(d, d) < limit && hangs_on(n, rows[place], rows[i], d)) {
                supi_union_join(parent, i, place);
            }
        }
    }
}

/* Fills parent[i] for the `count` rows of one cube: equal roots hang together. False: no memory. */
static bool connect_rows(const neighbourhood* n, int32_t count, const int32_t* rows,
                         int32_t* parent) {
    for (int32_t i = 0; i < count; i++) {
        parent[i] = i;
        n->label[rows[i]] = i;
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t e = n->starts[rows[i]]; e < n->starts[rows[i] + 1]; e++) {
            int32_t other = n->label[n->neighbours[e]];
            if (other >= 0) supi_union_join(parent, i, other);
        }
    }
    for (int32_t i = 0; i < count; i++) n->label[rows[i]] = -1;
    supi_arena scratch; /* of this cube */
    inner_rows inner;
    supi_arena_init(&scratch, n->blueprint->arena.allocator);
    bool found = inner_rows_find(n, count, rows, &scratch, &inner);
    if (found && inner.count > 0) connect_inner(n, count, rows, &inner, parent);
    supi_arena_free(&scratch);
    return found;
}

/* What counting shared rows needs. */
typedef struct overlap_counter {
    const supi_groups* groups;
    const supi_group_index* index;
    int32_t* shared; /* by group, zero between calls */
} overlap_counter;

static int32_t group_size(const supi_groups* groups, int32_t g) {
    return groups->starts[g + 1] - groups->starts[g];
}

static bool comes_first(const supi_groups* groups, int32_t g, int32_t h) {
    int32_t difference = group_size(groups, g) - group_size(groups, h);
    return difference < 0 || (difference == 0 && g < h);
}

/* The group that shares most rows with g (of equals the smallest, then the lowest id), or -1;
 *containing: one that holds all of g and is larger, or equal with a lower id. */
static int32_t count_overlaps(overlap_counter* c, int32_t g, int32_t* containing) {
    const supi_groups* groups = c->groups;
    int32_t best = -1, most = 0, size = group_size(groups, g);
    *containing = -1;
    for (int pass = 0; pass < 3; pass++) { /* count, judge, clear */
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            int32_t row = groups->members[i];
            for (int32_t j = c->index->starts[row]; j < c->index->starts[row + 1]; j++) {
                int32_t h = c->index->groups[j];
                if (h == g) continue;
                if (pass == 0) c->shared[h]++;
                if (pass == 1) {
                    if (c->shared[h] > most ||
                        (c->shared[h] == most && comes_first(groups, h, best))) {
                        most = c->shared[h];
                        best = h;
                    }
                    bool larger =
                        group_size(groups, h) > size || (group_size(groups, h) == size && h < g);
                    if (c->shared[h] == size && larger) *containing = h;
                }
                if (pass == 2) c->shared[h] = 0;
            }
        }
    }
    return best;
}

/* Drops groups that lie inside another and gives those of fewer than `least` rows to the neighbour
   that shares most with them; two small ones may be enough for each other, so that a third has to
   wait. *merged: the latter happened, and there may be more to do. */
static bool merge_groups(const sup_blueprint* b, int32_t least, supi_arena* scratch,
                         const supi_groups* groups, supi_groups* out, bool* merged) {
    supi_group_index index;
    int32_t total = groups->starts[groups->count];
    int32_t* parent = supi_arena_push(scratch, (size_t)groups->count, sizeof *parent);
    int32_t* shared = supi_arena_push(scratch, (size_t)groups->count, sizeof *shared);
    bool* grown = supi_arena_push(scratch, (size_t)groups->count, sizeof *grown);
    int32_t* pair_groups = supi_arena_push(scratch, (size_t)total, sizeof *pair_groups);
    int32_t* pair_rows = supi_arena_push(scratch, (size_t)total, sizeof *pair_rows);
    if (!parent || !shared || !grown || !pair_groups || !pair_rows ||
        !supi_groups_invert(scratch, groups, b->info.particle_count, &index)) {
        return false;
    }
    overlap_counter counter = {groups, &index, shared};
    *merged = false;
    for (int32_t g = 0; g < groups->count; g++) parent[g] = g;
    for (int32_t g = 0; g < groups->count; g++) {
        int32_t containing, best = count_overlaps(&counter, g, &containing);
        if (containing >= 0) {
            supi_union_join(parent, g, containing);
        } else if (group_size(groups, g) < least && best >= 0 && !grown[g]) {
            *merged = true;
            bool small = group_size(groups, best) < least;
            if (small && grown[best]) continue;
            grown[g] = grown[best] = true;
            supi_union_join(parent, g, best);
        }
    }
    int32_t used = 0;
    for (int32_t g = 0; g < groups->count; g++) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            pair_groups[used] = supi_union_root(parent, g);
            pair_rows[used++] = groups->members[i];
        }
    }
    return supi_groups_from_pairs(scratch, used, pair_groups, pair_rows, out);
}

/* Does so until nothing is left to do. Groups only become fewer, so that they stay in their arrays,
   and each pass gives its memory back. */
static bool tidy_groups(const sup_blueprint* b, int32_t least, supi_groups* groups) {
    for (bool merged = true; merged;) {
        supi_arena pass;
        supi_groups fewer;
        supi_arena_init(&pass, b->arena.allocator);
        bool enough = merge_groups(b, least, &pass, groups, &fewer, &merged);
        if (enough) {
            groups->count = fewer.count;
            memcpy(groups->starts, fewer.starts, ((size_t)fewer.count + 1) * sizeof *fewer.starts);
            memcpy(groups->members, fewer.members,
                   (size_t)fewer.starts[fewer.count] * sizeof *fewer.members);
        }
        supi_arena_free(&pass);
        if (!enough) return false;
    }
    return true;
}

static sup_result check_edge(const sup_blueprint_def* def, const sup_blueprint* b, double* edge,
                             double* spacing, sup_error* error) {
    *spacing = def->fill > b->info.spacing ? def->fill : b->info.spacing;
    *edge = def->cube > 0 ? def->cube : 4.0 * *spacing;
    if (!(*edge > 2.0 * *spacing)) {
        char edge_text[32], spacing_text[32];
        supi_number_write_float((float)*edge, edge_text);
        supi_number_write_float((float)*spacing, spacing_text);
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cubes of %s m are too small: the particles are %s m apart, and a "
                              "cube needs more than twice that",
                              edge_text, spacing_text);
    }
    if (b->info.size / *edge > 1e5) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the cubes are too small for the body");
    }
    return SUP_OK;
}

sup_result supi_cubes_build(const sup_blueprint_def* def, const sup_blueprint* blueprint,
                            const int32_t* edges, int32_t edge_count, supi_arena* scratch,
                            supi_groups* out, sup_error* error) {
    const sup_blueprint* b = blueprint;
    cube_lattice lattice;
    double spacing;
    sup_result result = check_edge(def, b, &lattice.edge, &spacing, error);
    if (result != SUP_OK) return result;
    lattice.stride = lattice.edge * (1.0 - def->overlap);
    for (int k = 0; k < 3; k++) lattice.origin[k] = DBL_MAX;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double p[3];
        supi_vector_from(b->rest + r, p);
        for (int k = 0; k < 3; k++) {
            /* A little lower still: particles of a lattice must not lie on faces of cubes, where
             * rounding decides. */
            double low = p[k] - lattice.edge * def->overlap - 0.01 * spacing;
            lattice.origin[k] = low < lattice.origin[k] ? low : lattice.origin[k];
        }
    }
    int32_t pair_count = 0;
    uint64_t* cubes = NULL;
    int32_t* rows = NULL;
    result = assign_rows(&lattice, b, scratch, &pair_count, &cubes, &rows, error);
    if (result != SUP_OK) return result;

    neighbourhood near = {.reach = 1.8 * spacing};
    near.inside_count = b->info.particle_count - b->info.surface_particle_count - def->point_count;
    int32_t* parent = supi_arena_push(scratch, (size_t)b->info.particle_count, sizeof *parent);
    int32_t* groups = supi_arena_push(scratch, (size_t)pair_count, sizeof *groups);
    if (!parent || !groups || !neighbourhood_build(b, edges, edge_count, scratch, &near)) {
        return supi_error_memory(error);
    }
    /* Each component of each cube is a group, named by the place of its first pair. */
    for (int32_t begin = 0, end; begin < pair_count; begin = end) {
        for (end = begin; end < pair_count && cubes[end] == cubes[begin];) end++;
        if (edge_count > 0 && !connect_rows(&near, end - begin, rows + begin, parent)) {
            return supi_error_memory(error);
        }
        for (int32_t i = begin; i < end; i++) {
            groups[i] = begin + (edge_count > 0 ? supi_union_root(parent, i - begin) : 0);
        }
    }
    if (!supi_groups_from_pairs(scratch, pair_count, groups, rows, out)) {
        return supi_error_memory(error);
    }
    return tidy_groups(b, def->least_members, out) ? SUP_OK : supi_error_memory(error);
}
