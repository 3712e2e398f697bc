/* Supple as a subject of the bench: one world with one body per body of the cloud. A step of the
   bench is a substep of the world, which takes its default number of them in a call. */
#include "cloud.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct supple_bodies {
    int32_t body_count, point_count;
    sup_world* world;
    sup_body* bodies;
} supple_bodies;

static bool step(void* state) {
    supple_bodies* all = state;
    return sup_world_step(all->world, BENCH_SUBSTEPS * BENCH_DT) == SUP_OK;
}

static bool read_places(void* state, sup_point* places) {
    const supple_bodies* all = state;
    for (int32_t b = 0; b < all->body_count; b++) {
        sup_point* body_places = places + (size_t)b * (size_t)all->point_count;
        if (sup_body_read_particles(all->world, all->bodies[b], body_places, NULL) != SUP_OK) {
            return false;
        }
    }
    return true;
}

static void destroy(void* state) {
    supple_bodies* all = state;
    sup_world_destroy(all->world);
    free(all->bodies);
    free(all);
}

static sup_result create_blueprint(const bench_cloud* cloud, sup_blueprint** out,
                                   sup_error* error) {
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = cloud->point_count;
    def.points = cloud->rest;
    def.layout = SUP_CLUSTERS_WHOLE;
    def.mass = cloud->point_count; /* kg: 1 each */
    def.radius = -1.0;             /* no contacts between bodies */
    return sup_blueprint_create(&def, out, error);
}

static sup_result create_world(int32_t threads, sup_simd simd, sup_world** out, sup_error* error) {
    sup_world_def def = sup_world_default();
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    def.substeps = BENCH_SUBSTEPS;
    def.threads = threads;
    def.simd = simd;
    return sup_world_create(&def, out, error);
}

static sup_result create_body(supple_bodies* all, const bench_cloud* cloud, int32_t index,
                              const sup_body_def* shared, sup_point* places, sup_error* error) {
    sup_body_def def = *shared;
    const double* origin = cloud->origins + 3 * index;
    for (int i = 0; i < 3; i++) def.position[i] = origin[i];
    sup_result result = sup_body_create(all->world, &def, &all->bodies[index], error);
    if (result != SUP_OK) return result;

    for (int32_t n = 0; n < cloud->point_count; n++) {
        sup_vec3 rest = cloud->rest[n];
        places[n] = (sup_point){origin[0] + rest.x, origin[1] + rest.y, origin[2] + rest.z};
    }
    const sup_vec3* v = cloud->velocities + (size_t)index * (size_t)cloud->point_count;
    return sup_body_write_particles(all->world, all->bodies[index], places, v, error);
}

static sup_result create_bodies(supple_bodies* all, const bench_cloud* cloud, sup_scheme scheme,
                                sup_error* error) {
    sup_point* places = malloc((size_t)cloud->point_count * sizeof(sup_point));
    if (!places) return SUP_NO_MEMORY;
    sup_body_def def = sup_body_default();
    def.material.scheme = scheme;
    def.material.rule = SUP_STIFFNESS_RAW;
    def.material.stiffness = BENCH_PULL;
    def.material.raw_damping = BENCH_DAMPING;
    sup_result result = create_blueprint(cloud, &def.blueprint, error);
    for (int32_t b = 0; b < cloud->body_count && result == SUP_OK; b++) {
        result = create_body(all, cloud, b, &def, places, error);
    }
    sup_blueprint_release(def.blueprint);
    free(places);
    return result;
}

bool bench_supple_create(const bench_cloud* cloud, sup_scheme scheme, int32_t threads,
                         sup_simd simd, bench_subject* out) {
    sup_error error = {0};
    supple_bodies* all = calloc(1, sizeof(*all));
    if (!all) return false;
    all->body_count = cloud->body_count;
    all->point_count = cloud->point_count;
    all->bodies = calloc((size_t)cloud->body_count, sizeof(sup_body));
    sup_result result = all->bodies ? SUP_OK : SUP_NO_MEMORY;
    if (result == SUP_OK) result = create_world(threads, simd, &all->world, &error);
    if (result == SUP_OK) result = create_bodies(all, cloud, scheme, &error);
    if (result != SUP_OK) {
        fprintf(stderr, "supple_bench: %s: %s\n", sup_result_name(result), error.text);
        destroy(all);
        return false;
    }
    *out = (bench_subject){all, step, BENCH_SUBSTEPS, read_places, destroy};
    return true;
}

sup_simd bench_supple_simd(const bench_subject* subject) {
    const supple_bodies* all = subject->state;
    return sup_world_simd(all->world);
}
