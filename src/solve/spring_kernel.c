/* Springs, eight sides at a time: forces, the tangent of an implicit step, and the products and
   vectors of conjugate gradients. */
#include "base/simd.h"
#include "solve/spring.h"

float SUPI_KERNEL(supi_limit_sweep)(const supi_limit8* groups, int32_t count,
                                    const supi_limit_bounds* bounds, sup_row* x);
float SUPI_KERNEL(supi_limit_excess)(const supi_limit8* groups, int32_t count,
                                     const supi_limit_bounds* bounds, const sup_row* x);
extern const supi_spring_kernels SUPI_KERNEL(supi_spring_kernels);

enum {
    BLOCK = 16, /* slices whose products are added up in floats */
    AHEAD = 16, /* columns that are asked for before they are wanted: they come from far */
    /* For forces columns, and rows: springs reach nearly all at most so much before their turn. */
    FORCES_AHEAD = 24,
    ROWS_AHEAD = 4096,
#if defined(SUPI_SIMD_WASM)
    FAR_ROWS = INT32_MAX /* nobody can be asked */
#else
    FAR_ROWS = 65536 /* bodies of fewer stay in caches: to ask takes longer than to wait */
#endif
};

/* Lengths of no spring, but of which the inverse is finite. */
#define LEAST_LENGTH 1e-30f

typedef struct lanes3 {
    supi_f8 x, y, z;
} lanes3;

