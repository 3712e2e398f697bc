/* Weights that a user brings: painted ones, or those of a file. */
#include "base/error.h"
#include "skin/slots.h"

#include <math.h>

static sup_result check_slot(const supi_skin_given* g, int32_t frame_count, int32_t point,
                             int32_t s, sup_error* error) {
    int32_t begin = g->starts[point], frame = g->frames[s];
    float weight = g->weights[s];
    if (frame < 0 || frame >= frame_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "vertex %d: weight %d is of particle %d, but there are %d", point,
                              s - begin, frame, frame_count);
    }
    if (!(weight >= 0.0f && isfinite(weight))) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "vertex %d: weight %d must be a number of at least 0", point,
                              s - begin);
    }
    for (int32_t k = begin; k < s; k++) {
        if (g->frames[k] != frame) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "vertex %d: particle %d has two weights",
                              point, frame);
    }
    return SUP_OK;
}

static sup_result check_point(const supi_skin_given* g, int32_t frame_count, int32_t point,
                              sup_error* error) {
    int32_t begin = g->starts[point], end = g->starts[point + 1];
    bool any = false;
    if (end < begin || (int64_t)end - begin > SUPI_SKIN_SLOTS) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "vertex %d must have 1 to %d weights", point,
                              (int)SUPI_SKIN_SLOTS);
    }
    for (int32_t s = begin; s < end; s++) {
        sup_result result = check_slot(g, frame_count, point, s, error);
        if (result != SUP_OK) return result;
        any = any || g->weights[s] > 0.0f;
    }
    if (any) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "vertex %d has no weight above 0", point);
}

/* The strongest comes first and is the home. */
static int32_t take_point(void* state, int32_t i, supi_slot out[SUPI_SKIN_SLOTS], int32_t* home) {
    const supi_skin_given* g = state;
    int32_t count = 0;
    for (int32_t s = g->starts[i]; s < g->starts[i + 1]; s++) {
        supi_slot slot = {g->frames[s], (double)g->weights[s]}, dropped;
        count = supi_slots_insert(out, count, SUPI_SKIN_SLOTS, slot, &dropped);
    }
    *home = out[0].frame;
    return supi_slots_share(out, count);
}

sup_result supi_skin_take(const supi_skin_given* given, int32_t frame_count, int32_t count,
                          sup_vec3* rest, supi_arena* arena, supi_arena* scratch, supi_skin* out,
                          sup_error* error) {
    if (given->starts[0] != 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the weights of vertex 0 must come first");
    }
    for (int32_t i = 0; i < count; i++) {
        sup_result result = check_point(given, frame_count, i, error);
        if (result != SUP_OK) return result;
    }
    supi_skin_given state = *given;
    return supi_slots_fill(count, rest, SUPI_SKIN_SLOTS, take_point, &state, arena, scratch, out)
               ? SUP_OK
               : supi_error_memory(error);
}
