#include "contact/near.h"

#include "geom/pick8.h"
#include "geom/vec8.h"

F8_INLINE supi_f8 square8(vec8 a) { return dot8(a, a); }

/* Eight rows in the order of their lanes; of the last ones, where they are fewer, the very last
   several times. */
F8_INLINE supi_rows8 take8(const sup_row* from, int32_t left) {
    supi_rows8 rows;
    sup_row last[8];
    if (left < 8) {
        for (int32_t k = 0; k < 8; k++) last[k] = from[k < left ? k : left - 1];
        from = last;
    }
    for (int k = 0; k < 4; k++) rows.r[k] = pair_load(from + k, from + k + 4);
    return rows;
}

F8_INLINE vec8 take_places8(const sup_row* x, int32_t left) {
    vec8 at;
    supi_f8 ignored;
    rows8_to_lanes(take8(x, left), &at.x, &at.y, &at.z, &ignored);
    return at;
}

/* ---- Has a run kept together? ---- */

/* A whole that moves: x -> now + m (x - then), m by the unit quaternion `turn`. */
typedef struct whole {
    float then[3], now[3], m[3][3], turn[4];
} whole;

/* From a sum of quaternions; no turn where that says nothing. */
static void turn_of(const float sum[4], float turn[4], float m[3][3]) {
    float square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
    bool known = square > 1e-12f;
    float s = known ? 2 / square : 0, scale = known ? 1 / sqrtf(square) : 0;
    float x = sum[0], y = sum[1], z = sum[2], w = sum[3];
    for (int k = 0; k < 4; k++) turn[k] = scale * sum[k];
    if (!known) turn[3] = 1;
    m[0][0] = 1 - s * (y * y + z * z);
    m[0][1] = s * (x * y - w * z);
    m[0][2] = s * (x * z + w * y);
    m[1][0] = s * (x * y + w * z);
    m[1][1] = 1 - s * (x * x + z * z);
    m[1][2] = s * (y * z - w * x);
    m[2][0] = s * (x * z - w * y);
    m[2][1] = s * (y * z + w * x);
    m[2][2] = 1 - s * (x * x + y * y);
}

/* Adds q then^-1, each with the sign that makes its last component positive. */
F8_INLINE void add_turns8(supi_f8 sum[4], const supi_near_block* b, const sup_quat* turn,
                          int32_t left) {
    supi_f8 x, y, z, w;
    supi_f8 tx = f8_load(b->turn[0]), ty = f8_load(b->turn[1]), tz = f8_load(b->turn[2]),
            tw = f8_load(b->turn[3]);
    rows8_to_lanes(take8((const sup_row*)turn, left), &x, &y, &z, &w);
    supi_f8 along = f8_add(f8_add(f8_mul(x, tx), f8_mul(y, ty)), f8_mul(z, tz));
    supi_f8 scalar = f8_madd(w, tw, along);
    supi_f8 vx = f8_sub(f8_mul(x, tw), f8_mul(w, tx)), vy = f8_sub(f8_mul(y, tw), f8_mul(w, ty)),
            vz = f8_sub(f8_mul(z, tw), f8_mul(w, tz));
    vx = f8_add(vx, f8_sub(f8_mul(z, ty), f8_mul(y, tz)));
    vy = f8_add(vy, f8_sub(f8_mul(x, tz), f8_mul(z, tx)));
    vz = f8_add(vz, f8_sub(f8_mul(y, tx), f8_mul(x, ty)));
    sum[0] = f8_add(sum[0], f8_flip(vx, scalar));
    sum[1] = f8_add(sum[1], f8_flip(vy, scalar));
    sum[2] = f8_add(sum[2], f8_flip(vz, scalar));
    sum[3] = f8_add(sum[3], f8_abs(scalar));
}

