/* How far the gaps of thin features may close within a substep.

   Along the normal of its closest points at the start, a pair has a gap between all particles of
   the one and all of the other. For straight ways this gap is concave in time: where it is positive
   at the start and at the end, it never was 0 in between, and the two cannot have begun to cross.
   Sliding, parting and common motion of any speed are free.

   What closes too far is opened by the smallest change of places, weighed by masses, pair by pair;
   particles of pairs that stay too close after some rounds of that move as one. */
#include "contact/thin.h"
#include "geom/union_find.h"

#include <string.h>

enum {
    ROUNDS = 8,
    REPEATS = 4 /* particles of a pair that are met on the way, at most so often */
};

/* How much heavier than all others a particle counts that nothing moves. */
#define FIXED_MASS 1e6

typedef struct bound {
    supi_thin* thin;
    float per_h;
    sup_row* kept; /* places after the rounds */
    int32_t* parent;
    supi_thin_zone* zones;
} bound;

static const supi_thin_island* island_of(const supi_thin* thin, int32_t particle) {
    return thin->islands + thin->places[thin->owner[particle]].island;
}

/* ---- Within reach ---- */

/* Along one axis; returns what it has changed. */
static float clamp_axis(float* now, float way, float low, float high) {
    float at = *now - way, was = *now;
    if (at < low)
        *now = low + way;
    else if (at > high)
        *now = high + way;
    return *now - was;
}

/* Particles do not leave their boxes. Where nothing is fixed, this changes no speed: it is no force
   that does it, and speeds would not add up. Where something is, the rest has to learn that it
   cannot go on. */
static bool clamp(const bound* b, int32_t i) {
    supi_thin* thin = b->thin;
    const supi_thin_island* island = island_of(thin, i);
    sup_row *now = thin->now + i, *v = thin->v + i;
    if (!(now->w > 0)) return false;
    const sup_row *low = thin->low + i, *high = thin->high + i;
    float dx = clamp_axis(&now->x, island->way[0], low->x, high->x);
    float dy = clamp_axis(&now->y, island->way[1], low->y, high->y);
    float dz = clamp_axis(&now->z, island->way[2], low->z, high->z);
    if (island->fixed) {
        v->x += dx * b->per_h;
        v->y += dy * b->per_h;
        v->z += dz * b->per_h;
    }
    return dx != 0 || dy != 0 || dz != 0;
}

static void clamp_all(const bound* b) {
    for (int32_t i = 0; i < b->thin->particle_count; i++) {
        b->thin->counts.clamped += clamp(b, i);
    }
}

/* ---- Pair by pair ---- */

/* Particles of a pair along its normal. */
typedef struct levels {
    double z[4], mass[4];
    bool act[4]; /* moves, or is in the way */
    double at;   /* where those of a end; those of b end `keep` below */
} levels;

/* Those that act meet in the middle of their masses. */
static void settle(levels* l, double keep, int32_t of_a) {
    double mass = 0.0, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        if (!l->act[i]) continue;
        mass += l->mass[i];
        sum += l->mass[i] * (i < of_a ? l->z[i] : l->z[i] + keep);
    }
    l->at = sum / mass;
}

static bool add_met(levels* l, double keep, int32_t of_a) {
    bool met = false;
    for (int i = 0; i < 4; i++) {
        bool is = i < of_a ? l->z[i] < l->at : l->z[i] > l->at - keep;
        met = met || (is && !l->act[i]);
        l->act[i] = l->act[i] || is;
    }
    return met;
}

static void find_levels(const bound* b, const supi_thin_block* block, int k, int32_t of_a,
                        levels* l) {
    const supi_thin* thin = b->thin;
    const sup_row* first = thin->now + block->at[0][k];
    double heaviest = 0.0;
    for (int i = 0; i < 4; i++) {
        const sup_row* x = thin->now + block->at[i][k];
        l->z[i] = ((double)x->x - (double)first->x) * (double)block->normal[0][k] +
                  ((double)x->y - (double)first->y) * (double)block->normal[1][k] +
                  ((double)x->z - (double)first->z) * (double)block->normal[2][k];
        l->mass[i] = x->w > 0 ? 1.0 / (double)x->w : 0.0;
        heaviest = l->mass[i] > heaviest ? l->mass[i] : heaviest;
        l->act[i] = false;
    }
    int lowest = 0, highest = of_a;
    for (int i = 0; i < 4; i++) {
        if (!(l->mass[i] > 0.0)) l->mass[i] = FIXED_MASS * heaviest;
        if (i < of_a && l->z[i] < l->z[lowest]) lowest = i;
        if (i >= of_a && l->z[i] > l->z[highest]) highest = i;
    }
    l->act[lowest] = l->act[highest] = true;
}

