/* Eight clusters at a time: centre, rigid motion, rotation and goal from their sums. */
#include "geom/rotation_lanes.h"
#include "solve/cluster.h"

void SUPI_KERNEL(supi_match)(supi_match8* batch);
void SUPI_KERNEL(supi_rotate)(float b[9][8], float q[4][8], int32_t iterations[8]);

F8_INLINE void load_lanes(int count, float from[][8], supi_f8* to) {
    for (int i = 0; i < count; i++) to[i] = f8_load(from[i]);
}
F8_INLINE void store_lanes(int count, const supi_f8* from, float to[][8]) {
    for (int i = 0; i < count; i++) f8_store(to[i], from[i]);
}
F8_INLINE void cross(const supi_f8 a[3], const supi_f8 b[3], supi_f8 out[3]) {
    out[0] = f8_sub(f8_mul(a[1], b[2]), f8_mul(a[2], b[1]));
    out[1] = f8_sub(f8_mul(a[2], b[0]), f8_mul(a[0], b[2]));
    out[2] = f8_sub(f8_mul(a[0], b[1]), f8_mul(a[1], b[0]));
}

/* Solves inertia * spin = momentum by LDL^T: an adjugate would be wrong by percents for thin
   clusters in float, and feeds back. `i` is xx yy zz xy yz zx. */
F8_INLINE void solve_inertia(const supi_f8 i[6], const supi_f8 momentum[3], supi_f8 spin[3]) {
    supi_f8 d0 = i[0];
    supi_f8 l10 = f8_div(i[3], d0), l20 = f8_div(i[5], d0);
    supi_f8 d1 = f8_sub(i[1], f8_mul(l10, i[3]));
    supi_f8 m21 = f8_sub(i[4], f8_mul(l20, i[3]));
    supi_f8 l21 = f8_div(m21, d1);
    supi_f8 d2 = f8_sub(f8_sub(i[2], f8_mul(l20, i[5])), f8_mul(l21, m21));
    supi_f8 y0 = momentum[0];
    supi_f8 y1 = f8_sub(momentum[1], f8_mul(l10, y0));
    supi_f8 y2 = f8_sub(f8_sub(momentum[2], f8_mul(l20, y0)), f8_mul(l21, y1));
    spin[2] = f8_div(y2, d2);
    spin[1] = f8_sub(f8_div(y1, d1), f8_mul(l21, spin[2]));
    spin[0] = f8_sub(f8_sub(f8_div(y0, d0), f8_mul(l10, spin[1])), f8_mul(l20, spin[2]));
}

/* The rigid motion that carries the linear and angular momentum of the members. */
F8_INLINE void rigid_motion(supi_match8* batch, supi_f8 weight, supi_f8 inverse,
                            const supi_f8 offset[3], supi_f8 velocity[3], supi_f8 spin[3]) {
    supi_f8 momentum[3], angular[3], spread[6], carried[3];
    load_lanes(3, batch->sums + SUPI_SUM_MOMENTUM, momentum);
    load_lanes(3, batch->sums + SUPI_SUM_SPIN, angular);
    load_lanes(6, batch->sums + SUPI_SUM_SPREAD, spread);
    for (int k = 0; k < 3; k++) velocity[k] = f8_mul(momentum[k], inverse);

    /* From the reference point to the centre. */
    cross(offset, velocity, carried);
    for (int k = 0; k < 3; k++) {
        angular[k] = f8_sub(angular[k], f8_mul(weight, carried[k]));
        supi_f8 square = f8_mul(offset[k], offset[k]);
        supi_f8 product = f8_mul(offset[k], offset[(k + 1) % 3]);
        spread[k] = f8_sub(spread[k], f8_mul(weight, square));
        spread[3 + k] = f8_sub(spread[3 + k], f8_mul(weight, product));
    }
    supi_f8 zero = f8_set(0.0f);
    supi_f8 sum = f8_add(f8_add(spread[0], spread[1]), spread[2]);
    supi_f8 inertia[6];
    for (int k = 0; k < 3; k++) {
        inertia[k] = f8_sub(sum, spread[k]);
        inertia[3 + k] = f8_sub(zero, spread[3 + k]);
    }
    supi_f8 trace = f8_add(f8_add(inertia[0], inertia[1]), inertia[2]);
    supi_m8 spins = f8_less(f8_load(batch->inertia_floor), trace);

    /* Thickness in units of the trace: the cube of a small body's inertia would underflow. */
    supi_f8 unit = f8_div(f8_set(1.0f), f8_select(spins, trace, f8_set(1.0f)));
    supi_f8 n[6];
    for (int k = 0; k < 6; k++) n[k] = f8_mul(inertia[k], unit);
    supi_f8 m0 = f8_sub(f8_mul(n[1], n[2]), f8_mul(n[4], n[4]));
    supi_f8 m1 = f8_sub(f8_mul(n[4], n[5]), f8_mul(n[3], n[2]));
    supi_f8 m2 = f8_sub(f8_mul(n[3], n[4]), f8_mul(n[1], n[5]));
    supi_f8 det = f8_madd(n[0], m0, f8_madd(n[3], m1, f8_mul(n[5], m2)));

    /* Clusters on a line cannot tell a spin about it: a small shift decides for none. The others
       stay unshifted, or every step would cost a little angular momentum. */
    supi_f8 small = f8_set(1e-5f);
    supi_f8 shift = f8_select(f8_less(det, small), f8_mul(small, trace), zero);
    for (int k = 0; k < 3; k++) {
        inertia[k] = f8_select(spins, f8_add(inertia[k], shift), f8_set(1.0f));
        inertia[3 + k] = f8_select(spins, inertia[3 + k], zero);
    }
    solve_inertia(inertia, angular, spin);
    for (int k = 0; k < 3; k++) spin[k] = f8_select(spins, spin[k], zero);
}

