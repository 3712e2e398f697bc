/* Thin features push each other apart and rub, one pair after the other. */
#include "contact/rub.h"
#include "contact/thin.h"

/* A pair as this file works with it. */
typedef struct lane {
    sup_row *x[4], *v[4];
    float share[4];
    float weight; /* 1/kg: what a push along the normal has to move */
    sup_vec3 normal;
} lane;

static lane lane_of(const supi_thin* thin, const supi_thin_block* block, int k) {
    lane l = {.normal = {block->normal[0][k], block->normal[1][k], block->normal[2][k]}};
    for (int i = 0; i < 4; i++) {
        int32_t at = block->at[i][k];
        l.x[i] = thin->now + at;
        l.v[i] = thin->v + at;
        l.share[i] = block->share[i][k];
        l.weight += l.share[i] * l.share[i] * l.x[i]->w;
    }
    return l;
}

/* From the one to the other, relative to their first particle. */
static sup_vec3 between(const lane* l, sup_row* const rows[4]) {
    sup_vec3 sum = {0, 0, 0}, first = supi_vec3_of_row(rows[0]);
    for (int i = 1; i < 4; i++) {
        sum = supi_vec3_along(sum, l->share[i], supi_vec3_minus(supi_vec3_of_row(rows[i]), first));
    }
    return sum;
}

static void move(const lane* l, sup_vec3 d, float per_h) {
    for (int i = 0; i < 4; i++) {
        float part = l->x[i]->w * l->share[i] / l->weight;
        supi_rub_move(l->x[i], l->v[i], supi_vec3_scaled(d, part), per_h);
    }
}

static const supi_surface* surface_of(const supi_thin* thin, const supi_thin_block* block, int k) {
    const supi_thin_job* job = thin->jobs + block->job;
    const supi_thin_body *a = thin->bodies + job->a, *b = thin->bodies + job->b;
    int32_t row_a = block->at[0][k] - thin->places[job->a].first;
    int32_t row_b = block->at[job->faces ? 1 : 2][k] - thin->places[job->b].first;
    int32_t region_a = a->region_of ? a->region_of[row_a] : 0;
    int32_t region_b = b->region_of ? b->region_of[row_b] : 0;
    return thin->surfaces + job->surface + region_a * b->grip_count + region_b;
}

static void rub(const lane* l, const supi_surface* surface, supi_thin_block* block, int k,
                float h) {
    supi_contact c = {.push = block->push[k],
                      .drag = {block->drag[0][k], block->drag[1][k], block->drag[2][k]}};
    sup_vec3 slip = supi_vec3_scaled(between(l, l->v), h);
    sup_vec3 d = supi_rub(surface, &c, supi_rub_tangent(slip, l->normal), surface->creep * h);
    for (int i = 0; i < 3; i++) block->drag[i][k] = c.drag[i];
    move(l, d, 1 / h);
}

/* What the rest of an old overlap needs is given as speed at first: where something presses the two
   together, it takes that back, and the speeds of both add up to nothing. */
static void push(supi_thin* thin, supi_thin_block* block, int k, float h) {
    lane l = lane_of(thin, block, k);
    float depth = block->distance[k] - supi_vec3_dot(between(&l, l.x), l.normal);
    if (!(depth > 0) || !(l.weight > 0)) return;
    const supi_surface* surface = surface_of(thin, block, k);
    float un = h * supi_vec3_dot(between(&l, l.v), l.normal), speed, over;
    supi_rub_split(surface, depth, un, h, &speed, &over);
    move(&l, supi_vec3_scaled(l.normal, speed + over), 1 / h);
    if (block->push[k] == 0) {
        thin->counts.active++;
        block->depth[k] = depth;
    }
    block->push[k] += speed + over;
    block->over[k] += over;
    if (surface->friction_static > 0) rub(&l, surface, block, k, h);
}

void supi_thin_sweep(supi_thin* thin, sup_row* x, sup_row* v, float h) {
    if (thin->counts.candidates == 0) return;
    supi_thin_take(thin, x, v);
    for (int32_t j = 0; j < thin->job_count; j++) {
        const supi_thin_job* job = thin->jobs + j;
        int32_t end = job->block + job->block_count;
        for (int32_t i = job->block; i < end; i++) {
            int bits = 0;
            i = thin->kernels->near(thin->blocks, i, end, thin->now, &bits);
            if (i == end) break;
            supi_thin_block* block = thin->blocks + i;
            if (!block->relented) supi_thin_relent(thin, block);
            for (; bits; bits &= bits - 1) push(thin, block, __builtin_ctz((unsigned)bits), h);
        }
    }
    supi_thin_give(thin, x, v);
}

/* Of what opened an old overlap, as much is no speed as the two now part faster than such may. */
static void take_back(supi_thin* thin, supi_thin_block* block, int k, float h) {
    lane l = lane_of(thin, block, k);
    float un = h * supi_vec3_dot(between(&l, l.v), l.normal);
    float excess = un - surface_of(thin, block, k)->depart * h;
    if (!(excess > 0)) return;
    excess = excess < block->over[k] ? excess : block->over[k];
    for (int i = 0; i < 4; i++) {
        float part = l.x[i]->w * l.share[i] / l.weight;
        supi_rub_add(l.v[i], supi_vec3_scaled(l.normal, -excess * part / h));
    }
    block->push[k] -= excess;
}

void supi_thin_take_back(supi_thin* thin, float h) {
    for (int32_t j = 0; j < thin->job_count; j++) {
        const supi_thin_job* job = thin->jobs + j;
        for (int32_t i = 0; i < 8 * job->block_count; i++) {
            supi_thin_block* block = thin->blocks + job->block + i / 8;
            if (block->over[i % 8] > 0) take_back(thin, block, i % 8, h);
        }
    }
}
