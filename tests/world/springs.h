/* Chains and cloth of springs for tests of worlds. */
#ifndef SUPPLE_TESTS_WORLD_SPRINGS_H
#define SUPPLE_TESTS_WORLD_SPRINGS_H

#include "supple/snapshot.h"
#include "world/yard.h"

enum { INTEGRATORS = 7 };

static inline sup_integrator integrator_at(int index) {
    static const sup_integrator all[INTEGRATORS] = {SUP_INTEGRATOR_IMPLICIT,
                                                    SUP_INTEGRATOR_SYMPLECTIC,
                                                    SUP_INTEGRATOR_VELOCITY_VERLET,
                                                    SUP_INTEGRATOR_POSITION_VERLET,
                                                    SUP_INTEGRATOR_EULER,
                                                    SUP_INTEGRATOR_MIDPOINT,
                                                    SUP_INTEGRATOR_RK4};
    return all[index];
}

/* In which nobody sleeps. */
static inline sup_world* quiet_world(int32_t substeps, int32_t threads, sup_simd simd) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = 0.0;
    def.substeps = substeps;
    def.threads = threads;
    def.simd = simd;
    return make_world(&def);
}

/* `count` particles of `mass` below each other, the first pinned at the origin. */
static inline sup_blueprint* chain_of(int32_t count, double mass, double spacing, double stiffness,
                                      double ratio) {
    enum { MOST = 256 };
    sup_vec3 points[MOST];
    float masses[MOST];
    sup_spring springs[MOST];
    const int32_t pin = 0;
    assert_true(count <= MOST);
    for (int32_t i = 0; i < count; i++) {
        points[i] = (sup_vec3){0, (float)(-spacing * i), 0};
        masses[i] = (float)mass;
        springs[i] = (sup_spring){i, i + 1, -1, (float)stiffness, -1, SUP_SPRING_STRUCT, false};
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = count;
    def.masses = masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = springs;
    def.spring_count = count - 1;
    def.spring_damping = ratio;
    def.pins = &pin;
    def.pin_count = 1;
    def.radius = -1;
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

/* A sheet of n x n particles in the plane y = 0. */
typedef struct cloth_def {
    int32_t n;
    double side, density;        /* m, kg/m^2 */
    double stretch, shear, bend; /* N/m */
    double ratio;                /* of damping */
    bool held;                   /* at two corners */
    sup_cluster_layout layout;   /* beside the springs */
} cloth_def;

static inline cloth_def cloth_default(int32_t n) {
    return (cloth_def){n, 2.0, 0.3, 1000, 500, 50, 0.05, true, SUP_CLUSTERS_NONE};
}

static inline void cloth_add(sup_spring* springs, int32_t* count, int32_t a, int32_t b, double k,
                             sup_spring_kind kind) {
    if (k > 0.0) springs[(*count)++] = (sup_spring){a, b, -1, (float)k, -1, (uint8_t)kind, false};
}

static inline int32_t cloth_weave(const cloth_def* c, sup_spring* springs) {
    int32_t n = c->n, count = 0;
    for (int32_t i = 0; i < n * n; i++) {
        int32_t x = i % n, z = i / n;
        double along_x = z == 0 || z == n - 1 ? 0.5 : 1.0;
        double along_z = x == 0 || x == n - 1 ? 0.5 : 1.0;
        bool right = x + 1 < n, down = z + 1 < n;
        if (right) cloth_add(springs, &count, i, i + 1, c->stretch * along_x, SUP_SPRING_STRUCT);
        if (down) cloth_add(springs, &count, i, i + n, c->stretch * along_z, SUP_SPRING_STRUCT);
        if (right && down) {
            cloth_add(springs, &count, i, i + n + 1, c->shear, SUP_SPRING_SHEAR);
            cloth_add(springs, &count, i + 1, i + n, c->shear, SUP_SPRING_SHEAR);
        }
        if (x + 2 < n) cloth_add(springs, &count, i, i + 2, c->bend * along_x, SUP_SPRING_BEND);
        if (z + 2 < n) cloth_add(springs, &count, i, i + 2 * n, c->bend * along_z, SUP_SPRING_BEND);
    }
    return count;
}

static inline sup_blueprint* cloth_of(const cloth_def* c) {
    size_t count = (size_t)c->n * (size_t)c->n;
    double step = c->side / (c->n - 1);
    sup_vec3* points = calloc(count, sizeof *points);
    float* masses = calloc(count, sizeof *masses);
    sup_spring* springs = calloc(6 * count, sizeof *springs);
    for (int32_t i = 0; i < c->n * c->n; i++) {
        int32_t x = i % c->n, z = i / c->n;
        bool rim_x = x == 0 || x == c->n - 1, rim_z = z == 0 || z == c->n - 1;
        points[i] = (sup_vec3){(float)(x * step), 0, (float)(z * step)};
        masses[i] = (float)(c->density * step * step * (rim_x ? 0.5 : 1.0) * (rim_z ? 0.5 : 1.0));
    }
    const int32_t pins[2] = {0, c->n - 1};
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = (int32_t)count;
    def.masses = masses;
    def.layout = c->layout;
    def.springs = springs;
    def.spring_count = cloth_weave(c, springs);
    def.spring_damping = c->ratio;
    def.pins = pins;
    def.pin_count = c->held ? 2 : 0;
    def.radius = -1;
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    free(points);
    free(masses);
    free(springs);
    return print;
}

/* Ten steps, from here and from a snapshot of here. */
static inline void check_resumes(sup_world* world) {
    sup_world* other = make_world(NULL);
    sup_bytes bytes = {0};
    sup_error error = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    take_steps(world, 10);
    take_steps(other, 10);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_bytes_free(&bytes);
    sup_world_destroy(other);
}

static inline sup_spring_measures measure_springs(const sup_world* world, sup_body body) {
    sup_spring_measures measures;
    assert_int_equal(sup_body_measure_springs(world, body, &measures), SUP_OK);
    return measures;
}

#endif
