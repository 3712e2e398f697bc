#include "solve/patches.h"

bool supi_patches_make(supi_arena* arena, int32_t count, supi_patches* out) {
    *out = (supi_patches){.count = count};
    if (count > INT32_MAX / SUPI_PATCH_CORNERS) return false;
    size_t slots = SUPI_PATCH_CORNERS * (size_t)count;
    out->rows = supi_arena_push(arena, slots, sizeof *out->rows);
    return out->rows != NULL;
}

bool supi_patches_sort(supi_arena* arena, int32_t row_count, supi_patches* p) {
    int32_t slot_count = SUPI_PATCH_CORNERS * p->count;
    p->row_count = row_count;
    p->starts = supi_arena_push(arena, (size_t)row_count + 2, sizeof *p->starts);
    p->slots = supi_arena_push(arena, (size_t)slot_count, sizeof *p->slots);
    if (!p->starts || !p->slots) return false;
    /* Counted two places ahead, the starts are in place when the slots are. */
    for (int32_t i = 0; i < slot_count; i++) {
        if (p->rows[i] >= 0) p->starts[p->rows[i] + 2]++;
    }
    for (int32_t r = 1; r <= row_count; r++) p->starts[r + 1] += p->starts[r];
    for (int32_t i = 0; i < slot_count; i++) {
        if (p->rows[i] >= 0) p->slots[p->starts[p->rows[i] + 1]++] = i;
    }
    return true;
}