/* Mean moves and turns: good enough, as whatever it is, rows are held against it. */
static whole whole_of(const supi_near_block* blocks, int32_t count, const sup_row* x,
                      const sup_quat* turn) {
    supi_f8 sums[8], zero = f8_set(0.0f);
    supi_f8 turns[4] = {zero, zero, zero, zero};
    vec8 then = {zero, zero, zero}, now = then;
    for (int32_t i = 0; i < count; i += 8) {
        const supi_near_block* b = &blocks[i / 8];
        vec8 at = take_places8(x + i, count - i), was = load8(b->place);
        then = plus8(then, was);
        now = plus8(now, at);
        if (turn) add_turns8(turns, b, turn + i, count - i);
    }
    float out[8], turned[4], share = 1.0f / (float)((count + 7) / 8 * 8);
    const supi_f8 places[8] = {then.x, then.y, then.z, now.x, now.y, now.z, zero, zero};
    for (int k = 0; k < 8; k++) sums[k] = places[k];
    f8_sums(sums, out);
    for (int k = 0; k < 4; k++) turned[k] = f8_sum(turns[k]);
    whole w;
    for (int k = 0; k < 3; k++) {
        w.then[k] = share * out[k];
        w.now[k] = share * out[3 + k];
    }
    turn_of(turned, w.turn, w.m);
    return w;
}

F8_INLINE supi_f8 take_radii8(const sup_row* v, int32_t left) {
    supi_f8 x, y, z, radius;
    rows8_to_lanes(take8(v, left), &x, &y, &z, &radius);
    return radius;
}

/* Not finite where two radii differ. */
F8_INLINE supi_f8 unless_resized8(supi_f8 value, supi_f8 a, supi_f8 b) {
    return f8_select(m8_or(f8_less(a, b), f8_less(b, a)), f8_set(INFINITY), value);
}

/* By how much more rows may reach for having turned against the whole. How far an ellipsoid reaches
   changes by no more than its spread for each radian; up to 60 degrees an angle is less than 2.1
   times the sine of its half, beyond that nothing is known. */
F8_INLINE supi_f8 turned8(const supi_near_block* b, const whole* w, const sup_quat* turn,
                          int32_t left) {
    quat8 then = {f8_load(b->turn[0]), f8_load(b->turn[1]), f8_load(b->turn[2]),
                  f8_load(b->turn[3])};
    quat8 by = {f8_set(w->turn[0]), f8_set(w->turn[1]), f8_set(w->turn[2]), f8_set(w->turn[3])};
    quat8 to = product8(by, then), q;
    rows8_to_lanes(take8((const sup_row*)turn, left), &q.x, &q.y, &q.z, &q.w);
    supi_f8 zero = f8_set(0.0f), cosine = f8_madd(q.w, to.w, dot8(vector8(q), vector8(to)));
    /* a little more, for rounding; what is no number stays none */
    supi_f8 square = f8_sub(f8_set(1.000001f), f8_mul(cosine, cosine));
    supi_f8 sine = f8_sqrt(f8_select(f8_less(square, zero), zero, square));
    supi_f8 angle = f8_mul(f8_set(2.1f), sine);
    angle = f8_select(f8_less(f8_set(0.5f), sine), f8_set(1e30f), angle);
    return f8_mul(angle, f8_load(b->spread));
}

static bool stray(supi_near_block* blocks, int32_t count, const sup_row* x, const sup_row* v,
                  const sup_quat* turn, bool spreads) {
    whole w = whole_of(blocks, count, x, turn);
    vec8 then = set8(w.then), now = set8(w.now), m[3] = {set8(w.m[0]), set8(w.m[1]), set8(w.m[2])};
    int within = 0xff;
    for (int32_t i = 0; i < count; i += 8) {
        supi_near_block* b = &blocks[i / 8];
        vec8 at = minus8(take_places8(x + i, count - i), now), was = minus8(load8(b->place), then);
        vec8 to = {dot8(m[0], was), dot8(m[1], was), dot8(m[2], was)};
        supi_f8 strayed = f8_sqrt(square8(minus8(at, to))), room = f8_load(b->room);
        if (spreads) strayed = f8_add(strayed, turned8(b, &w, turn + i, count - i));
        strayed = unless_resized8(strayed, take_radii8(v + i, count - i), f8_load(b->radius));
        f8_store(b->strayed, strayed);
        /* a little less, for rounding */
        within &= m8_bits(f8_less(strayed, f8_mul(f8_set(0.98f), room)));
    }
    return within == 0xff;
}

/* ---- Who may come near whom? ---- */

F8_INLINE supi_f8 lane8(const float from[8], int32_t lane) { return f8_set(from[lane]); }

