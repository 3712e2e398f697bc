#include "blueprint/groups.h"

#include "base/error.h"
#include "geom/sort.h"
#include "geom/union_find.h"
#include "geom/vector.h"

bool supi_groups_from_pairs(supi_arena* scratch, int32_t pair_count, const int32_t* pair_groups,
                            const int32_t* pair_rows, supi_groups* out) {
    size_t count = (size_t)pair_count;
    uint64_t* keys = supi_arena_push(scratch, count, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, count, sizeof *ids);
    uint64_t* other_keys = supi_arena_push(scratch, count, sizeof *keys);
    int32_t* other_ids = supi_arena_push(scratch, count, sizeof *ids);
    out->starts = supi_arena_push(scratch, count + 1, sizeof *out->starts);
    out->members = supi_arena_push(scratch, count, sizeof *out->members);
    if (!keys || !ids || !other_keys || !other_ids || !out->starts || !out->members) return false;
    for (int32_t i = 0; i < pair_count; i++) {
        keys[i] = (uint64_t)(uint32_t)pair_groups[i] << 32 | (uint32_t)pair_rows[i];
        ids[i] = i;
    }
    supi_sort_keys(pair_count, keys, ids, other_keys, other_ids);
    int32_t used = 0;
    out->count = 0;
    for (int32_t i = 0; i < pair_count; i++) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32) out->starts[out->count++] = used;
        out->members[used++] = (int32_t)(keys[i] & 0xffffffffu);
    }
    out->starts[out->count] = used;
    return true;
}

bool supi_groups_invert(supi_arena* scratch, const supi_groups* groups, int32_t row_count,
                        supi_group_index* out) {
    int32_t total = groups->starts[groups->count];
    out->starts = supi_arena_push(scratch, (size_t)row_count + 2, sizeof *out->starts);
    out->groups = supi_arena_push(scratch, (size_t)total, sizeof *out->groups);
    if (!out->starts || !out->groups) return false;
    /* Counting sort; starts run one ahead while they serve as cursors. */
    for (int32_t i = 0; i < total; i++) out->starts[groups->members[i] + 2]++;
    for (int32_t r = 0; r < row_count; r++) out->starts[r + 2] += out->starts[r + 1];
    for (int32_t g = 0; g < groups->count; g++) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            out->groups[out->starts[groups->members[i] + 1]++] = g;
        }
    }
    return true;
}

/* Do the rows that groups g and h share span a plane? `mark[row] == g` for the rows of g. */
static bool firmly_joined(const supi_groups* groups, int32_t g, int32_t h, const int32_t* mark,
                          const sup_vec3* rest) {
    double first[3], axis[3] = {0, 0, 0}, longest = 0.0, widest = 0.0;
    int32_t shared = 0;
    for (int32_t i = groups->starts[h]; i < groups->starts[h + 1]; i++) {
        int32_t row = groups->members[i];
        if (mark[row] != g) continue;
        double p[3], d[3], side[3];
        supi_vector_from(rest + row, p);
        if (shared++ == 0) {
            for (int k = 0; k < 3; k++) first[k] = p[k];
            continue;
        }
        supi_vector_subtract(p, first, d);
        double length = supi_vector_length(d);
        supi_vector_cross(axis, d, side);
        double width = longest > 0 ? supi_vector_length(side) / longest : 0.0;
        widest = width > widest ? width : widest;
        if (length > longest) {
            longest = length;
            for (int k = 0; k < 3; k++) axis[k] = d[k];
        }
        if (shared >= 3 && widest > 1e-3 * longest) return true;
    }
    return false;
}

sup_result supi_groups_verify(const supi_groups* groups, const sup_blueprint* blueprint,
                              bool allow_joints, supi_arena* scratch, sup_error* error) {
    int32_t rows = blueprint->info.particle_count;
    supi_group_index index;
    int32_t* mark = supi_arena_push(scratch, (size_t)rows, sizeof *mark);
    int32_t* parent = supi_arena_push(scratch, (size_t)groups->count, sizeof *parent);
    if (!mark || !parent || !supi_groups_invert(scratch, groups, rows, &index)) {
        return supi_error_memory(error);
    }
    for (int32_t r = 0; r < rows; r++) {
        if (index.starts[r] == index.starts[r + 1]) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "particle %d belongs to no cluster",
                                  (int)blueprint->id_of[r]);
        }
        mark[r] = -1;
    }
    if (allow_joints) return SUP_OK;
    for (int32_t g = 0; g < groups->count; g++) parent[g] = g;
    for (int32_t g = 0; g < groups->count; g++) {
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            mark[groups->members[i]] = g;
        }
        for (int32_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            int32_t row = groups->members[i];
            for (int32_t j = index.starts[row]; j < index.starts[row + 1]; j++) {
                int32_t h = index.groups[j];
                if (h <= g || supi_union_root(parent, h) == supi_union_root(parent, g)) continue;
                if (firmly_joined(groups, g, h, mark, blueprint->rest)) {
                    supi_union_join(parent, g, h);
                }
            }
        }
    }
    int32_t parts = 0;
    for (int32_t g = 0; g < groups->count; g++) parts += supi_union_root(parent, g) == g;
    if (parts == 1) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the clusters fall into %d parts that share fewer than 3 particles off a "
                          "line: make the cubes larger or the overlap greater, or allow joints",
                          (int)parts);
}
