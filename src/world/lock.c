#include "world/lock.h"

#include "base/error.h"
#include "solve/axes.h"
#include "world/tear.h"

sup_result supi_lock_check(const sup_body_def* def, sup_error* error) {
    int32_t all = SUP_AXIS_X | SUP_AXIS_Y | SUP_AXIS_Z;
    if (def->locked < 0 || def->locked > all) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "locked must be a sum of SUP_AXIS_X, SUP_AXIS_Y and SUP_AXIS_Z");
    }
    if (def->locked == all) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a body with all three axes locked could not move: pause it");
    }
    if (def->locked != 0 && def->blueprint->oriented) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "axes cannot be locked for bodies with links or parts");
    }
    if (def->locked != 0 && def->springs.meets_itself) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "axes cannot be locked for bodies that meet themselves");
    }
    for (int k = 0; k < 3; k++) {
        int32_t along = 1 << k, around = all - along;
        if ((def->locked & along) && def->velocity[k] != 0.0) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the velocity along %c must be 0, as that axis is locked",
                                  "xyz"[k]);
        }
        if ((def->locked & around) && def->angular_velocity[k] != 0.0) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the angular velocity about %c must be 0, as an axis across it "
                                  "is locked",
                                  "xyz"[k]);
        }
    }
    return SUP_OK;
}

void supi_lock_strip(const supi_body* body, int32_t begin, int32_t end, sup_row* rows) {
    if (body->locked == 0) return;
    for (int32_t r = begin; r < end; r++) supi_axes_strip(body->locked, rows + r);
}

void supi_lock_hold(const sup_world* world, const supi_body* body, sup_row* x, sup_row* v) {
    const sup_blueprint* b = body->blueprint;
    const sup_row* start = world->before.x + body->row;
    int32_t axes = body->locked, count = b->info.particle_count;
    if (axes == 0) return;
    supi_lock_strip(body, 0, count, v);
    for (int32_t r = 0; r < count; r++) {
        const sup_row* at = start + supi_tear_start_row(body, r);
        if (axes & SUP_AXIS_X) x[r].x = at->x;
        if (axes & SUP_AXIS_Y) x[r].y = at->y;
        if (axes & SUP_AXIS_Z) x[r].z = at->z;
    }
}

void supi_lock_hold_all(sup_world* world) {
    if (!world->kinds.locked) return;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (supi_body_still(body)) continue;
        supi_lock_hold(world, body, world->now.x + body->row, world->now.v + body->row);
    }
}
