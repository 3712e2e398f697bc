/* Cyclic Jacobi: slow for large matrices, but for small ones short, accurate and the same
   everywhere. */
#include "geom/eigen.h"

#include <math.h>
#include <stdbool.h>

#define SWEEPS                                                                                     \
    60 /* 6 to 10 do for n <= 9; the bound only keeps a non-finite matrix from looping             \
        */

/* Small against its diagonal (this keeps the small eigenvalues of a positive matrix accurate), or
   against the whole matrix where the diagonal vanishes. */
static bool negligible(double entry, double p, double q, double largest) {
    return fabs(entry) <= ldexp(sqrt(fabs(p)) * sqrt(fabs(q)), -54) ||
           fabs(entry) <= ldexp(largest, -200);
}

/* Makes a[p][q] zero by a rotation of the rows and columns p and q. */
static void rotate(int n, double* a, double* vectors, int p, int q) {
    double entry = a[p * n + q];
    double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * entry);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    if (theta < 0.0) t = -t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    a[p * n + p] -= t * entry;
    a[q * n + q] += t * entry;
    a[p * n + q] = a[q * n + p] = 0.0;
    for (int r = 0; r < n; r++) {
        if (r != p && r != q) {
            double x = a[r * n + p], y = a[r * n + q];
            a[r * n + p] = a[p * n + r] = c * x - s * y;
            a[r * n + q] = a[q * n + r] = s * x + c * y;
        }
        double x = vectors[p * n + r], y = vectors[q * n + r];
        vectors[p * n + r] = c * x - s * y;
        vectors[q * n + r] = s * x + c * y;
    }
}

static bool sweep(int n, double* a, double* vectors, double largest) {
    bool changed = false;
    for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
            if (negligible(a[p * n + q], a[p * n + p], a[q * n + q], largest)) continue;
            rotate(n, a, vectors, p, q);
            changed = true;
        }
    }
    return changed;
}

static void swap(double* a, double* b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void fix_sign(int n, double* vector) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) largest = fabs(vector[k]) > largest ? fabs(vector[k]) : largest;
    int first = 0;
    while (first < n - 1 && fabs(vector[first]) <= 0.75 * largest) first++;
    double sign = vector[first] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < n; k++) vector[k] *= sign;
}

void supi_eigen_symmetric(int n, double* a, double* values, double* vectors) {
    double largest = 0.0;
    for (int k = 0; k < n * n; k++) {
        largest = fabs(a[k]) > largest ? fabs(a[k]) : largest;
        vectors[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int k = 0; k < SWEEPS && sweep(n, a, vectors, largest); k++) {
    }

    for (int k = 0; k < n; k++) values[k] = a[k * n + k];
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && values[k] > values[k - 1]; k--) {
            swap(&values[k], &values[k - 1]);
            for (int c = 0; c < n; c++) swap(&vectors[k * n + c], &vectors[(k - 1) * n + c]);
        }
    }
    for (int k = 0; k < n; k++) fix_sign(n, vectors + k * n);
}
