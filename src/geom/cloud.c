#include "geom/cloud.h"

#include "geom/vector.h"

#include <math.h>

#define MOST_NODES 2000000
#define MOST_STEPS 256 /* along a side */

typedef struct sampler {
    const sup_vec3* points;
    const int32_t* triangles;
    double step;
    supi_cloud* cloud;
} sampler;

/* How many steps the longest side takes. */
static int32_t steps_of(const sampler* s, int32_t triangle) {
    const int32_t* ids = s->triangles + 3 * (size_t)triangle;
    double longest = 0.0, p[3][3];
    for (int k = 0; k < 3; k++) supi_vector_from(&s->points[ids[k]], p[k]);
    for (int k = 0; k < 3; k++) {
        double side[3];
        supi_vector_subtract(p[k], p[(k + 1) % 3], side);
        double length = supi_vector_length(side);
        longest = length > longest ? length : longest;
    }
    double steps = ceil(longest / s->step);
    return steps <= 1.0 ? 1 : steps < MOST_STEPS ? (int32_t)steps : MOST_STEPS;
}

static int32_t nodes_of(int32_t steps) { return (steps + 1) * (steps + 2) / 2; }

/* How many points there are beside the vertices. */
static int64_t count_inner(const sampler* s, int32_t triangle_count) {
    int64_t count = 0;
    for (int32_t t = 0; t < triangle_count; t++) count += nodes_of(steps_of(s, t)) - 3;
    return count;
}

static void give(supi_cloud* cloud, int32_t point, double area, const double normal[3]) {
    cloud->areas[point] += area;
    for (int k = 0; k < 3; k++) cloud->normals[point][k] += normal[k];
}

/* Nodes of a triangle in rows, each with the same share of its area. */
static void sample(const sampler* s, int32_t triangle) {
    const int32_t* ids = s->triangles + 3 * (size_t)triangle;
    double p[3][3], ab[3], ac[3], normal[3];
    for (int k = 0; k < 3; k++) supi_vector_from(&s->points[ids[k]], p[k]);
    supi_vector_subtract(p[1], p[0], ab);
    supi_vector_subtract(p[2], p[0], ac);
    supi_vector_cross(ab, ac, normal);
    int32_t steps = steps_of(s, triangle);
    double share = 0.5 / nodes_of(steps);
    for (int k = 0; k < 3; k++) normal[k] *= share;
    double area = supi_vector_length(normal);
    for (int k = 0; k < 3; k++) give(s->cloud, ids[k], area, normal);
    for (int32_t i = 0; i <= steps; i++) {
        for (int32_t j = 0; i + j <= steps; j++) {
            if (i == steps || j == steps || i + j == 0) continue; /* a corner */
            double u = (double)i / steps, v = (double)j / steps, x[3];
            for (int k = 0; k < 3; k++) x[k] = p[0][k] + u * ab[k] + v * ac[k];
            int32_t next = s->cloud->count++;
            s->cloud->points[next] = supi_vector_round(x[0], x[1], x[2]);
            give(s->cloud, next, area, normal);
        }
    }
}

/* Leaves out what has no area. */
static void compact(supi_cloud* cloud) {
    int32_t kept = 0;
    for (int32_t i = 0; i < cloud->count; i++) {
        if (!(cloud->areas[i] > 0.0)) continue;
        cloud->points[kept] = cloud->points[i];
        cloud->areas[kept] = cloud->areas[i];
        for (int k = 0; k < 3; k++) cloud->normals[kept][k] = cloud->normals[i][k];
        kept++;
    }
    cloud->count = kept;
}

bool supi_cloud_sample(supi_arena* arena, int32_t point_count, const sup_vec3* points,
                       int32_t triangle_count, const int32_t* triangles, double step,
                       supi_cloud* out) {
    sampler s = {points, triangles, step, out};
    int64_t inner = count_inner(&s, triangle_count);
    while (inner > MOST_NODES) { /* with steps as long as the sides there are none */
        s.step *= 2.0;
        inner = count_inner(&s, triangle_count);
    }
    if (inner > INT32_MAX - point_count) return false;
    size_t room = (size_t)point_count + (size_t)inner;
    *out = (supi_cloud){.count = point_count};
    out->points = supi_arena_push(arena, room, sizeof *out->points);
    out->areas = supi_arena_push(arena, room, sizeof *out->areas);
    out->normals = supi_arena_push(arena, room, sizeof *out->normals);
    if (!out->points || !out->areas || !out->normals) return false;
    for (int32_t i = 0; i < point_count; i++) out->points[i] = points[i];
    for (int32_t t = 0; t < triangle_count; t++) sample(&s, t);
    compact(out);
    return true;
}