/* Below this share of its volume a cluster is on its way to be turned inside out: its goal becomes
   the rigid one, and no volume is restored beyond it. */
#define VOLUME_LEAST 0.1f

/* a s for the symmetric s = xx yy zz xy yz zx. */
F8_INLINE void times_symmetric(const supi_f8 a[9], const supi_f8 s[6], supi_f8 out[9]) {
    static const int at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    for (int k = 0; k < 9; k++) {
        const supi_f8* row = a + k / 3 * 3;
        int column = k % 3;
        out[k] = f8_madd(row[0], s[at[column]],
                         f8_madd(row[1], s[at[3 + column]], f8_mul(row[2], s[at[6 + column]])));
    }
}

/* The cofactors of a: how its determinant grows with each entry. */
F8_INLINE void cofactors(const supi_f8 a[9], supi_f8 out[9]) {
    for (int k = 0; k < 3; k++) cross(a + 3 * ((k + 1) % 3), a + 3 * ((k + 2) % 3), out + 3 * k);
}

F8_INLINE supi_f8 inner(const supi_f8 a[9], const supi_f8 b[9]) {
    supi_f8 sum = f8_mul(a[0], b[0]);
    for (int k = 1; k < 9; k++) sum = f8_madd(a[k], b[k], sum);
    return sum;
}

F8_INLINE supi_f8 determinant(const supi_f8 a[9]) {
    supi_f8 row[3];
    cross(a + 3, a + 6, row);
    return f8_madd(a[0], row[0], f8_madd(a[1], row[1], f8_mul(a[2], row[2])));
}

/* How much of the linear or quadratic goal counts, for volumes d. */
F8_INLINE supi_f8 share_of(const supi_match8* batch, supi_f8 d) {
    supi_f8 one = f8_set(1.0f), most = f8_set(1.0f / VOLUME_LEAST);
    supi_f8 t = f8_max(f8_set(0.0f), f8_min(one, f8_mul(d, most)));
    supi_f8 smooth = f8_mul(f8_mul(t, t), f8_sub(f8_set(3.0f), f8_add(t, t)));
    return f8_mul(f8_load(batch->beta), smooth);
}

/* What has to be added to the map a of the offsets to bring its volume d back: the way of least
   work, along which the volume grows most for the work that it takes to move the members. (A map
   that is only scaled moves the wide directions of a flat cluster for what its thin one lacks, and
   neighbours drive each other without end.) Kept is the angular momentum too, since apq w^T = d. */
