/* Reference: rigid shape matching in plain C, an array of structures and scalar loops. The rotation
   follows Müller et al. 2016, started from the one of the last step. */
#include "cloud.h"

#include <math.h>
#include <stdlib.h>

typedef struct particle {
    float x[3], v[3], q[3], goal[3]; /* q: rest place from the rest centre */
    float m;
} particle;

typedef struct plain_body {
    int32_t count;
    particle* particles;
    float r[3][3]; /* rotation, columns are r[0..2][k] */
} plain_body;

typedef struct plain_bodies {
    int32_t body_count;
    plain_body* bodies;
    particle* particles;
} plain_bodies;

/* r <- exp([w]x) r */
static void turn(float r[3][3], const float w[3], float angle) {
    float s = sinf(angle), c = cosf(angle);
    float u[3] = {w[0] / angle, w[1] / angle, w[2] / angle};
    for (int k = 0; k < 3; k++) {
        float a[3] = {r[0][k], r[1][k], r[2][k]};
        float along = (u[0] * a[0] + u[1] * a[1] + u[2] * a[2]) * (1.0f - c);
        r[0][k] = a[0] * c + (u[1] * a[2] - u[2] * a[1]) * s + u[0] * along;
        r[1][k] = a[1] * c + (u[2] * a[0] - u[0] * a[2]) * s + u[1] * along;
        r[2][k] = a[2] * c + (u[0] * a[1] - u[1] * a[0]) * s + u[2] * along;
    }
}

/* Rounding makes r lose its unit length over thousands of steps. */
static void straighten(float r[3][3]) {
    float x = 1.0f / sqrtf(r[0][0] * r[0][0] + r[1][0] * r[1][0] + r[2][0] * r[2][0]);
    for (int i = 0; i < 3; i++) r[i][0] *= x;
    float d = r[0][0] * r[0][1] + r[1][0] * r[1][1] + r[2][0] * r[2][1];
    for (int i = 0; i < 3; i++) r[i][1] -= d * r[i][0];
    float y = 1.0f / sqrtf(r[0][1] * r[0][1] + r[1][1] * r[1][1] + r[2][1] * r[2][1]);
    for (int i = 0; i < 3; i++) r[i][1] *= y;
    r[0][2] = r[1][0] * r[2][1] - r[2][0] * r[1][1];
    r[1][2] = r[2][0] * r[0][1] - r[0][0] * r[2][1];
    r[2][2] = r[0][0] * r[1][1] - r[1][0] * r[0][1];
}

static void extract_rotation(float r[3][3], float apq[3][3]) {
    for (int iteration = 0; iteration < 20; iteration++) {
        float w[3] = {0}, dot = 0.0f;
        for (int k = 0; k < 3; k++) {
            w[0] += r[1][k] * apq[2][k] - r[2][k] * apq[1][k];
            w[1] += r[2][k] * apq[0][k] - r[0][k] * apq[2][k];
            w[2] += r[0][k] * apq[1][k] - r[1][k] * apq[0][k];
            dot += r[0][k] * apq[0][k] + r[1][k] * apq[1][k] + r[2][k] * apq[2][k];
        }
        for (int i = 0; i < 3; i++) w[i] /= fabsf(dot) + 1e-9f;
        float angle = sqrtf(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        if (angle < 1e-6f) break;
        turn(r, w, angle);
    }
    straighten(r);
}

static void step_body(plain_body* body, float h, float alpha, const float gravity[3]) {
    particle* particles = body->particles;
    int32_t count = body->count;
    float centre[3] = {0}, mass = 0.0f;
    for (int32_t n = 0; n < count; n++) {
        const particle* p = &particles[n];
        for (int i = 0; i < 3; i++) centre[i] += p->m * p->x[i];
        mass += p->m;
    }
    for (int i = 0; i < 3; i++) centre[i] /= mass;

    float apq[3][3] = {{0}};
    for (int32_t n = 0; n < count; n++) {
        const particle* p = &particles[n];
        for (int i = 0; i < 3; i++) {
            float mp = p->m * (p->x[i] - centre[i]);
            for (int j = 0; j < 3; j++) apq[i][j] += mp * p->q[j];
        }
    }
    extract_rotation(body->r, apq);

    for (int32_t n = 0; n < count; n++) {
        particle* p = &particles[n];
        for (int i = 0; i < 3; i++) {
            const float* r = body->r[i];
            p->goal[i] = r[0] * p->q[0] + r[1] * p->q[1] + r[2] * p->q[2] + centre[i];
            p->v[i] += alpha / h * (p->goal[i] - p->x[i]) + h * gravity[i];
            p->x[i] += h * p->v[i];
        }
    }
}

static bool step(void* state) {
    static const float no_gravity[3] = {0};
    plain_bodies* all = state;
    for (int32_t b = 0; b < all->body_count; b++) {
        step_body(&all->bodies[b], (float)BENCH_DT, (float)BENCH_PULL, no_gravity);
    }
    return true;
}

static bool read_places(void* state, sup_point* places) {
    const plain_bodies* all = state;
    for (int32_t b = 0; b < all->body_count; b++) {
        for (int32_t n = 0; n < all->bodies[b].count; n++) {
            const float* x = all->bodies[b].particles[n].x;
            *places++ = (sup_point){x[0], x[1], x[2]};
        }
    }
    return true;
}

static void destroy(void* state) {
    plain_bodies* all = state;
    free(all->bodies);
    free(all->particles);
    free(all);
}

static void fill_body(const bench_cloud* cloud, int32_t index, plain_body* body) {
    const bench_shape* shape = bench_shape_of(cloud, index);
    const double* origin = cloud->origins + 3 * index;
    const sup_vec3* v = cloud->velocities + cloud->body_points[index];
    double centre[3] = {0};
    for (int32_t n = 0; n < shape->point_count; n++) {
        centre[0] += (double)shape->rest[n].x / shape->point_count;
        centre[1] += (double)shape->rest[n].y / shape->point_count;
        centre[2] += (double)shape->rest[n].z / shape->point_count;
    }
    for (int32_t n = 0; n < shape->point_count; n++) {
        const float rest[3] = {shape->rest[n].x, shape->rest[n].y, shape->rest[n].z};
        particle* p = &body->particles[n];
        *p = (particle){.v = {v[n].x, v[n].y, v[n].z}, .m = 1.0f};
        for (int i = 0; i < 3; i++) {
            p->x[i] = (float)(rest[i] + origin[i]);
            p->q[i] = (float)(rest[i] - centre[i]);
        }
    }
    for (int i = 0; i < 3; i++) body->r[i][i] = 1.0f;
}

bool bench_plain_create(const bench_cloud* cloud, bench_subject* out) {
    size_t bodies = (size_t)cloud->body_count;
    plain_bodies* all = calloc(1, sizeof(*all));
    if (!all) return false;
    all->body_count = cloud->body_count;
    all->bodies = calloc(bodies, sizeof(plain_body));
    all->particles = calloc(cloud->body_points[bodies], sizeof(particle));
    if (!all->bodies || !all->particles) {
        destroy(all);
        return false;
    }
    for (int32_t b = 0; b < cloud->body_count; b++) {
        all->bodies[b].count = bench_shape_of(cloud, b)->point_count;
        all->bodies[b].particles = all->particles + cloud->body_points[b];
        fill_body(cloud, b, &all->bodies[b]);
    }
    *out = (bench_subject){all, step, 1, read_places, destroy};
    return true;
}