/* What a gets of it, or b where a does not move, as the push along the closest points that would
   give as much momentum: nobody rubs by it, but contacts tell it. */
static void note_push(const bound* b, supi_thin_block* block, int k, const levels* l, double keep,
                      int32_t of_a) {
    double weight = 0.0, given[2] = {0.0, 0.0};
    bool fixed[2] = {false, false};
    for (int i = 0; i < 4; i++) {
        double w = (double)b->thin->now[block->at[i][k]].w, share = (double)block->share[i][k];
        weight += share * share * w;
        if (!l->act[i]) continue;
        int side = i >= of_a;
        fixed[side] = fixed[side] || !(w > 0.0);
        if (w > 0.0) given[side] += ((side ? l->z[i] + keep : l->z[i]) - l->at) / (side ? w : -w);
    }
    double push = weight * given[fixed[0]];
    if (push > 0.0 && !(fixed[0] && fixed[1])) block->push[k] += (float)push;
}

static void open_pair(const bound* b, supi_thin_block* block, int k, int32_t of_a) {
    supi_thin* thin = b->thin;
    double keep = (double)block->keep[k];
    levels l;
    find_levels(b, block, k, of_a, &l);
    settle(&l, keep, of_a);
    for (int i = 0; i < REPEATS && add_met(&l, keep, of_a); i++) settle(&l, keep, of_a);
    note_push(b, block, k, &l, keep, of_a);
    for (int i = 0; i < 4; i++) {
        int32_t at = block->at[i][k];
        sup_row *x = thin->now + at, *v = thin->v + at;
        if (!l.act[i] || !(x->w > 0)) continue;
        float way = (float)((i < of_a ? l.at : l.at - keep) - l.z[i]);
        float d[3];
        for (int j = 0; j < 3; j++) d[j] = way * block->normal[j][k];
        x->x += d[0];
        x->y += d[1];
        x->z += d[2];
        v->x += d[0] * b->per_h;
        v->y += d[1] * b->per_h;
        v->z += d[2] * b->per_h;
        clamp(b, at);
    }
    thin->counts.bounded += !(block->bounded >> k & 1);
    block->bounded |= (uint8_t)(1 << k);
}

typedef void act(const bound* b, supi_thin_block* block, int k, int32_t of_a);

/* Does something about all pairs that are too close, in their order; were there any? */
static bool go_over(const bound* b, act* what) {
    supi_thin* thin = b->thin;
    bool any = false;
    thin->counts.rounds++;
    for (int32_t j = 0; j < thin->job_count; j++) {
        const supi_thin_job* job = thin->jobs + j;
        int32_t end = job->block + job->block_count;
        for (int32_t i = job->block; i < end; i++) {
            int bits = 0;
            i = thin->kernels->tight(thin->blocks, i, end, job->faces, thin->now, &bits);
            any = any || bits;
            for (; bits; bits &= bits - 1) {
                what(b, thin->blocks + i, __builtin_ctz((unsigned)bits), job->faces ? 1 : 2);
            }
        }
    }
    return any;
}

/* ---- As one ---- */

static void unite(const bound* b, supi_thin_block* block, int k, int32_t of_a) {
    (void)of_a;
    for (int i = 1; i < 4; i++) supi_union_join(b->parent, block->at[0][k], block->at[i][k]);
}

static float component(const sup_row* row, int k) {
    return k == 0 ? row->x : k == 1 ? row->y : row->z;
}

/* What a particle adds to its zone. */
static void join(const bound* b, int32_t i, supi_thin_zone* zone) {
    const supi_thin* thin = b->thin;
    const supi_thin_island* island = island_of(thin, i);
    const sup_row *start = thin->start + i, *kept = b->kept + i;
    double mass = kept->w > 0 ? 1.0 / (double)kept->w : 0.0;
    if (!(kept->w > 0) && zone->fixed < 0) zone->fixed = i;
    zone->members++;
    zone->mass += mass;
    for (int k = 0; k < 3; k++) {
        float from = component(start, k), way = island->way[k];
        float low = component(thin->low + i, k) - from, high = component(thin->high + i, k) - from;
        zone->way[k] += mass * ((double)component(kept, k) - (double)from - (double)way);
        zone->low[k] = low > zone->low[k] ? low : zone->low[k];
        zone->high[k] = high < zone->high[k] ? high : zone->high[k];
    }
}

