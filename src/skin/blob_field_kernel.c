/* See blob.h. Samples of a row of a block stand in the lanes. */
#include "skin/blob.h"

#include "geom/pick8.h"
#include "geom/vec8.h"

#include <math.h>

enum { CELLS = SUPI_BLOB_CELLS };

/* The layers of samples along an axis that a ball reaches: first .. last. */
F8_INLINE void reached(float middle, float radius, float low, float per, int32_t* first,
                       int32_t* last) {
    float from = (middle - radius - low) * per, to = (middle + radius - low) * per;
    *first = from > 0.0f ? (from < (float)CELLS ? (int32_t)from : CELLS) : 0;
    *last = to < (float)(CELLS - 1) ? (to > -1.0f ? (int32_t)to : -1) : CELLS - 1;
}

/* Adds the field of one ball. Which rows of a layer it reaches cannot be foretold, so all eight are
   added to: to most it reaches, and a wrong guess costs more than the rest. */
F8_INLINE void add_ball(const supi_blob_list* list, int32_t ball, const float low[3], float spacing,
                        supi_f8 steps, float* values, float* best, float* owners) {
    const sup_row own = list->balls[ball];
    float across[CELLS], radius = sqrtf(1.0f / own.w);
    supi_f8 inverse = f8_set(own.w), zero = f8_set(0.0f), name = f8_set((float)ball), part[CELLS];
    supi_f8 dx = f8_sub(f8_madd(steps, f8_set(spacing), f8_set(low[0])), f8_set(own.x));
    supi_f8 dy = f8_sub(f8_madd(steps, f8_set(spacing), f8_set(low[1])), f8_set(own.y));
    f8_store(across, f8_mul(f8_mul(dy, dy), inverse));
    for (int32_t j = 0; j < CELLS; j++) {
        part[j] = f8_add(f8_mul(f8_mul(dx, dx), inverse), f8_set(across[j]));
    }
    int32_t k0, k1;
    reached(own.z, radius, low[2], 1.0f / spacing, &k0, &k1);
    for (int32_t k = k0; k <= k1; k++) {
        float dz = low[2] + spacing * (float)k - own.z;
        supi_f8 left = f8_set(1.0f - dz * dz * own.w);
        for (int32_t j = 0; j < CELLS; j++) {
            int32_t at = CELLS * (CELLS * k + j);
            supi_f8 t = f8_max(f8_sub(left, part[j]), zero);
            f8_store(values + at, f8_madd(f8_mul(t, t), t, f8_load(values + at)));
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
            if (owners) {
                add_ball(list, ball, low, spacing, steps, to, best, owners);
            } else {
                add_ball(list, ball, low, spacing, steps, to, best, NULL);
            }
        }
        for (int32_t i = 0; p > 0 && i < SUPI_BLOB_SAMPLES; i += 8) {
            f8_store(values + i, f8_max(f8_load(piece + i), f8_load(values + i)));
        }
    }
}

static void above(const float* values, float iso, uint8_t* rows) {
    supi_f8 level = f8_set(iso);
    for (int32_t row = 0; row < SUPI_BLOB_SAMPLES / 8; row++) {
        rows[row] = (uint8_t)m8_bits(f8_less(level, f8_load(values + 8 * row)));
    }
}

/* A piece at places in the lanes, with its gradient over -6 where `slope` is not NULL. */
F8_INLINE supi_f8 sum_piece(const supi_blob_list* list, int32_t piece, vec8 at, vec8* slope) {
    supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f), sum = zero;
    for (int32_t i = list->starts[piece]; i < list->starts[piece + 1]; i++) {
        const sup_row* ball = list->balls + i;
        vec8 d = {f8_sub(at.x, f8_set(ball->x)), f8_sub(at.y, f8_set(ball->y)),
                  f8_sub(at.z, f8_set(ball->z))};
        supi_f8 inverse = f8_set(ball->w);
        supi_f8 t = f8_max(f8_sub(one, f8_mul(dot8(d, d), inverse)), zero), t2 = f8_mul(t, t);
        sum = f8_madd(t2, t, sum);
        if (slope) *slope = along8(*slope, f8_mul(inverse, t2), d);
    }
    return sum;
}

static void values(const supi_blob_list* list, const float places[3][8], float out[8],
                   float gradients[3][8]) {
    vec8 at = load8(places);
    supi_f8 zero = f8_set(0.0f), most = zero, six = f8_set(-6.0f);
    vec8 steepest = {zero, zero, zero};
    for (int32_t p = 0; p < list->piece_count; p++) {
        vec8 slope = {zero, zero, zero};
        supi_f8 own = gradients ? sum_piece(list, p, at, &slope) : sum_piece(list, p, at, NULL);
        supi_m8 more = f8_less(most, own);
        most = f8_select(more, own, most);
        steepest =
            (vec8){f8_select(more, slope.x, steepest.x), f8_select(more, slope.y, steepest.y),
                   f8_select(more, slope.z, steepest.z)};
    }
    f8_store(out, most);
    if (gradients) store8(gradients, scaled8(steepest, six));
}

/* m between coordinates and a span that begins at `low`. */
F8_INLINE supi_f8 gap8(supi_f8 x, float low, float size) {
    supi_f8 below = f8_sub(f8_set(low), x), over = f8_sub(x, f8_set(low + size));
    return f8_max(f8_max(below, over), f8_set(0.0f));
}

static int32_t narrow(const sup_row* balls, int32_t count, const float low[3], float size,
                      int32_t* out) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i += 8) {
        int32_t left = count - i < 8 ? count - i : 8, at[8];
        for (int32_t k = 0; k < 8; k++) at[k] = i + (k < left ? k : 0);
        quat8 ball = gather8(balls, at);
        vec8 gap = {gap8(ball.x, low[0], size), gap8(ball.y, low[1], size),
                    gap8(ball.z, low[2], size)};
        int near = m8_bits(f8_less(f8_mul(dot8(gap, gap), ball.w), f8_set(1.0001f)));
        found += pick8(near & ((1 << left) - 1), i, out + found);
    }
    return found;
}

static int32_t close(const float* const columns[3], int32_t first, int32_t end, const float at[3],
                     float square, int32_t* out) {
    vec8 from = set8(at);
    supi_f8 most = f8_set(square);
    int32_t found = 0;
    for (int32_t i = first; i < end; i += 8) {
        vec8 way = minus8(
            (vec8){f8_load(columns[0] + i), f8_load(columns[1] + i), f8_load(columns[2] + i)},
            from);
        int near = m8_bits(f8_less(dot8(way, way), most));
        if (end - i < 8) near &= (1 << (end - i)) - 1;
        if (near) found += pick8(near, i, out + found);
    }
    return found;
}

const supi_blob_field_kernels SUPI_KERNEL(supi_blob_field_kernels) = {
    SUPI_SIMD_SET, sample, above, values, close, narrow};
