#include "solve/patches.h"

#include <string.h>

bool supi_patches_make(supi_arena* arena, int32_t count, int32_t row_count, supi_patches* out) {
    *out = (supi_patches){.count = count, .row_count = row_count};
    if (count > INT32_MAX / SUPI_PATCH_CORNERS) return false;
    size_t slots = SUPI_PATCH_CORNERS * (size_t)count;
    out->rows = supi_arena_push(arena, slots, sizeof *out->rows);
    out->starts = supi_arena_push(arena, (size_t)row_count + 2, sizeof *out->starts);
    out->slots = supi_arena_push(arena, slots, sizeof *out->slots);
    return out->rows && out->starts && out->slots;
}

void supi_patches_sort(supi_patches* p) {
    int32_t slot_count = SUPI_PATCH_CORNERS * p->count;
    memset(p->starts, 0, ((size_t)p->row_count + 2) * sizeof *p->starts);
    /* Counted two places ahead, the starts are in place when the slots are. */
    for (int32_t i = 0; i < slot_count; i++) {
        if (p->rows[i] >= 0) p->starts[p->rows[i] + 2]++;
    }
    for (int32_t r = 1; r <= p->row_count; r++) p->starts[r + 1] += p->starts[r];
    for (int32_t i = 0; i < slot_count; i++) {
        if (p->rows[i] >= 0) p->slots[p->starts[p->rows[i] + 1]++] = i;
    }
}
