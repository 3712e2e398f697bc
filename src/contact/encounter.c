/* Pairs are first looked at where they end; only those that overlap there are asked where they came
   from. */
#include "contact/encounter.h"

#include "contact/vec3.h"

#include <float.h>

/* Share of how far both reach: deeper than this the normal of the start says little. */
#define DEEP 0.1f

float supi_encounter_depth(const supi_ellipsoid* a, const supi_ellipsoid* b, sup_vec3 n) {
    float apart = supi_vec3_dot(n, supi_vec3_minus(a->centre, b->centre));
    return supi_ellipsoid_reach(a, n) + supi_ellipsoid_reach(b, n) - apart;
}

static sup_vec3 lane_of(const float from[3][8], int32_t lane) {
    return (sup_vec3){from[0][lane], from[1][lane], from[2][lane]};
}

/* How far both reach towards each other. */
static float reach_sum(const supi_ellipsoid_pairs* pairs, int32_t lane) {
    sup_vec3 between =
        supi_vec3_minus(lane_of(pairs->reach_a, lane), lane_of(pairs->reach_b, lane));
    return supi_vec3_dot(lane_of(pairs->normal, lane), between);
}

/* Where they touch is between the foremost places of both, next to that of the heavier. */
static void take_arms(supi_encounter* out, const supi_ellipsoid_pairs* pairs, int32_t lane,
                      float share) {
    sup_vec3 from_b = lane_of(pairs->reach_a, lane), from_a = lane_of(pairs->reach_b, lane);
    sup_vec3 apart = lane_of(pairs->offset, lane); /* from b to a */
    sup_vec3 gap = supi_vec3_minus(supi_vec3_along(apart, 1, from_a), from_b);
    out->arm_a = supi_vec3_along(from_a, -share, gap);
    out->arm_b = supi_vec3_along(from_b, 1 - share, gap);
}

supi_encounter supi_encounter_seen(const supi_ellipsoid_pairs* end, int32_t lane, float share) {
    supi_encounter seen = {.normal = lane_of(end->normal, lane), .depth = -end->separation[lane]};
    take_arms(&seen, end, lane, share);
    return seen;
}

void supi_encounters_start(supi_encounters* e, const supi_ellipsoid_kernels* kernels) {
    supi_ellipsoid_pairs start = {.margin = FLT_MAX, .rounds = SUPI_ENCOUNTER_KNOWN_ROUNDS};
    for (int32_t i = 0; i < e->count; i++) {
        supi_ellipsoid_load(&start, i, &e->b_before[i], &e->a_before[i]);
        start.normal[0][i] = e->out[i].normal.x;
        start.normal[1][i] = e->out[i].normal.y;
        start.normal[2][i] = e->out[i].normal.z;
    }
    kernels->separate(&start);
    for (int32_t i = 0; i < e->count; i++) {
        supi_encounter* out = &e->out[i];
        float before = start.separation[i];
        out->old = before < 0 ? -before : 0;
        if (before < -DEEP * reach_sum(&start, i)) continue; /* where to is best seen now */
        out->normal = lane_of(start.normal, i);
        out->depth = supi_encounter_depth(&e->a[i], &e->b[i], out->normal);
        take_arms(out, &start, i, e->share[i]);
    }
}