/* How far two ranges are apart, at least 0. */
F8_INLINE supi_f8 gap8(supi_f8 low_a, supi_f8 high_a, supi_f8 low_b, supi_f8 high_b) {
    return f8_max(f8_max(f8_sub(low_a, high_b), f8_sub(low_b, high_a)), f8_set(0.0f));
}

static int32_t pick(const supi_near_boxes* boxes, int32_t block_count, int32_t first,
                    int32_t* out) {
    const supi_near_boxes* own = &boxes[first / 8];
    int32_t lane = first % 8, found = 0;
    vec8 low = {lane8(own->low[0], lane), lane8(own->low[1], lane), lane8(own->low[2], lane)};
    vec8 high = {lane8(own->high[0], lane), lane8(own->high[1], lane), lane8(own->high[2], lane)};
    /* a little more, as gaps and distances are rounded otherwise */
    supi_f8 reach = lane8(own->reach, lane), more = f8_set(1.00001f);
    for (int32_t i = first - lane; i < block_count; i += 8) {
        const supi_near_boxes* b = &boxes[i / 8];
        vec8 gap = {gap8(low.x, high.x, f8_load(b->low[0]), f8_load(b->high[0])),
                    gap8(low.y, high.y, f8_load(b->low[1]), f8_load(b->high[1])),
                    gap8(low.z, high.z, f8_load(b->low[2]), f8_load(b->high[2]))};
        supi_f8 sum = f8_mul(f8_add(reach, f8_load(b->reach)), more);
        int near = m8_bits(f8_less(square8(gap), f8_mul(sum, sum)));
        if (i < first) near &= (int)(~0u << lane);
        if (block_count - i < 8) near &= (1 << (block_count - i)) - 1;
        for (; near; near &= near - 1) out[found++] = i + __builtin_ctz((unsigned)near);
    }
    return found;
}

static int32_t mates(const supi_near_block* blocks, int32_t count, const int32_t* picked,
                     int32_t picked_count, int32_t row, int32_t* out) {
    const supi_near_block* own = &blocks[row / 8];
    int32_t lane = row % 8, found = 0;
    vec8 at = {lane8(own->place[0], lane), lane8(own->place[1], lane), lane8(own->place[2], lane)};
    supi_f8 reach = lane8(own->reach, lane), zero = f8_set(0.0f);
    for (int32_t k = 0; k < picked_count; k++) {
        const supi_near_block* b = &blocks[picked[k]];
        int32_t first = 8 * picked[k];
        supi_f8 other = f8_load(b->reach), sum = f8_add(reach, other);
        supi_m8 meets = f8_less(square8(minus8(at, load8(b->place))), f8_mul(sum, sum));
        int near = m8_bits(m8_and(meets, f8_less(zero, other)));
        if (first <= row) near &= (int)(~1u << lane);
        if (count - first < 8) near &= (1 << (count - first)) - 1;
        if (near) found += pick8(near, first, out + found);
    }
    return found;
}

/* The second of two runs, and a box around it. */
typedef struct beside8 {
    float place[3][SUPI_NEAR_SPAN], radius[SUPI_NEAR_SPAN];
    float low[3], high[3], reach; /* of the largest */
} beside8;

F8_INLINE float least8(supi_f8 a) {
    float of[8];
    f8_store(of, a);
    for (int k = 1; k < 8; k++) of[0] = of[k] < of[0] ? of[k] : of[0];
    return of[0];
}

F8_INLINE float most8(supi_f8 a) { return -least8(f8_sub(f8_set(0.0f), a)); }

static void lay_out(const supi_near_couple* c, beside8* b) {
    supi_f8 infinite = f8_set(INFINITY), minus = f8_set(-INFINITY), most = f8_set(0.0f);
    vec8 low = {infinite, infinite, infinite}, high = {minus, minus, minus};
    for (int32_t i = 0; i < c->count_b; i += 8) {
        vec8 at = plus8(take_places8(c->xb + i, c->count_b - i), set8(c->offset));
        supi_f8 radius = take_radii8(c->vb + i, c->count_b - i);
        f8_store(b->place[0] + i, at.x);
        f8_store(b->place[1] + i, at.y);
        f8_store(b->place[2] + i, at.z);
        f8_store(b->radius + i, radius);
        low = (vec8){f8_min(at.x, low.x), f8_min(at.y, low.y), f8_min(at.z, low.z)};
        high = (vec8){f8_max(at.x, high.x), f8_max(at.y, high.y), f8_max(at.z, high.z)};
        most = f8_max(radius, most);
    }
    const supi_f8 lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; k++) {
        b->low[k] = least8(lows[k]);
        b->high[k] = most8(highs[k]);
    }
    b->reach = most8(most);
}

