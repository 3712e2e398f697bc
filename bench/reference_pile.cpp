// Reference: cubes of tetrahedra as soft bodies of Bullet (Debian's package, single precision) that
// meet vertex by face (VF_SS), held by a hard link along each edge. Faces are the outside of the
// tetrahedra. The margin is a tenth of a cell: Bullet's own of 0.25 m is nearly half a cube. All
// contacts are as hard as they can be (that with what stands still is soft by default), and the
// floor is a box, as Bullet's distance fields know of no planes.
#include "bullet_world.h"
#include "pile.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

namespace {

enum { ITERATIONS = 10 };

struct World : BulletWorld {
    btBoxShape slab{btVector3(50, 1, 50)};
    btRigidBody floor{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &slab)};
    int32_t contacts = 0;

    World() : BulletWorld(BENCH_PILE_GRAVITY) {
        dynamics.getWorldInfo().m_sparsesdf.Initialize();
        floor.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, -1, 0)));
        floor.setFriction(btScalar(BENCH_PILE_FRICTION));
        dynamics.addRigidBody(&floor);
        dynamics.setInternalTickCallback(count_contacts, this);
    }
    ~World() override { dynamics.removeRigidBody(&floor); }
    static void count_contacts(btDynamicsWorld* of, btScalar) {
        auto* world = static_cast<World*>(of->getWorldUserInfo());
        world->contacts = 0;
        for (auto& body : world->bodies) world->contacts += body->m_scontacts.size();
    }
};

bool step(void* state) {
    BulletWorld::of(state).dynamics.stepSimulation(btScalar(BENCH_PILE_H), 0);
    return true;
}

std::set<std::pair<int32_t, int32_t>> edges_of(const bench_pile* pile) {
    std::set<std::pair<int32_t, int32_t>> edges;
    for (int32_t t = 0; t < pile->tet_count; t++) {
        const int32_t* corners = pile->tets + 4 * t;
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < i; k++) {
                edges.insert(std::minmax(corners[i], corners[k]));
            }
        }
    }
    return edges;
}

std::unique_ptr<btSoftBody> make_body(const bench_pile* pile, int32_t index, World& world) {
    std::vector<btVector3> places;
    std::vector<btScalar> masses(pile->masses, pile->masses + pile->point_count);
    for (int32_t i = 0; i < pile->point_count; i++) {
        sup_point p = bench_pile_start(pile, index, i);
        places.emplace_back(btScalar(p.x), btScalar(p.y), btScalar(p.z));
    }
    auto body = std::make_unique<btSoftBody>(&world.dynamics.getWorldInfo(), pile->point_count,
                                             places.data(), masses.data());
    for (int32_t t = 0; t < pile->triangle_count; t++) {
        const int32_t* corners = pile->triangles + 3 * t;
        body->appendFace(corners[0], corners[1], corners[2]);
    }
    for (auto& edge : edges_of(pile)) body->appendLink(edge.first, edge.second);
    body->m_materials[0]->m_kLST = 1;
    body->m_cfg.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
    body->m_cfg.piterations = ITERATIONS;
    body->m_cfg.kDF = btScalar(BENCH_PILE_FRICTION);
    body->m_cfg.kSHR = 1;
    body->m_cfg.kKHR = 1;
    body->getCollisionShape()->setMargin(btScalar(0.1 * pile->cell));
    body->setActivationState(DISABLE_DEACTIVATION);
    return body;
}

} // namespace

bool bench_bullet_pile_create(const bench_pile* pile, bench_subject* out) {
    try {
        auto world = std::make_unique<World>();
        for (int32_t b = 0; b < pile->body_count; b++) {
            world->bodies.push_back(make_body(pile, b, *world));
            world->dynamics.addSoftBody(world->bodies.back().get());
        }
        BulletWorld* state = world.release();
        *out = {state, step, 1, BulletWorld::read_places, BulletWorld::destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

int32_t bench_bullet_pile_contacts(const bench_subject* subject) {
    return static_cast<World&>(BulletWorld::of(subject->state)).contacts;
}
