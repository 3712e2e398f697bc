/* 3x3 matrices and rotations in double: the slow twin of geom/rotation. Matrices are row-major,
 * quaternions (x, y, z, w). */
#ifndef SUPPLE_TESTS_REF_MATRIX_H
#define SUPPLE_TESTS_REF_MATRIX_H

#include <stdint.h>

void ref_matrix_product(const double a[9], const double b[9], double out[9]);
void ref_matrix_transpose(const double a[9], double out[9]);
double ref_matrix_determinant(const double a[9]);
/* tr(a^T b): how well two matrices agree. */
double ref_matrix_agreement(const double a[9], const double b[9]);
void ref_matrix_apply(const double a[9], const double p[3], double out[3]);

/* Rotation part of b: the r in SO(3) with the largest tr(r^T b), by one-sided Jacobi. `stretch`
   gets the singular values in descending order, the last one negative where b is inverted: their
   sum is that largest trace. */
void ref_matrix_rotation(const double b[9], double r[9], double stretch[3]);
/* Angle between two rotation matrices, rad, exact for small ones too. */
double ref_matrix_angle(const double a[9], const double b[9]);

/* Every rotation equally likely. */
void ref_quaternion_random(uint64_t* seed, double q[4]);
/* Turn by `angle` about a random axis. */
void ref_quaternion_turn(uint64_t* seed, double angle, double q[4]);
void ref_quaternion_product(const double a[4], const double b[4], double out[4]);
void ref_quaternion_matrix(const double q[4], double r[9]);

double ref_dot(const double a[3], const double b[3]);
double ref_length(const double a[3]);
void ref_cross(const double a[3], const double b[3], double out[3]);

#endif
