// Reference: the same points and clusters as soft bodies of Bullet (Debian's package, single
// precision). Its clusters are rigid; a node is moved half the way to the goals of its clusters,
// one after another. There are no links, and nothing is asked to collide.
#include "bullet_world.h"
#include "cloud.h"

#include <new>

namespace {

bool step_clusters(void* state) {
    for (auto& body : BulletWorld::of(state).bodies) body->updateClusters();
    return true;
}

bool step_bodies(void* state) {
    for (auto& body : BulletWorld::of(state).bodies) {
        body->predictMotion(btScalar(BENCH_DT));
        body->solveConstraints();
        body->integrateMotion();
    }
    return true;
}

bool step_world(void* state) {
    BulletWorld::of(state).dynamics.stepSimulation(btScalar(BENCH_DT), 0);
    return true;
}

void add_clusters(const bench_shape* shape, btSoftBody& body) {
    for (int32_t c = 0; c < shape->cluster_count; c++) {
        // Bullet frees its clusters by this pair of functions.
        auto* cluster = new (btAlignedAlloc(sizeof(btSoftBody::Cluster), 16)) btSoftBody::Cluster();
        cluster->m_collide = false;
        cluster->m_matching = btScalar(BENCH_PULL);
        for (int32_t k = shape->cluster_starts[c]; k < shape->cluster_starts[c + 1]; k++) {
            cluster->m_nodes.push_back(&body.m_nodes[shape->cluster_members[k]]);
        }
        body.m_clusters.push_back(cluster);
    }
    body.initializeClusters();
}

std::unique_ptr<btSoftBody> make_body(const bench_cloud* cloud, int32_t index, BulletWorld& world) {
    const bench_shape* shape = bench_shape_of(cloud, index);
    const sup_vec3* v = cloud->velocities + cloud->body_points[index];
    const double* origin = cloud->origins + 3 * index;
    std::vector<btVector3> places;
    std::vector<btScalar> masses(size_t(shape->point_count), btScalar(1));
    for (int32_t i = 0; i < shape->point_count; i++) {
        places.emplace_back(btScalar(shape->rest[i].x + origin[0]),
                            btScalar(shape->rest[i].y + origin[1]),
                            btScalar(shape->rest[i].z + origin[2]));
    }
    auto body = std::make_unique<btSoftBody>(&world.dynamics.getWorldInfo(), shape->point_count,
                                             places.data(), masses.data());
    body->m_cfg.collisions = 0;
    body->m_cfg.piterations = 1; // over no constraint: velocities come from the places then
    body->setActivationState(DISABLE_DEACTIVATION);
    add_clusters(shape, *body);
    for (int32_t i = 0; i < shape->point_count; i++) {
        body->m_nodes[i].m_v = btVector3(v[i].x, v[i].y, v[i].z);
    }
    return body;
}

} // namespace

bool bench_bullet_create(const bench_cloud* cloud, bench_bullet_part part, bench_subject* out) {
    bool (*const steps[])(void*) = {step_clusters, step_bodies, step_world};
    try {
        auto world = std::make_unique<BulletWorld>(0.0);
        for (int32_t b = 0; b < cloud->body_count; b++) {
            world->bodies.push_back(make_body(cloud, b, *world));
            world->dynamics.addSoftBody(world->bodies.back().get());
        }
        *out = {world.release(), steps[part], 1, BulletWorld::read_places, BulletWorld::destroy};
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
