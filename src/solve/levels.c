#include "solve/levels.h"

#include <string.h>

supi_levels supi_levels_of(int32_t row_count) {
    supi_levels levels = {0};
    for (int32_t eights = row_count / 8; eights > 1 && levels.count < SUPI_SPRING_LEVELS;) {
        eights = (eights + 7) / 8;
        levels.level[levels.count++].count = eights;
    }
    return levels;
}

/* Slices as groups. */
static void group_slices(int32_t row_count, supi_levels* levels) {
    for (int32_t i = 0; i < row_count; i++) levels->of[i] = i / 8;
    for (int32_t i = 0; i < 64 * levels->level[0].count; i++) {
        int32_t row = (i & ~63) + 8 * (i & 7) + (i >> 3 & 7);
        levels->members[i] = row < row_count ? row : row_count;
    }
    levels->groups = (supi_spring_groups){levels->of, levels->members};
}

void supi_levels_build(const supi_spring_kernels* kernels, const supi_spring_net* net,
                       const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                       supi_levels* levels) {
    supi_spring_rows8* groups[SUPI_SPRING_LEVELS];
    if (levels->count == 0) return;
    for (int32_t i = 0; i < levels->count; i++) {
        const supi_spring_level* level = levels->level + i;
        groups[i] = level->rows;
        memset(level->rows, 0, (size_t)level->count * sizeof *level->rows);
        memset(level->r, 0, 8 * (size_t)level->count * sizeof *level->r);
    }
    levels->groups = net->groups;
    if (!levels->groups.of) group_slices(net->row_count, levels);
    kernels->group(net, levels->groups.of, tangents, rows, groups, levels->count);
    for (int32_t i = 0; i < levels->count; i++) {
        kernels->invert(groups[i], 0, levels->level[i].count);
    }
}

static double descend(const supi_spring_kernels* kernels, const supi_levels* levels, int32_t level,
                      int32_t begin, int32_t end) {
    const supi_spring_level* here = levels->level + level;
    sup_row* sums = level + 1 < levels->count ? here[1].r : NULL;
    return kernels->descend(here->rows, begin, end, 0.0f, here->r, here->r, here->steps, false,
                            sums);
}

double supi_levels_begin(const supi_spring_kernels* kernels, const supi_levels* levels,
                         const sup_row* r, int32_t begin, int32_t end) {
    kernels->collect(levels->groups.members, begin, end, r, levels->level[0].r);
    return descend(kernels, levels, 0, begin, end);
}

double supi_levels_finish(const supi_spring_kernels* kernels, const supi_levels* levels) {
    double sum = 0.0;
    for (int32_t i = 1; i < levels->count; i++) {
        sum += descend(kernels, levels, i, 0, levels->level[i].count);
    }
    for (int32_t i = levels->count - 1; i >= 0; i--) {
        const supi_spring_level* level = levels->level + i;
        kernels->spread(level->count, level->steps, i + 1 < levels->count ? level[1].steps : NULL,
                        i == 0 ? levels->steps : NULL);
    }
    return sum;
}
