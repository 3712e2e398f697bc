/* What an implicit substep works in, cut from one block. */
#include "base/memory.h"
#include "solve/implicit.h"

static size_t aligned(size_t bytes) {
    return (bytes + SUPI_ALIGNMENT - 1) / SUPI_ALIGNMENT * SUPI_ALIGNMENT;
}

/* The next `bytes` of the memory, which is NULL where only the size is asked for. */
static void* cut(char* memory, size_t* used, size_t bytes) {
    void* here = memory ? memory + *used : NULL;
    *used += aligned(bytes);
    return here;
}

static void place_levels(int32_t row_count, char* memory, size_t* used, supi_levels* out) {
    *out = supi_levels_of(row_count);
    for (int32_t i = 0; i < out->count; i++) {
        supi_spring_level* level = out->level + i;
        size_t count = (size_t)level->count;
        level->rows = cut(memory, used, count * sizeof *level->rows);
        level->r = cut(memory, used, 8 * count * sizeof *level->r);
        level->steps = cut(memory, used, count * sizeof *level->steps);
    }
    if (out->count == 0) return;
    size_t groups = 8 * (size_t)out->level[0].count;
    out->steps = cut(memory, used, groups * sizeof *out->steps);
    out->of = cut(memory, used, (size_t)row_count * sizeof *out->of);
    out->members = cut(memory, used, 8 * groups * sizeof *out->members);
}

static size_t place(const supi_spring_net* net, char* memory, supi_implicit_scratch* out) {
    size_t used = 0, rows = (size_t)net->row_count;
    sup_row** const vectors[] = {&out->b, &out->r, &out->p, &out->g, &out->x, &out->v, &out->z};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = cut(memory, &used, (rows + 8) * sizeof(sup_row));
    }
    out->tangents = cut(memory, &used, (size_t)net->column_count * sizeof *out->tangents);
    out->rows = cut(memory, &used, rows / 8 * sizeof *out->rows);
    out->steps = cut(memory, &used, rows / 8 * sizeof *out->steps);
    place_levels(net->row_count, memory, &used, &out->levels);
    out->parts = cut(memory, &used, (size_t)supi_implicit_pieces(net) * sizeof *out->parts);
    return used;
}

size_t supi_implicit_scratch_size(const supi_spring_net* net) {
    supi_implicit_scratch unused;
    return place(net, NULL, &unused);
}

supi_implicit_scratch supi_implicit_scratch_place(const supi_spring_net* net, void* memory) {
    supi_implicit_scratch scratch;
    place(net, memory, &scratch);
    return scratch;
}
