// Reference: shape matching as people write it with Eigen, arrays of structures and plain loops.
// Mueller et al. 2005: linear and quadratic match with stored 9-vectors (the rigid one is the
// linear one with beta = 0), overlapping clusters by lists of indices; rotation by the closed-form
// polar decomposition. Only the quadratic terms are about their mean, and particles of several
// clusters are divided among them: without both a body pushes itself.
#include "cloud.h"
#include "reference_polar.h"

#include <memory>
#include <new>
#include <vector>

using Eigen::Matrix3f;
using Eigen::Vector3f;
using Vector9f = Eigen::Matrix<float, 9, 1>;
using Vector9d = Eigen::Matrix<double, 9, 1>;
using Matrix9f = Eigen::Matrix<float, 9, 9>;
using Matrix9d = Eigen::Matrix<double, 9, 9>;
using Matrix39f = Eigen::Matrix<float, 3, 9>;

namespace {

struct Particle {
    Vector3f x, v, goal;
    float m;
    Vector9f q; // of a body of one cluster: rest place from the rest centre, and quadratic terms
};

struct Member {
    int particle;
    float w; // its share of the particle's mass
    Vector9f q;
};

struct Rest {
    float beta = 0.0f;
    Matrix3f aqq_inverse; // linear
    Matrix9f inverse;     // quadratic
};

struct Cluster {
    std::vector<Member> members;
    Rest rest;
};

struct Body {
    std::vector<Particle> particles;
    std::vector<float> share; // 1 / number of the particle's clusters
    std::vector<Cluster> clusters;
    Rest rest; // of a body of one cluster
};

struct Bodies {
    sup_match_mode mode;
    std::vector<Body> bodies;
};

Matrix3f linear_goal(const Matrix3f& apq, const Rest& rest) {
    Matrix3f r = reference_rotation(apq);
    Matrix3f a = apq * rest.aqq_inverse;
    return rest.beta * a + (1.0f - rest.beta) * r;
}

Matrix39f quadratic_goal(const Matrix39f& apq, const Rest& rest) {
    Matrix39f t = rest.beta * (apq * rest.inverse);
    Matrix3f apq_linear = apq.leftCols<3>();
    t.leftCols<3>() += (1.0f - rest.beta) * reference_rotation(apq_linear);
    return t;
}

// ---- Bodies of one cluster ----

template <bool quadratic> void find_goals(Body& body) {
    Vector3f centre = Vector3f::Zero();
    float mass = 0.0f;
    for (const Particle& p : body.particles) {
        centre += p.m * p.x;
        mass += p.m;
    }
    centre /= mass;
    if constexpr (quadratic) {
        Matrix39f apq = Matrix39f::Zero();
        for (const Particle& p : body.particles) apq += p.m * (p.x - centre) * p.q.transpose();
        Matrix39f t = quadratic_goal(apq, body.rest);
        for (Particle& p : body.particles) p.goal = t * p.q + centre;
    } else {
        Matrix3f apq = Matrix3f::Zero();
        for (const Particle& p : body.particles) {
            apq += p.m * (p.x - centre) * p.q.head<3>().transpose();
        }
        Matrix3f t = linear_goal(apq, body.rest);
        for (Particle& p : body.particles) p.goal = t * p.q.head<3>() + centre;
    }
}

// ---- Overlapping clusters: each particle goes to the mean of its goals ----

template <bool quadratic> void add_goals(const Cluster& cluster, std::vector<Particle>& particles) {
    Vector3f centre = Vector3f::Zero();
    float mass = 0.0f;
    for (const Member& m : cluster.members) {
        centre += m.w * particles[m.particle].x;
        mass += m.w;
    }
    centre /= mass;
    if constexpr (quadratic) {
        Matrix39f apq = Matrix39f::Zero();
        for (const Member& m : cluster.members) {
            apq += m.w * (particles[m.particle].x - centre) * m.q.transpose();
        }
        Matrix39f t = quadratic_goal(apq, cluster.rest);
        for (const Member& m : cluster.members) particles[m.particle].goal += t * m.q + centre;
    } else {
        Matrix3f apq = Matrix3f::Zero();
        for (const Member& m : cluster.members) {
            apq += m.w * (particles[m.particle].x - centre) * m.q.head<3>().transpose();
        }
        Matrix3f t = linear_goal(apq, cluster.rest);
        for (const Member& m : cluster.members) {
            particles[m.particle].goal += t * m.q.head<3>() + centre;
        }
    }
}

template <bool quadratic> void find_mean_goals(Body& body) {
    for (Particle& p : body.particles) p.goal = Vector3f::Zero();
    for (const Cluster& cluster : body.clusters) add_goals<quadratic>(cluster, body.particles);
    for (size_t i = 0; i < body.particles.size(); i++) body.particles[i].goal *= body.share[i];
}

// ---- Steps ----

template <bool quadratic>
void step_body(Body& body, float h, float alpha, const Vector3f& gravity) {
    if (body.clusters.empty()) {
        find_goals<quadratic>(body);
    } else {
        find_mean_goals<quadratic>(body);
    }
    for (Particle& p : body.particles) {
        p.v += alpha / h * (p.goal - p.x) + h * gravity;
        p.x += h * p.v;
    }
}

bool step(void* state) {
    Bodies& all = *static_cast<Bodies*>(state);
    for (Body& body : all.bodies) {
        if (all.mode == SUP_MATCH_QUADRATIC) {
            step_body<true>(body, float(BENCH_DT), float(BENCH_PULL), Vector3f::Zero());
        } else {
            step_body<false>(body, float(BENCH_DT), float(BENCH_PULL), Vector3f::Zero());
        }
    }
    return true;
}

bool read_places(void* state, sup_point* places) {
    for (const Body& body : static_cast<Bodies*>(state)->bodies) {
        for (const Particle& p : body.particles) *places++ = {p.x.x(), p.x.y(), p.x.z()};
    }
    return true;
}

void destroy(void* state) { delete static_cast<Bodies*>(state); }

// ---- Making the bodies ----

// Rest data of a cluster of these points with these weights; q of each goes to `out`.
Rest make_rest(const std::vector<Eigen::Vector3d>& points, const std::vector<double>& weights,
               sup_match_mode mode, std::vector<Vector9f>& out) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double mass = 0.0;
    for (size_t i = 0; i < points.size(); i++) {
        centre += weights[i] * points[i];
        mass += weights[i];
    }
    centre /= mass;
    std::vector<Vector9d> q(points.size());
    Vector9d mean = Vector9d::Zero();
    for (size_t i = 0; i < points.size(); i++) {
        Eigen::Vector3d p = points[i] - centre;
        q[i].head<3>() = p;
        q[i].segment<3>(3) = p.cwiseProduct(p);
        q[i].tail<3>() << p.x() * p.y(), p.y() * p.z(), p.z() * p.x();
        mean += weights[i] / mass * q[i];
    }
    Matrix9d aqq = Matrix9d::Zero();
    out.resize(points.size());
    for (size_t i = 0; i < points.size(); i++) {
        q[i] -= mean;
        aqq += weights[i] * q[i] * q[i].transpose();
        out[i] = q[i].cast<float>();
    }
    Rest rest;
    rest.beta = mode == SUP_MATCH_RIGID ? 0.0f : float(BENCH_BETA);
    rest.aqq_inverse = aqq.topLeftCorner<3, 3>().inverse().cast<float>();
    rest.inverse = aqq.inverse().cast<float>();
    return rest;
}

