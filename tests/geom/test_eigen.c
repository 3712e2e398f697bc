/* The symmetric eigen-solver against reconstruction and known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "geom/eigen.h"

static double random_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* A = V^T L V, V orthonormal, L descending, signs as promised; errors against the largest entry. */
static void check(int n, const double* a, double* values) {
    double copy[81], v[81], largest = 0.0;
    memcpy(copy, a, (size_t)(n * n) * sizeof *a);
    supi_eigen_symmetric(n, copy, values, v);
    for (int k = 0; k < n * n; k++) largest = fmax(largest, fabs(a[k]));
    for (int i = 0; i < n; i++) {
        if (i > 0) assert_true(values[i] <= values[i - 1]);
        double most = 0.0;
        int first = 0;
        for (int k = 0; k < n; k++) most = fmax(most, fabs(v[i * n + k]));
        while (fabs(v[i * n + first]) <= 0.75 * most) first++;
        assert_true(v[i * n + first] > 0.0);
        for (int j = 0; j < n; j++) {
            double dot = 0.0, entry = 0.0;
            for (int k = 0; k < n; k++) {
                dot += v[i * n + k] * v[j * n + k];
                entry += values[k] * v[k * n + i] * v[k * n + j];
            }
            assert_true(fabs(dot - (i == j ? 1.0 : 0.0)) < 1e-13);
            assert_true(fabs(entry - a[i * n + j]) <= 1e-12 * largest);
        }
    }
}

static void random_symmetric(int n, uint64_t* seed, double scale, double* a) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = scale * random_number(seed);
    }
}

static void test_random(void** state) {
    (void)state;
    uint64_t seed = 1;
    double a[81], values[9];
    const double scales[3] = {1.0, 1e-40, 1e40};
    for (int n = 1; n <= 9; n++) {
        for (int trial = 0; trial < 300; trial++) {
            random_symmetric(n, &seed, scales[trial % 3], a);
            check(n, a, values);
        }
    }
}

/* Sums of few outer products: the other eigenvalues are 0. */
static void test_rank_deficient(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int n = 3; n <= 9; n += 3) {
        for (int rank = 0; rank < n; rank++) {
            double a[81] = {0}, values[9];
            for (int r = 0; r < rank; r++) {
                double x[9];
                for (int k = 0; k < n; k++) x[k] = random_number(&seed);
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) a[i * n + j] += x[i] * x[j];
                }
            }
            check(n, a, values);
            for (int k = 0; k < n; k++) {
                if (k < rank) assert_true(values[k] > 1e-6);
                if (k >= rank) assert_true(fabs(values[k]) < 1e-14);
            }
        }
    }
}

static void test_degenerate(void** state) {
    (void)state;
    double values[9];
    const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    check(3, ones, values);
    assert_true(fabs(values[0] - 3.0) < 1e-14 && fabs(values[2]) < 1e-14);
    const double same[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    check(3, same, values);
    assert_true(values[0] == 2.0 && values[2] == 2.0);
    const double exchange[9] = {0, 0, 1, 0, 0, 0, 1, 0, 0}; /* no diagonal */
    check(3, exchange, values);
    assert_true(fabs(values[0] - 1.0) < 1e-15 && fabs(values[2] + 1.0) < 1e-15);
    double zero[81] = {0};
    check(9, zero, values);
    for (int k = 0; k < 9; k++) assert_true(values[k] == 0.0);
    /* Eigenvalue pairs that differ by rounding only. */
    double near[9] = {1, 1e-16, 0, 1e-16, 1, 1e-16, 0, 1e-16, 1 + 2e-16};
    check(3, near, values);
}

/* A positive matrix with widely spread scales keeps its small eigenvalue to many digits. */
static void test_graded(void** state) {
    (void)state;
    const double a[9] = {1e20, 1e9, 1e-1, 1e9, 1.0, 1e-11, 1e-1, 1e-11, 1e-20};
    double copy[9], values[3], v[9];
    memcpy(copy, a, sizeof a);
    supi_eigen_symmetric(3, copy, values, v);
    /* Scaled to unit diagonal: [1 .1 .1; .1 1 .1; .1 .1 1], so the products of the pivots follow.
     */
    double determinant = values[0] * values[1] * values[2];
    assert_true(fabs(determinant - (1.0 + 2e-3 - 3e-2)) < 1e-12);
    assert_true(values[2] > 0.9e-20 && values[2] < 1e-20);
}

static void test_identity_of_result(void** state) {
    (void)state;
    /* Signs do not depend on the sign that rounding gives the smaller entries. */
    const double a[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    double copy[9], values[3], v[9];
    memcpy(copy, a, sizeof a);
    supi_eigen_symmetric(3, copy, values, v);
    const double expected[9] = {-0.5,       sqrt(0.5), -0.5,      sqrt(0.5), 0,
                                -sqrt(0.5), 0.5,       sqrt(0.5), 0.5};
    assert_true(fabs(values[0] - (2 + sqrt(2.0))) < 1e-14);
    for (int k = 0; k < 9; k++) assert_true(fabs(v[k] - expected[k]) < 1e-14);
}

static void test_not_finite_ends(void** state) {
    (void)state;
    double a[9] = {1, NAN, 0, NAN, INFINITY, 0, 0, 0, 1}, values[3], v[9];
    supi_eigen_symmetric(3, a, values, v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_rank_deficient),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_graded),
        cmocka_unit_test(test_identity_of_result),
        cmocka_unit_test(test_not_finite_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
