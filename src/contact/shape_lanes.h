/* Rows as ellipsoids, eight at a time, with the bits that contact/kin.h gives. */
#ifndef SUPPLE_CONTACT_SHAPE_LANES_H
#define SUPPLE_CONTACT_SHAPE_LANES_H

#include "contact/ellipsoid.h"
#include "contact/nearest_root.h"
#include "geom/turn.h"
#include "geom/vec8.h"

typedef struct shape8 {
    vec8 centre, axes[3];
    supi_f8 radii[3];
} shape8;

/* What the rows of a side are made of, lane by lane. */
typedef struct side8 {
    const sup_row *x[8], *v[8], *turn[8], *axes[8], *radii[8], *spin[8];
    sup_row balls[8]; /* radii of those that are not oriented */
} side8;

static const sup_row no_turn8 = {0, 0, 0, 1}, no_spin8 = {0, 0, 0, 0};

F8_INLINE quat8 gather_at8(const sup_row* const at[8]) {
    supi_rows8 rows;
    quat8 q;
    for (int k = 0; k < 4; k++) rows.r[k] = pair_load(at[k], at[k + 4]);
    rows8_to_lanes(rows, &q.x, &q.y, &q.z, &q.w);
    return q;
}

static void find_row8(const supi_oriented* o, int32_t first, int32_t row, const sup_row* x,
                      const sup_row* v, int lane, side8* out) {
    int32_t local = row - first;
    out->x[lane] = &x[row];
    out->v[lane] = &v[row];
    if (o) {
        out->turn[lane] = (const sup_row*)&o->turn[local];
        out->axes[lane] = (const sup_row*)&o->axes[local];
        out->radii[lane] = &o->radii[local];
        out->spin[lane] = &o->spin[local];
    } else {
        out->balls[lane] = (sup_row){v[row].w, v[row].w, v[row].w, 0};
        out->turn[lane] = out->axes[lane] = &no_turn8;
        out->radii[lane] = &out->balls[lane];
        out->spin[lane] = &no_spin8;
    }
}

/* The turns about eight vectors, as supi_turn_exp. */
F8_INLINE quat8 exp8(vec8 a) {
    supi_f8 s = dot8(a, a), one = f8_set(1.0f);
    supi_f8 sine = f8_sub(f8_set(1.0f / 3840), f8_mul(s, f8_set(1.0f / 645120)));
    sine = f8_sub(f8_set(1.0f / 48), f8_mul(s, sine));
    sine = f8_sub(f8_set(0.5f), f8_mul(s, sine));
    supi_f8 cosine = f8_sub(f8_set(1.0f / 46080), f8_mul(s, f8_set(1.0f / 10321920)));
    cosine = f8_sub(f8_set(1.0f / 384), f8_mul(s, cosine));
    cosine = f8_sub(f8_set(1.0f / 8), f8_mul(s, cosine));
    cosine = f8_sub(one, f8_mul(s, cosine));
    int far = ~m8_bits(f8_less(s, f8_set(2.5f))) & 0xff;
    quat8 q = {f8_mul(sine, a.x), f8_mul(sine, a.y), f8_mul(sine, a.z), cosine};
    if (!far) return q;
    float from[3][8], to[4][8];
    store8(from, a);
    store8(to, vector8(q));
    f8_store(to[3], q.w);
    for (; far; far &= far - 1) { /* beyond a quarter turn: hardly ever */
        int k = __builtin_ctz((unsigned)far);
        sup_quat turn = supi_turn_exp((sup_vec3){from[0][k], from[1][k], from[2][k]});
        to[0][k] = turn.x;
        to[1][k] = turn.y;
        to[2][k] = turn.z;
        to[3][k] = turn.w;
    }
    return (quat8){f8_load(to[0]), f8_load(to[1]), f8_load(to[2]), f8_load(to[3])};
}

/* As they are now (`h` is 0) or were h seconds ago. Not inline: it is long, and asked for often. */
static __attribute__((noinline)) void shape_at8(const side8* side, supi_f8 scale, vec8 offset,
                                                float h, shape8* out) {
    quat8 turn = gather_at8(side->turn);
    vec8 radii = scaled8(vector8(gather_at8(side->radii)), scale);
    out->centre = vector8(gather_at8(side->x));
    if (h > 0) {
        supi_f8 back = f8_set(-h);
        out->centre = along8(out->centre, back, vector8(gather_at8(side->v)));
        turn = product8(exp8(scaled8(vector8(gather_at8(side->spin)), back)), turn);
    }
    out->centre = plus8(out->centre, offset);
    axes8(product8(turn, gather_at8(side->axes)), out->axes);
    out->radii[0] = radii.x;
    out->radii[1] = radii.y;
    out->radii[2] = radii.z;
}

/* Axes times radii, of which none is too small. */
F8_INLINE void solid8(const shape8* shape, vec8 axes[3]) {
    const supi_f8* r = shape->radii;
    supi_f8 least = f8_mul(f8_set(SUPI_ELLIPSOID_FLAT), f8_max(f8_max(r[0], r[1]), r[2]));
    for (int k = 0; k < 3; k++) axes[k] = scaled8(shape->axes[k], f8_max(r[k], least));
}

/* How far each reaches along n. */
F8_INLINE supi_f8 reach_along8(const shape8* shape, vec8 n) {
    supi_f8 sum = f8_set(0.0f);
    for (int k = 0; k < 3; k++) {
        supi_f8 along = f8_mul(shape->radii[k], dot8(shape->axes[k], n));
        sum = f8_madd(along, along, sum);
    }
    return f8_sqrt(sum);
}

#endif
