/* Lasting deformation of bodies: its state, and the rest shapes that come of it. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "geom/quaternion.h"
#include "geom/rotation.h"
#include "world/knead.h"
#include "world/oriented.h"
#include "world/springs.h"

#include <math.h>
#include <string.h>

/* ---- State ---- */

/* Lasting deformation brings particles under a skin nearer to the drawn surface, or away. */
static size_t depth_count(const sup_blueprint* b) {
    return b->skin.count > 0 && b->outward ? (size_t)b->info.particle_count : 0;
}

bool supi_body_make_plastic(const sup_world* world, supi_body* body) {
    if (body->plastic) return true;
    size_t clusters = (size_t)body->blueprint->cluster_count;
    size_t depths = depth_count(body->blueprint);
    body->plastic = supi_memory_new(world->allocator, 2 * clusters, sizeof *body->plastic);
    body->flows = supi_memory_new(world->allocator, clusters, sizeof *body->flows);
    if (depths) body->depths = supi_memory_new(world->allocator, depths, sizeof *body->depths);
    if (!body->plastic || !body->flows || (depths && !body->depths)) {
        supi_body_free_plastic(world, body);
        return false;
    }
    supi_body_reset_plastic(body);
    return true;
}

void supi_body_free_plastic(const sup_world* world, supi_body* body) {
    size_t clusters = (size_t)body->blueprint->cluster_count;
    supi_memory_free(world->allocator, body->plastic, 2 * clusters, sizeof *body->plastic);
    supi_memory_free(world->allocator, body->flows, clusters, sizeof *body->flows);
    supi_memory_free(world->allocator, body->depths, depth_count(body->blueprint),
                     sizeof *body->depths);
    body->plastic = NULL;
    body->flows = NULL;
    body->depths = NULL;
}

void supi_body_reset_plastic(supi_body* body) {
    for (int32_t i = 0; body->plastic && i < 2 * body->blueprint->cluster_count; i++) {
        supi_plastic_reset(body->plastic + i);
    }
}

void supi_body_keep_plastic(supi_body* body) {
    if (!body->plastic) return;
    size_t clusters = (size_t)body->blueprint->cluster_count;
    memcpy(body->plastic + clusters, body->plastic, clusters * sizeof *body->plastic);
}

void supi_body_restore_plastic(supi_body* body) {
    if (!body->plastic) return;
    size_t clusters = (size_t)body->blueprint->cluster_count;
    memcpy(body->plastic, body->plastic + clusters, clusters * sizeof *body->plastic);
    for (size_t c = 0; c < clusters; c++) {
        body->plastic[c].flows = false;
        if (!supi_plastic_sane(body->plastic + c)) supi_plastic_reset(body->plastic + c);
    }
}

/* |S^-1 n|: S moves the plane at distance d along the unit normal n to distance d / |S^-1 n|. */
static float unstretched(const float inverse[6], const sup_vec3* n) {
    float x = inverse[0] * n->x + inverse[3] * n->y + inverse[5] * n->z;
    float y = inverse[3] * n->x + inverse[1] * n->y + inverse[4] * n->z;
    float z = inverse[5] * n->x + inverse[4] * n->y + inverse[2] * n->z;
    return sqrtf(x * x + y * y + z * z);
}

void supi_body_find_depths(supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (!body->depths) return;
    body->deepest = 0.0f;
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        const supi_plastic* plastic = body->plastic + (b->leader ? b->leader[row] : 0);
        float shrunk = unstretched(plastic->inverse, b->outward + row), depth = b->depth[row];
        if (shrunk > 0.0f) depth /= shrunk;
        body->depths[row] = depth;
        if (depth > body->deepest) body->deepest = depth;
    }
}

const float* supi_body_depths(const supi_body* body) {
    return body->depths ? body->depths : body->blueprint->depth;
}

float supi_body_deepest(const supi_body* body) {
    return body->depths ? body->deepest : body->blueprint->deepest;
}

bool supi_body_flows(const supi_body* body) {
    if (supi_yield_flows(body)) return true;
    if (!body->plastic || !body->materials[0].plastic.on) return false;
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        if (body->plastic[c].flows) return true;
    }
    return false;
}

