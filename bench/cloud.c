/* Bodies of loose points and their clusters, the same for Supple and the references. */
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

bench_plan bench_plan_cubes(int32_t body_count, int32_t point_count, int32_t cuts) {
    int32_t side = cube_side(point_count);
    int32_t layers = (point_count + side * side - 1) / (side * side);
    return (bench_plan){
        1, 1, {{body_count, {side, side, layers}, {cuts, cuts, cuts}, point_count}}};
}

/* ---- Shapes ---- */

static int32_t longest(const int32_t sides[3]) {
    int32_t most = sides[0];
    for (int k = 1; k < 3; k++) most = sides[k] > most ? sides[k] : most;
    return most;
}

static void place_rest(const bench_kind* kind, bench_shape* shape, uint64_t* seed) {
    float spacing = 1.0f / (float)longest(kind->sides);
    int32_t row = kind->sides[0], layer = row * kind->sides[1];
    for (int32_t i = 0; i < shape->point_count; i++) {
        shape->rest[i].x = spacing * ((float)(i % row) + 0.2f * noise(seed));
        shape->rest[i].y = spacing * ((float)(i % layer / row) + 0.2f * noise(seed));
        shape->rest[i].z = spacing * ((float)(i / layer) + 0.2f * noise(seed));
    }
}

/* The layers first .. first + width - 1 of cluster `index` along an axis. */
static int32_t window_width(int32_t side, int32_t cuts) {
    if (cuts == 1) return side;
    int32_t width = (side - 1 + cuts - 1) / cuts + 1; /* one layer is shared */
    return width < 3 ? 3 : width;
}
static int32_t window_first(int32_t side, int32_t cuts, int32_t index) {
    int32_t room = side - window_width(side, cuts);
    return cuts == 1 ? 0 : (2 * index * room + cuts - 1) / (2 * (cuts - 1)); /* rounded */
}

/* Appends the points of one cluster; `box` is its place along the axes. */
static int32_t list_members(const bench_kind* kind, const bench_shape* shape, const int32_t box[3],
                            int32_t* members) {
    int32_t first[3], stop[3], count = 0;
    for (int k = 0; k < 3; k++) {
        first[k] = window_first(kind->sides[k], kind->clusters[k], box[k]);
        stop[k] = first[k] + window_width(kind->sides[k], kind->clusters[k]);
    }
    for (int32_t z = first[2]; z < stop[2]; z++) {
        for (int32_t y = first[1]; y < stop[1]; y++) {
            for (int32_t x = first[0]; x < stop[0]; x++) {
                int32_t i = (z * kind->sides[1] + y) * kind->sides[0] + x;
                if (i < shape->point_count) members[count++] = i;
            }
        }
    }
    return count;
}

static void list_clusters(const bench_kind* kind, bench_shape* shape) {
    const int32_t* cuts = kind->clusters;
    for (int32_t c = 0; c < shape->cluster_count; c++) {
        const int32_t box[3] = {c % cuts[0], c / cuts[0] % cuts[1], c / (cuts[0] * cuts[1])};
        int32_t* members = shape->cluster_members + shape->cluster_starts[c];
        shape->cluster_starts[c + 1] =
            shape->cluster_starts[c] + list_members(kind, shape, box, members);
    }
}

static bool create_shape(const bench_kind* kind, bench_shape* shape, uint64_t* seed) {
    size_t lattice = 1, clusters = 1, members = 1;
    for (int k = 0; k < 3; k++) {
        lattice *= (size_t)kind->sides[k];
        clusters *= (size_t)kind->clusters[k];
        members *= (size_t)(kind->clusters[k] * window_width(kind->sides[k], kind->clusters[k]));
    }
    shape->point_count = kind->point_count ? kind->point_count : (int32_t)lattice;
    shape->cluster_count = (int32_t)clusters;
    shape->rest = malloc((size_t)shape->point_count * sizeof(sup_vec3));
    shape->cluster_starts = calloc(clusters + 1, sizeof(int32_t));
    shape->cluster_members = malloc(members * sizeof(int32_t));
    if (!shape->rest || !shape->cluster_starts || !shape->cluster_members) return false;
    place_rest(kind, shape, seed);
    list_clusters(kind, shape);
    return true;
}

