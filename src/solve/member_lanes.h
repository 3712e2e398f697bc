/* Members of a cluster, eight at a time. For kernel files only. */
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

enum { CHUNK = 256 }; /* members that stay in the first cache between two loops */

/* What one loop over a chunk of members leaves for the sums that bending needs. */
typedef struct bend_chunk {
    float wd[3][CHUNK];
} bend_chunk;

/* Sums of all lanes, `count` times. */
F8_INLINE void sum_all(const supi_f8* s, int count, float* out) {
    int k = 0;
    for (; k + 8 <= count; k += 8) f8_sums(s + k, out + k);
    for (; k < count; k++) out[k] = f8_sum(s[k]);
}

#endif