/* Bits of eight rows that are in the box as large as both reach; a little more, for rounding. */
F8_INLINE int in_box8(const beside8* b, float margin, vec8 at, supi_f8 radius) {
    const supi_f8 place[3] = {at.x, at.y, at.z}, zero = f8_set(0.0f);
    supi_f8 grown = f8_mul(f8_add(radius, f8_set(b->reach + margin)), f8_set(1.001f));
    supi_m8 in = f8_less(zero, radius);
    for (int k = 0; k < 3; k++) {
        supi_f8 below = f8_sub(f8_set(b->low[k]), place[k]);
        supi_f8 above = f8_sub(place[k], f8_set(b->high[k]));
        in = m8_and(in, f8_less(f8_max(below, above), grown));
    }
    return m8_bits(in);
}

/* Rows of b near one of a. */
F8_INLINE uint64_t row_beside(const beside8* b, int32_t count, float margin, const sup_row* x,
                              float radius) {
    const vec8 at = {f8_set(x->x), f8_set(x->y), f8_set(x->z)};
    const supi_f8 own = f8_set(radius), more = f8_set(margin), zero = f8_set(0.0f);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += 8) {
        vec8 other = {f8_load(b->place[0] + i), f8_load(b->place[1] + i), f8_load(b->place[2] + i)};
        supi_f8 theirs = f8_load(b->radius + i), sum = f8_add(f8_add(own, theirs), more);
        supi_m8 near = f8_less(square8(minus8(at, other)), f8_mul(sum, sum));
        bits |= (uint64_t)m8_bits(m8_and(near, f8_less(zero, theirs))) << i;
    }
    return count < SUPI_NEAR_SPAN ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

static int32_t beside(const supi_near_couple* c, uint64_t* out) {
    beside8 b;
    int32_t found = 0;
    lay_out(c, &b);
    for (int32_t i = 0; i < c->count_a; i += 8) {
        int32_t left = c->count_a - i < 8 ? c->count_a - i : 8;
        int in =
            in_box8(&b, c->margin, take_places8(c->xa + i, left), take_radii8(c->va + i, left));
        for (int32_t k = 0; k < left; k++) {
            uint64_t bits = 0;
            if (in >> k & 1) {
                bits = row_beside(&b, c->count_b, c->margin, c->xa + i + k, c->va[i + k].w);
            }
            out[(i + k) * c->stride] = bits;
            found += __builtin_popcountll(bits);
        }
    }
    return found;
}

/* ---- Who is near now? ---- */

/* Places of the rows of eight candidates. */
F8_INLINE void places8(const supi_candidate* c, const sup_row* x, vec8* a, vec8* b) {
    int32_t rows_a[8], rows_b[8];
    for (int k = 0; k < 8; k++) {
        rows_a[k] = c[k].pair.a;
        rows_b[k] = c[k].pair.b;
    }
    *a = vector8(gather8(x, rows_a));
    *b = vector8(gather8(x, rows_b));
}

static int32_t sift(const supi_candidate* kept, int32_t count, const sup_row* x,
                    const float offset[3], supi_candidate* near) {
    vec8 from = set8(offset);
    int32_t found = 0;
    for (int32_t i = 0; i < count; i += 8) {
        const supi_candidate* c = kept + i;
        float reaches[8];
        vec8 a, b;
        places8(c, x, &a, &b);
        for (int k = 0; k < 8; k++) reaches[k] = c[k].reach;
        supi_f8 reach = f8_load(reaches);
        b = plus8(b, from);
        int bits = m8_bits(f8_less(square8(minus8(a, b)), f8_mul(reach, reach)));
        if (count - i < 8) bits &= (1 << (count - i)) - 1;
        if (!bits) continue;
        for (int k = 0; k < 8; k++) {
            near[found] = c[k];
            found += bits >> k & 1;
        }
    }
    return found;
}

