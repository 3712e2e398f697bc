/* See blob.h. Samples of a row of a block stand in the lanes. */
#include "skin/blob.h"

#include "geom/vec8.h"

#include <math.h>

enum { CELLS = SUPI_BLOB_CELLS };

/* The rows of samples along an axis that a ball reaches: first .. last. */
F8_INLINE void reached(float middle, float radius, float low, float per, int32_t* first,
                       int32_t* last) {
    float from = (middle - radius - low) * per, to = (middle + radius - low) * per;
    *first = from > 0.0f ? (from < (float)CELLS ? (int32_t)from : CELLS) : 0;
    *last = to < (float)(CELLS - 1) ? (to > -1.0f ? (int32_t)to : -1) : CELLS - 1;
}

/* Adds the field of one ball. */
F8_INLINE void add_ball(const supi_blob_list* list, int32_t ball, const float low[3], float spacing,
                        supi_f8 steps, float* values, float* best, float* owners) {
    float inverse = list->inverse[ball];
    float radius = sqrtf(1.0f / inverse), per = 1.0f / spacing;
    supi_f8 dx = f8_sub(f8_madd(steps, f8_set(spacing), f8_set(low[0])), f8_set(list->x[ball]));
    supi_f8 dx2 = f8_mul(dx, dx), zero = f8_set(0.0f), name = f8_set((float)ball);
    int32_t j0, j1, k0, k1;
    reached(list->y[ball], radius, low[1], per, &j0, &j1);
    reached(list->z[ball], radius, low[2], per, &k0, &k1);
    for (int32_t k = k0; k <= k1; k++) {
        float dz = low[2] + spacing * (float)k - list->z[ball];
        for (int32_t j = j0; j <= j1; j++) {
            float dy = low[1] + spacing * (float)j - list->y[ball], across = dy * dy + dz * dz;
            float left = 1.0f - across * inverse;
            if (!(left > 0.0f)) continue;
            int32_t at = CELLS * (CELLS * k + j);
            supi_f8 t = f8_max(f8_sub(f8_set(left), f8_mul(dx2, f8_set(inverse))), zero);
            supi_f8 cube = f8_mul(f8_mul(t, t), t);
            f8_store(values + at, f8_add(f8_load(values + at), cube));
            if (!owners) continue;
            supi_f8 most = f8_load(best + at);
            supi_m8 more = f8_less(most, t);
            f8_store(best + at, f8_select(more, t, most));
            f8_store(owners + at, f8_select(more, name, f8_load(owners + at)));
        }
    }
}

static void sample(const supi_blob_list* list, const float low[3], float spacing, float* values,
                   float* owners) {
    static const float lanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    float piece[SUPI_BLOB_SAMPLES], best[SUPI_BLOB_SAMPLES];
    supi_f8 steps = f8_load(lanes), zero = f8_set(0.0f);
    for (int32_t i = 0; i < SUPI_BLOB_SAMPLES; i += 8) {
        f8_store(values + i, zero);
        f8_store(best + i, zero);
        if (owners) f8_store(owners + i, f8_set(-1.0f));
    }
    for (int32_t p = 0; p < list->piece_count; p++) {
        float* to = p == 0 ? values : piece;
        if (p > 0) {
            for (int32_t i = 0; i < SUPI_BLOB_SAMPLES; i += 8) f8_store(piece + i, zero);
        }
        for (int32_t ball = list->starts[p]; ball < list->starts[p + 1]; ball++) {
            add_ball(list, ball, low, spacing, steps, to, best, owners);
        }
        for (int32_t i = 0; p > 0 && i < SUPI_BLOB_SAMPLES; i += 8) {
            f8_store(values + i, f8_max(f8_load(piece + i), f8_load(values + i)));
        }
    }
}

static float value(const supi_blob_list* list, const float place[3], float gradient[3]) {
    vec8 at = set8(place);
    supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    float most = 0.0f;
    for (int k = 0; gradient && k < 3; k++) gradient[k] = 0.0f;
    for (int32_t p = 0; p < list->piece_count; p++) {
        supi_f8 sum = zero;
        vec8 slope = {zero, zero, zero};
        for (int32_t i = list->starts[p]; i < list->starts[p + 1]; i += 8) {
            vec8 ball = {f8_load(list->x + i), f8_load(list->y + i), f8_load(list->z + i)};
            vec8 d = minus8(at, ball);
            supi_f8 inverse = f8_load(list->inverse + i);
            supi_f8 t = f8_max(f8_sub(one, f8_mul(dot8(d, d), inverse)), zero), t2 = f8_mul(t, t);
            sum = f8_add(sum, f8_mul(t2, t));
            if (gradient) slope = along8(slope, f8_mul(inverse, t2), d);
        }
        float own = f8_sum(sum);
        if (!(own > most)) continue;
        most = own;
        if (!gradient) continue;
        gradient[0] = -6.0f * f8_sum(slope.x);
        gradient[1] = -6.0f * f8_sum(slope.y);
        gradient[2] = -6.0f * f8_sum(slope.z);
    }
    return most;
}

const supi_blob_field_kernels SUPI_KERNEL(supi_blob_field_kernels) = {SUPI_SIMD_SET, sample, value};
