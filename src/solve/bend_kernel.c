/* Sums for quadratic goals: a pass of its own, as no processor has registers for all sums at once.
 */
#include "solve/member_lanes.h"

void SUPI_KERNEL(supi_bend_moments)(const supi_span* span, const sup_row* x, const sup_row* v,
                                    const supi_pull* pull, supi_cluster_kind kind,
                                    const float xref[3], float sums[SUPI_SUM_COUNT]);

F8_INLINE void bend_loop(const supi_span* span, const sup_row* x, const sup_row* v,
                         const supi_pull* pull, supi_cluster_kind kind, bool indexed,
                         const float xref[3], float out[3 * SUPI_BEND_TERMS]) {
    const supi_members m = *span->members;
    supi_f8 h = row_of_same(pull->h), a = row_of_three(pull->acceleration);
    bend_lanes bend = spread_bend(span->bend);
    supi_f8 s[3 * SUPI_BEND_TERMS];
    for (int k = 0; k < 3 * SUPI_BEND_TERMS; k++) s[k] = f8_set(0.0f);
    for (int32_t i = span->begin; i < span->end; i += 8) {
        lanes3 d = relative(lanes_of(matched_rows(&m, i, x, v, h, a, kind, indexed)), xref);
        supi_f8 w = f8_load(m.w + i), b[SUPI_BEND_TERMS];
        supi_f8 wd[3] = {f8_mul(w, d.x), f8_mul(w, d.y), f8_mul(w, d.z)};
        bend_terms(&m, i, &bend, b);
        for (int k = 0; k < 3 * SUPI_BEND_TERMS; k++) {
            s[k] = f8_madd(wd[k / SUPI_BEND_TERMS], b[k % SUPI_BEND_TERMS], s[k]);
        }
    }
    for (int k = 0; k < 3 * SUPI_BEND_TERMS; k++) out[k] = f8_sum(s[k]);
}

/* The kind is looked at in the loop: most of the work is the same for all. */
void SUPI_KERNEL(supi_bend_moments)(const supi_span* span, const sup_row* x, const sup_row* v,
                                    const supi_pull* pull, supi_cluster_kind kind,
                                    const float xref[3], float sums[SUPI_SUM_COUNT]) {
    if (span->members->index) {
        bend_loop(span, x, v, pull, kind, true, xref, sums + SUPI_SUM_BEND);
    } else {
        bend_loop(span, x, v, pull, kind, false, xref, sums + SUPI_SUM_BEND);
    }
}
