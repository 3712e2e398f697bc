/* A pile of cubes of tetrahedra on a floor, moved by Supple and by Bullet. */
#ifndef SUPPLE_BENCH_PILE_H
#define SUPPLE_BENCH_PILE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_PILE_H (1.0 / 60.0) /* s, of a step */
#define BENCH_PILE_GRAVITY 9.81   /* m/s^2, down y */
#define BENCH_PILE_FRICTION 0.4   /* of bodies that slide, on each other and on the floor */

/* What is to be moved: bodies of one form, each at its own place. */
typedef struct bench_pile {
    int32_t body_count, point_count, tet_count, triangle_count; /* the latter three of one body */
    const sup_vec3* points;                                     /* m, of the form */
    const float* masses;                                        /* kg, by point */
    const int32_t *tets, *triangles;
    double cell;         /* m */
    const double* turns; /* rad about y, by body */
    const sup_point* places;
} bench_pile;

/* Where a point of a body is at first. */
sup_point bench_pile_start(const bench_pile* pile, int32_t body, int32_t point);

/* Soft bodies of Bullet that links along all edges of tetrahedra hold together. They meet each
   other vertex by face, and the floor y = 0; a step has 10 iterations. */
bool bench_bullet_pile_create(const bench_pile* pile, bench_subject* out);
/* Contacts between soft bodies in the last step. */
int32_t bench_bullet_pile_contacts(const bench_subject* subject);

#ifdef __cplusplus
}
#endif
#endif
