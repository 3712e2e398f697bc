/* The task that Supple and the references share: bodies of loose points that clusters hold. */
#ifndef SUPPLE_BENCH_CLOUD_H
#define SUPPLE_BENCH_CLOUD_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_DT (1.0 / 60.0) /* s of one step */
#define BENCH_SUBSTEPS 4      /* steps that Supple takes in one call: its default */
#define BENCH_PULL 0.5        /* alpha of every step */
#define BENCH_DAMPING 0.1     /* delta of every step, scheme D only */
#define BENCH_BETA 0.5        /* share of the linear or quadratic shape in the goal */

/* ---- What a cloud is made of ---- */

/* Bodies of one rest shape: a jittered lattice whose longest side is 1 m, cut into overlapping
   boxes along its axes. Neighbours share a layer of points at least, and no box is thinner than
   three layers, so that every cluster can tell bends. */
typedef struct bench_kind {
    int32_t body_count;
    int32_t sides[3];    /* points along the axes */
    int32_t clusters[3]; /* along the axes */
    int32_t point_count; /* the first of the lattice, x running fastest; 0: all */
} bench_kind;

enum { BENCH_KINDS_MAX = 3 };

/* `rounds` times the bodies of all kinds. */
typedef struct bench_plan {
    int32_t rounds, kind_count;
    bench_kind kinds[BENCH_KINDS_MAX];
} bench_plan;

/* Bodies alike, as close to cubes as their number of points allows, each with `cuts` cubed
   clusters. */
bench_plan bench_plan_cubes(int32_t body_count, int32_t point_count, int32_t cuts);

/* ---- The cloud ---- */

typedef struct bench_shape {
    int32_t point_count, cluster_count;
    sup_vec3* rest;           /* m (point_count) */
    int32_t* cluster_starts;  /* (cluster_count + 1) */
    int32_t* cluster_members; /* points of each cluster, ascending */
} bench_shape;

/* Every body turns and trembles differently. Masses are 1 kg and there is no gravity, so that
   bodies stay where they are however long they are stepped. */
typedef struct bench_cloud {
    int32_t shape_count, body_count;
    bench_shape* shapes;
    int32_t* body_shapes; /* (body_count) */
    size_t* body_points;  /* first point of each body, and the number of all (body_count + 1) */
    sup_vec3* velocities; /* m/s, of all points */
    double* origins;      /* m (3 * body_count), where the rest frame goes */
} bench_cloud;

/* False: no memory. */
bool bench_cloud_create(const bench_plan* plan, bench_cloud* out);
void bench_cloud_destroy(bench_cloud* cloud);

static inline const bench_shape* bench_shape_of(const bench_cloud* cloud, int32_t body) {
    return cloud->shapes + cloud->body_shapes[body];
}

/* ---- Ways to move it ---- */

typedef struct bench_way {
    sup_scheme scheme;
    sup_match_mode mode;
    int32_t threads;
    sup_simd simd;
} bench_way;

/* False: no memory, or Supple refused (said so on stderr). */
bool bench_supple_create(const bench_cloud* cloud, const bench_way* way, bench_subject* out);
/* Scheme S on one thread, whatever the way says. */
bool bench_eigen_create(const bench_cloud* cloud, sup_match_mode mode, bench_subject* out);
/* Rigid, bodies of one cluster only. */
bool bench_plain_create(const bench_cloud* cloud, bench_subject* out);
/* Moves the bytes of one body, not its points. */
bool bench_traffic_create(const bench_cloud* cloud, bench_subject* out);

/* How much of its work Bullet does in a step: rigid clusters, whose goals it reaches in its own
   way. */
typedef enum bench_bullet_part {
    BENCH_BULLET_MATCH, /* the clusters alone */
    BENCH_BULLET_STEP,  /* bodies, without constraints and collisions */
    BENCH_BULLET_WORLD  /* stepSimulation */
} bench_bullet_part;
bool bench_bullet_create(const bench_cloud* cloud, bench_bullet_part part, bench_subject* out);

/* Of a Supple subject: the kernels that it runs, and the hash of its world. */
sup_simd bench_supple_simd(const bench_subject* subject);
uint64_t bench_supple_hash(const bench_subject* subject);

#ifdef __cplusplus
}
#endif
#endif
