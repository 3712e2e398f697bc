/* Strain limits, two times eight springs at a time. Differences stay rows, as they are loaded and
   stored: only their squares and the inverse masses become lanes, and only the share of the
   difference that the ends move by becomes rows again. */
#include "base/simd.h"
#include "solve/spring.h"

#include <stddef.h>

float SUPI_KERNEL(supi_limit_sweep)(const supi_limit8* first, int32_t count, bool back,
                                    const supi_limit_bounds* bounds, sup_row* x);
float SUPI_KERNEL(supi_limit_excess)(const supi_limit8* groups, int32_t count,
                                     const supi_limit_bounds* bounds, const sup_row* x);

/* Below what springs of sane bodies have for length times inverse mass, and not 0. */
#define LEAST_PRODUCT 1e-30f

typedef struct pairs8 {
    supi_rows8 a, b, way; /* ends, and from one to the other */
    supi_f8 wa, wb;       /* 1/kg */
    supi_f8 l, over;      /* m: length, and how much it is too long, or, below 0, too short */
    supi_f8 excess;       /* strain */
} pairs8;

F8_INLINE supi_f8 inverse_masses(supi_rows8 rows) {
    supi_f8 x, y, z, w;
    rows8_to_lanes(rows, &x, &y, &z, &w);
    return w;
}

F8_INLINE pairs8 pairs_of(const supi_limit8* group, const supi_limit_bounds* bounds,
                          const sup_row* x) {
    const supi_f8 none = f8_set(0.0f);
    pairs8 p = {.a = rows8_gather(x, group->a), .b = rows8_gather(x, group->b)};
    supi_rows8 squares;
    for (int k = 0; k < 4; k++) {
        p.way.r[k] = f8_sub(p.b.r[k], p.a.r[k]);
        squares.r[k] = f8_mul(p.way.r[k], p.way.r[k]);
    }
    supi_f8 xx, yy, zz, unused;
    rows8_to_lanes(squares, &xx, &yy, &zz, &unused);
    p.l = f8_sqrt(f8_add(f8_add(xx, yy), zz));
    supi_f8 marked = f8_load(group->length), length = f8_abs(marked);
    p.over = f8_add(f8_max(f8_sub(p.l, f8_mul(f8_set(bounds->longest), length)), none),
                    f8_min(f8_sub(p.l, f8_mul(f8_set(bounds->shortest), marked)), none));
    p.excess = f8_div(f8_abs(p.over), length);
    p.wa = inverse_masses(p.a);
    p.wb = inverse_masses(p.b);
    return p;
}

/* Moves the ends by what is over, each by its share. */
F8_INLINE void mend(const supi_limit8* group, const pairs8* p, sup_row* x) {
    const supi_f8 none = f8_set(0.0f), least = f8_set(LEAST_PRODUCT);
    supi_f8 pull = f8_div(p->over, f8_max(f8_mul(p->l, f8_add(p->wa, p->wb)), least));
    supi_f8 to_a = f8_mul(p->wa, pull), to_b = f8_mul(p->wb, pull);
    supi_rows8 a = rows8_from_lanes(to_a, to_a, to_a, none);
    supi_rows8 b = rows8_from_lanes(to_b, to_b, to_b, none);
    for (int k = 0; k < 4; k++) {
        a.r[k] = f8_madd(a.r[k], p->way.r[k], p->a.r[k]);
        b.r[k] = f8_sub(p->b.r[k], f8_mul(b.r[k], p->way.r[k]));
    }
    rows8_scatter(x, group->a, a);
    rows8_scatter(x, group->b, b);
}

F8_INLINE float largest(supi_f8 a) {
    float lanes[8], most = 0.0f;
    f8_store(lanes, a);
    for (int k = 0; k < 8; k++) most = lanes[k] > most ? lanes[k] : most;
    return most;
}

float SUPI_KERNEL(supi_limit_sweep)(const supi_limit8* first, int32_t count, bool back,
                                    const supi_limit_bounds* bounds, sup_row* x) {
    supi_f8 most = f8_set(0.0f);
    for (ptrdiff_t i = 0; i < count; i += 2) {
        const supi_limit8 *one = back ? first - i : first + i, *two = back ? one - 1 : one + 1;
        pairs8 p = pairs_of(one, bounds, x), q = pairs_of(two, bounds, x);
        most = f8_max(f8_max(p.excess, q.excess), most);
        mend(one, &p, x);
        mend(two, &q, x);
    }
    return largest(most);
}

float SUPI_KERNEL(supi_limit_excess)(const supi_limit8* groups, int32_t count,
                                     const supi_limit_bounds* bounds, const sup_row* x) {
    supi_f8 most = f8_set(0.0f);
    for (int32_t i = 0; i < count; i++) most = f8_max(pairs_of(groups + i, bounds, x).excess, most);
    return largest(most);
}
