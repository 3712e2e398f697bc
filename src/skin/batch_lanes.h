/* What the two blends share: batches in lanes. Only kernel files include it. */
#ifndef SUPPLE_SKIN_BATCH_LANES_H
#define SUPPLE_SKIN_BATCH_LANES_H

#include "base/simd_stream.h"
#include "skin/kernels.h"

typedef struct lanes3 {
    supi_f8 x, y, z;
} lanes3;

F8_INLINE lanes3 lanes3_load(const float* columns) {
    lanes3 v = {f8_load(columns), f8_load(columns + 8), f8_load(columns + 16)};
    return v;
}

F8_INLINE lanes3 lanes3_shift(lanes3 v, const float by[3]) {
    lanes3 to = {f8_add(f8_set(by[0]), v.x), f8_add(f8_set(by[1]), v.y),
                 f8_add(f8_set(by[2]), v.z)};
    return to;
}

/* How rows are written: one by one, in pairs, or in whole lines of memory past the cache. */
typedef enum batch_way { BATCH_ROWS, BATCH_PAIRS, BATCH_LINES } batch_way;

F8_INLINE batch_way batch_find_way(const supi_skin_plan* plan, const supi_skin_drawn* out) {
    const uintptr_t line = SUPI_SKIN_LINE * sizeof(sup_row);
    if (plan->group == 1) return BATCH_ROWS;
    return F8_STREAMS && plan->group == SUPI_SKIN_LINE && (uintptr_t)out->places % line == 0 &&
                   (uintptr_t)out->normals % line == 0 && (uintptr_t)out->tangents % line == 0
               ? BATCH_LINES
               : BATCH_PAIRS;
}

/* Writes the rows of a batch, and sends for those of the next window if they go to the cache. */
F8_INLINE void batch_put(const supi_skin_plan* plan, int32_t batch, batch_way way, lanes3 v,
                         supi_f8 w, sup_row* out) {
    const supi_rows8 rows = rows8_from_lanes(v.x, v.y, v.z, w);
    const uint32_t* at = plan->rows + (way == BATCH_ROWS ? 8 : 4) * batch;
    char* base = (char*)out;
    if (way != BATCH_LINES) rows8_send_for(out + 8 * batch + SUPI_SKIN_WINDOW);
    for (int k = 0; k < 4; k++) {
        if (way == BATCH_ROWS)
            pair_store((sup_row*)(void*)(base + at[2 * k]), (sup_row*)(void*)(base + at[2 * k + 1]),
                       rows.r[k]);
        else if (way == BATCH_PAIRS)
            f8_store((float*)(void*)(base + at[k]), rows.r[k]);
        else
            f8_stream((float*)(void*)(base + at[k]), rows.r[k]);
    }
}

F8_INLINE supi_f8 lanes3_dot(lanes3 a, lanes3 b) {
    return f8_madd(a.z, b.z, f8_madd(a.y, b.y, f8_mul(a.x, b.x)));
}

F8_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    lanes3 c = {f8_sub(f8_mul(a.y, b.z), f8_mul(a.z, b.y)),
                f8_sub(f8_mul(a.z, b.x), f8_mul(a.x, b.z)),
                f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x))};
    return c;
}

/* 0 stays 0. */
F8_INLINE lanes3 lanes3_unit(lanes3 v) {
    supi_f8 square = lanes3_dot(v, v), least = f8_set(1e-30f);
    supi_f8 scale = f8_div(f8_set(1.0f), f8_sqrt(f8_max(square, least)));
    scale = f8_select(f8_less(square, least), f8_set(0.0f), scale);
    lanes3 unit = {f8_mul(v.x, scale), f8_mul(v.y, scale), f8_mul(v.z, scale)};
    return unit;
}

#endif