sup_result sup_body_reset_rest(sup_world* world, sup_body handle) {
    SUPI_NEED(NULL, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_float_mode mode = supi_float_mode_enter();
    if (body->materials[0].plastic.on) {
        supi_body_reset_plastic(body);
    } else {
        supi_body_free_plastic(world, body);
    }
    supi_yield_reset(body);
    supi_dented_relax(body);
    supi_knead_reset(body);
    supi_knead_keep(body);
    supi_sleep_wake(world, body);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

sup_result sup_body_read_plastic(const sup_world* world, sup_body handle, float* stretches) {
    SUPI_NEED(NULL, world, stretches);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    static const float none[6] = {1, 1, 1, 0, 0, 0};
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        memcpy(stretches + 6 * c, body->plastic ? body->plastic[c].rounded : none, sizeof none);
    }
    return SUP_OK;
}

/* ---- Rest shapes ---- */

/* Centre of mass of the rows, and the rotation that brings the rest shape to them best. */
static void find_pose(const sup_world* world, const supi_body* body, double centre[3],
                      double turn[9]) {
    const sup_blueprint* b = body->blueprint;
    const sup_row* x = world->now.x + body->row;
    double sums[9] = {0}, largest = 0.0;
    for (int k = 0; k < 3; k++) centre[k] = 0.0;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double share = (double)b->mass[r] / b->info.mass;
        centre[0] += share * (double)x[r].x;
        centre[1] += share * (double)x[r].y;
        centre[2] += share * (double)x[r].z;
    }
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const double p[3] = {(double)x[r].x, (double)x[r].y, (double)x[r].z};
        const double q[3] = {(double)b->rest[r].x, (double)b->rest[r].y, (double)b->rest[r].z};
        for (int k = 0; k < 9; k++) {
            sums[k] += (double)b->mass[r] * (p[k / 3] - centre[k / 3]) *
                       (q[k % 3] - b->info.centre[k % 3]);
        }
    }
    for (int k = 0; k < 9; k++) {
        double size = sums[k] < 0.0 ? -sums[k] : sums[k];
        largest = size > largest ? size : largest;
    }
    const sup_quat* start = world->now.rotation + body->cluster;
    float scaled[9], q[4] = {start->x, start->y, start->z, start->w};
    for (int k = 0; k < 9; k++) scaled[k] = largest > 0.0 ? (float)(sums[k] / largest) : 0.0f;
    supi_rotation_cold(scaled, q);
    const double rotation[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    supi_quaternion_matrix(rotation, turn);
}

/* Rows moved and turned back to where the rest shape lies. */
static void lay_back(const sup_row* rows, int32_t count, const double centre[3],
                     const double turn[9], const double middle[3], sup_vec3* out) {
    for (int32_t r = 0; r < count; r++) {
        double p[3] = {(double)rows[r].x - centre[0], (double)rows[r].y - centre[1],
                       (double)rows[r].z - centre[2]};
        float back[3];
        for (int k = 0; k < 3; k++) {
            back[k] = (float)(middle[k] + turn[k] * p[0] + turn[3 + k] * p[1] + turn[6 + k] * p[2]);
        }
        out[r] = (sup_vec3){back[0], back[1], back[2]};
    }
}

sup_result sup_body_bake(const sup_world* world, sup_body handle, sup_blueprint** out,
                         sup_error* error) {
    SUPI_NEED(error, world);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!out) return supi_error_set(error, SUP_BAD_ARGUMENT, "nowhere to put the blueprint");
    const sup_blueprint* b = body->blueprint;
    if (b->lattice) {
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "a body of a lattice cannot be baked: its particles would leave their "
            "nodes");
    }
    if (b->can_tear) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a body that tears cannot be baked: it may be torn already");
    }
    if (body->oriented) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a body with links or parts cannot be baked");
    }
    size_t count = (size_t)b->info.particle_count + (size_t)b->skin.count;
    sup_vec3* places = supi_memory_new(world->allocator, count, sizeof *places);
    if (!places) return supi_error_memory(error);
    sup_vec3* skin = places + b->info.particle_count;
    supi_float_mode mode = supi_float_mode_enter();
    double centre[3], turn[9];
    const double* middle = b->info.centre;
    find_pose(world, body, centre, turn);
    lay_back(world->now.x + body->row, b->info.particle_count, centre, turn, middle, places);
    if (b->skin.count > 0) {
        lay_back(supi_drawn_rows(world, body), b->skin.count, centre, turn, middle, skin);
    }
    sup_result result = supi_blueprint_reshape(b, places, skin, out, error);
    supi_float_mode_leave(mode);
    supi_memory_free(world->allocator, places, count, sizeof *places);
    return result;
}