Eigen::Vector3d rest_place(const bench_shape* shape, int32_t i) {
    return Eigen::Vector3d(shape->rest[i].x, shape->rest[i].y, shape->rest[i].z);
}

Cluster make_cluster(const bench_shape* shape, int32_t c, const std::vector<float>& share,
                     sup_match_mode mode) {
    std::vector<Eigen::Vector3d> points;
    std::vector<double> weights;
    Cluster cluster;
    for (int32_t k = shape->cluster_starts[c]; k < shape->cluster_starts[c + 1]; k++) {
        int32_t i = shape->cluster_members[k];
        points.push_back(rest_place(shape, i));
        weights.push_back(share[size_t(i)]);
        cluster.members.push_back({i, share[size_t(i)], Vector9f()});
    }
    std::vector<Vector9f> q;
    cluster.rest = make_rest(points, weights, mode, q);
    for (size_t k = 0; k < q.size(); k++) cluster.members[k].q = q[k];
    return cluster;
}

void add_clusters(const bench_shape* shape, sup_match_mode mode, Body& body) {
    body.share.assign(size_t(shape->point_count), 0.0f);
    for (int32_t k = 0; k < shape->cluster_starts[shape->cluster_count]; k++) {
        body.share[size_t(shape->cluster_members[k])] += 1.0f;
    }
    for (float& share : body.share) share = 1.0f / share;
    for (int32_t c = 0; c < shape->cluster_count; c++) {
        body.clusters.push_back(make_cluster(shape, c, body.share, mode));
    }
}

void fill_body(const bench_cloud* cloud, int32_t index, sup_match_mode mode, Body& body) {
    const bench_shape* shape = bench_shape_of(cloud, index);
    const sup_vec3* v = cloud->velocities + cloud->body_points[index];
    Eigen::Vector3d origin = Eigen::Map<const Eigen::Vector3d>(cloud->origins + 3 * index);
    std::vector<Eigen::Vector3d> points;
    for (int32_t i = 0; i < shape->point_count; i++) {
        points.push_back(rest_place(shape, i));
        Particle p;
        p.x = (points.back() + origin).cast<float>();
        p.v = Vector3f(v[i].x, v[i].y, v[i].z);
        p.goal = p.x;
        p.m = 1.0f;
        p.q = Vector9f::Zero();
        body.particles.push_back(p);
    }
    if (shape->cluster_count > 1) {
        add_clusters(shape, mode, body);
        return;
    }
    std::vector<Vector9f> q;
    body.rest = make_rest(points, std::vector<double>(points.size(), 1.0), mode, q);
    for (size_t i = 0; i < q.size(); i++) body.particles[i].q = q[i];
}

} // namespace

bool bench_eigen_create(const bench_cloud* cloud, sup_match_mode mode, bench_subject* out) {
    try {
        auto all = std::make_unique<Bodies>();
        all->mode = mode;
        all->bodies.resize(size_t(cloud->body_count));
        for (int32_t b = 0; b < cloud->body_count; b++) {
            fill_body(cloud, b, mode, all->bodies[size_t(b)]);
        }
        *out = {all.release(), step, 1, read_places, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
