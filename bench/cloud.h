/* The task that Supple and the references share: bodies of loose points, each held by one rigid
 * cluster, scheme S. */
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

/* All bodies have the same rest shape, a jittered lattice in a unit cube; every body turns and
   trembles differently. Masses are 1 kg and there is no gravity, so that bodies stay where they are
   however long they are stepped. */
typedef struct bench_cloud {
    int32_t body_count, point_count; /* points are counted per body */
    sup_vec3* rest;                  /* m (point_count) */
    sup_vec3* velocities;            /* m/s (body_count * point_count) */
    double* origins;                 /* m (3 * body_count), where the rest frame goes */
} bench_cloud;

bool bench_cloud_create(int32_t body_count, int32_t point_count, bench_cloud* out);
void bench_cloud_destroy(bench_cloud* cloud);

/* Three ways to move a cloud. False: no memory, or Supple refused (said so on stderr). */
bool bench_supple_create(const bench_cloud* cloud, sup_scheme scheme, int32_t threads,
                         sup_simd simd, bench_subject* out);
bool bench_eigen_create(const bench_cloud* cloud, bench_subject* out);
bool bench_plain_create(const bench_cloud* cloud, bench_subject* out);

/* Kernels that a Supple subject runs. */
sup_simd bench_supple_simd(const bench_subject* subject);

#ifdef __cplusplus
}
#endif
#endif
