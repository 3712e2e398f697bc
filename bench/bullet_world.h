// A world of soft bodies of Bullet (Debian's package, single precision).
#ifndef SUPPLE_BENCH_BULLET_WORLD_H
#define SUPPLE_BENCH_BULLET_WORLD_H

#include "supple/types.h"

#include <btBulletDynamicsCommon.h>

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include <memory>
#include <vector>

struct BulletWorld {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btSoftBody>> bodies;

    explicit BulletWorld(double gravity) {
        btVector3 down(0, btScalar(-gravity), 0);
        dynamics.setGravity(down);
        dynamics.getWorldInfo().m_gravity = down;
    }
    virtual ~BulletWorld() {
        for (auto& body : bodies) dynamics.removeSoftBody(body.get());
    }

    // The state of a bench_subject is a BulletWorld.
    static BulletWorld& of(void* state) { return *static_cast<BulletWorld*>(state); }
    static bool read_places(void* state, sup_point* places) {
        for (auto& body : of(state).bodies) {
            for (int i = 0; i < body->m_nodes.size(); i++) {
                const btVector3& x = body->m_nodes[i].m_x;
                *places++ = {x.x(), x.y(), x.z()};
            }
        }
        return true;
    }
    static void destroy(void* state) { delete &of(state); }
};

#endif