static float drift(const sup_row* then, int32_t count, const sup_row* x, const sup_row* v,
                   const float shift[3]) {
    vec8 by = set8(shift), was;
    supi_f8 most = f8_set(0.0f), kept;
    for (int32_t i = 0; i < count; i += 8) {
        rows8_to_lanes(take8(then + i, count - i), &was.x, &was.y, &was.z, &kept);
        supi_f8 square = square8(minus8(take_places8(x + i, count - i), minus8(was, by)));
        square = unless_resized8(square, take_radii8(v + i, count - i), kept);
        /* what is no number is no drift */
        square = f8_select(f8_less(square, f8_set(INFINITY)), square, f8_set(INFINITY));
        most = f8_max(square, most);
    }
    float squares[8], largest = 0;
    f8_store(squares, most);
    for (int k = 0; k < 8; k++) largest = squares[k] > largest ? squares[k] : largest;
    return sqrtf(largest);
}

/* ---- Whose shapes may overlap? ---- */

F8_INLINE quat8 take_turns8(const sup_quat* from, int32_t left) {
    quat8 q;
    rows8_to_lanes(take8((const sup_row*)from, left), &q.x, &q.y, &q.z, &q.w);
    return q;
}

/* The axes of eight rows now, times their radii. */
F8_INLINE void shapes8(const supi_oriented* o, int32_t row, int32_t left, vec8 axes[3]) {
    supi_f8 r[3], ignored;
    axes8(product8(take_turns8(o->turn + row, left), take_turns8(o->axes + row, left)), axes);
    rows8_to_lanes(take8(o->radii + row, left), &r[0], &r[1], &r[2], &ignored);
    for (int k = 0; k < 3; k++) axes[k] = scaled8(axes[k], r[k]);
}

static uint64_t touch_plane(const supi_oriented* o, int32_t first, int32_t count, const sup_row* x,
                            const float normal[3], float offset, float limit) {
    vec8 n = set8(normal);
    supi_f8 bound = f8_set(offset + limit), zero = f8_set(0.0f);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += 8) {
        vec8 axes[3], at;
        supi_f8 weight, square = zero;
        int32_t left = count - i < 8 ? count - i : 8;
        rows8_to_lanes(take8(x + i, left), &at.x, &at.y, &at.z, &weight);
        shapes8(o, first + i, left, axes);
        for (int k = 0; k < 3; k++) {
            supi_f8 along = dot8(axes[k], n);
            square = f8_madd(along, along, square);
        }
        supi_m8 near = f8_less(f8_sub(dot8(at, n), f8_sqrt(square)), bound);
        int meets = m8_bits(m8_and(near, f8_less(zero, weight))) & ((1 << left) - 1);
        bits |= (uint64_t)meets << i;
    }
    return bits;
}

static void outline(const supi_oriented* o, int32_t count, supi_outline* out) {
    for (int32_t i = 0; i < count; i += 8) {
        supi_f8 zero = f8_set(0.0f), xx = zero, yy = zero, zz = zero, xy = zero, xz = zero,
                yz = zero, most = zero;
        vec8 axes[3];
        shapes8(o, i, count - i, axes);
        for (int k = 0; k < 3; k++) {
            vec8 a = axes[k];
            xx = f8_madd(a.x, a.x, xx);
            yy = f8_madd(a.y, a.y, yy);
            zz = f8_madd(a.z, a.z, zz);
            xy = f8_madd(a.x, a.y, xy);
            xz = f8_madd(a.x, a.z, xz);
            yz = f8_madd(a.y, a.z, yz);
            most = f8_max(square8(a), most);
        }
        supi_rows8 straight = rows8_from_lanes(xx, yy, zz, f8_mul(most, f8_set(SUPI_NEAR_SLACK)));
        supi_rows8 cross = rows8_from_lanes(xy, xz, yz, zero);
        for (int k = 0; k < 4; k++) {
            pair_store(&out[i + k].straight, &out[i + k + 4].straight, straight.r[k]);
            pair_store(&out[i + k].cross, &out[i + k + 4].cross, cross.r[k]);
        }
    }
}

/* Outlines of eight rows. */
typedef struct outline8 {
    vec8 straight, cross; /* xx, yy, zz; xy, xz, yz */
    supi_f8 slack;
} outline8;

