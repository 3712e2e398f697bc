/* Two ellipsoids: Newton's method for the direction of largest separation, eight pairs at a time.

   With B an ellipsoid's axes times their radii it reaches h(n) = |B^T n|, so all that Newton's
   method needs comes from B^T n and B^T times the two tangents of the unit sphere at n. Lengths are
   first divided by the size of the pair. */
#include "contact/encounter.h"
#include "contact/press.h"
#include "contact/shape_lanes.h"

#include <float.h>

#define STEP_MAX 0.5f
#define HALVINGS 4
#define SETTLED 1e-8f  /* square of a step after which the next would not show */
#define ROUNDING 3e-7f /* by which a separation may fall without being worse */

/* Share of how far both reach: deeper than this the normal of the start says little. */
#define DEEP 0.1f

F8_INLINE vec8 choose8(supi_m8 m, vec8 yes, vec8 no) {
    return (vec8){f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z)};
}

/* Never 0, so that points, which reach nowhere, need no case of their own. */
F8_INLINE supi_f8 length8(vec8 a) { return f8_sqrt(f8_max(dot8(a, a), f8_set(1e-36f))); }

/* Axes times radii. */
typedef struct body8 {
    vec8 axis[3];
} body8;

F8_INLINE body8 load_body(float from[9][8]) {
    return (body8){{load8(from), load8(from + 3), load8(from + 6)}};
}

/* B^T n */
F8_INLINE vec8 within8(const body8* b, vec8 n) {
    return (vec8){dot8(b->axis[0], n), dot8(b->axis[1], n), dot8(b->axis[2], n)};
}

/* B s */
F8_INLINE vec8 outside8(const body8* b, vec8 s) {
    return along8(along8(scaled8(b->axis[0], s.x), s.y, b->axis[1]), s.z, b->axis[2]);
}

/* A direction and what it gives. */
typedef struct trial8 {
    vec8 n, sa, sb;
    supi_f8 ha, hb, f;
} trial8;

F8_INLINE trial8 try8(const body8* a, const body8* b, vec8 d, vec8 n) {
    trial8 t = {.n = n, .sa = within8(a, n), .sb = within8(b, n)};
    t.ha = length8(t.sa);
    t.hb = length8(t.sb);
    t.f = f8_sub(dot8(n, d), f8_add(t.ha, t.hb));
    return t;
}

F8_INLINE trial8 choose_trial8(supi_m8 m, trial8 yes, trial8 no) {
    return (trial8){choose8(m, yes.n, no.n),     choose8(m, yes.sa, no.sa),
                    choose8(m, yes.sb, no.sb),   f8_select(m, yes.ha, no.ha),
                    f8_select(m, yes.hb, no.hb), f8_select(m, yes.f, no.f)};
}

/* Two unit vectors across n (Duff et al. 2017). */
F8_INLINE void tangents8(vec8 n, vec8* t1, vec8* t2) {
    supi_f8 one = f8_set(1.0f), zero = f8_set(0.0f);
    supi_f8 sign = f8_select(f8_less(n.z, zero), f8_set(-1.0f), one);
    supi_f8 a = f8_div(f8_set(-1.0f), f8_add(sign, n.z)), b = f8_mul(f8_mul(n.x, n.y), a);
    *t1 = (vec8){f8_madd(f8_mul(sign, f8_mul(n.x, n.x)), a, one), f8_mul(sign, b),
                 f8_mul(f8_sub(zero, sign), n.x)};
    *t2 = (vec8){b, f8_madd(f8_mul(n.y, n.y), a, sign), f8_sub(zero, n.y)};
}

/* What one ellipsoid adds to gradient and curvature in the tangent plane. */
typedef struct plane8 {
    supi_f8 g1, g2, c11, c12, c22;
} plane8;