F8_INLINE void volume_way(supi_match8* batch, const supi_f8 a[9], supi_f8 d, supi_f8 out[9]) {
    supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f);
    supi_f8 least = f8_set(VOLUME_LEAST), most = f8_set(1.0f / VOLUME_LEAST);
    supi_f8 kept = f8_load(batch->volume), inverse[6], growth[9], w[9], bends[9];
    if (!m8_bits(f8_less(zero, kept))) { /* none of the eight asks for it */
        for (int k = 0; k < 9; k++) out[k] = zero;
        return;
    }
    load_lanes(6, batch->inverse, inverse);
    cofactors(a, growth);
    times_symmetric(growth, inverse, w);
    supi_f8 rate = inner(growth, w);
    supi_m8 keeps = f8_less(zero, f8_mul(kept, f8_mul(d, rate)));
    supi_f8 unit = f8_div(one, f8_select(keeps, rate, one));
    for (int k = 0; k < 9; k++) w[k] = f8_mul(unit, w[k]);
    /* det(a + m w) = d + m + c m^2 + e m^3 by Newton: convex and growing, so it cannot run away. */
    cofactors(w, bends);
    supi_f8 c = inner(a, bends), e = determinant(w), m = zero;
    supi_f8 wanted = f8_div(d, f8_max(least, f8_min(most, d)));
    for (int i = 0; i < 4; i++) {
        supi_f8 em = f8_mul(e, m);
        supi_f8 over = f8_sub(f8_madd(f8_madd(f8_add(c, em), m, one), m, d), wanted);
        supi_f8 slope = f8_madd(f8_add(f8_add(c, c), f8_mul(f8_set(3.0f), em)), m, one);
        m = f8_sub(m, f8_div(over, f8_select(keeps, slope, one)));
    }
    for (int k = 0; k < 9; k++) out[k] = f8_select(keeps, f8_mul(m, w[k]), zero);
}

/* The best linear map a of the rest offsets, and `elastic`, that of the offsets as they have been
   stretched for good, which is the same where they have not. The rotations r become maps of the
   original offsets too: r stretch. */
F8_INLINE void linear_fit(supi_match8* batch, const supi_f8 apq[9], supi_f8 r[9], supi_f8 a[9],
                          supi_f8 elastic[9]) {
    supi_f8 inverse[6], null[6], flat[9];
    load_lanes(6, batch->inverse, inverse);
    load_lanes(6, batch->null, null);
    times_symmetric(apq, inverse, a);
    times_symmetric(r, null, flat); /* what has no extent turns along, so that there is a volume */
    if (!batch->plastic) {
        for (int k = 0; k < 9; k++) elastic[k] = a[k] = f8_add(a[k], flat[k]);
        return;
    }
    supi_f8 stretch[6], unstretch[6], stretched[9];
    load_lanes(6, batch->stretch, stretch);
    load_lanes(6, batch->unstretch, unstretch);
    times_symmetric(a, unstretch, elastic);
    for (int k = 0; k < 9; k++) elastic[k] = f8_add(elastic[k], flat[k]);
    store_lanes(9, elastic, batch->strained);
    times_symmetric(flat, stretch, stretched);
    for (int k = 0; k < 9; k++) a[k] = f8_add(a[k], stretched[k]);
    times_symmetric(r, stretch, stretched);
    for (int k = 0; k < 9; k++) r[k] = stretched[k];
}

/* [apq | sums] inverse for the rows k of apq and sums, which come in units of the cluster's size.
   The triangle is read once and in order, which also adds up every product by rising rows. */
F8_INLINE void times_bend_inverse(const supi_match8* batch, const supi_f8 apq[9], supi_f8 unit,
                                  supi_f8 out[3][9]) {
    supi_f8 sums[3][9];
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) sums[k][j] = f8_mul(unit, apq[3 * k + j]);
        for (int j = 3; j < 9; j++) {
            sums[k][j] = f8_load(batch->sums[SUPI_SUM_BEND + SUPI_BEND_TERMS * k + j - 3]);
        }
    }
    const float(*inverse)[8] = batch->bend_inverse;
    for (int i = 0; i < 9; i++) {
        supi_f8 diagonal = f8_load(*inverse++), own[3];
        for (int k = 0; k < 3; k++) {
            own[k] = f8_mul(sums[k][i], diagonal);
            if (i > 0) own[k] = f8_add(own[k], out[k][i]);
        }
        for (int j = i + 1; j < 9; j++) {
            supi_f8 entry = f8_load(*inverse++);
            for (int k = 0; k < 3; k++) {
                supi_f8 product = f8_mul(sums[k][i], entry);
                out[k][j] = i > 0 ? f8_add(product, out[k][j]) : product;
                own[k] = f8_madd(sums[k][j], entry, own[k]);
            }
        }
        for (int k = 0; k < 3; k++) out[k][i] = own[k];
    }
}

/* Adds the best quadratic map [a | bend] = share [apq | sums] inverse to a. */
F8_INLINE void quadratic_goal(supi_match8* batch, const supi_f8 apq[9], supi_f8 share, supi_f8 a[9],
                              supi_f8 shift[3]) {
    supi_f8 unit = f8_load(batch->bend_scale), fit[3][9];
    times_bend_inverse(batch, apq, unit, fit);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            a[3 * k + j] = f8_madd(unit, f8_mul(share, fit[k][j]), a[3 * k + j]);
        }
        for (int t = 0; t < SUPI_BEND_TERMS; t++) {
            supi_f8 bend = f8_mul(share, fit[k][3 + t]);
            f8_store(batch->bend[SUPI_BEND_TERMS * k + t], bend);
            shift[k] = f8_sub(shift[k], f8_mul(bend, f8_load(batch->bend_residue[t])));
        }
    }
}