/* ---- Bodies ---- */

/* A turn of about 1 rad/s and a tremble of 0.1 m/s, without drift. */
static void give_velocities(const bench_shape* shape, sup_vec3* v, uint64_t* seed) {
    sup_vec3 turn = {noise(seed), noise(seed), noise(seed)};
    double mean[3] = {0};
    for (int32_t i = 0; i < shape->point_count; i++) {
        sup_vec3 p = shape->rest[i];
        v[i].x = turn.y * p.z - turn.z * p.y + 0.1f * noise(seed);
        v[i].y = turn.z * p.x - turn.x * p.z + 0.1f * noise(seed);
        v[i].z = turn.x * p.y - turn.y * p.x + 0.1f * noise(seed);
        mean[0] += v[i].x;
        mean[1] += v[i].y;
        mean[2] += v[i].z;
    }
    for (int32_t i = 0; i < shape->point_count; i++) {
        v[i].x -= (float)(mean[0] / shape->point_count);
        v[i].y -= (float)(mean[1] / shape->point_count);
        v[i].z -= (float)(mean[2] / shape->point_count);
    }
}

/* Which body has which shape, and where its points begin. */
static void list_bodies(const bench_plan* plan, bench_cloud* cloud) {
    int32_t body = 0;
    cloud->body_points[0] = 0;
    for (int32_t round = 0; round < plan->rounds; round++) {
        for (int32_t k = 0; k < plan->kind_count; k++) {
            for (int32_t n = 0; n < plan->kinds[k].body_count; n++, body++) {
                cloud->body_shapes[body] = k;
                cloud->body_points[body + 1] =
                    cloud->body_points[body] + (size_t)cloud->shapes[k].point_count;
            }
        }
    }
}

static void place_bodies(bench_cloud* cloud, uint64_t* seed) {
    int32_t side = cube_side(cloud->body_count);
    for (int32_t b = 0; b < cloud->body_count; b++) {
        give_velocities(bench_shape_of(cloud, b), cloud->velocities + cloud->body_points[b], seed);
        cloud->origins[3 * b + 0] = 3.0 * (b % side);
        cloud->origins[3 * b + 1] = 3.0 * (b / side % side);
        cloud->origins[3 * b + 2] = 3.0 * (b / (side * side));
    }
}

bool bench_cloud_create(const bench_plan* plan, bench_cloud* out) {
    uint64_t seed = 2005;
    int32_t bodies = 0;
    for (int32_t k = 0; k < plan->kind_count; k++) bodies += plan->kinds[k].body_count;
    bodies *= plan->rounds;
    size_t count = (size_t)bodies;
    *out = (bench_cloud){
        .body_count = bodies,
        .shapes = calloc((size_t)plan->kind_count, sizeof(bench_shape)),
        .body_shapes = malloc(count * sizeof(int32_t)),
        .body_points = malloc((count + 1) * sizeof(size_t)),
        .origins = malloc(3 * count * sizeof(double)),
    };
    bool made = out->shapes && out->body_shapes && out->body_points && out->origins;
    while (made && out->shape_count < plan->kind_count) {
        int32_t k = out->shape_count++;
        made = create_shape(&plan->kinds[k], &out->shapes[k], &seed);
    }
    if (made) {
        list_bodies(plan, out);
        out->velocities = malloc(out->body_points[bodies] * sizeof(sup_vec3));
    }
    if (!made || !out->velocities) {
        bench_cloud_destroy(out);
        return false;
    }
    place_bodies(out, &seed);
    return true;
}

void bench_cloud_destroy(bench_cloud* cloud) {
    for (int32_t k = 0; k < cloud->shape_count; k++) {
        free(cloud->shapes[k].rest);
        free(cloud->shapes[k].cluster_starts);
        free(cloud->shapes[k].cluster_members);
    }
    free(cloud->shapes);
    free(cloud->body_shapes);
    free(cloud->body_points);
    free(cloud->velocities);
    free(cloud->origins);
    *cloud = (bench_cloud){0};
}
