/* Strain limits, two times eight springs at a time. Differences stay rows, as they are loaded and
   stored: only their squares and the inverse masses become lanes, and only the share of the
   difference that the ends move by becomes rows again. */
#include "base/simd.h"
#include "solve/spring.h"

float SUPI_KERNEL(supi_limit_sweep)(const supi_limit8* groups, int32_t count,
                                    const supi_limit_bounds* bounds, sup_row* x);
float SUPI_KERNEL(supi_limit_excess)(const supi_limit8* groups, int32_t count,
                                     const supi_limit_bounds* bounds, const sup_row* x);

/* Below lengths, their squares and inverse masses of sane bodies, and not 0. */
#define LEAST 1e-30f

typedef struct pairs8 {
    supi_rows8 a, b, way; /* ends, and from one to the other */
    supi_f8 square;       /* m^2, of the way */
    supi_f8 goal;         /* m^2: the same where it is within the bounds, or of the nearer bound */
} pairs8;

F8_INLINE pairs8 pairs_of(const supi_limit8* group, const supi_limit_bounds* bounds,
                          const sup_row* x) {
    pairs8 p = {.a = rows8_gather(x, group->a), .b = rows8_gather(x, group->b)};
    supi_rows8 squares;
    for (int k = 0; k < 4; k++) {
        p.way.r[k] = f8_sub(p.b.r[k], p.a.r[k]);
        squares.r[k] = f8_mul(p.way.r[k], p.way.r[k]);
    }
    supi_f8 xx, yy, zz, unused, marked = f8_load(group->length);
    rows8_to_lanes(squares, &xx, &yy, &zz, &unused);
    p.square = f8_add(f8_add(xx, yy), zz);
    supi_f8 longest = f8_mul(f8_set(bounds->longest), marked);
    supi_f8 shortest = f8_max(f8_mul(f8_set(bounds->shortest), marked), f8_set(0.0f));
    p.goal = f8_max(f8_min(p.square, f8_mul(longest, longest)), f8_mul(shortest, shortest));
    return p;
}

F8_INLINE supi_f8 inverse_masses(supi_rows8 rows) {
    supi_f8 x, y, z, w;
    rows8_to_lanes(rows, &x, &y, &z, &w);
    return w;
}

/* The share of the way that the ends come closer by: (l - g) / l. Where there is but one goal, (l^2
   - g^2) / (l^2 + g^2) will do: next to the goal it is the same, without roots; far above it is
   more, by which sweeps over hard springs converge faster. */
F8_INLINE supi_f8 share_of(const pairs8* p, bool hard) {
    const supi_f8 least = f8_set(LEAST);
    if (hard) {
        return f8_div(f8_sub(p->square, p->goal), f8_max(f8_add(p->square, p->goal), least));
    }
    supi_f8 l = f8_sqrt(p->square);
    return f8_div(f8_sub(l, f8_sqrt(p->goal)), f8_max(l, least));
}

/* Moves the ends, each by its part. Returns the share. */
F8_INLINE supi_f8 mend(const supi_limit8* group, const pairs8* p, bool hard, sup_row* x) {
    const supi_f8 none = f8_set(0.0f), least = f8_set(LEAST);
    supi_f8 wa = inverse_masses(p->a), wb = inverse_masses(p->b), share = share_of(p, hard);
    supi_f8 pull = f8_div(share, f8_max(f8_add(wa, wb), least));
    supi_f8 to_a = f8_mul(wa, pull), to_b = f8_mul(wb, pull);
    supi_rows8 a = rows8_from_lanes(to_a, to_a, to_a, none);
    supi_rows8 b = rows8_from_lanes(to_b, to_b, to_b, none);
    for (int k = 0; k < 4; k++) {
        a.r[k] = f8_madd(a.r[k], p->way.r[k], p->a.r[k]);
        b.r[k] = f8_sub(p->b.r[k], f8_mul(b.r[k], p->way.r[k]));
    }
    rows8_scatter(x, group->a, a);
    rows8_scatter(x, group->b, b);
    return f8_abs(share);
}

F8_INLINE float largest(supi_f8 a) {
    float lanes[8], most = 0.0f;
    f8_store(lanes, a);
    for (int k = 0; k < 8; k++) most = lanes[k] > most ? lanes[k] : most;
    return most;
}

float SUPI_KERNEL(supi_limit_sweep)(const supi_limit8* groups, int32_t count,
                                    const supi_limit_bounds* bounds, sup_row* x) {
    const bool hard = !(bounds->longest > bounds->shortest);
    supi_f8 most = f8_set(0.0f);
    for (const supi_limit8 *one = groups, *two = one + 1; one < groups + count;
         one += 2, two += 2) {
        pairs8 p = pairs_of(one, bounds, x), q = pairs_of(two, bounds, x);
        most = f8_max(mend(one, &p, hard, x), most);
        most = f8_max(mend(two, &q, hard, x), most);
    }
    return largest(most);
}

float SUPI_KERNEL(supi_limit_excess)(const supi_limit8* groups, int32_t count,
                                     const supi_limit_bounds* bounds, const sup_row* x) {
    supi_f8 most = f8_set(0.0f);
    for (int32_t i = 0; i < count; i++) {
        pairs8 p = pairs_of(groups + i, bounds, x);
        supi_f8 beyond = f8_abs(f8_sub(f8_sqrt(p.square), f8_sqrt(p.goal)));
        most = f8_max(f8_div(beyond, f8_abs(f8_load(groups[i].length))), most);
    }
    return largest(most);
}
