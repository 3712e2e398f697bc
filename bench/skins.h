/* Skins to be blended: a wavy ball of many vertices on oriented particles, of which each vertex
   follows four at most. */
#ifndef SUPPLE_BENCH_SKINS_H
#define SUPPLE_BENCH_SKINS_H

#include "bench.h"

#include "skin/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_SKIN_SLOTS = 4 };

typedef struct bench_skin {
    int32_t vertex_count, joint_count;
    sup_vec3 *rest, *normals; /* by vertex */
    sup_row* joint_rest;      /* m, by joint */
    sup_row* x;               /* m, by joint, moved */
    sup_quat* turn;           /* by joint */
    supi_arena arena;
    supi_skin bound;
    double binding; /* s that it took */
} bench_skin;

typedef enum bench_skin_kind {
    BENCH_SKIN_PLACES,  /* linear blend */
    BENCH_SKIN_NORMALS, /* the same with normals */
    BENCH_SKIN_DUAL     /* dual quaternions with normals */
} bench_skin_kind;

bool bench_skin_create(int32_t vertex_count, int32_t joint_count, bench_skin* out);
void bench_skin_destroy(bench_skin* skin);

/* Subjects that blend all vertices; the frames of the joints stand. */
bool bench_eigen_skin_create(const bench_skin* skin, bench_skin_kind kind, bench_subject* out);

#ifdef __cplusplus
}
#endif
#endif
