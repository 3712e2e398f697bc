/* Square cloth for the bench: 2 m x 2 m and 0.3 kg/m^2, level at first, held by two corners. */
#ifndef SUPPLE_BENCH_CLOTH_H
#define SUPPLE_BENCH_CLOTH_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_CLOTH_H (1.0 / 60.0) /* s, of a step */
#define BENCH_GRAVITY 9.81         /* m/s^2, down y */

enum { BENCH_CLOTH_SWEEPS = 10 }; /* of Bullet, and of Supple beside it */

/* ---- Supple ---- */

typedef struct bench_cloth_plan {
    int32_t side; /* particles along each */
    int32_t threads, substeps;
    double stretch; /* N/m; shear is half of it */
    sup_spring_settings springs;
} bench_cloth_plan;

/* Springs of 1000, 500 and 50 N/m in worlds of one thread and one substep. */
bench_cloth_plan bench_cloth_default(int32_t side);

typedef struct bench_cloth {
    sup_web web;
    sup_blueprint* print;
    sup_world* world;
    sup_body body;
} bench_cloth;

/* False: said why on stderr. */
bool bench_cloth_create(const bench_cloth_plan* plan, bench_cloth* out);
void bench_cloth_destroy(bench_cloth* cloth);
bool bench_cloth_step(bench_cloth* cloth, int32_t count);
/* By which share of the length at rest springs are longer, whatever moves them. */
typedef struct bench_stretch {
    double mean; /* of structural ones, longer or shorter */
    double most; /* of all kinds */
} bench_stretch;
bench_stretch bench_stretch_of(const sup_web* web, const sup_point* places);
/* False: its places could not be read. */
bool bench_cloth_stretch(const bench_cloth* cloth, bench_stretch* out);

/* ---- References ---- */

/* What is to be moved, as a plain list. */
typedef struct bench_net {
    int32_t point_count, spring_count;
    sup_spring* springs; /* by point ids, with length and damping */
    sup_row *x, *v;      /* by id: m with inverse mass, 0 of what is held; m/s */
} bench_net;

/* The cloth as it is now. */
bool bench_net_create(const bench_cloth* cloth, bench_net* out);
void bench_net_destroy(bench_net* net);

/* The implicit step of springs with a sparse matrix of Eigen, its fixed pattern filled anew, and
   Eigen's conjugate gradients with the diagonal as preconditioner. Every call starts at the state
   of the net and from dv = 0. */
bool bench_eigen_implicit_create(const bench_net* net, double drag, double tolerance,
                                 bench_subject* out);
void bench_eigen_implicit_read(const bench_subject* subject, sup_vec3* dv);
/* |b - A dv| / |b| in doubles, of any dv, by id. */
double bench_eigen_implicit_residual(const bench_subject* subject, const sup_vec3* dv);
int32_t bench_eigen_implicit_iterations(const bench_subject* subject);

/* A soft body of Bullet with a link for each spring, in their order; a step has BENCH_CLOTH_SWEEPS
   iterations. */
bool bench_bullet_links_create(const bench_net* net, bench_subject* out);

#ifdef __cplusplus
}
#endif
#endif