F8_INLINE void add_body8(plane8* sum, const body8* b, vec8 s, supi_f8 h, vec8 t1, vec8 t2) {
    vec8 p = within8(b, t1), q = within8(b, t2);
    supi_f8 inverse = f8_div(f8_set(1.0f), h);
    supi_f8 ps = f8_mul(dot8(p, s), inverse), qs = f8_mul(dot8(q, s), inverse);
    sum->g1 = f8_sub(sum->g1, ps);
    sum->g2 = f8_sub(sum->g2, qs);
    sum->c11 = f8_madd(f8_sub(dot8(p, p), f8_mul(ps, ps)), inverse, sum->c11);
    sum->c12 = f8_madd(f8_sub(dot8(p, q), f8_mul(ps, qs)), inverse, sum->c12);
    sum->c22 = f8_madd(f8_sub(dot8(q, q), f8_mul(qs, qs)), inverse, sum->c22);
}

/* The step in the tangent plane: Newton's where the curvature allows it, else uphill. */
F8_INLINE void step8(const plane8* at, const trial8* now, supi_f8* s1, supi_f8* s2) {
    supi_f8 a = f8_add(at->c11, now->f), c = f8_add(at->c22, now->f), b = at->c12;
    supi_f8 det = f8_sub(f8_mul(a, c), f8_mul(b, b)), zero = f8_set(0.0f);
    supi_m8 round = m8_and(f8_less(zero, a), f8_less(f8_mul(f8_set(1e-6f), f8_mul(a, c)), det));
    supi_f8 over = f8_div(f8_set(1.0f), f8_select(round, det, f8_set(1.0f)));
    supi_f8 uphill = f8_div(f8_set(1.0f), f8_add(now->ha, now->hb));
    *s1 = f8_select(round, f8_mul(f8_sub(f8_mul(c, at->g1), f8_mul(b, at->g2)), over),
                    f8_mul(at->g1, uphill));
    *s2 = f8_select(round, f8_mul(f8_sub(f8_mul(a, at->g2), f8_mul(b, at->g1)), over),
                    f8_mul(at->g2, uphill));
    supi_f8 square = f8_madd(*s1, *s1, f8_mul(*s2, *s2)), most = f8_set(STEP_MAX * STEP_MAX);
    supi_f8 bound =
        f8_select(f8_less(most, square), f8_div(f8_set(STEP_MAX), f8_sqrt(f8_max(square, most))),
                  f8_set(1.0f));
    *s1 = f8_mul(*s1, bound);
    *s2 = f8_mul(*s2, bound);
}

/* One round for the lanes that are `busy`; those whose step was small are so no longer. */
F8_INLINE void improve8(const body8* a, const body8* b, vec8 d, trial8* now, supi_m8* busy) {
    vec8 t1, t2;
    supi_f8 s1, s2, zero = f8_set(0.0f), half = f8_set(0.5f);
    tangents8(now->n, &t1, &t2);
    plane8 at = {dot8(t1, d), dot8(t2, d), zero, zero, zero};
    add_body8(&at, a, now->sa, now->ha, t1, t2);
    add_body8(&at, b, now->sb, now->hb, t1, t2);
    step8(&at, now, &s1, &s2);
    supi_f8 square = f8_madd(s1, s1, f8_mul(s2, s2)), least = f8_sub(now->f, f8_set(ROUNDING));
    supi_m8 open = *busy;
    trial8 best = *now;
    for (int halving = 0; halving <= HALVINGS && m8_bits(open); halving++) {
        vec8 n = along8(along8(now->n, s1, t1), s2, t2);
        trial8 next = try8(a, b, d, scaled8(n, f8_div(f8_set(1.0f), length8(n))));
        supi_m8 worse = f8_less(next.f, least);
        best = choose_trial8(open, choose_trial8(worse, best, next), best);
        open = m8_and(open, worse);
        s1 = f8_mul(s1, half);
        s2 = f8_mul(s2, half);
    }
    *now = best;
    *busy = m8_and(*busy, f8_less(f8_set(SETTLED), square));
}

/* (A A^T + B B^T)^-1 d but for its length: what spheres would give if the pair were stretched into
   them. */