F8_INLINE lanes3 lanes_of(supi_rows8 rows) {
    lanes3 a;
    supi_f8 unused;
    rows8_to_lanes(rows, &a.x, &a.y, &a.z, &unused);
    return a;
}
F8_INLINE supi_rows8 rows_of(lanes3 a) { return rows8_from_lanes(a.x, a.y, a.z, f8_set(0.0f)); }
F8_INLINE lanes3 lanes_load(const supi_spring_lanes8* a) {
    return (lanes3){f8_load(a->x), f8_load(a->y), f8_load(a->z)};
}
F8_INLINE void lanes_store(supi_spring_lanes8* out, lanes3 a) {
    f8_store(out->x, a.x);
    f8_store(out->y, a.y);
    f8_store(out->z, a.z);
}
F8_INLINE lanes3 none3(void) {
    supi_f8 none = f8_set(0.0f);
    return (lanes3){none, none, none};
}
F8_INLINE lanes3 sub3(lanes3 a, lanes3 b) {
    return (lanes3){f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
}
F8_INLINE lanes3 add3(lanes3 a, lanes3 b) {
    return (lanes3){f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
}
F8_INLINE lanes3 scale3(supi_f8 s, lanes3 a) {
    return (lanes3){f8_mul(s, a.x), f8_mul(s, a.y), f8_mul(s, a.z)};
}
/* s a + b */
F8_INLINE lanes3 madd3(supi_f8 s, lanes3 a, lanes3 b) {
    return (lanes3){f8_madd(s, a.x, b.x), f8_madd(s, a.y, b.y), f8_madd(s, a.z, b.z)};
}
F8_INLINE supi_f8 dot3(lanes3 a, lanes3 b) {
    return f8_add(f8_add(f8_mul(a.x, b.x), f8_mul(a.y, b.y)), f8_mul(a.z, b.z));
}

#if defined(SUPI_SIMD_WASM)
#define F8_SHARED static __attribute__((noinline)) /* there once: the module has to be sent */
#else
#define F8_SHARED F8_INLINE
#endif

/* ---- A side of a spring ---- */

/* What eight sides of a column are like now. */
typedef struct sides8 {
    lanes3 u, speed;         /* direction to the other end, and its speed, seen from here */
    supi_f8 l, inverse;      /* m, 1/m */
    supi_f8 rest, stiffness; /* m, N/m */
    supi_f8 along, across;   /* N s/m, damping along u, and across where the rest length is 0 */
    supi_f8 rate, tension;   /* m/s, N */
    supi_m8 slack;           /* it only pulls, and is not longer than at rest */
} sides8;

/* A unit vector for a spring whose ends coincide now and at rest. */
static void hashed_direction(int32_t spring, float u[3]) {
    uint32_t h = (uint32_t)spring * 2654435761u + 0x9e3779b9u;
    h = (h ^ h >> 15) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    h ^= h >> 16;
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        u[k] = (float)((int32_t)(h >> 10 * k & 1023) * 2 - 1023);
        square += u[k] * u[k];
    }
    float scale = 1.0f / sqrtf(square);
    for (int k = 0; k < 3; k++) u[k] *= scale;
}

/* The direction of one side whose spring has shrunk to nothing: as at rest. */
static void rest_direction(const supi_spring_net* net, int32_t row, int32_t side, float tiny,
                           float u[3]) {
    const sup_vec3 *a = net->rest + row, *b = net->rest + net->other[side];
    u[0] = b->x - a->x;
    u[1] = b->y - a->y;
    u[2] = b->z - a->z;
    float l = sqrtf(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (l >= tiny) {
        for (int k = 0; k < 3; k++) u[k] /= l;
        return;
    }
    hashed_direction(net->spring[side], u);
    if (net->other[side] < row) {
        for (int k = 0; k < 3; k++) u[k] = -u[k];
    }
}

static __attribute__((noinline)) void give_directions(const supi_spring_net* net, int32_t slice,
                                                      int32_t column, int bits, const float tiny[8],
                                                      float u[3][8]) {
    for (int i = 0; i < 8; i++) {
        int lane = i >> 1 | (i & 1) << 2;
        float one[3];
        if (!(bits >> lane & 1)) continue;
        rest_direction(net, 8 * slice + i, 8 * column + i, tiny[lane], one);
        for (int k = 0; k < 3; k++) u[k][lane] = one[k];
    }
}

/* Gives sides of no length the direction that they have at rest. */
F8_INLINE void direct_tiny(const supi_spring_net* net, int32_t slice, int32_t column, sides8* s) {
    supi_f8 tiny = f8_mul(f8_set(SUPI_SPRING_TINY), f8_max(s->rest, f8_set(net->mean_length)));
    int lost = m8_bits(m8_and(f8_less(f8_set(0.0f), s->rest), f8_less(s->l, tiny)));
    if (!lost) return;
    float lengths[8], lanes[3][8];
    f8_store(lengths, tiny);
    f8_store(lanes[0], s->u.x);
    f8_store(lanes[1], s->u.y);
    f8_store(lanes[2], s->u.z);
    give_directions(net, slice, column, lost, lengths, lanes);
    s->u = (lanes3){f8_load(lanes[0]), f8_load(lanes[1]), f8_load(lanes[2])};
}

/* The columns of a slice before this one are straight. */
F8_INLINE int32_t straight_end(const supi_spring_net* net, int32_t slice) {
#if defined(SUPI_SIMD_WASM)
    (void)net, (void)slice;
    return 0; /* one way for all: the module has to be sent */
#else
    return net->straight ? net->straight[slice] : 0;
#endif
}

/* Rows at the other ends of a column. */
F8_INLINE lanes3 others_of(const sup_row* rows, const int32_t* other, bool straight) {
    return lanes_of(straight ? rows8_load(rows + other[0]) : rows8_gather(rows, other));
}

F8_SHARED sides8 sides_of(const supi_spring_net* net, int32_t slice, int32_t column,
                          const sup_row* x, const sup_row* v, lanes3 at, lanes3 speed) {
    const supi_f8 none = f8_set(0.0f);
    const int32_t* other = net->other + 8 * (size_t)column;
    supi_f8 marked = f8_load(net->length + 8 * (size_t)column), damping;
    sides8 s;
    bool straight = column < straight_end(net, slice);
    lanes3 d = sub3(others_of(x, other, straight), at);
    s.speed = sub3(others_of(v, other, straight), speed);
    s.rest = f8_abs(marked);
    s.stiffness = f8_load(net->stiffness + 8 * (size_t)column);
    damping = f8_load(net->damping + 8 * (size_t)column);
    s.l = f8_sqrt(dot3(d, d));
    s.inverse = f8_div(f8_set(1.0f), f8_max(s.l, f8_set(LEAST_LENGTH)));
    s.u = scale3(s.inverse, d);

    s.along = damping;
    s.across = none;
    s.slack = none;
    if (!net->plain || m8_bits(f8_less(s.l, f8_set(SUPI_SPRING_TINY * net->longest)))) {
        direct_tiny(net, slice, column, &s);
    }
    if (!net->plain) s.across = f8_select(f8_less(none, s.rest), none, damping);
    if (!net->plain) s.along = f8_sub(damping, s.across);
    s.rate = dot3(s.speed, s.u);
    s.tension = f8_madd(s.stiffness, f8_sub(s.l, s.rest), f8_mul(s.along, s.rate));
    if (net->plain) return s;
    supi_m8 pulls_only = f8_less(marked, none), longer = f8_less(s.rest, s.l);
    s.tension = f8_select(pulls_only, f8_max(s.tension, none), s.tension);
    s.slack = f8_select(longer, none, pulls_only);
    return s;
}

/* The force on the row. */
F8_INLINE lanes3 add_force(const supi_spring_net* net, const sides8* s, lanes3 f) {
    if (!net->plain) f = madd3(s->across, s->speed, f);
    return madd3(s->tension, s->u, f);
}

/* Damping along the springs. One that only pulls does not damp while it does not pull. */
F8_INLINE supi_f8 damping_of(const sides8* s) {
    supi_f8 none = f8_set(0.0f);
    return f8_select(m8_and(s->slack, f8_less(s->tension, f8_set(1e-30f))), none, s->along);
}

/* ---- Forces ---- */

typedef struct sum_lanes {
    supi_f8 energy, loss, row, stiffest;
} sum_lanes;

/* Energy and loss of the sides, and for a row the bound of Gershgorin for the eigenvalues of
   M^-1 K. */
F8_INLINE void add_sums(const sides8* s, sum_lanes* sums) {
    const supi_f8 none = f8_set(0.0f), one = f8_set(1.0f);
    supi_f8 longer = f8_sub(s->l, s->rest), stiffness = f8_select(s->slack, none, s->stiffness);
    sums->energy = f8_madd(f8_mul(stiffness, longer), longer, sums->energy);
    supi_f8 all = f8_mul(s->across, dot3(s->speed, s->speed));
    sums->loss = f8_add(sums->loss, f8_madd(f8_mul(damping_of(s), s->rate), s->rate, all));
    supi_f8 bent = f8_abs(f8_sub(one, f8_mul(s->rest, s->inverse)));
    sums->row = f8_madd(stiffness, f8_max(bent, one), sums->row);
}

/* What sides of plain springs are like. Their lengths are found a column later, as roots and
   quotients take their time: meanwhile the ends of the next springs are fetched. */
typedef struct ways8 {
    lanes3 d;             /* m, to the other end */
    supi_f8 square, work; /* of d, and with the speed at which it grows */
} ways8;

F8_SHARED ways8 ways_of(const int32_t* other, bool straight, const sup_row* x, const sup_row* v,
                        const lanes3* at, const lanes3* speed) {
    ways8 w = {.d = sub3(others_of(x, other, straight), *at)};
    lanes3 grows = sub3(others_of(v, other, straight), *speed);
    w.square = dot3(w.d, w.d);
    w.work = dot3(w.d, grows);
    return w;
}

/* What the springs do to the row; false where one is shorter than `tiny`. */
F8_INLINE bool plain_pull(const supi_spring_net* net, size_t side, const ways8* w, supi_f8 tiny,
                          lanes3* pull) {
    supi_f8 l = f8_sqrt(w->square), inverse = f8_div(f8_set(1.0f), w->square);
    if (m8_bits(f8_less(l, tiny))) return false;
    supi_f8 elastic =
        f8_mul(f8_load(net->stiffness + side), f8_sub(l, f8_load(net->length + side)));
    supi_f8 damped = f8_mul(f8_load(net->damping + side), w->work);
    *pull = scale3(f8_mul(f8_madd(elastic, l, damped), inverse), w->d);
    return true;
}

static __attribute__((noinline)) void any_pull(const supi_spring_net* net, int32_t slice,
                                               int32_t column, const sup_row* x, const sup_row* v,
                                               lanes3* out) {
    const size_t row = 8 * (size_t)slice;
    sides8 s = sides_of(net, slice, column, x, v, lanes_of(rows8_load(x + row)),
                        lanes_of(rows8_load(v + row)));
    *out = add_force(net, &s, none3());
}

/* What pulls a row pulls the other end the other way. */
F8_INLINE void pull_back(const int32_t* other, lanes3 pull, sup_row* f) {
    supi_rows8 less = rows_of(pull);
    sup_row* to[8];
    for (int k = 0; k < 8; k++) to[k] = f + other[k];
    for (int k = 0; k < 8; k += 2) {
        pair_store(to[k], to[k + 1], f8_sub(pair_load(to[k], to[k + 1]), less.r[k / 2]));
    }
}

F8_INLINE void send_for_column(const supi_spring_net* net, int32_t column) {
    const size_t side = 8 * (size_t)column;
    __builtin_prefetch(net->other + side);
    __builtin_prefetch(net->length + side);
    __builtin_prefetch(net->stiffness + side);
    __builtin_prefetch(net->damping + side);
}

/* Straight columns of plain springs up to `end`; stops before one with a spring that has shrunk to
   nothing. Returns where. */
F8_INLINE int32_t straight_forces(const supi_spring_net* net, int32_t c, int32_t end,
                                  const sup_row* x, const sup_row* v, const lanes3* at,
                                  const lanes3* speed, sup_row* f, bool far, lanes3* force) {
    const supi_f8 tiny = f8_set(SUPI_SPRING_TINY * net->longest);
    const int32_t* other = net->other + 8 * (size_t)c;
    lanes3 sum = *force, pull;
    ways8 next = ways_of(other, true, x, v, at, speed);
    for (; c < end; c++, other += 8) {
        ways8 now = next;
        if (far) send_for_column(net, c + FORCES_AHEAD);
        if (c + 1 < end) next = ways_of(other + 8, true, x, v, at, speed);
        if (!plain_pull(net, 8 * (size_t)c, &now, tiny, &pull)) break;
        sum = add3(sum, pull);
        if (!net->mutual) continue;
        supi_rows8 less = rows_of(pull), there = rows8_load(f + other[0]);
        for (int k = 0; k < 4; k++) there.r[k] = f8_sub(there.r[k], less.r[k]);
        rows8_store(f + other[0], there);
    }
    *force = sum;
    return c;
}

F8_INLINE void slice_forces(const supi_spring_net* net, int32_t slice, const sup_row* x,
                            const sup_row* v, sup_row* f, bool far) {
    const size_t row = 8 * (size_t)slice;
    int32_t c = net->columns[slice], end = net->columns[slice + 1];
    int32_t mutual = net->mutual ? net->mutual[slice] : c, straight = straight_end(net, slice);
    if (c == end) return;
    if (far) {
        rows8_send_for(x + row + ROWS_AHEAD);
        rows8_send_for(v + row + ROWS_AHEAD);
        rows8_send_for(f + row + ROWS_AHEAD);
    }
    lanes3 at = lanes_of(rows8_load(x + row)), speed = lanes_of(rows8_load(v + row));
    lanes3 force = none3(), pull;
    supi_f8 tiny = f8_set(SUPI_SPRING_TINY * net->longest);
    if (c < straight && net->plain) {
        c = straight_forces(net, c, straight, x, v, &at, &speed, f, far, &force);
    }
    ways8 next;
    if (c < end) next = ways_of(net->other + 8 * (size_t)c, false, x, v, &at, &speed);
    for (; c < end; c++) {
        const int32_t* other = net->other + 8 * (size_t)c;
        ways8 now = next;
        if (far) send_for_column(net, c + FORCES_AHEAD);
        if (c + 1 < end) next = ways_of(other + 8, false, x, v, &at, &speed);
        if (!net->plain || !plain_pull(net, 8 * (size_t)c, &now, tiny, &pull)) {
            lanes3 any;
            any_pull(net, slice, c, x, v, &any);
            pull = any;
        }
        force = add3(force, pull);
        if (c < mutual) pull_back(other, pull, f);
    }
    supi_rows8 sum = rows_of(force);
    for (int k = 0; k < 4; k++) {
        sup_row *one = f + row + 2 * k, *two = one + 1;
        pair_store(one, two, f8_add(pair_load(one, two), sum.r[k]));
    }
}

/* Both sides of all springs, and the sums. */
F8_INLINE void slice_sums(const supi_spring_net* net, int32_t slice, const sup_row* x,
                          const sup_row* v, sup_row* f, sum_lanes* sums) {
    const sup_row *here = x + 8 * (size_t)slice, *moving = v + 8 * (size_t)slice;
    sup_row* out = f + 8 * (size_t)slice;
    supi_f8 w, kept;
    lanes3 at, force, speed = lanes_of(rows8_load(moving));
    rows8_to_lanes(rows8_load(here), &at.x, &at.y, &at.z, &w);
    rows8_to_lanes(rows8_load(out), &force.x, &force.y, &force.z, &kept);
    sums->row = f8_set(0.0f);
    for (int32_t c = net->columns[slice]; c < net->columns[slice + 1]; c++) {
        sides8 s = sides_of(net, slice, c, x, v, at, speed);
        force = add_force(net, &s, force);
        add_sums(&s, sums);
    }
    rows8_store(out, rows8_from_lanes(force.x, force.y, force.z, kept));
    sums->stiffest = f8_max(f8_mul(w, sums->row), sums->stiffest);
}

static void forces_and_sums(const supi_spring_net* net, int32_t begin, int32_t end,
                            const sup_row* x, const sup_row* v, sup_row* f, supi_spring_sums* out) {
    sum_lanes sums = {.stiffest = f8_set(0.0f)};
    out->energy = out->loss = 0.0;
    for (int32_t block = begin; block < end; block += BLOCK) {
        int32_t stop = end - block < BLOCK ? end : block + BLOCK;
        sums.energy = sums.loss = f8_set(0.0f);
        for (int32_t i = block; i < stop; i++) slice_sums(net, i, x, v, f, &sums);
        out->energy += 0.25 * (double)f8_sum(sums.energy);
        out->loss += 0.5 * (double)f8_sum(sums.loss);
    }
    float lanes[8];
    f8_store(lanes, sums.stiffest);
    out->stiffest = 0.0f;
    for (int i = 0; i < 8; i++) {
        out->stiffest = lanes[i] > out->stiffest ? lanes[i] : out->stiffest;
    }
    out->stiffest *= 2.0f;
}

static void forces(const supi_spring_net* net, int32_t begin, int32_t end, const sup_row* x,
                   const sup_row* v, sup_row* f, supi_spring_sums* sums) {
    if (sums) {
        forces_and_sums(net, begin, end, x, v, f, sums);
        return;
    }
    const supi_spring_net own = net->once ? *net->once : *net; /* which f is no part of */
    if (own.row_count > FAR_ROWS) {
        for (int32_t i = begin; i < end; i++) slice_forces(&own, i, x, v, f, true);
    } else {
        for (int32_t i = begin; i < end; i++) slice_forces(&own, i, x, v, f, false);
    }
}

/* ---- The tangent ---- */

/* A symmetric matrix in lanes. */
typedef struct block8 {
    supi_f8 xx, yy, zz, yz, zx, xy;
} block8;

F8_INLINE void block_store(float out[6][8], const block8* b) {
    f8_store(out[0], b->xx);
    f8_store(out[1], b->yy);
    f8_store(out[2], b->zz);
    f8_store(out[3], b->yz);
    f8_store(out[4], b->zx);
    f8_store(out[5], b->xy);
}
F8_INLINE block8 block_load(const float in[6][8]) {
    return (block8){f8_load(in[0]), f8_load(in[1]), f8_load(in[2]),
                    f8_load(in[3]), f8_load(in[4]), f8_load(in[5])};
}
F8_INLINE lanes3 block_apply(const block8* b, lanes3 a) {
    lanes3 row_x = {b->xx, b->xy, b->zx}, row_y = {b->xy, b->yy, b->yz};
    lanes3 row_z = {b->zx, b->yz, b->zz};
    return (lanes3){dot3(row_x, a), dot3(row_y, a), dot3(row_z, a)};
}

/* Adds u u^T + beta I. */
F8_INLINE void block_add(block8* b, lanes3 u, supi_f8 beta) {
    b->xx = f8_add(b->xx, f8_madd(u.x, u.x, beta));
    b->yy = f8_add(b->yy, f8_madd(u.y, u.y, beta));
    b->zz = f8_add(b->zz, f8_madd(u.z, u.z, beta));
    b->yz = f8_madd(u.y, u.z, b->yz);
    b->zx = f8_madd(u.z, u.x, b->zx);
    b->xy = f8_madd(u.x, u.y, b->xy);
}

/* The tangent of eight sides: adds K times speed, as often as `lead` says, to the force. */
F8_INLINE void linearise_sides(const sides8* s, const supi_spring_step* step,
                               supi_spring_tangent8* out, block8* block, lanes3* force) {
    const supi_f8 none = f8_set(0.0f), h = f8_set(step->h), lead = f8_set(step->lead);
    supi_f8 stiffness = step->taut ? s->stiffness : f8_select(s->slack, none, s->stiffness);
    supi_f8 share = f8_sub(f8_set(1.0f), f8_mul(s->rest, s->inverse));
    supi_f8 across = f8_mul(stiffness, f8_max(share, none)), along = f8_sub(stiffness, across);
    supi_f8 ahead = f8_mul(lead, f8_mul(along, s->rate));
    *force = madd3(ahead, s->u, madd3(f8_mul(lead, across), s->speed, *force));

    supi_f8 alpha = f8_mul(h, f8_madd(h, along, damping_of(s)));
    supi_f8 beta = f8_mul(h, f8_madd(h, across, s->across));
    lanes3 u = scale3(f8_sqrt(alpha), s->u);
    block_add(block, u, beta);
    f8_store(out->ux, u.x);
    f8_store(out->uy, u.y);
    f8_store(out->uz, u.z);
    f8_store(out->beta, beta);
}

static void linearise(const supi_spring_net* net, int32_t begin, int32_t end,
                      const supi_spring_step* step, const sup_row* x, const sup_row* v, sup_row* f,
                      supi_spring_tangent8* tangents, supi_spring_rows8* rows) {
    const supi_f8 none = f8_set(0.0f), one = f8_set(1.0f), h = f8_set(step->h);
    const supi_f8 drag = f8_set(step->drag), heavier = f8_set(1.0f + step->h * step->drag);
    for (int32_t i = begin; i < end; i++) {
        lanes3 at, speed = lanes_of(rows8_load(v + 8 * (size_t)i));
        lanes3 force = lanes_of(rows8_load(f + 8 * (size_t)i));
        supi_f8 w;
        rows8_to_lanes(rows8_load(x + 8 * (size_t)i), &at.x, &at.y, &at.z, &w);
        supi_m8 free = f8_less(none, w);
        supi_f8 mass = f8_div(one, f8_select(free, w, one));
        supi_f8 heavy = f8_select(free, f8_mul(mass, heavier), none);
        block8 block = {heavy, heavy, heavy, none, none, none};
        for (int32_t c = net->columns[i]; c < net->columns[i + 1]; c++) {
            sides8 s = sides_of(net, i, c, x, v, at, speed);
            force = add_force(net, &s, force);
            linearise_sides(&s, step, tangents + c, &block, &force);
        }
        force = sub3(force, scale3(f8_mul(drag, mass), speed));
        force = scale3(f8_select(free, h, none), force);
        rows8_store(f + 8 * (size_t)i, rows_of(force));
        f8_store(rows[i].mass, heavy);
        block_store(rows[i].block, &block);
    }
}

/* By L D L^T. No pivot is below the mass, whatever rounding says; blocks of pinned rows become 0.
 */
static void invert(supi_spring_rows8* rows, int32_t begin, int32_t end) {
    const supi_f8 none = f8_set(0.0f), one = f8_set(1.0f);
    for (int32_t i = begin; i < end; i++) {
        supi_f8 mass = f8_load(rows[i].mass);
        supi_m8 free = f8_less(none, mass);
        supi_f8 unit = f8_select(free, one, none), least = f8_select(free, mass, one);
        block8 b = block_load((const float(*)[8])rows[i].block), inverse;
        supi_f8 x = f8_div(unit, f8_max(b.xx, least));
        supi_f8 yx = f8_mul(b.xy, x), zx = f8_mul(b.zx, x);
        supi_f8 y = f8_div(unit, f8_max(f8_sub(b.yy, f8_mul(yx, b.xy)), least));
        supi_f8 left = f8_sub(b.yz, f8_mul(zx, b.xy)), zy = f8_mul(left, y);
        supi_f8 rest = f8_sub(f8_sub(b.zz, f8_mul(zx, b.zx)), f8_mul(zy, left));
        supi_f8 z = f8_div(unit, f8_max(rest, least));
        /* The third row of L^-1 is (to_x, -zy, 1), the second (-yx, 1, 0). */
        supi_f8 to_x = f8_sub(f8_mul(yx, zy), zx);
        inverse.zz = z;
        inverse.yz = f8_sub(none, f8_mul(zy, z));
        inverse.zx = f8_mul(to_x, z);
        inverse.yy = f8_sub(y, f8_mul(zy, inverse.yz));
        inverse.xy = f8_sub(f8_mul(to_x, inverse.yz), f8_mul(yx, y));
        inverse.xx = f8_add(f8_madd(f8_mul(yx, yx), y, x), f8_mul(to_x, inverse.zx));
        block_store(rows[i].block, &inverse);
    }
}

/* ---- Groups of rows ---- */

/* In which bits the groups of a column's rows differ from those of the rows at the other ends, by
   lane; all where one of the two is pinned. Returns the bits of all. */
static uint32_t differences(const supi_spring_rows8* rows, const int32_t* of, const int32_t* other,
                            int32_t slice, uint32_t apart[8]) {
    uint32_t all = 0;
    for (int i = 0; i < 8; i++) {
        int lane = i >> 1 | (i & 1) << 2, there = (other[i] & 7) >> 1 | (other[i] & 1) << 2;
        bool both = rows[other[i] / 8].mass[there] > 0.0f;
        apart[lane] = both ? (uint32_t)(of[other[i]] ^ of[8 * slice + i]) : UINT32_MAX;
        if (!(rows[slice].mass[lane] > 0.0f)) apart[lane] = 0;
        all |= apart[lane];
    }
    return all;
}

/* Adds the sides of a column to the blocks of all levels whose groups they leave. */
F8_INLINE void group_sides(const supi_spring_tangent8* t, const uint32_t apart[8], uint32_t all,
                           int32_t level_count, block8* blocks) {
    block8 side = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f),
                   f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    block_add(&side, (lanes3){f8_load(t->ux), f8_load(t->uy), f8_load(t->uz)}, f8_load(t->beta));
    for (int32_t l = 0; l < level_count && all >> 3 * l != 0; l++) {
        float leaves[8];
        for (int i = 0; i < 8; i++) leaves[i] = apart[i] >> 3 * l != 0 ? 1.0f : 0.0f;
        supi_f8 share = f8_load(leaves);
        block8* b = blocks + l;
        b->xx = f8_madd(share, side.xx, b->xx);
        b->yy = f8_madd(share, side.yy, b->yy);
        b->zz = f8_madd(share, side.zz, b->zz);
        b->yz = f8_madd(share, side.yz, b->yz);
        b->zx = f8_madd(share, side.zx, b->zx);
        b->xy = f8_madd(share, side.xy, b->xy);
    }
}

/* Adds what eight rows have to their groups of a level. */
F8_INLINE void group_rows(const block8* b, supi_f8 mass, const int32_t* of, int32_t level,
                          supi_spring_rows8* groups) {
    float lanes[7][8];
    block_store(lanes, b);
    f8_store(lanes[6], mass);
    for (int i = 0; i < 8; i++) {
        int32_t at = of[i] >> 3 * level, lane = (at & 7) >> 1 | (at & 1) << 2;
        int from = i >> 1 | (i & 1) << 2;
        supi_spring_rows8* to = groups + at / 8;
        for (int k = 0; k < 6; k++) to->block[k][lane] += lanes[k][from];
        to->mass[lane] += lanes[6][from];
    }
}

static void group(const supi_spring_net* net, const int32_t* of,
                  const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                  supi_spring_rows8* const* groups, int32_t level_count) {
    const supi_f8 none = f8_set(0.0f);
    for (int32_t i = 0; i < net->row_count / 8; i++) {
        supi_f8 mass = f8_load(rows[i].mass);
        block8 blocks[SUPI_SPRING_LEVELS];
        for (int32_t l = 0; l < level_count; l++) {
            blocks[l] = (block8){mass, mass, mass, none, none, none};
        }
        for (int32_t c = net->columns[i]; c < net->columns[i + 1]; c++) {
            uint32_t apart[8];
            uint32_t all = differences(rows, of, net->other + 8 * (size_t)c, i, apart);
            group_sides(tangents + c, apart, all, level_count, blocks);
        }
        for (int32_t l = 0; l < level_count; l++) {
            group_rows(blocks + l, mass, of + 8 * (size_t)i, l, groups[l]);
        }
    }
}

/* ---- Conjugate gradients ---- */

/* Sums of products, in floats over a block and in doubles beyond. */
typedef struct products {
    supi_f8 block;
    double sum;
} products;

F8_INLINE void products_add(products* s, int32_t slice, supi_f8 product) {
    s->block = f8_add(s->block, product);
    if (slice % BLOCK != BLOCK - 1) return;
    s->sum += (double)f8_sum(s->block);
    s->block = f8_set(0.0f);
}

static double apply(const supi_spring_net* net, int32_t begin, int32_t end,
                    const supi_spring_tangent8* tangents, const supi_spring_rows8* rows,
                    const sup_row* p, sup_row* y) {
    const int32_t* columns = net->columns;
    const int32_t* other = net->other;
    products dot = {f8_set(0.0f), 0.0};
    for (int32_t i = begin; i < end; i++) {
        lanes3 here = lanes_of(rows8_load(p + 8 * (size_t)i)), pull = none3();
        const int32_t straight = straight_end(net, i);
        for (int32_t c = columns[i], stop = columns[i + 1]; c < stop; c++) {
            const supi_spring_tangent8* t = tangents + c;
            lanes3 u = {f8_load(t->ux), f8_load(t->uy), f8_load(t->uz)};
            lanes3 d = sub3(others_of(p, other + 8 * (size_t)c, c < straight), here);
            __builtin_prefetch(t[AHEAD].ux);
            __builtin_prefetch(t[AHEAD].uz);
            lanes3 across = madd3(f8_load(t->beta), d, pull);
            pull = madd3(dot3(u, d), u, across);
        }
        lanes3 product = sub3(scale3(f8_load(rows[i].mass), here), pull);
        products_add(&dot, i, dot3(here, product));
        rows8_store(y + 8 * (size_t)i, rows_of(product));
    }
    return dot.sum + (double)f8_sum(dot.block);
}

static double descend(const supi_spring_rows8* rows, int32_t begin, int32_t end, float a,
                      const sup_row* g, sup_row* r, supi_spring_lanes8* steps, bool hold,
                      sup_row* sums) {
    const supi_f8 none = f8_set(0.0f), back = f8_set(-a);
    products dot = {none, 0.0};
    for (int32_t i = begin; i < end; i++) {
        supi_rows8 left = rows8_load(r + 8 * (size_t)i), product = rows8_load(g + 8 * (size_t)i);
        for (int k = 0; k < 4; k++) left.r[k] = f8_madd(back, product.r[k], left.r[k]);
        lanes3 residual = lanes_of(left);
        if (hold) {
            supi_m8 free = f8_less(none, f8_load(rows[i].mass));
            residual.x = f8_select(free, residual.x, none);
            residual.y = f8_select(free, residual.y, none);
            residual.z = f8_select(free, residual.z, none);
            left = rows_of(residual);
        }
        rows8_store(r + 8 * (size_t)i, left);
        block8 inverse = block_load((const float(*)[8])rows[i].block);
        lanes3 step = block_apply(&inverse, residual);
        products_add(&dot, i, dot3(residual, step));
        lanes_store(steps + i, step);
        if (!sums) continue;
        sums[i] = (sup_row){f8_sum(residual.x), f8_sum(residual.y), f8_sum(residual.z), 0.0f};
    }
    return dot.sum + (double)f8_sum(dot.block);
}

static void collect(const int32_t* members, int32_t begin, int32_t end, const sup_row* r,
                    sup_row* sums) {
    for (int32_t i = begin; i < end; i++) {
        const int32_t* own = members + 64 * (size_t)i;
        supi_rows8 sum = rows8_gather(r, own);
        for (int32_t k = 1; k < 8; k++) {
            supi_rows8 next = rows8_gather(r, own + 8 * k);
            for (int j = 0; j < 4; j++) sum.r[j] = f8_add(sum.r[j], next.r[j]);
        }
        rows8_store(sums + 8 * (size_t)i, sum);
    }
}

static void spread(int32_t count, supi_spring_lanes8* steps, const supi_spring_lanes8* above,
                   sup_row* out) {
    for (int32_t i = 0; i < count; i++) {
        lanes3 step = lanes_load(steps + i);
        if (above) {
            const supi_spring_lanes8* whole = above + i / 8;
            int lane = (i & 7) >> 1 | (i & 1) << 2;
            step = add3(step, (lanes3){f8_set(whole->x[lane]), f8_set(whole->y[lane]),
                                       f8_set(whole->z[lane])});
            lanes_store(steps + i, step);
        }
        if (out) rows8_store(out + 8 * (size_t)i, rows_of(step));
    }
}

static void turn(const supi_spring_rows8* rows, int32_t begin, int32_t end, float a, float b,
                 const supi_spring_lanes8* steps, const int32_t* of, const sup_row* groups,
                 sup_row* p, sup_row* dv) {
    const supi_f8 none = f8_set(0.0f), along = f8_set(a), keep = f8_set(b);
    for (int32_t i = begin; i < end; i++) {
        lanes3 step = lanes_load(steps + i);
        if (groups) {
            lanes3 whole = lanes_of(rows8_gather(groups, of + 8 * (size_t)i));
            supi_m8 free = f8_less(none, f8_load(rows[i].mass));
            step.x = f8_add(step.x, f8_select(free, whole.x, none));
            step.y = f8_add(step.y, f8_select(free, whole.y, none));
            step.z = f8_add(step.z, f8_select(free, whole.z, none));
        }
        supi_rows8 last = rows8_load(p + 8 * (size_t)i), next = rows_of(step);
        supi_rows8 change = rows8_load(dv + 8 * (size_t)i);
        for (int k = 0; k < 4; k++) {
            change.r[k] = f8_madd(along, last.r[k], change.r[k]);
            next.r[k] = f8_madd(keep, last.r[k], next.r[k]);
        }
        rows8_store(dv + 8 * (size_t)i, change);
        rows8_store(p + 8 * (size_t)i, next);
    }
}

const supi_spring_kernels SUPI_KERNEL(supi_spring_kernels) = {
    forces,
    linearise,
    invert,
    apply,
    group,
    descend,
    collect,
    spread,
    turn,
    SUPI_KERNEL(supi_limit_sweep),
    SUPI_KERNEL(supi_limit_excess),
};
