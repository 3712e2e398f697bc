// Closed-form polar decomposition, a file of its own as in any library of matrix functions. That
// decides the speed of the reference: a caller that has this function inlined keeps its nine sums
// in registers and runs as fast as plain C.
#include "reference_polar.h"

using Eigen::Matrix3f;
using Eigen::Vector3f;

Matrix3f reference_rotation(const Matrix3f& a) {
    Eigen::SelfAdjointEigenSolver<Matrix3f> solver;
    solver.computeDirect(a.transpose() * a);
    Vector3f root = solver.eigenvalues().cwiseMax(1e-12f).cwiseSqrt();
    const Matrix3f& u = solver.eigenvectors();
    return a * (u * root.cwiseInverse().asDiagonal() * u.transpose());
}
