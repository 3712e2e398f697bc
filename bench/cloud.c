/* Bodies of loose points that are the same for Supple and the references. */
#include "cloud.h"

#include <stdlib.h>

/* Uniform in -1..1; the sequence is the same on every machine. */
static float noise(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(*seed >> 40) / (float)(1 << 23) - 1.0f;
}

static int32_t cube_side(int32_t count) {
    int32_t side = 1;
    while ((int64_t)side * side * side < count) side++;
    return side;
}

static void place_rest(bench_cloud* cloud, uint64_t* seed) {
    int32_t side = cube_side(cloud->point_count);
    float spacing = 1.0f / (float)side;
    for (int32_t i = 0; i < cloud->point_count; i++) {
        int32_t layer = i / (side * side), row = i / side % side;
        cloud->rest[i].x = spacing * ((float)(i % side) + 0.2f * noise(seed));
        cloud->rest[i].y = spacing * ((float)row + 0.2f * noise(seed));
        cloud->rest[i].z = spacing * ((float)layer + 0.2f * noise(seed));
    }
}

/* A turn of about 1 rad/s and a tremble of 0.1 m/s, without drift. */
static void give_velocities(const bench_cloud* cloud, sup_vec3* v, uint64_t* seed) {
    sup_vec3 turn = {noise(seed), noise(seed), noise(seed)};
    double mean[3] = {0};
    for (int32_t i = 0; i < cloud->point_count; i++) {
        sup_vec3 p = cloud->rest[i];
        v[i].x = turn.y * p.z - turn.z * p.y + 0.1f * noise(seed);
        v[i].y = turn.z * p.x - turn.x * p.z + 0.1f * noise(seed);
        v[i].z = turn.x * p.y - turn.y * p.x + 0.1f * noise(seed);
        mean[0] += v[i].x;
        mean[1] += v[i].y;
        mean[2] += v[i].z;
    }
    for (int32_t i = 0; i < cloud->point_count; i++) {
        v[i].x -= (float)(mean[0] / cloud->point_count);
        v[i].y -= (float)(mean[1] / cloud->point_count);
        v[i].z -= (float)(mean[2] / cloud->point_count);
    }
}

bool bench_cloud_create(int32_t body_count, int32_t point_count, bench_cloud* out) {
    size_t bodies = (size_t)body_count, points = (size_t)point_count;
    *out = (bench_cloud){
        .body_count = body_count,
        .point_count = point_count,
        .rest = malloc(points * sizeof(sup_vec3)),
        .velocities = malloc(bodies * points * sizeof(sup_vec3)),
        .origins = malloc(3 * bodies * sizeof(double)),
    };
    if (!out->rest || !out->velocities || !out->origins) {
        bench_cloud_destroy(out);
        return false;
    }
    uint64_t seed = 2005;
    place_rest(out, &seed);
    int32_t side = cube_side(body_count);
    for (int32_t b = 0; b < body_count; b++) {
        give_velocities(out, out->velocities + (size_t)b * points, &seed);
        out->origins[3 * b + 0] = 3.0 * (b % side);
        out->origins[3 * b + 1] = 3.0 * (b / side % side);
        out->origins[3 * b + 2] = 3.0 * (b / (side * side));
    }
    return true;
}

void bench_cloud_destroy(bench_cloud* cloud) {
    free(cloud->rest);
    free(cloud->velocities);
    free(cloud->origins);
    *cloud = (bench_cloud){0};
}
