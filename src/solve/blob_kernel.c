/* See blob.h. Eight neighbours of a particle at a time. A pair is computed for both, with the same
   bits but for the sign, so no order of pairs and no worker matters. */
#include "solve/blob.h"

#include "geom/vec8.h"

#include <math.h>

/* What all pairs share, in all lanes. */
typedef struct shared {
    supi_f8 square0, per_r0, rc, core, core_force, core_slope; /* forces in k / r0 */
    supi_f8 fade_from, per_fade, energy, k_r0, friction, per_rc, cap, tiny;
} shared;

F8_INLINE shared share(const supi_blob_law* law) {
    float r0 = law->spacing, rc = (float)SUPI_BLOB_REACH * r0, core = (float)SUPI_BLOB_CORE * r0;
    return (shared){.square0 = f8_set(r0 * r0),
                    .per_r0 = f8_set(1.0f / r0),
                    .rc = f8_set(rc),
                    .core = f8_set(core),
                    .core_force = f8_set(4.398f),
                    .core_slope = f8_set(64.7f),
                    .fade_from = f8_set((float)SUPI_BLOB_FADE * r0),
                    .per_fade = f8_set(1.0f / (rc - (float)SUPI_BLOB_FADE * r0)),
                    .energy = f8_set(law->energy),
                    .k_r0 = f8_set(law->energy / r0),
                    .friction = f8_set(law->friction),
                    .per_rc = f8_set(1.0f / rc),
                    .cap = f8_set(0.25f * law->lightest / law->h),
                    .tiny = f8_set(1e-12f * r0 * r0)};
}

/* Which way `own` goes from `other` where both are in one place: some way that follows from who
   they are, the opposite for the other. */
static void part(int32_t own, int32_t other, float length, float way[3]) {
    uint32_t low = (uint32_t)(own < other ? own : other), high = (uint32_t)(own ^ other) ^ low;
    uint32_t word = (low * 73856093u) ^ (high * 19349669u);
    float sum = 0.0f, sign = own < other ? length : -length;
    for (int k = 0; k < 3; k++) {
        word = word * 1664525u + 1013904223u;
        way[k] = (float)(int32_t)((word >> 16) & 255u) - 127.5f; /* never 0 */
        sum += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++) way[k] *= sign / sqrtf(sum);
}

/* Ways between those in one place become very short ones. */
static vec8 part8(const supi_blob_rows* rows, int32_t own, const int32_t* near, int lanes, vec8 e,
                  float length) {
    float way[3][8];
    store8(way, e);
    for (int lane = 0; lane < 8; lane++) {
        float one[3];
        if (!(lanes >> lane & 1)) continue;
        part(rows->ids[own], rows->ids[near[lane]], length, one);
        for (int k = 0; k < 3; k++) way[k][lane] = one[k];
    }
    return load8(way);
}

/* Eight others on their way through the three stages of a row. */
typedef struct eight {
    vec8 e, dv;
    supi_f8 square, calm;       /* calm: one over the neighbours of the busier one */
    supi_f8 r, per_square, rub; /* rub: the friction, over dv */
} eight;

/* Where they are and how they move. */
F8_INLINE void meet8(const shared* s, const supi_blob_law* law, const supi_blob_rows* rows,
                     int32_t own, const int32_t* near, vec8 from, vec8 moves, supi_f8 calm,
                     eight* out) {
    quat8 xb = gather8(rows->x, near), vb = gather8(rows->v, near);
    out->e = minus8(from, vector8(xb));
    out->dv = minus8(moves, vector8(vb));
    out->square = dot8(out->e, out->e);
    out->calm = f8_min(calm, vb.w);
    int same = m8_bits(f8_less(out->square, s->tiny));
    if (same) {
        out->e = part8(rows, own, near, same, out->e, 1e-6f * law->spacing);
        out->square = f8_max(dot8(out->e, out->e), s->tiny);
    }
}

/* Roots and quotients. No pair may take more than its part of the speed that friction slows down;
   of two masses the lightest of all stands for both. */
F8_INLINE void root8(const shared* s, bool rubs, bool central, eight* n) {
    n->r = f8_sqrt(n->square);
    n->per_square = f8_div(f8_set(1.0f), n->square);
    if (!rubs) return;
    if (central) n->dv = scaled8(n->e, f8_mul(dot8(n->dv, n->e), n->per_square));
    supi_f8 near = f8_sub(f8_set(1.0f), f8_mul(n->r, s->per_rc));
    supi_f8 mu = f8_mul(s->friction, f8_mul(near, near));
    supi_f8 rub = f8_mul(mu, f8_sqrt(dot8(n->dv, n->dv)));
    n->rub = f8_select(f8_less(n->r, s->rc), f8_min(rub, f8_mul(s->cap, n->calm)), f8_set(0.0f));
}