F8_INLINE vec8 first_guess8(const body8* a, const body8* b, vec8 d) {
    supi_f8 xx = f8_set(0.0f), yy = xx, zz = xx, xy = xx, xz = xx, yz = xx;
    for (int k = 0; k < 6; k++) {
        vec8 r = k < 3 ? a->axis[k] : b->axis[k - 3];
        xx = f8_madd(r.x, r.x, xx);
        yy = f8_madd(r.y, r.y, yy);
        zz = f8_madd(r.z, r.z, zz);
        xy = f8_madd(r.x, r.y, xy);
        xz = f8_madd(r.x, r.z, xz);
        yz = f8_madd(r.y, r.z, yz);
    }
    supi_f8 ixx = f8_sub(f8_mul(yy, zz), f8_mul(yz, yz));
    supi_f8 iyy = f8_sub(f8_mul(xx, zz), f8_mul(xz, xz));
    supi_f8 izz = f8_sub(f8_mul(xx, yy), f8_mul(xy, xy));
    supi_f8 ixy = f8_sub(f8_mul(xz, yz), f8_mul(xy, zz));
    supi_f8 ixz = f8_sub(f8_mul(xy, yz), f8_mul(xz, yy));
    supi_f8 iyz = f8_sub(f8_mul(xy, xz), f8_mul(yz, xx));
    vec8 rows[3] = {{ixx, ixy, ixz}, {ixy, iyy, iyz}, {ixz, iyz, izz}};
    return (vec8){dot8(rows[0], d), dot8(rows[1], d), dot8(rows[2], d)};
}

/* The direction of the shortest of three axes. */
F8_INLINE vec8 shortest8(const body8* b) {
    vec8 best = b->axis[0];
    for (int k = 1; k < 3; k++) {
        supi_m8 less = f8_less(dot8(b->axis[k], b->axis[k]), dot8(best, best));
        best = choose8(less, b->axis[k], best);
    }
    return best;
}

/* Where to begin: known normals, else a guess, for centres at one place across the first. */
F8_INLINE vec8 begin8(const body8* a, const body8* b, vec8 d, vec8 known) {
    supi_f8 tiny = f8_set(1e-12f), one = f8_set(1.0f);
    vec8 guess = first_guess8(a, b, d), none = {f8_set(0.0f), one, f8_set(0.0f)};
    vec8 across = shortest8(a);
    across = choose8(f8_less(f8_set(1e-30f), dot8(across, across)), across, none);
    guess = choose8(f8_less(f8_set(1e-30f), dot8(guess, guess)), guess, d);
    guess = choose8(f8_less(tiny, dot8(d, d)), guess, across);
    vec8 n = choose8(f8_less(f8_set(0.5f), dot8(known, known)), known, guess);
    return scaled8(n, f8_div(one, f8_sqrt(dot8(n, n))));
}

static void separate(supi_ellipsoid_pairs* pairs) {
    vec8 d = load8(pairs->offset);
    body8 a = load_body(pairs->a), b = load_body(pairs->b);
    supi_f8 size = dot8(d, d), one = f8_set(1.0f);
    for (int k = 0; k < 3; k++) {
        size = f8_add(size, f8_add(dot8(a.axis[k], a.axis[k]), dot8(b.axis[k], b.axis[k])));
    }
    size = f8_sqrt(f8_max(size, f8_set(1e-30f)));
    supi_f8 over = f8_div(one, size);
    d = scaled8(d, over);
    for (int k = 0; k < 3; k++) {
        a.axis[k] = scaled8(a.axis[k], over);
        b.axis[k] = scaled8(b.axis[k], over);
    }

    /* Along the line of centres most pairs that are apart show it. */
    supi_f8 apart = dot8(d, d);
    supi_m8 has_line = f8_less(f8_set(1e-12f), apart);
    vec8 start = begin8(&a, &b, d, load8(pairs->normal));
    vec8 line = scaled8(d, f8_div(one, f8_sqrt(f8_select(has_line, apart, one))));
    trial8 by_line = try8(&a, &b, d, choose8(has_line, line, start));
    supi_f8 margin = f8_set(pairs->margin);
    supi_m8 far = f8_less(margin, f8_mul(by_line.f, size));
    trial8 now = choose_trial8(far, by_line, try8(&a, &b, d, start));
    supi_m8 busy = f8_less(f8_mul(now.f, size), margin);
    supi_f8 taken = f8_set(0.0f);
    for (int32_t round = 0; round < pairs->rounds && m8_bits(busy); round++) {
        taken = f8_add(taken, f8_select(busy, one, f8_set(0.0f)));
        improve8(&a, &b, d, &now, &busy);
        busy = m8_and(busy, f8_less(f8_mul(now.f, size), margin));
    }

    vec8 reach_a = scaled8(outside8(&a, now.sa), f8_div(size, now.ha));
    vec8 reach_b = scaled8(outside8(&b, now.sb), f8_div(f8_sub(f8_set(0.0f), size), now.hb));
    float count[8];
    store8(pairs->normal, now.n);
    store8(pairs->reach_a, reach_a);
    store8(pairs->reach_b, reach_b);
    f8_store(pairs->separation, f8_mul(now.f, size));
    f8_store(count, taken);
    for (int lane = 0; lane < 8; lane++) pairs->taken[lane] = (int32_t)count[lane];
}