F8_INLINE outline8 load_outlines8(const supi_outline* const of[8]) {
    supi_rows8 straight, cross;
    outline8 o;
    supi_f8 ignored;
    for (int k = 0; k < 4; k++) {
        straight.r[k] = pair_load(&of[k]->straight, &of[k + 4]->straight);
        cross.r[k] = pair_load(&of[k]->cross, &of[k + 4]->cross);
    }
    rows8_to_lanes(straight, &o.straight.x, &o.straight.y, &o.straight.z, &o.slack);
    rows8_to_lanes(cross, &o.cross.x, &o.cross.y, &o.cross.z, &ignored);
    return o;
}

/* How far each reaches along d, times |d|. */
F8_INLINE supi_f8 reach8(const outline8* o, vec8 d, supi_f8 square) {
    vec8 twice = {f8_add(d.x, d.x), f8_add(d.y, d.y), f8_add(d.z, d.z)};
    supi_f8 sum = f8_madd(square, o->slack, f8_mul(f8_mul(d.x, d.x), o->straight.x));
    sum = f8_madd(f8_mul(d.y, d.y), o->straight.y, sum);
    sum = f8_madd(f8_mul(d.z, d.z), o->straight.z, sum);
    sum = f8_madd(f8_mul(twice.x, d.y), o->cross.x, sum);
    sum = f8_madd(f8_mul(twice.x, d.z), o->cross.y, sum);
    sum = f8_madd(f8_mul(twice.y, d.z), o->cross.z, sum);
    return f8_sqrt(f8_max(sum, f8_set(0.0f)));
}

/* How far both reach along d, times |d|; a little more, for rounding. */
F8_INLINE supi_f8 reach_of_both8(const outline8 of[2], supi_f8 scale, vec8 d) {
    supi_f8 square = square8(d);
    supi_f8 reach = f8_add(reach8(&of[0], d, square), reach8(&of[1], d, square));
    return f8_mul(f8_mul(reach, scale), f8_set(1.00001f));
}

/* The direction that would show whether they are apart if both were the same shape, turned alike:
   (A + B)^-1 d, but for its length. Newton's method begins with it. */
F8_INLINE vec8 likely8(const outline8 of[2], vec8 d) {
    vec8 s = plus8(of[0].straight, of[1].straight), c = plus8(of[0].cross, of[1].cross);
    supi_f8 trace = f8_add(f8_add(s.x, s.y), s.z);
    supi_f8 over = f8_div(f8_set(1.0f), f8_max(trace, f8_set(1e-30f)));
    s = scaled8(s, over); /* products of small lengths would be 0 */
    c = scaled8(c, over);
    vec8 on = {f8_sub(f8_mul(s.y, s.z), f8_mul(c.z, c.z)),
               f8_sub(f8_mul(s.x, s.z), f8_mul(c.y, c.y)),
               f8_sub(f8_mul(s.x, s.y), f8_mul(c.x, c.x))};
    vec8 off = {f8_sub(f8_mul(c.y, c.z), f8_mul(c.x, s.z)),
                f8_sub(f8_mul(c.x, c.z), f8_mul(c.y, s.y)),
                f8_sub(f8_mul(c.x, c.y), f8_mul(c.z, s.x))};
    vec8 rows[3] = {{on.x, off.x, off.y}, {off.x, on.y, off.z}, {off.y, off.z, on.z}};
    return (vec8){dot8(rows[0], d), dot8(rows[1], d), dot8(rows[2], d)};
}

/* How far they are apart along the likely direction at least, times the length of n. */
F8_INLINE supi_f8 likely_gap8(const outline8 of[2], supi_f8 scale, vec8 d, vec8* direction) {
    vec8 n = likely8(of, d);
    supi_f8 most = f8_max(f8_max(f8_abs(n.x), f8_abs(n.y)), f8_abs(n.z));
    /* of needles it is so short that squares of it would be 0 */
    n = scaled8(n, f8_div(f8_set(1.0f), f8_max(most, f8_set(1e-30f))));
    vec8 parts = {f8_mul(n.x, d.x), f8_mul(n.y, d.y), f8_mul(n.z, d.z)};
    supi_f8 along = f8_add(f8_add(parts.x, parts.y), parts.z);
    supi_f8 terms = f8_add(f8_add(f8_abs(parts.x), f8_abs(parts.y)), f8_abs(parts.z));
    along = f8_sub(along, f8_mul(f8_set(1e-6f), terms)); /* what rounding may have added */
    *direction = n;
    return f8_sub(along, reach_of_both8(of, scale, n));
}

