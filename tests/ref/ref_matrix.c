#include "ref/ref_matrix.h"

#include "ref/ref_random.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

double ref_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double ref_length(const double a[3]) { return sqrt(ref_dot(a, a)); }

void ref_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void ref_matrix_product(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

void ref_matrix_transpose(const double a[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * j + i];
    }
}

double ref_matrix_determinant(const double a[9]) {
    double across[3];
    ref_cross(a + 3, a + 6, across);
    return ref_dot(a, across);
}

double ref_matrix_agreement(const double a[9], const double b[9]) {
    double sum = 0.0;
    for (int i = 0; i < 9; i++) sum += a[i] * b[i];
    return sum;
}

void ref_matrix_apply(const double a[9], const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = ref_dot(a + 3 * i, p);
}

/* Turns columns p and q of `a` until they are perpendicular, and those of v with them. */
static bool make_perpendicular(double a[9], double v[9], int p, int q) {
    double pp = 0.0, qq = 0.0, pq = 0.0;
    for (int i = 0; i < 3; i++) {
        pp += a[3 * i + p] * a[3 * i + p];
        qq += a[3 * i + q] * a[3 * i + q];
        pq += a[3 * i + p] * a[3 * i + q];
    }
    if (fabs(pq) <= 1e-16 * sqrt(pp * qq)) return false;
    double zeta = (qq - pp) / (2.0 * pq);
    double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < 3; i++) {
        double ap = a[3 * i + p], vp = v[3 * i + p];
        a[3 * i + p] = c * ap - s * a[3 * i + q];
        a[3 * i + q] = s * ap + c * a[3 * i + q];
        v[3 * i + p] = c * vp - s * v[3 * i + q];
        v[3 * i + q] = s * vp + c * v[3 * i + q];
    }
    return true;
}

static void column(const double a[9], int k, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[3 * i + k];
}

/* Unit vector along a, perpendicular to the unit vector u; any such one where a is of no use. */
static void unit_across(const double a[3], const double u[3], double least, double out[3]) {
    double along = ref_dot(a, u);
    for (int i = 0; i < 3; i++) out[i] = a[i] - along * u[i];
    if (ref_length(out) <= least) {
        int small = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
        if (fabs(u[2]) < fabs(u[small])) small = 2;
        const double axis[3] = {small == 0, small == 1, small == 2};
        ref_cross(u, axis, out);
    }
    double length = ref_length(out);
    for (int i = 0; i < 3; i++) out[i] /= length;
}

void ref_matrix_rotation(const double b[9], double r[9], double stretch[3]) {
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double largest = 0.0, a[9], v[9];
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(b[i]));
    memcpy(r, identity, sizeof identity);
    memset(stretch, 0, 3 * sizeof *stretch);
    if (largest == 0.0) return;
    for (int i = 0; i < 9; i++) a[i] = b[i] / largest;
    memcpy(v, identity, sizeof identity);
    for (int sweep = 0, turned = 1; turned && sweep < 60; sweep++) {
        turned = 0;
        for (int p = 0; p < 3; p++) {
            for (int q = p + 1; q < 3; q++) turned |= make_perpendicular(a, v, p, q);
        }
    }
    /* The two longest columns decide; both third axes follow by the right-hand rule, so r is
     * proper. */
    double side[3], length[3];
    for (int k = 0; k < 3; k++) {
        column(a, k, side);
        length[k] = ref_length(side);
    }
    int first = length[1] > length[0] ? 1 : 0;
    if (length[2] > length[first]) first = 2;
    int second = first == 0 ? 1 : 0, third = 3 - first - second;
    if (length[third] > length[second]) second = third;
    double from[3][3], to[3][3], first_side[3], second_side[3], image[3];
    column(v, first, from[0]);
    column(v, second, from[1]);
    ref_cross(from[0], from[1], from[2]);
    column(a, first, first_side);
    column(a, second, second_side);
    for (int i = 0; i < 3; i++) to[0][i] = first_side[i] / length[first];
    unit_across(second_side, to[0], 1e-14, to[1]);
    ref_cross(to[0], to[1], to[2]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r[3 * i + j] = to[0][i] * from[0][j] + to[1][i] * from[1][j] + to[2][i] * from[2][j];
        }
    }
    ref_matrix_apply(b, from[2], image);
    stretch[0] = length[first] * largest;
    stretch[1] = length[second] * largest;
    stretch[2] = ref_dot(to[2], image);
}

double ref_matrix_angle(const double a[9], const double b[9]) {
    double at[9], c[9];
    ref_matrix_transpose(a, at);
    ref_matrix_product(at, b, c);
    const double twice_sine[3] = {c[7] - c[5], c[2] - c[6], c[3] - c[1]};
    return atan2(ref_length(twice_sine), c[0] + c[4] + c[8] - 1.0);
}

static void normalize(double q[4]) {
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
}

void ref_quaternion_random(uint64_t* seed, double q[4]) {
    double squared;
    do {
        squared = 0.0;
        for (int i = 0; i < 4; i++) {
            q[i] = ref_random(seed);
            squared += q[i] * q[i];
        }
    } while (squared > 1.0 || squared < 0.01);
    normalize(q);
}

void ref_quaternion_turn(uint64_t* seed, double angle, double q[4]) {
    double axis[3], length;
    do {
        for (int i = 0; i < 3; i++) axis[i] = ref_random(seed);
        length = ref_length(axis);
    } while (length > 1.0 || length < 0.1);
    for (int i = 0; i < 3; i++) q[i] = axis[i] / length * sin(0.5 * angle);
    q[3] = cos(0.5 * angle);
}

void ref_quaternion_product(const double a[4], const double b[4], double out[4]) {
    double across[3];
    ref_cross(a, b, across);
    for (int i = 0; i < 3; i++) out[i] = a[3] * b[i] + b[3] * a[i] + across[i];
    out[3] = a[3] * b[3] - ref_dot(a, b);
}

void ref_quaternion_matrix(const double q[4], double r[9]) {
    double u[4];
    memcpy(u, q, sizeof u);
    normalize(u);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r[3 * i + j] = 2.0 * u[i] * u[j] + (i == j ? 2.0 * u[3] * u[3] - 1.0 : 0.0);
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r[3 * k + j] += 2.0 * u[3] * u[i];
        r[3 * j + k] -= 2.0 * u[3] * u[i];
    }
}
