/* Supple as a subject of the bench: one world with one body per body of the cloud. A step of the
   bench is a substep of the world, which takes its default number of them in a call. */
#include "cloud.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supple_bodies {
    int32_t body_count;
    size_t* body_points; /* as in the cloud */
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
        sup_point* own = places + all->body_points[b];
        if (sup_body_read_particles(all->world, all->bodies[b], own, NULL) != SUP_OK) return false;
    }
    return true;
}

static void destroy(void* state) {
    supple_bodies* all = state;
    sup_world_destroy(all->world);
    free(all->body_points);
    free(all->bodies);
    free(all);
}

static sup_result create_blueprint(const bench_shape* shape, sup_blueprint** out,
                                   sup_error* error) {
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = shape->point_count;
    def.points = shape->rest;
    def.layout = SUP_CLUSTERS_WHOLE;
    if (shape->cluster_count > 1) {
        def.layout = SUP_CLUSTERS_EXPLICIT;
        def.cluster_count = shape->cluster_count;
        def.cluster_starts = shape->cluster_starts;
        def.cluster_members = shape->cluster_members;
    }
    def.mass = shape->point_count; /* kg: 1 each */
    def.radius = -1.0;             /* no contacts between bodies */
    return sup_blueprint_create(&def, out, error);
}

static sup_result create_world(const bench_way* way, sup_world** out, sup_error* error) {
    sup_world_def def = sup_world_default();
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    def.substeps = BENCH_SUBSTEPS;
    def.threads = way->threads;
    def.simd = way->simd;
    return sup_world_create(&def, out, error);
}

static sup_material material_of(const bench_way* way) {
    sup_material material = sup_body_default().material;
    material.scheme = way->scheme;
    material.rule = SUP_STIFFNESS_RAW;
    material.mode = way->mode;
    material.keeps_volume = false; /* it feeds overlapping clusters that nothing damps */
    material.beta = BENCH_BETA;
    material.stiffness = BENCH_PULL;
    material.raw_damping = BENCH_DAMPING;
    return material;
}

static sup_result create_body(supple_bodies* all, const bench_cloud* cloud, int32_t index,
                              const sup_body_def* shared, sup_error* error) {
    const bench_shape* shape = bench_shape_of(cloud, index);
    sup_body_def def = *shared;
    const double* origin = cloud->origins + 3 * index;
    for (int i = 0; i < 3; i++) def.position[i] = origin[i];
    sup_result result = sup_body_create(all->world, &def, &all->bodies[index], error);
    if (result != SUP_OK) return result;

    sup_point* places = malloc((size_t)shape->point_count * sizeof(sup_point));
    if (!places) return SUP_NO_MEMORY;
    for (int32_t n = 0; n < shape->point_count; n++) {
        sup_vec3 rest = shape->rest[n];
        places[n] = (sup_point){origin[0] + rest.x, origin[1] + rest.y, origin[2] + rest.z};
    }
    const sup_vec3* v = cloud->velocities + cloud->body_points[index];
    result = sup_body_write_particles(all->world, all->bodies[index], places, v, error);
    free(places);
    return result;
}

/* All bodies, in the order of the cloud; `prints` are the blueprints of the shapes. */
static sup_result create_bodies(supple_bodies* all, const bench_cloud* cloud,
                                sup_blueprint* const* prints, const bench_way* way,
                                sup_error* error) {
    sup_body_def def = sup_body_default();
    def.material = material_of(way);
    for (int32_t b = 0; b < cloud->body_count; b++) {
        def.blueprint = prints[cloud->body_shapes[b]];
        sup_result result = create_body(all, cloud, b, &def, error);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

static sup_result fill_world(supple_bodies* all, const bench_cloud* cloud, const bench_way* way,
                             sup_error* error) {
    sup_blueprint* prints[BENCH_KINDS_MAX] = {NULL};
    sup_result result = SUP_OK;
    for (int32_t k = 0; k < cloud->shape_count && result == SUP_OK; k++) {
        result = create_blueprint(&cloud->shapes[k], &prints[k], error);
    }
    if (result == SUP_OK) result = create_bodies(all, cloud, prints, way, error);
    for (int32_t k = 0; k < cloud->shape_count; k++) sup_blueprint_release(prints[k]);
    return result;
}

bool bench_supple_create(const bench_cloud* cloud, const bench_way* way, bench_subject* out) {
    sup_error error = {0};
    supple_bodies* all = calloc(1, sizeof(*all));
    if (!all) return false;
    size_t bodies = (size_t)cloud->body_count;
    all->body_count = cloud->body_count;
    all->bodies = calloc(bodies, sizeof(sup_body));
    all->body_points = malloc((bodies + 1) * sizeof(size_t));
    sup_result result = all->bodies && all->body_points ? SUP_OK : SUP_NO_MEMORY;
    if (result == SUP_OK) {
        memcpy(all->body_points, cloud->body_points, (bodies + 1) * sizeof(size_t));
        result = create_world(way, &all->world, &error);
    }
    if (result == SUP_OK) result = fill_world(all, cloud, way, &error);
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

uint64_t bench_supple_hash(const bench_subject* subject) {
    const supple_bodies* all = subject->state;
    return sup_world_hash(all->world);
}
