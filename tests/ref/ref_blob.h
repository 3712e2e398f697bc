/* Soft substance in double precision, all pairs one by one. */
#ifndef SUPPLE_TESTS_REF_BLOB_H
#define SUPPLE_TESTS_REF_BLOB_H

#include <stdbool.h>

typedef struct ref_blob_law {
    double spacing, energy, friction;
    bool central;
    bool turned; /* negative control: friction drives */
} ref_blob_law;

/* N along the line from b to a, on a; J of a pair that no fade has changed. */
double ref_blob_force(const ref_blob_law* law, double r);
double ref_blob_energy(const ref_blob_law* law, double r);
/* Force on a from b, friction with its cap for `busiest` neighbours in a step of h. */
void ref_blob_pair(const ref_blob_law* law, const double xa[3], const double va[3],
                   const double xb[3], const double vb[3], double mobility, double busiest,
                   double h, double out[3]);

#endif