/* Turns the rotations r into the matrices of the goals, and corrects their shifts. Bends are left
   out when the volume comes back: no volume tells of them, so that they could grow without end. */
F8_INLINE void deform_goal(supi_match8* batch, const supi_f8 apq[9], supi_f8 r[9],
                           supi_f8 shift[3]) {
    supi_f8 a[9], elastic[9], way[9];
    linear_fit(batch, apq, r, a, elastic);
    if (batch->mode == SUP_MATCH_RIGID) return;
    supi_f8 volume = determinant(elastic), share = share_of(batch, volume);
    bool bends = batch->mode == SUP_MATCH_QUADRATIC;
    volume_way(batch, a, volume, way);
    for (int k = 0; k < 9; k++) a[k] = f8_mul(share, bends ? way[k] : f8_add(a[k], way[k]));
    if (bends) quadratic_goal(batch, apq, share, a, shift);
    supi_f8 rest = f8_sub(f8_set(1.0f), share);
    for (int k = 0; k < 9; k++) r[k] = f8_madd(rest, r[k], a[k]);
}

/* The sums whose rotation is that of the members: over their offsets as they have been stretched
   for good. */
F8_INLINE void stretched_sums(supi_match8* batch, const supi_f8 apq[9], supi_f8 out[9]) {
    supi_f8 stretch[6];
    load_lanes(6, batch->stretch, stretch);
    times_symmetric(apq, stretch, out);
}

void SUPI_KERNEL(supi_match)(supi_match8* batch) {
    supi_f8 weight = f8_load(batch->weight), inverse = f8_div(f8_set(1.0f), weight);
    supi_f8 offset[3], apq[9], q[4], residue[3], r[9];
    load_lanes(3, batch->sums + SUPI_SUM_OFFSET, offset);
    load_lanes(9, batch->sums + SUPI_SUM_APQ, apq);
    load_lanes(4, batch->rotation, q);
    load_lanes(3, batch->residue, residue);
    for (int k = 0; k < 3; k++) offset[k] = f8_mul(offset[k], inverse);

    if (batch->damped) {
        supi_f8 velocity[3], spin[3], ahead[4];
        rigid_motion(batch, weight, inverse, offset, velocity, spin);
        store_lanes(3, velocity, batch->velocity);
        store_lanes(3, spin, batch->spin);
        /* Turn the warm start ahead by the spin: a rotation that lags brakes the body. */
        supi_f8 half = f8_set(0.5f * batch->h);
        supi_f8 turn[4] = {f8_mul(half, spin[0]), f8_mul(half, spin[1]), f8_mul(half, spin[2]),
                           f8_set(1.0f)};
        lanes_quaternion_product(turn, q, ahead);
        for (int k = 0; k < 4; k++) q[k] = ahead[k];
    }
    if (batch->plastic) {
        stretched_sums(batch, apq, r);
    } else {
        for (int k = 0; k < 9; k++) r[k] = apq[k];
    }
    rotation_extract(r, q, NULL);
    lanes_quaternion_matrix(q, r);
    store_lanes(4, q, batch->rotation);
    store_lanes(3, offset, batch->offset);
    supi_f8 shift[3] = {offset[0], offset[1], offset[2]};
    if (batch->mode != SUP_MATCH_RIGID || batch->plastic) deform_goal(batch, apq, r, shift);
    store_lanes(9, r, batch->matrix);
    for (int k = 0; k < 3; k++) {
        supi_f8 turned =
            f8_madd(r[3 * k], residue[0],
                    f8_madd(r[3 * k + 1], residue[1], f8_mul(r[3 * k + 2], residue[2])));
        f8_store(batch->shift[k], f8_sub(shift[k], turned));
    }
}

void SUPI_KERNEL(supi_rotate)(float b[9][8], float q[4][8], int32_t iterations[8]) {
    supi_f8 matrix[9], turn[4];
    load_lanes(9, b, matrix);
    load_lanes(4, q, turn);
    for (int lane = 0; lane < 8; lane++) iterations[lane] = 0;
    rotation_extract(matrix, turn, iterations);
    store_lanes(4, turn, q);
}
