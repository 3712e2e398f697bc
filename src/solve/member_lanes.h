/* Members of a cluster, eight at a time: their rows, and the quadratic terms of their rest offsets.
   For kernel files only. */
#ifndef SUPPLE_SOLVE_MEMBER_LANES_H
#define SUPPLE_SOLVE_MEMBER_LANES_H

#include "base/simd.h"
#include "solve/cluster.h"

typedef struct lanes3 {
    supi_f8 x, y, z;
} lanes3;

F8_INLINE supi_rows8 rows_of(const supi_members* members, int32_t i, const sup_row* rows,
                             bool indexed) {
    return indexed ? rows8_gather(rows, members->index + i) : rows8_load(rows + i);
}

/* Where the members are matched: x, or in scheme P x + h (v + a). */
F8_INLINE supi_rows8 matched_rows(const supi_members* members, int32_t i, const sup_row* x,
                                  const sup_row* v, supi_f8 h, supi_f8 a, supi_cluster_kind kind,
                                  bool indexed) {
    supi_rows8 at = rows_of(members, i, x, indexed);
    if (kind == SUPI_CLUSTER_PREDICTED) {
        supi_rows8 speed = rows_of(members, i, v, indexed);
        for (int k = 0; k < 4; k++) at.r[k] = f8_madd(h, f8_add(speed.r[k], a), at.r[k]);
    }
    return at;
}

F8_INLINE supi_f8 row_of_three(const float a[3]) { return f8_row(a[0], a[1], a[2], 0.0f); }
F8_INLINE supi_f8 row_of_same(float a) { return f8_row(a, a, a, 0.0f); }

F8_INLINE lanes3 lanes_of(supi_rows8 rows) {
    lanes3 a;
    supi_f8 unused;
    rows8_to_lanes(rows, &a.x, &a.y, &a.z, &unused);
    return a;
}

F8_INLINE lanes3 relative(lanes3 a, const float xref[3]) {
    lanes3 d = {f8_sub(a.x, f8_set(xref[0])), f8_sub(a.y, f8_set(xref[1])),
                f8_sub(a.z, f8_set(xref[2]))};
    return d;
}

/* Constants of the quadratic terms, spread over lanes. */
typedef struct bend_lanes {
    supi_f8 scale, mean[SUPI_BEND_TERMS];
} bend_lanes;

F8_INLINE bend_lanes spread_bend(const supi_bend* bend) {
    bend_lanes b;
    b.scale = f8_set(bend->scale);
    for (int k = 0; k < SUPI_BEND_TERMS; k++) b.mean[k] = f8_set(bend->mean[k]);
    return b;
}

/* b(q) of eight members; blueprint/shape.c makes the same numbers one by one. */
F8_INLINE void bend_terms(const supi_members* m, int32_t i, const bend_lanes* b,
                          supi_f8 out[SUPI_BEND_TERMS]) {
    supi_f8 x = f8_mul(b->scale, f8_load(m->qx + i)), y = f8_mul(b->scale, f8_load(m->qy + i)),
            z = f8_mul(b->scale, f8_load(m->qz + i));
    out[0] = f8_sub(f8_mul(x, x), b->mean[0]);
    out[1] = f8_sub(f8_mul(y, y), b->mean[1]);
    out[2] = f8_sub(f8_mul(z, z), b->mean[2]);
    out[3] = f8_sub(f8_mul(x, y), b->mean[3]);
    out[4] = f8_sub(f8_mul(y, z), b->mean[4]);
    out[5] = f8_sub(f8_mul(z, x), b->mean[5]);
}

enum { CHUNK = 256 }; /* members that stay in the first cache between two loops */

/* What one loop over a chunk of members leaves for the sums that bending needs. */
typedef struct bend_chunk {
    float wd[3][CHUNK];                  /* w d */
    float terms[SUPI_BEND_TERMS][CHUNK]; /* b(q) */
} bend_chunk;

F8_INLINE void keep_terms(bend_chunk* chunk, int32_t at, const supi_f8 b[SUPI_BEND_TERMS]) {
    for (int t = 0; t < SUPI_BEND_TERMS; t++) f8_store(chunk->terms[t] + at, b[t]);
}

/* Sums of all lanes, `count` times. */
F8_INLINE void sum_all(const supi_f8* s, int count, float* out) {
    int k = 0;
    for (; k + 8 <= count; k += 8) f8_sums(s + k, out + k);
    for (; k < count; k++) out[k] = f8_sum(s[k]);
}

#endif