/* ---- Rows as ellipsoids ---- */

/* The shapes of two sides, apart by `offset`, to be separated. */
F8_INLINE void load_pairs8(const shape8 of[2], supi_ellipsoid_pairs* pairs) {
    float(*to[2])[8] = {pairs->a, pairs->b};
    for (int side = 0; side < 2; side++) {
        vec8 axes[3];
        solid8(&of[side], axes);
        for (int k = 0; k < 3; k++) store8(to[side] + 3 * k, axes[k]);
    }
    store8(pairs->offset, minus8(of[1].centre, of[0].centre));
}

F8_INLINE void find_sides8(const supi_ellipsoid_rows* rows, side8 out[2]) {
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 8; k++) {
            find_row8(rows->oriented[side][k], rows->first[side][k], rows->row[side][k], rows->x,
                      rows->v, k, &out[side]);
        }
    }
}

F8_INLINE void shapes_at8(const supi_ellipsoid_rows* rows, const side8 sides[2], float h,
                          shape8 out[2]) {
    supi_f8 zero = f8_set(0.0f), scale = f8_load(rows->scale);
    vec8 none = {zero, zero, zero};
    shape_at8(&sides[0], scale, load8(rows->offset), h, &out[0]);
    shape_at8(&sides[1], scale, none, h, &out[1]);
}

static void place(const supi_ellipsoid_rows* rows, supi_ellipsoid_pairs* pairs) {
    side8 sides[2];
    shape8 shapes[2];
    find_sides8(rows, sides);
    shapes_at8(rows, sides, 0, shapes);
    load_pairs8(shapes, pairs);
}

/* ---- Encounters ---- */

/* How deep the two overlap along n, which points to the second. */
F8_INLINE supi_f8 depth8(const shape8 of[2], vec8 n) {
    supi_f8 apart = dot8(n, minus8(of[1].centre, of[0].centre));
    return f8_sub(f8_add(reach_along8(&of[1], n), reach_along8(&of[0], n)), apart);
}

/* Where they touch is between the foremost places of both, next to that of the heavier. `apart` is
   from the first to the second, whose share is known. */
F8_INLINE void take_arms8(vec8 apart, vec8 of_first, vec8 of_second, supi_f8 share, vec8 arms[2]) {
    vec8 gap = minus8(plus8(apart, of_second), of_first);
    arms[0] = along8(of_first, f8_sub(f8_set(1.0f), share), gap);
    arms[1] = along8(of_second, f8_sub(f8_set(0.0f), share), gap);
}

F8_INLINE sup_vec3 vector_of(float from[3][8], int lane) {
    return (sup_vec3){from[0][lane], from[1][lane], from[2][lane]};
}

