/* Colliders within a step: on their way, and what bodies do to them. */
#include "geom/quaternion.h"
#include "world/world.h"

#include <string.h>

void supi_collider_begin(sup_world* world) {
    for (int32_t i = 0; i < world->collider_count; i++) {
        supi_collider* c = world->colliders + i;
        memset(c->pushed, 0, sizeof c->pushed);
        memset(c->turned, 0, sizeof c->turned);
    }
}

void supi_collider_at(const supi_collider* c, double share, double position[3],
                      double rotation[4]) {
    if (!c->moves) {
        memcpy(position, c->from_position, sizeof c->from_position);
        memcpy(rotation, c->from_rotation, sizeof c->from_rotation);
        return;
    }
    for (int k = 0; k < 3; k++) {
        position[k] = c->to_position[k] - (1.0 - share) * (c->to_position[k] - c->from_position[k]);
    }
    supi_quaternion_between(c->from_rotation, c->to_rotation, share, rotation);
}

/* The points of a mesh at the end of the substep, and how fast they come there. */
static void pose_points(supi_collider* c, double share, double dt) {
    int32_t count = supi_trimesh_point_count(c->mesh);
    float left = (float)(1.0 - share), per_dt = (float)(1.0 / dt);
    for (int32_t i = 0; i < count; i++) {
        const sup_vec3 *from = &c->from_points[i], *to = &c->to_points[i];
        float d[3] = {to->x - from->x, to->y - from->y, to->z - from->z};
        c->places[i] = (sup_vec3){to->x - left * d[0], to->y - left * d[1], to->z - left * d[2]};
        c->velocities[i] = (sup_vec3){d[0] * per_dt, d[1] * per_dt, d[2] * per_dt};
    }
    supi_trimesh_move(c->mesh, c->places, c->velocities);
}

void supi_collider_pose(sup_world* world, double from, double to, double h) {
    for (int32_t i = 0; i < world->collider_count; i++) {
        supi_collider* c = world->colliders + i;
        double start[3], end[3], start_turn[4], end_turn[4];
        if (c->moves && c->from_points) pose_points(c, to, world->dt);
        supi_collider_at(c, from, start, start_turn);
        supi_collider_at(c, to, end, end_turn);
        supi_solid_pose(&world->solids[i], start, start_turn, end, end_turn, h);
    }
}

void supi_collider_settle(sup_world* world, bool failed) {
    for (int32_t i = 0; i < world->collider_count; i++) {
        supi_collider* c = world->colliders + i;
        if (c->moves && c->from_points) {
            size_t count = (size_t)supi_trimesh_point_count(c->mesh);
            if (!failed) memcpy(c->from_points, c->to_points, count * sizeof *c->from_points);
            supi_trimesh_move(c->mesh, c->from_points, NULL);
        }
        if (failed) continue;
        memcpy(c->from_position, c->to_position, sizeof c->from_position);
        memcpy(c->from_rotation, c->to_rotation, sizeof c->from_rotation);
        memcpy(c->impulse, c->pushed, sizeof c->impulse);
        memcpy(c->moment, c->turned, sizeof c->moment);
        c->moves = false;
    }
}

void supi_collider_push(supi_collider* c, const double impulse[3], const double place[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        c->pushed[k] += impulse[k];
        c->turned[k] += (place[i] - c->to_position[i]) * impulse[j] -
                        (place[j] - c->to_position[j]) * impulse[i];
    }
}
