/* Spheres of one size that may touch: who is near whom, by a plain hash table. */
#ifndef SUPPLE_BENCH_SPHERES_H
#define SUPPLE_BENCH_SPHERES_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The reference: a map from cells to lists of particles, made anew in each step, and 27 cells
   looked up for each particle; or the same by two arrays instead of a map. `x` stays where it is.
   NULL when memory is short. */
typedef struct bench_plain_spheres bench_plain_spheres;
bench_plain_spheres* bench_plain_spheres_create(const sup_row* x, int32_t count, float radius,
                                                bool arrays);
void bench_plain_spheres_destroy(bench_plain_spheres* spheres);
bool bench_plain_spheres_step(void* spheres);
/* The pairs of the last step, lower particle first, ascending. */
const int32_t* bench_plain_spheres_pairs(bench_plain_spheres* spheres, int32_t* count);

#ifdef __cplusplus
}
#endif
#endif
