// Reference: shape matching as people write it with Eigen, an array of structures and plain loops.
// Mueller et al. 2005, equations for the linear match with beta = 0; rotation by the closed-form
// polar decomposition.
#include "cloud.h"
#include "reference_polar.h"

#include <cmath>
#include <memory>
#include <new>
#include <vector>

using Eigen::Matrix3f;
using Eigen::Vector3f;

namespace {

struct Particle {
    Vector3f x, v, q, goal; // q: rest place from the rest centre
    float m;
};

struct Body {
    std::vector<Particle> particles;
    Matrix3f aqq_inverse;
    float beta = 0.0f;
};

using Bodies = std::vector<Body>;

void step_body(Body& body, float h, float alpha, const Vector3f& gravity) {
    Vector3f centre = Vector3f::Zero();
    float mass = 0.0f;
    for (const Particle& p : body.particles) {
        centre += p.m * p.x;
        mass += p.m;
    }
    centre /= mass;

    Matrix3f apq = Matrix3f::Zero();
    for (const Particle& p : body.particles) apq += p.m * (p.x - centre) * p.q.transpose();

    Matrix3f r = reference_rotation(apq);
    Matrix3f a = apq * body.aqq_inverse;
    a /= std::cbrt(a.determinant());
    Matrix3f t = body.beta * a + (1.0f - body.beta) * r;
    for (Particle& p : body.particles) p.goal = t * p.q + centre;

    for (Particle& p : body.particles) {
        p.v += alpha / h * (p.goal - p.x) + h * gravity;
        p.x += h * p.v;
    }
}

bool step(void* state) {
    for (Body& body : *static_cast<Bodies*>(state)) {
        step_body(body, float(BENCH_DT), float(BENCH_PULL), Vector3f::Zero());
    }
    return true;
}

bool read_places(void* state, sup_point* places) {
    for (const Body& body : *static_cast<Bodies*>(state)) {
        for (const Particle& p : body.particles) *places++ = {p.x.x(), p.x.y(), p.x.z()};
    }
    return true;
}

void destroy(void* state) { delete static_cast<Bodies*>(state); }

void fill_body(const bench_cloud* cloud, int32_t index, Body& body) {
    const sup_vec3* v = cloud->velocities + size_t(index) * size_t(cloud->point_count);
    Vector3f origin = Eigen::Map<const Eigen::Vector3d>(cloud->origins + 3 * index).cast<float>();
    Vector3f centre = Vector3f::Zero();
    for (int32_t i = 0; i < cloud->point_count; i++) {
        Vector3f rest(cloud->rest[i].x, cloud->rest[i].y, cloud->rest[i].z);
        Particle p;
        p.x = rest + origin;
        p.v = Vector3f(v[i].x, v[i].y, v[i].z);
        p.q = rest;
        p.goal = p.x;
        p.m = 1.0f;
        body.particles.push_back(p);
        centre += rest / float(cloud->point_count);
    }
    Matrix3f aqq = Matrix3f::Zero();
    for (Particle& p : body.particles) {
        p.q -= centre;
        aqq += p.m * p.q * p.q.transpose();
    }
    body.aqq_inverse = aqq.inverse();
}

} // namespace

bool bench_eigen_create(const bench_cloud* cloud, bench_subject* out) {
    try {
        auto bodies = std::make_unique<Bodies>(size_t(cloud->body_count));
        for (int32_t b = 0; b < cloud->body_count; b++) fill_body(cloud, b, (*bodies)[size_t(b)]);
        *out = {bodies.release(), step, 1, read_places, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
