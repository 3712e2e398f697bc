// Rotation part of a matrix, for the Eigen reference.
#ifndef SUPPLE_BENCH_REFERENCE_POLAR_H
#define SUPPLE_BENCH_REFERENCE_POLAR_H

#include <Eigen/Dense>

Eigen::Matrix3f reference_rotation(const Eigen::Matrix3f& a);

#endif
