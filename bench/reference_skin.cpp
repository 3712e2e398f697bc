// Reference: skinning with four weights a vertex, written plainly with Eigen.
#include "skins.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include <array>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace {

using Eigen::Matrix4f;
using Eigen::Quaternionf;
using Eigen::Vector3f;
using Eigen::Vector4f;

struct Vertex {
    std::array<float, 4> weights;
    std::array<int32_t, 4> joints;
};

struct Dual {
    Vector4f real, dual; // x, y, z, w
};

struct Skin {
    bench_skin_kind kind;
    std::vector<Vector3f> rest, rest_normals, places, normals;
    std::vector<Vertex> vertices;
    std::vector<Matrix4f> matrices;
    std::vector<Dual> duals;
};

void blend_linear(Skin& s, bool normals) {
    for (size_t i = 0; i < s.vertices.size(); i++) {
        const Vertex& v = s.vertices[i];
        Matrix4f m = v.weights[0] * s.matrices[v.joints[0]];
        for (int k = 1; k < 4; k++) m += v.weights[k] * s.matrices[v.joints[k]];
        s.places[i] = m.topLeftCorner<3, 3>() * s.rest[i] + m.topRightCorner<3, 1>();
        if (normals) {
            s.normals[i] = (m.topLeftCorner<3, 3>() * s.rest_normals[i]).normalized();
        }
    }
}

void blend_dual(Skin& s) {
    for (size_t i = 0; i < s.vertices.size(); i++) {
        const Vertex& v = s.vertices[i];
        const Dual& first = s.duals[v.joints[0]];
        Dual sum = {v.weights[0] * first.real, v.weights[0] * first.dual};
        for (int k = 1; k < 4; k++) {
            const Dual& d = s.duals[v.joints[k]];
            float w = d.real.dot(first.real) < 0.0f ? -v.weights[k] : v.weights[k];
            sum.real += w * d.real;
            sum.dual += w * d.dual;
        }
        float length = sum.real.norm();
        Quaternionf real(Vector4f(sum.real / length)), dual(Vector4f(sum.dual / length));
        Vector3f shift = 2.0f * (dual * real.conjugate()).vec();
        s.places[i] = real * s.rest[i] + shift;
        s.normals[i] = real * s.rest_normals[i];
    }
}

bool step(void* state) {
    Skin& s = *static_cast<Skin*>(state);
    if (s.kind == BENCH_SKIN_DUAL)
        blend_dual(s);
    else
        blend_linear(s, s.kind == BENCH_SKIN_NORMALS);
    return true;
}

bool read_places(void* state, sup_point* places) {
    const Skin& s = *static_cast<Skin*>(state);
    for (size_t i = 0; i < s.places.size(); i++) {
        places[i] = {s.places[i].x(), s.places[i].y(), s.places[i].z()};
    }
    return true;
}

void destroy(void* state) { delete static_cast<Skin*>(state); }

// The strongest joint first; weights that are missing are 0.
Vertex make_vertex(const supi_skin& bound, int32_t i) {
    Vertex v = {};
    int used = 0;
    for (int32_t k = bound.starts[i]; k < bound.starts[i + 1]; k++) {
        v.weights[used] = bound.weights[k];
        v.joints[used++] = bound.frames[k];
        if (v.weights[used - 1] <= v.weights[0]) continue;
        std::swap(v.weights[used - 1], v.weights[0]);
        std::swap(v.joints[used - 1], v.joints[0]);
    }
    for (; used < 4; used++) v.joints[used] = v.joints[0];
    return v;
}

Skin* make_skin(const bench_skin* given, bench_skin_kind kind) {
    auto s = std::make_unique<Skin>();
    s->kind = kind;
    for (int32_t i = 0; i < given->vertex_count; i++) {
        const sup_vec3 &p = given->rest[i], &n = given->normals[i];
        s->rest.emplace_back(p.x, p.y, p.z);
        s->rest_normals.emplace_back(n.x, n.y, n.z);
        s->vertices.push_back(make_vertex(given->bound, i));
    }
    s->places.resize(s->rest.size());
    s->normals.resize(s->rest.size());
    for (int32_t j = 0; j < given->joint_count; j++) {
        const sup_quat& q = given->turn[j];
        const sup_row &x = given->x[j], &b = given->joint_rest[j];
        Quaternionf turn(q.w, q.x, q.y, q.z);
        Vector3f shift = Vector3f(x.x, x.y, x.z) - turn * Vector3f(b.x, b.y, b.z);
        Matrix4f m = Matrix4f::Identity();
        m.topLeftCorner<3, 3>() = turn.toRotationMatrix();
        m.topRightCorner<3, 1>() = shift;
        s->matrices.push_back(m);
        Quaternionf half(0.0f, 0.5f * shift.x(), 0.5f * shift.y(), 0.5f * shift.z());
        s->duals.push_back({turn.coeffs(), (half * turn).coeffs()});
    }
    return s.release();
}

} // namespace

bool bench_eigen_skin_create(const bench_skin* skin, bench_skin_kind kind, bench_subject* out) {
    try {
        *out = {make_skin(skin, kind), step, 1, read_places, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
