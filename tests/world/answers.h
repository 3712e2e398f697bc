/* Slow answers to questions about colliders, in double. */
#ifndef SUPPLE_TESTS_WORLD_ANSWERS_H
#define SUPPLE_TESTS_WORLD_ANSWERS_H

#include "world/yard.h"

static const sup_filter ALL = {1, UINT32_MAX};

static inline double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static inline void subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void along(const double o[3], const double d[3], double t, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = o[k] + t * d[k];
}

static inline void into_frame(const sup_collider_def* def, const double p[3], double out[3]) {
    double x = def->rotation[0], y = def->rotation[1], z = def->rotation[2], w = def->rotation[3];
    double axes[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
        {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
        {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
    };
    double away[3];
    subtract(p, def->position, away);
    for (int k = 0; k < 3; k++) out[k] = dot(axes[k], away);
}

static inline double box_distance(const double p[3], const double half[3]) {
    double outside[3], most = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        double q = fabs(p[k]) - half[k];
        most = fmax(most, q);
        outside[k] = fmax(q, 0);
    }
    return most > 0 ? length_of(outside) : most;
}

/* Meshes here are boxes of half_size, height fields flat. */
static inline double distance_to(const sup_collider_def* def, const double place[3]) {
    double p[3], d = 0;
    into_frame(def, place, p);
    switch (def->kind) {
    case SUP_COLLIDER_PLANE:
    case SUP_COLLIDER_HEIGHTS: d = p[1]; break;
    case SUP_COLLIDER_SPHERE: d = length_of(p) - def->radius; break;
    case SUP_COLLIDER_MESH:
    case SUP_COLLIDER_BOX: d = box_distance(p, def->half_size); break;
    case SUP_COLLIDER_CAPSULE:
        p[1] -= fmax(-def->half_length, fmin(def->half_length, p[1]));
        d = length_of(p) - def->radius;
        break;
    }
    return def->inverted ? -d : d;
}

/* A ball that has fallen onto something, so that nothing of it is at rest. */
static inline sup_body add_dented_ball(sup_world* world, sup_blueprint* print, const double at[3]) {
    sup_collider_def block = sup_collider_default();
    block.kind = SUP_COLLIDER_BOX;
    memcpy(block.position, at, sizeof block.position);
    block.position[1] -= 1.1;
    sup_collider collider = add_collider(world, &block);
    sup_body_def def = body_at(print, at[0], at[1], at[2]);
    def.velocity[1] = -4;
    sup_body body = add_body(world, &def);
    take_steps(world, 10);
    assert_int_equal(sup_collider_destroy(world, collider), SUP_OK);
    return body;
}

#endif
