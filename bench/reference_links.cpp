// Reference: cloth as a soft body of Bullet (Debian's package, single precision): a hard link for
// each spring, in the order of the springs, and nothing that collides.
#include "cloth.h"

#include <BulletSoftBody/btSoftBody.h>

#include <memory>
#include <new>
#include <vector>

namespace {

struct Cloth {
    btSoftBodyWorldInfo world;
    std::unique_ptr<btSoftBody> body;
};

bool step(void* state) {
    btSoftBody& body = *static_cast<Cloth*>(state)->body;
    body.predictMotion(btScalar(BENCH_CLOTH_H));
    body.solveConstraints();
    body.integrateMotion();
    return true;
}

bool read_places(void* state, sup_point* places) {
    const btSoftBody& body = *static_cast<Cloth*>(state)->body;
    for (int i = 0; i < body.m_nodes.size(); i++) {
        const btVector3& x = body.m_nodes[i].m_x;
        places[i] = {x.x(), x.y(), x.z()};
    }
    return true;
}

void destroy(void* state) { delete static_cast<Cloth*>(state); }

std::unique_ptr<Cloth> make_cloth(const bench_net* net) {
    auto cloth = std::make_unique<Cloth>();
    cloth->world.m_gravity.setValue(0, btScalar(-BENCH_GRAVITY), 0);
    cloth->world.m_sparsesdf.Initialize();
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    for (int32_t i = 0; i < net->point_count; i++) {
        const sup_row& x = net->x[i];
        places.emplace_back(x.x, x.y, x.z);
        masses.push_back(x.w > 0.0f ? 1.0f / x.w : 0.0f);
    }
    cloth->body =
        std::make_unique<btSoftBody>(&cloth->world, net->point_count, places.data(), masses.data());
    btSoftBody& body = *cloth->body;
    body.m_cfg.collisions = 0;
    body.m_cfg.piterations = BENCH_CLOTH_SWEEPS;
    body.m_materials[0]->m_kLST = 1;
    for (int32_t i = 0; i < net->spring_count; i++) {
        body.appendLink(net->springs[i].a, net->springs[i].b);
    }
    body.setActivationState(DISABLE_DEACTIVATION);
    return cloth;
}

} // namespace

bool bench_bullet_links_create(const bench_net* net, bench_subject* out) {
    try {
        *out = {make_cloth(net).release(), step, 1, read_places, destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