static uint64_t meet(const supi_near_sides* sides, const supi_candidate* pairs, int32_t count,
                     const sup_row* x) {
    vec8 offset = set8(sides->offset);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += 8) {
        const supi_outline *of_a[8], *of_b[8];
        supi_candidate c[8];
        float scales[8], reaches[8];
        vec8 a, b, n;
        for (int k = 0; k < 8; k++) {
            c[k] = pairs[i + k < count ? i + k : count - 1];
            scales[k] = c[k].scale;
            reaches[k] = c[k].reach;
            of_a[k] = sides->a + (c[k].pair.a - sides->first_a);
            of_b[k] = sides->b + (c[k].pair.b - sides->first_b);
        }
        places8(c, x, &a, &b);
        vec8 d = minus8(minus8(a, b), offset);
        supi_f8 scale = f8_load(scales), reach = f8_load(reaches), square = square8(d);
        outline8 of[2] = {load_outlines8(of_a), load_outlines8(of_b)};
        int32_t left = count - i < 8 ? count - i : 8;
        int near = m8_bits(f8_less(square, f8_mul(reach, reach))) & ((1 << left) - 1);
        near &= ~m8_bits(f8_less(reach_of_both8(of, scale, d), square));
        if (near) near &= ~m8_bits(f8_less(f8_set(0.0f), likely_gap8(of, scale, d, &n)));
        bits |= (uint64_t)near << i;
    }
    return bits;
}

/* m, how far eight pairs are apart at least, by the better of two directions. */
F8_INLINE supi_f8 gap_of8(const outline8 of[2], supi_f8 scale, vec8 d, supi_f8 square) {
    supi_f8 least = f8_set(1e-30f);
    supi_f8 line = f8_sub(square, reach_of_both8(of, scale, d));
    line = f8_div(line, f8_max(f8_sqrt(square), least));
    vec8 n;
    supi_f8 likely = likely_gap8(of, scale, d, &n);
    likely = f8_div(likely, f8_max(f8_sqrt(square8(n)), least));
    return f8_max(line, likely);
}

/* Bits of the rows of a block that row a may meet. */
F8_INLINE int pair_up8(const supi_near_all* all, int32_t a, const outline8 of[2],
                       const supi_near_block* b, int32_t first, float gaps[8]) {
    const supi_near_block* own = &all->blocks[a / 8];
    int lane = a % 8;
    vec8 at = {lane8(own->place[0], lane), lane8(own->place[1], lane), lane8(own->place[2], lane)};
    vec8 d = minus8(at, load8(b->place));
    supi_f8 scale = f8_load(all->scales + a * all->stride + first), square = square8(d);
    supi_f8 reach = f8_mul(scale, f8_add(lane8(own->radius, lane), f8_load(b->radius)));
    supi_f8 room = f8_add(lane8(own->room, lane), f8_load(b->room)), sum = f8_add(reach, room);
    supi_m8 near = m8_and(f8_less(f8_set(0.0f), scale), f8_less(square, f8_mul(sum, sum)));
    int bits = m8_bits(near);
    if (!bits) return 0;
    supi_f8 gap = gap_of8(of, scale, d, square);
    f8_store(gaps, gap);
    return bits & ~m8_bits(f8_less(room, gap));
}

static int32_t pair_up(const supi_near_all* all, supi_near_two* out, float* apart) {
    outline8 of_b[SUPI_NEAR_SPAN / 8];
    int32_t found = 0;
    for (int32_t i = 0; i < all->stride / 8; i++) {
        const supi_outline* of[8];
        for (int k = 0; k < 8; k++) of[k] = all->outlines + 8 * i + k;
        of_b[i] = load_outlines8(of);
    }
    for (int32_t a = 0; a < all->count; a++) {
        const supi_outline* own = all->outlines + a;
        const outline8 of_a = {
            {f8_set(own->straight.x), f8_set(own->straight.y), f8_set(own->straight.z)},
            {f8_set(own->cross.x), f8_set(own->cross.y), f8_set(own->cross.z)},
            f8_set(own->straight.w)};
        for (int32_t first = a / 8 * 8; first < all->stride; first += 8) {
            outline8 of[2] = {of_a, of_b[first / 8]};
            float gaps[8];
            int bits = pair_up8(all, a, of, &all->blocks[first / 8], first, gaps);
            for (; bits; bits &= bits - 1) {
                int k = __builtin_ctz((unsigned)bits);
                out[found] = (supi_near_two){(uint8_t)a, (uint8_t)(first + k)};
                apart[found++] = gaps[k];
            }
        }
    }
    return found;
}

