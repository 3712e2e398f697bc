/* Eigenvalues and eigenvectors of small symmetric matrices. */
#ifndef SUPPLE_GEOM_EIGEN_H
#define SUPPLE_GEOM_EIGEN_H

/* Decomposes the symmetric n x n matrix `a` (row-major, finite, magnitudes below 1e150, destroyed).
   values (n) come in descending order; row k of vectors (n x n) is the unit eigenvector of
   values[k]. Each vector is turned so that its first large component (above 3/4 of its largest) is
   positive: a symmetric body, whose components tie, then does not leave the sign to rounding. Meant
   for n <= 9. */
void supi_eigen_symmetric(int n, double* a, double* values, double* vectors);

#endif