/* The force of eight others at `e`, without friction: k / r^2 (q^8 - q^4) e, or in the core along
   the tangent; few eights have anybody there. */
F8_INLINE vec8 push8(const shared* s, vec8 e, supi_f8 r, supi_f8 per_square) {
    supi_f8 one = f8_set(1.0f), zero = f8_set(0.0f);
    supi_f8 q2 = f8_mul(s->square0, per_square), q4 = f8_mul(q2, q2);
    supi_f8 along = f8_mul(s->energy, f8_sub(f8_mul(q4, q4), q4));
    supi_m8 in_core = f8_less(r, s->core);
    if (m8_bits(in_core)) {
        supi_f8 over = f8_sub(f8_set((float)SUPI_BLOB_CORE), f8_mul(r, s->per_r0));
        supi_f8 push = f8_mul(f8_mul(s->k_r0, r), f8_madd(s->core_slope, over, s->core_force));
        along = f8_select(in_core, push, along);
    }
    supi_f8 t = f8_mul(f8_sub(r, s->fade_from), s->per_fade);
    t = f8_min(f8_max(t, zero), one);
    supi_f8 fade = f8_sub(one, f8_mul(f8_mul(t, t), f8_sub(f8_set(3.0f), f8_add(t, t))));
    return scaled8(e, f8_mul(f8_mul(along, fade), per_square));
}

/* The force on a row. Roots take long, and a processor looks ahead by less than that: so three
   eights are on their way at a time, one in each stage. */
F8_INLINE vec8 force_on(const shared* s, const supi_blob_law* law, const supi_blob_rows* rows,
                        int32_t own, bool rubs, bool central) {
    sup_row x = rows->x[own], v = rows->v[own];
    const float at[3] = {x.x, x.y, x.z}, speed[3] = {v.x, v.y, v.z};
    vec8 from = set8(at), moves = set8(speed), sum = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    supi_f8 calm = f8_set(v.w);
    const int32_t* near = rows->near + (size_t)own * (size_t)rows->stride;
    int32_t count = (rows->lengths[own] + 7) / 8;
    eight ring[4];
    for (int32_t i = 0; i < count + 2; i++) {
        if (i < count) {
            meet8(s, law, rows, own, near + 8 * (size_t)i, from, moves, calm, &ring[i & 3]);
        }
        if (i > 0 && i <= count) root8(s, rubs, central, &ring[(i - 1) & 3]);
        if (i < 2) continue;
        const eight* done = &ring[(i - 2) & 3];
        sum = plus8(sum, push8(s, done->e, done->r, done->per_square));
        if (rubs) sum = minus8(sum, scaled8(done->dv, done->rub));
    }
    return sum;
}

F8_INLINE void step_row(const supi_blob_law* law, const supi_blob_rows* rows, int32_t own, vec8 sum,
                        sup_row* x_out, sup_row* v_out) {
    sup_row x = rows->x[own], v = rows->v[own];
    float push = law->h * x.w;
    if (x.w > 0.0f) {
        v.x = law->keep * (v.x + push * f8_sum(sum.x) + law->gain[0]);
        v.y = law->keep * (v.y + push * f8_sum(sum.y) + law->gain[1]);
        v.z = law->keep * (v.z + push * f8_sum(sum.z) + law->gain[2]);
    }
    x.x += law->h * v.x;
    x.y += law->h * v.y;
    x.z += law->h * v.z;
    x_out[own] = x;
    v_out[own] = v;
}

static void step(const supi_blob_law* law, const supi_blob_rows* rows, int32_t begin, int32_t end,
                 sup_row* x, sup_row* v) {
    shared s = share(law);
    bool rubs = law->friction > 0.0f;
    for (int32_t i = begin; i < end; i++) {
        vec8 sum = !rubs          ? force_on(&s, law, rows, i, false, false)
                   : law->central ? force_on(&s, law, rows, i, true, true)
                                  : force_on(&s, law, rows, i, true, false);
        step_row(law, rows, i, sum, x, v);
    }
}

const supi_blob_kernels SUPI_KERNEL(supi_blob_kernels) = {SUPI_SIMD_SET, step};
