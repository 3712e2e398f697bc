/* Where a body is put when it is made or reset. */
#include "geom/quaternion.h"
#include "world/blobs.h"
#include "world/cuts.h"
#include "world/knead.h"
#include "world/oriented.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>

static void turn(const double r[9], const double p[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2];
}

/* Writes rows and clusters of a new body into `state`. */
static void place(const supi_start* def, supi_body* body, supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    double r[9], centre[3];
    supi_quaternion_matrix(def->rotation, r);
    turn(r, b->info.centre, centre);
    for (int32_t row = 0; row < b->row_count; row++) {
        bool real = row < b->info.particle_count;
        double rest[3], p[3], arm[3], u[3];
        for (int k = 0; k < 3; k++) rest[k] = b->info.centre[k];
        if (real) {
            rest[0] = (double)b->rest[row].x;
            rest[1] = (double)b->rest[row].y;
            rest[2] = (double)b->rest[row].z;
        }
        turn(r, rest, p);
        const double* w = def->angular_velocity;
        for (int k = 0; k < 3; k++) arm[k] = p[k] - centre[k];
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            u[k] = def->velocity[k] + w[i] * arm[j] - w[j] * arm[i];
            p[k] = (def->position[k] - body->anchor[k]) + p[k];
        }
        state->x[body->row + row] =
            (sup_row){(float)p[0], (float)p[1], (float)p[2], supi_cuts_inverse_mass(body, row)};
        state->v[body->row + row] =
            (sup_row){(float)u[0], (float)u[1], (float)u[2], supi_cuts_radius(body, row)};
    }
    double q[4], length = 0.0;
    for (int k = 0; k < 4; k++) length += def->rotation[k] * def->rotation[k];
    for (int k = 0; k < 4; k++) q[k] = def->rotation[k] / sqrt(length);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        double p[3];
        turn(r, b->centres + 3 * c, p);
        for (int k = 0; k < 3; k++) p[k] += def->position[k] - body->anchor[k];
        state->centre[body->cluster + c] = (sup_row){(float)p[0], (float)p[1], (float)p[2], 0.0f};
        state->rotation[body->cluster + c] =
            (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    }
    const double* w = def->angular_velocity;
    supi_oriented_place(body, state, (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]},
                        (sup_row){(float)w[0], (float)w[1], (float)w[2], 0.0f});
}

/* Pinned particles stay where they are put, and do not move. */
static void place_pins(const supi_start* def, supi_body* body, supi_state* state) {
    const sup_blueprint* b = body->blueprint;
    double r[9];
    supi_quaternion_matrix(def->rotation, r);
    for (int32_t i = 0; i < b->pin_count; i++) {
        const sup_vec3* at = b->rest + b->pins[i];
        double rest[3] = {(double)at->x, (double)at->y, (double)at->z}, p[3];
        turn(r, rest, p);
        body->pins[i] = body->pins[b->pin_count + i] =
            (sup_point){def->position[0] + p[0], def->position[1] + p[1], def->position[2] + p[2]};
        sup_row* v = state->v + body->row + b->pins[i];
        *v = (sup_row){0.0f, 0.0f, 0.0f, v->w};
    }
}

void supi_body_take_start(sup_world* world, supi_body* body) {
    const supi_start* start = &body->start;
    double r[9], centre[3];
    supi_quaternion_matrix(start->rotation, r);
    turn(r, body->blueprint->info.centre, centre);
    for (int k = 0; k < 3; k++) {
        body->anchor[k] = floor((start->position[k] + centre[k]) / body->unit + 0.5) * body->unit;
    }
    supi_body_reset_plastic(body);
    supi_springs_reset(body);
    supi_blobs_reset(body);
    supi_blobs_keep(body);
    supi_knead_reset(body);
    supi_knead_keep(body);
    supi_dented_reset(body);
    supi_yield_reset(body);
    supi_tear_mend(body);
    supi_cuts_reset(body);
    place(start, body, &world->now);
    place_pins(start, body, &world->now);
    supi_body_copy(body, &world->now, &world->before);
}
