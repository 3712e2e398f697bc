/* Weights that a user paints over those that distances give. */
#include "skin/carriers.h"

#include <string.h>

/* What is left of 1 for others, if it is more than rounding. */
static const double least_left = 1e-6;

static bool is_painted(int32_t painted, const sup_skin_weight* paint, int32_t frame) {
    for (int32_t i = 0; i < painted; i++) {
        if (paint[i].particle == frame) return true;
    }
    return false;
}

int32_t supi_carriers_paint(int32_t painted, const sup_skin_weight* paint, int32_t most,
                            int32_t count, supi_slot slots[SUPI_CARRIER_SLOTS], int32_t* home) {
    supi_slot all[SUPI_CARRIER_SLOTS], others[SUPI_CARRIER_SLOTS], dropped;
    int32_t used = 0, other_count = 0;
    double left = 1.0, sum = 0.0;
    for (int32_t i = 0; i < painted; i++) {
        supi_slot own = {paint[i].particle, (double)paint[i].weight};
        used = supi_slots_insert(all, used, most, own, &dropped);
        left -= own.weight;
    }
    int32_t spare = left > least_left ? most - used : 0;
    for (int32_t i = 0; i < count; i++) {
        if (is_painted(painted, paint, slots[i].frame)) continue;
        other_count = supi_slots_insert(others, other_count, spare, slots[i], &dropped);
    }
    for (int32_t i = 0; i < other_count; i++) sum += others[i].weight;
    for (int32_t i = 0; i < other_count; i++) {
        others[i].weight *= left / sum;
        used = supi_slots_insert(all, used, most, others[i], &dropped);
    }
    memcpy(slots, all, (size_t)used * sizeof *all);
    *home = slots[0].frame;
    return supi_slots_share(slots, used);
}
