/* See sweep.h. A parent p that moves by d hands on to its child c, with e = p - c, q = e + d:

       a = k ((1 - t) (|q| - |e|) q / |q| + t d)

   and the child moves by the mean over its parents, divided by 1 + its mass. |q| - |e| is taken as
   d.(e + q) / (|q| + |e|): the difference of two roots would lose small motions. */
#include "deform/sweep.h"
#include "geom/vec8.h"

/* What a generation shares, in all lanes. */
typedef struct shared {
    supi_f8 along, across, tiny2, zero, fade;
} shared;

F8_INLINE vec8 select3(supi_m8 m, vec8 yes, vec8 no) {
    return (vec8){f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z)};
}

/* Summed in the other order than dot8. */
F8_INLINE supi_f8 dot3(vec8 a, vec8 b) {
    return f8_madd(a.x, b.x, f8_madd(a.y, b.y, f8_mul(a.z, b.z)));
}

/* In the order of lanes that rows8_load has, which is not that of gather8. */
F8_INLINE vec8 gather3(const sup_row* rows, const int32_t* at) {
    vec8 a;
    supi_f8 unused;
    rows8_to_lanes(rows8_gather(rows, at), &a.x, &a.y, &a.z, &unused);
    return a;
}

/* Where the parent lands on its child: the direction is that of the edge; of an edge without length
   there is nothing. Without a rest, a parent that does not move has |q| = |e| to the last bit and
   hands on exactly nothing: so does padding, of which there is more or less by chance. */
F8_INLINE vec8 landed(const shared* s, vec8 e, vec8 d, supi_f8 length, supi_f8 gained) {
    supi_m8 long_enough = f8_less(s->zero, length);
    supi_f8 part = f8_div(gained, f8_select(long_enough, length, f8_set(1.0f)));
    vec8 a = plus8(scaled8(d, s->across), scaled8(e, f8_mul(s->along, part)));
    vec8 none = {s->zero, s->zero, s->zero};
    return select3(long_enough, a, none);
}

/* What a column of parents hands on. `rests` may be NULL. (|q| - |e|) / |q| has one root and one
   division: d.(e + q) / (|q|^2 + |q| |e|). */
F8_INLINE vec8 handed_on(const shared* s, vec8 child, vec8 parent, vec8 d, const float* rests) {
    vec8 e = minus8(parent, child), q = plus8(e, d);
    supi_f8 e2 = dot3(e, e), q2 = dot3(q, q);
    supi_m8 apart = f8_less(s->tiny2, q2);
    supi_f8 gain = dot3(d, plus8(e, q)), over = f8_add(q2, f8_sqrt(f8_mul(e2, q2)));
    bool all = m8_bits(apart) == 0xff;
    if (!all) over = f8_select(apart, over, f8_set(1.0f));
    supi_f8 pull = f8_div(gain, over);
    if (rests) {
        supi_f8 reach = f8_select(apart, f8_sqrt(q2), f8_set(1.0f));
        pull = f8_add(pull, f8_div(f8_sub(f8_sqrt(e2), f8_load(rests)), reach));
    }
    vec8 a = plus8(scaled8(q, f8_mul(s->along, pull)), scaled8(d, s->across));
    if (all) return a;
    supi_f8 length = f8_sqrt(e2);
    supi_f8 gained = f8_sub(f8_sqrt(q2), rests ? f8_load(rests) : length);
    return select3(apart, a, landed(s, e, d, length, gained));
}

/* ---- Sums, plain or of whole numbers, which have no order ---- */

typedef struct sums {
    vec8 plain;
    int64_t x[8], y[8], z[8];
} sums;

F8_INLINE void begin_sums(const shared* s, bool whole, sums* sum) {
    sum->plain = (vec8){s->zero, s->zero, s->zero};
    if (!whole) return;
    for (int k = 0; k < 8; k++) sum->x[k] = sum->y[k] = sum->z[k] = 0;
}

F8_INLINE void add_whole(int64_t* sum, supi_f8 a, double per_unit) {
    float lanes[8];
    f8_store(lanes, a);
    for (int k = 0; k < 8; k++) sum[k] += llrint((double)lanes[k] * per_unit);
}

F8_INLINE supi_f8 from_whole(const int64_t* sum, double unit) {
    float lanes[8];
    for (int k = 0; k < 8; k++) lanes[k] = (float)((double)sum[k] * unit);
    return f8_load(lanes);
}

F8_INLINE vec8 total_of(const sums* sum, bool whole, double unit) {
    if (!whole) return sum->plain;
    return (vec8){from_whole(sum->x, unit), from_whole(sum->y, unit), from_whole(sum->z, unit)};
}

/* ---- Batches ---- */

/* Less than this is nothing: its square is no longer a float, and numbers without all their digits
   are slow. */
