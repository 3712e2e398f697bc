/* See maps.h. */
#include "deform/maps.h"

#include "geom/vec8.h"

/* cbrt(1 + x) for x from 0 to 1: a parabola within 0.2 %, then Halley's step, which cubes the
   error. */
F8_INLINE supi_f8 cbrt_from_one(supi_f8 x) {
    supi_f8 one = f8_set(1.0f), c = f8_add(one, x);
    supi_f8 t = f8_madd(x, f8_madd(x, f8_set(-0.059014f), f8_set(0.318935f)), one);
    supi_f8 cube = f8_mul(f8_mul(t, t), t);
    supi_f8 over = f8_div(f8_sub(cube, c), f8_add(f8_add(cube, cube), c));
    return f8_sub(t, f8_mul(t, over));
}

/* r' = cbrt(r^3 + R^3), written so that nothing overflows; r' - r = R^3 / (r'^2 + r' r + r^2), so
   that nothing cancels. */
static void push(const float at[3][8], float radius, float by[3][8]) {
    vec8 e = load8(at);
    supi_f8 one = f8_set(1.0f), reach = f8_set(radius), r = f8_sqrt(dot8(e, e));
    supi_f8 big = f8_max(r, reach), q = f8_div(f8_min(r, reach), big);
    supi_f8 after = f8_mul(big, cbrt_from_one(f8_mul(f8_mul(q, q), q)));
    supi_f8 per = f8_div(one, after), part = f8_mul(reach, per), p = f8_mul(r, per);
    supi_f8 gain = f8_mul(f8_mul(f8_mul(part, part), part), after);
    supi_f8 over = f8_mul(f8_madd(p, f8_add(one, p), one), r);
    store8(by, scaled8(e, f8_div(gain, over)));
}

F8_INLINE supi_f8 square_of(const supi_marks* m, int32_t i, vec8 at) {
    const float from[3] = {m->from[0][i], m->from[1][i], m->from[2][i]};
    vec8 e = minus8(at, set8(from));
    return dot8(e, e);
}

/* Weights are those of the nearest one, which has 1: so none is too large for a float, and those
   that are too small do not matter. */
static void blend(const supi_marks* m, const float places[3][8], float mean[3][8],
                  float nearest[8]) {
    vec8 at = load8(places), sum = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    supi_f8 least = f8_set(INFINITY), weights = f8_set(0.0f);
    for (int32_t i = 0; i < m->count; i++) least = f8_min(least, square_of(m, i, at));
    for (int32_t i = 0; i < m->count; i++) {
        const float left[3] = {m->left[0][i], m->left[1][i], m->left[2][i]};
        supi_f8 part = f8_div(least, square_of(m, i, at)), weight = f8_mul(part, part);
        weights = f8_add(weights, weight);
        sum = along8(sum, weight, set8(left));
    }
    store8(mean, scaled8(sum, f8_div(f8_set(1.0f), weights)));
    f8_store(nearest, least);
}

extern const supi_map_kernels SUPI_KERNEL(supi_map_kernels);
const supi_map_kernels SUPI_KERNEL(supi_map_kernels) = {SUPI_SIMD_SET, push, blend};
