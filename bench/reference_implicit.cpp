// Reference: an implicit step of springs (Baraff and Witkin 1998) as people write it with Eigen: an
// assembled sparse matrix, its conjugate gradients and diagonal preconditioner. The pattern is made
// once and filled in place. Only the half below the diagonal is stored, with which Eigen takes 0.6
// of the time of whole rows; in doubles, as floats save nothing and need more iterations.
#include "cloth.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <vector>

namespace {

// Where each row of a block begins among the values of the matrix.
using Place = std::array<int, 3>;

class Cloth {
  public:
    Cloth(const bench_net* net, double drag, double tolerance);
    bool step();
    int iterations() const { return int(solver.iterations()); }
    void read(sup_vec3* out) const;
    double residual(const sup_vec3* solution) const;

  private:
    using Vector = Eigen::VectorXd;
    using Vector3 = Eigen::Vector3d;
    using Matrix3 = Eigen::Matrix3d;
    using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    using Solver =
        Eigen::ConjugateGradient<Sparse, Eigen::Lower, Eigen::DiagonalPreconditioner<double>>;
    struct Link {
        int a, b;
        double length, stiffness, damping;
        Place place; // of its block below the diagonal; unused where an end is held
    };

    bool held(int i) const { return !(mass[size_t(i)] > 0); }
    bool coupled(const Link& link) const { return !held(link.a) && !held(link.b); }
    Place find_place(int row, int column) const;
    void add_block(const Place& place, const Matrix3& block);
    void make_pattern();
    void add_link(const Link& link);
    void assemble();

    const double h = BENCH_CLOTH_H;
    int count;
    double drag;
    std::vector<Link> links;
    std::vector<double> mass; // 0: held
    std::vector<Place> own;
    Vector x, v, b, dv, x_next, v_next;
    Sparse matrix;
    Solver solver;
};

Cloth::Cloth(const bench_net* net, double given_drag, double tolerance)
    : count(net->point_count), drag(given_drag) {
    for (Vector* a : {&x, &v, &b, &dv}) a->setZero(3 * count);
    for (int i = 0; i < count; i++) {
        const sup_row &place = net->x[i], &speed = net->v[i];
        x.segment<3>(3 * i) = Vector3(place.x, place.y, place.z);
        v.segment<3>(3 * i) = Vector3(speed.x, speed.y, speed.z);
        mass.push_back(place.w > 0.0f ? 1.0 / double(place.w) : 0.0);
    }
    for (int i = 0; i < net->spring_count; i++) {
        const sup_spring& s = net->springs[i];
        links.push_back({s.a, s.b, s.length, s.stiffness, s.damping, {}});
    }
    make_pattern();
    solver.setTolerance(tolerance);
    solver.analyzePattern(matrix);
}

// ---- The matrix ----

Place Cloth::find_place(int row, int column) const {
    Place place;
    for (int k = 0; k < 3; k++) {
        int at = matrix.outerIndexPtr()[3 * row + k];
        while (matrix.innerIndexPtr()[at] != 3 * column) at++;
        place[size_t(k)] = at;
    }
    return place;
}

void Cloth::make_pattern() {
    std::vector<Eigen::Triplet<double>> triplets;
    auto add = [&](int row, int column) {
        for (int k = 0; k < 9; k++) triplets.emplace_back(3 * row + k / 3, 3 * column + k % 3, 0);
    };
    for (int i = 0; i < count; i++) add(i, i);
    for (const Link& link : links) {
        if (!coupled(link)) continue;
        add(std::max(link.a, link.b), std::min(link.a, link.b));
    }
    matrix.resize(3 * count, 3 * count);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    matrix.makeCompressed();
    for (int i = 0; i < count; i++) own.push_back(find_place(i, i));
    for (Link& link : links) {
        if (!coupled(link)) continue;
        link.place = find_place(std::max(link.a, link.b), std::min(link.a, link.b));
    }
}

void Cloth::add_block(const Place& place, const Matrix3& block) {
    for (int k = 0; k < 3; k++) {
        double* row = matrix.valuePtr() + place[size_t(k)];
        for (int c = 0; c < 3; c++) row[c] += block(k, c);
    }
}

void Cloth::add_link(const Link& link) {
    Vector3 d = x.segment<3>(3 * link.b) - x.segment<3>(3 * link.a);
    Vector3 speed = v.segment<3>(3 * link.b) - v.segment<3>(3 * link.a);
    double l = d.norm();
    Vector3 u = d / l;
    double rate = u.dot(speed);
    double across = link.stiffness * std::max(0.0, 1 - link.length / l);
    double along = link.stiffness - across;
    double tension = link.stiffness * (l - link.length) + link.damping * rate;
    Vector3 force = (tension + h * along * rate) * u + h * across * speed;
    b.segment<3>(3 * link.a) += force;
    b.segment<3>(3 * link.b) -= force;
    Matrix3 block = h * (h * along + link.damping) * u * u.transpose();
    block += h * h * across * Matrix3::Identity();
    if (!held(link.a)) add_block(own[size_t(link.a)], block);
    if (!held(link.b)) add_block(own[size_t(link.b)], block);
    if (coupled(link)) add_block(link.place, -block);
}

// What is held is left out of the system: it has no blocks but its own, which is 1.
void Cloth::assemble() {
    std::fill(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros(), 0.0);
    for (int i = 0; i < count; i++) {
        double m = mass[size_t(i)];
        add_block(own[size_t(i)], Matrix3::Identity() * (held(i) ? 1.0 : m * (1 + h * drag)));
        b.segment<3>(3 * i) = -drag * m * v.segment<3>(3 * i);
        b[3 * i + 1] -= m * BENCH_GRAVITY;
    }
    for (const Link& link : links) add_link(link);
    b *= h;
    for (int i = 0; i < count; i++) {
        if (held(i)) b.segment<3>(3 * i).setZero();
    }
}

// ---- The step ----

bool Cloth::step() {
    assemble();
    solver.factorize(matrix);
    dv = solver.solve(b);
    v_next = v + dv;
    x_next = x + h * v_next;
    return solver.info() == Eigen::Success;
}

void Cloth::read(sup_vec3* out) const {
    for (int i = 0; i < count; i++) {
        out[i] = {float(dv[3 * i]), float(dv[3 * i + 1]), float(dv[3 * i + 2])};
    }
}

double Cloth::residual(const sup_vec3* solution) const {
    Vector given(3 * count);
    for (int i = 0; i < count; i++) {
        given.segment<3>(3 * i) = Vector3(solution[i].x, solution[i].y, solution[i].z);
    }
    return (b - matrix.selfadjointView<Eigen::Lower>() * given).norm() / b.norm();
}

bool step(void* state) { return static_cast<Cloth*>(state)->step(); }
void destroy(void* state) { delete static_cast<Cloth*>(state); }

} // namespace

bool bench_eigen_implicit_create(const bench_net* net, double drag, double tolerance,
                                 bench_subject* out) {
    try {
        *out = {new Cloth(net, drag, tolerance), step, 1, nullptr, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void bench_eigen_implicit_read(const bench_subject* subject, sup_vec3* dv) {
    static_cast<const Cloth*>(subject->state)->read(dv);
}

double bench_eigen_implicit_residual(const bench_subject* subject, const sup_vec3* dv) {
    return static_cast<const Cloth*>(subject->state)->residual(dv);
}

int32_t bench_eigen_implicit_iterations(const bench_subject* subject) {
    return static_cast<const Cloth*>(subject->state)->iterations();
}
