/* Sums for quadratic goals: loops of their own, as no processor has registers for all sums at once.
 */
#include "solve/member_lanes.h"

void SUPI_KERNEL(supi_bend_fill)(const supi_span* span, int32_t begin, int32_t end,
                                 bend_chunk* chunk);
void SUPI_KERNEL(supi_bend_add)(const bend_chunk* chunk, int32_t count,
                                supi_f8 sums[3 * SUPI_BEND_TERMS]);

/* The terms of the members begin .. end-1. */
void SUPI_KERNEL(supi_bend_fill)(const supi_span* span, int32_t begin, int32_t end,
                                 bend_chunk* chunk) {
    const supi_members m = *span->members;
    bend_lanes bend = spread_bend(span->bend);
    for (int32_t i = begin; i < end; i += 8) {
        supi_f8 b[SUPI_BEND_TERMS];
        bend_terms(&m, i, &bend, b);
        keep_terms(chunk, i - begin, b);
    }
}

/* Adds w d b^T of the first `count` members of a chunk. */
void SUPI_KERNEL(supi_bend_add)(const bend_chunk* chunk, int32_t count,
                                supi_f8 sums[3 * SUPI_BEND_TERMS]) {
    for (int k = 0; k < 3; k++) {
        supi_f8 s[SUPI_BEND_TERMS];
        for (int t = 0; t < SUPI_BEND_TERMS; t++) s[t] = sums[SUPI_BEND_TERMS * k + t];
        for (int32_t i = 0; i < count; i += 8) {
            supi_f8 wd = f8_load(chunk->wd[k] + i);
            for (int t = 0; t < SUPI_BEND_TERMS; t++) {
                s[t] = f8_madd(wd, f8_load(chunk->terms[t] + i), s[t]);
            }
        }
        for (int t = 0; t < SUPI_BEND_TERMS; t++) sums[SUPI_BEND_TERMS * k + t] = s[t];
    }
}
