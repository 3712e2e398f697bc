// Reference: an implicit step of springs (Baraff and Witkin 1998) as people write it with Eigen: an
// assembled sparse matrix, its conjugate gradients and diagonal preconditioner. The pattern is made
// once and filled in place; rows are whole and in doubles, with which Eigen is fastest here.
#include "cloth.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>

#include <cmath>
#include <memory>
#include <new>
#include <vector>

namespace {

#ifndef REFERENCE_SCALAR
#define REFERENCE_SCALAR double
#endif
using Scalar = REFERENCE_SCALAR;
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;
using Sparse = Eigen::SparseMatrix<Scalar, Eigen::RowMajor>;
using Solver = Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper,
                                        Eigen::DiagonalPreconditioner<Scalar>>;

// Where each row of a block begins among the values of the matrix.
using Place = std::array<int, 3>;

struct Link {
    int a, b;
    Scalar length, stiffness, damping;
    Place ab, ba; // unused where an end is held
};

struct Cloth {
    int count;
    Scalar drag;
    std::vector<Link> links;
    std::vector<Scalar> mass; // 0: held
    std::vector<Place> own;
    Vector x, v, b, dv, x_next, v_next;
    Sparse matrix;
    Solver solver;
};

const Scalar h = Scalar(BENCH_CLOTH_H);

Place find_place(const Sparse& matrix, int row, int column) {
    Place place;
    for (int k = 0; k < 3; k++) {
        int at = matrix.outerIndexPtr()[3 * row + k];
        while (matrix.innerIndexPtr()[at] != 3 * column) at++;
        place[size_t(k)] = at;
    }
    return place;
}

void add_block(Scalar* values, const Place& place, const Matrix3& block) {
    for (int k = 0; k < 3; k++) {
        Scalar* row = values + place[size_t(k)];
        for (int c = 0; c < 3; c++) row[c] += block(k, c);
    }
}

// What is held is left out of the system: it has no blocks but its own, which is 1.
void assemble(Cloth& c) {
    Scalar* values = c.matrix.valuePtr();
    std::fill(values, values + c.matrix.nonZeros(), Scalar(0));
    for (int i = 0; i < c.count; i++) {
        Scalar m = c.mass[size_t(i)];
        add_block(values, c.own[size_t(i)],
                  Matrix3::Identity() * (m > 0 ? m * (1 + h * c.drag) : Scalar(1)));
        c.b.segment<3>(3 * i) = -c.drag * m * c.v.segment<3>(3 * i);
        c.b[3 * i + 1] -= m * Scalar(BENCH_GRAVITY);
    }
    for (const Link& link : c.links) {
        Vector3 d = c.x.segment<3>(3 * link.b) - c.x.segment<3>(3 * link.a);
        Vector3 speed = c.v.segment<3>(3 * link.b) - c.v.segment<3>(3 * link.a);
        Scalar l = d.norm();
        Vector3 u = d / l;
        Scalar rate = u.dot(speed);
        Scalar across = link.stiffness * std::max(Scalar(0), 1 - link.length / l);
        Scalar along = link.stiffness - across;
        Scalar tension = link.stiffness * (l - link.length) + link.damping * rate;
        Vector3 force = (tension + h * along * rate) * u + h * across * speed;
        c.b.segment<3>(3 * link.a) += force;
        c.b.segment<3>(3 * link.b) -= force;
        Matrix3 block = h * (h * along + link.damping) * u * u.transpose();
        block += h * h * across * Matrix3::Identity();
        bool free_a = c.mass[size_t(link.a)] > 0, free_b = c.mass[size_t(link.b)] > 0;
        if (free_a) add_block(values, c.own[size_t(link.a)], block);
        if (free_b) add_block(values, c.own[size_t(link.b)], block);
        if (!free_a || !free_b) continue;
        add_block(values, link.ab, -block);
        add_block(values, link.ba, -block);
    }
    c.b *= h;
    for (int i = 0; i < c.count; i++) {
        if (!(c.mass[size_t(i)] > 0)) c.b.segment<3>(3 * i).setZero();
    }
}

bool step(void* state) {
    Cloth& c = *static_cast<Cloth*>(state);
    assemble(c);
    c.solver.factorize(c.matrix);
    c.dv = c.solver.solve(c.b);
    c.v_next = c.v + c.dv;
    c.x_next = c.x + h * c.v_next;
    return c.solver.info() == Eigen::Success;
}

bool read_places(void* state, sup_point* places) {
    const Cloth& c = *static_cast<Cloth*>(state);
    for (int i = 0; i < c.count; i++) {
        places[i] = {c.x_next[3 * i], c.x_next[3 * i + 1], c.x_next[3 * i + 2]};
    }
    return true;
}

void destroy(void* state) { delete static_cast<Cloth*>(state); }

void make_pattern(Cloth& c) {
    std::vector<Eigen::Triplet<Scalar>> triplets;
    auto add = [&](int row, int column) {
        for (int k = 0; k < 9; k++) triplets.emplace_back(3 * row + k / 3, 3 * column + k % 3, 0);
    };
    for (int i = 0; i < c.count; i++) add(i, i);
    for (const Link& link : c.links) {
        if (!(c.mass[size_t(link.a)] > 0) || !(c.mass[size_t(link.b)] > 0)) continue;
        add(link.a, link.b);
        add(link.b, link.a);
    }
    c.matrix.resize(3 * c.count, 3 * c.count);
    c.matrix.setFromTriplets(triplets.begin(), triplets.end());
    c.matrix.makeCompressed();
    for (int i = 0; i < c.count; i++) c.own.push_back(find_place(c.matrix, i, i));
    for (Link& link : c.links) {
        if (!(c.mass[size_t(link.a)] > 0) || !(c.mass[size_t(link.b)] > 0)) continue;
        link.ab = find_place(c.matrix, link.a, link.b);
        link.ba = find_place(c.matrix, link.b, link.a);
    }
}

std::unique_ptr<Cloth> make_cloth(const bench_net* net, double drag, double tolerance) {
    auto c = std::make_unique<Cloth>();
    c->count = net->point_count;
    c->drag = Scalar(drag);
    for (Vector* a : {&c->x, &c->v, &c->b, &c->dv}) a->setZero(3 * c->count);
    for (int i = 0; i < c->count; i++) {
        const sup_row &x = net->x[i], &v = net->v[i];
        c->x.segment<3>(3 * i) = Vector3(x.x, x.y, x.z);
        c->v.segment<3>(3 * i) = Vector3(v.x, v.y, v.z);
        c->mass.push_back(x.w > 0.0f ? 1 / Scalar(x.w) : Scalar(0));
    }
    for (int i = 0; i < net->spring_count; i++) {
        const sup_spring& s = net->springs[i];
        c->links.push_back({s.a, s.b, s.length, s.stiffness, s.damping, {}, {}});
    }
    make_pattern(*c);
    c->solver.setTolerance(Scalar(tolerance));
    c->solver.analyzePattern(c->matrix);
    return c;
}

} // namespace

bool bench_eigen_implicit_create(const bench_net* net, double drag, double tolerance,
                                 bench_subject* out) {
    try {
        *out = {make_cloth(net, drag, tolerance).release(), step, 1, read_places, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

double bench_eigen_implicit_residual(const bench_subject* subject, const sup_vec3* dv) {
    const Cloth& c = *static_cast<const Cloth*>(subject->state);
    Eigen::VectorXd solution = c.dv.cast<double>();
    for (int i = 0; i < c.count && dv; i++) {
        solution.segment<3>(3 * i) = Eigen::Vector3d(dv[i].x, dv[i].y, dv[i].z);
    }
    Eigen::VectorXd b = c.b.cast<double>();
    return (b - c.matrix.cast<double>() * solution).norm() / b.norm();
}

int32_t bench_eigen_implicit_iterations(const bench_subject* subject) {
    return int32_t(static_cast<const Cloth*>(subject->state)->solver.iterations());
}