/* Most are further apart than any two have strayed. */
static int32_t unsure(const supi_near_kept* kept, supi_candidate* out) {
    supi_f8 most = f8_set(0.0f);
    int32_t found = 0;
    for (int32_t i = 0; i < kept->row_count; i += 8) {
        most = f8_max(f8_load(kept->blocks[i / 8].strayed), most);
    }
    supi_f8 limit = f8_set(2 * most8(most) + kept->least);
    for (int32_t i = 0; i < kept->pair_count; i += 8) {
        int bits = ~m8_bits(f8_less(limit, f8_load(kept->apart + i))) & 0xff;
        if (kept->pair_count - i < 8) bits &= (1 << (kept->pair_count - i)) - 1;
        for (; bits; bits &= bits - 1) {
            int32_t k = i + __builtin_ctz((unsigned)bits);
            int32_t a = kept->pairs[k].a, b = kept->pairs[k].b;
            const supi_near_block *of_a = &kept->blocks[a / 8], *of_b = &kept->blocks[b / 8];
            float strayed = of_a->strayed[a % 8] + of_b->strayed[b % 8];
            if (kept->apart[k] > strayed + kept->least) continue;
            float scale = kept->scales[a * kept->stride + b];
            float reach = scale * (of_a->radius[a % 8] + of_b->radius[b % 8]);
            out[found++] = (supi_candidate){{kept->first + a, kept->first + b}, scale, reach};
        }
    }
    return found;
}

static uint64_t close_to(const supi_near_columns* c, int32_t own, int32_t first, int32_t count,
                         float margin) {
    vec8 at = {f8_set(c->x[own]), f8_set(c->y[own]), f8_set(c->z[own])};
    supi_f8 radius = f8_set(c->radius[own] + margin), run = f8_set(c->run[own]);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += 8) {
        int32_t to = first + i;
        vec8 place = {f8_load(c->x + to), f8_load(c->y + to), f8_load(c->z + to)};
        supi_f8 reach = f8_add(radius, f8_load(c->radius + to));
        supi_m8 near = f8_less(square8(minus8(at, place)), f8_mul(reach, reach));
        supi_f8 other = f8_load(c->run + to);
        near = m8_and(near, m8_or(f8_less(run, other), f8_less(other, run)));
        bits |= (uint64_t)m8_bits(near) << i;
    }
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

static int32_t near_in(const supi_near_columns* c, int32_t own, const supi_near_span* spans,
                       int32_t span_count, float margin, int32_t* out) {
    vec8 at = {f8_set(c->x[own]), f8_set(c->y[own]), f8_set(c->z[own])};
    supi_f8 radius = f8_set(c->radius[own]), more = f8_set(margin);
    int32_t found = 0;
    for (int32_t k = 0; k < span_count; k++) {
        for (int32_t to = spans[k].first, end = spans[k].end; to < end; to += 8) {
            vec8 place = {f8_load(c->x + to), f8_load(c->y + to), f8_load(c->z + to)};
            supi_f8 reach = f8_add(f8_add(radius, f8_load(c->radius + to)), more);
            int bits = m8_bits(f8_less(square8(minus8(at, place)), f8_mul(reach, reach)));
            bits &= end - to < 8 ? (1 << (end - to)) - 1 : 255;
            found += pick8(bits, to, out + found);
        }
    }
    return found;
}

extern const supi_near_kernels SUPI_KERNEL(supi_near_kernels);
const supi_near_kernels SUPI_KERNEL(supi_near_kernels) = {
    stray, pick,    mates,  sift,   drift,    touch_plane, outline,
    meet,  pair_up, unsure, beside, close_to, near_in};