/* Ways of all zones. */
static void find_zones(const bound* b) {
    const supi_thin* thin = b->thin;
    for (int32_t i = 0; i < thin->particle_count; i++) {
        b->zones[i] = (supi_thin_zone){
            .fixed = -1, .low = {-1e30f, -1e30f, -1e30f}, .high = {1e30f, 1e30f, 1e30f}};
    }
    for (int32_t i = 0; i < thin->particle_count; i++) {
        join(b, i, b->zones + supi_union_root(b->parent, i));
    }
    for (int32_t i = 0; i < thin->particle_count; i++) {
        supi_thin_zone* zone = b->zones + i;
        if (zone->members < 2) continue;
        for (int k = 0; k < 3; k++) {
            if (zone->fixed >= 0) {
                zone->way[k] = (double)component(b->kept + zone->fixed, k) -
                               (double)component(thin->start + zone->fixed, k);
            } else {
                zone->way[k] /= zone->mass;
            }
            float way = (float)zone->way[k];
            way = way < zone->low[k] ? zone->low[k] : way;
            zone->moved[k] = way > zone->high[k] ? zone->high[k] : way;
        }
    }
}

static void move_zones(const bound* b) {
    supi_thin* thin = b->thin;
    for (int32_t i = 0; i < thin->particle_count; i++) {
        const supi_thin_zone* zone = b->zones + supi_union_root(b->parent, i);
        const sup_row* start = thin->start + i;
        sup_row* now = thin->now + i;
        if (zone->members < 2 || !(now->w > 0)) continue;
        const float* way = island_of(thin, i)->way;
        now->x = start->x + (way[0] + zone->moved[0]);
        now->y = start->y + (way[1] + zone->moved[1]);
        now->z = start->z + (way[2] + zone->moved[2]);
    }
}

/* All that zones have changed becomes speed, but for what they were clamped by where nothing is
   fixed. */
static void speed_zones(const bound* b) {
    supi_thin* thin = b->thin;
    for (int32_t i = 0; i < thin->particle_count; i++) {
        const supi_thin_zone* zone = b->zones + supi_union_root(b->parent, i);
        const sup_row *now = thin->now + i, *kept = b->kept + i;
        sup_row* v = thin->v + i;
        if (zone->members < 2 || !(now->w > 0)) continue;
        float silent[3] = {0, 0, 0};
        for (int k = 0; k < 3 && !island_of(thin, i)->fixed; k++) {
            silent[k] = (float)((double)zone->moved[k] - zone->way[k]);
        }
        v->x += (now->x - kept->x - silent[0]) * b->per_h;
        v->y += (now->y - kept->y - silent[1]) * b->per_h;
        v->z += (now->z - kept->z - silent[2]) * b->per_h;
        thin->counts.zoned++;
    }
}

/* Particles that follow another. */
static int32_t count_zoned(const bound* b) {
    int32_t zoned = 0;
    for (int32_t i = 0; i < b->thin->particle_count; i++) {
        zoned += supi_union_root(b->parent, i) != i;
    }
    return zoned;
}

/* Zones grow until no pair is too close, or all that are lie in one zone already: these are as far
   apart as at the start, but for rounding. */
static void form_zones(const bound* b) {
    const supi_thin* thin = b->thin;
    memcpy(b->kept, thin->now, (size_t)thin->particle_count * sizeof *b->kept);
    for (int32_t i = 0; i < thin->particle_count; i++) b->parent[i] = i;
    for (int32_t zoned = 0; go_over(b, unite) && count_zoned(b) > zoned;) {
        zoned = count_zoned(b);
        find_zones(b);
        move_zones(b);
    }
    if (count_zoned(b) > 0) speed_zones(b);
}

void supi_thin_bound(supi_thin* thin, sup_row* x, sup_row* v, float h) {
    if (thin->body_count == 0) return;
    supi_thin_take(thin, x, v);
    bound b = {.thin = thin,
               .per_h = 1 / h,
               .kept = thin->kept_store.items,
               .parent = thin->parent_store.items,
               .zones = thin->zone_store.items};
    supi_thin_take_back(thin, h);
    clamp_all(&b);
    bool tight = true;
    for (int32_t i = 0; i < ROUNDS && tight; i++) tight = go_over(&b, open_pair);
    if (tight) form_zones(&b);
    supi_thin_give(thin, x, v);
}
