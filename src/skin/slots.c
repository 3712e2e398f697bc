#include "skin/slots.h"

#include <string.h>

/* Weights are multiples of this part of 1, so that their sum has no rounding. */
static const int32_t weight_parts = 1 << 20;

static bool stronger(const supi_slot* a, const supi_slot* b) {
    return a->weight > b->weight || (a->weight == b->weight && a->frame < b->frame);
}

int32_t supi_slots_insert(supi_slot* slots, int32_t count, int32_t room, supi_slot candidate,
                          supi_slot* dropped) {
    int32_t at = count;
    while (at > 0 && stronger(&candidate, slots + at - 1)) at--;
    *dropped = at == room ? candidate : count == room ? slots[count - 1] : (supi_slot){-1, 0.0};
    if (at == room) return count;
    if (count < room) count++;
    memmove(slots + at + 1, slots + at, (size_t)(count - 1 - at) * sizeof *slots);
    slots[at] = candidate;
    return count;
}

static void sort_by_frame(supi_slot* slots, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        supi_slot one = slots[i];
        int32_t at = i;
        for (; at > 0 && slots[at - 1].frame > one.frame; at--) slots[at] = slots[at - 1];
        slots[at] = one;
    }
}

/* What rounding leaves goes to the strongest. */
int32_t supi_slots_share(supi_slot* slots, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += slots[i].weight;
    int32_t left = weight_parts, kept = 1;
    for (int32_t i = 1; i < count; i++) {
        int32_t parts = (int32_t)(slots[i].weight / sum * weight_parts);
        left -= parts;
        if (parts > 0) slots[kept++] = (supi_slot){slots[i].frame, parts};
    }
    slots[0].weight = left;
    sort_by_frame(slots, kept);
    for (int32_t i = 0; i < kept; i++) slots[i].weight /= weight_parts;
    return kept;
}

/* How many slots there are is known at the end. */
bool supi_slots_fill(int32_t count, sup_vec3* rest, int32_t most, supi_slots_choose choose,
                     void* state, supi_arena* arena, supi_arena* scratch, supi_skin* out) {
    *out = (supi_skin){.count = count, .rest = rest};
    if (count > INT32_MAX / SUPI_SKIN_SLOTS) return false;
    size_t points = (size_t)count;
    supi_slot* slots = supi_arena_push(scratch, points * (size_t)most, sizeof *slots);
    out->home = supi_arena_push(arena, points, sizeof *out->home);
    out->starts = supi_arena_push(arena, points + 1, sizeof *out->starts);
    if (!slots || !out->home || !out->starts) return false;
    for (int32_t i = 0; i < count; i++) {
        supi_slot chosen[SUPI_SKIN_SLOTS];
        int32_t begin = out->starts[i], used = choose(state, i, chosen, out->home + i);
        memcpy(slots + begin, chosen, (size_t)used * sizeof *slots);
        out->starts[i + 1] = begin + used;
    }
    int32_t used = out->starts[count];
    out->frames = supi_arena_push(arena, (size_t)used, sizeof *out->frames);
    out->weights = supi_arena_push(arena, (size_t)used, sizeof *out->weights);
    if (!out->frames || !out->weights) return false;
    for (int32_t i = 0; i < used; i++) {
        out->frames[i] = slots[i].frame;
        out->weights[i] = (float)slots[i].weight;
    }
    return true;
}