F8_INLINE supi_f8 worth_it(const shared* s, supi_f8 d) {
    return f8_select(f8_less(f8_set(0x1p-62f), f8_abs(d)), d, s->zero);
}

/* A pinned row moves by -0, which changes no bit of it: +0 would make +0 of -0. Gathers in `any`
   the bits of all motion. */
F8_INLINE void move_batch(const supi_sweep* w, const shared* s, int32_t first, int32_t batch,
                          vec8 sum, supi_f8* any) {
    sup_row* rows = w->rows + 8 * (size_t)batch;
    size_t here = 8 * (size_t)(batch - first);
    supi_rows8 before = rows8_load(rows);
    vec8 unused, none = {f8_set(-0.0f), f8_set(-0.0f), f8_set(-0.0f)};
    supi_f8 share;
    rows8_to_lanes(before, &unused.x, &unused.y, &unused.z, &share);
    vec8 d = scaled8(sum, f8_mul(share, s->fade));
    d = (vec8){worth_it(s, d.x), worth_it(s, d.y), worth_it(s, d.z)};
    d = select3(f8_less(s->zero, share), d, none);
    *any = m8_or(*any, m8_or(d.x, m8_or(d.y, d.z)));
    supi_rows8 moved = rows8_from_lanes(d.x, d.y, d.z, s->zero);
    rows8_store(w->places + here, before);
    rows8_store(w->moved + here, moved);
    for (int k = 0; k < 4; k++) f8_store(&rows[2 * k].x, f8_add(before.r[k], moved.r[k]));
}

F8_INLINE vec8 child_of(const supi_sweep* w, int32_t batch) {
    vec8 child;
    supi_f8 unused;
    rows8_to_lanes(rows8_load(w->rows + 8 * (size_t)batch), &child.x, &child.y, &child.z, &unused);
    return child;
}

/* `whole`, `weighted` and `resting` are constants where this is called: one loop for each kind. */
F8_INLINE void pass_batch(const supi_sweep* w, const shared* s, int32_t first, int32_t batch,
                          bool whole, bool weighted, bool resting, supi_f8* any) {
    vec8 child = child_of(w, batch);
    double per_unit = whole ? 1.0 / w->unit : 0.0;
    sums sum;
    begin_sums(s, whole, &sum);
    for (int32_t c = w->columns[batch], end = w->columns[batch + 1]; c < end; c++) {
        const int32_t* at = w->parents + 8 * (size_t)c;
        vec8 parent = gather3(w->places_above, at), d = gather3(w->moved_above, at);
        vec8 a = handed_on(s, child, parent, d, resting ? w->rests + 8 * (size_t)c : NULL);
        if (weighted) a = scaled8(a, f8_load(w->weights + 8 * (size_t)c));
        if (whole) {
            add_whole(sum.x, a.x, per_unit);
            add_whole(sum.y, a.y, per_unit);
            add_whole(sum.z, a.z, per_unit);
        } else {
            sum.plain = plus8(sum.plain, a);
        }
    }
    move_batch(w, s, first, batch, total_of(&sum, whole, w->unit), any);
}

F8_INLINE bool pass_all(const supi_sweep* w, int32_t first, int32_t begin, int32_t end, bool whole,
                        bool weighted, bool resting) {
    const shared s = {f8_set(w->along), f8_set(w->across), f8_set(w->tiny * w->tiny), f8_set(0.0f),
                      f8_set(w->fade)};
    supi_f8 any = s.zero;
    for (int32_t b = begin; b < end; b++)
        pass_batch(w, &s, first, b, whole, weighted, resting, &any);
    return m8_bits(f8_less(s.zero, f8_abs(any))) != 0;
}

static bool pass(const supi_sweep* w, int32_t first, int32_t begin, int32_t end) {
    bool weighted = w->weights != NULL, resting = w->rests != NULL;
#ifdef SUPI_SIMD_WASM /* one loop for all kinds: the module is sent to whoever opens a page */
    return pass_all(w, first, begin, end, w->unit > 0.0, weighted, resting);
#endif
    if (w->unit > 0.0) {
        if (resting) return pass_all(w, first, begin, end, true, true, true);
        if (weighted) return pass_all(w, first, begin, end, true, true, false);
        return pass_all(w, first, begin, end, true, false, false);
    }
    if (resting) return pass_all(w, first, begin, end, false, true, true);
    if (weighted) return pass_all(w, first, begin, end, false, true, false);
    return pass_all(w, first, begin, end, false, false, false);
}

extern const supi_sweep_kernels SUPI_KERNEL(supi_sweep_kernels);
const supi_sweep_kernels SUPI_KERNEL(supi_sweep_kernels) = {SUPI_SIMD_SET, pass};
