#include "blueprint/groups.h"

#include "geom/sort.h"

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
