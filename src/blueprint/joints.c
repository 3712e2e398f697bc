#include "blueprint/joints.h"

#include "base/error.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#include <stdio.h>
#include <string.h>

/* ---- Particles off a line ---- */

/* Rows that were seen so far: do they span a plane? */
typedef struct spread {
    int32_t count;
    double first[3], axis[3], longest, widest;
} spread;

static bool spans_plane(const spread* s) { return s->count >= 3 && s->widest > 1e-3 * s->longest; }

static void spread_add(spread* s, const sup_vec3* point) {
    double p[3], d[3], side[3];
    supi_vector_from(point, p);
    if (s->count++ == 0) {
        for (int k = 0; k < 3; k++) s->first[k] = p[k];
        return;
    }
    supi_vector_subtract(p, s->first, d);
    double length = supi_vector_length(d);
    supi_vector_cross(s->axis, d, side);
    double width = s->longest > 0 ? supi_vector_length(side) / s->longest : 0.0;
    s->widest = width > s->widest ? width : s->widest;
    if (length > s->longest) {
        s->longest = length;
        for (int k = 0; k < 3; k++) s->axis[k] = d[k];
    }
}

/* ---- Parts ---- */

typedef struct joint_search {
    const supi_groups* groups;
    const sup_blueprint* blueprint;
    supi_group_index index;
    int32_t* mark;    /* by row: the group at work; -2: without weight */
    int32_t* parent;  /* by group: firmly joined */
    int32_t* related; /* by group: joined at all */
} joint_search;

static bool search_begin(joint_search* s, supi_arena* scratch) {
    const sup_blueprint* b = s->blueprint;
    int32_t rows = b->info.particle_count;
    s->mark = supi_arena_push(scratch, (size_t)rows, sizeof *s->mark);
    s->parent = supi_arena_push(scratch, (size_t)s->groups->count, sizeof *s->parent);
    s->related = supi_arena_push(scratch, (size_t)s->groups->count, sizeof *s->related);
    if (!s->mark || !s->parent || !s->related ||
        !supi_groups_invert(scratch, s->groups, rows, &s->index)) {
        return false;
    }
    for (int32_t r = 0; r < rows; r++) s->mark[r] = -1;
    for (int32_t i = 0; i < b->weightless_count; i++) s->mark[b->weightless[i]] = -2;
    for (int32_t g = 0; g < s->groups->count; g++) s->parent[g] = s->related[g] = g;
    return true;
}

/* Do the rows that the marked group shares with h span a plane? */
static bool firmly_joined(const joint_search* s, int32_t g, int32_t h) {
    const supi_groups* groups = s->groups;
    spread shared = {0};
    for (int32_t i = groups->starts[h]; i < groups->starts[h + 1]; i++) {
        if (s->mark[groups->members[i]] != g) continue;
        spread_add(&shared, s->blueprint->rest + groups->members[i]);
        if (spans_plane(&shared)) return true;
    }
    return false;
}

static void join_neighbours(joint_search* s, int32_t g) {
    const supi_groups* groups = s->groups;
    int32_t *mark = s->mark, *members = groups->members;
    for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
        if (mark[members[i]] != -2) mark[members[i]] = g;
    }
    for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
        int32_t row = members[i];
        if (mark[row] == -2) continue;
        for (int32_t j = s->index.starts[row]; j < s->index.starts[row + 1]; j++) {
            int32_t h = s->index.groups[j];
            if (h <= g) continue;
            if (supi_union_root(s->parent, h) == supi_union_root(s->parent, g)) continue;
            supi_union_join(s->related, g, h);
            if (firmly_joined(s, g, h)) supi_union_join(s->parent, g, h);
        }
    }
}

/* ---- Joints between parts ---- */

