#include "solve/levels.h"

#include "solve/cluster.h"

#include <string.h>

supi_levels supi_levels_of(int32_t row_count) {
    supi_levels levels = {0};
    for (int32_t eights = row_count / 8; eights > 1 && levels.count < SUPI_SPRING_LEVELS;) {
        eights = (eights + 7) / 8;
        levels.level[levels.count++].count = eights;
    }
    return levels;
}

void supi_levels_build(const supi_spring_kernels* kernels, const supi_spring_net* net,
                       const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                       const supi_levels* levels) {
    supi_spring_rows8* groups[SUPI_SPRING_LEVELS];
    for (int32_t i = 0; i < levels->count; i++) {
        const supi_spring_level* level = levels->level + i;
        groups[i] = level->rows;
        memset(level->rows, 0, (size_t)level->count * sizeof *level->rows);
        memset(level->r, 0, 8 * (size_t)level->count * sizeof *level->r);
    }
    kernels->group(net, tangents, rows, groups, levels->count);
    for (int32_t i = 0; i < levels->count; i++) {
        kernels->invert(groups[i], 0, levels->level[i].count);
    }
}

double supi_levels_descend(const supi_spring_kernels* kernels, const supi_levels* levels,
                           int32_t level, int32_t begin, int32_t end) {
    const supi_spring_level* here = levels->level + level;
    sup_row* sums = level + 1 < levels->count ? here[1].r : NULL;
    return kernels->descend(here->rows, begin, end, 0.0f, here->r, here->r, here->steps, sums);
}

/* Groups go where those go that they are part of. */
static void add_steps(const supi_spring_level* level, const supi_spring_level* above) {
    for (int32_t i = 0; i < level->count; i++) {
        const supi_spring_lanes8* from = above->steps + i / 8;
        supi_spring_lanes8* to = level->steps + i;
        int32_t lane = supi_lane_order(i & 7);
        for (int k = 0; k < 8; k++) {
            to->x[k] += from->x[lane];
            to->y[k] += from->y[lane];
            to->z[k] += from->z[lane];
        }
    }
}

double supi_levels_finish(const supi_spring_kernels* kernels, const supi_levels* levels) {
    double sum = 0.0;
    for (int32_t i = 1; i < levels->count; i++) {
        sum += supi_levels_descend(kernels, levels, i, 0, levels->level[i].count);
    }
    for (int32_t i = levels->count - 2; i >= 0; i--) {
        add_steps(levels->level + i, levels->level + i + 1);
    }
    return sum;
}