static void encounter(supi_encounters* e) {
    side8 sides[2];
    shape8 now[2], then[2];
    supi_ellipsoid_pairs start = {.margin = FLT_MAX, .rounds = SUPI_ENCOUNTER_KNOWN_ROUNDS};
    supi_f8 zero = f8_set(0.0f), share = f8_load(e->share);
    find_sides8(&e->rows, sides);
    shapes_at8(&e->rows, sides, 0, now);
    shapes_at8(&e->rows, sides, e->h, then);
    load_pairs8(then, &start);
    vec8 normal = load8(e->normal), arms[2], arms_end[2];
    store8(start.normal, normal);
    separate(&start);

    vec8 of_first = load8(start.reach_a), of_second = load8(start.reach_b);
    vec8 met = load8(start.normal);
    supi_f8 before = f8_load(start.separation), both = dot8(met, minus8(of_first, of_second));
    supi_m8 deep = f8_less(before, f8_mul(f8_set(-DEEP), both)); /* where to is best seen now */
    take_arms8(load8(start.offset), of_first, of_second, share, arms);
    take_arms8(load8(e->offset), load8(e->reach_a), load8(e->reach_b), share, arms_end);
    supi_f8 depth = f8_select(deep, f8_sub(zero, f8_load(e->separation)), depth8(now, met));
    normal = choose8(deep, normal, met);

    float normals[3][8], arms_a[3][8], arms_b[3][8], depths[8], olds[8], befores[8];
    store8(normals, normal);
    store8(arms_a, choose8(deep, arms_end[1], arms[1]));
    store8(arms_b, choose8(deep, arms_end[0], arms[0]));
    f8_store(depths, depth);
    f8_store(olds, f8_max(f8_sub(zero, before), zero));
    f8_store(befores, depth8(then, normal));
    for (int k = 0; k < 8; k++) {
        e->out[k] =
            (supi_encounter){vector_of(normals, k), depths[k],           olds[k], befores[k],
                             vector_of(arms_a, k),  vector_of(arms_b, k)};
    }
}

/* ---- Planes ---- */

/* The place that lies furthest along n, seen from the origin of the centres, and how far that is
   from the centre. */
F8_INLINE vec8 foremost8(const shape8* shape, vec8 n, supi_f8* reach) {
    supi_f8 zero = f8_set(0.0f), along[3], sum = zero;
    for (int k = 0; k < 3; k++) {
        along[k] = f8_mul(shape->radii[k], dot8(shape->axes[k], n));
        sum = f8_madd(along[k], along[k], sum);
    }
    supi_m8 solid = f8_less(zero, sum);
    supi_f8 over = f8_select(solid, f8_sqrt(sum), f8_set(1.0f));
    vec8 place = shape->centre;
    *reach = f8_sqrt(sum);
    for (int k = 0; k < 3; k++) {
        supi_f8 by = f8_mul(f8_div(along[k], over), shape->radii[k]);
        place = along8(place, by, shape->axes[k]);
    }
    return choose8(solid, place, shape->centre);
}

static void touch(supi_ellipsoid_touches* t) {
    side8 side;
    shape8 now, then;
    supi_f8 zero = f8_set(0.0f), one = f8_set(1.0f), offset = f8_set(t->offset), reach;
    vec8 none = {zero, zero, zero}, n = set8(t->normal), back = scaled8(n, f8_set(-1.0f));
    for (int k = 0; k < 8; k++) find_row8(t->oriented, t->first, t->row[k], t->x, t->v, k, &side);
    shape_at8(&side, one, none, 0, &now);
    vec8 place = foremost8(&now, back, &reach);
    store8(t->arm, minus8(place, now.centre));
    f8_store(t->distance, f8_sub(f8_sub(dot8(n, now.centre), offset), reach));
    shape_at8(&side, one, none, t->h, &then);
    reach = reach_along8(&then, back);
    f8_store(t->before, f8_sub(f8_sub(dot8(n, then.centre), offset), reach));
}

extern supi_press_plane SUPI_KERNEL(supi_press_plane);
extern const supi_ellipsoid_kernels SUPI_KERNEL(supi_ellipsoid_kernels);
const supi_ellipsoid_kernels SUPI_KERNEL(supi_ellipsoid_kernels) = {
    separate, place, encounter, touch, SUPI_KERNEL(supi_press_plane)};