/* The parts as groups of the particles that hold them, numbered as their lowest groups are. */
static bool list_parts(joint_search* s, supi_arena* scratch, supi_groups* parts) {
    const supi_groups* groups = s->groups;
    size_t total = (size_t)groups->starts[groups->count];
    int32_t* pair_parts = supi_arena_push(scratch, total, sizeof *pair_parts);
    int32_t* pair_rows = supi_arena_push(scratch, total, sizeof *pair_rows);
    if (!pair_parts || !pair_rows) return false;
    int32_t used = 0;
    for (int32_t g = 0; g < groups->count; g++) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            if (s->mark[groups->members[i]] == -2) continue;
            pair_parts[used] = supi_union_root(s->parent, g);
            pair_rows[used++] = groups->members[i];
        }
    }
    return supi_groups_from_pairs(scratch, used, pair_parts, pair_rows, parts);
}

/* The first group of a part that holds a row. */
static int32_t group_in(joint_search* s, int32_t row, int32_t root) {
    int32_t j = s->index.starts[row];
    while (supi_union_root(s->parent, s->index.groups[j]) != root) j++;
    return s->index.groups[j];
}

/* Looks at what the marked part p shares with q. */
static void find_joint(joint_search* s, const supi_groups* parts, const int32_t* roots, int32_t p,
                       int32_t q, supi_joints* out) {
    spread shared = {0};
    int32_t rows[2] = {-1, -1};
    for (int32_t i = parts->starts[q]; i < parts->starts[q + 1]; i++) {
        int32_t row = parts->members[i];
        if (s->mark[row] != p) continue;
        if (shared.count < 2) rows[shared.count] = row;
        spread_add(&shared, s->blueprint->rest + row);
    }
    if (spans_plane(&shared)) return; /* many small joints that are firm together */
    supi_joint* joint = shared.count == 1 ? &out->balls : &out->hinges;
    if (joint->count++ > 0) return;
    joint->groups[0] = group_in(s, rows[0], roots[p]);
    joint->groups[1] = group_in(s, rows[0], roots[q]);
    memcpy(joint->rows, rows, sizeof rows);
}

static bool find_joints(joint_search* s, supi_arena* scratch, supi_joints* out) {
    supi_groups parts;
    supi_group_index index;
    int32_t* roots = supi_arena_push(scratch, (size_t)out->part_count, sizeof *roots);
    int32_t* seen = supi_arena_push(scratch, (size_t)out->part_count, sizeof *seen);
    if (!roots || !seen || !list_parts(s, scratch, &parts) ||
        !supi_groups_invert(scratch, &parts, s->blueprint->info.particle_count, &index)) {
        return false;
    }
    for (int32_t g = 0, part = 0; g < s->groups->count; g++) {
        if (supi_union_root(s->parent, g) == g) roots[part++] = g;
    }
    for (int32_t i = 0; i < parts.starts[parts.count]; i++) s->mark[parts.members[i]] = -1;
    for (int32_t p = 0; p < parts.count; p++) {
        for (int32_t i = parts.starts[p]; i < parts.starts[p + 1]; i++) {
            s->mark[parts.members[i]] = p;
        }
        for (int32_t i = parts.starts[p]; i < parts.starts[p + 1]; i++) {
            int32_t row = parts.members[i];
            for (int32_t j = index.starts[row]; j < index.starts[row + 1]; j++) {
                int32_t q = index.groups[j];
                if (q <= p || seen[q] == p + 1) continue;
                seen[q] = p + 1;
                find_joint(s, &parts, roots, p, q, out);
            }
        }
    }
    return true;
}

/* ---- The whole ---- */

bool supi_joints_find(const supi_groups* groups, const sup_blueprint* blueprint,
                      supi_arena* scratch, supi_joints* out) {
    joint_search s = {.groups = groups, .blueprint = blueprint};
    *out = (supi_joints){.loose = -1};
    if (!search_begin(&s, scratch)) return false;
    for (int32_t g = 0; g < groups->count; g++) join_neighbours(&s, g);
    for (int32_t g = 0; g < groups->count; g++) {
        out->part_count += supi_union_root(s.parent, g) == g;
        if (supi_union_root(s.related, g) != g) continue;
        if (++out->piece_count == 2) out->loose = g;
    }
    return out->part_count == 1 || find_joints(&s, scratch, out);
}

