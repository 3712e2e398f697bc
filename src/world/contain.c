/* Containment: a body that is no longer finite is put back before any other body reads it. */
#include "geom/quaternion.h"
#include "world/blobs.h"
#include "world/cuts.h"
#include "world/knead.h"
#include "world/oriented.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>

/* Rotations are unit quaternions and centres in range; NaN fails both tests. */
static bool clusters_sane(const supi_body* body, const supi_state* state) {
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        const sup_quat* q = state->rotation + body->cluster + c;
        const sup_row* at = state->centre + body->cluster + c;
        float length = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
        bool sane = length > 0.9f && length < 1.1f && fabsf(at->x) < SUPI_RANGE &&
                    fabsf(at->y) < SUPI_RANGE && fabsf(at->z) < SUPI_RANGE;
        if (!sane) return false;
    }
    return true;
}

bool supi_contain_sane(const sup_world* world, const supi_body* body, const supi_state* state) {
    return clusters_sane(body, state) && supi_oriented_sane(world, body, state);
}

/* The last resort: the rest shape of the blueprint, where the clusters were, or unturned at the
 * anchor where they are lost too. */
static void take_rest_shape(supi_body* body, supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    supi_body_reset_plastic(body);
    supi_yield_reset(body);
    supi_tear_mend(body);
    supi_dented_reset(body);
    supi_knead_reset(body);
    if (!clusters_sane(body, state)) {
        for (int32_t c = 0; c < b->cluster_count; c++) {
            float centre[3];
            for (int k = 0; k < 3; k++)
                centre[k] = (float)(b->centres[3 * c + k] - b->info.centre[k]);
            state->rotation[body->cluster + c] = (sup_quat){0.0f, 0.0f, 0.0f, 1.0f};
            state->centre[body->cluster + c] = (sup_row){centre[0], centre[1], centre[2], 0.0f};
        }
    }
    for (int32_t r = 0; r < b->row_count; r++) {
        bool real = r < b->info.particle_count;
        int32_t c = b->leader && real ? b->leader[r] : 0;
        const sup_quat* q = state->rotation + body->cluster + c;
        const sup_row* at = state->centre + body->cluster + c;
        const double* centre = b->centres + 3 * c;
        sup_vec3 p = {0.0f, 0.0f, 0.0f};
        if (real) {
            p = (sup_vec3){(float)((double)b->rest[r].x - centre[0]),
                           (float)((double)b->rest[r].y - centre[1]),
                           (float)((double)b->rest[r].z - centre[2])};
        }
        p = supi_quaternion_turn(q, p);
        sup_row* x = state->x + body->row + r;
        *x = (sup_row){at->x + p.x, at->y + p.y, at->z + p.z, supi_cuts_inverse_mass(body, r)};
        state->v[body->row + r].w = supi_cuts_radius(body, r);
    }
    supi_oriented_place(body, state, state->rotation[body->cluster], (sup_row){0});
}

void supi_contain_restore(const sup_world* world, supi_body* body, const supi_state* good,
                          supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    supi_extent places;
    supi_tear_restore(body);
    for (int32_t r = 0; r < b->row_count; r++) state->x[body->row + r] = good->x[body->row + r];
    for (int32_t c = 0; c < b->cluster_count; c++) {
        state->rotation[body->cluster + c] = good->rotation[body->cluster + c];
        state->centre[body->cluster + c] = good->centre[body->cluster + c];
    }
    for (int32_t r = 0; r < b->row_count; r++) {
        state->x[body->row + r].w = supi_cuts_inverse_mass(body, r);
        state->v[body->row + r] = (sup_row){0.0f, 0.0f, 0.0f, supi_cuts_radius(body, r)};
    }
    supi_body_restore_plastic(body);
    supi_dented_restore(body);
    supi_knead_restore(body);
    supi_oriented_restore_turns(body, good, state);
    supi_springs_reset(body);
    supi_blobs_reset(body);
    supi_yield_restore(body);
    world->kernels->inspect(state->x + body->row, 0, b->row_count, &places);
    if (!places.sane || !supi_contain_sane(world, body, state)) take_rest_shape(body, state);
    body->carried = false;
}
