/* Long edges near a place are halved, so that what happens there has points to show it. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "deform/split.h"

#define ROUNDS_MOST 64

/* Splits round after round; *own: `now` is no longer the first fabric. */
static bool split_all(sup_clay* s, const supi_edge_rule* rule, supi_fabric* now, bool* own,
                      int32_t* total) {
    int32_t count = 1;
    for (int round = 0; round < ROUNDS_MOST && count > 0; round++) {
        supi_fabric next;
        if (!supi_split_round(now, s, rule, &s->fresh, &count, &next)) return false;
        if (count == 0) continue;
        if (*own) supi_fabric_free(now);
        *now = next;
        *own = true;
        *total += count;
    }
    return true;
}

sup_result sup_clay_refine(sup_clay* clay, const double centre[3], double reach, double longest,
                           int32_t point_limit, int32_t* split, sup_error* error) {
    SUPI_NEED(error, clay, centre);
    const supi_range ranges[] = {
        {"centre[0]", centre[0], -1e9, 1e9}, {"centre[1]", centre[1], -1e9, 1e9},
        {"centre[2]", centre[2], -1e9, 1e9}, {"reach", reach, 0.0, 1e9},
        {"longest", longest, 1e-9, 1e9},     {"point_limit", point_limit, 0, 1 << 30},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK) return result;
    supi_float_mode mode = supi_float_mode_enter();
    supi_plan_bring_back(&clay->plan, clay->fabric.rows);
    const supi_edge_rule rule = {
        .length = longest,
        .centre = {centre[0], centre[1], centre[2]},
        .reach = reach,
        .budget = INT32_MAX,
        .point_limit = point_limit > 0 ? point_limit : 1 << 30,
    };
    supi_fabric now = clay->fabric;
    bool own = false;
    int32_t total = 0;
    clay->fresh.count = 0;
    bool done = split_all(clay, &rule, &now, &own, &total);
    if (done && own) {
        supi_fabric_free(&clay->fabric);
        clay->fabric = now;
        clay->plan.ready = clay->pulled = clay->remembers = false;
        clay->drift = -1.0;
    } else if (own) {
        supi_fabric_free(&now);
    }
    supi_float_mode_leave(mode);
    if (!done) return supi_error_memory(error);
    supi_clay_tell(clay);
    if (split) *split = total;
    return SUP_OK;
}