/* Closes the gaps that groups without weight leave. */
static void drop_weightless(supi_groups* groups, const bool* weightless) {
    int32_t kept = 0, used = 0;
    for (int32_t g = 0; g < groups->count; g++) {
        int32_t begin = groups->starts[g], end = groups->starts[g + 1];
        bool weighs = false;
        for (int32_t i = begin; i < end; i++) weighs = weighs || !weightless[groups->members[i]];
        if (!weighs) continue;
        groups->starts[kept++] = used;
        for (int32_t i = begin; i < end; i++) groups->members[used++] = groups->members[i];
    }
    groups->starts[kept] = used;
    groups->count = kept;
}

/* Says what the parts do share, for the end of a refusal. */
static void name_joint(const supi_joints* joints, const sup_blueprint* b, char* text, size_t size) {
    const supi_joint* hinge = &joints->hinges;
    const supi_joint* ball = &joints->balls;
    if (hinge->count > 0) {
        snprintf(text, size, "clusters %d and %d share particles %d and %d and none off their line",
                 (int)hinge->groups[0], (int)hinge->groups[1], (int)b->id_of[hinge->rows[0]],
                 (int)b->id_of[hinge->rows[1]]);
    } else if (ball->count > 0) {
        snprintf(text, size, "clusters %d and %d share particle %d only", (int)ball->groups[0],
                 (int)ball->groups[1], (int)b->id_of[ball->rows[0]]);
    } else {
        snprintf(text, size, "nothing joins cluster %d to cluster 0", (int)joints->loose);
    }
}

/* Refuses particles that no group has; `mark` is all false at first. */
static sup_result check_missing(const supi_groups* groups, const sup_blueprint* b, bool* mark,
                                const char* lack, sup_error* error) {
    int32_t count = 0, lowest = -1;
    for (int32_t i = 0; i < groups->starts[groups->count]; i++) mark[groups->members[i]] = true;
    for (int32_t id = b->info.particle_count - 1; id >= 0; id--) {
        if (mark[b->row_of[id]]) continue;
        lowest = id;
        count++;
    }
    if (count == 0) return SUP_OK;
    char others[48] = "";
    if (count > 1) {
        snprintf(others, sizeof others, ", nor %s %d other%s", count > 2 ? "are" : "is",
                 (int)count - 1, count > 2 ? "s" : "");
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT, "particle %d %s%s", (int)lowest, lack, others);
}

sup_result supi_joints_verify(supi_groups* groups, const sup_blueprint* blueprint,
                              bool allow_joints, supi_arena* scratch, sup_error* error) {
    const sup_blueprint* b = blueprint;
    size_t rows = (size_t)b->info.particle_count;
    bool* weightless = supi_arena_push(scratch, rows, sizeof *weightless);
    bool* named = supi_arena_push(scratch, rows, sizeof *named);
    bool* held = supi_arena_push(scratch, rows, sizeof *held);
    if (!weightless || !named || !held) return supi_error_memory(error);
    for (int32_t i = 0; i < b->weightless_count; i++) weightless[b->weightless[i]] = true;
    sup_result result = check_missing(groups, b, named, "is in none of the clusters", error);
    if (result != SUP_OK) return result;
    drop_weightless(groups, weightless);
    result = check_missing(groups, b, held, "is in no cluster that has mass", error);
    if (result != SUP_OK || allow_joints) return result;
    supi_joints joints;
    if (!supi_joints_find(groups, b, scratch, &joints)) return supi_error_memory(error);
    if (joints.part_count == 1) return SUP_OK;
    char example[160];
    name_joint(&joints, b, example, sizeof example);
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the clusters fall into %d parts that share fewer than 3 particles off a "
                          "line (%s): make the clusters larger or their overlap greater, or allow "
                          "joints",
                          (int)joints.part_count, example);
}
