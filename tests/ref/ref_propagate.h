/* Propagation over a surface in double precision, by a plain queue: the twin of src/deform. It can
   also mark children as soon as they are found, as the seed literally says, to show what is wrong
   with it. */
#ifndef SUPPLE_TESTS_REF_PROPAGATE_H
#define SUPPLE_TESTS_REF_PROPAGATE_H

#include "supple/mesh.h"

typedef struct ref_propagate {
    double transfer, transverse;
    const double* masses;    /* NULL: 0; INFINITY: pinned */
    const double* transfers; /* by edge of the adjacency; NULL: `transfer` */
    const double* rests;     /* by edge: MEMORY; NULL: CLAY */
    int depth;               /* 0: all */
    bool early_marking;      /* wrong on purpose */
} ref_propagate;

/* One pass: `points` (3 each) are moved; `moved` (3 each) and `levels` may be NULL. */
void ref_propagate_pass(const ref_propagate* settings, const sup_adjacency* beside, double* points,
                        int count, const int32_t* sources, const double* by, double* moved,
                        int32_t* levels);

#endif
